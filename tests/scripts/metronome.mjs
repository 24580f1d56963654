// SPDX-License-Identifier: MIT
// How late timers are on this machine without our server: a timer with the priority of ticks, if the system allows it.
// `worst()` is the largest lateness since the last call, in seconds.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(import.meta.url);
const beat = 5; // ms

export function metronome() {
    const first = ["chrt", "--rr", "1"]; // as Loop::request_realtime does
    const command = [...(spawnSync(first[0], [...first.slice(1), "true"]).status === 0 ? first : []), process.execPath, file, "beat"];
    const child = spawn(command[0], command.slice(1), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    return {
        worst: () => new Promise(done => {
            child.once("message", done);
            child.send("report");
        }),
        stop: () => child.kill(),
    };
}

if (process.argv[2] === "beat") {
    let worst = 0;
    let due = performance.now();
    const next = () => {
        worst = Math.max(worst, (performance.now() - due) / 1000);
        due = Math.max(due + beat, performance.now());
        setTimeout(next, due - performance.now());
    };
    next();
    process.on("message", () => {
        process.send(worst);
        worst = 0;
    });
    process.on("disconnect", () => process.exit());
}
