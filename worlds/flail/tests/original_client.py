# SPDX-License-Identifier: MIT
# A client of flail's original, written from its document (sections 2 and 8) and the recorded packets alone: it shares no code with
# the server. It plays in a room with our own bots.
#   python3 worlds/flail/tests/original_client.py PORT INSTEP      prints lines that begin with ok or FAIL
import asyncio
import json
import math
import signal
import struct
import sys
import urllib.request

import websockets

port, instep = sys.argv[1:]
recorded = json.load(open("worlds/flail/vectors/packets.json"))
failures = 0


def check(good, sentence, seen=""):
    global failures
    print(f"ok original client: {sentence}" if good else f"FAIL original client: {sentence} ({seen})", flush=True)
    failures += not good


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def name(self):
        units = []
        while (unit := self.take("H")) != 0:
            units.append(unit)
        return struct.pack(f"<{len(units)}H", *units).decode("utf-16-le")


class Client:
    """Keeps what a screen would show: players by id, in world units."""

    def __init__(self, socket):
        self.socket, self.players, self.own, self.map, self.packets = socket, {}, None, None, []

    async def send(self, hexadecimal):
        await self.socket.send(bytes.fromhex(hexadecimal))

    async def steer(self, heading, moving):
        await self.socket.send(struct.pack("<BdB", 5, heading + math.pi / 2, 1 if moving else 0))

    async def listen(self):
        async for message in self.socket:
            self.packets.append(message)
            self.take(Reader(message))

    def take(self, packet):
        opcode = packet.take("B")
        if opcode == 0xA0:
            self.map = packet.take("ffB")
        elif opcode == 0xA1:
            self.own = packet.take("I")
        elif opcode == 0xB4:
            while (player := packet.take("H")) != 0:
                self.take_entity(player, packet)
        elif opcode != 0:
            raise ValueError(f"opcode {opcode}")
        if packet.at != len(packet.data):
            raise ValueError("bytes after the packet")

    def take_entity(self, player, packet):
        kind = packet.take("B")
        if kind == 2:
            packet.take("HB")
            del self.players[player]
            return
        if kind == 1:
            if player in self.players:
                raise ValueError("created twice")
            packet.take("BB")
            self.players[player] = {"name": packet.name()}
        packet.take("B")
        x, y, heading, nodes = packet.take("fffB")
        rope = [packet.take("ff") for _ in range(nodes)]
        flail_x, flail_y, _, size = packet.take("fffI")
        packet.take("H")
        if kind == 1:
            packet.take("H")
        if rope[0] != (x, y) or rope[-1] != (flail_x, flail_y):
            raise ValueError("a rope does not end at its body and its flail")
        self.players[player].update(x=10 * x, y=10 * y, heading=heading, size=size, nodes=nodes)

    def named(self, name):
        return next((player for player in self.players.values() if player["name"] == name), None)


async def until(condition, seconds=30):
    for _ in range(seconds * 100):
        if condition():
            return True
        await asyncio.sleep(0.01)
    return False


def sent(step):
    return recorded["session"][step]["to_player1"]


