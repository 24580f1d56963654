// SPDX-License-Identifier: MIT
// A room on this server, played or watched. Key I opens the inspector.

import { connect, type Connection } from 'instep';
import { Chat } from './chat.js';
import type { Context } from './context.js';
import { h, showMessage } from './dom.js';
import { takeTicket } from './edits.js';
import { Help } from './help.js';
import { Hud } from './hud.js';
import { icon } from './icons.js';
import { Inspector } from './inspector.js';
import { inviteLink, showInvite } from './invite.js';
import type { Screen } from './main.js';
import { muteButton } from './mute_button.js';
import { StageView } from './stage_view.js';
import { readStored, store } from './stored.js';
import { toolbar } from './toolbar.js';
import { WhatHappened } from './what_happened.js';

function ownName(): string {
    const stored = readStored('name');
    if (stored) return stored;
    const name = `Guest ${1 + Math.floor(Math.random() * 999)}`;
    store('name', name);
    return name;
}

const lostSeconds = 0.6; // a connection that is back sooner is not worth a word
const peopleSeconds = 5; // between two questions how many watch

export class Play implements Screen {
    private connection: Connection;
    private view: StageView;
    private inspector: Inspector;
    private stops = new AbortController();

    /** `watches`: as a spectator, without a player. */
    constructor(context: Context, world: string, level: string, levelJson?: string, watches = false) {
        const { instep, painter, sound, panel, query } = context;
        const url = location.origin.replace(/^http/, 'ws');
        const room = query.get('room');
        const token = query.get('token');
        const ticket = takeTicket();
        const party = query.get('party');
        this.connection = connect(instep, {
            url, world, level, watches, name: ownName(), ...(levelJson ? { levelJson } : {}), ...(room ? { room } : {}), ...(token ? { token } : {}), ...(ticket ? { ticket } : {}),
            ...(party ? { party: { id: party, size: Number(query.get('size')) } } : {}),
        });
        const setup = this.connection.stage.describe();
        this.view = new StageView(painter, setup, {
            stage: () => this.connection.stage,
            advance: (now, pad) => this.connection.advance(now, pad),
        }, { sound, plays: !watches, follows: !watches });
        const hud = new Hud(setup);
        this.inspector = new Inspector(this.connection, this.view, painter, setup);
        const { signal } = this.stops;
        const state = h('p', { className: 'link-state', role: 'status' }, 'connecting …');
        const watching = h('span', { className: 'words' });
        const chat = watches ? null : new Chat(this.connection, (slot) => hud.nameOf(slot), signal);
        const happened = new WhatHappened(() => this.connection.stage, this.view, signal);
        const help = this.view.devices && new Help(this.view.devices, [{ action: 'chat', key: 'Enter' }, { action: 'inspector', key: 'I' }], signal);
        const name = h('input', {
            value: ownName(), maxLength: 24, 'aria-label': 'Your name',
            onchange: () => {
                if (name.value.trim()) store('name', name.value.trim());
                showMessage('The name is used from the next room on.');
            },
        });
        const invite = room && h('button', {
            className: 'icon', 'aria-label': 'Invite a friend', title: 'Invite a friend',
            onclick: () => showInvite(inviteLink(location.origin + location.pathname, world, level, room), null),
        }, icon('friend'));
        const inspect = h('button', { className: 'icon', 'aria-label': 'Inspector', title: 'Inspector (I)', 'aria-keyshortcuts': 'I', onclick: () => this.inspector.toggle() }, icon('panel'));
        panel.append(h('section', { className: 'play' },
            toolbar(`${watches ? 'watching ' : ''}${world} / ${level}`, signal, !watches && name, state, watching, invite || null, chat && chat.button, muteButton(sound), help && help.button, inspect),
            hud.element, chat && chat.element, happened.element, help && help.hint, help && help.element, this.inspector.element));
        this.view.avoid(this.inspector.element);
        document.title = `${watches ? 'Watching ' : ''}${world} / ${level}${room ? `, room ${room}` : ''} · Instep`;
        let timer: ReturnType<typeof setTimeout>;
        let notice = '';
        const show = () => {
            const now = this.connection.status;
            state.textContent = now.kind === 'open' ? notice : now.kind === 'connecting' ? 'connecting …'
                : now.kind === 'lost' ? `${now.why || 'connection lost'}; trying again` : now.why;
            state.dataset['kind'] = now.kind === 'open' && notice ? 'waiting' : now.kind;
        };
        this.connection.onnotice = (why) => {
            notice = why;
            show();
        };
        this.connection.onstatus = (now) => {
            clearTimeout(timer);
            if (now.kind === 'lost') timer = setTimeout(show, lostSeconds * 1000);
            else show();
        };
        this.view.onevents = (notices) => hud.addEvents(notices);
        this.view.onframe = (frame) => {
            hud.update(this.connection.stage, frame, this.view.height > 0);
            this.inspector.update(frame);
            happened.update(this.connection.stage.statistics(frame.now).corrections, frame.now);
        };
        addEventListener('keydown', (event) => {
            const inText = (event.target as HTMLElement).matches?.('input:not([type=range]), textarea');
            if (event.code === 'KeyI' && !inText && !event.ctrlKey && !event.metaKey) this.inspector.toggle();
        }, { signal });
        const people = setInterval(() => void this.askRoom(room, watching, chat), peopleSeconds * 1000);
        void this.askRoom(room, watching, chat);
        signal.addEventListener('abort', () => {
            clearTimeout(timer);
            clearInterval(people);
        });
        // For the console and tests.
        (globalThis as Record<string, unknown>)['connection'] = this.connection;
        (globalThis as Record<string, unknown>)['view'] = this.view;
    }
    ticket(): string {
        return this.connection.resumeTicket;
    }
    close(): void {
        this.stops.abort();
        this.view.stop();
        this.inspector.close();
        this.connection.close();
    }

    /** How many watch, and whether there is chat. */
    private async askRoom(room: string | null, watching: HTMLElement, chat: Chat | null): Promise<void> {
        if (!room || document.hidden || this.connection.status.kind !== 'open') return;
        const found = await fetch(`./api/rooms/${encodeURIComponent(room)}`)
            .then((answer) => (answer.ok ? (answer.json() as Promise<{ watchers: number; chat: boolean }>) : null))
            .catch(() => null);
        if (!found) return;
        watching.textContent = found.watchers > 0 ? `${found.watchers} watching` : '';
        chat?.allow(found.chat);
    }
}
