// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { arrowTo } from './arrows.js';
import { Camera } from './camera.js';

const [width, height] = [800, 600];

function looking(yUp: boolean): Camera {
    const camera = new Camera({ lowX: -100, lowY: -50, highX: 100, highY: 50 }, yUp);
    camera.update(null, 1, { left: 0, top: 0, width, height }, 0.016);
    return camera;
}

describe('arrows', () => {
    it('point to nothing that is on the screen', () => {
        expect(arrowTo(looking(false), 0, 0, width, height)).toBeNull();
        expect(arrowTo(looking(false), 99, -49, width, height)).toBeNull();
    });
    it('lie inside the screen, in the direction of what is beyond it', () => {
        for (const yUp of [false, true])
            for (let turn = 0; turn < 6.2; turn += 0.3) {
                const [x, y] = [3000 * Math.cos(turn), 3000 * Math.sin(turn)];
                const arrow = arrowTo(looking(yUp), x, y, width, height)!;
                expect(arrow.x).toBeGreaterThan(0);
                expect(arrow.x).toBeLessThan(width);
                expect(arrow.y).toBeGreaterThan(0);
                expect(arrow.y).toBeLessThan(height);
                const shown = yUp ? -turn : turn;
                expect(Math.cos(arrow.angle - shown)).toBeCloseTo(1, 6);
            }
    });
});
