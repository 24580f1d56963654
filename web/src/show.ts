// SPDX-License-Identifier: MIT
// One stage on the screen: moves it on every frame, follows its player, and draws it. What is around it (panels, hands)
// hooks in through `onframe`.

import type { Pad, Setup, Stage } from 'instep';
import { Camera, type Rectangle } from './camera.js';
import { Devices } from './devices.js';
import { lookOf } from './looks/index.js';
import type { Look } from './looks/look.js';
import type { Frame, Painter } from './painter.js';
import { Sparks } from './sparks.js';
import type { Happening } from 'instep';

const idle: Pad = { x: 0, y: 0, pointerX: 0, pointerY: 0, held: 0 };

const mostCosts = 120;

export interface Watched {
    /** The same, or another after a line broke. */
    stage(): Stage;
    advance(now: number, pad: Pad): void;
}

export class Show {
    readonly camera: Camera;
    /** Null where nobody plays. */
    readonly devices: Devices | null;
    readonly look: Look;
    /** 0: all of the world. */
    seen: number;
    onframe: (frame: Frame) => void = () => {};
    onevents: (happenings: Happening[]) => void = () => {};
    ghost: (() => ReturnType<Stage['draw']>) | null = null;
    private sparks: Sparks;
    private looksWithSparks: Look;
    private covered: DOMRect | null = null;
    private panels: ResizeObserver | null = null;
    private request = 0;
    private last = 0;
    private stops = new AbortController();
    private background: ReturnType<typeof setInterval> | undefined;

    constructor(private painter: Painter, readonly setup: Setup, private watched: Watched, { plays = true, follows = true } = {}) {
        const [lowX, lowY, highX, highY] = setup.view;
        this.camera = new Camera({ lowX, lowY, highX, highY }, setup.y_up);
        this.devices = plays ? new Devices(painter.surface, setup) : null;
        this.look = lookOf(setup.world);
        this.seen = follows ? this.look.height : 0;
        this.sparks = new Sparks(setup);
        const { look, sparks } = this;
        this.looksWithSparks = { ...look, over: (graphics, frame) => { look.over?.(graphics, frame); sparks.draw(graphics, frame); } };
        this.request = requestAnimationFrame(() => this.frame());
        // A hidden page has no frames; it goes on so slowly that its place is kept.
        document.addEventListener('visibilitychange', () => {
            clearInterval(this.background);
            if (document.hidden) this.background = setInterval(() => this.watched.advance(performance.now() / 1000, idle), 1000);
        }, { signal: this.stops.signal });
    }
    /** The middle of the screen is beside this panel from now on, while it is open. */
    makeRoomFor(panel: HTMLElement): void {
        const look = () => (this.covered = panel.hidden ? null : panel.getBoundingClientRect());
        this.panels = new ResizeObserver(look); // a panel that is hidden has no size
        this.panels.observe(panel);
        addEventListener('resize', look, { signal: this.stops.signal });
    }
    stop(): void {
        this.panels?.disconnect();
        this.stops.abort();
        clearInterval(this.background);
        cancelAnimationFrame(this.request);
        this.devices?.stop();
    }
    toWorld(px: number, py: number): { x: number; y: number } {
        return this.camera.toWorld(px, py);
    }

    // A panel is at the right, or below where the screen is narrow.
    private free(): Rectangle {
        const { width, height } = this.painter;
        const { covered } = this;
        if (!covered || covered.width === 0) return { left: 0, top: 0, width, height };
        if (covered.width > width * 0.8) return { left: 0, top: 0, width, height: Math.max(covered.top, 80) };
        return { left: 0, top: 0, width: Math.max(covered.left, 80), height };
    }
    /** Seconds that this page itself took for each of the last frames; what a graphics card does is not in it. */
    readonly costs: number[] = [];

    private frame(): void {
        this.request = requestAnimationFrame(() => this.frame());
        const now = performance.now() / 1000;
        const seconds = Math.min(now - (this.last || now), 0.25);
        this.last = now;
        this.watched.advance(now, this.devices?.sample((px, py) => this.toWorld(px, py)) ?? idle);
        const stage = this.watched.stage();
        const own = stage.ownPlace();
        const { width, height } = this.painter;
        this.camera.update(this.seen > 0 ? own : null, this.seen || 1, this.free(), seconds);
        const happenings = stage.takeEvents();
        for (const happening of happenings) this.sparks.add(happening, now);
        if (happenings.length > 0) this.onevents(happenings);
        const middle = this.camera.toWorld(width / 2, height / 2);
        const frame: Frame = { camera: this.camera, middle, now, width, height, list: stage.draw(), own };
        this.painter.begin(frame, this.looksWithSparks);
        if (this.ghost) this.painter.addGhost(this.ghost(), frame, this.look);
        this.painter.end();
        this.onframe(frame);
        this.costs.push(performance.now() / 1000 - now);
        if (this.costs.length > mostCosts) this.costs.shift();
    }
}
