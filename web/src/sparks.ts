// SPDX-License-Identifier: MIT
// What happens is seen where it happens: a ring, a few sparks, and the number it was about. Predicted events are shown
// at once; those that the server takes back end early, and confirmed ones are not shown twice. What an event feels like
// is the world's to say.

import type { Graphics } from 'pixi.js';
import type { Happening, Setup, Telling } from 'instep';
import { scatter } from './looks/look.js';
import type { Frame } from './painter.js';

interface Spark { x: number; y: number; at: number; number: number; color: number; strength: number }

const seconds = 0.7;
const most = 120;
const looks: Record<Telling['mood'], { color: number; strength: number } | null> = {
    plain: null,
    slight: { color: 0x94a3b8, strength: 0.25 },
    good: { color: 0xfacc15, strength: 0.6 },
    hurt: { color: 0xfb923c, strength: 0.6 },
    grave: { color: 0xf87171, strength: 1 },
};

export class Sparks {
    private sparks: Spark[] = [];
    private moods: Map<unknown, Telling['mood']>;

    constructor(setup: Setup) {
        this.moods = new Map(setup.events.map(({ kind, mood }) => [kind, mood]));
    }
    add(happening: Happening, now: number): void {
        if (happening.news === 'confirmed') return;
        if (happening.news === 'taken_back') {
            this.sparks = this.sparks.filter((spark) => spark.number !== happening.number);
            return;
        }
        const place = happening.event['position'] as { x: number; y: number } | undefined;
        const look = looks[this.moods.get(happening.event['kind']) ?? 'plain'];
        if (!place || !look) return;
        this.sparks.push({ x: place.x, y: place.y, at: now, number: happening.number, ...look });
        if (this.sparks.length > most) this.sparks.shift();
    }
    draw(graphics: Graphics, frame: Frame): void {
        const px = 1 / frame.camera.scale;
        this.sparks = this.sparks.filter((spark) => frame.now - spark.at < seconds);
        for (const { x, y, at, number, color, strength } of this.sparks) {
            const part = (frame.now - at) / seconds;
            const far = (1 - (1 - part) ** 3) * 70 * strength;
            graphics.circle(x, y, far * 0.6 * px).stroke({ color, alpha: (1 - part) * 0.8, width: 2 * px });
            for (let i = 0; i < 10 * strength; ++i) {
                const angle = scatter(i, number) * 2 * Math.PI;
                const reach = far * (0.4 + 0.8 * scatter(i, number + 7)) * px;
                graphics.circle(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach, (1 - part) * 2.5 * px).fill({ color, alpha: 1 - part });
            }
        }
    }
}
