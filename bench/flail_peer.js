// SPDX-License-Identifier: MIT
// The peer of the flail benchmark: the document's pseudocode (docs/worlds/flail.md, "One tick") in plain,
// well-written JavaScript, once with an object a particle, as the original is written, and once with an array
// a component, as one writes for speed. Prints JSON: nanoseconds a player and tick, the best of several runs.
//   node bench/flail_peer.js [players] [rope nodes] [ticks]
'use strict';

const players = Number(process.argv[2] || 1000);
const nodes = Number(process.argv[3] || 3);
const ticks = Number(process.argv[4] || 400);

const restLength = 80;
const stiffness = 0.1;
const kept = 1 / 1.1;

// The same crowd on both sides of the comparison: everyone moves, each on a circle of their own.
const startOf = (i) => i * 2.399963229728653;
const turnOf = (i) => 0.02 + (i % 16) * 0.005;

// --- Objects ---

class Particle {
    constructor() {
        this.x = 0;
        this.y = 0;
        this.vx = 0;
        this.vy = 0;
    }
    glide() {
        this.vx *= kept;
        this.vy *= kept;
        this.x += this.vx;
        this.y += this.vy;
    }
}

class Player {
    constructor() {
        this.rope = Array.from({ length: nodes }, () => new Particle());
        this.body = this.rope[0];
        this.flail = this.rope[nodes - 1];
        this.angle = 0;
        this.moving = true;
        this.flailAngle = 0;
    }

    tick() {
        const { body, flail, rope } = this;
        const x = Math.cos(this.angle);
        const y = Math.sin(this.angle);
        const length = Math.sqrt(x * x + y * y);
        if (this.moving) {
            body.vx += x / length;
            body.vy += y / length;
        }
        body.glide();
        this.flailAngle = Math.atan2(flail.y - body.y, flail.x - body.x);
        flail.glide();
        for (let i = 1; i < rope.length; ++i) {
            const a = rope[i];
            const b = rope[i - 1];
            const dx = a.x - b.x;
            const dy = a.y - b.y;
            const distance = Math.sqrt(dx * dx + dy * dy);
            const extension = distance - restLength;
            if (extension <= 0) continue;
            const force = -stiffness * extension / distance;
            a.vx += dx * force;
            a.vy += dy * force;
            if (b !== body) {
                b.vx -= dx * force;
                b.vy -= dy * force;
            }
        }
        for (let i = 1; i < rope.length - 1; ++i) rope[i].glide();
    }
}

function runObjects() {
    const all = Array.from({ length: players }, () => new Player());
    all.forEach((player, i) => { player.angle = startOf(i); });
    const start = process.hrtime.bigint();
    for (let tick = 0; tick < ticks; ++tick) {
        for (let i = 0; i < players; ++i) {
            all[i].angle += turnOf(i);
            all[i].tick();
        }
    }
    const time = Number(process.hrtime.bigint() - start);
    return { time, x: all[players - 1].flail.x };
}

// --- Typed arrays ---

function runArrays() {
    const x = new Float64Array(players * nodes);
    const y = new Float64Array(players * nodes);
    const vx = new Float64Array(players * nodes);
    const vy = new Float64Array(players * nodes);
    const angle = new Float64Array(players);
    const flailAngle = new Float64Array(players);
    const moving = new Uint8Array(players).fill(1);
    for (let i = 0; i < players; ++i) angle[i] = startOf(i);

    const glide = (i) => {
        vx[i] *= kept;
        vy[i] *= kept;
        x[i] += vx[i];
        y[i] += vy[i];
    };
    const start = process.hrtime.bigint();
    for (let tick = 0; tick < ticks; ++tick) {
        for (let i = 0; i < players; ++i) {
            angle[i] += turnOf(i);
            const body = i * nodes;
            const flail = body + nodes - 1;
            if (moving[i]) {
                const ux = Math.cos(angle[i]);
                const uy = Math.sin(angle[i]);
                const length = Math.sqrt(ux * ux + uy * uy);
                vx[body] += ux / length;
                vy[body] += uy / length;
            }
            glide(body);
            flailAngle[i] = Math.atan2(y[flail] - y[body], x[flail] - x[body]);
            glide(flail);
            for (let a = body + 1; a <= flail; ++a) {
                const b = a - 1;
                const dx = x[a] - x[b];
                const dy = y[a] - y[b];
                const distance = Math.sqrt(dx * dx + dy * dy);
                const extension = distance - restLength;
                if (extension <= 0) continue;
                const force = -stiffness * extension / distance;
                vx[a] += dx * force;
                vy[a] += dy * force;
                if (b !== body) {
                    vx[b] -= dx * force;
                    vy[b] -= dy * force;
                }
            }
            for (let inner = body + 1; inner < flail; ++inner) glide(inner);
        }
    }
    const time = Number(process.hrtime.bigint() - start);
    return { time, x: x[(players - 1) * nodes + nodes - 1] };
}

function best(run) {
    let least = Infinity;
    let x = 0;
    for (let i = 0; i < 12; ++i) {  // the first ones warm the compiler up
        const result = run();
        least = Math.min(least, result.time);
        x = result.x;
    }
    return { ns: least / players / ticks, x };
}

const objects = best(runObjects);
const arrays = best(runArrays);
if (Math.abs(objects.x - arrays.x) > 1e-6) throw new Error('the two peers disagree');
console.log(JSON.stringify({ players, nodes, ticks, objects_ns: objects.ns, arrays_ns: arrays.ns, flail_x: arrays.x }));
