// SPDX-License-Identifier: MIT
// A match of one's own: every constant of the world as a slider with the document's value marked, a hand that reaches
// in, time at will, and the level as JSON.

import type { Entity, Instep, Level, LocalStage, Rule } from 'instep';
import type { Context } from './context.js';
import { h, say, slider } from './dom.js';
import { Graph } from './graphs.js';
import { Hud } from './hud.js';
import { slideRange, withRules, type LevelJson, type RuleValue } from './level_rules.js';
import type { Screen } from './main.js';
import { Show } from './show.js';

const reach = 40; // px around the pointer within which a body is caught

export class Sandbox implements Screen {
    private stage: LocalStage;
    private show: Show;
    private instep: Instep;
    private level: LevelJson;
    private changes: Record<string, RuleValue> = {};
    private graph = new Graph('Energy and momentum', ['energy', '|momentum|'], '');
    private held: Entity | null = null;
    private pointer = { x: 0, y: 0 }; // px
    private bots: number;
    private stops = new AbortController();
    private nextSample = 0;

    constructor(context: Context, private world: string, private name: string) {
        const { instep, painter, panel, query } = context;
        this.instep = instep;
        this.level = JSON.parse(instep.levelText(world, name)) as LevelJson;
        try {
            this.changes = JSON.parse(query.get('rules') ?? '{}') as Record<string, RuleValue>;
        } catch {
            say('The rules in this address cannot be read; the level’s own are used.');
        }
        let level;
        try {
            level = instep.levelFromJson(this.json(this.changes));
        } catch (error) {
            say(`The rules in this address are not for this level: ${String(error)}`);
            this.changes = {};
            level = instep.level(world, name);
        }
        const setup = level.describe();
        this.bots = Math.min(6, setup.most_players - 1);
        this.stage = level.openLocal(1, this.bots);
        level.forget();
        this.show = new Show(painter, setup, {
            stage: () => this.stage,
            advance: (now, pad) => {
                if (this.held) this.drag();
                this.stage.setPad(this.held ? { ...pad, held: 0 } : pad); // a hand that drags does not play
                this.stage.advance(now);
            },
        });
        const hud = new Hud(setup);
        const totals = h('p', { className: 'figures' });
        panel.append(h('section', { className: 'play' },
            h('nav', { className: 'bar' }, h('a', { href: '#/', 'aria-label': 'Back to all worlds' }, '←'), h('strong', {}, `sandbox: ${world} / ${name}`),
                h('a', { href: `#/play/${world}/${name}` }, 'play it online')),
            hud.element, this.controls(setup.most_players, setup.rules, totals)));
        this.show.onevents = (happenings) => hud.tell(happenings);
        this.show.onframe = (frame) => {
            hud.update(this.stage, frame, this.show.seen > 0);
            if (frame.now < this.nextSample) return;
            this.nextSample = frame.now + 0.1;
            const sum = this.stage.totals();
            const momentum = Math.hypot(sum.momentumX, sum.momentumY);
            this.graph.add(frame.now, [sum.energy, momentum]);
            this.graph.draw();
            totals.textContent = `tick ${sum.tick} · ${sum.entities} bodies · energy ${sum.energy.toPrecision(4)} · momentum ${momentum.toPrecision(4)} · hash ${this.stage.hash()}`;
        };
        this.hands(painter.surface);
    }
    close(): void {
        this.stops.abort();
        this.show.stop();
        this.graph.close();
        document.body.classList.remove('inspecting');
        this.stage.close();
    }

    private json(changes: Record<string, RuleValue>): string {
        return JSON.stringify(withRules(this.level, changes), null, 2);
    }
    /** False: the level refuses it, and nothing has changed. */
    private set(path: string, value: RuleValue): boolean {
        const changes = { ...this.changes, [path]: value };
        try {
            const level = this.instep.levelFromJson(this.json(changes));
            try {
                this.goOnBy(level);
            } finally {
                level.forget();
            }
        } catch (error) {
            say(error instanceof Error ? error.message : String(error));
            return false;
        }
        this.changes = changes;
        history.replaceState(null, '', `#/sandbox/${this.world}/${this.name}?rules=${encodeURIComponent(JSON.stringify(changes))}`);
        return true;
    }
    // With the state as it is if that is of the same form, or from the start.
    private goOnBy(level: Level): void {
        try {
            this.stage.retune(level);
            say('');
        } catch {
            const fresh = level.openLocal(1, this.bots);
            this.stage.close();
            this.stage = fresh;
            say('That rule changes what a state is made of: the match began anew.');
        }
    }

