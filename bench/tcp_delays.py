#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How late messages come over the kernel's own TCP when packets are lost: what src/net/simulated_link.h is held to.

Two network namespaces without names, a TUN device in each, and a relay between them that delays and loses IP packets,
data and acknowledgements alike. A connection's port tells the relay its condition, so that all of them run at the same
time. The namespaces live in open files only and are gone when this ends, however it ends. No part of ./test.
    bench/tcp_delays.py [--control cubic bbr] [--seconds 110] [--copies 4] [--seed 1]
"""
import argparse
import ctypes
import fcntl
import heapq
import os
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from typing import NamedTuple

CLONE_NEWNET = 0x40000000  # linux/sched.h
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 1, 0x1000  # linux/if_tun.h
SO_SNDBUFFORCE, SO_RCVBUFFORCE = 32, 33  # asm-generic/socket.h
PR_SET_PDEATHSIG = 1  # linux/prctl.h
FIRST_PORT = 10000
QUIET = 3.0  # s without loss, in which the connections are made
REST = 20.0  # s after the last message, for what is still under way
NEVER = float("inf")


class Condition(NamedTuple):
    round_trip: float  # s
    loss: float  # of packets, each way
    rate: int  # messages a second
    size: int  # bytes


CONDITIONS = [Condition(round_trip, loss, *stream) for round_trip in (0.05, 0.15, 0.3)
              for loss in (0.02, 0.05, 0.1, 0.2) for stream in ((60, 40), (20, 200))] + [Condition(0.1, 0.6, 60, 40)]


def enter_namespace(address):
    """Moves this process into a new network namespace and gives its TUN device."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "cannot make a network namespace")
    tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH22x", b"lossy", IFF_TUN | IFF_NO_PI))
    for command in (f"ip address add {address}/24 dev lossy", "ip link set lossy up"):
        subprocess.run(command.split(), check=True)
    with open("/proc/sys/net/ipv4/tcp_no_metrics_save", "w", encoding="ascii") as file:
        file.write("1")  # or connections would learn from those before them
    return tun


def new_socket(control):
    one = socket.socket()
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, control.encode())
    for option in (SO_SNDBUFFORCE, SO_RCVBUFFORCE):
        one.setsockopt(socket.SOL_SOCKET, option, 1 << 22)
    one.setblocking(False)
    return one


def relay(tuns, conditions, seed, loss_begins):
    """Hands packets from each device to the other, late or not at all; never returns."""
    chance = random.Random(seed).random
    under_way, count = [], 0
    while True:
        wait = max(0, under_way[0][0] - time.monotonic()) if under_way else None
        for tun in select.select(tuns, [], [], wait)[0]:
            packet = os.read(tun, 2048)
            if packet[0] >> 4 != 4 or packet[9] != socket.IPPROTO_TCP:
                continue
            now = time.monotonic()
            side = tuns.index(tun)  # 0: of the one that listens
            condition = conditions[struct.unpack_from("!HH", packet, 4 * (packet[0] & 15))[side] - FIRST_PORT]
            if now < loss_begins or chance() >= condition.loss:
                count += 1
                heapq.heappush(under_way, (now + condition.round_trip / 2, count, tuns[1 - side], packet))
        while under_way and under_way[0][0] <= time.monotonic():
            os.write(*heapq.heappop(under_way)[2:])


def exchange(conditions, senders, receivers, begin, seconds):
    """Sends at each condition's rate; when each message was sent and when it arrived, and when this ended."""
    sent, arrived = [[] for _ in conditions], [[] for _ in conditions]
    unsent, unread = [b""] * len(conditions), [b""] * len(conditions)
    poll = select.epoll()
    for one in receivers:
        poll.register(one, select.EPOLLIN)
    by_file = {one.fileno(): index for index, one in enumerate(receivers)}
    due = [(begin + index / len(conditions) / condition.rate, index) for index, condition in enumerate(conditions)]
    heapq.heapify(due)
    while due or (time.monotonic() < begin + seconds + REST and any(len(a) < len(s) for a, s in zip(arrived, sent))):
        for file, _ in poll.poll(max(0, due[0][0] - time.monotonic()) if due else 0.1):
            index = by_file[file]
            got = receivers[index].recv(1 << 16)
            if not got:
                poll.unregister(file)  # reset
            unread[index] += got
            whole = len(unread[index]) // conditions[index].size
            arrived[index] += [time.monotonic()] * whole
            unread[index] = unread[index][whole * conditions[index].size:]
        while due and due[0][0] <= time.monotonic():
            when, index = heapq.heappop(due)
            sent[index].append(time.monotonic())
            unsent[index] += bytes(conditions[index].size)
            try:
                unsent[index] = unsent[index][senders[index].send(unsent[index]):]
            except BlockingIOError:
                pass  # goes with the next one
            if when + 1 / conditions[index].rate < begin + seconds:
                heapq.heappush(due, (when + 1 / conditions[index].rate, index))
    return sent, arrived, begin + seconds + REST


