// SPDX-License-Identifier: MIT
// The part of the plane on the screen. It follows a position smoothly, or shows the whole world.

export interface Box { lowX: number; lowY: number; highX: number; highY: number }

const followSeconds = 0.18; // time constant
const margin = 60; // px beyond the world's edge that may be visible
const zoomSeconds = 0.35; // time constant

/** A part of the screen, in px. */
export interface Rectangle { left: number; top: number; width: number; height: number }

export class Camera {
    x = 0;
    y = 0;
    /** The same point on the screen, px: the middle of the part that no panel covers. */
    px = 0;
    py = 0;
    /** Pixels per world unit. */
    scale = 1;
    /** -1 where the world's y is up. */
    flip: 1 | -1 = 1;
    private placed = false;

    /** `roams`: it follows beyond the world's edge too, and zooms out so that the world's middle stays visible. */
    constructor(readonly world: Box, yUp: boolean, private roams = false) {
        this.flip = yUp ? -1 : 1;
    }

    /** `height`: the visible height in world units; `free`: the part of the screen that no panel covers. */
    update(target: { x: number; y: number } | null, height: number, free: Rectangle, seconds: number): void {
        const { lowX, lowY, highX, highY } = this.world;
        const { width, height: tall } = free;
        const overview = Math.min(width / (highX - lowX), tall / (highY - lowY)) * 0.94;
        const wanted = !target ? overview : this.roams ? this.roamingScale(target, height, free) : Math.max(tall / height, overview);
        // The camera stops at the edge of the world, so that the screen is not half empty.
        const within = (at: number, low: number, high: number, half: number) =>
            this.roams ? at : high - low < 2 * half ? (low + high) / 2 : Math.min(Math.max(at, low + half), high - half);
        const x = target ? within(target.x, lowX, highX, width / wanted / 2 - margin / wanted) : (lowX + highX) / 2;
        const y = target ? within(target.y, lowY, highY, tall / wanted / 2 - margin / wanted) : (lowY + highY) / 2;
        const [px, py] = [free.left + width / 2, free.top + tall / 2];
        const isFar = Math.hypot(x - this.x, y - this.y) * this.scale > Math.max(width, tall);
        if (!this.placed || isFar) {
            [this.x, this.y, this.px, this.py, this.scale, this.placed] = [x, y, px, py, wanted, true];
            return;
        }
        const near = 1 - Math.exp(-seconds / followSeconds);
        this.x += (x - this.x) * near;
        this.y += (y - this.y) * near;
        this.px += (px - this.px) * near;
        this.py += (py - this.py) * near;
        this.scale *= (wanted / this.scale) ** (1 - Math.exp(-seconds / zoomSeconds));
    }
    private roamingScale(target: { x: number; y: number }, height: number, free: Rectangle): number {
        const { lowX, lowY, highX, highY } = this.world;
        const [dx, dy] = [Math.abs(target.x - (lowX + highX) / 2), Math.abs(target.y - (lowY + highY) / 2)];
        const [across, down] = [Math.max(free.width / 2 - margin, 1), Math.max(free.height / 2 - margin, 1)];
        return Math.min(free.height / height, across / Math.max(dx, 1e-9), down / Math.max(dy, 1e-9));
    }
    toWorld(px: number, py: number): { x: number; y: number } {
        return { x: this.x + (px - this.px) / this.scale, y: this.y + ((py - this.py) / this.scale) * this.flip };
    }
    toScreen(x: number, y: number): { x: number; y: number } {
        return { x: this.px + (x - this.x) * this.scale, y: this.py + (y - this.y) * this.scale * this.flip };
    }
}
