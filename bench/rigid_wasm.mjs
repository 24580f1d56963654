// SPDX-License-Identifier: MIT
// Rigid bodies as WebAssembly in Node against the engines on npm (rigid_peers.mjs): the scenes of bench/scenes, engines in
// turns, and the time to restore and replay eight steps against the time that a client has for it.
import {existsSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {open, spendMilliseconds} from './wasm_harness.mjs';
import {peersIn} from './rigid_peers.mjs';

const {wasm, compare, print, finish} = open('rigid bodies');

function loadScene(name) {
    const scene = {name, gravity: [0, 0], steps: 0, bodies: [], ships: []};
    for (const line of readFileSync(new URL(`scenes/${name}.txt`, import.meta.url), 'utf8').split('\n')) {
        const [kind, tag, ...rest] = line.trim().split(/\s+/);
        if (kind === 'world') {
            scene.gravity = [Number(tag), Number(rest[0])];
            scene.steps = Number(rest[1]);
        }
        if (kind !== 'body') continue;
        if (tag === 'ship') scene.ships.push(scene.bodies.length);
        const n = rest.map(Number);
        scene.bodies.push({
            tag, isShot: tag === 'shot', dynamic: n[0] === 1, position: [n[1], n[2]], velocity: [n[3], n[4]], linearDamping: n[5],
            angularDamping: n[6], shape: rest[7], size: [n[8], n[9]], density: n[10], friction: n[11], restitution: n[12],
        });
    }
    return scene;
}

function makeOurs(scene) {
    wasm.begin(...scene.gravity);
    for (const body of scene.bodies)
        wasm.add_body(body.dynamic ? 1 : 0, ...body.position, ...body.velocity, body.linearDamping, body.angularDamping,
            body.shape.charCodeAt(0), ...body.size, body.density, body.friction, body.restitution, body.isShot ? 1 : 0);
    wasm.start();
    return {push: wasm.push, step: wasm.step, where: i => ({x: wasm.x_of(i), y: wasm.y_of(i)})};
}

const ways = [[1, 0], [Math.SQRT1_2, Math.SQRT1_2], [0, 1], [-Math.SQRT1_2, Math.SQRT1_2],
    [-1, 0], [-Math.SQRT1_2, -Math.SQRT1_2], [0, -1], [Math.SQRT1_2, -Math.SQRT1_2]];

// A scene that an engine repeats from its start; see steer() in rigid_scene.cpp.
class Player {
    constructor(scene, make) {
        Object.assign(this, {scene, make, engine: make(scene), next: 0});
    }
    step() {
        const {scene} = this;
        if (this.next === scene.steps) {
            this.engine.free?.();
            this.engine = this.make(scene);
            this.next = 0;
        }
        const step = this.next++;
        for (let i = 0; i < scene.ships.length; ++i) {
            const [x, y] = ways[(i + Math.floor(step / 60)) % 8];
            const torque = (i + Math.floor(step / 30)) % 2 === 1 ? 0.5 : -0.5;
            this.engine.push(scene.ships[i], 8 * x, 8 * y, torque);
        }
        this.engine.step();
    }
    steps(count) {
        for (let i = 0; i < count; ++i) this.step();
    }
    escaped() {
        const outside = i => {
            const {x, y} = this.engine.where(i);
            return !(Math.abs(x) <= 100.5 && Math.abs(y) <= 100.5);
        };
        return this.scene.bodies.filter((body, i) => body.isShot && outside(i)).length;
    }
}

const installed = resolve('build/bench/npm');
const peers = existsSync(`${installed}/node_modules`) ? await peersIn(installed) : {};
if (Object.keys(peers).length === 0) print('  The peers from npm are not installed: left out.');

for (const [name, stepsARun] of [['arena', 8], ['pyramid', 4], ['circles', 2]]) {
    const scene = loadScene(name);
    for (const [engine, make] of Object.entries(peers)) {
        const ours = new Player(scene, makeOurs);
        const theirs = new Player(scene, make);
        compare(`${name}, a step`, stepsARun, 1, {Instep: () => ours.steps(stepsARun), [engine]: () => theirs.steps(stepsARun)});
        theirs.engine.free?.();
    }
}

const arena = new Player(loadScene('arena'), makeOurs);
const energy = wasm.energy();
arena.steps(600);
wasm.save();
compare('arena, save', 1, 1, {Instep: wasm.save, '5 us': () => spendMilliseconds(0.005)});
compare('arena, restore', 1, 1, {Instep: wasm.restore, '5 us': () => spendMilliseconds(0.005)});
compare('arena, restore and 8 steps', 1, 1, {
    Instep: () => {
        wasm.restore();
        for (let i = 0; i < 8; ++i) wasm.step();
    },
    '500 us': () => spendMilliseconds(0.5),
});
wasm.restore();
arena.steps(3000);
print(`  Instep after 3,600 steps of arena: ${arena.escaped()} shots escaped, ${(wasm.energy() / energy).toFixed(3)} of the energy left`);
finish();
