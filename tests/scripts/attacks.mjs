// SPDX-License-Identifier: MIT
// Attacks a running server while bots play on it. Reports for each attack how long the server took to refuse or close all of
// it, by how much its memory grew, and how late its ticks were.
//   node tests/scripts/attacks.mjs PORT PID INSTEP      prints lines that begin with ok, FAIL or skip
//   node tests/scripts/attacks.mjs PORT PID INSTEP FLOOD   only the attack of tests/attacks/report_flood.cpp alone
// The server's limits are those of attacks.sh. Attackers use 200 addresses of the loopback network in turn, or one of their own where
// the attack is about addresses; the bots have 127.0.0.1, and the server trusts 127.0.0.9 to be a proxy.
import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import { metronome } from "./metronome.mjs";

const [port, pid] = process.argv.slice(2, 4).map(Number);
const instep = process.argv[4], reportFlood = process.argv[5];
const handshake = 3000, idle = 3000, sweep = 250, tolerance = 3000; // ms; the tolerance is for a busy machine
const mostGrowth = 50e6, mostLateness = 0.005;
let failures = 0;

const check = (good, sentence) => {
    console.log(`${good ? "ok" : "FAIL"} ${sentence}`);
    if (!good) failures++;
};
const sleep = ms => new Promise(done => setTimeout(done, ms));

const get = path => new Promise((done, fail) => {
    http.get({ port, path, agent: false }, reply => {
        let body = "";
        reply.on("data", part => (body += part)).on("end", () => done(body));
    }).on("error", fail);
});

const resident = () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024;