def measure(conditions, control, seed, seconds):
    """What `exchange` says of one connection for each of the conditions."""
    home = os.open("/proc/self/ns/net", os.O_RDONLY)
    tuns = [enter_namespace("10.77.0.1")]
    listeners = [new_socket(control) for _ in conditions]
    for index, one in enumerate(listeners):
        one.bind(("10.77.0.1", FIRST_PORT + index))
        one.listen()
    tuns.append(enter_namespace("10.77.0.2"))
    senders = [new_socket(control) for _ in conditions]
    if ctypes.CDLL(None, use_errno=True).setns(home, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "cannot go back to the first network namespace")
    begin, receivers = time.monotonic() + QUIET, []
    child = os.fork()
    if child == 0:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        try:
            relay(tuns, conditions, seed, begin)
        finally:
            os._exit(1)
    try:
        for index, one in enumerate(senders):
            one.connect_ex(("10.77.0.1", FIRST_PORT + index))
        for one in listeners:
            select.select([one], [], [], QUIET)
            receivers.append(one.accept()[0])
            receivers[-1].setblocking(False)
        return exchange(conditions, senders, receivers, begin, seconds)
    finally:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
        for one in listeners + senders + receivers:
            one.close()
        for file in (*tuns, home):
            os.close(file)


def figures(condition, streams):
    """A line of the table: what (sent, arrived, end) of some connections come to."""
    extra, stuck = [], 0
    for sent, arrived, end in streams:
        last = 0.0
        for index, when in enumerate(sent):
            last = max(last, arrived[index] if index < len(arrived) else NEVER)
            stuck += last > end
            extra.append(1000 * (min(last, end) - when - condition.round_trip / 2))
    extra.sort()
    late = [one for one in extra if one > 10] or [0]
    shares = [extra[int(share * len(extra))] for share in (0.9, 0.99, 0.999)]
    return "%6d %6.1f %7.0f %7.0f %7.0f %7.0f %7.0f %6.1f" % (
        len(extra), 100 * sum(one > 10 for one in extra) / len(extra), late[len(late) // 2], *shares, extra[-1],
        100 * stuck / len(extra))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--control", nargs="+", default=["cubic", "bbr"], help="congestion controls, one after another")
    parser.add_argument("--seconds", type=float, default=110)
    parser.add_argument("--copies", type=int, default=4, help="connections for each condition")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if os.geteuid() != 0 or not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        sys.exit("bench/tcp_delays.py needs root and /dev/net/tun: start it with sudo, and load it with modprobe tun")
    measured = {}
    for control in arguments.control:
        each = [condition for condition in CONDITIONS for _ in range(arguments.copies)]
        try:
            sent, arrived, end = measure(each, control, arguments.seed, arguments.seconds)
        except FileNotFoundError:
            sys.exit(f"no congestion control {control} (modprobe tcp_{control}) or no ip (apt-get install iproute2)")
        for index, condition in enumerate(each):
            measured.setdefault((condition, control), []).append((sent[index], arrived[index], end))
    print("ms beyond the bare way; late: by over 10 ms; stuck: not there %.0f s after the last was sent" % REST)
    print("round loss rate  by            count  late %  median     p90     p99   p99.9     max stuck%")
    for condition in CONDITIONS:
        for control in arguments.control:
            print("%5.0f %3.0f%% %3d/s  %-11s %s" % (1000 * condition.round_trip, 100 * condition.loss, condition.rate,
                                                     control, figures(condition, measured[condition, control])))
        print(flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
