// SPDX-License-Identifier: MIT
// A typical server for comparison: Node, `ws`, planck, and the state of the room as JSON. Rooms of 16 at 60 Hz with 20 Hz snapshots,
// with the work of `instep serve` with arena rooms: every player is a ship that thrusts, turns and collides, and gets the whole state.
//   node bench/server_peer.mjs NODE_MODULES      prints its port; at each line on stdin the lateness since the last, as JSON
import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";

const modules = path.resolve(process.argv[2]);
const require = createRequire(path.join(modules, "package.json"));
const { WebSocketServer } = require("ws");
const planck = require("planck");

const rate = 60, snapshotEvery = 3, seats = 16, rocks = 40;
const rooms = [];
let late = [], received = 0;

function openRoom() {
    const world = planck.World({ gravity: planck.Vec2(0, 0) });
    const wall = world.createBody();
    const corners = [[-60, -40], [60, -40], [60, 40], [-60, 40]].map(([x, y]) => planck.Vec2(x, y));
    corners.forEach((corner, i) => wall.createFixture(planck.Edge(corner, corners[(i + 1) % 4]), { restitution: 0.5 }));
    const stones = Array.from({ length: rocks }, (_, i) => {
        const stone = world.createDynamicBody(planck.Vec2((i % 8) * 12 - 42, Math.floor(i / 8) * 12 - 24));
        stone.createFixture(planck.Circle(1.5), { density: 1, friction: 0.3, restitution: 0.5 });
        stone.setLinearVelocity(planck.Vec2(((i * 7) % 5) - 2, ((i * 3) % 5) - 2));
        return stone;
    });
    const room = { world, stones, players: new Map(), tick: 0, start: performance.now() + (1000 / 20) * ((rooms.length * 0.618) % 1) };
    rooms.push(room);
    const wake = () => {
        for (let i = 0; i < 4; i++) {
            const due = room.start + ((room.tick + 1) * 1000) / rate, now = performance.now();
            if (now < due) break;
            late.push(now - due);
            step(room);
        }
        setTimeout(wake, Math.max(0, room.start + ((room.tick + 1) * 1000) / rate - performance.now()));
    };
    wake();
    return room;
}

function step(room) {
    room.tick++;
    for (const { body, input } of room.players.values()) {
        body.setAngularVelocity(input.turn * 4);
        if (input.thrust) body.applyForceToCenter(body.getWorldVector(planck.Vec2(0, 40)), true);
    }
    room.world.step(1 / rate, 8, 3);
    if (room.tick % snapshotEvery) return;
    const kinematics = body => {
        const { x, y } = body.getPosition(), v = body.getLinearVelocity();
        return { x, y, angle: body.getAngle(), vx: v.x, vy: v.y, spin: body.getAngularVelocity() };
    };
    const state = {
        tick: room.tick,
        players: [...room.players.values()].map(player => ({ id: player.id, name: player.name, ...kinematics(player.body) })),
        rocks: room.stones.map(kinematics),
    };
    for (const player of room.players.values()) player.socket.send(JSON.stringify({ ...state, acknowledged: player.input.sequence }));
}

let ids = 0;
const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false }, () => console.log(server.address().port));
server.on("connection", socket => {
    const room = rooms.find(({ players }) => players.size < seats) ?? openRoom();
    const id = ++ids;
    const body = room.world.createDynamicBody(planck.Vec2((id % 8) * 10 - 35, (id % 7) * 8 - 24));
    body.createFixture(planck.Polygon([planck.Vec2(0, 1.2), planck.Vec2(-0.8, -0.8), planck.Vec2(0.8, -0.8)]), { density: 1 });
    room.players.set(id, { id, socket, body, name: `bot ${id}`, input: { sequence: 0, turn: 0, thrust: false } });
    socket.on("message", bytes => {
        const { sequence, turn, thrust } = JSON.parse(bytes);
        received++;
        room.players.get(id).input = { sequence: Number(sequence), turn: Math.max(-1, Math.min(1, Number(turn))), thrust: Boolean(thrust) };
    });
    socket.on("close", () => {
        room.players.delete(id);
        room.world.destroyBody(body);
    });
});

readline.createInterface({ input: process.stdin }).on("line", () => {
    late.sort((a, b) => a - b);
    console.log(JSON.stringify({ players: rooms.reduce((sum, room) => sum + room.players.size, 0), ticks: late.length, received, p99: late[Math.floor(late.length * 0.99)] }));
    late = [];
    received = 0;
});
