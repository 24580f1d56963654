// SPDX-License-Identifier: MIT
// The elements of a pool as they are drawn, each as one object for as long as it is drawn.
//
// A generation belongs to one element for ever, so it identifies an element across snapshots, keyframes and connections.
// Only an element that the own player's prediction has made since the newest snapshot may come back under another
// generation after a rollback; such elements are found again by where they are.

import { nested, Row, rowOf, type LayoutInfo, type PoolInfo, type Structs } from './fields.js';
import { Memory } from './memory.js';

// Words of 32 bits: the layout of state::PoolHeader and state::PoolIndex.
const headerWords = 4;
const headerNextGeneration = 3;
const indexWords = 3;
const indexGeneration = 2;
const noPlayer = 255;

/** One element of a pool. Its fields are properties too, unless they have one of these names. */
export interface Entity {
    /** The same while it is drawn; never another entity's. */
    readonly key: number;
    readonly pool: string;
    /** The handle's two numbers. Those of an entity that is only predicted may change. */
    readonly id: number;
    readonly generation: number;
    /** The slot of the player whose it is. */
    readonly owner: number | null;
    /** All of its fields. They are those of the drawn state; once it is gone, the last ones. */
    readonly fields: object;
    /** A copy. */
    toJSON(): object;
}

/** Where an entity lies, and in which frame it was seen there. */
class Spot extends Row {
    index = 0;
    frame = -1;
    isPredicted = false;
}

// Only these are properties of the object itself, which hide fields of the same name.
interface TrackedEntity extends Entity {
    [rowOf]: Spot;
    key: number;
    id: number;
    generation: number;
}

let lastKey = 0;
const none: TrackedEntity[] = []; // most frames add and remove nothing, and make no garbage

function entityClass(structs: Structs, info: PoolInfo): new (spot: Spot) => TrackedEntity {
    const Fields = structs.classOf(info.struct);
    const owner = info.owner ? structs.reader(info.struct, info.owner) : () => noPlayer;
    class PoolEntity extends Fields {
        readonly key = ++lastKey;
        id = 0;
        generation = 0;

        get pool(): string {
            return info.name;
        }
        get owner(): number | null {
            const slot = owner(this[rowOf]);
            return slot === noPlayer ? null : slot;
        }
        override toJSON(): object {
            const { key, pool, id, generation } = this;
            return { ...(super.toJSON() as object), key, pool, id, generation, owner: this.owner };
        }
    }
    Object.defineProperty(PoolEntity.prototype, 'fields', { get: nested(Fields, 0) });
    return PoolEntity as unknown as new (spot: Spot) => TrackedEntity;
}

export class Pool {
    /** In the order of the pool. Always the same array. */
    readonly entities: TrackedEntity[] = [];
    readonly onAdd = new Set<(entity: Entity) => void>();
    readonly onRemove = new Set<(entity: Entity) => void>();

    private readonly EntityOfPool: new (spot: Spot) => TrackedEntity;
    private readonly size: number;
    private readonly byGeneration = new Map<number, TrackedEntity>();
    private previous: TrackedEntity[] = [];
    private unknown: number[] = []; // indices of elements whose entity is not known yet
    private predicted: TrackedEntity[] = []; // of the last frame
    private x: ((row: Row) => number) | null = null;
    private y: ((row: Row) => number) | null = null;
    private copy = new Uint32Array(0); // of the elements, as last seen
    private copies: Memory;
    private frame = -1;

    constructor(structs: Structs, private layout: LayoutInfo, readonly number: number, private memory: Memory) {
        const info = this.info;
        this.EntityOfPool = entityClass(structs, info);
        this.size = structs.info(info.struct).size;
        this.copies = new Memory(this.copy as { buffer: ArrayBuffer });
        if (!info.position) return;
        this.x = structs.reader(info.struct, `${info.position}.x`);
        this.y = structs.reader(info.struct, `${info.position}.y`);
    }
    get info(): PoolInfo {
        return this.layout.pools[this.number]!;
    }
    find(generation: number): TrackedEntity | null {
        return this.byGeneration.get(generation) ?? null;
    }