async function metrics() {
    const text = await get("/metrics");
    const number = name => Number(new RegExp(`^instep_${name.replace(/[{}]/g, "\\$&")} (\\d+)`, "m").exec(text)[1]);
    const buckets = [...text.matchAll(/^instep_tick_lateness_seconds_bucket\{le="([^"]+)"\} (\d+)/gm)]
        .map(([, bound, count]) => [bound === "+Inf" ? Infinity : Number(bound), Number(count)]);
    return {
        connections: number("connections"), players: number("players"), ticks: number("ticks_total"), joins: number("joins_total"),
        failedRooms: number("rooms_failed_total"), desyncs: number("desyncs_total"),
        unfounded: number("desync_reports_unfounded_total"), ignored: number("desync_reports_ignored_total"),
        limited: number('refusals_total{reason="rate_limited"}'), buckets,
    };
}

// The bound, in seconds, below which 99 % of the ticks between two readings were late.
function lateness(before, after) {
    const counts = after.buckets.map(([bound, count], i) => [bound, count - before.buckets[i][1]]);
    const all = counts.at(-1)[1];
    return counts.find(([, count]) => count >= 0.99 * all)[0];
}

let connects = 0;
const anyAddress = () => `127.0.4.${1 + (connects++ % 200)}`;

// A connection that records what it receives and when it ends. `opened(socket)` is called first.
function connect(opened, localAddress = anyAddress()) {
    return new Promise(done => {
        const socket = net.connect({ port, host: "127.0.0.1", localAddress });
        const client = { socket, received: Buffer.alloc(0), bytes: 0, ended: null };
        client.over = new Promise(over => socket.on("close", () => { client.ended = Date.now(); over(); }));
        socket.on("data", part => { client.bytes += part.length; if (client.received.length < 4096) client.received = Buffer.concat([client.received, part]); });
        socket.on("error", () => done(client));
        socket.on("connect", () => { opened(socket); done(client); });
    });
}

const upgrade = "GET /play?world=bounce HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

async function upgraded() {
    const client = await connect(socket => socket.write(upgrade));
    while (!client.ended && !client.received.includes("\r\n\r\n")) await sleep(5);
    return client;
}

// A client's frame with a mask of zeros.
const frame = (first, content) => Buffer.concat([Buffer.from([first, 0x80 | content.length, 0, 0, 0, 0]), content]);

// The code of the close frame, 0: none came. Before it are the response to the upgrade, and pongs.
function closeCode(bytes) {
    let at = bytes.indexOf("\r\n\r\n") + 4;
    while (at + 4 <= bytes.length) {
        if (bytes[at] === 0x88) return bytes.readUInt16BE(at + 2);
        at += 2 + (bytes[at + 1] & 127);
    }
    return 0;
}

async function within(ms, clients) {
    const began = Date.now();
    await Promise.race([sleep(ms), Promise.all(clients.map(client => client.over))]);
    return { all: clients.every(client => client.ended), ms: Date.now() - began };
}

const start = await metrics();
const calmFrom = start;
await sleep(3000);
const calm = lateness(calmFrom, await metrics());
const base = resident();
check(start.players > 0, `${start.players} players are there before the attacks; 99 % of ticks within ${calm * 1e3} ms`);

const machine = metronome();
const leastWindow = 6000; // ms: about 1,500 ticks, so that 1 % is more than one

// Repeats `act` for leastWindow. Successes are printed once.
async function attack(name, act, mostLate = mostLateness) {
    const before = await metrics();
    await machine.worst();
    const began = Date.now();
    await act(check);
    while (Date.now() - began < leastWindow) await act((good, sentence) => good || check(false, sentence));
    await sleep(300);
    const after = await metrics();
    const grown = resident() - base;
    check(grown < mostGrowth, `${name}: the server grew by ${(grown / 1e6).toFixed(1)} MB, of ${mostGrowth / 1e6}`);
    check(after.ticks > before.ticks && after.players >= start.players, `${name}: play went on`);
    const late = lateness(before, after);
    // Lateness of the machine itself, before the attack or in a stall during it, does not count.
    const own = await machine.worst();
    if (calm > 0.002 || own > mostLateness)
        console.log(`skip ${name}: lateness (${late * 1e3} ms), since this machine itself is late by ${(Math.max(calm, own) * 1e3).toFixed(1)} ms`);
    else check(late < mostLate, `${name}: 99 % of ticks were late by at most ${late * 1e3} ms`);
}

if (reportFlood) {
    // Each report is true and names all that the server remembers. Before there were limits, 2,000 of them closed a room.
    await attack("2000 connects of one player with desync reports", async check => {
        const before = await metrics();
        const { error, stdout } = await new Promise(done =>
            execFile(reportFlood, [`ws://127.0.0.1:${port}`, "flail", "plain", "2000", "500"], (error, stdout) => done({ error, stdout })));
        await sleep(1200); // metrics of rooms are updated once a second
        const after = await metrics();
        const judged = after.unfounded - before.unfounded;
        check(!error && Number(stdout) > 1000, `2000 connects of one player with desync reports: ${stdout.trim()} were opened`);
        check(judged > 0 && judged <= 16,
            `2000 connects of one player with desync reports: ${judged} were judged and ${after.ignored - before.ignored} ignored`);
        check(after.desyncs === before.desyncs && after.failedRooms === before.failedRooms,
            "2000 connects of one player with desync reports: no desync was counted, and no room closed");
    }, 0.002);
    machine.stop();
    process.exit(failures ? 1 : 0);
}

const descriptors = Number(/Max open files\s+(\d+)/.exec(fs.readFileSync("/proc/self/limits", "utf8"))[1]);
const crowd = Math.min(10_000, descriptors - 200);
await attack(`${crowd} idle and half-open sockets`, async check => {
    const clients = [];
    for (let i = 0; i < crowd; i += 250)
        clients.push(...await Promise.all(Array.from({ length: Math.min(250, crowd - i) }, (_, k) =>
            connect(socket => { if (k % 2) socket.write("GET / HTTP/1.1\r\nHost:"); }))));
    const { all, ms } = await within(handshake + sweep + tolerance, clients);
    check(all, `${crowd} idle and half-open sockets: all were closed ${ms} ms after the last connect`);
    clients.forEach(client => client.socket.destroy());
});

await attack("a frame of a gigabyte", async check => {
    const client = await upgraded();
    client.socket.write(Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0]));
    const { all } = await within(2000 + tolerance, [client]);
    check(all && closeCode(client.received) === 1009, `a frame of a gigabyte: closed with ${closeCode(client.received)}`);
});

for (const [kind, first] of [["messages", 0x82], ["pings", 0x89]])
    await attack(`100000 ${kind} at once`, async check => {
        const client = await upgraded();
        client.socket.write(Buffer.concat(Array(100_000).fill(frame(first, Buffer.from("nonsense")))));
        const { all, ms } = await within(2000 + tolerance, [client]);
        check(all, `100000 ${kind} at once: closed after ${ms} ms, with ${closeCode(client.received)}`);
        client.socket.destroy();
    });

