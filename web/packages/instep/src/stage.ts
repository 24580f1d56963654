// SPDX-License-Identifier: MIT
// A stage is what a page shows and drives: a room on a server, a match in the page, or a recorded match.
//
//     stage.setPad(pad); stage.advance(performance.now() / 1000); draw(stage.draw());

import { DrawList } from './draw_list.js';
import type { Core } from './module.js';
import { Tracker, type EventListener } from './tracker.js';
import type {
    AnyWorld, DrawnState, Drop, EntityCopy, EntityRef, EventNotice, Moved, Pad, Player, ReplicatedHash, Setup,
    Statistics, Totals, WorldTypes, WorldWithEvent,
} from './types.js';

const mostTicks = 10_000; // in one call of the module

export interface OwnPosition {
    slot: number;
    x: number;
    y: number;
}

/** `W`: the types that `instep types WORLD` writes. */
export class Stage<W extends WorldTypes = AnyWorld> {
    private known: Tracker | null = null;

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
        this.changed();
    }
    /** Shows the state of that many seconds ago until it is called with 0. The match goes on meanwhile. */
    lookBack(seconds: number, now: number): void {
        this.core.exports.look_back(this.number, seconds, now);
    }

    /** All that is drawn, by pool: `stage.state.players[0]`. It is read where it lies; keep no value of it, but entities. */
    get state(): DrawnState<W> {
        return this.tracker().state as unknown as DrawnState<W>;
    }
    /** The entities of a pool as they are drawn: interpolated, predicted, or as recorded. An entity is the same object in
     *  each frame, and the array is the same array. Empty before the first snapshot. */
    entities<P extends keyof W['pools'] & string>(pool: P): readonly W['pools'][P][] {
        return this.tracker().entities(pool) as unknown as readonly W['pools'][P][];
    }
    /** The entity that a handle refers to: a field of another one, for example. */
    find<P extends keyof W['pools'] & string>(pool: P, handle: { generation: number }): W['pools'][P] | null {
        this.tracker().entities(pool);
        return this.tracker().pool(pool).find(handle.generation) as unknown as W['pools'][P] | null;
    }
    /** Calls once for each entity of the pool: those that are drawn now, and later each that appears. Returns what ends it. */
    onAdd<P extends keyof W['pools'] & string>(pool: P, call: (entity: W['pools'][P]) => void): () => void {
        return this.tracker().onAdd(pool, call);
    }
    /** Calls once for each entity that is no longer drawn. It has its last fields. */
    onRemove<P extends keyof W['pools'] & string>(pool: P, call: (entity: W['pools'][P]) => void): () => void {
        return this.tracker().onRemove(pool, call);
    }
    /** Calls once for each event of this kind, or of all kinds ('*'), when its time is drawn. `cancelled` is called for one
     *  that was predicted and did not happen. With listeners takeEvents() returns nothing. */
    onEvent<K extends W['event']['kind'] | '*'>(
        kind: K, call: EventListener<WorldWithEvent<W, K>>, cancelled?: EventListener<WorldWithEvent<W, K>>,
    ): () => void {
        return this.tracker().onEvent(kind, call, cancelled);
    }

    draw(): DrawList {
        return new DrawList(this.core, this.core.exports.draw(this.number), () => this.tracker().current());
    }
    /** The position of the own or followed player; null if it has none. */
    ownPosition(): OwnPosition | null {
        const slot = this.ownSlot();
        const at = slot === null ? null : this.tracker().positionOf(slot);
        return at && { slot: slot!, ...at };
    }
    /** The slot of the own or followed player; null before the first snapshot. */
    ownSlot(): number | null {
        const slot = this.core.exports.own_slot(this.number);
        return slot >= 0 ? slot : null;
    }
    /** Sorted by score. */
    players(): Player[] {
        if (this.number === 0) return [];
        const players = this.tracker().entities('players').map(({ slot, name, score }) => ({ slot, name, score, ...this.tracker().positionOf(slot) }) as Player);
        return players.sort((a, b) => b.score - a.score || a.slot - b.slot);
    }
    /** The events since the last call, also of times that are not drawn yet. */
    takeEvents(): EventNotice<W['event']>[] {
        return this.number === 0 ? [] : (this.tracker().takeEvents() as EventNotice<W['event']>[]);
    }
    /** The entity nearest to a point. */
    findEntity(x: number, y: number, reach: number): EntityCopy | null {
        return this.number === 0 ? null : this.tracker().nearest(x, y, reach);
    }
    /** The entity's current fields; null if it no longer exists. */
    readEntity(entity: EntityRef): EntityCopy | null {
        return this.number === 0 ? null : this.tracker().copyOf(entity);
    }
    close(): void {
        this.known?.detach();
        this.core.exports.close_stage(this.number);
        this.number = 0;
    }
    /** Goes on with the listeners and entities of a stage that was closed, if that had any. */
    goOnFrom(other: Stage<W>, isSameRoom: boolean): void {
        this.known = other.known;
        this.known?.attach(this.number, isSameRoom);
    }

    /** The drawn state is another one. */
    protected changed(): void {
        this.known?.changed();
    }
    protected tracker(): Tracker {
        return (this.known ??= new Tracker(this.core, this.number));
    }
}

