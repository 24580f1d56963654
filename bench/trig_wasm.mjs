// SPDX-License-Identifier: MIT
// Our trigonometry as WebAssembly in Node, against the browser's own Math functions and against wasi-libc in the
// same module. As in harness.cpp: the three take turns, and what counts is the ratio in each round.
//     node bench/trig_wasm.mjs MODULE.wasm [--quick] [--json FILE] [--enforce]
import {readFileSync, writeFileSync} from 'node:fs';

const [path, ...flags] = process.argv.slice(2);
const quick = flags.includes('--quick');
const jsonFile = flags.includes('--json') ? flags[flags.indexOf('--json') + 1] : null;
const rounds = quick ? 21 : 301;
const sampleMs = quick ? 0.2 : 0.5;
const target = 1.5;

const {exports: wasm} = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {});
wasm._initialize?.();
const count = wasm.argument_count();
const inputs = new Float64Array(wasm.memory.buffer, wasm.argument_buffer(), 2 * count);
const own = new Float64Array(inputs);  // what Math works on, outside of the module's memory
const results = new Float64Array(2 * count);

// A small generator, so that every run has the same arguments.
let state = 1;
const uniform = (low, high) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return low + (high - low) * state / 2 ** 32;
};
const fill = (low, high) => {
    for (let i = 0; i < 2 * count; ++i) own[i] = uniform(low, high);
    inputs.set(own);
};

const loops = {
    sin() { for (let i = 0; i < count; ++i) results[i] = Math.sin(own[i]); },
    cos() { for (let i = 0; i < count; ++i) results[i] = Math.cos(own[i]); },
    sincos() {
        for (let i = 0; i < count; ++i) {
            results[i] = Math.sin(own[i]);
            results[count + i] = Math.cos(own[i]);
        }
    },
    atan2() { for (let i = 0; i < count; ++i) results[i] = Math.atan2(own[i], own[count + i]); },
};

const millisecondsFor = (run, runs) => {
    const start = performance.now();
    for (let i = 0; i < runs; ++i) run();
    return performance.now() - start;
};

const runsPerSample = run => {
    millisecondsFor(run, 300);  // until the engine has optimised it
    let runs = 1;
    while (millisecondsFor(run, runs) < sampleMs) runs *= 2;
    return runs;
};

const median = values => [...values].sort((a, b) => a - b)[values.length >> 1];

const outcomes = [];
const compare = (name, runs) => {
    const contestants = Object.entries(runs).map(([who, run]) => ({who, run, runs: runsPerSample(run), times: []}));
    for (let round = 0; round < rounds; ++round) {
        for (let i = 0; i < contestants.length; ++i) {
            const c = contestants[(i + round) % contestants.length];
            c.times.push(millisecondsFor(c.run, c.runs) * 1e6 / c.runs / count);
        }
    }
    const [ours, ...peers] = contestants;
    for (const peer of peers) {
        const ratio = median(ours.times.map((time, round) => time / peer.times[round]));
        const good = ratio <= target;
        outcomes.push({
            benchmark: 'trigonometry in WebAssembly', comparison: name, alternative: ours.who,
            nanoseconds: median(ours.times), reference: peer.who, reference_nanoseconds: median(peer.times),
            ratio, at_most: target, met: good,
        });
        console.log(`  ${name.padEnd(40)} ${`${median(ours.times).toFixed(2)} ns`.padStart(10)}   ` +
            `${peer.who.padEnd(10)} ${`${median(peer.times).toFixed(2)} ns`.padStart(10)} ` +
            `${ratio.toFixed(2).padStart(7)}   <= ${target.toFixed(2)}  ${good ? 'met' : 'MISSED'}`);
    }
};

console.log(`\n${`trigonometry in WebAssembly, Node ${process.version}`.padEnd(42)}       time   reference ` +
    '       time   ratio    target');
for (const [range, high] of [['a turn', Math.PI], ['up to 0.7', 0.7], ['up to 1000', 1000]]) {
    fill(-high, high);
    compare(`sin, ${range}`, {instep: wasm.instep_sin, Math: loops.sin, 'wasi-libc': wasm.libc_sin});
    compare(`cos, ${range}`, {instep: wasm.instep_cos, Math: loops.cos, 'wasi-libc': wasm.libc_cos});
}
fill(-Math.PI, Math.PI);
compare('sincos over a span of 4096, a turn',
    {instep: wasm.instep_sincos, Math: loops.sincos, 'wasi-libc': wasm.libc_sincos});
fill(-1, 1);
compare('atan2, all around', {instep: wasm.instep_atan2, Math: loops.atan2, 'wasi-libc': wasm.libc_atan2});
compare('atan2 over spans of 4096, all around',
    {instep: wasm.instep_atan2_spans, Math: loops.atan2, 'wasi-libc': wasm.libc_atan2});
const met = outcomes.filter(outcome => outcome.met).length;
console.log(`\n${outcomes.length} comparisons, ${met} targets met, ${outcomes.length - met} missed`);
if (jsonFile) writeFileSync(jsonFile, JSON.stringify({engine: `Node ${process.version}`, outcomes}) + '\n');
if (flags.includes('--enforce') && met < outcomes.length) process.exitCode = 1;
