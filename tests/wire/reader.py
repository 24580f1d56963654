# SPDX-License-Identifier: MIT
"""A second reader of the wire format, in Python's standard library. It was first written from docs/wire-format.md alone
and shares no code with the C++ side; numbers in comments and errors are sections of that page. This file has the
messages (1) and the exact own player (7).

What the format lets a reader check by itself, it checks: each stream is read exactly to its end and encodes to the
same bytes again, and every hash is that of what was decoded.
"""
import re

from coder import Decoder, Models, read_signed, require, wrapped
from deltas import SNAPSHOTS_KEPT, SnapshotStream
from hashes import hash_own, own_entities

HELLO, INPUTS, REPORT, WELCOME, SNAPSHOT, REFUSAL, VERDICT, MOVED, SAY, SAID, NOTICE = range(11)
OWN_STATES = AS_REPLICATED, AS_PREDICTED, EXACT = range(3)


def read_hello(stream, level):
    return {"version": stream.raw(8), "fingerprint": stream.raw(64), "name": stream.text(stream.raw(8), 24)}


def read_inputs(stream, level):
    result = {"acknowledged": stream.raw(32), "decode_failed": bool(stream.raw(1))}
    count = stream.raw(6)
    require(count <= 32, "1.2: too many inputs")
    result["predicted_hash"] = stream.optional(lambda: stream.raw(32))
    result["probe"] = stream.optional(lambda: stream.raw(8))
    if count:
        result["first_tick"], result["first_sequence"] = stream.raw(32), stream.raw(32)
    rows, row, models = [], level.input.zeros(), Models()
    for _ in range(count):
        row = level.input.read(stream, models, (), row)
        rows.append(level.input.values(row))
    return dict(result, inputs=rows)


def read_report(stream, level):
    def read_fields():
        return {"number": stream.raw(32), "fields": [stream.raw(16) for _ in range(level.field_hash_count)]}

    serial, count = stream.raw(8), stream.raw(8)
    require(count <= SNAPSHOTS_KEPT + 1, "1.4: too many states")
    return {"serial": serial, "states": [read_fields() for _ in range(count)], "exact": stream.optional(read_fields)}


def read_verdict(stream, level):
    return {"serial": stream.raw(8), "found": bool(stream.raw(1)), "is_own": bool(stream.raw(1)),
            "number": stream.raw(32), "field": stream.raw(16)}


SERVER_ADDRESS = re.compile(r"wss?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\])(:\d{1,5})?")


def read_moved(stream, level):
    address, room = stream.text(stream.raw(8), 200), stream.text(stream.raw(8), 32)
    match = SERVER_ADDRESS.fullmatch(address)
    require(match and 0 < int((match[2] or ":1")[1:]) < 65536, "1.6: not the address of a server")
    require(re.fullmatch(r"[A-Za-z0-9_-]+", room), "1.6: not the name of a room")
    return {"address": address, "room": room}


def read_say(stream, level):
    emote, text = stream.raw(3), stream.text(stream.raw(8), 120)
    require(emote <= 5 and (emote == 0) == bool(text), "1.7: neither a line nor an emote")
    return {"emote": emote, "text": text}


def read_said(stream, level):
    slot = stream.raw(8)
    require(slot < 64, "1.7: no player's slot")
    return dict(read_say(stream, level), slot=slot)


def read_notice(stream, level):
    text = stream.text(stream.raw(8), 160)
    require(text, "1.8: no text")
    return {"text": text}


STREAMS = {HELLO: read_hello, INPUTS: read_inputs, REPORT: read_report, VERDICT: read_verdict, MOVED: read_moved,
           SAY: read_say, SAID: read_said, NOTICE: read_notice}


def read_welcome(stream):
    return {"version": stream.raw(8), "fingerprint": stream.raw(64), "slot": stream.raw(8),
            "mode": ("snapshots", "relay")[stream.raw(1)], "ticket": stream.text(stream.raw(8), 192)}


def read_own_player(stream):
    own = {"acknowledged": stream.raw(8), "own": stream.raw(2)}
    require(own["own"] in OWN_STATES, "1.3: an own state that does not exist")
    own["hash"] = stream.optional(lambda: stream.raw(32))
    own["input_margin"] = stream.optional(lambda: [stream.raw(8), stream.signed_raw(16)])
    own["pong"] = stream.optional(lambda: [stream.raw(8), stream.raw(48), stream.raw(24)])
    return own