export const emotes = ['wave', 'laugh', 'cheer', 'wow', 'sad'] as const;
export type Emote = (typeof emotes)[number];
export interface Said {
    /** The player's. */
    slot: number;
    /** Empty if it is an emote. */
    text: string;
    emote: Emote | null;
}

/** A room on a server. connect.ts has the socket. */
export class RemoteStage<W extends WorldTypes = AnyWorld> extends Stage<W> {
    private names: (keyof Statistics)[];

    constructor(core: Core, number: number) {
        super(core, number);
        this.names = core.json(core.exports.statistic_names());
    }
    /** The first message to send. */
    hello(name: string): Uint8Array {
        this.core.prepareText(name);
        return this.core.message(this.core.exports.hello(this.number));
    }
    /** A message and when it arrived: the clock is only as exact as this time. */
    receive(message: Uint8Array, arrival: number): void {
        this.core.prepare(message);
        this.core.exports.receive(this.number, arrival);
    }
    /** The next message to send; null if no message is due. Call it until it returns null. */
    nextMessage(now: number): Uint8Array | null {
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
    /** Why the room stands still, as the server said; empty: it plays. Show it as text, never as HTML. */
    notice(): string {
        return this.core.text(this.core.exports.notice(this.number));
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
    /** A line of chat, of at most 120 bytes. False: it is empty, or too much is waiting to be sent. */
    say(text: string): boolean {
        this.core.prepareText(text);
        return this.core.exports.say(this.number, 0) > 0;
    }
    emote(emote: Emote): boolean {
        return this.core.exports.say(this.number, emotes.indexOf(emote) + 1) > 0;
    }
    /** What players said, one after the other; null: no more. Show it as text, never as HTML. */
    nextSaid(): Said | null {
        const length = this.core.exports.next_said(this.number);
        if (length === 0) return null;
        const { slot, emote, text } = this.core.json<{ slot: number; emote: number; text: string }>(length);
        return { slot, text, emote: emotes[emote - 1] ?? null };
    }
    /** The state of the last snapshot, without prediction; of the shown time while the stage looks back. */
    drawGhost(): DrawList {
        return new DrawList(this.core, this.core.exports.draw_ghost(this.number), () => this.tracker().current());
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
export class LocalStage<W extends WorldTypes = AnyWorld> extends Stage<W> {
    /** 1 is the world's tick rate, 0 pauses. */
    setSpeed(speed: number): void {
        this.core.exports.set_speed(this.number, speed);
    }
    step(ticks = 1): void {
        if (!Number.isInteger(ticks) || ticks < 0) throw new Error(`${ticks} is not a number of ticks`);
        for (let left = ticks; left > 0; left -= mostTicks) this.core.exports.step_ticks(this.number, Math.min(left, mostTicks));
        this.changed();
    }
    /** Up to ten seconds back; discards what came after. */
    rewind(seconds: number): void {
        this.core.exports.rewind(this.number, seconds);
        this.changed();
    }
    setBots(count: number): void {
        this.core.exports.set_bots(this.number, count);
    }
    /** Goes on with another level's rules. Throws if its states have another layout. */
    changeRules(level: Level<any>): void {
        this.core.expect(this.core.exports.change_rules(this.number, level.number));
    }
    /** These three throw if the result would not be a legal state. */
    move(entity: EntityRef, x: number, y: number): void {
        this.edited(this.core.exports.move_entity(this.number, this.poolOf(entity), entity.id, entity.generation, x, y));
    }
    copy(entity: EntityRef, x: number, y: number): void {
        this.edited(this.core.exports.copy_entity(this.number, this.poolOf(entity), entity.id, entity.generation, x, y));
    }
    remove(entity: EntityRef): void {
        this.edited(this.core.exports.remove_entity(this.number, this.poolOf(entity), entity.id, entity.generation));
    }
    /** The bodies that can be dropped into a match of this level. */
    drops(levelJson: string): Drop[] {
        this.core.prepareText(levelJson);
        return this.core.json(this.core.exports.describe_drops(this.number));
    }
    /** Adds a bot and moves its body there. This plays one tick, in which the bot joins. */
    dropBot(x: number, y: number): void {
        this.edited(this.core.exports.drop_bot(this.number, x, y));
    }
    /** Adds a copy of the newest element that this pool has had. */
    dropCopy(pool: number, x: number, y: number): void {
        this.edited(this.core.exports.drop_copy(this.number, pool, x, y));
    }
    /** Opens another stage: this match in a level that lists one more body, without the history. This stage stays open. */
    withAddedBody(level: Level<W>, x: number, y: number): LocalStage<W> {
        return new LocalStage<W>(this.core, this.core.expect(this.core.exports.add_body(this.number, level.number, x, y)));
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

    private poolOf(entity: EntityRef): number {
        return this.tracker().pool(entity.pool).number;
    }
    private edited(answer: number): void {
        this.core.expect(answer);
        this.changed();
    }
}

export interface RecordingProgress {
    tick: number;
    /** Of the state that the recording begins with: 0, unless it begins in the middle of a match. */
    first_tick: number;
    last_tick: number;
    breaks_off: boolean;
    /** Why the replay stopped; empty while it plays and at its end. */
    error: string;
}

/** A recorded match; every tick's hash is compared while it plays. */
export class RecordedStage<W extends WorldTypes = AnyWorld> extends Stage<W> {
    setSpeed(speed: number): void {
        this.core.exports.set_speed(this.number, speed);
    }
    goTo(tick: number): void {
        this.core.exports.go_to(this.number, tick);
        this.changed();
    }
    follow(slot: number): void {
        this.core.exports.follow(this.number, slot);
    }
    /** How far it has played. */
    progress(): RecordingProgress {
        return this.core.json(this.core.exports.describe_recording(this.number));
    }
}

/** A loaded level; it can be opened any number of times. */
export class Level<W extends WorldTypes = AnyWorld> {
    constructor(private core: Core, public number: number) {}

    describe(): Setup {
        return this.core.json(this.core.exports.describe_level(this.number));
    }
    openRemote(): RemoteStage<W> {
        return new RemoteStage<W>(this.core, this.core.expect(this.core.exports.open_remote(this.number)));
    }
    openLocal(seed: number, bots: number): LocalStage<W> {
        if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`${seed} is not a seed: expected an integer from 0 to 2^53`);
        return new LocalStage<W>(this.core, this.core.expect(this.core.exports.open_local(this.number, seed, bots)));
    }
    unload(): void {
        this.core.exports.unload_level(this.number);
        this.number = 0; // the module may reuse the number
    }
}
