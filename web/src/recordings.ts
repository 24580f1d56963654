// SPDX-License-Identifier: MIT
// The recordings on this server, each with a picture of its middle, drawn by replaying it here.

import type { Instep } from 'instep';
import { titleOf } from './catalog.js';
import { h } from './dom.js';
import { clockText } from './match_hud.js';
import { drawPicture, windowOf } from './picture.js';

const mostBytes = 4 << 20; // of a recording that is fetched for its picture

export interface Recording { name: string; world: string; level: string; ticks: number; bytes: number; when: string; live: boolean }

export const addressOf = ({ name }: Recording) => `./recordings/${encodeURIComponent(name)}`;

/** Draws one picture at a time, of entries that have been scrolled into view. */
class Pictures {
    private waiting: { recording: Recording; canvas: HTMLCanvasElement; note: HTMLElement }[] = [];
    private isBusy = false;
    private watcher = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) if (isIntersecting) this.want(target);
    });
    private known = new Map<Element, { recording: Recording; canvas: HTMLCanvasElement; note: HTMLElement }>();

    constructor(private instep: Instep, private signal: AbortSignal) {
        signal.addEventListener('abort', () => this.watcher.disconnect());
    }
    add(recording: Recording, canvas: HTMLCanvasElement, note: HTMLElement): void {
        if (recording.bytes > mostBytes) return;
        this.known.set(canvas, { recording, canvas, note });
        this.watcher.observe(canvas);
    }
    private want(canvas: Element): void {
        this.watcher.unobserve(canvas);
        this.waiting.push(this.known.get(canvas)!);
        if (!this.isBusy) void this.drawAll();
    }
    private async drawAll(): Promise<void> {
        this.isBusy = true;
        for (let next = this.waiting.shift(); next && !this.signal.aborted; next = this.waiting.shift()) {
            try {
                const answer = await fetch(addressOf(next.recording), { signal: this.signal });
                if (answer.ok) this.draw(new Uint8Array(await answer.arrayBuffer()), next.canvas, next.note);
            } catch {
                // The entry has no picture: the file is gone, or it is of another build. Opening it says which.
            }
        }
        this.isBusy = false;
    }
    private draw(bytes: Uint8Array, canvas: HTMLCanvasElement, note: HTMLElement): void {
        const stage = this.instep.openRecording(bytes);
        try {
            const setup = stage.describe();
            const { first_tick: first, last_tick: last } = stage.progress();
            stage.goTo(Math.floor((first + last) / 2));
            const players = stage.players();
            drawPicture(canvas, stage.draw(), setup, windowOf(setup, players, canvas));
            note.textContent = `${clockText((last - first) / setup.tick_rate)} · ${players.length} ${players.length === 1 ? 'player' : 'players'}`;
        } finally {
            stage.close();
        }
    }
}

export async function showLibrary(into: HTMLElement, instep: Instep, signal: AbortSignal, choose: (recording: Recording) => void): Promise<void> {
    const answer = await fetch('./api/recordings', { signal }).catch(() => null);
    if (signal.aborted) return;
    const recordings = answer?.ok ? ((await answer.json()) as Recording[]) : [];
    const titles = new Map(instep.worlds().map((world) => [world.name, titleOf(world)]));
    if (recordings.length === 0) {
        into.append(h('section', { className: 'empty' },
            h('h2', {}, 'Nothing is recorded yet'),
            h('p', {}, 'A server records matches with --recordings FOLDER, as ./run does. Play a match; it is listed here while it goes on.'),
            h('p', {}, 'Or choose a file above: a recording of any server of this version plays here.'),
            h('a', { className: 'primary', href: '#/' }, 'Choose a game')));
        return;
    }
    const pictures = new Pictures(instep, signal);
    into.append(h('ul', { className: 'recordings', 'aria-label': 'Recordings' }, ...recordings.map((recording) => {
        const canvas = h('canvas', { width: 320, height: 180, 'aria-hidden': 'true' });
        const note = h('small', {}, `${recording.ticks} ticks`);
        const when = recording.when ? new Date(recording.when).toLocaleString() : recording.name;
        pictures.add(recording, canvas, note);
        return h('li', {}, h('button', { onclick: () => choose(recording) }, canvas,
            h('span', {}, h('strong', {}, titles.get(recording.world) ?? recording.world), ` ${recording.level}${recording.live ? ' · live' : ''}`),
            note, h('small', {}, when)));
    })));
}
