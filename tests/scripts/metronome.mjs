// SPDX-License-Identifier: MIT
// How late timers are on this machine without our server: a timer with the priority of ticks, if the system allows it.
// `p99()` is the lateness, in seconds, that 99 % of its beats since the last call stayed below.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(import.meta.url);
const beat = 5; // ms

export function metronome() {
    const first = ["chrt", "--rr", "1"]; // as Loop::request_realtime does
    const command = [...(spawnSync(first[0], [...first.slice(1), "true"]).status === 0 ? first : []), process.execPath, file, "beat"];
    const child = spawn(command[0], command.slice(1), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    return {
        p99: () => new Promise(done => {
            child.once("message", done);
            child.send("report");
        }),
        stop: () => child.kill(),
    };
}

if (process.argv[2] === "beat") {
    let late = [];
    let due = performance.now();
    // A stall counts for each beat that it delays, as it does for ticks.
    const next = () => {
        for (const now = performance.now(); due <= now; due += beat) late.push((now - due) / 1000);
        setTimeout(next, due - performance.now());
    };
    next();
    process.on("message", () => {
        late.sort((a, b) => a - b);
        process.send(late[Math.ceil(0.99 * late.length) - 1] ?? 0);
        late = [];
    });
    process.on("disconnect", () => process.exit());
}
