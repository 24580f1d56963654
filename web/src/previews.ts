// SPDX-License-Identifier: MIT
// Matches of bots on small canvases. One of them is advanced and drawn per frame, so that six cost no more than one;
// those that are scrolled out of sight stand still.

import type { Instep, LocalStage, Setup } from 'instep';
import { drawPicture, windowOf, type Window } from './picture.js';

const bots = 7;
const firstTicks = 90; // before the first picture: all have left their places
const nearer = 0.08; // of the way to the player that is followed, per picture

interface Preview {
    canvas: HTMLCanvasElement;
    world: string;
    level: string;
    isVisible: boolean;
    match?: { stage: LocalStage; setup: Setup; window: Window };
}

export class Previews {
    private previews: Preview[] = [];
    private next = 0;
    private request = 0;
    private isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    private watcher = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries)
            for (const preview of this.previews) if (preview.canvas === target) preview.isVisible = isIntersecting;
    });

    constructor(private instep: Instep) {
        this.request = requestAnimationFrame(() => this.frame());
    }
    add(canvas: HTMLCanvasElement, world: string, level: string): void {
        this.previews.push({ canvas, world, level, isVisible: false });
        this.watcher.observe(canvas);
    }
    close(): void {
        cancelAnimationFrame(this.request);
        this.watcher.disconnect();
        for (const { match } of this.previews) match?.stage.close();
        this.previews = [];
    }

    private frame(): void {
        this.request = requestAnimationFrame(() => this.frame());
        const shown = this.previews.filter(({ isVisible, match }) => isVisible && !(this.isStill && match));
        const preview = shown[this.next++ % Math.max(shown.length, 1)];
        if (!preview) return;
        preview.match ??= this.open(preview.world, preview.level);
        const { stage, setup, window } = preview.match;
        stage.advance(performance.now() / 1000);
        const wanted = windowOf(setup, stage.players(), preview.canvas);
        const near = window.height === 0 ? 1 : nearer;
        window.x += (wanted.x - window.x) * near;
        window.y += (wanted.y - window.y) * near;
        window.height = wanted.height;
        drawPicture(preview.canvas, stage.draw(), setup, window);
    }
    private open(world: string, name: string) {
        const level = this.instep.level(world, name);
        const setup = level.describe();
        const stage = level.openLocal(Date.now() % 1000, Math.min(bots, setup.most_players - 1));
        level.unload();
        stage.step(firstTicks);
        return { stage, setup, window: { x: 0, y: 0, height: 0 } };
    }
}
