// SPDX-License-Identifier: MIT
// The state of a match on the screen: clock, result, and the gauges of the own player. It knows no world. It knows
// names of fields: a player's `health` is a gauge if the level has a rule `most_health`, and so on.

import type { Setup, Stage } from 'instep';
import { h } from './dom.js';
import type { Frame } from './painter.js';

const updateSeconds = 0.1;
const warningPart = 0.25; // of a gauge
const lastSeconds = 10; // in which the clock stands out
const rows = 5; // of the result
const noPlayer = 255; // no player's slot

type Fields = { readonly [field: string]: unknown };
// Gauges that are a danger when they are full, and when they are empty; others never warn.
const badWhenFull = ['heat'];
const badWhenEmpty = ['health', 'energy', 'fuel'];
const hiddenWhenEmpty = ['ammunition'];

export interface Reading { name: string; part: number; text: string; isWarning: boolean }

/** The gauges of a player: each field F for which the level has a rule most_F. */
export function gaugesOf(player: Fields, most: Map<string, number>): Reading[] {
    const readings: Reading[] = [];
    for (const [name, limit] of most) {
        const value = player[name];
        if (typeof value !== 'number' || (value === 0 && hiddenWhenEmpty.includes(name))) continue;
        const part = Math.min(Math.max(value / limit, 0), 1);
        const isOver = player[`over${name}ed`] === true; // `overheated`
        readings.push({
            name: isOver ? `over${name}ed` : name.replaceAll('_', ' '), part, text: String(Math.round(value)),
            isWarning: isOver || (badWhenFull.includes(name) && part > 1 - warningPart) || (badWhenEmpty.includes(name) && part < warningPart),
        });
    }
    return readings;
}
export function limitsOf(setup: Setup): Map<string, number> {
    return new Map(setup.rules.filter(({ path, value }) => path.startsWith('most_') && typeof value === 'number' && value > 0)
        .map(({ path, value }) => [path.slice('most_'.length), Number(value)]));
}
export function clockText(seconds: number): string {
    const whole = Math.ceil(seconds);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
/** "Ada wins", or that nobody did. `players` are sorted by score. `isShared`: all win or lose together. */
export function resultText(head: Fields, players: { slot: number; name: string; score: number }[], isShared = false): string {
    if (players.length === 0) return 'The match is over';
    if (isShared) return head['won'] === true ? 'All won together' : 'All lost together';
    if (typeof head['winner'] === 'number') {
        const winner = players.find(({ slot }) => slot === head['winner']);
        if (winner) return `${winner.name} wins`;
        if (head['winner'] !== noPlayer) return 'The match is over';
    }
    const [best, second] = players;
    return second && second.score === best!.score ? 'A draw' : `${best!.name} wins`;
}

const teamNames = ['Blue', 'Orange', 'Green', 'Pink']; // the first colours of players

/** How many teams the slots alternate between; 0: each player for itself. */
export function teamsOf(setup: Setup): number {
    const rule = setup.rules.find(({ path }) => path === 'teams');
    return typeof rule?.value === 'number' && rule.value > 1 ? rule.value : 0;
}
export function teamResult(players: { slot: number; score: number }[], teams: number): string {
    const scores = new Array<number>(teams).fill(0);
    for (const { slot, score } of players) scores[slot % teams]! += score;
    const best = Math.max(...scores);
    const winners = scores.flatMap((score, team) => (score === best ? [team] : []));
    return winners.length > 1 ? `A draw at ${best}` : `${teamNames[winners[0]!]} wins, ${scores.join(' : ')}`;
}

export class MatchHud {
    private clock = h('output', { className: 'clock', 'aria-label': 'Time left', hidden: true });
    private gauges = h('div', { className: 'gauges', role: 'group', 'aria-label': 'Own state' });
    private over = h('section', { className: 'over', 'aria-label': 'Result', hidden: true });
    readonly elements = [this.over, this.clock, this.gauges];
    private limits: Map<string, number>;
    private isShared: boolean;
    private teams: number;
    private shown = ''; // names of the gauges that are there
    private bars: { bar: HTMLElement; label: HTMLElement; value: HTMLElement; root: HTMLElement }[] = [];
    private countdown = h('b', { className: 'countdown' });
    private next = 0;

    constructor(private setup: Setup) {
        this.limits = limitsOf(setup);
        this.teams = teamsOf(setup);
        this.isShared = setup.rules.some(({ path, value }) => path === 'match_ends' && value === true); // orbit's original
    }
    update(stage: Stage, frame: Frame): void {
        if (frame.now < this.next) return;
        this.next = frame.now + updateSeconds;
        const players = stage.entities('players') as unknown as readonly Fields[];
        if (players.length === 0) return; // no state yet
        const own = players.find((player) => player['slot'] === stage.ownSlot());
        this.showClock(stage.state.head as Fields, stage);
        this.showGauges(own);
    }

    private showClock(head: Fields, stage: Stage): void {
        const left = typeof head['ticks_left'] === 'number' ? head['ticks_left'] / this.setup.tick_rate : 0;
        const isOver = head['over'] === true || head['showing_scores'] === true;
        this.clock.hidden = left <= 0 || isOver;
        this.clock.textContent = clockText(left);
        this.clock.toggleAttribute('data-last', left < lastSeconds);
        if (!isOver) {
            this.over.hidden = true;
            return;
        }
        const board = stage.players();
        this.over.hidden = false;
        this.over.replaceChildren(
            h('h2', {}, this.teams > 0 ? teamResult(board, this.teams) : resultText(head, board, this.isShared)),
            h('ol', {}, ...board.slice(0, rows).map(({ name, score }) => h('li', {}, h('span', {}, name), h('b', {}, score)))),
            h('p', { className: 'note' }, left > 0 ? `The next match begins in ${Math.ceil(left)} s` : 'There is no next match: leave the room to play again'));
    }
    private showGauges(own: Fields | undefined): void {
        const readings = own ? gaugesOf(own, this.limits) : [];
        const names = readings.map(({ name }) => name).join();
        if (names.length !== this.shown.length || this.bars.length !== readings.length) this.build(readings);
        this.shown = names;
        readings.forEach(({ name, part, text, isWarning }, i) => {
            const { root, bar, label, value } = this.bars[i]!;
            bar.style.transform = `scaleX(${part.toFixed(3)})`;
            label.textContent = name;
            value.textContent = text;
            root.toggleAttribute('data-warning', isWarning);
        });
        const pause = Number(own?.['respawn_pause'] ?? 0) / this.setup.tick_rate;
        this.countdown.textContent = pause > 0 ? `back in ${pause.toFixed(1)} s` : '';
    }
    private build(readings: Reading[]): void {
        this.bars = readings.map(() => {
            const [bar, label, value] = [h('i'), h('span'), h('b')];
            return { bar, label, value, root: h('div', { className: 'gauge' }, h('span', {}, label, value), h('div', {}, bar)) };
        });
        this.gauges.replaceChildren(...this.bars.map(({ root }) => root), this.countdown);
    }
}
