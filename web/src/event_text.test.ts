// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { formatEvent } from './event_text.js';

const names = (slot?: string, by?: string) => (field: 'slot' | 'by') => (field === 'slot' ? slot : by);

describe('event text', () => {
    it('has the names of the players', () => {
        expect(formatEvent('$slot was hit[ by $by]', names('Ann', 'Bob'))).toBe('Ann was hit by Bob');
        expect(formatEvent('$slot was hit[ by $by]', names('Ann'))).toBe('Ann was hit');
        expect(formatEvent('the match is over', names())).toBe('the match is over');
        expect(formatEvent('[$slot: ]found it', names())).toBe('found it');
    });
    it('is null if the player is unknown', () => {
        expect(formatEvent('$slot died', names())).toBeNull();
    });
    it('keeps names with brackets and dollars unchanged', () => {
        expect(formatEvent('$slot died[ by $by]', names('[x] $by $1', '$slot'))).toBe('[x] $by $1 died by $slot');
    });
});
