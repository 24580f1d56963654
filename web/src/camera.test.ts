// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { Camera } from './camera.js';

const square = { left: 0, top: 0, width: 1000, height: 1000 };
const screen = { left: 0, top: 0, width: 800, height: 600 };
const world = { lowX: -100, lowY: -50, highX: 100, highY: 50 };

describe('camera', () => {
    it('shows the whole world without a target', () => {
        const camera = new Camera(world, false);
        camera.update(null, 1, square, 0.016);
        const [left, right] = [camera.toWorld(0, 0), camera.toWorld(1000, 1000)];
        expect(left.x).toBeLessThan(-100);
        expect(right.x).toBeGreaterThan(100);
    });
    it('flips the screen if the world\'s y is up', () => {
        const camera = new Camera(world, true);
        camera.update(null, 1, square, 0.016);
        expect(camera.toWorld(500, 0).y).toBeGreaterThan(0);
    });
    it('approaches its target smoothly', () => {
        const camera = new Camera(world, false);
        camera.update({ x: 0, y: 0 }, 40, screen, 0.016);
        camera.update({ x: 10, y: 0 }, 40, screen, 0.016);
        expect(camera.x).toBeGreaterThan(0);
        expect(camera.x).toBeLessThan(5);
        for (let i = 0; i < 200; ++i) camera.update({ x: 10, y: 0 }, 40, screen, 0.016);
        expect(camera.x).toBeCloseTo(10, 3);
    });
    it('shows at most the margin beyond the edge', () => {
        const camera = new Camera(world, false);
        for (let i = 0; i < 400; ++i) camera.update({ x: -100, y: -50 }, 40, screen, 0.016);
        expect(camera.toWorld(0, 0).x).toBeGreaterThan(-100 - 61 / camera.scale);
    });
    it('keeps its target in the middle of the part that no panel covers', () => {
        const camera = new Camera(world, true);
        const free = { left: 0, top: 0, width: 500, height: 600 };
        for (let i = 0; i < 400; ++i) camera.update({ x: 7, y: 3 }, 40, i < 100 ? screen : free, 0.016);
        const at = camera.toScreen(7, 3);
        expect(at.x).toBeCloseTo(250, 1);
        expect(at.y).toBeCloseTo(300, 1);
        const back = camera.toWorld(at.x, at.y);
        expect(back.x).toBeCloseTo(7, 9);
        expect(back.y).toBeCloseTo(3, 9);
    });
    it('shows the whole world beside a panel', () => {
        const camera = new Camera(world, false);
        camera.update(null, 1, { left: 0, top: 0, width: 600, height: 1000 }, 0.016);
        expect(camera.toScreen(100, 0).x).toBeLessThan(600);
        expect(camera.toScreen(-100, 0).x).toBeGreaterThan(0);
    });
    it('roams after a ship beyond the world, and keeps the middle of the world on the screen', () => {
        const camera = new Camera(world, false, true);
        for (const target of [{ x: 0, y: 0 }, { x: 90, y: 40 }, { x: 700, y: -20 }, { x: -80, y: 900 }]) {
            for (let i = 0; i < 600; ++i) camera.update(target, 40, screen, 0.016);
            for (const point of [target, { x: 0, y: 0 }]) {
                const at = camera.toScreen(point.x, point.y);
                expect(at.x).toBeGreaterThan(screen.left);
                expect(at.x).toBeLessThan(screen.left + screen.width);
                expect(at.y).toBeGreaterThan(screen.top);
                expect(at.y).toBeLessThan(screen.top + screen.height);
            }
        }
    });
});
