// SPDX-License-Identifier: MIT
// What a page looks at: a room on a server, a match of its own, or a recorded one.
//
//     stage.setPad(pad); stage.advance(performance.now() / 1000); draw(stage.draw());

import { DrawList } from './draw_list.js';
import type { Core } from './module.js';
import type { Drop, Entity, Happening, Pad, Player, Setup, Statistics, ToldHash, Totals } from './types.js';

const mostTicks = 10_000; // that the module takes at once

export interface Place {
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
    /** To this time, in seconds of any clock that only moves forward. */
    advance(now: number): void {
        this.core.exports.advance(this.number, now);
    }
    /** Shows what was that many seconds ago, and stays there; 0: now again. Play goes on meanwhile. */
    lookBack(seconds: number, now: number): void {
        this.core.exports.look_back(this.number, seconds, now);
    }
    draw(): DrawList {
        return new DrawList(this.core, this.core.exports.draw(this.number));
    }
    /** Where the own player is, or the one that is followed; null: nowhere. */
    ownPlace(): Place | null {
        const [slot, isSomewhere, x, y] = this.core.numbers(this.core.exports.own_place(this.number), 4);
        return isSomewhere ? { slot: slot!, x: x!, y: y! } : null;
    }
    /** The own player's number, or that of the one who is followed; null: there is none yet. */
    ownSlot(): number | null {
        const [slot] = this.core.numbers(this.core.exports.own_place(this.number), 1);
        return slot! >= 0 ? slot! : null;
    }
    /** The best first. */
    players(): Player[] {
        return this.core.json(this.core.exports.players(this.number));
    }
    /** All that happened since the last call. */
    takeEvents(): Happening[] {
        return this.core.json(this.core.exports.take_events(this.number));
    }
    findEntity(x: number, y: number, reach: number): Entity | null {
        const length = this.core.exports.find_entity(this.number, x, y, reach);
        return length > 0 ? this.core.json(length) : null;
    }
    /** The same entity as it is now; null: it is gone. */
    look(entity: Entity): Entity | null {
        const length = this.core.exports.describe_entity(this.number, entity.number, entity.id, entity.generation);
        return length > 0 ? this.core.json(length) : null;
    }
    close(): void {
        this.core.exports.close_stage(this.number);
        this.number = 0;
    }
}

/** A room on a server. Sockets are somebody else's: see connect.ts. */
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
    /** The next message, to be sent at once; null: none by now. Ask until there is none. */
    speak(now: number): Uint8Array<ArrayBuffer> | null {
        const length = this.core.exports.speak(this.number, now);
        return length > 0 ? this.core.message(length) : null;
    }
    /** Makes the line worse: seconds of round trip, seconds of jitter, the part of messages that is lost. */
    setLink(latency: number, jitter: number, loss: number): void {
        this.core.exports.set_link(this.number, latency, jitter, loss);
    }
    /** Why this room is not for us; empty if it is. */
    refusal(): string {
        return this.core.text(this.core.exports.refusal(this.number));
    }
    /** What the server last told, beside what is predicted. */
    drawGhost(): DrawList {
        return new DrawList(this.core, this.core.exports.draw_ghost(this.number));
    }
    statistics(now: number): Statistics {
        const values = this.core.numbers(this.core.exports.statistics(this.number, now), this.names.length);
        return Object.fromEntries(this.names.map((name, i) => [name, values[i]!])) as unknown as Statistics;
    }
    toldHash(): ToldHash | null {
        const length = this.core.exports.told_hash(this.number);
        return length > 0 ? this.core.json(length) : null;
    }
}

/** A match in the page alone. */
export class LocalStage extends Stage {
    /** 1 is the world's own speed, 0 stands still. */
    setSpeed(speed: number): void {
        this.core.exports.set_speed(this.number, speed);
    }
    step(ticks = 1): void {
        if (!Number.isInteger(ticks) || ticks < 0) throw new Error(`${ticks} is no number of ticks`);
        for (let left = ticks; left > 0; left -= mostTicks) this.core.exports.step_ticks(this.number, Math.min(left, mostTicks));
    }
    /** Up to ten seconds, for good. */
    rewind(seconds: number): void {
        this.core.exports.rewind(this.number, seconds);
    }
    setBots(count: number): void {
        this.core.exports.set_bots(this.number, count);
    }
    /** Goes on by another level's rules. Throws with the reason if it cannot. */
    retune(level: Level): void {
        this.core.expect(this.core.exports.retune(this.number, level.number));
    }
    /** These three throw with the reason if nothing legal would come of it. */
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
    /** What can be dropped into a match of this level, whose JSON it is given. */
    drops(levelJson: string): Drop[] {
        this.core.prepareText(levelJson);
        return this.core.json(this.core.exports.describe_drops(this.number));
    }
    /** One more bot, whose body is put there; it joins like anybody, and so a tick passes. */
    dropBot(x: number, y: number): void {
        this.core.expect(this.core.exports.drop_bot(this.number, x, y));
    }
    /** One more like the newest of this pool, whether or not that is still there. */
    dropCopy(pool: number, x: number, y: number): void {
        this.core.expect(this.core.exports.drop_copy(this.number, pool, x, y));
    }
    /** Another stage: the same match in a level that lists one body more, and without its past. This one stays open. */
    grown(level: Level, x: number, y: number): LocalStage {
        return new LocalStage(this.core, this.core.expect(this.core.exports.grow(this.number, level.number, x, y)));
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
    last_tick: number;
    breaks_off: boolean;
    /** Why it does not go on; empty if it does, or has come to its end. */
    trouble: string;
}

/** A match that was recorded; every tick's hash is compared as it plays. */
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

/** A level that is loaded and can be opened any number of times. */
export class Level {
    constructor(private core: Core, public number: number) {}

    describe(): Setup {
        return this.core.json(this.core.exports.describe_level(this.number));
    }
    openRemote(): RemoteStage {
        return new RemoteStage(this.core, this.core.expect(this.core.exports.open_remote(this.number)));
    }
    openLocal(seed: number, bots: number): LocalStage {
        if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`${seed} is no seed: a whole number from 0 to 2^53 is`);
        return new LocalStage(this.core, this.core.expect(this.core.exports.open_local(this.number, seed, bots)));
    }
    forget(): void {
        this.core.exports.forget_level(this.number);
        this.number = 0; // it may be another's by now
    }
}
