// SPDX-License-Identifier: MIT
// Instep's trigonometry as WebAssembly in Node, against JavaScript's Math functions and against wasi-libc in the same
// module.
import {open} from './wasm_harness.mjs';

const {wasm, compare, finish} = open('trigonometry');
const target = 1.5;
const count = wasm.argument_count();
const inputs = new Float64Array(wasm.memory.buffer, wasm.argument_buffer(), 2 * count);
const own = new Float64Array(inputs);  // the arguments for Math, outside of the module's memory
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

for (const [range, high] of [['a turn', Math.PI], ['up to 0.7', 0.7], ['up to 1000', 1000]]) {
    fill(-high, high);
    compare(`sin, ${range}`, count, target, {instep: wasm.instep_sin, Math: loops.sin, 'wasi-libc': wasm.libc_sin});
    compare(`cos, ${range}`, count, target, {instep: wasm.instep_cos, Math: loops.cos, 'wasi-libc': wasm.libc_cos});
}
fill(-Math.PI, Math.PI);
compare('sincos over a span of 4096, a turn', count, target,
    {instep: wasm.instep_sincos, Math: loops.sincos, 'wasi-libc': wasm.libc_sincos});
fill(-1, 1);
compare('atan2, all around', count, target, {instep: wasm.instep_atan2, Math: loops.atan2, 'wasi-libc': wasm.libc_atan2});
compare('atan2 over spans of 4096, all around', count, target,
    {instep: wasm.instep_atan2_spans, Math: loops.atan2, 'wasi-libc': wasm.libc_atan2});
finish();
