// SPDX-License-Identifier: MIT
// A room on this server. Key I opens the inspector.

import { connect, type Connection, type ConnectionStatus } from 'instep';
import type { Context } from './context.js';
import { h, showMessage } from './dom.js';
import { Hud } from './hud.js';
import { Inspector } from './inspector.js';
import type { Screen } from './main.js';
import { StageView } from './stage_view.js';

const nameKey = 'instep-name';

// Without access to storage, every visit gets a new name.
function storedName(): string | null {
    try {
        return localStorage.getItem(nameKey);
    } catch {
        return null;
    }
}
function storeName(name: string): void {
    try {
        localStorage.setItem(nameKey, name);
    } catch {
        // the name is for this visit only
    }
}
function ownName(): string {
    const stored = storedName();
    if (stored) return stored;
    const name = `Guest ${1 + Math.floor(Math.random() * 999)}`;
    storeName(name);
    return name;
}

export class Play implements Screen {
    private connection: Connection;
    private view: StageView;
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
        this.view = new StageView(painter, setup, {
            stage: () => this.connection.stage,
            advance: (now, pad) => this.connection.advance(now, pad),
        });
        const hud = new Hud(setup);
        this.inspector = new Inspector(this.connection, this.view, painter, setup);
        const state = h('p', { className: 'link-state', role: 'status' }, 'connecting …');
        const hint = h('p', { className: 'hint' }, `${this.view.devices!.hint()} · I: inspector`);
        const name = h('input', {
            value: ownName(), maxLength: 24, 'aria-label': 'Your name',
            onchange: () => {
                if (name.value.trim()) storeName(name.value.trim());
                showMessage('The name is used from the next room on.');
            },
        });
        panel.append(h('section', { className: 'play' },
            h('nav', { className: 'bar' },
                h('a', { href: '#/', 'aria-label': 'Back to all worlds' }, '←'), h('strong', {}, `${world} / ${level}`), name, state,
                h('button', { onclick: () => this.inspector.toggle(), 'aria-keyshortcuts': 'I' }, 'Inspector')),
            hud.element, hint, this.inspector.element));
        this.view.avoid(this.inspector.element);
        document.title = `${world} / ${level}${room ? `, room ${room}` : ''} · Instep`;
        const showState = (now: ConnectionStatus) => {
            state.textContent = now.kind === 'open' ? '' : now.kind === 'connecting' ? 'connecting …'
                : now.kind === 'lost' ? `${now.why || 'connection lost'}; trying again in ${now.retryIn.toFixed(1)} s` : now.why;
            state.dataset['kind'] = now.kind;
        };
        this.connection.onstatus = showState;
        this.view.onevents = (notices) => hud.addEvents(notices);
        this.view.onframe = (frame) => {
            hud.update(this.connection.stage, frame, this.view.height > 0);
            this.inspector.update(frame);
        };
        setTimeout(() => hint.classList.add('faded'), 9000);
        addEventListener('keydown', (event) => {
            const inText = (event.target as HTMLElement).matches?.('input:not([type=range]), textarea');
            if (event.code === 'KeyI' && !inText && !event.ctrlKey && !event.metaKey) this.inspector.toggle();
        }, { signal: this.stops.signal });
        // For the console and tests.
        (globalThis as Record<string, unknown>)['connection'] = this.connection;
        (globalThis as Record<string, unknown>)['view'] = this.view;
    }
    close(): void {
        this.stops.abort();
        this.view.stop();
        this.inspector.close();
        this.connection.close();
    }
}
