# SPDX-License-Identifier: MIT
"""Sections 4, 5 and 9 of docs/wire-format.md: a level, its states and their images, ticks and events."""
import struct

from coder import read_signed, read_unsigned, require
from structs import Struct

FREE = 0xFFFFFFFF  # index of an id that no element has


def whole_words(size):
    return (size + 7) // 8 * 8


class Pool:
    def __init__(self, next_generation):
        self.next_generation = next_generation
        self.handles = []  # (id, generation), in the order of elements
        self.elements = []


class State:
    def __init__(self, head, pools):
        self.head, self.pools = head, pools


class PoolInfo:
    def __init__(self, info):
        self.name, self.capacity, self.is_events = info["name"], info["capacity"], info["events"]
        self.element = Struct(info["element"])
        self.owner = self.element.field(info["owner"]) if info["owner"] else None


class Level:
    """9"""

    def __init__(self, info):
        self.fingerprint, self.snapshot_every = info["fingerprint"], info["snapshot_every"]
        self.most_players, self.most_events = info["most_players"], info["most_events"]
        self.input, self.event, self.head = (Struct(info[name]) for name in ("input", "event", "head"))
        self.pools = [PoolInfo(pool) for pool in info["pools"]]
        self.field_hash_count = len(self.head.fields) + sum(1 + len(pool.element.fields) for pool in self.pools)
        self.players = next(i for i, pool in enumerate(self.pools) if pool.name == "players")
        self.index_offsets = []  # 8.3
        self.most_image = self.head.size + 16 * len(self.pools)
        for pool in self.pools:
            self.index_offsets.append(self.most_image)
            self.most_image += whole_words(12 * pool.capacity) + pool.capacity * pool.element.size
        self.initial = read_image(self, bytes.fromhex(info["initial"]))

    def quantised(self, state):
        pools = []
        for info, pool in zip(self.pools, state.pools):
            result = Pool(pool.next_generation)
            result.handles, result.elements = pool.handles, [info.element.quantised(row) for row in pool.elements]
            pools.append(result)
        return State(self.head.quantised(state.head), pools)

    def require_legal(self, state):
        """2.5, but for what only the world can know."""
        self.head.require_legal(state.head)
        for info, pool in zip(self.pools, state.pools):
            for row in pool.elements:
                info.element.require_legal(row)

    def split_events(self, data):
        require(len(data) % self.event.size == 0, "5.2: an event is cut off")
        return [data[at:at + self.event.size] for at in range(0, len(data), self.event.size)]

    def held_inputs(self, state):
        """5.1: by live slot, the inputs that the players of a state hold."""
        element = self.pools[self.players].element
        slot = element.field("slot")
        start = element.field("input." + self.input.fields[0].path).offset - self.input.fields[0].offset
        return {slot.get(row): bytes(row[start:start + self.input.size])
                for row in state.pools[self.players].elements}


def read_handles(stream, models, name, info, predicted):
    pool = Pool(predicted.next_generation)
    if not stream.bit(models.get(name + ("regrouped",), start=60000)):
        pool.handles = list(predicted.handles)
        return pool
    count = read_unsigned(stream, models, name + ("count",))
    require(count <= info.capacity, f"4: {info.name} has too many elements")
    pool.next_generation += read_signed(stream, models, name + ("age",))
    for i in range(count):
        if stream.bit(models.get(name + ("moved",), start=60000)):
            identity = read_unsigned(stream, models, name + ("id",))
            handle = (identity, pool.next_generation - read_unsigned(stream, models, name + ("age",)))
        else:
            require(i < len(predicted.handles), f"4: {info.name} has no predicted handle here")
            handle = predicted.handles[i]
        require(handle[0] < info.capacity and 0 <= handle[1] < pool.next_generation, f"4: a handle of {info.name}")
        pool.handles.append(handle)
    require(len({identity for identity, _ in pool.handles}) == count, f"4: an id of {info.name} comes twice")
    return pool


