// SPDX-License-Identifier: MIT
// The start page: a private room for friends, the rooms with people in them, and a card with a live match for each
// world.

import type { World } from 'instep';
import { choicesOf, type WorldChoice } from './catalog.js';
import type { Context } from './context.js';
import { h } from './dom.js';
import { icon } from './icons.js';
import { inviteLink, roomName, showInvite } from './invite.js';
import type { Screen } from './main.js';
import { Previews } from './previews.js';

const listSeconds = 4;
const listed = 8; // rooms

interface Room { name: string; world: string; level: string; players: number; bots: number; watchers: number; most_players: number }

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

export class Home implements Screen {
    private previews: Previews;
    private rooms = h('ul', { className: 'rooms' });
    private timer: ReturnType<typeof setInterval>;
    private stops = new AbortController();
    private worlds: WorldChoice[];

    /** `served`: the levels of the server, by world. */
    constructor(context: Context, worlds: World[], served: Map<string, string[]>) {
        this.worlds = choicesOf(context.instep, worlds, served);
        const playable = this.worlds.filter(({ levels }) => levels.length > 0);
        this.previews = new Previews(context.instep);
        const chosen = h('select', { 'aria-label': 'Game for the private room' },
            ...playable.map(({ title }, i) => h('option', { value: i }, title)));
        const invite = () => {
            const { name, levels } = playable[Number(chosen.value)]!;
            const room = roomName();
            const link = inviteLink(location.origin + location.pathname, name, levels[0]!.name, room);
            showInvite(link, () => (location.hash = link.slice(link.indexOf('#'))));
        };
        context.panel.append(h('section', { className: 'home' },
            h('header', {},
                h('h1', {}, context.title),
                h('p', { className: 'lead' }, 'Small physics games to play with friends, right here in the browser.'),
                h('div', { className: 'row' },
                    h('button', { className: 'primary large', onclick: invite }, icon('friend'), 'Play with a friend'),
                    h('label', { className: 'in' }, 'in ', chosen))),
            h('section', { className: 'join', 'aria-labelledby': 'join-title' }, h('h2', { id: 'join-title' }, 'Join'), this.rooms),
            h('h2', { className: 'title' }, 'Games'),
            h('div', { className: 'cards' }, ...this.worlds.map((world) => this.card(world))),
            h('footer', {},
                h('a', { href: '#/replay' }, icon('film'), 'Recorded matches'),
                h('span', {}, 'Server and browser compute the same world, bit for bit.'))));
        document.title = context.title;
        this.timer = setInterval(() => void this.list(), listSeconds * 1000);
        void this.list();
    }
    close(): void {
        clearInterval(this.timer);
        this.stops.abort();
        this.previews.close();
    }

    private card({ name, title, summary, levels }: WorldChoice): HTMLElement {
        const [first] = levels;
        if (!first)
            return h('article', { className: 'card' }, h('h3', {}, title), h('p', {}, summary),
                h('p', {}, 'This world has no level yet: add one to the folder of its levels.'));
        const canvas = h('canvas', { width: 480, height: 270, 'aria-hidden': 'true' });
        if (!first.isServed) this.previews.add(canvas, name, first.name);
        return h('article', { className: 'card' },
            h('a', { className: 'picture', href: `#/play/${name}/${first.name}`, tabIndex: -1, 'aria-hidden': 'true' }, canvas),
            h('h3', {}, title),
            h('p', {}, summary),
            h('nav', { 'aria-label': title },
                h('a', { className: 'primary', href: `#/play/${name}/${first.name}`, 'aria-label': `Play ${name}` }, icon('play'), 'Play'),
                h('a', { href: `#/sandbox/${name}/${first.name}`, 'aria-label': `Sandbox of ${name}` }, icon('sliders'), 'Sandbox')),
            h('ul', { className: 'levels', 'aria-label': `Levels of ${name}` }, ...levels.map((level) => h('li', {},
                h('a', { href: `#/play/${name}/${level.name}`, 'aria-label': `Play ${name} ${level.name}` }, level.name),
                level.isOriginal && level.name !== 'original' && h('small', { title: 'follows its document, quirks included' }, 'original')))));
    }
    private async list(): Promise<void> {
        const all = await fetch('./api/rooms')
            .then((answer) => (answer.ok ? (answer.json() as Promise<Room[]>) : []))
            .catch((): Room[] => []);
        const busy = all.filter(({ players }) => players > 0).sort((a, b) => b.players - a.players).slice(0, listed);
        if (this.stops.signal.aborted) return;
        if (busy.length === 0)
            return this.rooms.replaceChildren(h('li', { className: 'note' }, 'No one else is here yet. Choose a game below, or send a friend the link of a private room.'));
        this.rooms.replaceChildren(...busy.map((room) => {
            const title = this.worlds.find(({ name }) => name === room.world)?.title ?? room.world;
            const address = `${encodeURIComponent(room.world)}/${encodeURIComponent(room.level)}?room=${encodeURIComponent(room.name)}`;
            const isFull = room.players >= room.most_players;
            return h('li', {},
                h('span', {}, h('strong', {}, title), ` ${room.level}`,
                    h('small', {}, `${count(room.players, 'person', 'people')}, ${count(room.bots, 'bot', 'bots')}${room.watchers ? `, ${room.watchers} watching` : ''}`)),
                !isFull && h('a', { className: 'primary', href: `#/play/${address}`, 'aria-label': `Join ${room.name}` }, 'Join'),
                h('a', { href: `#/watch/${address}`, 'aria-label': `Watch ${room.name}` }, icon('eye'), 'Watch'));
        }));
    }
}
