// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { Camera } from './camera.js';

const world = { lowX: -100, lowY: -50, highX: 100, highY: 50 };

describe('a camera', () => {
    it('shows all of the world when it follows nobody', () => {
        const camera = new Camera(world, false);
        camera.update(null, 1, 1000, 1000, 0.016);
        const [left, right] = [camera.toWorld(0, 0, 1000, 1000), camera.toWorld(1000, 1000, 1000, 1000)];
        expect(left.x).toBeLessThan(-100);
        expect(right.x).toBeGreaterThan(100);
    });
    it('turns the world over where y is up', () => {
        const camera = new Camera(world, true);
        camera.update(null, 1, 1000, 1000, 0.016);
        expect(camera.toWorld(500, 0, 1000, 1000).y).toBeGreaterThan(0);
    });
    it('comes to whom it follows, smoothly', () => {
        const camera = new Camera(world, false);
        camera.update({ x: 0, y: 0 }, 40, 800, 600, 0.016);
        camera.update({ x: 10, y: 0 }, 40, 800, 600, 0.016);
        expect(camera.x).toBeGreaterThan(0);
        expect(camera.x).toBeLessThan(5);
        for (let i = 0; i < 200; ++i) camera.update({ x: 10, y: 0 }, 40, 800, 600, 0.016);
        expect(camera.x).toBeCloseTo(10, 3);
    });
    it('does not look far beyond the edge', () => {
        const camera = new Camera(world, false);
        for (let i = 0; i < 400; ++i) camera.update({ x: -100, y: -50 }, 40, 800, 600, 0.016);
        expect(camera.toWorld(0, 0, 800, 600).x).toBeGreaterThan(-100 - 61 / camera.scale);
    });
});
