// SPDX-License-Identifier: MIT
// The screen shakes when the own player is hurt, unless the visitor prefers reduced motion.

import type { EventText } from 'instep';

const seconds = 0.35;
const strengths: Partial<Record<EventText['mood'], number>> = { hurt: 5, grave: 12 }; // px

export class Shake {
    private at = -Infinity;
    private strength = 0;

    constructor(private isStill = matchMedia('(prefers-reduced-motion: reduce)').matches) {}

    add(mood: EventText['mood'], now: number): void {
        const strength = strengths[mood];
        if (!strength || this.isStill) return;
        // A slight hit during a heavy one does not end it.
        if (strength < this.strength && now - this.at < seconds) return;
        [this.at, this.strength] = [now, strength];
    }
    /** By how much the picture is moved, px. */
    offset(now: number): { x: number; y: number } {
        const part = (now - this.at) / seconds;
        if (part < 0 || part >= 1) return { x: 0, y: 0 };
        const far = this.strength * (1 - part) ** 2;
        return { x: far * Math.sin(now * 71), y: far * Math.cos(now * 93) };
    }
}
