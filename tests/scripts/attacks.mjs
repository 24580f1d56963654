// SPDX-License-Identifier: MIT
// Attacks a running server while others play on it, and says after each attack what it cost: how long until all of it was
// refused or closed, how much memory the server grew by, how late ticks were.
//   node tests/scripts/attacks.mjs PORT PID      prints lines that begin with ok, FAIL or skip
// The server's limits are those of attacks.sh.
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import { metronome } from "./metronome.mjs";

const [port, pid] = process.argv.slice(2).map(Number);
const handshake = 3000, idle = 3000, sweep = 250, slack = 3000; // ms; slack: a busy machine
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

async function figures() {
    const text = await get("/metrics");
    const number = name => Number(new RegExp(`^instep_${name} (\\d+)`, "m").exec(text)[1]);
    const buckets = [...text.matchAll(/^instep_tick_lateness_seconds_bucket\{le="([^"]+)"\} (\d+)/gm)]
        .map(([, bound, count]) => [bound === "+Inf" ? Infinity : Number(bound), Number(count)]);
    const refused = cause => Number(new RegExp(`cause="${cause}"\\} (\\d+)`).exec(text)[1]);
    return { connections: number("connections"), players: number("players"), ticks: number("ticks_total"), buckets, refused };
}

// The bound that 99 % of the ticks between two readings stayed below, in seconds.
function lateness(before, after) {
    const counts = after.buckets.map(([bound, count], i) => [bound, count - before.buckets[i][1]]);
    const all = counts.at(-1)[1];
    return counts.find(([, count]) => count >= 0.99 * all)[0];
}

// Who connects and counts how it ends. `opened(socket)` is what it does first.
function visit(opened) {
    return new Promise(done => {
        const socket = net.connect({ port, host: "127.0.0.1" });
        const visitor = { socket, heard: Buffer.alloc(0), ended: null };
        visitor.over = new Promise(over => socket.on("close", () => { visitor.ended = Date.now(); over(); }));
        socket.on("data", part => { if (visitor.heard.length < 4096) visitor.heard = Buffer.concat([visitor.heard, part]); });
        socket.on("error", () => done(visitor));
        socket.on("connect", () => { opened(socket); done(visitor); });
    });
}

const upgrade = "GET /play?world=bounce HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

async function upgraded() {
    const visitor = await visit(socket => socket.write(upgrade));
    while (!visitor.ended && !visitor.heard.includes("\r\n\r\n")) await sleep(5);
    return visitor;
}

// A client's frame with a mask of zeros.
const frame = (first, content) => Buffer.concat([Buffer.from([first, 0x80 | content.length, 0, 0, 0, 0]), content]);

// The code of the close frame that came, 0 if none did. What is before it is the answer to the upgrade, and pongs.
function closeCode(heard) {
    let at = heard.indexOf("\r\n\r\n") + 4;
    while (at + 4 <= heard.length) {
        if (heard[at] === 0x88) return heard.readUInt16BE(at + 2);
        at += 2 + (heard[at + 1] & 127);
    }
    return 0;
}

async function within(ms, visitors) {
    const began = Date.now();
    await Promise.race([sleep(ms), Promise.all(visitors.map(visitor => visitor.over))]);
    return { all: visitors.every(visitor => visitor.ended), ms: Date.now() - began };
}

const start = await figures();
const calmFrom = start;
await sleep(3000);
const calm = lateness(calmFrom, await figures());
const base = resident();
check(start.players > 0, `${start.players} players are there before anything happens; 99 % of ticks within ${calm * 1e3} ms`);

const machine = metronome();
const leastWindow = 6000; // ms: some 1,500 ticks; of a few, 99 % would be all

// `act` again and again, or once if it takes its time. What went well is told once.
async function attack(name, act) {
    const before = await figures();
    await machine.worst();
    const began = Date.now();
    await act(check);
    while (Date.now() - began < leastWindow) await act((good, sentence) => good || check(false, sentence));
    await sleep(300);
    const after = await figures();
    const grown = resident() - base;
    check(grown < mostGrowth, `${name}: the server grew by ${(grown / 1e6).toFixed(1)} MB, of ${mostGrowth / 1e6}`);
    check(after.ticks > before.ticks && after.players >= start.players, `${name}: play went on`);
    const late = lateness(before, after);
    // What the machine is late by itself is not the server's: neither without the attack, nor in a stall during it.
    const own = await machine.worst();
    if (calm > 0.002 || own > mostLateness)
        console.log(`skip ${name}: lateness (${late * 1e3} ms), since this machine is late by ${(Math.max(calm, own) * 1e3).toFixed(1)} ms itself`);
    else check(late < mostLateness, `${name}: 99 % of ticks were late by at most ${late * 1e3} ms`);
}

const descriptors = Number(/Max open files\s+(\d+)/.exec(fs.readFileSync("/proc/self/limits", "utf8"))[1]);
const crowd = Math.min(10_000, descriptors - 200);
await attack(`${crowd} idle and half-open sockets`, async check => {
    const visitors = [];
    for (let i = 0; i < crowd; i += 250)
        visitors.push(...await Promise.all(Array.from({ length: Math.min(250, crowd - i) }, (_, k) =>
            visit(socket => { if (k % 2) socket.write("GET / HTTP/1.1\r\nHost:"); }))));
    const { all, ms } = await within(handshake + sweep + slack, visitors);
    check(all, `${crowd} idle and half-open sockets: all were closed ${ms} ms after the last came`);
    visitors.forEach(visitor => visitor.socket.destroy());
});

await attack("a frame of a gigabyte", async check => {
    const visitor = await upgraded();
    visitor.socket.write(Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0]));
    const { all } = await within(2000 + slack, [visitor]);
    check(all && closeCode(visitor.heard) === 1009, `a frame of a gigabyte: closed with ${closeCode(visitor.heard)}`);
});

