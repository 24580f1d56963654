// SPDX-License-Identifier: MIT
// The worlds and levels to choose from, as the module and the server describe them.

import type { Instep, World } from 'instep';
import { lookOf } from './look.js';

export interface LevelChoice {
    name: string;
    /** Follows the document of its world, quirks included. */
    isOriginal: boolean;
    /** Only the server has it. */
    isServed: boolean;
}
export interface WorldChoice {
    name: string;
    title: string;
    summary: string;
    /** Those with the rules of a game first. */
    levels: LevelChoice[];
}

export function titleOf(world: { name: string; title?: string }): string {
    return lookOf(world.name).title ?? world.title ?? world.name.charAt(0).toUpperCase() + world.name.slice(1);
}
/** Whether a level's rules are those of a document: "faithful", or {"base": "faithful"}. */
export function isOriginal(levelJson: string): boolean {
    const { rules } = JSON.parse(levelJson) as { rules?: string | { base?: string } };
    const base = typeof rules === 'string' ? rules : rules?.base;
    return base !== undefined && base !== 'game';
}
/** `served`: the levels of the server, by world. */
export function choicesOf(instep: Instep, worlds: World[], served: Map<string, string[]>): WorldChoice[] {
    const choices = worlds.map((world) => {
        const { level: preferred, order = 0 } = lookOf(world.name);
        const levels = [
            ...world.levels.map((name) => ({ name, isOriginal: isOriginal(instep.levelText(world.name, name)), isServed: false })),
            ...(served.get(world.name) ?? []).filter((name) => !world.levels.includes(name)).map((name) => ({ name, isOriginal: false, isServed: true })),
        ];
        levels.sort((a, b) => Number(a.isOriginal) - Number(b.isOriginal) || Number(b.name === preferred) - Number(a.name === preferred));
        return { name: world.name, title: titleOf(world), summary: world.summary, levels, order };
    });
    return choices.sort((a, b) => a.order - b.order);
}
