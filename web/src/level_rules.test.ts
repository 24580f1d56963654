// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { slideRange, withRules } from './level_rules.js';

const rule = { path: 'gravity', value: 2, integer: false, low: null, high: null, unit: '', note: '' };

describe('changed rules', () => {
    it('keep the level\'s base rules', () => {
        expect(withRules({ rules: 'game' }, { drag: 2 }).rules).toEqual({ base: 'game', drag: 2 });
        expect(withRules({ rules: { base: 'game', spread: 1 } }, { drag: 2 }).rules).toEqual({ base: 'game', spread: 1, drag: 2 });
    });
    it('may be nested', () => {
        expect(withRules({ rules: 'game' }, { 'sun.mass': 3 }).rules).toEqual({ base: 'game', sun: { mass: 3 } });
    });
    it('do not modify the original level', () => {
        const level = { rules: { base: 'game' } };
        withRules(level, { drag: 2 });
        expect(level).toEqual({ rules: { base: 'game' } });
    });
});

describe('range of a slider', () => {
    it('is around the document’s value if the rule has none', () => {
        const { low, high } = slideRange(rule, 2);
        expect([low, high]).toEqual([0, 8]);
    });
    it('is the rule\'s range if it is narrow', () => {
        const { low, high } = slideRange({ ...rule, low: 0, high: 10 }, 2);
        expect([low, high]).toEqual([0, 10]);
    });
    it('has integer steps for integers', () => {
        expect(slideRange({ ...rule, integer: true }, 2).step).toBe(1);
    });
});
