# SPDX-License-Identifier: MIT
# Python's `websockets` as a client of our server and as a server for our bots.
#   python3 tests/scripts/websocket_python.py PORT INSTEP      prints lines that begin with ok or FAIL
import asyncio
import sys

import websockets

port, instep = sys.argv[1:]
here = f"ws://127.0.0.1:{port}"
level = "/play?world=flail&level=plain"
failures = 0


def check(good, sentence, seen):
    global failures
    print(f"ok websockets: {sentence}" if good else f"FAIL websockets: {sentence} ({seen})", flush=True)
    failures += not good


async def connect(target, act, **options):
    """The close code and reason of a connection after `act`, and all messages that came."""
    messages = []
    async with websockets.connect(here + target, **options) as socket:
        try:
            await act(socket)
            while True:
                messages.append(await asyncio.wait_for(socket.recv(), 10))
        except websockets.ConnectionClosed:
            pass
    return socket.close_code, socket.close_reason, messages


async def in_parts(message):
    third = len(message) // 3 + 1
    for at in range(0, len(message), third):
        yield message[at : at + third]


async def play_through():
    """Bots play through it. It splits every message of both ends into fragments, and pings."""
    wrong, codes, pongs = [], [], 0

    async def pass_on(source, target):
        nonlocal pongs
        try:
            count = 0
            async for message in source:
                if not isinstance(message, bytes):
                    wrong.append("text")
                await target.send(in_parts(message))
                count += 1
                if count % 20 == 0:
                    await (await target.ping(b"between"))
                    pongs += 1
        except websockets.ConnectionClosed as closed:
            if closed.rcvd is None:
                wrong.append(str(closed))
        if source.close_code is not None:  # None: the target closed first, and the other direction closes this one
            await target.close(source.close_code if source.close_code != 1006 else 1001)

    async def serve(bot):
        async with websockets.connect(here + bot.path, compression=None) as server:
            await asyncio.gather(pass_on(bot, server), pass_on(server, bot))
            await asyncio.gather(bot.wait_closed(), server.wait_closed())
            codes.extend((bot.close_code, server.close_code))

    async with websockets.serve(serve, "127.0.0.1", 0, compression=None) as proxy:
        url = f"ws://127.0.0.1:{proxy.sockets[0].getsockname()[1]}"
        bots = await asyncio.create_subprocess_exec(
            instep, "bots", "flail", "--level", "plain", "--count", "4", "--seconds", "4", "--url", url,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        said, _ = await bots.communicate()
    seen = (bots.returncode, wrong, codes, pongs, said)
    check(bots.returncode == 0 and not wrong, "bots play through it, all messages in fragments", seen)
    check(pongs > 10, "both ends answer pings with their content", seen)
    check(len(codes) == 8 and all(code == 1000 for code in codes), "a bot that leaves closes with 1000 and gets it back", seen)


async def ping_and_leave(socket):
    await asyncio.wait_for(await socket.ping(b"abc"), 10)
    await socket.close(4000, "mine")


async def main():
    await play_through()
    seen = await connect(level, ping_and_leave)
    check(seen[0] == 4000, "a ping is answered, and a close with the same code", seen)
    seen = await connect(level, lambda socket: socket.send("text"))
    check(seen[0] == 1003 and seen[1].startswith("not_binary: "), "text is refused with 1003", seen)
    seen = await connect(level, lambda socket: socket.send(in_parts(b"nonsense")))
    check(seen[0] == 4400 and seen[1].startswith("wrong_hello: ") and len(seen[2]) == 1,
          "a fragmented message that is not a hello is answered and refused with 4400", seen)
    seen = await connect(level, lambda socket: socket.send(bytes(70_000)))
    check(seen[0] == 1009, "a message that is too large is refused with 1009", seen)
    seen = await connect("/play?room=" + "a" * 31 + "%E2%82%AC", lambda socket: asyncio.sleep(0))
    check(seen[0] == 4400 and seen[1].startswith("wrong_name: "), "the reason of a refusal is UTF-8", seen)
    seen = await connect(level, lambda socket: asyncio.sleep(0), origin="http://elsewhere.example")
    check(seen[0] == 4403 and seen[1].startswith("foreign_origin: "),
          "a page of another site is refused with 4403 and the reason", seen)
    sys.exit(failures > 0)


asyncio.run(main())
