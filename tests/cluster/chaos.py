#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills, stops and restarts the servers of a cluster and its Redis while bots play, then reads what the bots heard.

    tests/cluster/chaos.py [--faults N] [--seed N] [--servers N] [--program FILE] [--keep]

Everything is real: redis-server, server processes, clients over sockets. The rooms play `creature`, which relays inputs:
what a client has is the server's state to the bit, so its hash is the server's. The laws, from the clients' own records:

    - a tick has one hash, whichever client heard it from whichever server
    - ticks that a client hears never go back, and a client keeps its slot: the same player, the same match
    - no client waits longer than 3 s (99th percentile of the waits after faults)
"""
import argparse
import collections
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOMS, BOTS = 2, 4          # rooms, and bots in each
SETTLE = 3.0                # s after a fault until the next one: a take-over takes two


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Process:
    def __init__(self, name, command, folder):
        self.name, self.command, self.folder, self.runs = name, command, folder, 0
        self.start()

    def start(self):
        self.runs += 1
        log = open(os.path.join(self.folder, f"{self.name}.{self.runs}.log"), "wb")
        self.process = subprocess.Popen(self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def send(self, number):
        self.process.send_signal(number)

    def end(self, number, most=20):
        self.send(number)
        self.process.wait(most)


class Cluster:
    def __init__(self, program, servers, folder):
        self.program, self.folder = program, folder
        self.redis_port = free_port()
        self.redis = Process("redis", ["redis-server", "--port", str(self.redis_port), "--bind", "127.0.0.1", "--save", "",
                                       "--appendonly", "yes", "--dir", folder], folder)
        self.wait(lambda: self.redis_answers(), "Redis to answer")
        self.ports = [free_port() for _ in range(servers)]
        self.servers = [Process(f"server{i}", [program, "serve", "--port", str(port), "--cluster",
                                               f"redis://127.0.0.1:{self.redis_port}"], folder)
                        for i, port in enumerate(self.ports)]
        for i in range(servers):
            self.wait(lambda i=i: self.rooms(i) is not None, f"server {i} to answer")

    @staticmethod
    def wait(condition, what, most=60):
        until = time.monotonic() + most
        while not condition():
            if time.monotonic() > until:
                raise RuntimeError(f"waited {most} s for {what}")
            time.sleep(0.05)

    def redis_answers(self):
        done = subprocess.run(["redis-cli", "-p", str(self.redis_port), "ping"], capture_output=True, check=False)
        return done.stdout.strip() == b"PONG"

    def rooms(self, server):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ports[server]}/api/rooms", timeout=1) as answer:
                return json.load(answer)
        except OSError:
            return None

    def owners(self):
        """Which server each room's lease names, as Redis has it."""
        found = {}
        for i in range(ROOMS):
            done = subprocess.run(["redis-cli", "-p", str(self.redis_port), "hget", "instep:{room%d}:lease" % i, "address"],
                                  capture_output=True, check=False, timeout=10)
            port = done.stdout.strip().rsplit(b":", 1)[-1]
            if port.isdigit() and int(port) in self.ports:
                found[i] = self.ports.index(int(port))
        return found

    def play(self, seed):
        urls = [f"ws://127.0.0.1:{port}" for port in self.ports]
        self.traces = [os.path.join(self.folder, f"heard{i}.txt") for i in range(ROOMS)]
        self.bots = []
        for i in range(ROOMS):
            command = [self.program, "bots", "creature", "--level", "garden", "--room", f"room{i}", "--count", str(BOTS),
                       "--seed", str(seed + i), "--trace", self.traces[i], "--url", urls[i % len(urls)]]
            for url in urls:
                command += ["--also", url]
            self.bots.append(Process(f"bots{i}", command, self.folder))
        self.wait(lambda: sum(room["players"] for room in self.rooms(0) or []) == ROOMS * BOTS, "all bots to play")

    def stop(self):
        for process in self.bots:
            process.end(signal.SIGINT)
        for process in self.servers + [self.redis]:
            if process.process.poll() is None:
                process.send(signal.SIGCONT)
                process.end(signal.SIGKILL)


