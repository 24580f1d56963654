// SPDX-License-Identifier: MIT
// Gravity and integration of many ships as WebAssembly in Node, against what the engine allows: one division and
// one square root a ship while all is in cache, and copying the same bytes when it is not. See orbit_bench.cpp.
import {open} from './wasm_harness.mjs';

const {wasm, quick, compare, finish} = open('orbit');
wasm.make(1000);
compare('1,000 ships, a ship', 1000, 1 / 0.85, {orbit_swarm: wasm.orbit_swarm, '1 / sqrt': wasm.divide_and_root});
const many = quick ? 1_000_000 : 8_000_000;
wasm.make(many);
compare(`${many.toLocaleString('en')} ships, a ship`, many, 1 / 0.7, {orbit_swarm: wasm.orbit_swarm, copying: wasm.copy_all});
finish();
