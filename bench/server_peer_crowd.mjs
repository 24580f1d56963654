// SPDX-License-Identifier: MIT
// Clients of server_peer.mjs, as thin as `instep bots --thin`: each sends its input 60 times a second and ignores the snapshots.
//   node bench/server_peer_crowd.mjs PORT COUNT
import net from "node:net";

const [port, count] = process.argv.slice(2).map(Number);
const upgrade = "GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

for (let i = 0; i < count; i++) {
    const socket = net.connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.write(upgrade);
    socket.once("data", () => {
        let sequence = 0;
        const timer = setInterval(() => {
            const text = JSON.stringify({ sequence: ++sequence, turn: (((sequence >> 5) + i) % 3) - 1, thrust: sequence % 90 < 45 });
            // A text frame with a mask of zeros.
            socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]));
        }, 1000 / 60);
        socket.once("close", () => clearInterval(timer));
        socket.resume();
    });
}
