#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills, stops, cuts off and restarts the servers of a cluster and its Redis while bots play, then reads what the bots
received and what Redis wrote.

    tests/cluster/chaos.py [--faults N] [--seed N] [--servers N] [--kinds K,K] [--sentinel] [--program FILE] [--keep]

Everything is real: redis-server, server processes, clients over sockets. Each server reaches Redis, and clients reach
each server, through a relay that can stop forwarding: that is the partition. What was on its way arrives when it ends.
With --sentinel there are a master, a replica and three Sentinels, and servers ask the Sentinels for the master.

The rooms play `creature`, which relays inputs: what a client has is the server's state to the bit, so its hash is the
server's. The laws, from the clients' own records and from Redis's append-only file (every entry and checkpoint that was
ever written):

    - a tick has one hash, whichever client received it from whichever server, and whichever server wrote it to the journal
    - what a client received is in the journal, or a checkpoint covers it; the journal has no gap
    - ticks that a client hears never go back, and a client keeps its slot: the same player, the same match
    - no client waits longer than 3 s (99th percentile of the waits after faults)
"""
import argparse
import asyncio
import collections
import glob
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
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


class Relay:
    """Forwards connections to a port, until it is cut; then it holds what comes, and forwards it when it is healed."""
    loop = asyncio.new_event_loop()
    thread = None

    def __init__(self, target):
        if not Relay.thread:
            Relay.thread = threading.Thread(target=Relay.loop.run_forever, daemon=True)
            Relay.thread.start()
        self.target = target
        self.port = asyncio.run_coroutine_threadsafe(self.listen(), Relay.loop).result()

    async def listen(self):
        self.is_open = asyncio.Event()
        self.is_open.set()
        server = await asyncio.start_server(self.connect, "127.0.0.1", 0)
        return server.sockets[0].getsockname()[1]

    async def connect(self, reader, writer):
        await self.is_open.wait()
        try:
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        await asyncio.gather(self.forward(reader, other_writer), self.forward(other_reader, writer))

    async def forward(self, reader, writer):
        try:
            while piece := await reader.read(1 << 16):
                await self.is_open.wait()
                writer.write(piece)
                await writer.drain()
            await self.is_open.wait()
            writer.close()
        except OSError:
            writer.transport.abort()

    def cut(self):
        Relay.loop.call_soon_threadsafe(self.is_open.clear)

    def heal(self):
        Relay.loop.call_soon_threadsafe(self.is_open.set)


class Cluster:
    def __init__(self, program, servers, folder, sentinel):
        self.program, self.folder, self.sentinels = program, folder, []
        self.redis_port = free_port()
        self.redis = self.start_redis("redis", self.redis_port)
        self.wait(lambda: self.redis_answers(self.redis_port), "Redis to answer")
        if sentinel:
            self.start_sentinels()
        self.direct = [free_port() for _ in range(servers)]
        self.doors = [Relay(port) for port in self.direct]  # for clients
        self.ports = [door.port for door in self.doors]
        self.redis_relays = [Relay(self.redis_port) for _ in range(servers)]
        self.servers = [Process(f"server{i}", [program, "serve", "--port", str(self.direct[i]), "--public-address",
                                               f"ws://127.0.0.1:{self.ports[i]}", "--cluster", self.redis_url(i)], folder)
                        for i in range(servers)]
        for i in range(servers):
            self.wait(lambda i=i: self.rooms(i) is not None, f"server {i} to answer")

    def start_redis(self, name, port, *more):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        return Process(name, ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes",
                              "--auto-aof-rewrite-percentage", "0", "--repl-diskless-sync-delay", "0", "--dir", folder, *more], self.folder)

    def start_sentinels(self):
        self.replica_port = free_port()
        self.replica = self.start_redis("replica", self.replica_port, "--replicaof", f"127.0.0.1 {self.redis_port}")
        self.sentinel_ports = [free_port() for _ in range(3)]
        for i, port in enumerate(self.sentinel_ports):
            settings = os.path.join(self.folder, f"sentinel{i}.conf")
            with open(settings, "w", encoding="ascii") as out:
                out.write(f"port {port}\nbind 127.0.0.1\ndir {self.folder}\nsentinel monitor instep 127.0.0.1 {self.redis_port} 2\n"
                          "sentinel down-after-milliseconds instep 500\nsentinel failover-timeout instep 3000\n")
            self.sentinels.append(Process(f"sentinel{i}", ["redis-server", settings, "--sentinel"], self.folder))
        self.wait(lambda: self.is_replica(self.replica_port), "the replica to have all data")
        for port in self.sentinel_ports:
            self.wait(lambda port=port: b"num-slaves\n1\n" in self.ask(port, "sentinel", "master", "instep")
                      and b"num-other-sentinels\n2\n" in self.ask(port, "sentinel", "master", "instep"), "Sentinels to agree")

    def redis_url(self, server):
        if self.sentinels:
            return "redis-sentinel://" + ",".join(f"127.0.0.1:{port}" for port in self.sentinel_ports) + "/instep"
        return f"redis://127.0.0.1:{self.redis_relays[server].port}"

    def master(self):
        """The port of the Redis that takes writes."""
        if not self.sentinels:
            return self.redis_port
        lines = self.ask(self.sentinel_ports[0], "sentinel", "get-master-addr-by-name", "instep").split()
        return int(lines[1]) if len(lines) == 2 else 0

    def is_replica(self, port):
        """One that has all data: a failover to another one would lose everything."""
        facts = self.ask(port, "info", "replication")
        return b"role:slave" in facts and b"master_link_status:up" in facts

    @staticmethod
    def ask(port, *words):
        done = subprocess.run(["redis-cli", "-p", str(port), *words], capture_output=True, check=False, timeout=10)
        return done.stdout

    @staticmethod
    def wait(condition, what, most=60):
        until = time.monotonic() + most
        while not condition():
            if time.monotonic() > until:
                raise RuntimeError(f"waited {most} s for {what}")
            time.sleep(0.05)

    def redis_answers(self, port):
        return self.ask(port, "ping").strip() == b"PONG"

    def rooms(self, server):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.direct[server]}/api/rooms", timeout=1) as answer:
                return json.load(answer)
        except OSError:
            return None

    def owners(self):
        """Which server each room's lease names, as Redis has it."""
        found = {}
        for i in range(ROOMS):
            port = self.ask(self.master(), "hget", "instep:{room%d}:lease" % i, "address").strip().rsplit(b":", 1)[-1]
            if port.isdigit() and int(port) in self.ports:
                found[i] = self.ports.index(int(port))
        return found

    def play(self, seed):
        urls = [f"ws://127.0.0.1:{port}" for port in self.ports]
        self.traces = [os.path.join(self.folder, f"received{i}.txt") for i in range(ROOMS)]
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
        for process in self.servers + self.sentinels + [self.redis] + ([self.replica] if self.sentinels else []):
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
    elif kind == "cut-redis":  # the server lives, and cannot reach Redis; another one takes its rooms
        cluster.redis_relays[victim].cut()
        time.sleep(SETTLE)
        cluster.redis_relays[victim].heal()
    elif kind == "cut-clients":
        cluster.doors[victim].cut()
        time.sleep(chance.uniform(0.3, 1.0))
        cluster.doors[victim].heal()
    elif kind == "failover":
        before = cluster.master()
        process = cluster.redis if before == cluster.redis_port else cluster.replica
        process.end(signal.SIGKILL)
        cluster.wait(lambda: cluster.master() not in (0, before), "Sentinels to choose another master")
        process.start()  # the Sentinels make it a replica
        cluster.wait(lambda: cluster.is_replica(before), "the old master to be a replica")
    return victim


