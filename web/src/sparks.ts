// SPDX-License-Identifier: MIT
// Draws events where they happen: a ring and a few sparks. A predicted event is shown at once, removed if it is
// cancelled, and not shown again when it is confirmed. The world gives each kind of event a mood, which decides the look.

import type { Graphics } from 'pixi.js';
import type { EventNotice, Setup, EventText } from 'instep';
import { scatter } from './themes/theme.js';
import type { Frame } from './painter.js';

interface Spark { x: number; y: number; at: number; number: number; color: number; strength: number }

const seconds = 0.7;
const most = 120;
const styles: Record<EventText['mood'], { color: number; strength: number } | null> = {
    plain: null,
    slight: { color: 0x94a3b8, strength: 0.25 },
    good: { color: 0xfacc15, strength: 0.6 },
    hurt: { color: 0xfb923c, strength: 0.6 },
    grave: { color: 0xf87171, strength: 1 },
};

export class Sparks {
    private sparks: Spark[] = [];
    private moods: Map<unknown, EventText['mood']>;

    constructor(setup: Setup) {
        this.moods = new Map(setup.events.map(({ kind, mood }) => [kind, mood]));
    }
    add(notice: EventNotice, now: number): void {
        if (notice.status === 'confirmed') return;
        if (notice.status === 'cancelled') {
            this.sparks = this.sparks.filter((spark) => spark.number !== notice.number);
            return;
        }
        const position = notice.event['position'] as { x: number; y: number } | undefined;
        const style = styles[this.moods.get(notice.event['kind']) ?? 'plain'];
        if (!position || !style) return;
        this.sparks.push({ x: position.x, y: position.y, at: now, number: notice.number, ...style });
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
