// SPDX-License-Identifier: MIT
// The JSON that the module returns, as src/browser/describe.h documents it.

import type { Entity } from './entities.js';

export interface World {
    name: string;
    summary: string;
    levels: string[];
}

export type Control =
    | 'left' | 'right' | 'up' | 'down' | 'turn' | 'stick' | 'pointer' | 'aim' | 'go'
    | 'first' | 'second' | 'third' | 'fourth';

/** A constant of a world that a level may set. */
export interface Rule {
    path: string;
    value: number | boolean | null;
    integer: boolean;
    low: number | null;
    high: number | null;
    unit: string;
    note: string;
    labels?: string[];
}

export interface Setup {
    world: string;
    level: string;
    fingerprint: string;
    tick_rate: number;
    snapshot_every: number;
    most_players: number;
    y_up: boolean;
    /** The part of the plane to show: low x, low y, high x, high y. */
    view: [number, number, number, number];
    controls: { name: string; control: Control }[];
    /** One for each kind of event. */
    events: EventText[];
    rules: Rule[];
}

/** The text of an event: "$slot was hit[ by $by]". The part in brackets is left out if there is no such player. */
export interface EventText {
    kind: string;
    /** Empty for events that are too frequent to be listed. */
    text: string;
    mood: 'plain' | 'slight' | 'good' | 'hurt' | 'grave';
}

/** A body that can be dropped into a match: by a bot that joins, by the level, or as a copy of an earlier one. */
export interface Drop {
    name: string;
    method: 'bot' | 'level' | 'copy';
    pool?: number;
}

export interface Player {
    slot: number;
    name: string;
    score: number;
    x?: number;
    y?: number;
}

/** A predicted event is confirmed or cancelled later, under the same number. */
export interface EventNotice<Event = AnyWorld['event']> {
    status: 'predicted' | 'confirmed' | 'cancelled' | 'received';
    number: number;
    tick: number;
    event: Event;
}

/** An entity's fields at one time. */
export interface EntityCopy {
    pool: string;
    /** Index of the pool. */
    number: number;
    id: number;
    generation: number;
    fields: Record<string, unknown>;
}

/** Names one entity: an Entity, an EntityCopy, or a pool with a handle. */
export interface EntityRef {
    pool: string;
    id: number;
    generation: number;
}

/** The types of a world, as `instep types WORLD` writes them. */
export interface WorldTypes {
    head: object;
    pools: Record<string, Entity>;
    event: { readonly kind: string };
    input: object;
}

/** A world whose types are not known to the compiler. */
export interface AnyWorld extends WorldTypes {
    head: { readonly [field: string]: any };
    pools: Record<string, Entity & { readonly [field: string]: any }>;
    event: { readonly kind: string; readonly [field: string]: any };
    input: { readonly [field: string]: any };
}

/** The world W with only the events of kind K. */
export type WorldWithEvent<W extends WorldTypes, K extends string> = WorldTypes & { event: K extends '*' ? W['event'] : W['event'] & { readonly kind: K } };

/** The entity with these fields. */
export type EntityOf<Fields extends object> = Entity & { readonly fields: Fields } & Omit<Fields, keyof Entity>;

/** An array in a struct. */
export interface FixedArray<T> extends Iterable<T> {
    readonly length: number;
    readonly [index: number]: T;
}

/** All that is drawn: the head, and the entities of each pool. */
export type DrawnState<W extends WorldTypes> = { readonly head: W['head'] } & { readonly [P in keyof W['pools']]: readonly W['pools'][P][] };

/** A virtual gamepad: a stick (y is up on the screen), a pointer in world units, and buttons. */
export interface Pad {
    x: number;
    y: number;
    pointerX: number;
    pointerY: number;
    held: number;
}

/** Bits of Pad.held. */
export const Held = { first: 1, second: 2, third: 4, fourth: 8, pointerPressed: 16, pointerKnown: 32 } as const;

/** In the order of RemoteStage::statistic_names in src/browser/remote_stage.h. */
export const statisticNames = [
    'joined', 'room_time', 'round_trip', 'jitter', 'lead', 'wanted_lead', 'interpolation_delay', 'missing',
    'snapshot_tick', 'predicted_tick', 'snapshots', 'corrections', 'largest_correction', 'deepest_rollback',
    'desyncs', 'malformed', 'skipped_ticks', 'bytes_down', 'bytes_up',
] as const;
export type Statistics = Record<(typeof statisticNames)[number], number>;

/** The server where a room goes on ("ws://host:port"), and the room's name there. */
export interface Moved {
    address: string;
    room: string;
}

/** Of the replicated state, which server and client share. */
export interface ReplicatedHash {
    snapshot: number;
    tick: number;
    hash: string;
    desyncs: string[];
}

export interface Totals {
    tick: number;
    entities: number;
    energy: number;
    momentumX: number;
    momentumY: number;
}