    private controls(mostPlayers: number, rules: Rule[], totals: HTMLElement): HTMLElement {
        const faithful = this.documentValues();
        const speed = (value: number) => () => this.stage.setSpeed(value);
        document.body.classList.add('inspecting');
        return h('aside', { className: 'inspector', 'aria-label': 'Sandbox' },
            h('h2', {}, 'Sandbox'),
            h('div', { className: 'row' },
                h('button', { onclick: speed(0) }, 'pause'), h('button', { onclick: () => { this.stage.setSpeed(0); this.stage.step(1); } }, 'step'),
                h('button', { onclick: speed(0.2) }, '⅕'), h('button', { onclick: speed(1) }, 'play'), h('button', { onclick: speed(4) }, '4×'),
                h('button', { onclick: () => this.stage.rewind(3) }, '3 s back'), h('button', { onclick: () => this.stage.rewind(10) }, '10 s back')),
            slider('bots', { low: 0, high: mostPlayers - 1, step: 1, value: this.bots }, (count) => this.stage.setBots((this.bots = count))),
            h('p', { className: 'legend' }, 'Drag a body to move it; hold Alt to copy it, Ctrl to take it out.'),
            totals, this.graph.element,
            h('h3', {}, 'Rules'),
            h('p', { className: 'legend' }, 'The mark on a slider is the document’s value.'),
            ...rules.filter((rule) => rule.value !== null).map((rule) => this.ruleControl(rule, faithful.get(rule.path))),
            h('h3', {}, 'This level'),
            h('div', { className: 'row' },
                h('button', { onclick: () => this.save() }, 'save as JSON'),
                h('button', { onclick: () => void navigator.clipboard?.writeText(location.href).then(() => say('The address of this sandbox is on the clipboard.')) }, 'share')));
    }
    private ruleControl(rule: Rule, document: number | boolean | undefined): HTMLElement {
        const label = rule.path.replaceAll('_', ' ');
        if (typeof rule.value === 'boolean') {
            const box = h('input', { type: 'checkbox', checked: rule.value, onchange: () => this.set(rule.path, box.checked) });
            return h('label', { className: 'check', title: rule.note }, box, ` ${label}`);
        }
        if (rule.labels) {
            const select = h('select', { 'aria-label': label, onchange: () => this.set(rule.path, select.value) },
                ...rule.labels.map((name, i) => h('option', { value: name, selected: i === Number(rule.value) }, name.replaceAll('_', ' '))));
            return h('label', { className: 'slider', title: rule.note }, h('span', {}, label), select);
        }
        const marked = typeof document === 'number' ? document : Number(rule.value);
        const range = slideRange(rule, marked);
        return slider(label, { ...range, value: Number(rule.value), unit: rule.unit, mark: marked, note: rule.note },
            (value) => this.set(rule.path, rule.whole ? Math.round(value) : value));
    }
    private documentValues(): Map<string, number | boolean> {
        try {
            const level = this.instep.levelFromJson(JSON.stringify({ ...this.level, rules: 'faithful' }));
            const values = level.describe().rules.map((rule) => [rule.path, rule.value] as const);
            level.forget();
            return new Map(values.filter((entry): entry is [string, number | boolean] => entry[1] !== null));
        } catch {
            return new Map(); // a level that only the game's rules fit
        }
    }
    private save(): void {
        const name = `my-${this.name}`; // two levels of one name would be taken for each other
        const level = { ...withRules(this.level, this.changes), name };
        const address = URL.createObjectURL(new Blob([JSON.stringify(level, null, 2)], { type: 'application/json' }));
        h('a', { href: address, download: `${name}.json` }).click();
        setTimeout(() => URL.revokeObjectURL(address), 1000);
    }

    private hands(surface: HTMLElement): void {
        const options = { signal: this.stops.signal };
        const follow = (event: PointerEvent) => (this.pointer = { x: event.clientX, y: event.clientY });
        addEventListener('pointermove', follow, options);
        surface.addEventListener('pointerdown', (event) => {
            follow(event);
            const place = this.show.toWorld(event.clientX, event.clientY);
            const found = this.stage.findEntity(place.x, place.y, reach / this.show.camera.scale);
            if (!found) return;
            this.attempt(() => {
                if (event.altKey) this.stage.copy(found, place.x, place.y);
                else if (event.ctrlKey) this.stage.remove(found);
                else this.held = found;
            });
        }, options);
        addEventListener('pointerup', () => (this.held = null), options);
        addEventListener('pointercancel', () => (this.held = null), options);
    }
    private drag(): void {
        const place = this.show.toWorld(this.pointer.x, this.pointer.y);
        this.attempt(() => this.stage.move(this.held!, place.x, place.y));
    }
    private attempt(change: () => void): void {
        try {
            change();
        } catch (error) {
            this.held = null;
            say(error instanceof Error ? error.message : String(error));
        }
    }
}
