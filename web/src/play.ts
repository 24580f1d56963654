// SPDX-License-Identifier: MIT
// A room on this server: one click and one is in it. I opens the inspector.

import { connect, type Connection, type ConnectionState } from 'instep';
import type { Context } from './context.js';
import { h, say } from './dom.js';
import { Hud } from './hud.js';
import { Inspector } from './inspector.js';
import type { Screen } from './main.js';
import { Show } from './show.js';

const nameKey = 'instep-name';

// A page that may keep nothing is played all the same, under another name each time.
function keptName(): string | null {
    try {
        return localStorage.getItem(nameKey);
    } catch {
        return null;
    }
}
function keepName(name: string): void {
    try {
        localStorage.setItem(nameKey, name);
    } catch {
        // it is for this visit, then
    }
}
function ownName(): string {
    const kept = keptName();
    if (kept) return kept;
    const name = `Guest ${1 + Math.floor(Math.random() * 999)}`;
    keepName(name);
    return name;
}

export class Play implements Screen {
    private connection: Connection;
    private show: Show;
    private inspector: Inspector;
    private stops = new AbortController();

    constructor(context: Context, world: string, level: string, levelJson?: string) {
        const { instep, painter, panel, query } = context;
        const url = location.origin.replace(/^http/, 'ws');
        const room = query.get('room');
        const token = query.get('token');
        this.connection = connect(instep, {
            url, world, level, name: ownName(), ...(levelJson ? { levelJson } : {}), ...(room ? { room } : {}), ...(token ? { token } : {}),
        });
        const setup = this.connection.stage.describe();
        this.show = new Show(painter, setup, {
            stage: () => this.connection.stage,
            advance: (now, pad) => this.connection.advance(now, pad),
        });
        const hud = new Hud(setup);
        this.inspector = new Inspector(this.connection, this.show, painter, setup);
        const state = h('p', { className: 'line', role: 'status' }, 'connecting …');
        const hint = h('p', { className: 'hint' }, `${this.show.devices!.hint()} · I: inspector`);
        const name = h('input', {
            value: ownName(), maxLength: 24, 'aria-label': 'Your name',
            onchange: () => {
                if (name.value.trim()) keepName(name.value.trim());
                say('Your name is used from the next room on.');
            },
        });
        panel.append(h('section', { className: 'play' },
            h('nav', { className: 'bar' },
                h('a', { href: '#/', 'aria-label': 'Back to all worlds' }, '←'), h('strong', {}, `${world} / ${level}`), name, state,
                h('button', { onclick: () => this.inspector.toggle(), 'aria-keyshortcuts': 'I' }, 'Inspector')),
            hud.element, hint, this.inspector.element));
        this.show.makeRoomFor(this.inspector.element);
        document.title = `${world} / ${level}${room ? `, room ${room}` : ''} · Instep`;
        const tell = (now: ConnectionState) => {
            state.textContent = now.kind === 'open' ? '' : now.kind === 'connecting' ? 'connecting …'
                : now.kind === 'lost' ? `${now.why || 'the line broke'}; trying again in ${now.again} s` : now.why;
            state.dataset['kind'] = now.kind;
        };
        this.connection.onstate = tell;
        this.show.onevents = (happenings) => hud.tell(happenings);
        this.show.onframe = (frame) => {
            hud.update(this.connection.stage, frame, this.show.seen > 0);
            this.inspector.update(frame);
        };
        setTimeout(() => hint.classList.add('faded'), 9000);
        addEventListener('keydown', (event) => {
            const inText = (event.target as HTMLElement).matches?.('input:not([type=range]), textarea');
            if (event.code === 'KeyI' && !inText && !event.ctrlKey && !event.metaKey) this.inspector.toggle();
        }, { signal: this.stops.signal });
        // For the console: the line can be broken there, and everything looked at.
        (globalThis as Record<string, unknown>)['connection'] = this.connection;
        (globalThis as Record<string, unknown>)['show'] = this.show;
    }
    close(): void {
        this.stops.abort();
        this.show.stop();
        this.inspector.close();
        this.connection.close();
    }
}
