// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { tell } from './telling.js';

const names = (slot?: string, by?: string) => (whom: 'slot' | 'by') => (whom === 'slot' ? slot : by);

describe('an event', () => {
    it('is told with the names of those whom it is about', () => {
        expect(tell('$slot was hit[ by $by]', names('Ann', 'Bob'))).toBe('Ann was hit by Bob');
        expect(tell('$slot was hit[ by $by]', names('Ann'))).toBe('Ann was hit');
        expect(tell('the match is over', names())).toBe('the match is over');
        expect(tell('[$slot: ]found it', names())).toBe('found it');
    });
    it('about somebody unknown is not told', () => {
        expect(tell('$slot died', names())).toBeNull();
    });
    it('leaves names as they are, whatever letters they have', () => {
        expect(tell('$slot died[ by $by]', names('[x] $by $1', '$slot'))).toBe('[x] $by $1 died by $slot');
    });
});
