// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { retryDelay } from './backoff.js';

describe('backoff', () => {
    it('doubles from a quarter of a second to eight seconds', () => {
        const middle = () => 0.5;
        expect([0, 1, 2, 3, 4, 5, 6, 100].map((attempt) => retryDelay(attempt, middle))).toEqual([0.25, 0.5, 1, 2, 4, 8, 8, 8]);
    });
    it('spreads clients that were lost together over a whole pause', () => {
        for (const attempt of [0, 3, 9]) {
            const pause = retryDelay(attempt, () => 0.5);
            expect(retryDelay(attempt, () => 0)).toBeCloseTo(0.5 * pause);
            expect(retryDelay(attempt, () => 1)).toBeCloseTo(1.5 * pause);
            expect(new Set(Array.from({ length: 100 }, () => retryDelay(attempt))).size).toBeGreaterThan(90);
        }
    });
});
