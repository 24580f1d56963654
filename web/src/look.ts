// SPDX-License-Identifier: MIT
// The looks of a game's worlds: what a world's own file says of how it is shown. A world without one is drawn and
// played too. Looks are modules beside the page that game.json names, so the page is built once for all games; what they
// draw with is handed to them.

import { glow, scatter, stars, Trails, type Theme } from './themes/theme.js';

/** The palette of players: colours that neighbours in a list can be told apart by. */
export const playerColors: readonly number[] = [
    0x60a5fa, 0xfb923c, 0x4ade80, 0xe879f9, 0xfde047, 0x2dd4bf, 0xf87171, 0xa78bfa, 0xa3e635, 0xf472b6, 0x7dd3fc, 0xd97706,
];
export function playerColor(slot: number): number {
    return playerColors[slot % playerColors.length]!;
}

/** What a look may draw with. */
export const kit = { glow, scatter, stars, Trails, playerColors, playerColor };
export type Kit = typeof kit;

/** The default export of a look's module. */
export interface Look {
    /** The name on the start page. */
    title?: string;
    /** The level that the start page offers. */
    level?: string;
    /** Cards are sorted by it; 0 without one. */
    order?: number;
    theme?(kit: Kit): Theme;
}

/** What the build says of the game, in game.json. */
export interface Game {
    title: string;
    /** The WebAssembly module. */
    module: string;
    /** A module for each world that has a look; "" is the only world. */
    looks: Record<string, string>;
}

const looks = new Map<string, Look>();
const plain: Theme = { background: 0x0b1020, height: 0 };

export async function loadGame(): Promise<Game> {
    const answer = await fetch('./game.json');
    if (!answer.ok) throw new Error('game.json is missing beside the page: build the page of a game with instep_add_game');
    const game = (await answer.json()) as Game;
    // A look that fails must not keep anyone from playing.
    await Promise.all(Object.entries(game.looks).map(async ([world, path]) => {
        try {
            const module = (await import(/* @vite-ignore */ new URL(path, document.baseURI).href)) as { default: Look };
            looks.set(world, module.default);
        } catch (error) {
            console.error(`the look of ${world} cannot be used:`, error);
        }
    }));
    return game;
}

export function lookOf(world: string): Look {
    return looks.get(world) ?? looks.get('') ?? {};
}
export function themeOf(world: string): Theme {
    return lookOf(world).theme?.(kit) ?? plain;
}