await attack("100 clients that never read", async check => {
    const request = "GET /api/worlds HTTP/1.1\r\nHost: here\r\n\r\n".repeat(400);
    const clients = await Promise.all(Array.from({ length: 100 }, () => connect(socket => {
        socket.pause();
        socket.write(request);
    })));
    const began = Date.now(), timeout = 40_000; // it begins when the last of 40000 responses was written
    const anyOpen = async () => (await metrics()).connections > start.connections;
    let open = true;
    while ((open = await anyOpen()) && Date.now() - began < timeout) await sleep(100);
    check(!open, `100 clients that never read: all were closed after ${Date.now() - began} ms`);
    clients.forEach(client => client.socket.destroy());
});

await attack("1000 connects a second for 3 s", async check => {
    const clients = [];
    for (let tenth = 0; tenth < 30; tenth++) {
        const until = Date.now() + 100;
        clients.push(...await Promise.all(Array.from({ length: 100 }, () =>
            connect(socket => socket.end("GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")))));
        await sleep(Math.max(0, until - Date.now()));
    }
    const { all } = await within(idle + tolerance, clients);
    const answered = clients.filter(client => client.received.includes("200 OK")).length;
    check(all && answered === clients.length, `1000 connects a second for 3 s: ${answered} of ${clients.length} were answered`);
});

await attack("random bytes after the upgrade", async check => {
    const clients = await Promise.all(Array.from({ length: 200 }, upgraded));
    let seed = 1;
    for (const { socket } of clients)
        socket.write(Buffer.from(Array.from({ length: 300 }, () => (seed = (seed * 48271) % 0x7fffffff) & 255)));
    const { all, ms } = await within(handshake + sweep + 2000 + tolerance, clients);
    check(all, `random bytes after the upgrade: all were closed after ${ms} ms`);
});

// Requests over connections from one address, each within the limit of one connection.
async function flood(connections, requests, localAddress) {
    const clients = await Promise.all(Array.from({ length: connections }, () =>
        connect(socket => socket.end(requests()), localAddress)));
    await within(handshake + idle + tolerance, clients);
    clients.forEach(client => client.socket.destroy());
    return clients.reduce((sum, client) => sum + client.bytes, 0);
}
const request = (target, header = "") => `GET ${target} HTTP/1.1\r\nHost: here\r\n${header}\r\n`;

await attack("one address joins as often as it can", async check => {
    const before = await metrics(), began = Date.now();
    const crowd = spawn(instep, ["bots", "bounce", "--thin", "--count", "200", "--stay", "0.1", "--connects-per-second", "1000",
        "--seconds", "6", "--url", `ws://127.0.0.1:${port}`], { stdio: "ignore" });
    await new Promise(done => crowd.on("close", done));
    const joins = (await metrics()).joins - before.joins, allowed = 600 + 20 * (Date.now() - began) / 1000;
    check(joins <= allowed + 20, `one address joins as often as it can: ${joins} joins, of ${allowed.toFixed(0)} allowed`);
});

await attack("a megabyte of requests for the rooms from one address", async check => {
    const before = await metrics();
    const one = request("/api/rooms");
    const bytes = await flood(60, () => one.repeat(Math.ceil(1e6 / 60 / one.length)), "127.0.0.66");
    const limited = (await metrics()).limited - before.limited;
    check(bytes < 30e6, `a megabyte of requests for the rooms: ${(bytes / 1e6).toFixed(1)} MB of answers, ${limited} refusals`);
});

await attack("forged X-Forwarded-For from one address", async check => {
    const before = await metrics();
    let number = 0;
    await flood(80, () => Array.from({ length: 400 }, () => request("/livez", `X-Forwarded-For: 10.${number >> 8 & 255}.${number++ & 255}.1\r\n`))
        .join(""), "127.0.0.67");
    const limited = (await metrics()).limited - before.limited;
    check(limited > 0, `forged X-Forwarded-For from one address: ${limited} connections were refused all the same`);
});

await attack("60000 clients behind a trusted proxy", async check => {
    const before = await metrics();
    let number = 0;
    await flood(150, () => Array.from({ length: 400 }, () => {
        const network = (number += 0x9e3779) & 0xffffff;
        return request("/livez", `X-Forwarded-For: 2001:${(network >> 8).toString(16)}:${(network & 255).toString(16)}::1\r\n`);
    }).join(""), "127.0.0.9");
    const limited = (await metrics()).limited - before.limited;
    check(limited === 0, `60000 clients behind a trusted proxy: ${limited} of them were taken for one`);
});

machine.stop();
process.exit(failures ? 1 : 0);
