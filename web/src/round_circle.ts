// SPDX-License-Identifier: MIT
// Circles in world units that are round on the screen.

import type { Graphics } from 'pixi.js';

/** PixiJS gives a circle as many corners as its radius deserves, in the units that it is given: pixels. In world units a
 *  ship of radius 0.5 would be a dodecagon. */
export function roundCircle(graphics: Graphics, x: number, y: number, radius: number, scale: number): void {
    graphics.setTransform(1 / scale, 0, 0, 1 / scale, 0, 0);
    graphics.circle(x * scale, y * scale, radius * scale);
    graphics.resetTransform();
}
