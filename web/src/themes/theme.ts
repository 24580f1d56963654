// SPDX-License-Identifier: MIT
// The decoration of a world around its shapes. A world without a theme is drawn and played too. Everything is drawn by
// code.

import type { Graphics } from 'pixi.js';
import type { Frame } from '../painter.js';

export interface Theme {
    background: number;
    /** The visible height around the own player, world units; 0: the whole world. */
    height: number;
    /** The camera follows the own player beyond the world's edge, and zooms out to keep the world's middle visible. */
    roams?: boolean;
    under?(graphics: Graphics, frame: Frame): void;
    over?(graphics: Graphics, frame: Frame): void;
    /** Called before a disc is drawn; `index` is its index in the list. */
    disc?(graphics: Graphics, x: number, y: number, radius: number, color: number, index: number, frame: Frame): void;
}

/** A glow that fades outwards. */
export function glow(graphics: Graphics, x: number, y: number, radius: number, color: number, strength: number): void {
    for (let ring = 5; ring > 0; --ring)
        graphics.circle(x, y, (radius * ring) / 5).fill({ color, alpha: (strength * (6 - ring)) / 15 });
}

/** A pseudo-random number from 0 to 1, always the same for the same arguments. */
export function scatter(index: number, salt: number): number {
    const value = Math.sin(index * 127.1 + salt * 311.7) * 43758.5453;
    return value - Math.floor(value);
}

/** Stars at several depths, with parallax. */
export function stars(graphics: Graphics, frame: Frame, count: number): void {
    const { camera, middle, width, height } = frame;
    const [wide, tall] = [width / camera.scale, height / camera.scale];
    for (let i = 0; i < count; ++i) {
        const depth = 0.15 + 0.55 * scatter(i, 3);
        const wrap = (value: number, size: number) => ((value % size) + size) % size;
        const x = middle.x - wide / 2 + wrap(scatter(i, 1) * wide - middle.x * depth, wide);
        const y = middle.y - tall / 2 + wrap(scatter(i, 2) * tall - middle.y * depth, tall);
        const twinkle = 0.6 + 0.4 * Math.sin(frame.now * (0.5 + scatter(i, 5)) + i);
        const size = (0.9 + 1.9 * scatter(i, 4)) / camera.scale;
        graphics.rect(x, y, size, size).fill({ color: 0xcbd5e1, alpha: 0.7 * depth * twinkle });
    }
}

/** Fading trails of moving entities, by key. */
export class Trails {
    private points = new Map<string, { x: number; y: number; at: number }[]>();

    /** An entity faster than `mostSpeed`, in world units per second, was teleported and leaves no trail. */
    constructor(private seconds: number, private width: number, private mostSpeed: number) {}

    add(key: string, x: number, y: number, now: number): void {
        const path = this.points.get(key) ?? [];
        const last = path.at(-1);
        if (last && now - last.at > 0.25) path.length = 0;
        if (last && Math.hypot(x - last.x, y - last.y) > this.mostSpeed * (now - last.at)) path.length = 0;
        path.push({ x, y, at: now });
        while (path[0] && now - path[0].at > this.seconds) path.shift();
        this.points.set(key, path);
    }
    draw(graphics: Graphics, now: number, colors: (key: string) => number): void {
        for (const [key, path] of this.points) {
            if (path.length === 0 || now - path.at(-1)!.at > 0.25) {
                this.points.delete(key);
                continue;
            }
            const color = colors(key);
            for (let i = 1; i < path.length; ++i) {
                const [from, to] = [path[i - 1]!, path[i]!];
                const fresh = 1 - (now - to.at) / this.seconds;
                graphics.moveTo(from.x, from.y).lineTo(to.x, to.y)
                    .stroke({ color, alpha: 0.45 * fresh * fresh, width: this.width * (0.2 + 0.8 * fresh), cap: 'round' });
            }
        }
    }
}
