# SPDX-License-Identifier: MIT
"""Section 6 of docs/wire-format.md: a client's end of a snapshot stream."""
from coder import Decoder, Models, read_bytes, read_unsigned, require, wrapped
from hashes import hash_state
from states import read_events, read_image, read_state, read_tick

SNAPSHOTS_KEPT = 32  # before the last one
NUMBER_BITS = 32


def read_header(stream):
    header = {name: bool(stream.raw(1)) for name in ("keyframe", "fresh_model", "numbered", "has_hash")}
    if header["keyframe"]:
        header["number"] = stream.raw(NUMBER_BITS)
    elif header["numbered"]:
        header["number"] = stream.raw(16)
    if not header["keyframe"]:
        header["back"] = read_unsigned(stream, Models(), ("back",))
        require(1 <= header["back"] <= 32, "6: a baseline that no encoder uses")
    header["hash"] = stream.raw(32) if header["has_hash"] else None
    return header


class SnapshotStream:
    """decode() takes what the world's step makes of the baseline, since this reader has no step: `step` holds the image
    of the state in hex, and the events of each tick."""

    def __init__(self, level, mode):
        self.level, self.is_relay = level, mode == "relay"
        self.last = 0
        self.states = {}  # by number
        self.models = Models()  # after the last snapshot
        self.models_after = {}  # by number: datagram links

    def decode(self, data, step):
        stream = Decoder(data)
        header = read_header(stream)
        number = self.number_of(header)
        result = {"keyframe": header["keyframe"], "header": header}
        if not header["keyframe"] and not self.states:
            return dict(result, result="no_baseline")
        require(number > 0, "6: snapshots count from 1")
        if number <= self.last:
            return dict(result, result="stale")
        models = Models() if header["keyframe"] or header["fresh_model"] else self.models_of(header, number)
        if models is None or not header["keyframe"] and number - header["back"] not in self.states:
            return dict(result, result="no_baseline")
        if header["keyframe"]:
            state, content = self.read_keyframe(stream, models)
        else:
            state, content = self.read_delta(stream, models, number, header["back"], step)
        stream.finish()
        self.level.require_legal(state)
        tick = self.level.head.field("tick").get(state.head)
        require(tick == number * self.level.snapshot_every, f"6: snapshot {number} is of tick {tick}")
        full_hash = hash_state(self.level, state)
        require(header["hash"] in (None, full_hash & 0xFFFFFFFF), "8.2: the hash differs from the server's")
        self.store(header, number, state, models)
        return dict(result, result="applied", number=number, state=state, hash=full_hash, **content)

    def number_of(self, header):
        if header["keyframe"]:
            return header["number"]
        if not header["numbered"]:
            return self.last + header["back"]
        return self.last + wrapped(header["number"] - self.last, 16)

    def models_of(self, header, number):
        """A copy over datagram links, where the baseline may be used again."""
        if not header["numbered"]:
            return self.models
        models = self.models_after.get(number - header["back"])
        return models and models.copy()

    def read_keyframe(self, stream, models):
        level = self.level
        if self.is_relay:
            events = [level.split_events(read_bytes(stream, level.most_events * level.event.size))
                      for _ in range(level.snapshot_every)]
            return read_image(level, read_bytes(stream, level.most_image)), {"events": events}
        events = [read_events(stream, models, level, []) for _ in range(level.snapshot_every)]
        return read_state(stream, models, level, level.initial), {"events": events}

    def read_delta(self, stream, models, number, back, step):
        level = self.level
        rows = level.held_inputs(self.states[number - back])
        ticks, events = [], []
        for i in range(back * level.snapshot_every):
            tick = (number - back) * level.snapshot_every + 1 + i
            ticks.append(dict(read_tick(stream, models, level, rows), tick=tick))
            if not self.is_relay:
                predicted = level.split_events(bytes.fromhex(step["events"][i]))
                events.append(read_events(stream, models, level, predicted))
        state = read_image(level, bytes.fromhex(step["state"]))
        if self.is_relay:
            return state, {"ticks": ticks}
        return read_state(stream, models, level, level.quantised(state)), {"ticks": ticks, "events": events}

    def store(self, header, number, state, models):
        self.last, self.states[number] = number, state
        self.models = Models() if header["keyframe"] else models
        if header["numbered"]:
            self.models_after[number] = self.models
        for kept in (self.states, self.models_after):
            for old in [old for old in kept if old < number - SNAPSHOTS_KEPT]:
                del kept[old]
