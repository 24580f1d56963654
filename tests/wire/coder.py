# SPDX-License-Identifier: MIT
"""Sections 2 and 3.1 to 3.3 of docs/wire-format.md: the range coder, numbers and byte strings."""

EVEN = 32768  # a bit model that expects 0 and 1 alike
QUICK, STEADY = 4, 7  # shifts of the two learners
LEAST_CHANCE = 64
SIZES = 20  # entries of a number model
ZEROS_PAST_END = 4
MOST_TRAILING_ZEROS = 31  # bits of the number that ends a stream


class Malformed(Exception):
    """No encoder writes such bytes."""


def require(condition, what):
    if not condition:
        raise Malformed(what)


class Models:
    """Bit models by their names. A model that was never used has its starting value and takes no memory."""

    def __init__(self, table=None):
        self.table = {} if table is None else table

    def get(self, name, start=EVEN):
        model = self.table.get(name)
        if model is None:
            model = self.table[name] = [start, start]
        return model

    def copy(self):
        return Models({name: model[:] for name, model in self.table.items()})


class Decoder:
    """Reads one stream, and writes down what the encoder must have been given, so that finish() can encode it again."""

    def __init__(self, data):
        self.data, self.at = bytes(data), 0
        self.range, self.code = 0xFFFFFFFF, 0
        self.trace = []  # (chance of zero, bit) of a bit with a model, (-bits, value) of a raw group
        for _ in range(4):
            self.code = self.code << 8 | self.next_byte()

    def next_byte(self):
        at, self.at = self.at, self.at + 1
        require(at < len(self.data) + ZEROS_PAST_END, "2.5: the stream is read past its end")
        return self.data[at] if at < len(self.data) else 0

    def renormalise(self):
        while self.range < 1 << 24:
            self.range <<= 8
            self.code = (self.code << 8 | self.next_byte()) & 0xFFFFFFFF

    def bit(self, model):
        """2.1, 2.3: `model` is [quick, steady]."""
        quick, steady = model
        chance = min(max((quick + steady) >> 1, LEAST_CHANCE), 65536 - LEAST_CHANCE)
        zero = self.range * chance >> 16
        bit = int(self.code >= zero)
        if bit:
            self.code -= zero
            self.range -= zero
            model[:] = quick - (quick >> QUICK), steady - (steady >> STEADY)
        else:
            self.range = zero
            model[:] = quick + ((65535 - quick) >> QUICK), steady + ((65535 - steady) >> STEADY)
        self.trace.append((chance, bit))
        self.renormalise()
        return bit

    def raw(self, bits):
        """2.4"""
        value = 0
        while bits > 0:
            group = min(bits, 16)
            bits -= group
            width = self.range >> group
            part = self.code // width
            require(part < 1 << group, "2.4: raw bits out of range")
            self.code -= part * width
            self.range = width
            self.trace.append((-group, part))
            self.renormalise()
            value = value << group | part
        return value

    def signed_raw(self, bits):
        return wrapped(self.raw(bits), bits)

    def optional(self, read):
        return read() if self.raw(1) else None

    def text(self, length, most):
        require(length <= most, "a text is too long")
        return bytes(self.raw(8) for _ in range(length)).decode()

    def finish(self):
        """2.5, 2.6: nothing is left, and the encoder that the page describes writes the same bytes."""
        require(self.at >= len(self.data), "2.5: bytes are left over")
        require(encode(self.trace) == self.data, "2.6: the page's encoder writes other bytes")


def encode(trace):
    """2.6"""
    out, low, width, held, run = bytearray(), 0, 0xFFFFFFFF, None, 0

    def shift():
        nonlocal low, held, run
        carry, top = low >> 32, low >> 24 & 255
        if carry or top != 255 or held is None:
            if held is not None:
                out.append(held + carry)
            out.extend(bytes([255 + carry & 255]) * run)
            held, run = top, 0
        else:
            run += 1
        low = (low & 0xFFFFFF) << 8

    for what, value in trace:
        if what < 0:
            width >>= -what
            low += value * width
        else:
            zero = width * what >> 16
            low += zero if value else 0
            width = width - zero if value else zero
        while width < 1 << 24:
            width <<= 8
            shift()
    low = roundest(low, width)
    start = len(out)
    for _ in range(5):
        shift()
    for _ in range(4):
        if len(out) > start and out[-1] == 0:
            out.pop()
    return bytes(out)


def roundest(low, width):
    """The number in [low, low + width) with the most trailing zero bits."""
    for zeros in range(MOST_TRAILING_ZEROS, -1, -1):
        candidate = (low + (1 << zeros) - 1) >> zeros << zeros
        if candidate < low + width:
            return candidate
    return low


def wrapped(value, bits):
    """To a signed integer of that many bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def read_unsigned(stream, models, name):
    """3.1"""
    size = 0
    while size < 64 and stream.bit(models.get(name + ("longer", min(size, SIZES - 1)))):
        size += 1
    if size < 2:
        return size
    value = 2 | stream.bit(models.get(name + ("second", min(size, SIZES - 1))))
    return value << (size - 2) | stream.raw(size - 2)


def read_signed(stream, models, name):
    """3.2"""
    magnitude = read_unsigned(stream, models, name)
    return -magnitude if magnitude and stream.bit(models.get(name + ("negative",))) else magnitude


def read_bytes(stream, most):
    """3.3"""
    size = stream.raw(32)
    require(size <= most, "3.3: a byte string is too long")
    models = [[[EVEN, EVEN] for _ in range(256)] for _ in range(8)]
    result = bytearray()
    for i in range(size):
        bits = 1
        while bits < 256:
            bits = bits << 1 | stream.bit(models[i % 8][bits])
        result.append(bits & 255)
    return bytes(result)
