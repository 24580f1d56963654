// SPDX-License-Identifier: MIT
// What a stage shows, for those who read it: the entities of each pool, and who wants to know of entities and events.
// It outlives a stage: after a lost connection the next stage of the same room goes on with it.

import { Pool, type Entity } from './entities.js';
import { Row, Structs, type LayoutInfo, type View } from './fields.js';
import type { Core } from './module.js';
import type { AnyWorld, DrawnState, EntityCopy, EntityRef, EventNotice, WorldTypes } from './types.js';

const statuses = ['predicted', 'confirmed', 'cancelled', 'received'] as const; // the order of present::EventStatus
const eventHeader = 16; // bytes: status, number, tick
const mostWaiting = 4096; // events

let lastFrame = 0;

export type EventListener<W extends WorldTypes> = (event: W['event'], notice: EventNotice<W['event']>) => void;

interface Listener {
    kind: string;
    call: EventListener<AnyWorld>;
    cancelled: EventListener<AnyWorld> | undefined;
}

export class Tracker {
    readonly pools: readonly Pool[];
    readonly state: DrawnState<AnyWorld>;

    private readonly layout: LayoutInfo;
    private readonly byName = new Map<string, Pool>();
    private readonly head: View;
    private readonly headRow: Row;
    private readonly eventRow: Row;
    private readonly event: View & { toJSON(): unknown };
    private listeners: Listener[] = [];
    private waiting: EventNotice[] = []; // for the drawn time to reach their tick
    private frame = ++lastFrame;

    constructor(private core: Core, private stage: number) {
        const layout: LayoutInfo = (this.layout = core.json(core.exports.describe_layout(stage)));
        const structs = new Structs(layout.structs);
        this.pools = layout.pools.map((_, number) => new Pool(structs, layout, number, core.memory));
        for (const pool of this.pools) this.byName.set(pool.info.name, pool);
        this.headRow = new Row(core.memory, 0);
        this.head = new (structs.classOf(layout.head))(this.headRow);
        this.eventRow = new Row(core.memory, 0);
        this.event = new (structs.classOf(layout.event))(this.eventRow);
        const state = Object.defineProperty({}, 'head', { get: () => this.readHead(), enumerable: true });
        for (const name of this.byName.keys())
            Object.defineProperty(state, name, { get: () => this.entities(name), enumerable: true });
        this.state = state as DrawnState<AnyWorld>;
    }

    /** The drawn state is another one. */
    changed(): void {
        this.frame = ++lastFrame;
        for (const pool of this.pools) if (pool.onAdd.size > 0 || pool.onRemove.size > 0) this.refresh(pool);
        if (this.listeners.length > 0) this.deliver();
    }
    pool(name: string): Pool {
        const pool = this.byName.get(name);
        if (!pool) throw new Error(`there is no pool ${name}; the pools are: ${[...this.byName.keys()].join(', ')}`);
        return pool;
    }
    entities(name: string): readonly (Entity & { readonly [field: string]: any })[] {
        return this.refresh(this.pool(name)).entities;
    }
    current(): readonly Pool[] {
        for (const pool of this.pools) this.refresh(pool);
        return this.pools;
    }
    hasState(): boolean {
        return this.core.exports.drawn_state(this.stage) !== 0;
    }

    /** The position of the first entity of a player that has one. */
    positionOf(slot: number): { x: number; y: number } | null {
        for (const pool of this.pools) {
            if (!pool.info.owner || !pool.info.position || pool.info.follows_events) continue;
            for (const entity of this.refresh(pool).entities) if (entity.owner === slot) return pool.positionOf(entity);
        }
        return null;
    }
    nearest(x: number, y: number, reach: number): EntityCopy | null {
        let least = reach;
        let nearest: EntityRef | null = null;
        for (const pool of this.current())
            for (const entity of pool.entities) {
                const at = pool.positionOf(entity);
                const distance = at ? Math.hypot(at.x - x, at.y - y) : Infinity;
                if (distance <= least) [least, nearest] = [distance, entity];
            }
        return nearest && this.copyOf(nearest);
    }
    copyOf({ pool: name, id, generation }: EntityRef): EntityCopy | null {
        const pool = this.refresh(this.pool(name));
        const entity = pool.find(generation);
        return entity && { pool: name, number: pool.number, id, generation, fields: (entity.fields as View & { toJSON(): EntityCopy['fields'] }).toJSON() };
    }

