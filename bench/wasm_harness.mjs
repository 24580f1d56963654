// SPDX-License-Identifier: MIT
// harness.cpp for WebAssembly in Node: contestants take turns, and what counts is the ratio in each round.
//     import {open, finish} from './wasm_harness.mjs'
//     const {wasm, compare} = open('trigonometry');    MODULE.wasm [--quick] [--json FILE] [--enforce] from the command line
import {readFileSync, writeFileSync} from 'node:fs';

const [path, ...flags] = process.argv.slice(2);
const quick = flags.includes('--quick');
const jsonFile = flags.includes('--json') ? flags[flags.indexOf('--json') + 1] : null;
const rounds = quick ? 21 : 301;
const sampleMs = quick ? 0.2 : 0.5;

// Processor time of this process. Wall time would count interruptions against the slower contestant.
const processorMilliseconds = () => {
    const {user, system} = process.cpuUsage();
    return (user + system) / 1000;
};

export const spendMilliseconds = milliseconds => {
    for (const start = processorMilliseconds(); processorMilliseconds() - start < milliseconds;);
};

const millisecondsFor = (run, runs) => {
    const start = processorMilliseconds();
    for (let i = 0; i < runs; ++i) run();
    return processorMilliseconds() - start;
};

const runsPerSample = run => {
    const start = performance.now();
    for (let i = 0; i < 300 && performance.now() - start < 200; ++i) run();  // until the engine has optimised it
    let runs = 1;
    while (millisecondsFor(run, runs) < sampleMs) runs *= 2;
    return runs;
};

const median = values => [...values].sort((a, b) => a - b)[values.length >> 1];

const timeText = nanoseconds => nanoseconds < 1000 ? `${nanoseconds.toFixed(2)} ns` : `${(nanoseconds / 1000).toFixed(2)} us`;

export const open = benchmark => {
    const {exports: wasm} = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {});
    wasm._initialize?.();
    console.log(`\n${`${benchmark} in WebAssembly, Node ${process.version}`.padEnd(42)}       time   reference ` +
        '       time   ratio    target');
    const outcomes = [];

    // The first of `runs` against each of the others. `operations` are what one run does, `target` is the largest
    // ratio that is good enough.
    const compare = (name, operations, target, runs) => {
        const contestants = Object.entries(runs).map(([who, run]) => ({who, run, runs: runsPerSample(run), times: []}));
        for (let round = 0; round < rounds; ++round) {
            for (let i = 0; i < contestants.length; ++i) {
                const c = contestants[(i + round) % contestants.length];
                c.times.push(millisecondsFor(c.run, c.runs) * 1e6 / c.runs / operations);
            }
        }
        const [ours, ...peers] = contestants;
        for (const peer of peers) {
            const ratio = median(ours.times.map((time, round) => time / peer.times[round]));
            const good = ratio <= target;
            outcomes.push({
                benchmark: `${benchmark} in WebAssembly`, comparison: name, alternative: ours.who,
                nanoseconds: median(ours.times), reference: peer.who, reference_nanoseconds: median(peer.times),
                ratio, at_most: target, met: good,
            });
            console.log(`  ${name.padEnd(40)} ${timeText(median(ours.times)).padStart(10)}   ` +
                `${peer.who.padEnd(12)} ${timeText(median(peer.times)).padStart(10)} ` +
                `${ratio.toFixed(2).padStart(7)}   <= ${target.toFixed(2)}  ${good ? 'met' : 'MISSED'}`);
        }
    };

    const finish = () => {
        const met = outcomes.filter(outcome => outcome.met).length;
        console.log(`\n${outcomes.length} comparisons, ${met} targets met, ${outcomes.length - met} missed`);
        if (jsonFile) writeFileSync(jsonFile, JSON.stringify({engine: `Node ${process.version}`, outcomes}) + '\n');
        if (flags.includes('--enforce') && met < outcomes.length) process.exitCode = 1;
    };
    return {wasm, quick, compare, print: text => console.log(text), finish};
};
