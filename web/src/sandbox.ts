// SPDX-License-Identifier: MIT
// A match in the page: a slider for every rule with the document's value marked, tools that drag, drop and remove
// bodies, control over time, and the level as JSON.

import type { Drop, EntityCopy, Instep, Level, LocalStage, Rule } from 'instep';
import type { Context } from './context.js';
import { h, showMessage, slider } from './dom.js';
import { Graph } from './graphs.js';
import { Help } from './help.js';
import { Hud } from './hud.js';
import { icon } from './icons.js';
import { slideRange, withRules, type LevelJson, type RuleValue } from './level_rules.js';
import type { Screen } from './main.js';
import { muteButton } from './mute_button.js';
import { StageView } from './stage_view.js';
import { toolbar } from './toolbar.js';

const reach = 40; // px; bodies this near to the pointer are found
const firstBots = 6;

type Tool = 'drag' | 'drop' | 'remove';
/** A body added to the level. */
type AddedBody = [body: string, x: number, y: number];

export class Sandbox implements Screen {
    private stage: LocalStage;
    private view: StageView;
    private instep: Instep;
    private level: LevelJson;
    private changes: Record<string, RuleValue> = {};
    private graph = new Graph('Energy and momentum', ['energy', '|momentum|'], '');
    private held: EntityCopy | null = null;
    private tool: Tool = 'drag';
    private drops: Drop[];
    private selectedDrop: Drop;
    private bodies: AddedBody[] = [];
    private showBotCount: (count: number) => void = () => {};
    private pointer = { x: 0, y: 0 }; // px
    private stops = new AbortController();
    private nextSample = 0;

    constructor(context: Context, private world: string, private name: string) {
        const { instep, painter, sound, panel, query } = context;
        this.instep = instep;
        this.level = JSON.parse(instep.levelText(world, name)) as LevelJson;
        let level;
        try {
            this.changes = JSON.parse(query.get('rules') ?? '{}') as Record<string, RuleValue>;
            for (const body of JSON.parse(query.get('bodies') ?? '[]') as AddedBody[]) this.addToLevel(body);
            level = instep.levelFromJson(this.json(this.changes));
        } catch (error) {
            showMessage(`The rules or bodies in the address do not fit this level: ${String(error)}`);
            this.changes = {};
            this.bodies = [];
            this.level = JSON.parse(instep.levelText(world, name)) as LevelJson;
            level = instep.level(world, name);
        }
        const setup = level.describe();
        this.stage = level.openLocal(1, Math.min(firstBots, setup.most_players - 1));
        level.unload();
        this.drops = this.stage.drops(JSON.stringify(this.level));
        this.selectedDrop = this.drops[0]!;
        this.view = new StageView(painter, setup, {
            stage: () => this.stage,
            advance: (now, pad) => {
                if (this.held) this.drag();
                this.stage.setPad(this.held ? { ...pad, x: 0, y: 0, held: 0 } : pad); // no input to the game while dragging
                this.stage.advance(now);
            },
        }, { sound });
        const hud = new Hud(setup);
        const help = new Help(this.view.devices!, [], this.stops.signal);
        const totals = h('p', { className: 'stats' });
        const controls = this.controls(setup.most_players, setup.rules, totals);
        const toggle = () => {
            controls.hidden = !controls.hidden;
            document.body.classList.toggle('inspecting', !controls.hidden);
        };
        panel.append(h('section', { className: 'play' },
            toolbar(`sandbox: ${world} / ${name}`, this.stops.signal, h('a', { href: `#/play/${world}/${name}` }, 'play online'), muteButton(sound), help.button,
                h('button', { className: 'icon', 'aria-label': 'Panel', title: 'Panel', onclick: toggle }, icon('panel'))),
            hud.element, help.hint, help.element, controls));
        this.view.avoid(controls);
        document.title = `Sandbox of ${world} / ${name} · Instep`;
        this.view.onevents = (notices) => hud.addEvents(notices);
        this.view.onframe = (frame) => {
            hud.update(this.stage, frame, this.view.height > 0);
            if (frame.now < this.nextSample) return;
            this.nextSample = frame.now + 0.1;
            const sum = this.stage.totals();
            const momentum = Math.hypot(sum.momentumX, sum.momentumY);
            this.graph.add(frame.now, [sum.energy, momentum]);
            this.graph.draw();
            this.showBotCount(this.stage.bots());
            totals.textContent = `tick ${sum.tick} · ${sum.entities} bodies · energy ${sum.energy.toPrecision(4)} · momentum ${momentum.toPrecision(4)} · hash ${this.stage.hash()}`;
        };
        this.listenToPointer(painter.surface);
        // For the console and tests.
        (globalThis as Record<string, unknown>)['sandbox'] = { stage: () => this.stage, camera: this.view.camera };
    }
    close(): void {
        this.stops.abort();
        this.view.stop();
        this.graph.close();
        document.body.classList.remove('inspecting');
        this.stage.close();
    }

