// SPDX-License-Identifier: MIT
// A level's JSON with changed rules, and the range of a rule's slider.

import type { Rule } from 'instep';

export type RuleValue = number | boolean | string;
export type LevelJson = Record<string, unknown> & { rules?: string | Record<string, unknown> };

/** The level with changed rules. */
export function withRules(level: LevelJson, changes: Record<string, RuleValue>): LevelJson {
    const { rules } = level;
    const base = typeof rules === 'string' ? { base: rules } : { ...(rules ?? { base: 'faithful' }) };
    const changed: Record<string, unknown> = { ...base };
    for (const [path, value] of Object.entries(changes)) {
        const names = path.split('.');
        let at = changed;
        for (const name of names.slice(0, -1)) at = (at[name] = { ...(at[name] as object | undefined) }) as Record<string, unknown>;
        at[names.at(-1)!] = value;
    }
    return { ...level, rules: changed };
}

/** The range of a rule's slider: the rule's own, or one around its value if that is too wide for a slider. */
export function slideRange(rule: Rule, document: number): { low: number; high: number; step: number } {
    const value = Math.abs(document) || Math.abs(Number(rule.value)) || 1;
    const narrow = (rule.high ?? Infinity) - (rule.low ?? -Infinity) <= value * 20;
    const low = narrow ? rule.low! : Math.max(rule.low ?? -Infinity, document < 0 ? -value * 4 : 0);
    const high = narrow ? rule.high! : Math.min(rule.high ?? Infinity, value * 4);
    return { low, high, step: rule.integer ? 1 : (high - low) / 400 };
}
