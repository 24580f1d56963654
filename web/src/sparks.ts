// SPDX-License-Identifier: MIT
// Draws events where they happen: a ring and a few sparks. A predicted event is shown at once, removed if it is
// cancelled, and not shown again when it is confirmed. The world gives each kind of event a mood, which decides the look.
// An event with an amount or points also shows that number.

import type { Graphics } from 'pixi.js';
import type { EventNotice, Setup, EventText } from 'instep';
import { scatter } from './themes/theme.js';
import type { Frame } from './painter.js';
import { roundCircle } from './round_circle.js';

interface Spark { x: number; y: number; at: number; number: number; color: number; strength: number; text: string }
/** A number that rises from where an event happened; px is its height on the screen. */
export interface Floating { text: string; x: number; y: number; color: number; alpha: number; px: number }

const seconds = 0.9;
const most = 120;
const styles: Record<EventText['mood'], { color: number; strength: number } | null> = {
    plain: null,
    slight: { color: 0x94a3b8, strength: 0.25 },
    good: { color: 0xfacc15, strength: 0.6 },
    hurt: { color: 0xfb923c, strength: 0.6 },
    grave: { color: 0xf87171, strength: 1 },
};

/** "−24" for health that was taken, "+5" for points; empty if the event has no number. */
export function numberOf(event: EventNotice['event'], mood: EventText['mood']): string {
    const points = Math.round(Number(event['points'] ?? 0));
    const amount = Math.round(Number(event['amount'] ?? 0)) * (mood === 'good' ? 1 : -1);
    const number = points || amount;
    return number ? `${number > 0 ? '+' : '−'}${Math.abs(number)}` : '';
}

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
        const mood = this.moods.get(notice.event['kind']) ?? 'plain';
        const style = styles[mood];
        if (!position || !style) return;
        this.sparks.push({ x: position.x, y: position.y, at: now, number: notice.number, text: numberOf(notice.event, mood), ...style });
        if (this.sparks.length > most) this.sparks.shift();
    }
    numbers({ now, camera }: Frame): Floating[] {
        return this.sparks.filter(({ text }) => text !== '').map(({ text, x, y, at, color, strength }) => {
            const part = (now - at) / seconds;
            const rise = ((12 + 40 * (1 - (1 - part) ** 3)) / camera.scale) * camera.flip;
            return { text, x, y: y - rise, color, alpha: Math.min(1, 3 * (1 - part)), px: 15 + 7 * strength };
        });
    }
    draw(graphics: Graphics, frame: Frame): void {
        const px = 1 / frame.camera.scale;
        this.sparks = this.sparks.filter((spark) => frame.now - spark.at < seconds);
        for (const { x, y, at, number, color, strength } of this.sparks) {
            const part = (frame.now - at) / seconds;
            const far = (1 - (1 - part) ** 3) * 70 * strength;
            roundCircle(graphics, x, y, far * 0.6 * px, frame.camera.scale);
            graphics.stroke({ color, alpha: (1 - part) * 0.8, width: 2 * px });
            for (let i = 0; i < 10 * strength; ++i) {
                const angle = scatter(i, number) * 2 * Math.PI;
                const reach = far * (0.4 + 0.8 * scatter(i, number + 7)) * px;
                graphics.circle(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach, (1 - part) * 2.5 * px).fill({ color, alpha: 1 - part });
            }
        }
    }
}