def read_commands(path):
    """The commands of an append-only file; the last one may be cut off."""
    with open(path, "rb") as file:
        while (line := file.readline()).startswith(b"*"):
            words = []
            for _ in range(int(line[1:])):
                size = file.readline()
                if not size.startswith(b"$"):
                    return
                word = file.read(int(size[1:]) + 2)
                if len(word) < int(size[1:]) + 2:
                    return
                words.append(word[:-2])
            yield words


def read_journals(cluster, names):
    """What was ever written of each room: (kind, first tick, last tick, hash), in the order of Redis's file."""
    written, lines = [], []
    for path in sorted(glob.glob(os.path.join(cluster.folder, "redis", "appendonlydir", "*.incr.aof"))):
        for words in read_commands(path):
            name = words[0].upper()
            room = words[1].split(b"}")[0][len(b"instep:{"):].decode() if len(words) > 2 and b"}" in words[1] else None
            if room in names and name == b"XADD":
                written.append((room, "entry"))
                lines.append(f"entry {words[-1].hex()}\n")
            elif room in names and name == b"SET":
                written.append((room, "image"))
                lines.append(f"image {words[2].hex()}\n")
    lister = os.path.join(os.path.dirname(cluster.program), "tests", "journal_list")
    done = subprocess.run([lister], input="".join(lines), capture_output=True, text=True, check=True)
    journals = collections.defaultdict(list)
    for (room, kind), line in zip(written, done.stdout.splitlines(), strict=True):
        journals[room].append((kind, *line.split(" ", 2)))
    return journals


