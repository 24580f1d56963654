// SPDX-License-Identifier: MIT
// Samples keyboard, mouse, touch and gamepad into one pad. The module maps the pad to a world's input; the level's
// description says which controls it uses, which decides the buttons that are shown.

import { Held, type Control, type Pad, type Setup } from 'instep';
import { h } from './dom.js';

const directions: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0], KeyA: [-1, 0], ArrowRight: [1, 0], KeyD: [1, 0],
    ArrowUp: [0, 1], KeyW: [0, 1], ArrowDown: [0, -1], KeyS: [0, -1],
};
const buttons: Record<string, number> = {
    Space: Held.first, KeyJ: Held.first, KeyK: Held.second, ShiftLeft: Held.second,
    KeyL: Held.third, KeyE: Held.third, KeyC: Held.fourth,
};
const buttonControls = ['first', 'second', 'third', 'fourth'] as const;
const keyNames = { first: ['Space'], second: ['Shift', 'K'], third: ['E', 'L'], fourth: ['C'] };
const gamepadNames = ['A', 'B', 'X', 'Y'];
const dPad = [[12, 0, 1], [13, 0, -1], [14, -1, 0], [15, 1, 0]] as const; // button, x, y of the standard mapping
const stickReach = 48; // px from the centre to a full push
const deadZone = 0.18;

const directional: Control[] = ['left', 'right', 'up', 'down', 'turn', 'stick', 'aim', 'go'];

export class Devices {
    private keys = new Set<string>();
    private mouse = { x: 0, y: 0, known: false, left: false, right: false };
    private touchStick: { id: number; x: number; y: number; dx: number; dy: number } | null = null;
    private touchHeld = 0;
    private touchPointer = false;
    private controls: Set<Control>;
    private names: Map<Control, string>;
    private touchLayer: HTMLElement | null = null;
    private stops = new AbortController();

    constructor(surface: HTMLElement, setup: Setup) {
        const options = { signal: this.stops.signal };
        addEventListener('keydown', (event) => this.key(event, true), options);
        addEventListener('keyup', (event) => this.key(event, false), options);
        addEventListener('blur', () => this.releaseAll(), options);
        surface.addEventListener('pointermove', (event) => this.point(event), options);
        surface.addEventListener('pointerdown', (event) => this.press(event), options);
        addEventListener('pointerup', (event) => this.release(event), options);
        addEventListener('pointercancel', (event) => this.release(event), options);
        surface.addEventListener('contextmenu', (event) => event.preventDefault(), options);
        this.controls = new Set(setup.controls.map((control) => control.control));
        this.names = new Map(setup.controls.map((control) => [control.control, control.name.replaceAll('_', ' ')]));
        if (matchMedia('(pointer: coarse)').matches) this.showTouch();
    }
    stop(): void {
        this.stops.abort();
        this.touchLayer?.remove();
    }

    /** What each control does, named alike on every device. */
    guide(): { action: string; keys: string[]; touch: string[]; gamepad: string[] }[] {
        const rows = [];
        const row = (action: string, keys: string[], touch: string, gamepad: string) => ({ action, keys, touch: [touch], gamepad: [gamepad] });
        if (this.controls.has('pointer')) rows.push(row('steer', ['Mouse', 'Arrows'], 'touch where to go', 'stick, d-pad'));
        else if (this.controls.has('aim')) rows.push(row('aim and go', ['Mouse press', 'Arrows'], 'stick', 'stick, d-pad'));
        else if (directional.some((control) => this.controls.has(control))) rows.push(row(this.moves(), ['Arrows', 'WASD'], 'stick', 'stick, d-pad'));
        buttonControls.forEach((button, i) => {
            const name = this.names.get(button);
            if (name) rows.push(row(name, keyNames[button], name, gamepadNames[i]!));
        });
        return rows;
    }
    /** "turn, thrust": the names of the fields that the directions move. */
    private moves(): string {
        const names = directional.map((control) => this.names.get(control)).filter((name) => name !== undefined);
        const turns = this.controls.has('left') && this.controls.has('right');
        return [...new Set([...(turns ? ['left', 'right'] : []), ...names])].join(', ');
    }