    private json(changes: Record<string, RuleValue>): string {
        return JSON.stringify(withRules(this.level, changes), null, 2);
    }
    /** False if the level refuses the value; nothing has changed then. */
    private setRule(path: string, value: RuleValue): boolean {
        const changes = { ...this.changes, [path]: value };
        try {
            const level = this.instep.levelFromJson(this.json(changes));
            try {
                this.applyLevel(level);
            } finally {
                level.unload();
            }
        } catch (error) {
            showMessage(error instanceof Error ? error.message : String(error));
            return false;
        }
        this.changes = changes;
        this.updateAddress();
        return true;
    }
    private updateAddress(): void {
        const query = new URLSearchParams();
        if (Object.keys(this.changes).length > 0) query.set('rules', JSON.stringify(this.changes));
        if (this.bodies.length > 0) query.set('bodies', JSON.stringify(this.bodies));
        history.replaceState(null, '', `#/sandbox/${this.world}/${this.name}?${query}`);
    }
    private addToLevel(body: AddedBody): void {
        this.level = JSON.parse(this.instep.levelWithBody(JSON.stringify(this.level), ...body)) as LevelJson;
        this.bodies.push(body);
    }
    // Keeps the state if the layout is the same, otherwise restarts.
    private applyLevel(level: Level): void {
        try {
            this.stage.changeRules(level);
            showMessage('');
        } catch {
            this.restart(level);
            showMessage('This rule changes the layout of the state: the match was restarted.');
        }
    }
    private restart(level: Level): void {
        const fresh = level.openLocal(1, this.stage.bots());
        this.stage.close();
        this.stage = fresh;
    }
    /** Removes the body that was added to the level last. The level has one body less, so the match restarts. */
    private undoAddedBody(): void {
        const kept = this.bodies.slice(0, -1);
        if (kept.length === this.bodies.length) return showMessage('No body has been added to this level.');
        this.bodies = [];
        this.level = JSON.parse(this.instep.levelText(this.world, this.name)) as LevelJson;
        for (const body of kept) this.addToLevel(body);
        const level = this.instep.levelFromJson(this.json(this.changes));
        this.restart(level);
        level.unload();
        this.updateAddress();
        showMessage('The level has one body less: the match was restarted.');
    }

    private controls(mostPlayers: number, rules: Rule[], totals: HTMLElement): HTMLElement {
        const faithful = this.documentValues();
        const speed = (value: number) => () => this.stage.setSpeed(value);
        document.body.classList.add('inspecting');
        const bots = slider('bots', { low: 0, high: mostPlayers - 1, step: 1, value: this.stage.bots() }, (count) => this.stage.setBots(count));
        const [range, count] = [bots.querySelector('input')!, bots.querySelector('output')!];
        this.showBotCount = (now) => {
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
            this.editControls(),
            totals, this.graph.element,
            h('h3', {}, 'Rules'),
            h('p', { className: 'legend' }, 'The mark on a slider is the document’s value.'),
            ...rules.filter((rule) => rule.value !== null).map((rule) => this.ruleControl(rule, faithful.get(rule.path))),
            h('h3', {}, 'This level'),
            h('div', { className: 'row' },
                h('button', { onclick: () => this.save() }, 'save as JSON'),
                h('button', { onclick: () => void navigator.clipboard?.writeText(location.href).then(() => showMessage('The address of this sandbox was copied to the clipboard.')) }, 'share')));
    }
    private editControls(): HTMLElement {
        const legends: Record<Tool, string> = {
            drag: 'Drag a body to move it. Alt-click copies it, Ctrl-click removes it.',
            drop: 'Click anywhere to drop a body there.',
            remove: 'Click a body to remove it. Bodies added to the level are removed with “undo drop”, the last first.',
        };
        const legend = h('p', { className: 'legend' });
        const choice = (name: string, chosen: () => void) => h('button', { onclick: () => { chosen(); mark(); } }, name);
        const tools = (Object.keys(legends) as Tool[]).map((tool) => ({ tool, button: choice(tool, () => (this.tool = tool)) }));
        const kinds = this.drops.map((drop) => ({
            drop, button: choice(drop.name, () => [this.tool, this.selectedDrop] = ['drop', drop]),
        }));
        const mark = () => {
            for (const { tool, button } of tools) button.setAttribute('aria-pressed', String(tool === this.tool));
            for (const { drop, button } of kinds) button.setAttribute('aria-pressed', String(this.tool === 'drop' && drop === this.selectedDrop));
            legend.textContent = legends[this.tool];
        };
        mark();
        return h('fieldset', { className: 'edit' }, h('legend', {}, 'Edit'),
            h('div', { className: 'row', role: 'group', 'aria-label': 'Tool' }, ...tools.map(({ button }) => button),
                h('button', { onclick: () => this.undoAddedBody() }, 'undo drop')),
            h('div', { className: 'row', role: 'group', 'aria-label': 'Body to drop' }, h('span', {}, 'drop:'), ...kinds.map(({ button }) => button)),
            legend);
    }
    private ruleControl(rule: Rule, document: number | boolean | undefined): HTMLElement {
        const label = rule.path.replaceAll('_', ' ');
        if (typeof rule.value === 'boolean') {
            const box = h('input', { type: 'checkbox', checked: rule.value, onchange: () => this.setRule(rule.path, box.checked) });
            return h('label', { className: 'check', title: rule.note }, box, ` ${label}`);
        }
        if (rule.labels) {
            const select = h('select', { 'aria-label': label, onchange: () => this.setRule(rule.path, select.value) },
                ...rule.labels.map((name, i) => h('option', { value: name, selected: i === Number(rule.value) }, name.replaceAll('_', ' '))));
            return h('label', { className: 'slider', title: rule.note }, h('span', {}, label), select);
        }
        const marked = typeof document === 'number' ? document : Number(rule.value);
        const range = slideRange(rule, marked);
        return slider(label, { ...range, value: Number(rule.value), unit: rule.unit, mark: marked, note: rule.note },
            (value) => this.setRule(rule.path, rule.integer ? Math.round(value) : value));
    }
    private documentValues(): Map<string, number | boolean> {
        try {
            const level = this.instep.levelFromJson(JSON.stringify({ ...this.level, rules: 'faithful' }));
            const values = level.describe().rules.map((rule) => [rule.path, rule.value] as const);
            level.unload();
            return new Map(values.filter((entry): entry is [string, number | boolean] => entry[1] !== null));
        } catch {
            return new Map(); // this level does not load with faithful rules
        }
    }
    private save(): void {
        const name = `my-${this.name}`; // the name of a built-in level is taken
        const level = { ...withRules(this.level, this.changes), name };
        const address = URL.createObjectURL(new Blob([JSON.stringify(level, null, 2)], { type: 'application/json' }));
        h('a', { href: address, download: `${name}.json` }).click();
        setTimeout(() => URL.revokeObjectURL(address), 1000);
    }

