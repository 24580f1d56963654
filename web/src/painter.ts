// SPDX-License-Identifier: MIT
// Draws lists of shapes with PixiJS, in world units through a camera. It is the same for all worlds; a world's look.ts
// adds its decoration.

import 'pixi.js/unsafe-eval'; // otherwise PixiJS compiles code from strings, which the page's content security policy forbids
import { Application, Container, Graphics, Text } from 'pixi.js';
import { ShapeKind, type DrawList } from 'instep';
import type { Camera } from './camera.js';
import type { Theme } from './themes/theme.js';
import { roundCircle } from './round_circle.js';

const thinnest = 1.2; // px; keeps lines visible at small scales
const smallestLabel = 11; // px
const largestLabel = 20;
const labelSize = 32; // px of the rendered text, which is scaled down

export interface Frame {
    camera: Camera;
    /** The world position at the middle of the screen, including parts under panels. */
    middle: { x: number; y: number };
    /** The page's clock, in seconds. */
    now: number;
    width: number;
    height: number;
    list: DrawList;
    own: { slot: number; x: number; y: number } | null;
}

export class Painter {
    private plane = new Container();
    private under = new Graphics();
    private shapes = new Graphics();
    private ghost = new Graphics();
    private over = new Graphics();
    private labels = new Container();
    private spare: Text[] = [];
    private used = 0;

    private constructor(readonly application: Application) {
        this.plane.addChild(this.under, this.ghost, this.shapes, this.over);
        application.stage.addChild(this.plane, this.labels);
        this.ghost.alpha = 0.35;
    }
    static async create(parent: HTMLElement): Promise<Painter> {
        const application = new Application();
        await application.init({
            resizeTo: window, antialias: true, autoDensity: true, resolution: Math.min(devicePixelRatio, 2),
            preference: ['webgl', 'canvas'], backgroundColor: 0x0b1020, autoStart: false, sharedTicker: false,
        });
        application.ticker.stop();
        parent.append(application.canvas);
        return new Painter(application);
    }
    get surface(): HTMLCanvasElement {
        return this.application.canvas;
    }
    get width(): number {
        return this.application.screen.width;
    }
    get height(): number {
        return this.application.screen.height;
    }

    begin(frame: Frame, theme: Theme): void {
        const { camera } = frame;
        this.plane.position.set(camera.px - camera.x * camera.scale, camera.py - camera.y * camera.scale * camera.flip);
        this.plane.scale.set(camera.scale, camera.scale * camera.flip);
        this.application.renderer.background.color = theme.background;
        this.used = 0;
        for (const layer of [this.under, this.shapes, this.ghost, this.over]) layer.clear();
        theme.under?.(this.under, frame);
        this.paint(this.shapes, frame.list, frame, theme, true);
        theme.over?.(this.over, frame);
    }
    /** The state of the last snapshot, behind the predicted one. */
    addGhost(list: DrawList, frame: Frame, theme: Theme): void {
        this.paint(this.ghost, list, frame, theme, false);
    }
    /** Text of a height in px, wherever the camera is. */
    addText(text: string, x: number, y: number, px: number, color: number, alpha: number, frame: Frame): void {
        this.label(text, x, y, px / frame.camera.scale, color, alpha, frame, px);
    }
    end(): void {
        for (let i = this.used; i < this.spare.length; ++i) this.spare[i]!.visible = false;
        this.application.render();
    }

    private paint(graphics: Graphics, list: DrawList, frame: Frame, theme: Theme, isShown: boolean): void {
        const { camera, middle } = frame;
        const margin = Math.max(frame.width, frame.height) / camera.scale;
        for (let i = 0; i < list.length; ++i) {
            const kind = list.kind(i);
            const points = list.points(i);
            if (points.length === 0) continue;
            const color = list.color(i);
            const alpha = list.alpha(i);
            const size = list.size(i);
            if (kind === ShapeKind.label) {
                if (isShown) this.label(list.text(i), points[0]!, points[1]!, size, color, alpha, frame);
                continue;
            }
            if (kind === ShapeKind.circle || kind === ShapeKind.disc) {
                const [x, y] = points as unknown as [number, number];
                if (Math.abs(x - middle.x) > margin + size || Math.abs(y - middle.y) > margin + size) continue;
                if (kind === ShapeKind.disc && isShown) theme.disc?.(graphics, x, y, size, color, i, frame);
                roundCircle(graphics, x, y, Math.max(size, 0.7 / camera.scale), camera.scale);
                if (kind === ShapeKind.disc) graphics.fill({ color, alpha });
                else graphics.stroke({ color, alpha, width: Math.max(thinnest / camera.scale, 0) });
                continue;
            }
            if (kind === ShapeKind.polygon) {
                graphics.poly(Array.from(points), true).fill({ color, alpha });
                continue;
            }
            graphics.moveTo(points[0]!, points[1]!);
            for (let at = 2; at < points.length; at += 2) graphics.lineTo(points[at]!, points[at + 1]!);
            graphics.stroke({ color, alpha, width: Math.max(size, thinnest / camera.scale), cap: 'round', join: 'round' });
        }
    }
    private label(text: string, x: number, y: number, size: number, color: number, alpha: number, frame: Frame, largest = largestLabel): void {
        const { camera, width, height } = frame;
        const { x: px, y: py } = camera.toScreen(x, y);
        if (px < -80 || py < -40 || px > width + 80 || py > height + 40) return;
        let shown = this.spare[this.used];
        if (!shown) {
            shown = new Text({ text, style: { fontFamily: 'system-ui, sans-serif', fontSize: labelSize, fontWeight: '600', fill: 0xffffff } });
            shown.anchor.set(0.5);
            this.spare.push(shown);
            this.labels.addChild(shown);
        }
        ++this.used;
        if (shown.text !== text) shown.text = text;
        shown.visible = true;
        shown.tint = color;
        shown.alpha = alpha;
        shown.position.set(px, py);
        shown.scale.set(Math.min(Math.max(size * camera.scale, smallestLabel), largest) / labelSize);
    }
}
