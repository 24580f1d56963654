// SPDX-License-Identifier: MIT
// The page: a screen for each address.
//
//     #/                     invite a friend, join a room, choose a world
//     #/play/WORLD/LEVEL     a room on this server
//     #/watch/WORLD/LEVEL    the same, as a spectator
//     #/sandbox/WORLD/LEVEL  a local match, with a slider for every rule
//     #/replay               a recorded match

import { connect, load } from 'instep';
import { h, showMessage } from './dom.js';
import { watchBuild } from './edits.js';
import { Home } from './home.js';
import { loadGame } from './look.js';
import { Painter } from './painter.js';
import { Play } from './play.js';
import { Replay } from './replay.js';
import { Sandbox } from './sandbox.js';
import { Sound } from './sound.js';

/** Fills the page until it is closed. */
export interface Screen {
    close(): void;
    /** Of the player in a room; '' without one. */
    ticket?(): string;
}

interface Served {
    /** The levels of this server, by world; empty if the page is on another server. */
    levels: Map<string, string[]>;
    /** The build of a game that is being edited; null: none is. */
    build: string | null;
}
async function askServer(): Promise<Served> {
    const answer = await fetch('./api/worlds').catch(() => null);
    if (!answer?.ok) return { levels: new Map(), build: null };
    const worlds = (await answer.json()) as { name: string; levels: string[] }[];
    return { levels: new Map(worlds.map(({ name, levels }) => [name, levels])), build: answer.headers.get('Instep-Build') };
}

async function start(): Promise<void> {
    const panel = document.getElementById('panel')!;
    const game = loadGame();
    const module = game.then(({ module: path }) => load(fetch(path)));
    const [{ title }, instep, painter, { levels: served, build }] = await Promise.all([game, module, Painter.create(document.getElementById('stage')!), askServer()]);
    const worlds = instep.worlds();
    const sound = new Sound();
    let screen: Screen | null = null;
    // For the console: instep.level(world, level).openLocal(1, 7), connect(instep, plan), and so on.
    (globalThis as Record<string, unknown>)['instep'] = instep;
    (globalThis as Record<string, unknown>)['connect'] = connect;
    (globalThis as Record<string, unknown>)['sound'] = sound;

    let routes = 0;
    const route = async () => {
        const routed = ++routes;
        screen?.close();
        screen = null;
        panel.replaceChildren();
        showMessage('');
        const [path = '', query = ''] = location.hash.slice(1).split('?');
        const context = { instep, painter, sound, panel, title, query: new URLSearchParams(query) };
        try {
            const [, name = '', world = '', level = ''] = path.split('/').map(decodeURIComponent);
            const found = worlds.find((candidate) => candidate.name === world);
            const isBuiltIn = !level || found?.levels.includes(level);
            if (found && !isBuiltIn && !served.get(world)?.includes(level)) throw new Error(`${world} has no level ${level}`);
            const levelJson = isBuiltIn ? undefined : await (await fetch(`./api/levels/${world}/${level}`)).text();
            if (routed !== routes) return; // the address has changed meanwhile
            const chosen = level || found?.levels[0];
            if ((name === 'play' || name === 'watch') && chosen) screen = new Play(context, world, chosen, levelJson, name === 'watch');
            else if (name === 'sandbox' && chosen) screen = new Sandbox(context, world, chosen);
            else if (name === 'replay') screen = new Replay(context);
            else screen = new Home(context, worlds, served);
        } catch (error) {
            panel.replaceChildren();
            screen = new Home(context, worlds, served);
            showMessage(error instanceof Error ? error.message : String(error));
        }
    };
    addEventListener('hashchange', () => void route());
    if (build) watchBuild(build, () => screen?.ticket?.() ?? '');
    await route();
    document.documentElement.dataset['ready'] = 'yes';
    performance.mark('ready');
}

start().catch((error: unknown) => {
    document.getElementById('panel')!.replaceChildren(
        h('section', { className: 'failure' }, h('h1', {}, 'This page cannot run here'), h('p', {}, String(error))));
});