    sample(toWorld: (px: number, py: number) => { x: number; y: number }): Pad {
        let x = 0;
        let y = 0;
        let held = this.touchHeld;
        for (const key of this.keys) {
            const direction = directions[key];
            if (direction) [x, y] = [x + direction[0], y + direction[1]];
            held |= buttons[key] ?? 0;
        }
        const goes = this.controls.has('go');
        if (this.mouse.left) held |= goes || this.controls.has('pointer') ? 0 : Held.first;
        if (this.mouse.right) held |= goes ? Held.first : Held.second;
        if (this.touchStick) [x, y] = [x + this.touchStick.dx / stickReach, y - this.touchStick.dy / stickReach];
        for (const gamepad of navigator.getGamepads?.() ?? []) {
            if (!gamepad) continue;
            const [gx = 0, gy = 0] = gamepad.axes;
            if (Math.hypot(gx, gy) > deadZone) [x, y] = [x + gx, y - gy];
            for (const [button, dx, dy] of dPad) if (gamepad.buttons[button]?.pressed) [x, y] = [x + dx, y + dy];
            [Held.first, Held.second, Held.third, Held.fourth].forEach((bit, i) => {
                if (gamepad.buttons[i]?.pressed) held |= bit;
            });
        }
        const pointer = toWorld(this.mouse.x, this.mouse.y);
        if (this.mouse.known) held |= Held.pointerKnown;
        if (this.mouse.left || this.touchPointer) held |= Held.pointerPressed;
        return { x, y, pointerX: pointer.x, pointerY: pointer.y, held };
    }

    private key(event: KeyboardEvent, down: boolean): void {
        if (!down) {
            this.keys.delete(event.code); // whichever element has the focus
            return;
        }
        const target = event.target as HTMLElement;
        if (target.matches?.('input:not([type=range]), textarea, select')) return;
        if (!(event.code in directions) && !(event.code in buttons)) return;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (target.matches?.('button, a, input, summary') && (event.code === 'Space' || event.code.startsWith('Arrow'))) return;
        this.keys.add(event.code);
        event.preventDefault();
    }
    private releaseAll(): void {
        this.keys.clear();
        this.mouse.left = this.mouse.right = false;
    }
    private point(event: PointerEvent): void {
        if (this.touchStick?.id === event.pointerId) {
            const [dx, dy] = [event.clientX - this.touchStick.x, event.clientY - this.touchStick.y];
            const far = Math.max(1, Math.hypot(dx, dy) / stickReach);
            [this.touchStick.dx, this.touchStick.dy] = [dx / far, dy / far];
            this.touchLayer?.querySelector<HTMLElement>('.thumb')?.style.setProperty('transform', `translate(${dx / far}px, ${dy / far}px)`);
            return;
        }
        [this.mouse.x, this.mouse.y, this.mouse.known] = [event.clientX, event.clientY, true];
    }
    private press(event: PointerEvent): void {
        if (event.pointerType === 'mouse') {
            if (event.button === 0) this.mouse.left = true;
            if (event.button === 2) this.mouse.right = true;
            (document.activeElement as HTMLElement | null)?.blur();
            return;
        }
        const steers = this.controls.has('pointer');
        const wantsStick = !steers && event.clientX < innerWidth / 2 && !this.touchStick;
        if (wantsStick) {
            this.touchStick = { id: event.pointerId, x: event.clientX, y: event.clientY, dx: 0, dy: 0 };
            const base = this.touchLayer?.querySelector<HTMLElement>('.stick');
            if (base) [base.style.left, base.style.top] = [`${event.clientX}px`, `${event.clientY}px`];
            return;
        }
        this.point(event);
        this.touchPointer = steers;
    }
    private release(event: PointerEvent): void {
        if (event.pointerType === 'mouse') {
            if (event.button === 0) this.mouse.left = false;
            if (event.button === 2) this.mouse.right = false;
        }
        if (this.touchStick?.id === event.pointerId) {
            this.touchStick = null;
            this.touchLayer?.querySelector<HTMLElement>('.thumb')?.style.removeProperty('transform');
        }
        this.touchPointer = false;
    }
    private showTouch(): void {
        const hold = (bit: number, down: boolean) => (event: Event) => {
            this.touchHeld = down ? this.touchHeld | bit : this.touchHeld & ~bit;
            event.preventDefault();
            event.stopPropagation();
        };
        const pads = buttonControls.filter((button) => this.names.has(button)).map((button) => {
            const bit = Held[button];
            return h('button', {
                className: 'pad', onpointerdown: hold(bit, true), onpointerup: hold(bit, false),
                onpointercancel: hold(bit, false), onpointerleave: hold(bit, false),
            }, this.names.get(button)!);
        });
        const needsStick = directional.some((control) => this.controls.has(control));
        this.touchLayer = h('div', { className: 'touch' },
            needsStick && h('div', { className: 'stick' }, h('div', { className: 'thumb' })),
            h('div', { className: 'pads' }, ...pads));
        document.body.append(this.touchLayer);
    }
}
