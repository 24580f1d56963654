// SPDX-License-Identifier: MIT
// The peer of bench/flail_bench.cpp: the document's tick (worlds/flail/README.md) in plain, well-written
// JavaScript, once with an object a particle, as the original is written, and once with an array a component,
// as one writes for speed. For each line on its input, "objects" or "arrays", it runs so many ticks and answers
// with where the last player's flail is and how many microseconds of a processor that took.
//   node bench/flail_peer.js PLAYERS NODES TICKS
'use strict';

const [players, nodes, ticks] = process.argv.slice(2).map(Number);

const restLength = 80;
const stiffness = 0.1;
const kept = 1 / 1.1;

// The same crowd as in C++: everyone moves, each on a circle of their own.
const start = Float64Array.from({length: players}, (_, i) => (i % 628) * 0.01 - 3.14);
const turn = Float64Array.from({length: players}, (_, i) => 0.02 + (i % 16) * 0.005);

// --- Objects ---

class Particle {
    x = 0;
    y = 0;
    vx = 0;
    vy = 0;

    glide() {
        this.vx *= kept;
        this.vy *= kept;
        this.x += this.vx;
        this.y += this.vy;
    }
}

class Player {
    rope = Array.from({length: nodes}, () => new Particle());
    body = this.rope[0];
    flail = this.rope[nodes - 1];
    angle = 0;
    moving = true;
    flailAngle = 0;

    tick() {
        const {body, flail, rope} = this;
        if (this.moving) {
            const x = Math.cos(this.angle);
            const y = Math.sin(this.angle);
            const length = Math.sqrt(x * x + y * y);
            body.vx += x / length;
            body.vy += y / length;
        }
        body.glide();
        this.flailAngle = Math.atan2(flail.y - body.y, flail.x - body.x);
        flail.glide();
        for (let i = 1; i < nodes; ++i) {
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
        for (let i = 1; i < nodes - 1; ++i) rope[i].glide();
    }
}

const crowd = Array.from({length: players}, () => new Player());

function runObjects() {
    for (let tick = 0; tick < ticks; ++tick) {
        for (let i = 0; i < players; ++i) {
            crowd[i].angle = start[i] + turn[i] * tick;
            crowd[i].tick();
        }
    }
    return crowd[players - 1].flail;
}

// --- Typed arrays ---

const x = new Float64Array(players * nodes);
const y = new Float64Array(players * nodes);
const vx = new Float64Array(players * nodes);
const vy = new Float64Array(players * nodes);
const moving = new Uint8Array(players).fill(1);
const flailAngle = new Float64Array(players);

function glide(i) {
    vx[i] *= kept;
    vy[i] *= kept;
    x[i] += vx[i];
    y[i] += vy[i];
}

function runArrays() {
    for (let tick = 0; tick < ticks; ++tick) {
        for (let i = 0; i < players; ++i) {
            const body = i * nodes;
            const flail = body + nodes - 1;
            if (moving[i]) {
                const angle = start[i] + turn[i] * tick;
                const ux = Math.cos(angle);
                const uy = Math.sin(angle);
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
    const last = players * nodes - 1;
    return {x: x[last], y: y[last]};
}

require('readline').createInterface({input: process.stdin}).on('line', line => {
    const before = process.cpuUsage();
    const flail = line === 'objects' ? runObjects() : runArrays();
    const {user, system} = process.cpuUsage(before);
    process.stdout.write(`${flail.x} ${flail.y} ${user + system}\n`);
});
