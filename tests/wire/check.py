# SPDX-License-Identifier: MIT
"""Decodes a session that wire_capture printed, with reader.py, and compares everything with what the C++ side decoded.

    check.py CAPTURE                prints how much was compared; exits with 1 at the first difference
    check.py --mutations CAPTURE    changes one constant of the reader at a time; each change must be noticed
    check.py --page PAGE            compares the constants on the page with those of the reader
"""
import json
import pathlib
import re
import sys
from collections import Counter

import coder
import deltas
import reader
import states
import structs
from hashes import field_hashes

# What every capture has. A session without one of these compares nothing of that kind.
KINDS = ("hello", "inputs", "report", "verdict", "refusal", "moved", "say", "said", "notice", "exact own player", "keyframes",
         "deltas", "ticks", "world hashes", "own hashes", "field hashes", "watchers")


class Difference(Exception):
    pass


def same(what, ours, expected):
    """Everything that is expected; ours may have more members."""
    if isinstance(expected, dict) and isinstance(ours, dict):
        for key, value in expected.items():
            if key not in ours:
                raise Difference(f"{what}.{key}: this reader has none")
            same(f"{what}.{key}", ours[key], value)
    elif isinstance(expected, list) and isinstance(ours, list) and len(ours) == len(expected):
        for i, (one, other) in enumerate(zip(ours, expected)):
            same(f"{what}[{i}]", one, other)
    elif ours != expected:
        raise Difference(f"{what}: this reader has {shortened(ours)}, the C++ side {shortened(expected)}")


def shortened(value, most=400):
    text = str(value)
    return text if len(text) <= most else text[:most] + "..."


def as_json(level, decoded):
    """A decoded message in the terms of a capture."""
    if not isinstance(decoded, dict):
        return decoded
    result = dict(decoded)
    if "events" in result:
        result["events"] = [b"".join(rows).hex() for rows in result["events"]]
    if "state" in result:
        result["state"] = {"head": level.head.values(decoded["state"].head), "pools": [
            {"next_generation": pool.next_generation,
             "elements": [{"id": identity, "generation": generation, "values": info.element.values(row)}
                          for (identity, generation), row in zip(pool.handles, pool.elements)]}
            for info, pool in zip(level.pools, decoded["state"].pools)]}
    return result


def check_report(level, snapshots, report, counts):
    """A report has all states that both ends remember (6): this reader decoded the same ones itself."""
    same("states of a report", [state["number"] for state in report["states"]], sorted(snapshots.states))
    for state in report["states"]:
        same("field hashes", field_hashes(level, snapshots.states[state["number"]]), state["fields"])
        counts["field hashes"] += len(state["fields"])


def count_snapshot(decoded, counts):
    result = decoded["result"]
    counts[result] += 1
    counts["watchers"] += decoded.get("welcome", {}).get("slot") == 64
    if result != "applied":
        return
    counts["keyframes" if decoded["keyframe"] else "deltas"] += 1
    counts["ticks"] += len(decoded.get("ticks", ()))
    counts["events"] += sum(len(rows) for rows in decoded.get("events", ()))
    counts["world hashes"] += decoded["header"]["has_hash"]


def check_message(level, client, message, counts):
    expected, kind = message["expected"], message["kind"]
    step = expected.get("step") if isinstance(expected, dict) else None
    decoded = client.read(bytes.fromhex(message["bytes"]), step)
    same(kind, dict(as_json(level, decoded), step=step) if step else as_json(level, decoded), expected)
    if kind == "snapshot":
        count_snapshot(decoded, counts)
    else:
        counts[kind] += 1
    if kind == "report":
        check_report(level, client.snapshots, decoded, counts)
    if kind in ("snapshot", "exact own player"):
        counts["own hashes"] += decoded["own_player"]["hash"] is not None and "exact_own" in decoded


def check(capture):
    level = states.Level(capture["level"])
    same("number of field hashes", level.field_hash_count, len(capture["level"]["field_hashes"]))
    clients, counts = {}, Counter()
    for index, message in enumerate(capture["messages"]):
        client = clients.setdefault(message["player"], reader.Reader(level))
        try:
            check_message(level, client, message, counts)
        except (Difference, coder.Malformed, LookupError, ValueError, OverflowError) as error:
            raise Difference(f"message {index} ({message['kind']}, player {message['player']}): {error}") from error
    for kind in KINDS:
        if not counts[kind]:
            raise Difference(f"the session has no {kind}: nothing of that kind was compared")
    return counts


def with_start(old_start, new_start):
    """All bit models that start at one value start at another."""
    def change():
        original = coder.Models.get
        coder.Models.get = lambda self, name, start=coder.EVEN: original(
            self, name, new_start if start == old_start else start)
        return lambda: setattr(coder.Models, "get", original)
    return change


def with_attribute(owner, name, value):
    def change():
        original = getattr(owner, name)
        setattr(owner, name, value)
        return lambda: setattr(owner, name, original)
    return change


MUTATIONS = {
    "the quick learner shifts by 5": with_attribute(coder, "QUICK", 5),
    "the steady learner shifts by 6": with_attribute(coder, "STEADY", 6),
    "number models share entries from size 18 on": with_attribute(coder, "SIZES", 19),
    "a stream has 3 zeros past its end": with_attribute(coder, "ZEROS_PAST_END", 3),
    "a stream may end with 32 zero bits": with_attribute(coder, "MOST_TRAILING_ZEROS", 32),
    "a bit model starts at 32769": with_start(32768, 32769),
    "a struct's `changed` starts at 50001": with_start(50000, 50001),
    "a field's `changed` starts at 60001": with_start(60000, 60001),
    "`off_grid` starts at 64001": with_start(64000, 64001),
    "`as_predicted` and `joins_or_leaves` start at 65001": with_start(65000, 65001),
    "`off_rounded` starts at 40001": with_start(40000, 40001),
    "a keyframe's number has 16 bits": with_attribute(deltas, "NUMBER_BITS", 16),
    "31 snapshots before the last are remembered": with_attribute(deltas, "SNAPSHOTS_KEPT", 31),
    "a NaN is hashed as it is": with_attribute(structs, "NANS", {}),
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
    page = pathlib.Path(path).read_text(encoding="utf-8")
    source = "".join(file.read_text(encoding="utf-8") for file in pathlib.Path(reader.__file__).parent.glob("*.py")
                     if file.name != pathlib.Path(__file__).name)
    same("starts of bit models", constants(r"start=(\d+)", source), constants(r"start\s+(\d+)\)", page))
    same("constants of hashes", constants(r"0x[0-9A-F]{9,}", source), constants(r"0x[0-9A-F]{9,}", page))
    same("learners", [f"quick >> {coder.QUICK}", f"steady >> {coder.STEADY}"],
         constants(r"-= ((?:quick|steady) >> \d+)", page))
    kinds = re.findall(r"^\| (\d+) \| (\w+) \|", page, re.MULTILINE)
    same("kinds", [(str(getattr(reader, name.upper())), name) for _, name in kinds], kinds)
    same("number of kinds", len(kinds), 11)


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