for (const [kind, first] of [["messages", 0x82], ["pings", 0x89]])
    await attack(`100000 ${kind} at once`, async check => {
        const visitor = await upgraded();
        visitor.socket.write(Buffer.concat(Array(100_000).fill(frame(first, Buffer.from("nonsense")))));
        const { all, ms } = await within(2000 + slack, [visitor]);
        check(all, `100000 ${kind} at once: closed after ${ms} ms, with ${closeCode(visitor.heard)}`);
        visitor.socket.destroy();
    });

await attack("100 that ask and never read", async check => {
    const request = "GET /api/worlds HTTP/1.1\r\nHost: here\r\n\r\n".repeat(400);
    const visitors = await Promise.all(Array.from({ length: 100 }, () => visit(socket => {
        socket.pause();
        socket.write(request);
    })));
    const began = Date.now(), patience = 40_000; // their time begins when the last of 40000 answers was written
    const areLeft = async () => (await figures()).connections > start.connections;
    let open = true;
    while ((open = await areLeft()) && Date.now() - began < patience) await sleep(100);
    check(!open, `100 that ask and never read: all were closed after ${Date.now() - began} ms`);
    visitors.forEach(visitor => visitor.socket.destroy());
});

await attack("1000 connects a second for 3 s", async check => {
    const visitors = [];
    for (let tenth = 0; tenth < 30; tenth++) {
        const until = Date.now() + 100;
        visitors.push(...await Promise.all(Array.from({ length: 100 }, () =>
            visit(socket => socket.end("GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")))));
        await sleep(Math.max(0, until - Date.now()));
    }
    const { all } = await within(idle + slack, visitors);
    const answered = visitors.filter(visitor => visitor.heard.includes("200 OK")).length;
    check(all && answered === visitors.length, `1000 connects a second for 3 s: ${answered} of ${visitors.length} were answered`);
});

await attack("random bytes after the upgrade", async check => {
    const visitors = await Promise.all(Array.from({ length: 200 }, upgraded));
    let seed = 1;
    for (const { socket } of visitors)
        socket.write(Buffer.from(Array.from({ length: 300 }, () => (seed = (seed * 48271) % 0x7fffffff) & 255)));
    const { all, ms } = await within(handshake + sweep + 2000 + slack, visitors);
    check(all, `random bytes after the upgrade: all were closed after ${ms} ms`);
});

machine.stop();
process.exit(failures ? 1 : 0);
