// SPDX-License-Identifier: MIT
// Attacks a running server while bots play on it. Reports for each attack how long the server took to refuse or close all of
// it, by how much its memory grew, and how late its ticks were.
//   node tests/scripts/attacks.mjs PORT PID INSTEP open CONTROL      prints lines that begin with ok or FAIL
//   node tests/scripts/attacks.mjs PORT PID INSTEP reports FLOOD     desync reports, by tests/attacks/report_flood.cpp
//   node tests/scripts/attacks.mjs PORT PID INSTEP tokens SECRET OLD   a server with tokens; OLD was issued before it started
// The server's limits are those of attacks.sh. Attackers use 200 addresses of the loopback network in turn, or one of their own where
// the attack is about addresses; the bots have 127.0.0.1, and the server trusts 127.0.0.9 to be a proxy.
import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import { promisify } from "node:util";
import { metronome } from "./metronome.mjs";

const [port, pid] = process.argv.slice(2, 4).map(Number);
const [instep, which, ...more] = process.argv.slice(4);
const handshake = 3000, idle = 3000, sweep = 250, tolerance = 10_000; // ms; the tolerance is for a busy machine
const mostGrowth = 50e6, mostLateness = 0.002;
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
        resumes: number("resumes_total"), rooms: number("rooms"), skipped: number("ticks_skipped_total"), failedRooms: number("rooms_failed_total"), desyncs: number("desyncs_total"),
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

