// SPDX-License-Identifier: MIT
// A match of one's own: every constant of the world as a slider with the document's value marked, a hand that drags,
// drops and takes out bodies, time at will, and the level as JSON.

import type { Drop, Entity, Instep, Level, LocalStage, Rule } from 'instep';
import type { Context } from './context.js';
import { h, say, slider } from './dom.js';
import { Graph } from './graphs.js';
import { Hud } from './hud.js';
import { slideRange, withRules, type LevelJson, type RuleValue } from './level_rules.js';
import type { Screen } from './main.js';
import { Show } from './show.js';

const reach = 40; // px around the pointer within which a body is caught
const firstBots = 6;

/** What the hand does where it is put down. */
type Tool = 'drag' | 'drop' | 'remove';
/** A body that the level lists: which, and where. */
type Listed = [body: string, x: number, y: number];

export class Sandbox implements Screen {
    private stage: LocalStage;
    private show: Show;
    private instep: Instep;
    private level: LevelJson;
    private changes: Record<string, RuleValue> = {};
    private graph = new Graph('Energy and momentum', ['energy', '|momentum|'], '');
    private held: Entity | null = null;
    private tool: Tool = 'drag';
    private drops: Drop[];
    private dropped: Drop; // what the next drop is
    private bodies: Listed[] = []; // that were dropped into the level
    private showBots: (count: number) => void = () => {};
    private pointer = { x: 0, y: 0 }; // px
    private stops = new AbortController();
    private nextSample = 0;

    constructor(context: Context, private world: string, private name: string) {
        const { instep, painter, panel, query } = context;
        this.instep = instep;
        this.level = JSON.parse(instep.levelText(world, name)) as LevelJson;
        let level;
        try {
            this.changes = JSON.parse(query.get('rules') ?? '{}') as Record<string, RuleValue>;
            for (const listed of JSON.parse(query.get('bodies') ?? '[]') as Listed[]) this.list(listed);
            level = instep.levelFromJson(this.json(this.changes));
        } catch (error) {
            say(`What this address asks for is not for this level: ${String(error)}`);
            this.changes = {};
            this.bodies = [];
            this.level = JSON.parse(instep.levelText(world, name)) as LevelJson;
            level = instep.level(world, name);
        }
        const setup = level.describe();
        this.stage = level.openLocal(1, Math.min(firstBots, setup.most_players - 1));
        level.forget();
        this.drops = this.stage.drops(JSON.stringify(this.level));
        this.dropped = this.drops[0]!;
        this.show = new Show(painter, setup, {
            stage: () => this.stage,
            advance: (now, pad) => {
                if (this.held) this.drag();
                this.stage.setPad(this.held ? { ...pad, x: 0, y: 0, held: 0 } : pad); // a hand that drags does not play
                this.stage.advance(now);
            },
        });
        const hud = new Hud(setup);
        const totals = h('p', { className: 'figures' });
        const controls = this.controls(setup.most_players, setup.rules, totals);
        const toggle = () => {
            controls.hidden = !controls.hidden;
            document.body.classList.toggle('inspecting', !controls.hidden);
        };
        panel.append(h('section', { className: 'play' },
            h('nav', { className: 'bar' }, h('a', { href: '#/', 'aria-label': 'Back to all worlds' }, '←'), h('strong', {}, `sandbox: ${world} / ${name}`),
                h('a', { href: `#/play/${world}/${name}` }, 'play it online'), h('button', { onclick: toggle }, 'Panel')),
            hud.element, controls));
        this.show.makeRoomFor(controls);
        document.title = `Sandbox of ${world} / ${name} · Instep`;
        this.show.onevents = (happenings) => hud.tell(happenings);
        this.show.onframe = (frame) => {
            hud.update(this.stage, frame, this.show.seen > 0);
            if (frame.now < this.nextSample) return;
            this.nextSample = frame.now + 0.1;
            const sum = this.stage.totals();
            const momentum = Math.hypot(sum.momentumX, sum.momentumY);
            this.graph.add(frame.now, [sum.energy, momentum]);
            this.graph.draw();
            this.showBots(this.stage.bots());
            totals.textContent = `tick ${sum.tick} · ${sum.entities} bodies · energy ${sum.energy.toPrecision(4)} · momentum ${momentum.toPrecision(4)} · hash ${this.stage.hash()}`;
        };
        this.hands(painter.surface);
        // For the console: the match can be looked at and reached into there, too.
        (globalThis as Record<string, unknown>)['sandbox'] = { stage: () => this.stage, camera: this.show.camera };
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
        this.keepAddress();
        return true;
    }
    private keepAddress(): void {
        const query = new URLSearchParams();
        if (Object.keys(this.changes).length > 0) query.set('rules', JSON.stringify(this.changes));
        if (this.bodies.length > 0) query.set('bodies', JSON.stringify(this.bodies));
        history.replaceState(null, '', `#/sandbox/${this.world}/${this.name}?${query}`);
    }
    private list(listed: Listed): void {
        this.level = JSON.parse(this.instep.levelWithBody(JSON.stringify(this.level), ...listed)) as LevelJson;
        this.bodies.push(listed);
    }
    // With the state as it is if that is of the same form, or from the start.
    private goOnBy(level: Level): void {
        try {
            this.stage.retune(level);
            say('');
        } catch {
            this.beginAnew(level);
            say('That rule changes what a state is made of: the match began anew.');
        }
    }
    private beginAnew(level: Level): void {
        const fresh = level.openLocal(1, this.stage.bots());
        this.stage.close();
        this.stage = fresh;
    }
    /** A level has as many bodies as it lists, so taking one out of it is another level. */
    private takeBack(): void {
        const kept = this.bodies.slice(0, -1);
        if (kept.length === this.bodies.length) return say('Nothing has been dropped into this level.');
        this.bodies = [];
        this.level = JSON.parse(this.instep.levelText(this.world, this.name)) as LevelJson;
        for (const listed of kept) this.list(listed);
        const level = this.instep.levelFromJson(this.json(this.changes));
        this.beginAnew(level);
        level.forget();
        this.keepAddress();
        say('The level has one body less: the match began anew.');
    }

