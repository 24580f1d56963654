// SPDX-License-Identifier: MIT
// The shapes to draw, read directly from the module's memory: circles, polygons, polylines and labels in world units,
// back to front. Each knows the entity that it is a picture of. Valid until the next call of the module.

import type { Entity, Pool } from './entities.js';
import type { Core } from './module.js';

export const ShapeKind = { circle: 0, disc: 1, polygon: 2, polyline: 3, label: 4 } as const;

const wordsPerShape = 14; // of 32 bits, the layout of contract::Shape
const noPool = 0xffffffff;
const decoder = new TextDecoder();

export class DrawList {
    private words: Uint32Array;
    private sizes: Float64Array;
    private coordinates: Float64Array;
    private letters: Uint8Array;

    /** `pools`: to find entities in. */
    constructor(core: Core, readonly length: number, private pools: () => readonly Pool[]) {
        const { memory, shapes, points, point_count, letters, letter_count } = core.exports;
        this.words = new Uint32Array(memory.buffer, shapes(), length * wordsPerShape);
        this.sizes = new Float64Array(memory.buffer, shapes(), (length * wordsPerShape) / 2);
        this.coordinates = new Float64Array(memory.buffer, points(), point_count() * 2);
        this.letters = new Uint8Array(memory.buffer, letters(), letter_count());
    }

    kind(shape: number): number {
        return this.words[shape * wordsPerShape]!;
    }
    /** 0xRRGGBB */
    color(shape: number): number {
        const word = this.words[shape * wordsPerShape + 1]!;
        return ((word & 0xff) << 16) | (word & 0xff00) | ((word >>> 16) & 0xff);
    }
    /** 0 to 1 */
    alpha(shape: number): number {
        return (this.words[shape * wordsPerShape + 1]! >>> 24) / 255;
    }
    /** Radius of a circle or disc, width of a line, height of a label; world units. */
    size(shape: number): number {
        return this.sizes[(shape * wordsPerShape) / 2 + 3]!;
    }
    /** x, y, x, y, ... */
    points(shape: number): Float64Array {
        const first = this.words[shape * wordsPerShape + 2]!;
        const count = this.words[shape * wordsPerShape + 3]!;
        return this.coordinates.subarray(first * 2, (first + count) * 2);
    }
    /** What it is a picture of; null for what belongs to the level, and for a state without this entity. */
    entity(shape: number): Entity | null {
        const pool = this.words[shape * wordsPerShape + 12]!;
        return pool === noPool ? null : this.pools()[pool]!.find(this.words[shape * wordsPerShape + 11]!);
    }
    /** The name of the entity's pool. */
    pool(shape: number): string | null {
        const pool = this.words[shape * wordsPerShape + 12]!;
        return pool === noPool ? null : this.pools()[pool]!.info.name;
    }
    /** The entity's, in rad: its first field that is an angle; 0 if it has none. */
    angle(shape: number): number {
        return this.sizes[(shape * wordsPerShape) / 2 + 4]!;
    }
    text(shape: number): string {
        const first = this.words[shape * wordsPerShape + 4]!;
        const count = this.words[shape * wordsPerShape + 5]!;
        return decoder.decode(this.letters.subarray(first, first + count));
    }
}
