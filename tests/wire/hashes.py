# SPDX-License-Identifier: MIT
"""Section 8 of docs/wire-format.md: hashes that both ends compare."""
import struct

from states import whole_words

U64 = (1 << 64) - 1


class Hasher:
    """8.1"""

    def __init__(self):
        self.lanes = [0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89]
        self.count = 0

    def word(self, word):
        lane = self.count & 3
        mixed = (self.lanes[lane] ^ word) * 0x9E3779B97F4A7C15 & U64
        self.lanes[lane] = (mixed << 29 | mixed >> 35) & U64
        self.count += 1

    def words(self, data):
        for word in struct.unpack(f"<{len(data) // 8}Q", data):
            self.word(word)

    def finish(self):
        result = self.count
        for lane in self.lanes:
            result ^= lane
            for _ in range(2):
                result = (result ^ result >> 32) * 0xD6E8FEB86659FD93 & U64
            result ^= result >> 32
        return result


def hash_state(level, state):
    """8.2"""
    hasher = Hasher()
    hasher.words(level.head.canonical(state.head))
    for info, pool in zip(level.pools, state.pools):
        hasher.word(len(pool.handles) | pool.next_generation << 32)
        for identity, generation in pool.handles:
            hasher.word(identity | generation << 32)
        for row in pool.elements:
            hasher.words(info.element.canonical(row))
    return hasher.finish()


def own_entities(level, state, slot):
    """7: the index of the pool and the element of each."""
    for i, (info, pool) in enumerate(zip(level.pools, state.pools)):
        if info.owner and not info.is_events:
            for row in pool.elements:
                if info.owner.get(row) == slot:
                    yield i, row


def hash_own(level, entities):
    """8.3"""
    hasher = Hasher()
    for i, row in entities:
        hasher.word(level.index_offsets[i])
        hasher.words(level.pools[i].element.canonical(row))
    return hasher.finish() & 0xFFFFFFFF


def hash_field(field, rows):
    hasher = Hasher()
    for row in rows:
        hasher.words(field.canonical(row).ljust(whole_words(field.size), b"\0"))
    return hasher.finish()


def field_hashes(level, state):
    """8.4: the part of each that a report has."""
    hashes = [hash_field(field, [state.head]) for field in level.head.fields]
    for info, pool in zip(level.pools, state.pools):
        ids = Hasher()
        ids.word(pool.next_generation)
        for identity, generation in pool.handles:
            ids.word(identity | generation << 32)
        hashes.append(ids.finish())
        hashes += [hash_field(field, pool.elements) for field in info.element.fields]
    return [value & 0xFFFF for value in hashes]
