# SPDX-License-Identifier: MIT
"""Decodes a session that wire_capture printed, with reader.py, and compares everything with what the C++ side decoded.

    check.py CAPTURE                prints how much was compared; exits with 1 at the first difference
    check.py --mutations CAPTURE    changes one constant of the reader at a time; each change must be noticed
    check.py --page PAGE            compares the constants on the page with those of the reader
"""
import copy
import json
import re
import sys
from collections import Counter

import reader


class Difference(Exception):
    pass


def same(what, ours, expected):
    if ours != expected:
        raise Difference(f"{what}: this reader has {shortened(ours)}, the C++ side {shortened(expected)}")


def shortened(value, most=400):
    text = str(value)
    return text if len(text) <= most else text[:most] + "..."


def same_state(level, ours, expected):
    same("head", level.head.values(ours.head), expected["head"])
    for info, pool, wanted in zip(level.pools, ours.pools, expected["pools"]):
        same(info.name + ".next_generation", pool.next_generation, wanted["next_generation"])
        same(info.name + " count", len(pool.rows), len(wanted["elements"]))
        for handle, row, element in zip(pool.handles, pool.rows, wanted["elements"]):
            same(info.name + " handle", handle, (element["id"], element["generation"]))
            same(f"{info.name} {handle}", info.element.values(row), element["values"])


def same_ticks(level, ours, expected):
    same("ticks", len(ours), len(expected))
    for tick, wanted in zip(ours, expected):
        same("leaves", tick["leaves"], wanted["leaves"])
        same("joins", tick["joins"], wanted["joins"])
        same("inputs", [[slot, level.input.values(row)] for slot, row in tick["inputs"].items()], wanted["inputs"])


class Client:
    """All that one player received."""

    def __init__(self, level):
        self.level = level
        self.stream = None
        self.slot = None

    def check(self, message, expected, counts):
        fields, own_stream, delta = reader.read_snapshot(message)
        if "welcome" in fields:
            same("welcome", fields["welcome"], expected["welcome"])
            self.slot = fields["welcome"]["slot"]
            self.stream = self.stream or reader.SnapshotReader(self.level, fields["welcome"]["mode"])
        same("own-player part", fields["own_player"], expected["own_player"])
        snapshot = self.stream.decode(delta, expected.get("step"))
        same("result", snapshot["result"], expected["result"])
        same("keyframe", bool(snapshot["keyframe"]), expected["keyframe"])
        counts[snapshot["result"]] += 1
        if snapshot["result"] != "applied":
            return
        same("number", snapshot["number"], expected["number"])
        if "events" in expected:
            same("events", [b"".join(rows).hex() for rows in snapshot["events"]], expected["events"])
            counts["events"] += sum(len(rows) for rows in snapshot["events"])
        if snapshot["keyframe"]:
            same_state(self.level, snapshot["state"], expected["state"])
            counts["keyframes"] += 1
        else:
            same_ticks(self.level, snapshot["ticks"], expected["ticks"])
            counts["deltas"] += 1
        same("hash", snapshot["hash"], expected["hash"])
        if fields["own_player"]["own"] == 2:
            self.check_exact_own(own_stream, snapshot["state"], fields["own_player"]["hash"], expected, counts)

    def check_sample(self, message, expected, counts):
        """An own-player part of the last snapshot, without a world delta."""
        fields, own_stream, _ = reader.read_snapshot(message)
        same("own-player part", fields["own_player"], expected["own_player"])
        state = self.stream.states[self.stream.number]
        self.check_exact_own(own_stream, state, fields["own_player"]["hash"], expected, counts)

    def check_exact_own(self, stream, state, sent_hash, expected, counts):
        exact = copy.deepcopy(state)
        reader.read_exact_own(stream, self.level, exact, self.slot)
        rows = [bytes(row) for _, row in reader.own_entities(self.level, exact, self.slot)]
        own_hash = reader.hash_own(self.level, exact, self.slot)
        same("exact own player", b"".join(rows).hex(), expected["exact_own"])
        same("hash of the own player", own_hash, expected["exact_own_hash"])
        if sent_hash is not None:
            same("hash of the own player in the message", own_hash, sent_hash)
        counts["exact own players"] += 1


READERS = {"hello": reader.read_hello, "inputs": reader.read_inputs, "report": reader.read_report,
           "verdict": reader.read_verdict, "refusal": reader.read_refusal}


