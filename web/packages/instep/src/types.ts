// SPDX-License-Identifier: MIT
// What the module tells about worlds, levels and states, as src/browser/describe.h writes it.

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
    whole: boolean;
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
    /** The part of the plane worth looking at: low x, low y, high x, high y. */
    view: [number, number, number, number];
    controls: { name: string; control: Control }[];
    /** One for each kind of event. */
    events: Telling[];
    rules: Rule[];
}

/** How an event is told: "$slot was hit[ by $by]". What is in brackets is left out where there is no such player. */
export interface Telling {
    kind: string;
    /** Empty: it happens too often for words. */
    words: string;
    mood: 'plain' | 'slight' | 'good' | 'hurt' | 'grave';
}

/** What can be dropped into a match: with a bot, into the level, or as a copy of one that is or was there. */
export interface Drop {
    name: string;
    way: 'bot' | 'level' | 'copy';
    pool?: number;
}

export interface Player {
    slot: number;
    name: string;
    score: number;
    x?: number;
    y?: number;
}

/** A predicted event is confirmed or taken back later, under the same number. */
export interface Happening {
    news: 'predicted' | 'confirmed' | 'taken_back' | 'told';
    number: number;
    tick: number;
    event: Record<string, unknown>;
}

export interface Entity {
    pool: string;
    /** Of the pool. */
    number: number;
    id: number;
    generation: number;
    fields: Record<string, unknown>;
}

/** What a player's hands do. The stick's y is up on the screen. */
export interface Pad {
    x: number;
    y: number;
    pointerX: number;
    pointerY: number;
    held: number;
}

export const Held = { first: 1, second: 2, third: 4, fourth: 8, pointerPressed: 16, pointerKnown: 32 } as const;

export interface Statistics {
    joined: number;
    room_time: number;
    round_trip: number;
    jitter: number;
    lead: number;
    wanted_lead: number;
    show_delay: number;
    missing: number;
    told_tick: number;
    predicted_tick: number;
    snapshots: number;
    corrections: number;
    largest_correction: number;
    deepest_rollback: number;
    desyncs: number;
    broken: number;
    skipped_ticks: number;
    bytes_down: number;
    bytes_up: number;
}

/** Of the state that both sides hold. */
export interface ToldHash {
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
