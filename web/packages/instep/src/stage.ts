// SPDX-License-Identifier: MIT
// A stage is what a page shows and drives: a room on a server, a match in the page, or a recorded match.
//
//     stage.setPad(pad); stage.advance(performance.now() / 1000); draw(stage.draw());

import { DrawList } from './draw_list.js';
import type { Core } from './module.js';
import type { Drop, Entity, EventNotice, Moved, Pad, Player, Setup, Statistics, ReplicatedHash, Totals } from './types.js';

const mostTicks = 10_000; // in one call of the module

export interface OwnPosition {
    slot: number;
    x: number;
    y: number;
}

export class Stage {
    constructor(protected core: Core, protected number: number) {}

    describe(): Setup {
        return this.core.json(this.core.exports.describe_stage(this.number));
    }
    setPad(pad: Pad): void {
        this.core.exports.set_pad(this.number, pad.x, pad.y, pad.pointerX, pad.pointerY, pad.held);
    }
    /** `now` is in seconds, of any clock that only moves forward. */
    advance(now: number): void {
        this.core.exports.advance(this.number, now);
    }
    /** Shows the state of that many seconds ago until it is called with 0. The match goes on meanwhile. */
    lookBack(seconds: number, now: number): void {
        this.core.exports.look_back(this.number, seconds, now);
    }
    draw(): DrawList {
        return new DrawList(this.core, this.core.exports.draw(this.number));
    }
    /** The position of the own or followed player; null if it has none. */
    ownPosition(): OwnPosition | null {
        const [slot, hasPosition, x, y] = this.core.numbers(this.core.exports.own_position(this.number), 4);
        return hasPosition ? { slot: slot!, x: x!, y: y! } : null;
    }
    /** The slot of the own or followed player; null before the first snapshot. */
    ownSlot(): number | null {
        const [slot] = this.core.numbers(this.core.exports.own_position(this.number), 1);
        return slot! >= 0 ? slot! : null;
    }
    /** Sorted by score. */
    players(): Player[] {
        return this.core.json(this.core.exports.players(this.number));
    }
    /** The events since the last call. */
    takeEvents(): EventNotice[] {
        return this.core.json(this.core.exports.take_events(this.number));
    }
    findEntity(x: number, y: number, reach: number): Entity | null {
        const length = this.core.exports.find_entity(this.number, x, y, reach);
        return length > 0 ? this.core.json(length) : null;
    }
    /** The entity's current fields; null if it no longer exists. */
    readEntity(entity: Entity): Entity | null {
        const length = this.core.exports.describe_entity(this.number, entity.number, entity.id, entity.generation);
        return length > 0 ? this.core.json(length) : null;
    }
    close(): void {
        this.core.exports.close_stage(this.number);
        this.number = 0;
    }
}

/** A room on a server. connect.ts has the socket. */
export class RemoteStage extends Stage {
    private names: (keyof Statistics)[];

    constructor(core: Core, number: number) {
        super(core, number);
        this.names = core.json(core.exports.statistic_names());
    }
    /** The first message to send. */
    hello(name: string): Uint8Array<ArrayBuffer> {
        this.core.prepareText(name);
        return this.core.message(this.core.exports.hello(this.number));
    }
    /** A message and when it arrived: the clock is only as exact as this time. */
    receive(message: Uint8Array, arrival: number): void {
        this.core.prepare(message);
        this.core.exports.receive(this.number, arrival);
    }
    /** The next message to send; null if no message is due. Call it until it returns null. */
    nextMessage(now: number): Uint8Array<ArrayBuffer> | null {
        const length = this.core.exports.next_message(this.number, now);
        return length > 0 ? this.core.message(length) : null;
    }
    /** The simulated link: added seconds of round trip and of jitter, and the share of messages that is lost. */
    setLink(latency: number, jitter: number, loss: number): void {
        this.core.exports.set_link(this.number, latency, jitter, loss);
    }
    /** Why the client cannot join this room; empty if it can. */
    refusal(): string {
        return this.core.text(this.core.exports.refusal(this.number));
    }
    /** With it the server gives the player back over another connection; empty before the welcome. */
    resumeTicket(): string {
        return this.core.text(this.core.exports.resume_ticket(this.number));
    }
    /** Where the room goes on; null: here. */
    moved(): Moved | null {
        const length = this.core.exports.moved(this.number);
        return length > 0 ? this.core.json(length) : null;
    }
    /** The same player over a new socket: prediction and drawing go on, and a hello comes next. */
    relink(): void {
        this.core.exports.relink(this.number);
    }
    /** The state of the last snapshot, without prediction. */
    drawGhost(): DrawList {
        return new DrawList(this.core, this.core.exports.draw_ghost(this.number));
    }
    statistics(now: number): Statistics {
        const values = this.core.numbers(this.core.exports.statistics(this.number, now), this.names.length);
        return Object.fromEntries(this.names.map((name, i) => [name, values[i]!])) as unknown as Statistics;
    }
    replicatedHash(): ReplicatedHash | null {
        const length = this.core.exports.replicated_hash(this.number);
        return length > 0 ? this.core.json(length) : null;
    }
}

