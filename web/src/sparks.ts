// SPDX-License-Identifier: MIT
// What happens is seen where it happens: a ring, a few sparks, and the number it was about. Predicted events are shown
// at once; those that the server takes back end early, and confirmed ones are not shown twice.

import type { Graphics } from 'pixi.js';
import type { Happening } from 'instep';
import { scatter } from './looks/look.js';
import type { Frame } from './painter.js';

interface Spark { x: number; y: number; at: number; number: number; color: number; strength: number }

const seconds = 0.7;
const most = 120;
const colors: [RegExp, number, number][] = [
    [/died|explosion/, 0xf87171, 1],
    [/hit|hurt|bitten|collision|knocked|overheated/, 0xfb923c, 0.6],
    [/ate|picked_up|collected|returned|grew|won/, 0xfacc15, 0.6],
    [/landed|wall|jumped/, 0x94a3b8, 0.25],
];

export class Sparks {
    private sparks: Spark[] = [];

    add(happening: Happening, now: number): void {
        if (happening.news === 'confirmed') return;
        if (happening.news === 'taken_back') {
            this.sparks = this.sparks.filter((spark) => spark.number !== happening.number);
            return;
        }
        const place = happening.event['position'] as { x: number; y: number } | undefined;
        const look = colors.find(([pattern]) => pattern.test(String(happening.event['kind'])));
        if (!place || !look) return;
        this.sparks.push({ x: place.x, y: place.y, at: now, number: happening.number, color: look[1], strength: look[2] });
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
