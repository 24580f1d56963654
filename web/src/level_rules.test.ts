// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { slideRange, withRules } from './level_rules.js';

const rule = { path: 'gravity', value: 2, whole: false, low: null, high: null, unit: '', note: '' };

describe('rules that are changed', () => {
    it('stand on the rule set that the level had', () => {
        expect(withRules({ rules: 'game' }, { drag: 2 }).rules).toEqual({ base: 'game', drag: 2 });
        expect(withRules({ rules: { base: 'game', spread: 1 } }, { drag: 2 }).rules).toEqual({ base: 'game', spread: 1, drag: 2 });
    });
    it('reach into nested ones', () => {
        expect(withRules({ rules: 'game' }, { 'sun.mass': 3 }).rules).toEqual({ base: 'game', sun: { mass: 3 } });
    });
    it('leave the level that they came from as it was', () => {
        const level = { rules: { base: 'game' } };
        withRules(level, { drag: 2 });
        expect(level).toEqual({ rules: { base: 'game' } });
    });
});

describe('the ends of a slider', () => {
    it('are around the document’s value where the rule has none', () => {
        const { low, high } = slideRange(rule, 2);
        expect([low, high]).toEqual([0, 8]);
    });
    it('are those of the rule where they are near', () => {
        const { low, high } = slideRange({ ...rule, low: 0, high: 10 }, 2);
        expect([low, high]).toEqual([0, 10]);
    });
    it('go by whole steps for whole numbers', () => {
        expect(slideRange({ ...rule, whole: true }, 2).step).toBe(1);
    });
});