/** A match that runs in the page. */
export class LocalStage extends Stage {
    /** 1 is the world's tick rate, 0 pauses. */
    setSpeed(speed: number): void {
        this.core.exports.set_speed(this.number, speed);
    }
    step(ticks = 1): void {
        if (!Number.isInteger(ticks) || ticks < 0) throw new Error(`${ticks} is not a number of ticks`);
        for (let left = ticks; left > 0; left -= mostTicks) this.core.exports.step_ticks(this.number, Math.min(left, mostTicks));
    }
    /** Up to ten seconds back; discards what came after. */
    rewind(seconds: number): void {
        this.core.exports.rewind(this.number, seconds);
    }
    setBots(count: number): void {
        this.core.exports.set_bots(this.number, count);
    }
    /** Goes on with another level's rules. Throws if its states have another layout. */
    changeRules(level: Level): void {
        this.core.expect(this.core.exports.change_rules(this.number, level.number));
    }
    /** These three throw if the result would not be a legal state. */
    move(entity: Entity, x: number, y: number): void {
        const { number, id, generation } = entity;
        this.core.expect(this.core.exports.move_entity(this.number, number, id, generation, x, y));
    }
    copy(entity: Entity, x: number, y: number): void {
        const { number, id, generation } = entity;
        this.core.expect(this.core.exports.copy_entity(this.number, number, id, generation, x, y));
    }
    remove(entity: Entity): void {
        const { number, id, generation } = entity;
        this.core.expect(this.core.exports.remove_entity(this.number, number, id, generation));
    }
    /** The bodies that can be dropped into a match of this level. */
    drops(levelJson: string): Drop[] {
        this.core.prepareText(levelJson);
        return this.core.json(this.core.exports.describe_drops(this.number));
    }
    /** Adds a bot and moves its body there. This plays one tick, in which the bot joins. */
    dropBot(x: number, y: number): void {
        this.core.expect(this.core.exports.drop_bot(this.number, x, y));
    }
    /** Adds a copy of the newest element that this pool has had. */
    dropCopy(pool: number, x: number, y: number): void {
        this.core.expect(this.core.exports.drop_copy(this.number, pool, x, y));
    }
    /** Opens another stage: this match in a level that lists one more body, without the history. This stage stays open. */
    withAddedBody(level: Level, x: number, y: number): LocalStage {
        return new LocalStage(this.core, this.core.expect(this.core.exports.add_body(this.number, level.number, x, y)));
    }
    bots(): number {
        return this.core.exports.bots(this.number);
    }
    totals(): Totals {
        const [tick, entities, energy, momentumX, momentumY] = this.core.numbers(this.core.exports.totals(this.number), 5);
        return { tick: tick!, entities: entities!, energy: energy!, momentumX: momentumX!, momentumY: momentumY! };
    }
    hash(): string {
        return this.core.text(this.core.exports.local_hash(this.number));
    }
}

export interface RecordingState {
    tick: number;
    /** Of the state that the recording begins with: 0, unless it begins in the middle of a match. */
    first_tick: number;
    last_tick: number;
    breaks_off: boolean;
    /** Why the replay stopped; empty while it plays and at its end. */
    error: string;
}

/** A recorded match; every tick's hash is compared while it plays. */
export class RecordedStage extends Stage {
    setSpeed(speed: number): void {
        this.core.exports.set_speed(this.number, speed);
    }
    goTo(tick: number): void {
        this.core.exports.go_to(this.number, tick);
    }
    follow(slot: number): void {
        this.core.exports.follow(this.number, slot);
    }
    state(): RecordingState {
        return this.core.json(this.core.exports.describe_recording(this.number));
    }
}

/** A loaded level; it can be opened any number of times. */
export class Level {
    constructor(private core: Core, public number: number) {}

    describe(): Setup {
        return this.core.json(this.core.exports.describe_level(this.number));
    }
    openRemote(): RemoteStage {
        return new RemoteStage(this.core, this.core.expect(this.core.exports.open_remote(this.number)));
    }
    openLocal(seed: number, bots: number): LocalStage {
        if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`${seed} is not a seed: expected an integer from 0 to 2^53`);
        return new LocalStage(this.core, this.core.expect(this.core.exports.open_local(this.number, seed, bots)));
    }
    unload(): void {
        this.core.exports.unload_level(this.number);
        this.number = 0; // the module may reuse the number
    }
}
