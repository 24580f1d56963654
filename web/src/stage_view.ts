// SPDX-License-Identifier: MIT
// Shows a stage: every frame it samples the devices, advances the stage, follows its player and draws it. Panels hook
// in through `onframe` and `onevents`.

import type { Pad, Player, Setup, Stage } from 'instep';
import { drawArrows } from './arrows.js';
import { Camera, type Rectangle } from './camera.js';
import { Devices } from './devices.js';
import { themeOf } from './look.js';
import type { Theme } from './themes/theme.js';
import type { Frame, Painter } from './painter.js';
import { Shake } from './shake.js';
import { textsByKind, type Sound } from './sound.js';
import { Sparks } from './sparks.js';
import type { EventNotice } from 'instep';

const idle: Pad = { x: 0, y: 0, pointerX: 0, pointerY: 0, held: 0 };

const mostCosts = 120;
const playerSeconds = 0.1; // between two looks at where players are

export interface StageSource {
    /** Another stage after a lost connection. */
    stage(): Stage;
    advance(now: number, pad: Pad): void;
}

export class StageView {
    readonly camera: Camera;
    /** Null if the page only watches. */
    readonly devices: Devices | null;
    readonly theme: Theme;
    /** The visible height in world units; 0: the whole world. */
    height: number;
    onframe: (frame: Frame) => void = () => {};
    onevents: (notices: EventNotice[]) => void = () => {};
    ghost: (() => ReturnType<Stage['draw']>) | null = null;
    private sparks: Sparks;
    private shake = new Shake();
    private sound: Sound | null;
    private texts: ReturnType<typeof textsByKind>;
    private themeWithSparks: Theme;
    private covered: DOMRect | null = null;
    private panels: ResizeObserver | null = null;
    private players: Player[] = []; // for the arrows to those off screen
    private nextPlayers = 0;
    private request = 0;
    private last = 0;
    private hasDrawn = false;
    private stops = new AbortController();
    private background: ReturnType<typeof setInterval> | undefined;

    constructor(private painter: Painter, readonly setup: Setup, private source: StageSource,
        { plays = true, follows = true, sound = null as Sound | null } = {}) {
        this.sound = sound;
        this.texts = textsByKind(setup);
        const [lowX, lowY, highX, highY] = setup.view;
        this.devices = plays ? new Devices(painter.surface, setup) : null;
        this.theme = themeOf(setup.world);
        this.camera = new Camera({ lowX, lowY, highX, highY }, setup.y_up, this.theme.roams);
        this.height = follows ? this.theme.height : 0;
        this.sparks = new Sparks(setup);
        const { theme, sparks } = this;
        this.themeWithSparks = {
            ...theme,
            over: (graphics, frame) => {
                theme.over?.(graphics, frame);
                sparks.draw(graphics, frame);
                if (this.height > 0) drawArrows(graphics, frame, this.players);
            },
        };
        this.request = requestAnimationFrame(() => this.frame());
        // A hidden page gets no animation frames; one update per second keeps its connection.
        document.addEventListener('visibilitychange', () => {
            clearInterval(this.background);
            if (document.hidden) this.background = setInterval(() => this.source.advance(performance.now() / 1000, idle), 1000);
        }, { signal: this.stops.signal });
    }
    /** Centres the camera beside this panel while it is open. */
    avoid(panel: HTMLElement): void {
        const measure = () => (this.covered = panel.hidden ? null : panel.getBoundingClientRect());
        this.panels = new ResizeObserver(measure); // also called when the panel is hidden
        this.panels.observe(panel);
        addEventListener('resize', measure, { signal: this.stops.signal });
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

    // Panels are at the right, or at the bottom of a narrow screen.
    private free(): Rectangle {
        const { width, height } = this.painter;
        const { covered } = this;
        if (!covered || covered.width === 0) return { left: 0, top: 0, width, height };
        if (covered.width > width * 0.8) return { left: 0, top: 0, width, height: Math.max(covered.top, 80) };
        return { left: 0, top: 0, width: Math.max(covered.left, 80), height };
    }
    /** Seconds of script time of each of the last frames, without the graphics card's work. */
    readonly costs: number[] = [];

    private frame(): void {
        this.request = requestAnimationFrame(() => this.frame());
        const now = performance.now() / 1000;
        const seconds = Math.min(now - (this.last || now), 0.25);
        this.last = now;
        this.source.advance(now, this.devices?.sample((px, py) => this.toWorld(px, py)) ?? idle);
        const stage = this.source.stage();
        const own = stage.ownPosition();
        // A stage that has just been opened shows nothing yet: the last picture stays until its first snapshot.
        if (!own && this.hasDrawn && stage.draw().length === 0) return;
        const { width, height } = this.painter;
        if (now > this.nextPlayers) [this.players, this.nextPlayers] = [stage.players(), now + playerSeconds];
        this.camera.update(this.height > 0 ? own : null, this.height || 1, this.free(), seconds);
        const notices = stage.takeEvents();
        const middle = this.camera.toWorld(width / 2, height / 2);
        const ear = { ...(own ?? middle), reach: width / 2 / this.camera.scale };
        for (const notice of notices) {
            this.sparks.add(notice, now);
            this.sound?.play(notice, this.texts, ear);
            const isNew = notice.status === 'predicted' || notice.status === 'received';
            if (isNew && this.devices && notice.event['slot'] === own?.slot) this.shake.add(this.texts.get(notice.event['kind'])?.mood ?? 'plain', now);
        }
        if (notices.length > 0) this.onevents(notices);
        const frame: Frame = { camera: this.camera, middle, now, width, height, list: stage.draw(), own };
        this.hasDrawn ||= frame.list.length > 0;
        const { x: shakeX, y: shakeY } = this.shake.offset(now);
        this.camera.px += shakeX;
        this.camera.py += shakeY;
        this.painter.begin(frame, this.themeWithSparks);
        for (const { text, x, y, px, color, alpha } of this.sparks.numbers(frame)) this.painter.addText(text, x, y, px, color, alpha, frame);
        if (this.ghost) this.painter.addGhost(this.ghost(), frame, this.theme);
        this.painter.end();
        this.camera.px -= shakeX;
        this.camera.py -= shakeY;
        this.onframe(frame);
        this.costs.push(performance.now() / 1000 - now);
        if (this.costs.length > mostCosts) this.costs.shift();
    }
}
