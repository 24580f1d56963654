// SPDX-License-Identifier: MIT
// Structs of the module's memory as objects whose fields are read where they lie: `ship.position.x` is one load from
// memory, and nothing is copied or made. The classes follow from the field lists, which the module describes.

import type { Memory } from './memory.js';

/** As src/browser/describe.h documents it. Offsets and sizes in bytes. */
export interface LayoutInfo {
    headers: number;
    teleport_distance: number;
    head: number;
    event: number;
    input: number;
    pools: PoolInfo[];
    structs: StructInfo[];
}
export interface PoolInfo {
    name: string;
    index: number;
    elements: number;
    struct: number;
    position: string;
    owner: string;
    follows_events: boolean;
}
export interface StructInfo {
    name: string;
    size: number;
    members: MemberInfo[];
}
export interface MemberInfo {
    name: string;
    offset: number;
    stride: number;
    kind?: number;
    struct?: number;
    count?: number;
    labels?: string[];
}

/** Where a struct lies now. */
export class Row {
    constructor(public memory: Memory, public at: number) {}
}

// Symbols, because fields may have any name.
export const rowOf = Symbol('row');
const offsetOf = Symbol('offset');

/** A struct, or an array, at an offset of a row. */
export class View {
    [rowOf]: Row;
    [offsetOf]: number;

    constructor(row: Row, offset = 0) {
        this[rowOf] = row;
        this[offsetOf] = offset;
    }
}
export type ViewClass = new (row: Row, offset?: number) => View & { toJSON(): unknown };

export type Read = (row: Row, offset: number) => number;

// By the number of a FieldKind in src/state/field.h.
const reads: (Read | undefined)[] = [
    ({ memory, at }, offset) => memory.u8[at + offset] ?? memory.renew().u8[at + offset]!, // boolean
    ({ memory, at }, offset) => memory.u8[at + offset] ?? memory.renew().u8[at + offset]!,
    ({ memory, at }, offset) => memory.u16[(at + offset) >>> 1] ?? memory.renew().u16[(at + offset) >>> 1]!,
    ({ memory, at }, offset) => memory.u32[(at + offset) >>> 2] ?? memory.renew().u32[(at + offset) >>> 2]!,
    ({ memory, at }, offset) => {
        const words = memory.current().u32;
        return words[(at + offset) >>> 2]! + words[((at + offset) >>> 2) + 1]! * 2 ** 32; // exact up to 2^53
    },
    ({ memory, at }, offset) => memory.i8[at + offset] ?? memory.renew().i8[at + offset]!,
    ({ memory, at }, offset) => memory.i16[(at + offset) >>> 1] ?? memory.renew().i16[(at + offset) >>> 1]!,
    ({ memory, at }, offset) => memory.i32[(at + offset) >>> 2] ?? memory.renew().i32[(at + offset) >>> 2]!,
    ({ memory, at }, offset) => {
        const now = memory.current();
        return now.u32[(at + offset) >>> 2]! + now.i32[((at + offset) >>> 2) + 1]! * 2 ** 32;
    },
    ({ memory, at }, offset) => memory.f32[(at + offset) >>> 2] ?? memory.renew().f32[(at + offset) >>> 2]!,
    ({ memory, at }, offset) => memory.f64[(at + offset) >>> 3] ?? memory.renew().f64[(at + offset) >>> 3]!,
];
const kindOf = { boolean: 0, text: 11 } as const;

const decoder = new TextDecoder();

/** Decodes a text only when its bytes have changed. */
function readText(cache: symbol, offset: number, size: number): (this: View) => string {
    return function (this: View): string {
        const caches = this as unknown as Record<symbol, { bytes: Uint8Array; text: string } | undefined>;
        const { memory, at } = this[rowOf];
        const { u8 } = memory.current();
        const first = at + this[offsetOf] + offset;
        const known = caches[cache];
        let same = known !== undefined;
        for (let i = 0; same && i < size; ++i) same = known!.bytes[i] === u8[first + i];
        if (same) return known!.text;
        const bytes = u8.slice(first, first + size);
        const end = bytes.indexOf(0);
        const text = decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
        caches[cache] = { bytes, text };
        return text;
    };
}

/** The classes of all structs of a layout. */
export class Structs {
    private classes: (ViewClass | undefined)[] = [];

    constructor(private all: StructInfo[]) {}

    info(struct: number): StructInfo {
        return this.all[struct]!;
    }
    classOf(struct: number): ViewClass {
        return (this.classes[struct] ??= this.makeClass(this.all[struct]!));
    }
    /** How to read the number at a path: "ship.position.x", "nodes[0].position.y". */
    reader(struct: number, path: string): (row: Row) => number {
        let info = this.all[struct]!;
        let offset = 0;
        for (const [, name, index] of path.matchAll(/([^.[\]]+)(?:\[(\d+)\])?/g)) {
            const member = info.members.find((each) => each.name === name);
            if (!member) throw new Error(`${info.name} has no field ${name}`);
            offset += member.offset + Number(index ?? 0) * member.stride;
            if (member.struct === undefined) {
                const read = reads[member.kind!]!;
                return (row) => read(row, offset);
            }
            info = this.all[member.struct]!;
        }
        throw new Error(`${path} is not a number of ${info.name}`);
    }

    private makeClass(info: StructInfo): ViewClass {
        const names = info.members.map((member) => member.name);
        class Struct extends View {
            toJSON(): unknown {
                return Object.fromEntries(names.map((name) => [name, plain((this as Record<string, unknown>)[name])]));
            }
        }
        for (const member of info.members)
            Object.defineProperty(Struct.prototype, member.name, {
                get: member.count === undefined ? this.getter(member, member.offset) : nested(this.arrayClass(member), member.offset),
                enumerable: true, configurable: true,
            });
        return Struct;
    }
    private arrayClass(member: MemberInfo): ViewClass {
        const count = member.count!;
        class Elements extends View {
            get length(): number {
                return count;
            }
            [Symbol.iterator](): Iterator<unknown> {
                return Array.prototype[Symbol.iterator].call(this);
            }
            toJSON(): unknown {
                return Array.from(this as Iterable<unknown>, plain);
            }
        }
        for (let i = 0; i < count; ++i)
            Object.defineProperty(Elements.prototype, i, { get: this.getter(member, i * member.stride), enumerable: true });
        return Elements;
    }
    private getter(member: MemberInfo, offset: number): (this: View) => unknown {
        if (member.struct !== undefined) return nested(this.classOf(member.struct), offset);
        const { kind, labels } = member;
        if (kind === kindOf.text) return readText(Symbol(member.name), offset, member.stride);
        const read = reads[kind!]!;
        if (labels) return function (this: View) { return labels[read(this[rowOf], this[offsetOf] + offset)]; };
        if (kind === kindOf.boolean) return function (this: View) { return read(this[rowOf], this[offsetOf] + offset) !== 0; };
        return function (this: View) { return read(this[rowOf], this[offsetOf] + offset); };
    }
}

/** A view inside another one, made when it is first asked for. */
export function nested(Inner: ViewClass, offset: number): (this: View) => View {
    const cache = Symbol('nested');
    return function (this: View): View {
        return ((this as unknown as Record<symbol, View>)[cache] ??= new Inner(this[rowOf], this[offsetOf] + offset));
    };
}

const plain = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && 'toJSON' in value ? (value as { toJSON(): unknown }).toJSON() : value;
