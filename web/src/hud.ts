// SPDX-License-Identifier: MIT
// The overlay of a match: score board, recent events, minimap, and the state of the match.

import type { EventNotice, Player, Setup, Stage } from 'instep';
import { h } from './dom.js';
import { playerColor } from './look.js';
import type { Frame } from './painter.js';
import { formatEvent } from './event_text.js';
import { MatchHud } from './match_hud.js';
import { textsByKind } from './sound.js';

const boardSeconds = 0.3;
const rows = 8;
const lines = 5;
const mapSize = 150; // px

const hex = (color: number) => `#${color.toString(16).padStart(6, '0')}`;

export class Hud {
    readonly element: HTMLElement;
    private board = h('ol', { className: 'board', 'aria-label': 'Scores' });
    private feed = h('ul', { className: 'feed', 'aria-label': 'Events' });
    private map = h('canvas', { className: 'minimap', width: mapSize * 2, height: mapSize * 2, 'aria-hidden': 'true' });
    private next = 0;
    private names = new Map<number, string>();

    private texts: ReturnType<typeof textsByKind>;
    private match: MatchHud;
    private ownSlot: number | null = null;
    private pending: { text: string; event: EventNotice['event'] }[] = []; // names of their players are not known yet

    constructor(private setup: Setup) {
        this.texts = textsByKind(setup);
        this.match = new MatchHud(setup);
        this.element = h('div', { className: 'hud' }, this.board, this.feed, this.map, ...this.match.elements);
    }

    update(stage: Stage, frame: Frame, isLarge: boolean): void {
        this.match.update(stage, frame);
        if (frame.now < this.next) return;
        this.next = frame.now + boardSeconds;
        const players = stage.players();
        this.ownSlot = stage.ownSlot();
        this.names = new Map(players.map((player) => [player.slot, player.name]));
        for (const { text, event } of this.pending.splice(0)) this.addEvent(text, event);
        const best = players.slice(0, rows);
        const own = players.find((player) => player.slot === frame.own?.slot);
        if (own && !best.includes(own)) best[rows - 1] = own;
        this.board.replaceChildren(...best.map((player) => {
            const row = h('li', { className: player.slot === frame.own?.slot ? 'own' : '' },
                h('i', {}), h('span', {}, player.name), h('b', {}, player.score));
            (row.firstChild as HTMLElement).style.background = hex(playerColor(player.slot));
            return row;
        }));
        this.map.hidden = !isLarge;
        if (isLarge) this.drawMap(players, frame);
    }
    nameOf(slot: number): string | undefined {
        return this.names.get(slot);
    }
    addEvents(notices: EventNotice[]): void {
        for (const { status, event } of notices) {
            const text = this.texts.get(event['kind'])?.text;
            if (!text || status === 'confirmed' || status === 'cancelled') continue;
            if (!this.addEvent(text, event) && this.pending.length < lines) this.pending.push({ text, event });
        }
    }

    private addEvent(template: string, event: EventNotice['event']): boolean {
        // A player that is both `slot` and `by` is named once.
        const text = formatEvent(template, (field) => (field === 'by' && event['by'] === event['slot'] ? undefined : this.names.get(Number(event[field]))));
        if (text === null) return false;
        const isOwn = this.ownSlot !== null && (event['slot'] === this.ownSlot || event['by'] === this.ownSlot);
        this.feed.append(h('li', { 'data-own': isOwn && '' }, text));
        while (this.feed.children.length > lines) this.feed.firstChild!.remove();
        return true;
    }
    private drawMap(players: Player[], { camera, middle, width, height }: Frame): void {
        const [lowX, lowY, highX, highY] = this.setup.view;
        const context = this.map.getContext('2d')!;
        const side = mapSize * 2;
        const scale = side / Math.max(highX - lowX, highY - lowY);
        const at = (x: number, y: number): [number, number] => [
            (x - lowX) * scale, (this.setup.y_up ? highY - y : y - lowY) * scale];
        context.clearRect(0, 0, side, side);
        context.strokeStyle = 'rgba(148,163,184,.7)';
        context.lineWidth = 2;
        context.strokeRect(1, 1, (highX - lowX) * scale - 2, (highY - lowY) * scale - 2);
        const [x, y] = at(middle.x - width / camera.scale / 2, middle.y - (height / camera.scale / 2) * camera.flip);
        context.strokeRect(x, y, (width / camera.scale) * scale, (height / camera.scale) * scale);
        for (const player of players) {
            if (player.x === undefined || player.y === undefined) continue;
            context.fillStyle = hex(playerColor(player.slot));
            context.beginPath();
            context.arc(...at(player.x, player.y), 5, 0, 7);
            context.fill();
        }
    }
}
