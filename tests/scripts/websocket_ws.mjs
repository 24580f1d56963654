// SPDX-License-Identifier: MIT
// npm's `ws` as a client of our server and as a server for our bots.
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

// How a connection ended after `act`. `error` is what ws reports against our end.
const connect = (target, options, act) => new Promise(done => {
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
const ended = (seen, code, name = "") => seen.code === code && seen.reason.startsWith(name) && !seen.error;

// In three fragments, with a ping between them, as RFC 6455 allows for any message.
const sendInFragments = (socket, message) => {
    const third = Math.ceil(message.length / 3);
    socket.send(message.subarray(0, third), { binary: true, fin: false });
    socket.ping("between");
    socket.send(message.subarray(third, 2 * third), { binary: true, fin: false });
    socket.send(message.subarray(2 * third), { binary: true, fin: true });
};

// Bots play through ws, which splits every message of both ends into fragments.
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
                if (to.readyState === WebSocket.OPEN) sendInFragments(to, message);
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
check(played.exit === 0 && played.wrong.length === 0, "bots play through it, all messages in fragments with pings between them", played);
check(played.pongs > 100, "both ends answer pings with their content", played);
check(played.codes.length > 0 && played.codes.every(code => code === 1000), "a bot that leaves closes with 1000 and gets it back", played);

let seen = await connect(level, {}, socket => { socket.ping("abc"); socket.close(4000, "mine"); });
check(ended(seen, 4000), "a close is answered with the same code", seen);
check(seen.pongs[0] === "abc", "a ping before it is answered first", seen);
seen = await connect(level, { perMessageDeflate: { threshold: 0 } }, socket => socket.close(1000));
check(ended(seen, 1000) && seen.extensions === "", "offered compression is declined", seen);
seen = await connect(level, {}, socket => socket.send("text"));
check(ended(seen, 1003, "not_binary: "), "text is refused with 1003", seen);
seen = await connect(level, {}, socket => socket.send(Buffer.from("nonsense")));
check(ended(seen, 4400, "wrong_hello: ") && seen.messages === 1, "a message that is not a hello is answered and refused with 4400", seen);
seen = await connect(level, {}, socket => socket.send(Buffer.alloc(70_000)));
check(seen.code === 1009 && !seen.error, "a message that is too large is refused with 1009", seen);
seen = await connect(level, {}, socket => { for (let i = 0; i < 2000; i++) socket.ping(); });
check(ended(seen, 4429, "too_many_messages: "), "a flood of pings is refused with 4429", seen);
seen = await connect(level, {}, socket => socket.send(Buffer.from("x"), { mask: false }));
check(ended(seen, 1002), "a frame without a mask is refused with 1002", seen);
seen = await connect(level, {}, raw(0xc2, 0x80, 0, 0, 0, 0));
check(ended(seen, 1002), "a reserved bit is refused with 1002", seen);
seen = await connect(level, {}, raw(0x83, 0x80, 0, 0, 0, 0));
check(ended(seen, 1002), "a reserved opcode is refused with 1002", seen);
seen = await connect(level, {}, raw(0x80, 0x80, 0, 0, 0, 0));
check(ended(seen, 1002), "a continuation without a message is refused with 1002", seen);
seen = await connect(level, {}, raw(0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28));
check(ended(seen, 1007), "text that is not UTF-8 is refused with 1007", seen);
seen = await connect(level, {}, raw(0x82, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0));
check(seen.code === 1009 && !seen.error, "a frame of a gigabyte is refused with 1009 after its header", seen);
seen = await connect(`/play?room=${"a".repeat(31)}%E2%82%AC`, {}, () => {});
check(ended(seen, 4400, "wrong_name: "), "the reason of a refusal is UTF-8", seen);
seen = await connect(level, { origin: "http://elsewhere.example" }, () => {});
check(ended(seen, 4403, "foreign_origin: "), "a page of another site is refused with 4403 and the reason", seen);
process.exit(failures ? 1 : 0);