function finish() {
    machine.stop();
    process.exit(failures ? 1 : 0);
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

const machine = metronome();
const start = await metrics();
await sleep(3000);
const calm = lateness(start, await metrics());
const base = resident();
check(start.players > 0, `${start.players} players are there before the attacks; 99 % of ticks within ${calm * 1e3} ms`);

const leastWindow = 5000; // ms: about 1,300 ticks, so that 1 % is more than one

// Repeats `act` for leastWindow. Successes are printed once. Ticks may be later by mostLateness than without an attack, and than a
// timer of the same priority in another process is meanwhile: a busy machine delays both. A stall of the machine may still hit the
// server alone, but not whenever it is attacked: so an attack that seems to delay ticks is repeated, and has to do it three times.
async function attack(name, act) {
    const quietly = (good, sentence) => good || check(false, sentence);
    const before = await metrics();
    let delay = null;
    for (let tries = 0; tries < 3 && (!delay || delay.late > delay.most); tries++) {
        await machine.p99();
        const from = await metrics(), began = Date.now();
        await act(tries ? quietly : check);
        while (Date.now() - began < leastWindow) await act(quietly);
        await sleep(300);
        const own = Math.max(calm, await machine.p99());
        delay = { late: lateness(from, await metrics()), own, most: Math.max(mostLateness, own + mostLateness) };
    }
    const after = await metrics();
    const grown = resident() - base;
    check(grown < mostGrowth, `${name}: the server grew by ${(grown / 1e6).toFixed(1)} MB, of ${mostGrowth / 1e6}`);
    check(after.ticks > before.ticks && after.players >= start.players, `${name}: play went on`);
    const [late, most, own] = [delay.late, delay.most, delay.own].map(time => (time * 1e3).toFixed(2));
    check(delay.late <= delay.most, `${name}: 99 % of ticks were late by at most ${late} ms, of ${most} (this machine's timers: ${own})`);
}

// 1
if (which === "reports") {
    // Each report is true and names all that the server remembers. Before there were limits, 2,000 of them closed a room.
    await attack("2000 connects of one player with desync reports", async check => {
        const before = await metrics(), began = Date.now();
        const { error, stdout } = await new Promise(done =>
            execFile(more[0], [`ws://127.0.0.1:${port}`, "flail", "plain", "2000", "500"], (error, stdout) => done({ error, stdout })));
        await sleep(1200); // metrics of rooms are updated once a second
        const after = await metrics();
        const judged = after.unfounded - before.unfounded, allowed = 2 + Math.floor((Date.now() - began) / 1000); // one a second
        check(!error && Number(stdout) > 500, `2000 connects of one player with desync reports: ${stdout.trim()} were opened`);
        check(judged > 0 && judged <= allowed,
            `2000 connects of one player with desync reports: ${judged} were judged, of ${allowed} allowed, and ${after.ignored - before.ignored} ignored`);
        check(after.desyncs === before.desyncs && after.failedRooms === before.failedRooms,
            "2000 connects of one player with desync reports: no desync was counted, and no room closed");
    });
    finish();
}

const upgradeTo = (target, headers = "Host: here") => `GET ${target} HTTP/1.1\r\n${headers}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
// What a server answers to an upgrade: "4403 token_refused: ...", or the HTTP response.
async function refusalOf(target, headers) {
    const client = await connect(socket => socket.write(upgradeTo(target, headers)));
    await within(handshake + tolerance, [client]);
    client.socket.destroy();
    const code = closeCode(client.received), text = client.received.toString("latin1");
    return code ? `${code} ${/[a-z_]+: .*/s.exec(text.slice(text.indexOf("\r\n\r\n")))?.[0]}` : text;
}
const bots = (...options) => spawn(instep, ["bots", ...options], { stdio: "ignore" });
const ended = child => new Promise(done => child.on("close", done));
async function until(condition, ms = 20_000) {
    for (const began = Date.now(); Date.now() - began < ms; await sleep(50)) if (await condition()) return true;
    return false;
}

if (which === "tokens") {
    const [secret, old] = more;
    const run = promisify(execFile);
    const token = async (...options) =>
        (await run(instep, ["token", "--secret", secret, "--player", "stranger-0123456789", ...options])).stdout.trim();

    // 2: a token is good once, so a player whose connection breaks needs its ticket.
    const links = new Set();
    const relay = net.createServer(link => {
        const onwards = net.connect(port, "127.0.0.1");
        link.pipe(onwards).pipe(link);
        for (const end of [link, onwards]) end.on("error", () => { link.destroy(); onwards.destroy(); });
        links.add(link);
        link.on("close", () => { links.delete(link); onwards.destroy(); });
    });
    await new Promise(done => relay.listen(0, "127.0.0.1", done));
    const players = bots("bounce", "--level", "billiards", "--count", "4", "--room", "cut", "--secret", secret, "--thin",
        "--url", `ws://127.0.0.1:${relay.address().port}`);
    await until(async () => (await metrics()).players >= start.players + 4);
    await attack("connections that break on a server with tokens", async check => {
        const before = await metrics();
        for (const link of links) link.destroy();
        const back = await until(async () => (await metrics()).resumes >= before.resumes + 4);
        const after = await metrics();
        check(back && after.joins === before.joins, `connections that break on a server with tokens: ${after.resumes - before.resumes} of 4 players came back`);
    });
    players.kill("SIGKILL");
    relay.close();

    // 6
    await attack("tokens that are for something else", async check => {
        const right = ["--room", "theirs", "--world", "bounce", "--level", "box"];
        const wrong = {
            "no token": ["", ""],
            "another world": ["&world=flail", await token(...right)],
            "another level": ["&level=billiards", await token(...right)],
            "another room": ["&room=ours", await token(...right)],
            "another role": ["", await token(...right, "--role", "watch")],
            "another server": ["", await token(...right, "--audience", "elsewhere")],
            "a server that has been restarted": ["", old],
        };
        for (const [what, [asked, text]] of Object.entries(wrong)) {
            const refusal = await refusalOf(`/play?token=${text}${asked}`);
            check(/^4401 token_required|^4403 token_refused/.test(refusal), `tokens that are for something else: ${what}: ${refusal.slice(0, 60)}`);
        }
        process.kill(pid, "SIGHUP");
        check(await get("/livez") === "ok\n", "tokens that are for something else: SIGHUP reads the secrets again and ends nothing");
    });
    finish();
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

// 3: disk_shim.cpp reads the delay of each call from this file.
await attack("a disk that takes 1.5 s for each call", async check => {
    const before = await metrics();
    const setDelay = ms => {
        fs.writeFileSync(more[0] + ".new", `${ms} 1000000000000`);
        fs.renameSync(more[0] + ".new", more[0]);
    };
    setDelay(1500);
    let slowest = 0;
    for (const began = Date.now(); Date.now() - began < leastWindow; await sleep(200)) {
        const asked = Date.now();
        await get("/healthz");
        slowest = Math.max(slowest, Date.now() - asked);
    }
    setDelay(0);
    check(slowest < 1500, `a disk that takes 1.5 s for each call: /healthz answers within ${slowest} ms`);
    // Half of all ticks once were; a stall of the machine may cost a few.
    const after = await metrics(), skipped = after.skipped - before.skipped, ticks = after.ticks - before.ticks;
    check(skipped <= 0.01 * ticks, `a disk that takes 1.5 s for each call: ${skipped} of ${ticks} ticks were lost`);
});

// 5: all seats of a room belong to players that were lost a moment ago.
await attack("a room full of ghosts", async check => {
    const room = ["bounce", "--level", "billiards", "--room", "ghosts", "--count", "4", "--thin", "--url", `ws://127.0.0.1:${port}`];
    const before = await metrics();
    const ghosts = bots(...room);
    const came = await until(async () => (await metrics()).joins >= before.joins + 4);
    ghosts.kill("SIGKILL");
    await ended(ghosts);
    await until(async () => (await metrics()).connections <= before.connections);
    const code = await ended(bots(...room, "--seconds", "3"));
    check(came && code === 0, `a room full of ghosts: four people took their four seats at once (${code})`);
});

// 9, 10
await attack("names and modes that the server did not choose", async check => {
    const rebound = await refusalOf("/play?world=bounce", "Host: evil.example\r\nOrigin: http://evil.example");
    check(rebound.startsWith("HTTP/1.1 421") && rebound.includes("foreign_host"), "a page whose name was rebound to this address is refused");
    const relayed = await refusalOf("/play?world=bounce&replication=relay");
    check(relayed.startsWith("4403 replication_refused"), "a stranger may not choose the costlier replication");
    await sleep(200);
});

// 11: each is recorded, its level is parsed, and its memory reserved.
await attack("24 rooms at once", async check => {
    const before = await metrics();
    const body = JSON.stringify({ world: "arena" });
    const post = `POST /api/rooms HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const clients = await Promise.all(Array.from({ length: 24 }, () => connect(socket => socket.write(post))));
    await within(handshake + tolerance, clients);
    const opened = clients.filter(client => client.received.includes("201 Created")).length;
    check(opened === 24, `24 rooms at once: ${opened} were opened`);
    check(await until(async () => (await metrics()).rooms <= before.rooms), "24 rooms at once: they end when they are empty");
});

// 4; last of those that need bots, which have the same address
await attack("one address joins as often as it can", async check => {
    const before = await metrics(), began = Date.now();
    const crowd = spawn(instep, ["bots", "bounce", "--thin", "--count", "200", "--stay", "0.1", "--connects-per-second", "1000",
        "--seconds", "6", "--url", `ws://127.0.0.1:${port}`], { stdio: "ignore" });
    await new Promise(done => crowd.on("close", done));
    const joins = (await metrics()).joins - before.joins, allowed = 600 + 20 * (Date.now() - began) / 1000;
    check(joins <= allowed + 20, `one address joins as often as it can: ${joins} joins, of ${allowed.toFixed(0)} allowed`);
});

// 8
await attack("a megabyte of requests for the rooms from one address", async check => {
    const before = await metrics();
    const one = request("/api/rooms");
    const bytes = await flood(60, () => one.repeat(Math.ceil(1e6 / 60 / one.length)), "127.0.0.66");
    const limited = (await metrics()).limited - before.limited;
    check(bytes < 30e6, `a megabyte of requests for the rooms: ${(bytes / 1e6).toFixed(1)} MB of answers, ${limited} refusals`);
});

// 7
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

finish();
