// SPDX-License-Identifier: MIT
// Entities as they are read from the module's memory: stable objects, the values that are drawn, and what a frame costs.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { load, ShapeKind, type Entity, type LocalStage, type Stage } from 'instep';
import { Pool } from '../packages/instep/src/entities.js';
import { Structs, type LayoutInfo } from '../packages/instep/src/fields.js';
import { Memory } from '../packages/instep/src/memory.js';

const root = new URL('../../', import.meta.url);
const instep = await load(new Uint8Array(readFileSync(new URL('build/wasm/instep.wasm', root))));

function play(world: string, level: string, bots: number, ticks: number): LocalStage {
    const match = instep.level(world, level).openLocal(5, bots);
    match.setSpeed(0);
    match.step(ticks);
    return match;
}

/** Fields and names of a pool's entities that hold a position, for worlds whose pictures are centred on it. */
const centres: Record<string, Record<string, (entity: any) => { x: number; y: number }>> = {
    arena: { shots: (shot) => shot.flight.position },
    bounce: { balls: (ball) => ball.position },
    creature: { motes: (mote) => mote.position },
    orbit: { pallets: (pallet) => pallet.position },
};

/** Every disc or circle of these entities lies where the entity's field says. Returns how many there were. */
export function drawnWhereRead(world: string, stage: Stage): number {
    const list = stage.draw();
    let compared = 0;
    for (let i = 0; i < list.length; ++i) {
        const centre = centres[world]?.[list.pool(i) ?? ''];
        if (!centre || (list.kind(i) !== ShapeKind.disc && list.kind(i) !== ShapeKind.circle)) continue;
        const { x, y } = centre(list.entity(i)!);
        expect([...list.points(i)]).toEqual([x, y]);
        ++compared;
    }
    return compared;
}

describe('entities', () => {
    it.each(Object.keys(centres))('of %s are read where they are drawn, also between two ticks and back in time', (world) => {
        const match = play(world, instep.worlds().find((each) => each.name === world)!.levels[0]!, 7, 900);
        expect(drawnWhereRead(world, match)).toBeGreaterThan(0);
        match.setSpeed(1);
        let between = 0;
        for (let frame = 0; frame < 40; ++frame) {
            match.advance(frame / 144);
            between += drawnWhereRead(world, match);
        }
        match.lookBack(0.2, 1);
        match.advance(1);
        expect(between + drawnWhereRead(world, match)).toBeGreaterThan(40);
        match.close();
    });
    it('have ids, owners and typed fields, right from the start', () => {
        const match = instep.level('arena', 'belt').openLocal(3, 3);
        const players = match.entities('players');
        expect(players.map(({ owner, slot, name }) => [owner, slot, name])).toEqual(match.players().sort((a, b) => a.slot - b.slot).map(({ slot, name }) => [slot, slot, name]));
        expect(players).toHaveLength(4);
        const [first] = players;
        expect(first!.pool).toBe('players');
        expect(typeof first!['ship'].position.x).toBe('number');
        expect(typeof first!['overheated']).toBe('boolean');
        expect(match.state['players']).toBe(players);
        expect(match.state.head['tick']).toBe(1);
        expect(match.find('players', first!)).toBe(first);
        expect(match.entities('rocks').every((rock) => rock.owner === null)).toBe(true);
        expect(() => match.entities('crates')).toThrow('there is no pool crates; the pools are: players, rocks, shots');
        match.close();
        expect(first!['name']).toBe('You'); // its last fields, after the stage is closed
    });
    it('are the same objects in each frame, whatever their place in the pool', () => {
        const match = play('arena', 'load', 15, 100);
        const known = new Map<number, Entity>();
        for (let tick = 0; tick < 300; ++tick) {
            match.step(1);
            for (const shot of match.entities('shots')) {
                const before = known.get(shot.generation);
                if (before) expect(shot).toBe(before);
                known.set(shot.generation, shot);
            }
        }
        expect(known.size).toBeGreaterThan(100);
        expect(new Set([...known.values()].map((shot) => shot.key)).size).toBe(known.size);
        match.close();
    });
    it('are copied as plain data', () => {
        const match = play('flail', 'pit', 2, 10);
        const copy = JSON.parse(JSON.stringify(match.entities('players')[1]));
        expect(copy).toMatchObject({ pool: 'players', owner: 1, slot: 1 });
        expect(copy.rope[0].position).toEqual({ x: expect.any(Number), y: expect.any(Number) });
        expect(match.readEntity(match.entities('players')[1]!)!.fields['rope']).toEqual(copy.rope);
        match.close();
    });
});