    private controls(mostPlayers: number, rules: Rule[], totals: HTMLElement): HTMLElement {
        const faithful = this.documentValues();
        const speed = (value: number) => () => this.stage.setSpeed(value);
        document.body.classList.add('inspecting');
        const bots = slider('bots', { low: 0, high: mostPlayers - 1, step: 1, value: this.stage.bots() }, (count) => this.stage.setBots(count));
        const [range, count] = [bots.querySelector('input')!, bots.querySelector('output')!];
        this.showBots = (now) => {
            range.valueAsNumber = now;
            count.textContent = String(now);
        };
        return h('aside', { className: 'inspector', 'aria-label': 'Sandbox' },
            h('h2', {}, 'Sandbox'),
            h('div', { className: 'row' },
                h('button', { onclick: speed(0) }, 'pause'), h('button', { onclick: () => { this.stage.setSpeed(0); this.stage.step(1); } }, 'step'),
                h('button', { onclick: speed(0.2) }, '⅕'), h('button', { onclick: speed(1) }, 'play'), h('button', { onclick: speed(4) }, '4×'),
                h('button', { onclick: () => this.stage.rewind(3) }, '3 s back'), h('button', { onclick: () => this.stage.rewind(10) }, '10 s back')),
            bots,
            this.handControls(),
            totals, this.graph.element,
            h('h3', {}, 'Rules'),
            h('p', { className: 'legend' }, 'The mark on a slider is the document’s value.'),
            ...rules.filter((rule) => rule.value !== null).map((rule) => this.ruleControl(rule, faithful.get(rule.path))),
            h('h3', {}, 'This level'),
            h('div', { className: 'row' },
                h('button', { onclick: () => this.save() }, 'save as JSON'),
                h('button', { onclick: () => void navigator.clipboard?.writeText(location.href).then(() => say('The address of this sandbox is on the clipboard.')) }, 'share')));
    }
    private handControls(): HTMLElement {
        const legends: Record<Tool, string> = {
            drag: 'Drag a body to move it. With a keyboard: Alt copies, Ctrl takes out.',
            drop: 'Press anywhere to drop one there.',
            remove: 'Press a body to take it out. What was dropped into the level is taken back, the last first.',
        };
        const legend = h('p', { className: 'legend' });
        const choice = (name: string, chosen: () => void) => h('button', { onclick: () => { chosen(); mark(); } }, name);
        const tools = (Object.keys(legends) as Tool[]).map((tool) => ({ tool, button: choice(tool, () => (this.tool = tool)) }));
        const kinds = this.drops.map((drop) => ({
            drop, button: choice(drop.name, () => [this.tool, this.dropped] = ['drop', drop]),
        }));
        const mark = () => {
            for (const { tool, button } of tools) button.setAttribute('aria-pressed', String(tool === this.tool));
            for (const { drop, button } of kinds) button.setAttribute('aria-pressed', String(this.tool === 'drop' && drop === this.dropped));
            legend.textContent = legends[this.tool];
        };
        mark();
        return h('fieldset', { className: 'hand' }, h('legend', {}, 'Hand'),
            h('div', { className: 'row', role: 'group', 'aria-label': 'What the hand does' }, ...tools.map(({ button }) => button),
                h('button', { onclick: () => this.takeBack() }, 'take back')),
            h('div', { className: 'row', role: 'group', 'aria-label': 'What it drops' }, h('span', {}, 'drop:'), ...kinds.map(({ button }) => button)),
            legend);
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

    // What the hand takes is not for the game: its own devices hear of a press only if nothing was there to take.
    private hands(surface: HTMLElement): void {
        const options = { signal: this.stops.signal };
        let hand = -1; // the pointer that drags
        const follow = (event: PointerEvent) => {
            if (hand === -1 || event.pointerId === hand) this.pointer = { x: event.clientX, y: event.clientY };
        };
        const letGo = (event: PointerEvent) => {
            if (event.pointerId !== hand) return;
            hand = -1;
            this.held = null;
        };
        addEventListener('pointermove', follow, options);
        addEventListener('pointerup', letGo, options);
        addEventListener('pointercancel', letGo, options);
        surface.addEventListener('pointerdown', (event) => {
            if (hand !== -1 || event.button !== 0) return;
            follow(event);
            if (!this.press(event)) return;
            if (this.held) hand = event.pointerId;
            event.stopImmediatePropagation();
        }, { ...options, capture: true });
    }
    /** Whether there was anything to do. */
    private press(event: PointerEvent): boolean {
        const place = this.show.toWorld(event.clientX, event.clientY);
        if (this.tool === 'drop') {
            this.attempt(() => this.drop(place.x, place.y));
            return true;
        }
        const found = this.stage.findEntity(place.x, place.y, reach / this.show.camera.scale);
        if (!found) return this.tool === 'remove';
        this.attempt(() => {
            if (this.tool === 'remove' || event.ctrlKey) this.stage.remove(found);
            else if (event.altKey) this.stage.copy(found, place.x, place.y);
            else this.held = found;
        });
        return true;
    }
    private drop(x: number, y: number): void {
        const { name, way, pool } = this.dropped;
        if (way === 'bot') return this.stage.dropBot(x, y);
        if (way === 'copy') return this.stage.dropCopy(pool!, x, y);
        const [before, bodies] = [this.level, [...this.bodies]];
        try {
            this.list([name, Number(x.toFixed(2)), Number(y.toFixed(2))]);
            const level = this.instep.levelFromJson(this.json(this.changes));
            try {
                const grown = this.stage.grown(level, ...(this.bodies.at(-1)!.slice(1) as [number, number]));
                this.stage.close();
                this.stage = grown;
            } finally {
                level.forget();
            }
        } catch (error) {
            [this.level, this.bodies] = [before, bodies];
            throw error;
        }
        this.keepAddress();
    }
    private drag(): void {
        const place = this.show.toWorld(this.pointer.x, this.pointer.y);
        this.attempt(() => this.stage.move(this.held!, place.x, place.y));
    }
    private attempt(change: () => void): void {
        try {
            change();
            say('');
        } catch (error) {
            this.held = null;
            say(error instanceof Error ? error.message : String(error));
        }
    }
}
