// SPDX-License-Identifier: MIT
// The WebAssembly module: its exports, and how text and bytes go in and out. Only this folder uses it directly.

import { Memory } from './memory.js';

/** The exports of src/browser/module/exports.cpp. Addresses and sizes are numbers. */
export interface Exports {
    memory: { readonly buffer: ArrayBuffer };
    _initialize(): void;
    prepare(size: number): number;
    text(): number;
    message(): number;

    describe_worlds(): number;
    load_level(): number;
    unload_level(level: number): void;
    describe_level(level: number): number;
    level_text(): number;

    close_stage(stage: number): void;
    describe_stage(stage: number): number;
    set_pad(stage: number, x: number, y: number, pointerX: number, pointerY: number, held: number): void;
    advance(stage: number, now: number): void;
    look_back(stage: number, seconds: number, now: number): void;
    draw(stage: number): number;
    draw_ghost(stage: number): number;
    shapes(): number;
    points(): number;
    point_count(): number;
    letters(): number;
    letter_count(): number;
    describe_layout(stage: number): number;
    drawn_state(stage: number): number;
    predicted_from(stage: number): number;
    drawn_tick(stage: number): number;
    own_slot(stage: number): number;
    next_event(stage: number): number;

    open_remote(level: number): number;
    hello(stage: number): number;
    receive(stage: number, now: number): void;
    next_message(stage: number, now: number): number;
    set_link(stage: number, latency: number, jitter: number, loss: number): void;
    refusal(stage: number): number;
    notice(stage: number): number;
    resume_ticket(stage: number): number;
    moved(stage: number): number;
    relink(stage: number): void;
    say(stage: number, emote: number): number;
    next_said(stage: number): number;
    statistic_names(): number;
    statistics(stage: number, now: number): number;
    replicated_hash(stage: number): number;

    open_local(level: number, seed: number, bots: number): number;
    step_ticks(stage: number, ticks: number): void;
    rewind(stage: number, seconds: number): void;
    set_bots(stage: number, count: number): void;
    change_rules(stage: number, level: number): number;
    move_entity(stage: number, pool: number, id: number, generation: number, x: number, y: number): number;
    copy_entity(stage: number, pool: number, id: number, generation: number, x: number, y: number): number;
    remove_entity(stage: number, pool: number, id: number, generation: number): number;
    describe_drops(stage: number): number;
    level_with_body(x: number, y: number): number;
    add_body(stage: number, level: number, x: number, y: number): number;
    drop_bot(stage: number, x: number, y: number): number;
    drop_copy(stage: number, pool: number, x: number, y: number): number;
    bots(stage: number): number;
    totals(stage: number): number;
    local_hash(stage: number): number;

    open_recording(): number;
    describe_recording(stage: number): number;
    go_to(stage: number, tick: number): void;
    follow(stage: number, slot: number): void;
    set_speed(stage: number, speed: number): void;

    level_count(): number;
    record_chronicle(level: number): number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Core {
    /** For objects that read fields where they lie. */
    readonly memory: Memory;

    constructor(readonly exports: Exports) {
        exports._initialize();
        this.memory = new Memory(exports.memory);
    }

    /** Gives bytes to the next call. */
    prepare(bytes: Uint8Array): void {
        const address = this.exports.prepare(bytes.length);
        if (address === 0 && bytes.length > 0) throw new Error(`${bytes.length} bytes are above the limit of the module`);
        new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
    }
    prepareText(text: string): void {
        this.prepare(encoder.encode(text));
    }
    /** The text of the last call, of this length. */
    text(length: number): string {
        return decoder.decode(new Uint8Array(this.exports.memory.buffer, this.exports.text(), length));
    }
    json<T>(length: number): T {
        return JSON.parse(this.text(this.expect(length))) as T; // JSON is never empty
    }
    /** A copy, because the module reuses its memory. */
    message(length: number): Uint8Array {
        return new Uint8Array(this.exports.memory.buffer, this.exports.message(), length).slice();
    }
    numbers(address: number, count: number): Float64Array {
        if (address === 0) throw new Error('the stage is closed');
        return new Float64Array(this.exports.memory.buffer, address, count);
    }
    /** For calls that return 0 on failure. */
    expect(answer: number): number {
        if (answer === 0) throw new Error(this.lastError());
        return answer;
    }

    private lastError(): string {
        const bytes = new Uint8Array(this.exports.memory.buffer, this.exports.text());
        const end = bytes.indexOf(0);
        return decoder.decode(bytes.subarray(0, Math.min(end < 0 ? 0 : end, 2000)));
    }
}
