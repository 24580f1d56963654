// SPDX-License-Identifier: MIT
// npm's `ws` as a client of our server and as a server to our bots.
//   node tests/scripts/websocket_ws.mjs PORT INSTEP NODE_MODULES      prints lines that begin with ok or FAIL
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";

const [port, instep, modules] = process.argv.slice(2);
const { WebSocket, WebSocketServer } = createRequire(path.resolve(modules, "package.json"))("ws");
const level = "/play?world=flail&level=plain";
let failures = 0;

const check = (good, sentence, seen) => {
    console.log(`${good ? "ok" : "FAIL"} ws: ${sentence}${good ? "" : ` (${JSON.stringify(seen)})`}`);
    if (!good) failures++;
};

// What became of a connection on which `act` was done. `error` is what ws has to say against our end.
const visit = (target, options, act) => new Promise(done => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${target}`, options);
    const seen = { pongs: [], messages: 0 };
    const timer = setTimeout(() => socket.terminate(), 10_000);
    socket.on("open", () => act(socket));
    socket.on("message", () => seen.messages++);
    socket.on("pong", content => seen.pongs.push(content.toString()));
    socket.on("error", error => (seen.error = error.message));
    socket.on("unexpected-response", (_, reply) => {
        seen.status = reply.statusCode;
        reply.resume();
        reply.on("end", () => { clearTimeout(timer); done(seen); });
    });
    socket.on("close", (code, reason) => {
        clearTimeout(timer);
        done({ ...seen, code, reason: reason.toString(), extensions: socket.extensions });
    });
});
const raw = (...bytes) => socket => socket._socket.write(Buffer.from(bytes));
const ended = (seen, code, word = "") => seen.code === code && seen.reason.startsWith(word) && !seen.error;

// In three parts, with a ping between them: as a client may send any message.
const sendInParts = (socket, message) => {
    const third = Math.ceil(message.length / 3);
    socket.send(message.subarray(0, third), { binary: true, fin: false });
    socket.ping("between");
    socket.send(message.subarray(third, 2 * third), { binary: true, fin: false });
    socket.send(message.subarray(2 * third), { binary: true, fin: true });
};

// Bots play through ws, which cuts every message of either end into parts.
async function playThrough() {
    const seen = { pongs: 0, wrong: [], codes: [] };
    const proxy = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
    proxy.on("connection", (bot, request) => {
        const server = new WebSocket(`ws://127.0.0.1:${port}${request.url}`, { perMessageDeflate: false });
        const opened = new Promise(done => server.on("open", done));
        for (const [from, to] of [[bot, server], [server, bot]]) {
            from.on("message", async (message, isBinary) => {
                if (!isBinary) seen.wrong.push("text");
                await opened;
                if (to.readyState === WebSocket.OPEN) sendInParts(to, message);
            });
            from.on("pong", content => (content.toString() === "between" ? seen.pongs++ : seen.wrong.push("pong")));
            from.on("error", error => seen.wrong.push(error.message));
            from.on("close", code => {
                seen.codes.push(code);
                if (to.readyState === WebSocket.OPEN) to.close(code === 1006 ? 1001 : code);
            });
        }
    });
    await new Promise(done => proxy.once("listening", done));
    const bots = spawn(instep, ["bots", "flail", "--level", "plain", "--count", "4", "--seconds", "4", "--url",
        `ws://127.0.0.1:${proxy.address().port}`]);
    let said = "";
    bots.stdout.on("data", part => (said += part));
    bots.stderr.on("data", part => (said += part));
    seen.exit = await new Promise(done => bots.on("exit", done));
    seen.said = said;
    for (const client of proxy.clients) client.terminate();
    proxy.close();
    return seen;
}

const played = await playThrough();
check(played.exit === 0 && played.wrong.length === 0, "bots play through it, all messages in parts with pings between them", played);
check(played.pongs > 100, "both ends answer pings with what was in them", played);
check(played.codes.length > 0 && played.codes.every(code => code === 1000), "who leaves closes with 1000 and is answered with it", played);

let seen = await visit(level, {}, socket => { socket.ping("abc"); socket.close(4000, "mine"); });
check(ended(seen, 4000), "a close is answered with its own code", seen);
check(seen.pongs[0] === "abc", "a ping before it is answered first", seen);
seen = await visit(level, { perMessageDeflate: { threshold: 0 } }, socket => socket.close(1000));
check(ended(seen, 1000) && seen.extensions === "", "compression is offered and not taken", seen);
seen = await visit(level, {}, socket => socket.send("text"));
check(ended(seen, 1003, "not_binary: "), "text is refused with 1003", seen);
seen = await visit(level, {}, socket => socket.send(Buffer.from("nonsense")));
check(ended(seen, 4400, "wrong_hello: ") && seen.messages === 1, "what is no hello is answered and refused with 4400", seen);
seen = await visit(level, {}, socket => socket.send(Buffer.alloc(70_000)));
check(seen.code === 1009 && !seen.error, "a message that is too large is refused with 1009", seen);
seen = await visit(level, {}, socket => { for (let i = 0; i < 2000; i++) socket.ping(); });
check(ended(seen, 4429, "too_many_messages: "), "a flood of pings is refused with 4429", seen);
seen = await visit(level, {}, socket => socket.send(Buffer.from("x"), { mask: false }));
check(ended(seen, 1002), "a frame without a mask is refused with 1002", seen);
seen = await visit(level, {}, raw(0xc2, 0x80, 0, 0, 0, 0));
check(ended(seen, 1002), "a reserved bit is refused with 1002", seen);
seen = await visit(level, {}, raw(0x83, 0x80, 0, 0, 0, 0));
check(ended(seen, 1002), "a kind of frame that does not exist is refused with 1002", seen);
seen = await visit(level, {}, raw(0x80, 0x80, 0, 0, 0, 0));
check(ended(seen, 1002), "a part of no message is refused with 1002", seen);
seen = await visit(level, {}, raw(0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28));
check(ended(seen, 1007), "text that is no UTF-8 is refused with 1007", seen);
seen = await visit(level, {}, raw(0x82, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0));
check(seen.code === 1009 && !seen.error, "a frame of a gigabyte is refused with 1009 when it says so", seen);
seen = await visit(`/play?room=${"a".repeat(31)}%E2%82%AC`, {}, () => {});
check(ended(seen, 4400, "wrong_name: "), "why somebody is refused is UTF-8", seen);
seen = await visit(level, { origin: "http://elsewhere.example" }, () => {});
check(seen.status === 403, "a page of another site is refused before anything is opened", seen);
process.exit(failures ? 1 : 0);