def read_state(stream, models, level, predicted):
    head = level.head.read(stream, models, ("head",), predicted.head)
    pools = []
    for info, guess in zip(level.pools, predicted.pools):
        name = ("pool", info.name)
        pool = read_handles(stream, models, name, info, guess)
        known = dict(zip(guess.handles, guess.elements))
        for handle in pool.handles:
            pool.elements.append(
                info.element.read(stream, models, name + ("known",), known[handle]) if handle in known else
                info.element.read(stream, models, name + ("new",), info.element.zeros()))
        pools.append(pool)
    return State(head, pools)


def read_image(level, data):
    """4.1"""
    at = level.head.size
    head, headers, pools = bytearray(data[:at]), [], []
    for _ in level.pools:
        headers.append(struct.unpack_from("<4I", data, at))
        at += 16
    for info, (count, id_count, lowest_free, next_generation) in zip(level.pools, headers):
        require(count <= id_count <= info.capacity, f"4.1: the header of {info.name}")
        rows = [struct.unpack_from("<3I", data, at + 12 * i) for i in range(id_count)]
        end_of_rows = at + 12 * id_count
        at += whole_words(12 * id_count)
        require(not any(data[end_of_rows:at]), f"4.1: what follows the rows of {info.name}")
        pool = Pool(next_generation)
        pool.handles = handles_of_rows(info, rows, count, lowest_free, next_generation)
        for _ in range(count):
            pool.elements.append(bytearray(data[at:at + info.element.size]))
            at += info.element.size
        pools.append(pool)
    require(at == len(data), "4.1: an image has another size than its headers say")
    return State(head, pools)


def handles_of_rows(info, rows, count, lowest_free, next_generation):
    free = [identity for identity, row in enumerate(rows) if row[1] == FREE]
    require(len(rows) - len(free) == count, f"4.1: {info.name} has an id without an element")
    require(lowest_free == min(free, default=len(rows)), f"4.1: the lowest free id of {info.name}")
    require(not rows or rows[-1][1] != FREE, f"4.1: the highest id of {info.name}")
    require(not any(rows[identity][2] for identity in free), f"4.1: a generation of a free id of {info.name}")
    require(not any(row[0] for row in rows[count:]), f"4.1: an id of {info.name} beyond its count")
    handles = [(row[0], rows[row[0]][2]) for row in rows[:count]]
    require(all(rows[identity][1] == index for index, (identity, _) in enumerate(handles)),
            f"4.1: an id of {info.name} has another index")
    generations = [generation for _, generation in handles]
    require(len(set(generations)) == count and max(generations, default=0) < max(next_generation, 1),
            f"4.1: a generation of {info.name}")
    return handles


def read_tick(stream, models, level, rows):
    """5.1: `rows` are the inputs by live slot, and become those of this tick."""
    leaves, joins = [], []
    if stream.bit(models.get(("joins_or_leaves",), start=65000)):
        leaves = [stream.raw(6) for _ in range(stream.raw(7))]
        for _ in range(stream.raw(7)):
            slot, seed, player = stream.raw(6), stream.raw(64), stream.raw(32)
            joins.append({"slot": slot, "seed": seed, "player": player, "name": stream.text(stream.raw(5), 24)})
    joined = [join["slot"] for join in joins]
    for slots in (leaves, joined):
        require(slots == sorted(set(slots)), "5.1: slots out of order")
    for slot in leaves:
        require(slot in rows, "5.1: a slot leaves that is not live")
        del rows[slot]
    for slot in joined:
        require(slot not in rows and slot < level.most_players, "5.1: a join into a slot that is not free")
        rows[slot] = level.input.zeros()
    for slot in sorted(rows):
        rows[slot] = bytes(level.input.read(stream, models, ("input",), rows[slot]))
    inputs = [[slot, level.input.values(rows[slot])] for slot in sorted(rows)]
    return {"leaves": leaves, "joins": joins, "inputs": inputs}


def read_events(stream, models, level, predicted):
    """5.2"""
    predicted = [bytes(level.event.quantised(row)) for row in predicted]
    if stream.bit(models.get(("as_predicted",), start=65000)):
        return predicted
    count = read_unsigned(stream, models, ("events",))
    require(count <= level.most_events, "5.2: too many events")
    return [bytes(level.event.read(stream, models, ("event",),
                                   predicted[i] if i < len(predicted) else level.event.zeros()))
            for i in range(count)]
