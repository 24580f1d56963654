// SPDX-License-Identifier: MIT
// One stage on the screen: moves it on every frame, follows its player, and draws it. What is around it (panels, hands)
// hooks in through `onframe`.

import type { Pad, Setup, Stage } from 'instep';
import { Camera } from './camera.js';
import { Devices } from './devices.js';
import { lookOf } from './looks/index.js';
import type { Look } from './looks/look.js';
import type { Frame, Painter } from './painter.js';
import { Sparks } from './sparks.js';
import type { Happening } from 'instep';

const idle: Pad = { x: 0, y: 0, pointerX: 0, pointerY: 0, held: 0 };

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
    private sparks = new Sparks();
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
        this.request = requestAnimationFrame(() => this.frame());
        // A hidden page has no frames; it goes on so slowly that its place is kept.
        document.addEventListener('visibilitychange', () => {
            clearInterval(this.background);
            if (document.hidden) this.background = setInterval(() => this.watched.advance(performance.now() / 1000, idle), 1000);
        }, { signal: this.stops.signal });
    }
    stop(): void {
        this.stops.abort();
        clearInterval(this.background);
        cancelAnimationFrame(this.request);
        this.devices?.stop();
    }
    toWorld(px: number, py: number): { x: number; y: number } {
        return this.camera.toWorld(px, py, this.painter.width, this.painter.height);
    }

    private frame(): void {
        this.request = requestAnimationFrame(() => this.frame());
        const now = performance.now() / 1000;
        const seconds = Math.min(now - (this.last || now), 0.25);
        this.last = now;
        this.watched.advance(now, this.devices?.sample((px, py) => this.toWorld(px, py)) ?? idle);
        const stage = this.watched.stage();
        const own = stage.ownPlace();
        const { width, height } = this.painter;
        this.camera.update(this.seen > 0 ? own : null, this.seen || 1, width, height, seconds);
        const happenings = stage.takeEvents();
        for (const happening of happenings) this.sparks.add(happening, now);
        if (happenings.length > 0) this.onevents(happenings);
        const frame: Frame = { camera: this.camera, now, width, height, list: stage.draw(), own };
        const look: Look = { ...this.look, over: (graphics, f) => { this.look.over?.(graphics, f); this.sparks.draw(graphics, f); } };
        this.painter.begin(frame, look);
        if (this.ghost) this.painter.addGhost(this.ghost(), frame, this.look);
        this.painter.end();
        this.onframe(frame);
    }
}
