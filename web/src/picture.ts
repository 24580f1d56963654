// SPDX-License-Identifier: MIT
// Draws a list of shapes on a small canvas: the previews of the start page and the pictures of recordings. The stage
// of a match has PixiJS, which wants a WebGL context of its own for every canvas.

import { ShapeKind, type DrawList, type Setup } from 'instep';
import { themeOf } from './look.js';

const thinnest = 1; // px
const hex = (color: number) => `#${color.toString(16).padStart(6, '0')}`;

/** The part of the plane that a picture shows; it is as wide as the canvas allows. */
export interface Window { x: number; y: number; height: number }

/** As high as the world is shown in play, around the best player: the whole of a large level would be specks. */
export function windowOf(setup: Setup, players: { x?: number; y?: number }[], { width, height: tall }: HTMLCanvasElement): Window {
    const [lowX, lowY, highX, highY] = setup.view;
    const whole = Math.max(highY - lowY, ((highX - lowX) * tall) / width);
    const height = Math.min(themeOf(setup.world).height || whole, whole);
    const { x, y } = players.find((player) => player.x !== undefined) ?? {};
    const within = (at: number | undefined, low: number, high: number, half: number) =>
        at === undefined || high - low < 2 * half ? (low + high) / 2 : Math.min(Math.max(at, low + half), high - half);
    return { x: within(x, lowX, highX, (height * width) / tall / 2), y: within(y, lowY, highY, height / 2), height };
}

export function drawPicture(canvas: HTMLCanvasElement, list: DrawList, setup: Setup, { x: middleX, y: middleY, height: tall }: Window): void {
    const context = canvas.getContext('2d')!;
    const { width, height } = canvas;
    const scale = height / tall;
    const flip = setup.y_up ? -1 : 1;
    const [dx, dy] = [width / 2 - middleX * scale, height / 2 - middleY * scale * flip];
    context.globalAlpha = 1;
    context.fillStyle = hex(themeOf(setup.world).background);
    context.fillRect(0, 0, width, height);
    context.lineCap = context.lineJoin = 'round';
    for (let i = 0; i < list.length; ++i) {
        const kind = list.kind(i);
        const points = list.points(i);
        if (kind === ShapeKind.label || points.length === 0) continue;
        const size = list.size(i) * scale;
        context.globalAlpha = list.alpha(i);
        context.fillStyle = context.strokeStyle = hex(list.color(i));
        context.beginPath();
        if (kind === ShapeKind.circle || kind === ShapeKind.disc)
            context.arc(points[0]! * scale + dx, points[1]! * scale * flip + dy, Math.max(size, 0.7), 0, 2 * Math.PI);
        else for (let at = 0; at < points.length; at += 2) context.lineTo(points[at]! * scale + dx, points[at + 1]! * scale * flip + dy);
        if (kind === ShapeKind.disc || kind === ShapeKind.polygon) {
            context.fill();
            continue;
        }
        context.lineWidth = Math.max(kind === ShapeKind.circle ? 0 : size, thinnest);
        context.stroke();
    }
}