describe('listeners', () => {
    it('are called once for each entity that comes and goes', () => {
        const match = play('arena', 'load', 15, 100);
        const live = new Set<Entity>();
        const gone = new Set<Entity>();
        match.onAdd('shots', (shot) => {
            expect(live.has(shot) || gone.has(shot)).toBe(false);
            live.add(shot);
        });
        match.onRemove('shots', (shot) => {
            expect(live.delete(shot)).toBe(true);
            gone.add(shot);
            expect(Math.abs(shot['flight'].position.x)).toBeLessThan(200); // its last position, in the field
            expect(Math.hypot(shot['flight'].velocity.x, shot['flight'].velocity.y)).toBeGreaterThan(1);
        });
        for (let tick = 0; tick < 600; ++tick) {
            match.step(1);
            expect(live).toEqual(new Set(match.entities('shots')));
        }
        expect(gone.size).toBeGreaterThan(200);
        match.close();
    });
    it('hear each event once, when its time is drawn', () => {
        const match = play('arena', 'belt', 7, 100);
        const heard: number[] = [];
        match.onEvent('fired', (event, { tick }) => {
            expect(event.kind).toBe('fired');
            heard.push(tick);
        });
        const polled = play('arena', 'belt', 7, 100);
        polled.takeEvents();
        match.takeEvents();
        match.step(300);
        polled.step(300);
        expect(heard).toEqual(polled.takeEvents().filter(({ event }) => event.kind === 'fired').map(({ tick }) => tick));
        expect(heard.length).toBeGreaterThan(10);
        expect(() => match.onEvent('fird', () => {})).toThrow('there is no event fird; the events are: joined');
        match.close();
        polled.close();
    });
    it('end when they are told to', () => {
        const match = play('arena', 'load', 15, 100);
        let calls = 0;
        const ends = [match.onAdd('shots', () => ++calls), match.onRemove('shots', () => ++calls), match.onEvent('*', () => ++calls)];
        for (const end of ends) end();
        calls = 0;
        match.step(100);
        expect(calls).toBe(0);
        match.close();
    });
});

// A pool of { x, y, owner } in a memory of its own, as a snapshot and the prediction would leave it.
describe('predicted entities', () => {
    const layout: LayoutInfo = {
        headers: 0, teleport_distance: 10, head: 0, event: 0, input: 0,
        pools: [{ name: 'shots', index: 16, elements: 16 + 12 * 8, struct: 0, position: 'at', owner: 'owner', follows_events: true }],
        structs: [
            { name: 'Shot', size: 24, members: [{ name: 'at', offset: 0, stride: 16, struct: 1 }, { name: 'owner', offset: 16, stride: 1, kind: 1 }] },
            { name: 'Vec2', size: 16, members: [{ name: 'x', offset: 0, stride: 8, kind: 10 }, { name: 'y', offset: 8, stride: 8, kind: 10 }] },
        ],
    };
    const base = 1024; // bytes; the drawn state is at 512
    const me = 3;
    const bob = 5;
    function newPool() {
        const memory = new Memory({ buffer: new ArrayBuffer(2048) });
        const pool = new Pool(new Structs(layout.structs), layout, 0, memory);
        const log: string[] = [];
        pool.onAdd.add((shot) => log.push(`+${shot.key - first}`));
        pool.onRemove.add((shot) => log.push(`-${shot.key - first}`));
        let frame = 0;
        let first = 0;
        /** Draws these shots; those with a generation from `known` on are predicted. */
        const draw = (known: number, ...shots: { id: number; generation: number; x: number; owner?: number }[]) => {
            const block = 512;
            memory.u32[block / 4] = shots.length;
            memory.u32[base / 4 + 3] = known;
            shots.forEach(({ id, generation, x, owner = me }, i) => {
                memory.u32[(block + 16 + 12 * i) / 4] = id;
                memory.u32[(block + 16 + 12 * id + 8) / 4] = generation;
                memory.f64[(block + 112 + 24 * i) / 8] = x;
                memory.u8[block + 112 + 24 * i + 16] = owner;
            });
            pool.refresh(++frame, block, base);
            first ||= Math.min(...pool.entities.map((shot) => shot.key));
            return pool.entities.map((shot) => shot.key - first);
        };
        return { pool, draw, log };
    }
    it('stay the same when a rollback gives them other handles', () => {
        const { draw, log } = newPool();
        draw(57, { id: 0, generation: 57, x: 1 }, { id: 1, generation: 58, x: 5 });
        // Bob's shot came before ours, so it has our numbers now; it is drawn later, in the past.
        expect(draw(58, { id: 1, generation: 58, x: 1.5 }, { id: 2, generation: 59, x: 5.5 })).toEqual([0, 1]);
        expect(draw(60, { id: 0, generation: 57, x: 4, owner: bob }, { id: 1, generation: 58, x: 2 }, { id: 2, generation: 59, x: 6 })).toEqual([2, 0, 1]);
        expect(draw(60, { id: 0, generation: 57, x: 4, owner: bob }, { id: 2, generation: 59, x: 6.5 })).toEqual([2, 1]);
        expect(log.join(' ')).toMatch(/^\+\S+ \+\S+ \+2 -0$/);
    });
    it('are told from others that get their handle in the same frame', () => {
        const { draw } = newPool();
        draw(57, { id: 0, generation: 57, x: 1 });
        expect(draw(59, { id: 0, generation: 57, x: 90, owner: bob }, { id: 1, generation: 58, x: 1.5 })).toEqual([1, 0]);
    });
    it('go when the server did not make them', () => {
        const { draw, log } = newPool();
        draw(57, { id: 0, generation: 57, x: 1 }, { id: 1, generation: 58, x: 50 });
        expect(draw(58, { id: 0, generation: 58, x: 50.5 })).toEqual([1]);
        expect(log.at(-1)).toBe('-0');
        expect(draw(58)).toEqual([]);
    });
    it('are new when they appear farther away than anything moves', () => {
        const { draw } = newPool();
        draw(57, { id: 0, generation: 57, x: 1 });
        expect(draw(58, { id: 0, generation: 57, x: 30 })).toEqual([1]);
    });
    it('that are confirmed keep their handle for ever', () => {
        const { draw } = newPool();
        draw(58, { id: 0, generation: 57, x: 1 });
        expect(draw(70, { id: 3, generation: 57, x: 300 })).toEqual([0]); // another id in the drawn state, and a jump
    });
    it('keep their last fields once they are gone', () => {
        const { draw, pool } = newPool();
        draw(70, { id: 0, generation: 57, x: 1 }, { id: 1, generation: 58, x: 2 });
        const [first, second] = pool.entities as unknown as { at: { x: number } }[];
        draw(70, { id: 1, generation: 58, x: 3 });
        draw(70, { id: 1, generation: 58, x: 4 });
        expect([first!.at.x, second!.at.x]).toEqual([1, 4]);
        pool.detach();
        draw(70, { id: 4, generation: 60, x: 9 });
        expect([first!.at.x, second!.at.x]).toEqual([1, 4]);
    });
});

