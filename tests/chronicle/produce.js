// SPDX-License-Identifier: MIT
// Prints the chronicles of all built-in levels out of a WebAssembly module, in any engine with a shell:
//   node produce.js instep.wasm | jsc produce.js -- instep.wasm | js102 produce.js instep.wasm
'use strict';

const inNode = typeof process === 'object' && typeof require === 'function';
const inSpiderMonkey = !inNode && typeof os === 'object';
const path = inNode ? process.argv[2] : inSpiderMonkey ? scriptArgs[0] : arguments[0];
const bytes = inNode ? require('fs').readFileSync(path)
            : inSpiderMonkey ? os.file.readFile(path, 'binary')
            : readFile(path, 'binary');

const core = new WebAssembly.Instance(new WebAssembly.Module(bytes), {}).exports;
core._initialize();
for (let level = 0; level < core.level_count(); ++level) {
    const length = core.record_chronicle(level);
    if (length === 0) throw new Error(`level ${level} could not be recorded`);
    const letters = new Uint8Array(core.memory.buffer, core.text(), length);
    let text = '';
    for (let i = 0; i < length; i += 8192) text += String.fromCharCode(...letters.subarray(i, i + 8192));
    if (inNode) process.stdout.write(text);
    else print(text.slice(0, -1));  // print ends the line itself
}