    // Listens in the capture phase: a press that a tool uses does not reach the game's devices.
    private listenToPointer(surface: HTMLElement): void {
        const options = { signal: this.stops.signal };
        let dragging = -1; // id of the pointer that drags
        const follow = (event: PointerEvent) => {
            if (dragging === -1 || event.pointerId === dragging) this.pointer = { x: event.clientX, y: event.clientY };
        };
        const release = (event: PointerEvent) => {
            if (event.pointerId !== dragging) return;
            dragging = -1;
            this.held = null;
        };
        addEventListener('pointermove', follow, options);
        addEventListener('pointerup', release, options);
        addEventListener('pointercancel', release, options);
        surface.addEventListener('pointerdown', (event) => {
            if (dragging !== -1 || event.button !== 0) return;
            follow(event);
            if (!this.press(event)) return;
            if (this.held) dragging = event.pointerId;
            event.stopImmediatePropagation();
        }, { ...options, capture: true });
    }
    /** Whether the tool used the press. */
    private press(event: PointerEvent): boolean {
        const at = this.view.toWorld(event.clientX, event.clientY);
        if (this.tool === 'drop') {
            this.attempt(() => this.drop(at.x, at.y));
            return true;
        }
        const found = this.stage.findEntity(at.x, at.y, reach / this.view.camera.scale);
        if (!found) return this.tool === 'remove';
        this.attempt(() => {
            if (this.tool === 'remove' || event.ctrlKey) this.stage.remove(found);
            else if (event.altKey) this.stage.copy(found, at.x, at.y);
            else this.held = found;
        });
        return true;
    }
    private drop(x: number, y: number): void {
        const { name, method, pool } = this.selectedDrop;
        if (method === 'bot') return this.stage.dropBot(x, y);
        if (method === 'copy') return this.stage.dropCopy(pool!, x, y);
        const [before, bodies] = [this.level, [...this.bodies]];
        try {
            this.addToLevel([name, Number(x.toFixed(2)), Number(y.toFixed(2))]);
            const level = this.instep.levelFromJson(this.json(this.changes));
            try {
                const next = this.stage.withAddedBody(level, ...(this.bodies.at(-1)!.slice(1) as [number, number]));
                this.stage.close();
                this.stage = next;
            } finally {
                level.unload();
            }
        } catch (error) {
            [this.level, this.bodies] = [before, bodies];
            throw error;
        }
        this.updateAddress();
    }
    private drag(): void {
        const at = this.view.toWorld(this.pointer.x, this.pointer.y);
        this.attempt(() => this.stage.move(this.held!, at.x, at.y));
    }
    private attempt(change: () => void): void {
        try {
            change();
            showMessage('');
        } catch (error) {
            this.held = null;
            showMessage(error instanceof Error ? error.message : String(error));
        }
    }
}
