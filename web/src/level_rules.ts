// SPDX-License-Identifier: MIT
// A level's JSON with some rules set otherwise, and how far a slider for a rule goes.

import type { Rule } from 'instep';

export type RuleValue = number | boolean | string;
export type LevelJson = Record<string, unknown> & { rules?: string | Record<string, unknown> };

/** The level with some of its rules set otherwise. */
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

/** A slider's ends for a rule: its own range, or around its value where the range is too wide to slide over. */
export function slideRange(rule: Rule, document: number): { low: number; high: number; step: number } {
    const value = Math.abs(document) || Math.abs(Number(rule.value)) || 1;
    const narrow = (rule.high ?? Infinity) - (rule.low ?? -Infinity) <= value * 20;
    const low = narrow ? rule.low! : Math.max(rule.low ?? -Infinity, document < 0 ? -value * 4 : 0);
    const high = narrow ? rule.high! : Math.min(rule.high ?? Infinity, value * 4);
    return { low, high, step: rule.whole ? 1 : (high - low) / 400 };
}
