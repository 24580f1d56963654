// SPDX-License-Identifier: MIT
// What a snapshot of one arena costs in the formats that games use: the same ticks of worlds/arena/levels/load.json, 16
// ships and about a hundred shots, at 20 Hz, in plain JSON, in the two ways of the arena's document, in msgpackr and
// @colyseus/schema from npm, and over Instep's wire.
//
//     node bench/bandwidth.mjs build/release/instep build/bench/npm/node_modules     as bench/run does
//
// The others encode states and nothing else, once all are in the air. Instep's numbers are those of `instep netsim`: payload with the own
// player to the bit, events, clock and acknowledgements, and inputs, over ordered links.
import {execFileSync} from 'node:child_process';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';

const [instep, modules] = process.argv.slice(2);
if (!modules) {
    console.error('usage: node bench/bandwidth.mjs INSTEP NODE_MODULES');
    process.exit(2);
}
const require = createRequire(`${resolve(modules)}/`);
const {Packr} = require('msgpackr');
const {Schema, MapSchema, Encoder, defineTypes} = require('@colyseus/schema');

const snapshotRate = 20; // Hz
const ticks = 1800;
const run = (...options) => execFileSync(instep, options, {encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore']});

// A snapshot as the document draws it: a list of entities with ids that tell the kinds apart.
function snapshot(state) {
    const entity = (kind, element, body, more) => ({
        id: `${kind}${element.id}`,
        position: body.position,
        angle: body.angle,
        velocity: body.velocity,
        ...more,
    });
    return {
        timestamp: 1000 * state.tick / 60,
        tick: state.tick,
        entities: [
            ...state.players.map(p => entity('ship', p, p.ship, {heat: p.heat, health: p.health})),
            ...state.rocks.map(r => entity('rock', r, r.flight)),
            ...state.shots.map(s => entity('shot', s, s.flight)),
        ],
    };
}

const rounded = (value, steps) => Math.round(value * steps);
const row = e => [e.id, rounded(e.position.x, 100), rounded(e.position.y, 100), rounded(e.angle, 1000),
    rounded(e.velocity.x, 100), rounded(e.velocity.y, 100), e.heat || 0, e.health || 100];
const compressed = s => ({t: s.timestamp, k: s.tick, e: s.entities.map(row)});

// Only who moved; the document does not say by how much, so anything counts.
function delta(before, now) {
    const was = new Map(before.entities.map(e => [e.id, JSON.stringify(e)]));
    const changed = now.entities.filter(e => was.get(e.id) !== JSON.stringify(e));
    const here = new Set(now.entities.map(e => e.id));
    return {timestamp: now.timestamp, tick: now.tick, changed, removed: before.entities.map(e => e.id).filter(id => !here.has(id))};
}

// The smallest that the schema offers without losing the field: 16 bits, and entities keyed by their id.
class Thing extends Schema {}
defineTypes(Thing, {x: 'int16', y: 'int16', angle: 'int16', vx: 'int16', vy: 'int16', heat: 'uint8', health: 'uint8'});
class World extends Schema {
    constructor() {
        super();
        this.things = new MapSchema();
    }
}
defineTypes(World, {tick: 'uint32', things: {map: Thing}});
function schemaSizes(snapshots) {
    const world = new World();
    const encoder = new Encoder(world);
    const fit = value => Math.max(-32768, Math.min(32767, value));
    return snapshots.map(s => {
        world.tick = s.tick;
        const here = new Set();
        for (const e of s.entities) {
            here.add(e.id);
            let thing = world.things.get(e.id);
            if (!thing) world.things.set(e.id, thing = new Thing());
            thing.x = fit(rounded(e.position.x, 100));
            thing.y = fit(rounded(e.position.y, 100));
            thing.angle = fit(rounded(e.angle, 1000));
            thing.vx = fit(rounded(e.velocity.x, 100));
            thing.vy = fit(rounded(e.velocity.y, 100));
            thing.heat = Math.round(e.heat ?? 0);
            thing.health = Math.round(e.health ?? 0);
        }
        for (const id of [...world.things.keys()]) if (!here.has(id)) world.things.delete(id);
        const size = encoder.encode().length;
        encoder.discardChanges();
        return size;
    });
}

const states = run('simulate', 'arena', '--level', 'load', '--bots', '16', '--ticks', String(ticks), '--every', '3')
    .trim().split('\n').map(line => JSON.parse(line));
const all = states.map(snapshot);
const steady = all.slice(all.length / 3); // once the shots are in the air
const text = value => Buffer.byteLength(JSON.stringify(value));
const packr = new Packr();
const sizes = {
    'JSON': steady.map(text),
    "the document's createDeltaUpdate": steady.map((s, i) => text(delta(all[all.length - steady.length + i - 1], s))),
    "the document's compressWorldState": steady.map(s => text(compressed(s))),
    'compressWorldState in msgpackr': steady.map(s => packr.pack(compressed(s)).length),
    '@colyseus/schema, 16 bits a field': schemaSizes(all).slice(-steady.length),
};

const number = value => value.toLocaleString('en-US', {maximumFractionDigits: value < 100 ? 2 : 0});
const print = (name, bytes, rate) =>
    console.log(`${name.padEnd(40)} ${number(bytes).padStart(10)} B ${number(rate).padStart(9)} kB/s`);
const things = steady.reduce((sum, s) => sum + s.entities.length, 0) / steady.length;
console.log(`one of 16 ships, ${Math.round(things)} entities, ${snapshotRate} Hz, payload down:  a snapshot, a player`);
for (const [name, list] of Object.entries(sizes)) {
    const mean = list.reduce((sum, size) => sum + size, 0) / list.length;
    print(name, mean, mean * snapshotRate / 1000);
}
for (const room of ['snapshots', 'relay']) {
    const report = run('netsim', 'arena', '--level', 'load', '--players', '16', '--seconds', '30', '--replication', room);
    const rate = Number(/([\d.]+) kB\/s down/.exec(report)[1]);
    print(`Instep, ${room}`, rate * 1000 / snapshotRate, rate);
    console.log(`    ${/p99 snapshot.*/.exec(report)[0]}`);
}
