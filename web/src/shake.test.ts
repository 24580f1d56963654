// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { Shake } from './shake.js';

const far = ({ x, y }: { x: number; y: number }) => Math.hypot(x, y);

describe('shake', () => {
    it('is stronger for a death than for a hit, and over within half a second', () => {
        const [hit, death] = [new Shake(false), new Shake(false)];
        hit.add('hurt', 10);
        death.add('grave', 10);
        expect(far(hit.offset(10.05))).toBeGreaterThan(0);
        expect(far(death.offset(10.05))).toBeGreaterThan(far(hit.offset(10.05)));
        expect(death.offset(10.5)).toEqual({ x: 0, y: 0 });
        expect(death.offset(9)).toEqual({ x: 0, y: 0 });
    });
    it('is not ended by a weaker one', () => {
        const shake = new Shake(false);
        shake.add('grave', 10);
        const before = shake.offset(10.1);
        shake.add('hurt', 10.1);
        expect(shake.offset(10.1)).toEqual(before);
    });
    it('stays away for pleasant events, and for visitors who prefer reduced motion', () => {
        const [calm, still] = [new Shake(false), new Shake(true)];
        calm.add('good', 10);
        still.add('grave', 10);
        expect([calm.offset(10.01), still.offset(10.01)]).toEqual([{ x: 0, y: 0 }, { x: 0, y: 0 }]);
    });
});