def check_report(level, client, report):
    """Field hashes of states that this reader decoded itself."""
    for state in report["states"]:
        ours = reader.field_hashes(level, client.stream.states[state["number"]])
        same("field hashes", [value & 0xFFFF for value in ours], state["fields"])


def check(capture):
    level = reader.Level(capture["level"])
    clients, counts = {}, Counter()
    for index, message in enumerate(capture["messages"]):
        data, expected = bytes.fromhex(message["bytes"]), message["expected"]
        client = clients.setdefault(message["player"], Client(level))
        try:
            if message["kind"] == "snapshot":
                client.check(data, expected, counts)
                continue
            if message["kind"] == "exact own player":
                client.check_sample(data, expected, counts)
                continue
            ours = READERS[message["kind"]](data, level)
            same(message["kind"], ours, expected)
            counts[message["kind"]] += 1
            if message["kind"] == "report":
                check_report(level, client, ours)
        except (Difference, reader.Malformed, LookupError, ValueError, OverflowError) as error:
            raise Difference(f"message {index} ({message['kind']}, player {message['player']}): {error}") from error
    return counts


def with_start(old_start, new_start):
    """All bit models that start at one value start at another."""
    def change():
        original = reader.BitModel.__init__
        reader.BitModel.__init__ = lambda self, start=32768: original(self, new_start if start == old_start else start)
        return lambda: setattr(reader.BitModel, "__init__", original)
    return change


def with_attribute(owner, name, value):
    def change():
        original = getattr(owner, name)
        setattr(owner, name, value)
        return lambda: setattr(owner, name, original)
    return change


MUTATIONS = {
    "the quick learner shifts by 5": with_attribute(reader.BitModel, "QUICK", 5),
    "the steady learner shifts by 6": with_attribute(reader.BitModel, "STEADY", 6),
    "number models share entries from size 18 on": with_attribute(reader.NumberModel, "SIZES", 19),
    "a stream has 3 zeros past its end": with_attribute(reader.RangeDecoder, "PAST_THE_END", 3),
    "a bit model starts at 32769": with_start(32768, 32769),
    "a struct's `changed` starts at 50001": with_start(50000, 50001),
    "a field's `changed` starts at 60001": with_start(60000, 60001),
    "`off_grid` starts at 64001": with_start(64000, 64001),
    "`as_predicted` and `joins_or_leaves` start at 65001": with_start(65000, 65001),
    "`off_rounded` starts at 40001": with_start(40000, 40001),
}


def check_mutations(capture):
    unnoticed = 0
    for name, change in MUTATIONS.items():
        undo = change()
        try:
            check(capture)
            print(f"FAIL wire format: the reader notices that {name}")
            unnoticed += 1
        except Difference:
            print(f"ok wire format: the reader notices that {name}")
        finally:
            undo()
    return unnoticed


def constants(pattern, text):
    return sorted(set(re.findall(pattern, text)))


def check_page(path):
    """The constants on the page are those of the reader."""
    with open(path, encoding="utf-8") as page_file, open(reader.__file__, encoding="utf-8") as reader_file:
        page, source = page_file.read(), reader_file.read()
    same("starts of bit models", constants(r"BitModel\((\d+)\)", source), constants(r"start\s+(\d+)\)", page))
    same("constants of hashes", constants(r"0x[0-9A-F]{9,}", source), constants(r"0x[0-9A-F]{9,}", page))
    same("learners", [f"quick >> {reader.BitModel.QUICK}", f"steady >> {reader.BitModel.STEADY}"],
         constants(r"-= ((?:quick|steady) >> \d+)", page))
    kinds = re.findall(r"^\| (\d) \| (\w+) \|", page, re.MULTILINE)
    same("kinds", [(str(getattr(reader, name.upper())), name) for _, name in kinds], kinds)
    same("number of kinds", len(kinds), 7)


def main(arguments):
    try:
        if arguments[0] == "--page":
            check_page(arguments[1])
            return 0
        with open(arguments[-1], encoding="utf-8") as file:
            capture = json.load(file)
        if arguments[0] == "--mutations":
            return 1 if check_mutations(capture) else 0
        counts = check(capture)
    except Difference as difference:
        print(difference)
        return 1
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