def check_journal(room, journal, versions, problems):
    """Adds the hashes of the journal to those that clients received, and looks for gaps."""
    reached, covered = None, 0
    for kind, first, last, state in journal:
        if first == "refused":
            problems.append(f"room {room}: a journal that cannot be read: {last} {state}")
            continue
        first, last = int(first), int(last)
        versions[room, last].add(state)
        if kind == "image":
            covered = max(covered, last)
            reached = last if reached is None else max(reached, last)
            continue
        if reached is None or first > reached + 1:
            problems.append(f"room {room}: an entry begins with tick {first}, and the journal reached {reached}")
        reached = max(reached or 0, last)
    return covered


def check(cluster, faults, longest_wait):
    versions = collections.defaultdict(set)
    slots, problems, waits, received = {}, [], [], 0
    journals = {} if cluster.sentinels else read_journals(cluster, {f"room{i}" for i in range(ROOMS)})
    entries = sum(len(journal) for journal in journals.values())
    for room, trace in enumerate(cluster.traces):
        last = {}
        in_journal = collections.defaultdict(set)
        covered = check_journal(room, journals[f"room{room}"], in_journal, problems) if journals else 0
        for key, states in in_journal.items():
            versions[key] |= states
        with open(trace, encoding="ascii") as lines:
            for line in lines:
                client, slot, at, tick, state = line.split()
                client, at, tick = (room, int(client)), float(at), int(tick)
                received += 1
                versions[room, tick].add(state)
                if journals and (room, tick) not in in_journal and tick > covered:
                    problems.append(f"client {client} received tick {tick}, which is not in the journal")
                if slots.setdefault(client, slot) != slot:
                    problems.append(f"client {client} was in slot {slots[client]} and is in {slot} at tick {tick}")
                    slots[client] = slot
                if client in last:
                    if tick < last[client][1]:
                        problems.append(f"client {client} received tick {tick} after {last[client][1]}")
                    waits.append((at - last[client][0], client, tick))
                last[client] = (at, tick)
        if len(last) != BOTS:
            problems.append(f"room {room}: {len(last)} of {BOTS} clients received anything")
    for (room, tick), states in versions.items():
        if len(states) > 1:
            problems.append(f"room {room}: tick {tick} has {len(states)} versions")
    waits.sort(reverse=True)
    # The longest wait of each client after each fault would be a perfect sample; the longest of all are that many.
    sample = [wait for wait, _, _ in waits[:max(1, faults * BOTS)]]
    slowest = sample[len(sample) // 100]
    if slowest > longest_wait:
        problems.append(f"a client waited {slowest:.2f} s for tick {waits[0][2]} (99th percentile of {len(sample)} waits)")
    return received, entries, sample, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=10)
    parser.add_argument("--seed", type=int, default=int(time.strftime("%Y%m%d", time.gmtime())))
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--kinds", default="", help="of faults, instead of all")
    parser.add_argument("--sentinel", action="store_true", help="with a replica and Sentinels; the fault is a failover")
    parser.add_argument("--program", default="build/release/instep")
    parser.add_argument("--longest-wait", type=float, default=3.0, help="s, on a quiet machine")
    parser.add_argument("--keep", action="store_true", help="keep the logs")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    kinds = ["kill", "stop", "hand-over", "redis-kill", "redis-pause", "cut-redis", "cut-clients"]
    kinds = options.kinds.split(",") if options.kinds else ["failover"] if options.sentinel else kinds
    schedule = [kind for _ in range((options.faults + len(kinds) - 1) // len(kinds)) for kind in chance.sample(kinds, len(kinds))]
    schedule = schedule[:options.faults]
    folder = tempfile.mkdtemp(prefix="instep-chaos-")
    cluster = Cluster(os.path.abspath(options.program), options.servers, folder, options.sentinel)
    try:
        cluster.play(options.seed)
        for number, kind in enumerate(schedule, 1):
            victim = fault(cluster, kind, chance)
            print(f"fault {number}: {kind}" + (f" of server {victim}" if not kind.startswith(("redis", "failover")) else ""), flush=True)
            time.sleep(SETTLE)
    finally:
        cluster.stop()
    received, entries, sample, problems = check(cluster, len(schedule), options.longest_wait)
    print(f"{received} snapshots received, {entries} entries and checkpoints written; longest waits {', '.join(f'{wait:.2f}' for wait in sample[:8])} s; "
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