def fault(cluster, kind, chance):
    """Does it to the owner of a room, and returns when all is well again, apart from the room."""
    owners = cluster.owners()
    victim = owners.get(chance.randrange(ROOMS), chance.randrange(len(cluster.servers)))
    server = cluster.servers[victim]
    if kind == "kill":
        server.end(signal.SIGKILL)
        time.sleep(SETTLE)
        server.start()
    elif kind == "stop":
        server.send(signal.SIGSTOP)
        time.sleep(SETTLE)
        server.send(signal.SIGCONT)
    elif kind == "hand-over":
        server.end(signal.SIGTERM)
        time.sleep(0.5)
        server.start()
    elif kind == "redis-kill":
        cluster.redis.end(signal.SIGKILL)
        time.sleep(chance.uniform(0.1, 0.8))
        cluster.redis.start()
    elif kind == "redis-pause":
        cluster.redis.send(signal.SIGSTOP)
        time.sleep(chance.uniform(0.2, 1.0))
        cluster.redis.send(signal.SIGCONT)
    return victim


def check(cluster, faults, longest_wait):
    versions = collections.defaultdict(set)
    slots, problems, waits, heard = {}, [], [], 0
    for room, trace in enumerate(cluster.traces):
        last = {}
        with open(trace, encoding="ascii") as lines:
            for line in lines:
                client, slot, at, tick, state = line.split()
                client, at, tick = (room, int(client)), float(at), int(tick)
                heard += 1
                versions[room, tick].add(state)
                if slots.setdefault(client, slot) != slot:
                    problems.append(f"client {client} was in slot {slots[client]} and is in {slot} at tick {tick}")
                    slots[client] = slot
                if client in last:
                    if tick < last[client][1]:
                        problems.append(f"client {client} heard tick {tick} after {last[client][1]}")
                    waits.append((at - last[client][0], client, tick))
                last[client] = (at, tick)
        if len(last) != BOTS:
            problems.append(f"room {room}: {len(last)} of {BOTS} clients heard anything")
    for (room, tick), states in versions.items():
        if len(states) > 1:
            problems.append(f"room {room}: tick {tick} has {len(states)} versions")
    waits.sort(reverse=True)
    # The longest wait of each client after each fault would be a perfect sample; the longest of all are that many.
    sample = [wait for wait, _, _ in waits[:max(1, faults * BOTS)]]
    slowest = sample[len(sample) // 100]
    if slowest > longest_wait:
        problems.append(f"a client waited {slowest:.2f} s for tick {waits[0][2]} (99th percentile of {len(sample)} waits)")
    return heard, sample, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=10)
    parser.add_argument("--seed", type=int, default=int(time.strftime("%Y%m%d", time.gmtime())))
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--program", default="build/release/instep")
    parser.add_argument("--longest-wait", type=float, default=3.0, help="s, on a quiet machine")
    parser.add_argument("--keep", action="store_true", help="keep the logs")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    kinds = ["kill", "stop", "hand-over", "redis-kill", "redis-pause"]
    schedule = [kind for _ in range((options.faults + len(kinds) - 1) // len(kinds)) for kind in chance.sample(kinds, len(kinds))]
    schedule = schedule[:options.faults]
    folder = tempfile.mkdtemp(prefix="instep-chaos-")
    cluster = Cluster(os.path.abspath(options.program), options.servers, folder)
    try:
        cluster.play(options.seed)
        for number, kind in enumerate(schedule, 1):
            victim = fault(cluster, kind, chance)
            print(f"fault {number}: {kind}" + (f" of server {victim}" if not kind.startswith("redis") else ""), flush=True)
            time.sleep(SETTLE)
    finally:
        cluster.stop()
    heard, sample, problems = check(cluster, len(schedule), options.longest_wait)
    print(f"{heard} snapshots heard; longest waits {', '.join(f'{wait:.2f}' for wait in sample[:8])} s; "
          f"median of {len(sample)}: {sample[len(sample) // 2]:.2f} s")
    for problem in problems[:20]:
        print(problem)
    name = f"chaos: {len(schedule)} faults with seed {options.seed}"
    print(("FAIL " if problems else "ok ") + name)
    if problems or options.keep:
        print(f"logs and records: {folder}")
    else:
        shutil.rmtree(folder)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