describe('cost', () => {
    /** Reads every entity of arena as a page would that draws it with images. */
    function readAll(match: Stage): number {
        let sum = 0;
        for (const { ship, heat, health, score, owner, id, overheated } of match.entities('players'))
            sum += ship.position.x + ship.position.y + ship.angle + ship.velocity.x + heat + health + score + owner! + id + (overheated ? 1 : 0);
        for (const { flight, id } of match.entities('rocks')) sum += flight.position.x + flight.position.y + flight.angle + flight.spin + id;
        for (const { flight, owner, generation } of match.entities('shots')) sum += flight.position.x + flight.position.y + flight.velocity.x + owner! + generation;
        return sum;
    }
    it('of reading every entity of arena/load is below 0.2 ms, and makes little garbage', () => {
        const match = play('arena', 'load', 15, 600);
        const entities = ['players', 'rocks', 'shots'].map((pool) => match.entities(pool).length);
        expect(Math.min(...entities)).toBeGreaterThan(15);
        match.setSpeed(1);
        let now = 0;
        const costs: number[] = [];
        let sum = 0;
        const frame = () => {
            match.advance((now += 1 / 1000)); // most frames between two ticks
            const start = performance.now();
            sum += readAll(match);
            costs.push(performance.now() - start);
        };
        for (let i = 0; i < 500; ++i) frame(); // until it is compiled
        costs.length = 0;
        for (let i = 0; i < 500; ++i) frame();
        const median = costs.sort((a, b) => a - b)[250]!;
        setFlagsFromString('--expose-gc');
        const collect = runInNewContext('gc') as () => void;
        collect();
        const before = process.memoryUsage().heapUsed;
        for (let i = 0; i < 200; ++i) {
            match.advance((now += 1 / 1000));
            sum += readAll(match);
        }
        const garbage = (process.memoryUsage().heapUsed - before) / 200;
        console.log(`${entities} entities: ${(median * 1000).toFixed(0)} µs and ${garbage.toFixed(0)} bytes a frame`);
        expect(sum).not.toBeNaN();
        expect(median).toBeLessThan(0.2);
        expect(garbage).toBeLessThan(20_000); // numbers that the engine boxes
        match.close();
    });
});
