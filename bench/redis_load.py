# SPDX-License-Identifier: MIT
# How many rooms one Redis holds: a real Redis (appendfsync everysec) with more and more rooms that only write their journals
# (bench/redis_load.cpp), until it does not keep up: fewer than 98 % of the appends acknowledged, or p99 above 50 ms.
#   python3 bench/redis_load.py [--load FILE] [--rate 20] [--entry 250] [--image 6000] [--seconds 6] [--first 500]
import argparse
import os
import signal
import subprocess
import tempfile
import time

from cluster_cost import free_port, processor_seconds


def bytes_written(process):
    with open(f"/proc/{process}/io", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("write_bytes"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--load", default="build/release/bench/redis_load")
    parser.add_argument("--rate", type=int, default=20, help="snapshots a second of each room")
    parser.add_argument("--entry", type=int, default=250, help="bytes of an entry")
    parser.add_argument("--image", type=int, default=6000, help="bytes of a checkpoint")
    parser.add_argument("--seconds", type=int, default=6)
    parser.add_argument("--first", type=int, default=500, help="rooms of the first attempt")
    options = parser.parse_args()
    print("rooms  appends a second  acknowledged  p50 ms  p99 ms  Redis, % of a core  MB a second on disk  MB of memory")
    rooms = options.first
    while rooms <= 64000:
        with tempfile.TemporaryDirectory(prefix="instep-load-") as folder:
            port = free_port()
            redis = subprocess.Popen(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes",
                                      "--dir", folder], stdout=subprocess.DEVNULL)
            try:
                time.sleep(1)
                load = subprocess.Popen([options.load, *map(str, (port, rooms, options.rate, options.entry, options.image,
                                                                  options.seconds))], stdout=subprocess.PIPE, text=True)
                time.sleep(3.5)
                before, wrote, began = processor_seconds(redis.pid), bytes_written(redis.pid), time.monotonic()
                time.sleep(max(1, options.seconds - 1.5))
                took = time.monotonic() - began
                used, wrote = (processor_seconds(redis.pid) - before) / took, (bytes_written(redis.pid) - wrote) / took
                with open(f"/proc/{redis.pid}/statm", encoding="ascii") as file:
                    memory = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
                asked, answered, p50, p99 = map(float, load.communicate()[0].split())
            finally:
                redis.send_signal(signal.SIGKILL)
                redis.wait()
        print(f"{rooms:5d}  {asked:16.0f}  {answered:12.0f}  {p50:6.2f}  {p99:6.2f}  {used:18.0%}  {wrote / 1e6:19.1f}  {memory:12.0f}",
              flush=True)
        if answered < 0.98 * asked or asked < 0.98 * rooms * options.rate or p99 > 50:
            print(f"saturated between {rooms // 2 if rooms > options.first else 0} and {rooms} rooms")
            return
        rooms *= 2


if __name__ == "__main__":
    main()
