# SPDX-License-Identifier: MIT
"""Checks what servers and bots of handover.sh left: each room's match goes on, hash by hash, from one server to the next.

    handover.py INSTEP FOLDER ROOMS RESTARTS BOTS
"""
import json
import pathlib
import re
import subprocess
import sys

MOST_GAP = 250  # ms between the last tick at one server and the first at the next


def events(folder, server, name):
    lines = (folder / f"log-{server}").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines if f'"event":"{name}"' in line]
    return {event["room"]: event for event in found}


def require(condition, sentence):
    if not condition:
        sys.exit(sentence)


def check_move(folder, number, rooms):
    """From server number - 1 to server number; returns the gaps."""
    moved, received = events(folder, number - 1, "room_moved"), events(folder, number, "room_received")
    goes_on = events(folder, number, "room_goes_on")
    failed = events(folder, number - 1, "hand_over_failed")
    require(not failed, f"restart {number}: {failed}")
    for found in (moved, received, goes_on):
        require(len(found) == rooms, f"restart {number}: {len(found)} rooms of {rooms} moved: {sorted(found)}")
    for room, event in moved.items():
        for field in ("tick", "hash"):
            require(received[room][field] == event[field],
                    f"restart {number}, {room}: {field} {event[field]} was sent, {received[room][field]} received")
        require(goes_on[room]["tick"] == event["tick"] + 1, f"restart {number}, {room}: a tick was left out")
    return [event["gap_ms"] for event in goes_on.values()], [event["ms"] for event in moved.values()]


def replay(instep, file, *more):
    result = subprocess.run([instep, "replay", str(file), *more], capture_output=True, text=True, check=False)
    require(result.returncode == 0, f"{file.name}: {result.stdout}{result.stderr}")
    return result.stdout


def check_recordings(instep, folder, room, restarts):
    """Every hash is compared by the replay; here, that each file begins where the one before it ends."""
    for number in range(restarts + 1):
        files = list((folder / f"recordings-{number}").glob(f"*-{room}.instep"))
        require(len(files) == 1, f"{room}: {len(files)} recordings of server {number}")
        replay(instep, files[0])
        for name, server in (("room_received", number), ("room_moved", number)):
            event = events(folder, server, name).get(room)
            if event:
                text = replay(instep, files[0], "--tick", str(event["tick"]))
                require(event["hash"] in text, f"{room}, server {number}, tick {event['tick']}: {text} recorded, {event['hash']} logged")


def number_in(report, pattern):
    found = re.search(pattern, report)
    return int(found[1].replace(",", "")) if found else 0


def main(instep, folder, rooms, restarts, bots):
    gaps, stood_still = [], []
    for number in range(1, restarts + 1):
        gap, ms = check_move(folder, number, rooms)
        gaps += gap
        stood_still += ms
    for room in range(1, rooms + 1):
        check_recordings(instep, folder, f"room-{room}", restarts)
    corrections, all_corrections, predicting = 0, 0, 0
    for room in range(1, rooms + 1):
        reports = [(folder / f"{name}-{room}").read_text(encoding="utf-8") for name in ("bots", "thin")
                   if (folder / f"{name}-{room}").exists()]
        moves = [number_in(report, r"moves +([\d,]+) to") for report in reports]
        require(sum(moves) == bots * restarts, f"room-{room}: {reports}")
        predicting += moves[0]
        corrections = max(corrections, number_in(reports[0], r"at most ([\d,]+) corrections"))
        all_corrections += number_in(reports[0], r"above 0.05 units: ([\d,]+) of")
    gaps.sort()
    print(f"{len(gaps)} moves of rooms: gaps between ticks {gaps[len(gaps) // 2]:.0f} ms at the median, {gaps[-1]:.0f} ms at most; "
          f"rooms stood still for {sorted(stood_still)[len(gaps) // 2]:.0f} ms at the median, {max(stood_still):.0f} ms at most")
    print(f"at most {corrections} corrections of one player in the 2 s after a move")
    require(gaps[-1] < MOST_GAP, f"a room stood still for {gaps[-1]:.0f} ms")
    # Collisions and a machine that is too busy for its bots cause corrections too: then there are more than moves.
    require(corrections <= 1 or all_corrections > predicting,
            f"a player was corrected {corrections} times after one move")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), *map(int, sys.argv[3:]))