    onAdd(name: string, call: (entity: any) => void): () => void {
        const pool = this.refresh(this.pool(name));
        pool.entities.forEach(call);
        pool.onAdd.add(call);
        return () => void pool.onAdd.delete(call);
    }
    onRemove(name: string, call: (entity: any) => void): () => void {
        const pool = this.refresh(this.pool(name));
        pool.onRemove.add(call);
        return () => void pool.onRemove.delete(call);
    }
    onEvent(kind: string, call: EventListener<any>, cancelled?: EventListener<any>): () => void {
        const kinds = this.layout.structs[this.layout.event]!.members.find((member) => member.name === 'kind')!.labels!;
        if (kind !== '*' && !kinds.includes(kind)) throw new Error(`there is no event ${kind}; the events are: ${kinds.join(', ')}`);
        const listener: Listener = { kind, call, cancelled };
        this.listeners.push(listener);
        return () => void (this.listeners = this.listeners.filter((each) => each !== listener));
    }

    takeEvents(): EventNotice[] {
        const taken: EventNotice[] = [];
        for (let at = this.core.exports.next_event(this.stage); at !== 0; at = this.core.exports.next_event(this.stage)) {
            const { u32, f64 } = this.core.memory.current();
            this.eventRow.at = at + eventHeader;
            const event = this.event.toJSON() as EventNotice['event'];
            taken.push({ status: statuses[u32[at >>> 2]!]!, number: u32[(at >>> 2) + 1]!, tick: f64[(at >>> 3) + 1]!, event });
        }
        return taken;
    }

    /** Before the stage closes: what was read of it stays as it was. */
    detach(): void {
        for (const pool of this.pools) pool.detach();
        this.stage = 0;
    }
    /** Goes on with another stage of the same layout. `isSameRoom`: its entities are the ones that were drawn before. */
    attach(stage: number, isSameRoom: boolean): void {
        this.stage = stage;
        this.frame = ++lastFrame;
        if (isSameRoom) return;
        for (const pool of this.pools) pool.forget();
        this.waiting.length = 0;
    }

    private refresh(pool: Pool): Pool {
        const { drawn_state, predicted_from } = this.core.exports;
        pool.refresh(this.frame, drawn_state(this.stage), predicted_from(this.stage));
        return pool;
    }
    private readHead(): View {
        this.headRow.at = this.core.exports.drawn_state(this.stage);
        if (this.headRow.at === 0) throw new Error('there is no state yet: wait for the first snapshot');
        return this.head;
    }

    // The own player's events at once; the others' when the drawn time reaches them, as the entities that made them.
    private deliver(): void {
        const now = this.core.exports.drawn_tick(this.stage);
        for (const notice of this.takeEvents()) this.waiting.push(notice);
        if (this.waiting.length === 0) return;
        const due = this.waiting.filter((notice) => notice.status !== 'received' || notice.tick <= now);
        if (due.length === 0) return;
        this.waiting = this.waiting.filter((notice) => !due.includes(notice)).slice(-mostWaiting);
        for (const notice of due)
            for (const { kind, call, cancelled } of this.listeners) {
                if (kind !== '*' && kind !== notice.event.kind) continue;
                if (notice.status === 'cancelled') cancelled?.(notice.event, notice);
                else if (notice.status !== 'confirmed') call(notice.event, notice);
            }
    }
}
