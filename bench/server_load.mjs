// SPDX-License-Identifier: MIT
// How many players one core serves: `instep serve` and server_peer.mjs (Node, ws, planck, JSON), in the same run and on the same
// core, with the clients on another. Rooms of 16 at 60 Hz with 20 Hz snapshots. A number of players is sustained if 99 % of ticks begin
// within 2 ms of their due time, and for our server if 95 % of inputs are in time too: a server that reads late reads many inputs
// at once, which is cheap. The clients need a core as well, and other programs may use both. So the bench also prints how many players
// one core would carry by the processor time used, where every input came and the core was not full.
//   node bench/server_load.mjs [--instep FILE] [--peer NODE_MODULES] [--seconds 6] [--counts 96,192,...] [--only ours|theirs]
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";

const option = (name, otherwise) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? otherwise : process.argv[at + 1];
};
const here = path.dirname(fileURLToPath(import.meta.url));
const instep = option("instep", "build/release/instep");
const peer = option("peer", "build/bench/npm/node_modules");
const seconds = Number(option("seconds", 6));
const counts = option("counts", "48,96,192,384,576,768,960,1152,1344,1536,1920,2304").split(",").map(Number);
const mostLate = 0.002; // s
const mostInputsLate = 0.05; // share of all
const connectsPerSecond = 400, inputsPerSecond = 60;
const sleep = time => new Promise(done => setTimeout(done, time * 1000));

const pinned = (core, ...command) => {
    const pin = os.cpus().length > 1 ? ["taskset", "-c", String(core)] : [];
    const [program, ...words] = [...pin, ...command];
    // In its own session: Linux divides the processor between sessions first, so that server and clients get separate shares.
    return spawn(program, words, { stdio: ["pipe", "pipe", "ignore"], detached: true });
};
const linesOf = child => readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const ended = child => new Promise(done => ((child.exitCode ?? child.signalCode) !== null ? done() : child.once("exit", done)));
const clockTicks = 100; // a second, in /proc
const processorTime = pid => {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / clockTicks;
};
async function shareOfCore(pid) {
    const before = processorTime(pid), start = performance.now();
    await sleep(seconds);
    const passed = (performance.now() - start) / 1000;
    return { share: (processorTime(pid) - before) / passed, passed };
}

const metrics = port => new Promise((done, fail) => http.get({ port, path: "/metrics", agent: false }, reply => {
    let text = "";
    reply.on("data", part => (text += part)).on("end", () => done({
        players: Number(/^instep_players (\d+)/m.exec(text)[1]),
        received: Number(/^instep_messages_in_total (\d+)/m.exec(text)[1]),
        accepted: Number(/^instep_inputs_accepted_total (\d+)/m.exec(text)[1]),
        missed: Number(/^instep_inputs_late_total (\d+)/m.exec(text)[1]),
        buckets: [...text.matchAll(/^instep_tick_lateness_seconds_bucket\{le="([^"]+)"\} (\d+)/gm)]
            .map(([, bound, count]) => [Number(bound.replace("+Inf", "Infinity")), Number(count)]),
    }));
}).on("error", fail));

async function ours(count) {
    const server = pinned(0, instep, "serve", "--port", "0", "--threads", "1",
        "--most-connections", "20000", "--most-connections-per-address", "20000",
        "--most-rooms-per-address", "256", "--upgrades-per-second", "20000", "--hellos-per-second", "20000");
    const port = Number((await linesOf(server).next()).value.split(":").at(-1));
    const bots = pinned(1, instep, "bots", "arena", "--thin", "--count", String(count), "--url", `ws://127.0.0.1:${port}`,
        "--connects-per-second", String(connectsPerSecond));
    bots.stdout.resume();
    await sleep(3 + count / connectsPerSecond);
    const before = await metrics(port);
    const { share, passed } = await shareOfCore(server.pid);
    const after = await metrics(port);
    bots.kill("SIGINT");
    await ended(bots);
    server.kill("SIGTERM");
    await ended(server);
    const between = after.buckets.map(([bound, ticks], i) => [bound, ticks - before.buckets[i][1]]);
    const late = between.find(([, ticks]) => ticks >= 0.99 * between.at(-1)[1])[0]; // the bucket's upper bound
    const accepted = after.accepted - before.accepted, missed = after.missed - before.missed;
    return { players: after.players, late, share, rate: (after.received - before.received) / passed / count,
        missed: missed / Math.max(1, accepted + missed) };
}

async function theirs(count) {
    const server = pinned(0, process.execPath, path.join(here, "server_peer.mjs"), peer);
    const lines = linesOf(server);
    const port = (await lines.next()).value;
    const crowd = pinned(1, process.execPath, path.join(here, "server_peer_crowd.mjs"), port, String(count));
    await sleep(3 + count / connectsPerSecond);
    const lateness = async () => {
        server.stdin.write("\n");
        return JSON.parse((await lines.next()).value);
    };
    await lateness();
    const { share, passed } = await shareOfCore(server.pid);
    const { players, p99, received } = await lateness();
    crowd.kill();
    server.kill();
    await Promise.all([ended(crowd), ended(server)]);
    return { players, late: p99 / 1000, share, rate: received / passed / count, missed: 0 };
}

console.log("players on one core, rooms of 16 at 60 Hz, snapshots at 20 Hz; sustained: 99 % of ticks within 2 ms");
const sustained = { ours: 0, theirs: 0 }, carried = { ours: 0, theirs: 0 };
for (const [key, name, serve] of [["ours", "instep serve, arena", ours], ["theirs", "Node, ws, planck, JSON", theirs]]) {
    if (option("only", key) !== key) continue;
    if (key === "theirs" && !fs.existsSync(path.join(peer, "ws"))) {
        console.log(`${name}: skipped, since ${peer} has no ws`);
        continue;
    }
    for (const count of counts) {
        const { players, late, share, rate, missed } = await serve(count);
        const isInTime = players === count && missed < mostInputsLate;
        const isCarried = isInTime && rate > 0.95 * inputsPerSecond && share < 0.95;
        const isSustained = isInTime && late < mostLate;
        console.log(`${name}: ${players} of ${count} players, 99 % of ticks within ${(late * 1e3).toFixed(2)} ms, ` +
            `${rate.toFixed(0)} messages a second from each${missed ? `, ${(missed * 100).toFixed(1)} % of inputs late` : ""}, ` +
            `${(share * 100).toFixed(0)} % of the core` +
            `${isCarried ? `, which would carry ${(players / share).toFixed(0)}` : ""}${isSustained ? "" : "   (not sustained)"}`);
        if (isCarried) carried[key] = players / share;
        if (!isSustained) break;
        sustained[key] = count;
    }
}
for (const [what, { ours, theirs }] of [["sustained", sustained], ["by processor time", carried]])
    console.log(`${what}: ${ours.toFixed(0)} by instep serve, of at least 1500` +
        (theirs ? `; ${theirs.toFixed(0)} by Node; ${(ours / theirs).toFixed(1)} times, of at least 4` : ""));
