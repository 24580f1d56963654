# SPDX-License-Identifier: MIT
# What a cluster costs: processor time of `instep serve` for each player without and with --cluster, alternately in one
# run, and what Redis needs for it. Thin bots play in rooms of arena, as in bench/server_load.mjs. The server has one
# thread for ticks and one for sockets, both on core 0; Redis and the bots share the other cores. Processor time, not
# time: a busy machine changes it little. Latency is from sending an input to the snapshot that acknowledges it, as the bots
# measure it; it includes the wait for the next snapshot.
#   python3 bench/cluster_cost.py [--instep FILE] [--players 128] [--seconds 10] [--rounds 2]
import argparse
import os
import re
import signal
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request

# As long as the real append script: epoch check, entry, lease.
PROBE = ("local l = redis.call('HMGET', KEYS[1], 'epoch', 'holder') redis.call('XADD', KEYS[2], 'MAXLEN', 100, '*', 't', ARGV[1]) "
         "redis.call('HSET', KEYS[1], 'until', redis.call('TIME')[1], 'tick', 1) return 1")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def processor_seconds(process):
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        user, system = file.read().rsplit(") ", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def command(*words):
    out = b"*%d\r\n" % len(words)
    for word in words:
        word = word if isinstance(word, bytes) else word.encode()
        out += b"$%d\r\n%s\r\n" % (len(word), word)
    return out


def probe_appends(port, seconds):
    """Round trips of appends like those of a room, 50 a second, in ms."""
    times, until = [], time.monotonic() + seconds
    with socket.create_connection(("127.0.0.1", port)) as redis:
        redis.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        text = command("EVAL", PROBE, "2", "{probe}:lease", "{probe}:ticks", b"x" * 200)
        while time.monotonic() < until:
            began = time.perf_counter()
            redis.sendall(text)
            redis.recv(64)
            times.append((time.perf_counter() - began) * 1000)
            time.sleep(0.02)
    return times


def wait(condition, what):
    until = time.monotonic() + 60
    while not condition():
        if time.monotonic() > until:
            raise RuntimeError(f"waited a minute for {what}")
        time.sleep(0.1)


def players_of(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            for line in answer.read().decode().splitlines():
                if line.startswith("instep_players "):
                    return int(float(line.split()[1]))
    except OSError:
        pass
    return -1


def measure(options, redis, redis_port):
    """Microseconds of processor time for each player and second: of the server, and of Redis."""
    port = free_port()
    serve = ["taskset", "-c", "0", options.instep, "serve", "--port", str(port), "--threads", "1", "--most-connections", "10000",
             "--most-connections-per-address", "10000", "--most-rooms-per-address", "1000", "--upgrades-per-second", "20000",
             "--hellos-per-second", "20000", "--log-level", "error"]
    if redis:
        serve += ["--cluster", f"redis://127.0.0.1:{redis_port}"]
    server = subprocess.Popen(serve, stdout=subprocess.DEVNULL)
    bots = None
    try:
        wait(lambda: players_of(port) == 0, "the server")
        bots = subprocess.Popen([options.instep, "bots", "arena", "--thin", "--count", str(options.players), "--url",
                                 f"ws://127.0.0.1:{port}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        wait(lambda: players_of(port) == options.players, "the players")
        time.sleep(2)
        before = processor_seconds(server.pid), processor_seconds(redis.pid) if redis else 0
        began = time.monotonic()
        times = probe_appends(redis_port, options.seconds) if redis else time.sleep(options.seconds) or []
        took = time.monotonic() - began
        after = processor_seconds(server.pid), processor_seconds(redis.pid) if redis else 0
        if players_of(port) != options.players:
            raise RuntimeError("players were lost during the measurement")
        bots.send_signal(signal.SIGINT)
        latency = [float(text) for text in re.findall(r"p(?:50|99) ([0-9.]+) ms", bots.communicate(timeout=60)[0])]
    finally:
        if bots:
            bots.kill()
            bots.wait()
        server.kill()
        server.wait()
    scale = 1e6 / took / options.players
    return (after[0] - before[0]) * scale, (after[1] - before[1]) * scale, times, latency


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--instep", default="build/release/instep")
    parser.add_argument("--players", type=int, default=128)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    alone, together, redis_cost, times = [], [], [], []
    latency_alone, latency_together = [], []
    with tempfile.TemporaryDirectory(prefix="instep-cost-") as folder:
        port = free_port()
        redis = subprocess.Popen(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes",
                                  "--dir", folder], stdout=subprocess.DEVNULL)
        try:
            for _ in range(options.rounds):
                server, _, _, latency = measure(options, None, port)
                alone.append(server)
                latency_alone.append(latency)
                server, store, probes, latency = measure(options, redis, port)
                latency_together.append(latency)
                together.append(server)
                redis_cost.append(store)
                times += probes
        finally:
            redis.send_signal(signal.SIGKILL)
            redis.wait()
    times.sort()
    print(f"players: {options.players}; processor time for each, us a second: alone {statistics.median(alone):.0f} "
          f"({', '.join(f'{cost:.0f}' for cost in alone)}), in a cluster {statistics.median(together):.0f} "
          f"({', '.join(f'{cost:.0f}' for cost in together)}), Redis {statistics.median(redis_cost):.0f}")
    print(f"players that a core holds in a cluster: {statistics.median(alone) / statistics.median(together):.0%} of those without")
    for i, name in enumerate(("p50", "p99")):
        without, within = (statistics.median(round[i] for round in rounds) for rounds in (latency_alone, latency_together))
        print(f"input to snapshot, {name}: alone {without:.2f} ms, in a cluster {within:.2f} ms, {within - without:+.2f} ms")
    print(f"appends, ms: p50 {times[len(times) // 2]:.2f}, p99 {times[len(times) * 99 // 100]:.2f} ({len(times)} probes)")


if __name__ == "__main__":
    main()
