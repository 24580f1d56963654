// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { shortened } from './chat.js';

describe('a line of chat', () => {
    it('is cut between letters to what the server takes', () => {
        expect(shortened('  well played ')).toBe('well played');
        expect(shortened('a'.repeat(200))).toBe('a'.repeat(120));
        expect(shortened('é'.repeat(100))).toBe('é'.repeat(60));
        expect(shortened('x😂😂', 8)).toBe('x😂');
        expect(shortened('   ')).toBe('');
    });
});
