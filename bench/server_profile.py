# SPDX-License-Identifier: MIT
# Where a player's processor time goes: samples `instep serve` with Linux's perf while thin bots play in rooms of arena, as
# bench/server_load.mjs has them, and groups the samples. Calls of the kernel count for the call; our code counts by its own symbol.
#   python3 bench/server_profile.py [--instep FILE] [--players 384] [--seconds 10]
import argparse
import collections
import os
import re
import signal
import subprocess
import tempfile
import time

GROUPS = [  # the first that matches; "kernel" ones are searched in the whole chain, the others in the innermost frame
    ("kernel: send", "kernel", r"sys_send"),
    ("kernel: receive", "kernel", r"sys_recv"),
    ("kernel: wait for sockets and timers", "kernel", r"sys_epoll|sys_timerfd"),
    ("kernel: wake other threads", "kernel", r"sys_futex|eventfd"),
    ("kernel: clocks", "kernel", r"clock_gettime"),
    ("kernel: other", "kernel", r""),
    ("sockets: Asio, Beast, sessions", "user", r"boost::|WebSocketSession|FlushQueue|server::Stream|HandlerMemory|PlayerSession|server::Loop|Strand"),
    ("room: seats, inbox, sending", "user", r"server::"),
    ("inputs: decode and queue", "user", r"Input|codec::Reader|Host::receive|read_inputs"),
    ("encode snapshots", "user", r"instep::(codec|net|present)::"),
    ("step", "user", r"instep::"),
    ("memory, locks, clocks of the C library", "user", r""),
]


def group_of(frames):
    symbol, library = frames[0]
    side = "kernel" if "kernel" in library else "user"
    chain = " ".join(name for name, _ in frames) if side == "kernel" else symbol
    return next(name for name, where, pattern in GROUPS if where == side and re.search(pattern, chain))


def samples(file):
    script = subprocess.run(["perf", "script", "-i", file, "-F", "comm,ip,sym,dso"], capture_output=True, text=True, check=True).stdout
    for block in script.split("\n\n"):
        frames = re.findall(r"^\s+[0-9a-f]+ (.*) \((.*)\)$", block, re.MULTILINE)
        if frames:
            yield block.split()[0], frames


def processor_seconds(process):
    with open(f"/proc/{process}/stat") as file:
        user, system = file.read().rsplit(") ", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


parser = argparse.ArgumentParser()
parser.add_argument("--instep", default="build/release/instep")
parser.add_argument("--players", type=int, default=384)
parser.add_argument("--seconds", type=float, default=10)
options = parser.parse_args()

connects_per_second = 400
serve = [options.instep, "serve", "--port", "0", "--threads", "1", "--most-connections", "20000", "--most-connections-per-address", "20000",
         "--most-rooms-per-address", "256", "--upgrades-per-second", "20000", "--hellos-per-second", "20000", "--log-level", "error"]
server = subprocess.Popen(["taskset", "-c", "0", *serve], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
url = server.stdout.readline().strip().replace("http", "ws")
bots = subprocess.Popen(["taskset", "-c", "1", options.instep, "bots", "arena", "--thin", "--count", str(options.players), "--url", url,
                         "--connects-per-second", str(connects_per_second)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
time.sleep(3 + options.players / connects_per_second)
with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "perf.data")
    before, began = processor_seconds(server.pid), time.monotonic()
    subprocess.run(["perf", "record", "-q", "-F", "997", "-e", "cpu-clock", "--call-graph", "fp", "-p", str(server.pid), "-o", file,
                    "--", "sleep", str(options.seconds)], stderr=subprocess.DEVNULL, check=True)
    passed, used = time.monotonic() - began, processor_seconds(server.pid) - before
    bots.send_signal(signal.SIGINT)
    bots.wait()
    server.terminate()
    server.wait()
    counts, threads = collections.Counter(), collections.Counter()
    symbols = collections.defaultdict(collections.Counter)
    for thread, frames in samples(file):
        group = group_of(frames)
        counts[group] += 1
        threads[thread] += 1
        symbols[group][frames[0][0].split("(")[0]] += 1

total = counts.total()
each = used / passed / options.players * 1e6
print(f"{options.players} players: {100 * used / passed:.0f} % of a core, {each:.0f} µs a second each; {total} samples")
print("threads: " + ", ".join(f"{name} {100 * count / total:.0f} %" for name, count in threads.most_common()))
for group, count in counts.most_common():
    most = ", ".join(f"{symbol[-40:]} {100 * number / total:.1f}" for symbol, number in symbols[group].most_common(3))
    print(f"{group:42} {100 * count / total:5.1f} %  {each * count / total:6.0f} µs   {most}")