def ordinal(bits, size):
    """7: of a float's bits as a signed integer. The same again gives the bits back."""
    return bits ^ (1 << 8 * size - 1) - 1 if bits < 0 else bits


def read_exact_own(stream, level, state, slot):
    """7: the own entities, each with the index of its pool."""
    models, exact = Models(), []
    for i, replicated in own_entities(level, state, slot):
        row = bytearray(replicated)
        for field in level.pools[i].element.fields:
            if field.has_grid:
                if stream.bit(models.get(("off_rounded",), start=40000)):
                    bits = int.from_bytes(field.bytes(row), "little", signed=True)
                    moved = ordinal(bits, field.size) + read_signed(stream, models, ("number",))
                    field.put_bits(row, ordinal(wrapped(moved, 8 * field.size), field.size))
            elif stream.bit(models.get(("off_replicated",), start=65000)):
                field.put_bytes(row, bytes(stream.raw(8) for _ in range(field.size)))
        exact.append((i, row))
    return exact


class Reader:
    """Both ends of one client's link, for a level that is known beforehand (9)."""

    def __init__(self, level):
        self.level = level
        self.slot = None
        self.snapshots = None  # from the welcome on
        self.predicted_hashes = {}  # those that the client sent, by snapshot

    def read(self, message, step=None):
        """The fields of a message. `step`: see SnapshotStream."""
        require(0 < len(message) <= 1_048_576, "1: the size of a message")
        kind = message[0]
        if kind == REFUSAL:
            require(len(message) <= 301, "1: a refusal is too long")
            return message[1:].decode()
        if kind in (WELCOME, SNAPSHOT):
            return self.read_snapshot(message, step)
        require(kind in STREAMS, "1: a message of no kind")
        stream = Decoder(message[1:])
        result = STREAMS[kind](stream, self.level)
        stream.finish()
        if kind == INPUTS and result["inputs"] and result["predicted_hash"] is not None:
            last_tick = result["first_tick"] + len(result["inputs"]) - 1
            hashes = self.predicted_hashes.setdefault(last_tick // self.level.snapshot_every, set())
            hashes.add(result["predicted_hash"])
        return result

    def read_snapshot(self, message, step):
        length, start = message[1], 2
        if length == 255:
            length, start = int.from_bytes(message[2:5], "little"), 5
        require(start + length <= len(message), "1.3: the own-player part is cut off")
        stream, delta = Decoder(message[start:start + length]), message[start + length:]
        result = {}
        if message[0] == WELCOME:
            result["welcome"] = read_welcome(stream)
            self.accept(result["welcome"])
        require(self.snapshots is not None, "1.3: a snapshot before the welcome")
        own = result["own_player"] = read_own_player(stream)
        if delta:
            result.update(self.snapshots.decode(delta, step))
        if own["own"] != EXACT:
            stream.finish()
        if result.get("result", "applied") == "applied":  # a sample of an own-player part has no world delta
            result.update(self.read_own_state(stream, own))
        return result

    def accept(self, welcome):
        require(welcome["fingerprint"] == self.level.fingerprint, "1.3: a welcome of another level")
        if self.snapshots is None:
            self.slot = welcome["slot"]
            self.snapshots = SnapshotStream(self.level, welcome["mode"])

    def read_own_state(self, stream, own):
        """Of the last snapshot. A hash in the message must be that of what the client now has."""
        number = self.snapshots.last
        if own["own"] == AS_PREDICTED:
            sent = self.predicted_hashes.get(number, set())
            require(sent and own["hash"] in {None, *sent}, "1.3: no client predicted this own player")
            return {}
        if own["own"] == AS_REPLICATED:
            require(own["hash"] is None, "1.3: a hash of an own player that is as replicated")
            return {}
        exact = read_exact_own(stream, self.level, self.snapshots.states[number], self.slot)
        stream.finish()
        own_hash = hash_own(self.level, exact)
        require(own["hash"] in (None, own_hash), "8.3: the hash of the own player differs from the server's")
        return {"exact_own": b"".join(row for _, row in exact).hex(), "exact_own_hash": own_hash}