    /** Reads which elements the drawn state at `block` has. `base`: where the prediction begins, or 0. */
    refresh(frame: number, block: number, base: number): void {
        if (frame === this.frame || block === 0) return;
        this.frame = frame;
        const { entities, previous, byGeneration, unknown, info } = this;
        const { u32 } = this.memory.current();
        const header = (this.layout.headers >>> 2) + this.number * headerWords;
        const count = u32[(block >>> 2) + header]!;
        const firstPredicted = base === 0 ? Infinity : u32[(base >>> 2) + header + headerNextGeneration]!;
        const rows = (block + info.index) >>> 2;
        previous.length = unknown.length = 0;
        for (const entity of entities) previous.push(entity);
        entities.length = count;
        for (let i = 0; i < count; ++i) {
            const id = u32[rows + i * indexWords]!;
            const entity = byGeneration.get(u32[rows + id * indexWords + indexGeneration]!);
            if (entity && !entity[rowOf].isPredicted) this.place(entity, i, id, block);
            else unknown.push(i);
        }
        if (this.predicted.length > 0) this.recognise(block, rows);
        for (const i of unknown) {
            const id = u32[rows + i * indexWords]!;
            const entity = new this.EntityOfPool(new Spot(this.memory, 0));
            this.name(entity, u32[rows + id * indexWords + indexGeneration]!);
            this.place(entity, i, id, block);
        }
        for (const entity of entities) {
            const isPredicted = (entity[rowOf].isPredicted = entity.generation >= firstPredicted);
            if (isPredicted) this.predicted.push(entity);
        }
        const isComplete = previous.length === count - unknown.length;
        const removed = isComplete ? none : previous.filter((entity) => entity[rowOf].frame !== frame);
        for (const entity of removed) {
            if (byGeneration.get(entity.generation) === entity) byGeneration.delete(entity.generation);
            this.keepLast(entity);
        }
        this.keepCopy(block, count);
        const added = unknown.length === 0 ? none : unknown.map((i) => entities[i]!);
        for (const entity of removed) this.onRemove.forEach((call) => call(entity));
        for (const entity of added) this.onAdd.forEach((call) => call(entity));
    }
    positionOf(entity: TrackedEntity): { x: number; y: number } | null {
        return this.x && this.y && { x: this.x(entity[rowOf]), y: this.y(entity[rowOf]) };
    }
    /** The stage closes: entities keep their last values until another one shows them. */
    detach(): void {
        for (const entity of this.entities) this.keepLast(entity);
    }
    /** The next stage shows another room, in which no entity is one of these. */
    forget(): void {
        this.byGeneration.clear();
        this.predicted.length = 0;
    }

    private place(entity: TrackedEntity, index: number, id: number, block: number): void {
        const spot = entity[rowOf];
        spot.memory = this.memory;
        spot.at = block + this.info.elements + index * this.size;
        spot.index = index;
        spot.frame = this.frame;
        entity.id = id;
        this.entities[index] = entity;
    }
    private name(entity: TrackedEntity, generation: number): void {
        entity.generation = generation;
        this.byGeneration.set(generation, entity);
    }
    private keepLast(entity: TrackedEntity): void {
        const spot = entity[rowOf];
        if (spot.memory !== this.memory) return;
        const first = spot.index * this.size;
        spot.memory = new Memory({ buffer: this.copy.buffer.slice(first, first + this.size) as ArrayBuffer });
        spot.at = 0;
    }
    // Word by word: a typed array's set() would need another view of the memory in each frame.
    private keepCopy(block: number, count: number): void {
        const words = (count * this.size) >>> 2;
        if (this.copy.length < words) {
            this.copy = new Uint32Array(words * 2);
            this.copies = new Memory(this.copy as { buffer: ArrayBuffer });
        }
        const { copy } = this;
        const { u32 } = this.memory;
        const first = (block + this.info.elements) >>> 2;
        for (let i = 0; i < words; ++i) copy[i] = u32[first + i]!;
    }

    // The elements that the prediction had made, nearest pairs first. They have moved by a frame, and by a correction.
    private recognise(block: number, rows: number): void {
        const { predicted, unknown } = this;
        const { u32 } = this.memory;
        for (const entity of predicted)
            if (this.byGeneration.get(entity.generation) === entity) this.byGeneration.delete(entity.generation);
        const limit = this.layout.teleport_distance || Infinity;
        const here = new Row(this.memory, 0);
        const last = new Row(this.copies, 0);
        while (predicted.length > 0 && unknown.length > 0) {
            let least = Infinity;
            let which = 0;
            let where = 0;
            for (let p = 0; p < predicted.length; ++p)
                for (let u = 0; u < unknown.length; ++u) {
                    const distance = this.distance(predicted[p]!, unknown[u]!, block, rows, last, here);
                    if (distance < least) [least, which, where] = [distance, p, u];
                }
            if (!(least <= limit)) break;
            const entity = predicted[which]!;
            const index = unknown[where]!;
            const id = u32[rows + index * indexWords]!;
            this.name(entity, u32[rows + id * indexWords + indexGeneration]!);
            this.place(entity, index, id, block);
            predicted.splice(which, 1);
            unknown.splice(where, 1);
        }
        predicted.length = 0;
    }
    private distance(entity: TrackedEntity, index: number, block: number, rows: number, last: Row, here: Row): number {
        if (!this.x || !this.y) {
            const { u32 } = this.memory;
            return Math.abs(u32[rows + u32[rows + index * indexWords]! * indexWords + indexGeneration]! - entity.generation) / 2 ** 32;
        }
        last.at = entity[rowOf].index * this.size;
        here.at = block + this.info.elements + index * this.size;
        return Math.hypot(this.x(here) - this.x(last), this.y(here) - this.y(last));
    }
}
