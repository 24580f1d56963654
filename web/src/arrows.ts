// SPDX-License-Identifier: MIT
// Arrows at the edge of the screen that point to players beyond it.

import type { Graphics } from 'pixi.js';
import type { Player } from 'instep';
import type { Camera } from './camera.js';
import type { Frame } from './painter.js';
import { playerColor } from './look.js';

const inset = 26; // px from the edge of the screen
const size = 11; // px

/** Where the arrow to a point of the world is, px, and its direction, rad; null if the point is on the screen. */
export function arrowTo(camera: Camera, x: number, y: number, width: number, height: number): { x: number; y: number; angle: number } | null {
    const at = camera.toScreen(x, y);
    if (at.x >= 0 && at.x <= width && at.y >= 0 && at.y <= height) return null;
    const [dx, dy] = [at.x - width / 2, at.y - height / 2];
    const [across, down] = [Math.max(width / 2 - inset, 1), Math.max(height / 2 - inset, 1)];
    const part = Math.min(across / Math.max(Math.abs(dx), 1e-9), down / Math.max(Math.abs(dy), 1e-9));
    return { x: width / 2 + dx * part, y: height / 2 + dy * part, angle: Math.atan2(dy, dx) };
}

export function drawArrows(graphics: Graphics, frame: Frame, players: Player[]): void {
    const { camera, width, height, own } = frame;
    for (const player of players) {
        if (player.x === undefined || player.y === undefined || player.slot === own?.slot) continue;
        const arrow = arrowTo(camera, player.x, player.y, width, height);
        if (!arrow) continue;
        const corners = [0, 2.5, -2.5].flatMap((turn) => {
            const at = camera.toWorld(arrow.x + size * Math.cos(arrow.angle + turn), arrow.y + size * Math.sin(arrow.angle + turn));
            return [at.x, at.y];
        });
        graphics.poly(corners).fill({ color: playerColor(player.slot), alpha: 0.85 });
    }
}