async def alone():
    """The bytes of the recorded session, as far as they do not depend on time."""
    async with websockets.connect(f"ws://127.0.0.1:{port}/original/flail?room=alone") as socket:
        client = Client(socket)
        listening = asyncio.create_task(client.listen())
        packets = lambda: [packet.hex() for packet in client.packets]
        await client.send(recorded["serverbound"][1]["hex"])  # init
        check(await until(lambda: len(client.packets) >= 2) and packets() == sent(1), "init is answered as recorded", packets())
        await client.send("00")  # ping
        await until(lambda: len(client.packets) > 4)
        check(packets()[2] == "b40000", "an empty room's update has no entity", packets())
        await client.send("0341000000")  # spawn as "A"
        await until(lambda: client.named("A"))
        first = next(i for i, packet in enumerate(packets()) if packet.startswith("a1"))
        # But for the heading, 4 bytes that our rooms round to 0.001 rad.
        heading = sent(4)[0].index(struct.pack("<f", -math.pi / 2).hex())
        without = lambda packet: packet[:heading] + packet[heading + 8 :]
        check(packets()[first] == sent(3)[0] and without(packets()[first + 1]) == without(sent(4)[0])
              and abs(client.named("A")["heading"] + math.pi / 2) < 1e-3, "spawn is answered with id and creation as recorded", packets()[first:])
        await client.send(recorded["serverbound"][5]["hex"])  # input: heading 0, moving
        # The recorded updates of ticks 2 and 3. Our rooms round headings to 0.001 rad.
        pushed = [struct.unpack_from("<f", bytes.fromhex(recorded["session"][step]["to_player2"][0]), 5)[0] for step in (6, 7)]
        seen = lambda: [struct.unpack_from("<f", packet, 5)[0] for packet in client.packets if packet[0] == 0xB4 and len(packet) > 40 and packet[3] == 0]
        check(await until(lambda: all(any(abs(x - wanted) < 1e-4 for x in seen()) for wanted in pushed)),
              "the first two ticks of a push move the body as recorded", (pushed, seen()[:80]))
        await client.send("04")
        try:
            await asyncio.wait_for(listening, 10)
        except websockets.ConnectionClosed:
            pass
        check(socket.close_code == 4400 and "0x04" in socket.close_reason, "a packet that the original refuses closes the connection",
              (socket.close_code, socket.close_reason))


async def together():
    bots = await asyncio.create_subprocess_exec(
        instep, "bots", "flail", "--level", "original", "--room", "ours", "--count", "3", "--url", f"ws://127.0.0.1:{port}",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    async with websockets.connect(f"ws://127.0.0.1:{port}/original/flail?room=ours") as one, \
               websockets.connect(f"ws://127.0.0.1:{port}/original/flail?room=ours") as two:
        clients = [Client(one), Client(two)]
        listening = [asyncio.create_task(client.listen()) for client in clients]
        for client, name in zip(clients, ("Bob é", "Zoë")):
            await client.send("0180073804")
            await client.send("00")
            await client.socket.send(b"\x03" + name.encode("utf-16-le") + b"\0\0")
            await client.steer(0 if client is clients[0] else math.pi, True)
        bob, zoe = clients
        check(await until(lambda: all(len(client.players) == 5 for client in clients)), "two of them and three of our bots are in one room",
              [client.players for client in clients])
        check(await until(lambda: bob.named("Bob é")["x"] > 100 and bob.named("Zoë")["x"] < -100
                          and zoe.named("Bob é")["x"] > 100 and zoe.named("Zoë")["x"] < -100), "they see each other move as they steer")
        check(bob.players[bob.own]["name"] == "Bob é" and abs(bob.players[bob.own]["heading"] + math.pi / 2) < 1e-3,
              "a heading of 0 comes back as a quarter turn less (section 8)", bob.players[bob.own])
        ours = [player["name"] for player in bob.players.values() if player["name"] not in ("Bob é", "Zoë")]
        check(await until(lambda: all(math.hypot(bob.named(name)["x"], bob.named(name)["y"]) > 20 for name in ours)), "our bots are seen moving", ours)
        room = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/api/rooms/ours"))
        check(room["players"] == 5 and room["level"] == "original", "the room counts all of them as players", room)
        bots.send_signal(signal.SIGINT)
        said, _ = await bots.communicate()
        check(bots.returncode == 0, "our bots played beside them without a desync", said)
        check(await until(lambda: set(bob.players) and len(bob.players) == 2), "players that left are removed", bob.players)
        for task in listening:
            task.cancel()
    for task in listening:
        if task.done() and not task.cancelled() and isinstance(task.exception(), (ValueError, KeyError)):
            check(False, "every packet is one of the document's", task.exception())


async def main():
    await alone()
    await together()
    sys.exit(failures > 0)


asyncio.run(main())
