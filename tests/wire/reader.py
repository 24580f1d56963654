# SPDX-License-Identifier: MIT
"""A second reader of the wire format. It follows docs/wire-format.md section by section and shares no code with the C++
side; numbers in comments are sections of that page.

It has no world's step: a delta in snapshots mode is coded against what the step makes of its baseline, so
SnapshotReader.decode() takes that as an argument.
"""
import math
import pickle
import struct

U64 = (1 << 64) - 1
SNAPSHOTS_REMEMBERED = 33


class Malformed(Exception):
    """No encoder writes such bytes."""


def require(condition, what):
    if not condition:
        raise Malformed(what)


# --- 2. The range coder ---------------------------------------------------------------------------------------------


class BitModel:
    QUICK, STEADY, LEAST = 4, 7, 64

    def __init__(self, start=32768):
        self.quick = self.steady = start

    def chance_of_zero(self):
        return min(max((self.quick + self.steady) // 2, self.LEAST), 65536 - self.LEAST)

    def learn(self, bit):
        if bit:
            self.quick -= self.quick >> self.QUICK
            self.steady -= self.steady >> self.STEADY
        else:
            self.quick += (65535 - self.quick) >> self.QUICK
            self.steady += (65535 - self.steady) >> self.STEADY


class RangeDecoder:
    PAST_THE_END = 4

    def __init__(self, data):
        self.data, self.at = data, 0
        self.code, self.range = 0, 0xFFFFFFFF
        for _ in range(4):
            self.code = self.code << 8 | self.next_byte()

    def next_byte(self):
        at, self.at = self.at, self.at + 1
        require(at < len(self.data) + self.PAST_THE_END, "reads past the end of a stream")
        return self.data[at] if at < len(self.data) else 0

    def narrow(self, width):
        self.range = width
        while self.range < 1 << 24:
            self.range <<= 8
            self.code = (self.code << 8 | self.next_byte()) & 0xFFFFFFFF

    def bit(self, model):
        zero = self.range * model.chance_of_zero() >> 16
        if self.code < zero:
            bit = 0
            self.narrow(zero)
        else:
            bit = 1
            self.code -= zero
            self.narrow(self.range - zero)
        model.learn(bit)
        return bit

    def raw(self, bits):
        value = 0
        while bits > 0:
            group = min(bits, 16)
            bits -= group
            width = self.range >> group
            part = self.code // width
            require(part < 1 << group, "raw bits out of range")
            self.code -= part * width
            self.narrow(width)
            value = value << group | part
        return value

    def signed_raw(self, bits):
        value = self.raw(bits)
        return value - (1 << bits) if value >> (bits - 1) else value

    def optional(self, read):
        return read() if self.raw(1) else None

    def text(self, length, most):
        require(length <= most, "a text is too long")
        return bytes(self.raw(8) for _ in range(length)).decode()

    def finish(self):
        require(self.at >= len(self.data), "bytes are left over")


# --- 3. Numbers, bytes and structs ----------------------------------------------------------------------------------


class NumberModel:
    SIZES = 20

    def __init__(self):
        self.longer = [BitModel() for _ in range(self.SIZES)]
        self.second = [BitModel() for _ in range(self.SIZES)]
        self.negative = BitModel()


def read_unsigned(stream, model):
    size = 0
    while size < 64 and stream.bit(model.longer[min(size, NumberModel.SIZES - 1)]):
        size += 1
    if size < 2:
        return size
    value = 2 | stream.bit(model.second[min(size, NumberModel.SIZES - 1)])
    return value << (size - 2) | stream.raw(size - 2)


def read_signed(stream, model):
    magnitude = read_unsigned(stream, model)
    return -magnitude if magnitude and stream.bit(model.negative) else magnitude


def read_bytes(stream, most):
    size = stream.raw(32)
    require(size <= most, "a byte string is too long")
    models = [[BitModel() for _ in range(256)] for _ in range(8)]
    result = bytearray()
    for i in range(size):
        bits = 1
        while bits < 256:
            bits = bits << 1 | stream.bit(models[i % 8][bits])
        result.append(bits & 255)
    return bytes(result)


FORMATS = {"boolean": "<B", "u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q",
           "i8": "<b", "i16": "<h", "i32": "<i", "i64": "<q", "f32": "<f", "f64": "<d"}


class Field:
    def __init__(self, info):
        self.path, self.kind, self.offset, self.size = info["path"], info["kind"], info["offset"], info["size"]
        self.quantised = "precision" in info
        self.low, self.high, self.precision = info.get("low"), info.get("high"), info.get("precision")
        self.is_real = self.kind in ("f32", "f64")

    def get(self, row):
        if self.kind == "text":
            return bytes(row[self.offset:self.offset + self.size]).rstrip(b"\0").decode()
        return struct.unpack_from(FORMATS[self.kind], row, self.offset)[0]

    def put(self, row, value):
        struct.pack_into(FORMATS[self.kind], row, self.offset, value)

    def raw(self, row):
        return bytes(row[self.offset:self.offset + self.size])

    def in_range(self, value):
        return self.low <= value <= self.high

    def step(self, value):
        return math.floor((value - self.low) / self.precision + 0.5)

    def at_step(self, step):
        return min(self.low + step * self.precision, self.high)

    def put_integer(self, row, value):
        value &= (1 << 8 * self.size) - 1
        row[self.offset:self.offset + self.size] = value.to_bytes(self.size, "little")


class Struct:
    def __init__(self, info):
        self.name, self.size = info["name"], info["size"]
        self.all_fields = [Field(field) for field in info["fields"]]
        self.fields = [field for field in self.all_fields if field.kind != "reserved"]

    def zeros(self):
        return bytearray(self.size)

    def values(self, row):
        return {field.path: field.get(row) for field in self.fields}

    def field(self, path):
        return next(field for field in self.fields if field.path == path)

    def quantise(self, row):
        for field in self.fields:
            if field.quantised and field.in_range(field.get(row)):
                field.put(row, field.at_step(field.step(field.get(row))))


class FieldModel:
    def __init__(self):
        self.changed, self.off_grid, self.number = BitModel(60000), BitModel(64000), NumberModel()


class StructModel:
    def __init__(self, info):
        self.changed = BitModel(50000)
        self.fields = [FieldModel() for _ in info.fields]


def read_field(stream, field, model, row):
    """3.4: `row` holds the prediction."""
    if field.kind == "text":
        length = read_unsigned(stream, model.number)
        text = stream.text(length, field.size).encode()
        row[field.offset:field.offset + field.size] = text.ljust(field.size, b"\0")
    elif field.is_real:
        if not field.quantised or stream.bit(model.off_grid):
            field.put_integer(row, stream.raw(8 * field.size))
            return
        predicted = field.get(row)
        step = field.step(predicted) if field.in_range(predicted) else 0
        value = field.at_step(step + read_signed(stream, model.number))
        require(field.in_range(value), field.path + " is out of its range")
        field.put(row, value)
    else:
        field.put_integer(row, field.get(row) + read_signed(stream, model.number))


def read_struct(stream, info, model, predicted):
    row = bytearray(predicted)
    if stream.bit(model.changed):
        for field, field_model in zip(info.fields, model.fields):
            if stream.bit(field_model.changed):
                read_field(stream, field, field_model, row)
    return row


# --- 4. States ------------------------------------------------------------------------------------------------------


class PoolInfo:
    def __init__(self, info):
        self.name, self.capacity = info["name"], info["capacity"]
        self.element = Struct(info["element"])
        self.owner = self.element.field(info["owner"]) if info["owner"] else None
        self.as_events = info["events"]


class Pool:
    def __init__(self):
        self.next_generation = 0
        self.handles = []  # (id, generation), in the order of elements
        self.rows = []

    def find(self, handle):
        return self.rows[self.handles.index(handle)] if handle in self.handles else None


class State:
    def __init__(self, head, pools):
        self.head, self.pools = head, pools


class PoolModel:
    def __init__(self, info):
        self.known, self.new = StructModel(info), StructModel(info)
        self.regrouped, self.moved = BitModel(60000), BitModel(60000)
        self.count, self.id, self.age = NumberModel(), NumberModel(), NumberModel()


class StateModel:
    def __init__(self, level):
        self.head = StructModel(level.head)
        self.pools = [PoolModel(pool.element) for pool in level.pools]


def read_handles(stream, info, model, predicted, pool):
    if not stream.bit(model.regrouped):
        pool.handles, pool.next_generation = list(predicted.handles), predicted.next_generation
        return
    count = read_unsigned(stream, model.count)
    require(count <= info.capacity, info.name + " has too many elements")
    pool.next_generation = predicted.next_generation + read_signed(stream, model.age)
    for i in range(count):
        if stream.bit(model.moved):
            identity = read_unsigned(stream, model.id)
            handle = (identity, pool.next_generation - read_unsigned(stream, model.age))
        else:
            require(i < len(predicted.handles), info.name + ": no handle is predicted here")
            handle = predicted.handles[i]
        require(handle[0] < info.capacity and 0 <= handle[1] < pool.next_generation, info.name + ": a handle")
        pool.handles.append(handle)
    require(len({handle[0] for handle in pool.handles}) == count, info.name + ": an id comes twice")


def read_state(stream, level, model, predicted):
    state = State(read_struct(stream, level.head, model.head, predicted.head), [])
    for info, pool_model, guess in zip(level.pools, model.pools, predicted.pools):
        pool = Pool()
        read_handles(stream, info, pool_model, guess, pool)
        for handle in pool.handles:
            known = guess.find(handle)
            pool.rows.append(
                read_struct(stream, info.element, pool_model.new, info.element.zeros()) if known is None else
                read_struct(stream, info.element, pool_model.known, known))
        state.pools.append(pool)
    return state


def parse_image(level, data):
    """4.1"""
    head = bytearray(data[:level.head.size])
    at = level.head.size
    headers = [struct.unpack_from("<4I", data, at + 16 * i) for i in range(len(level.pools))]
    at += 16 * len(level.pools)
    pools = []
    for info, (count, id_count, lowest_free, next_generation) in zip(level.pools, headers):
        require(count <= id_count <= info.capacity, info.name + ": a pool header")
        rows = [struct.unpack_from("<3I", data, at + 12 * i) for i in range(id_count)]
        at += (12 * id_count + 7) // 8 * 8
        pool = Pool()
        pool.next_generation = next_generation
        for i in range(count):
            identity = rows[i][0]
            require(rows[identity][1] == i, info.name + ": an index row")
            pool.handles.append((identity, rows[identity][2]))
            pool.rows.append(bytearray(data[at:at + info.element.size]))
            at += info.element.size
        used = {identity for identity, _ in pool.handles}
        require(lowest_free == min(set(range(id_count + 1)) - used), info.name + ": the lowest free id")
        pools.append(pool)
    require(at == len(data), "an image has another size than its headers say")
    return State(head, pools)


# --- 8. Hashes ------------------------------------------------------------------------------------------------------


class Hasher:
    def __init__(self):
        self.lanes = [0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89]
        self.count = 0

    def word(self, word):
        mixed = (self.lanes[self.count % 4] ^ word) * 0x9E3779B97F4A7C15 & U64
        self.lanes[self.count % 4] = (mixed << 29 | mixed >> 35) & U64
        self.count += 1

    def words(self, data):
        for (word,) in struct.iter_unpack("<Q", data):
            self.word(word)

    def struct(self, info, row):
        clean = info.zeros()
        for field in info.fields:
            clean[field.offset:field.offset + field.size] = canonical(field, row)
        self.words(clean)

    def finish(self):
        result = self.count
        for lane in self.lanes:
            result ^= lane
            for _ in range(2):
                result = (result ^ result >> 32) * 0xD6E8FEB86659FD93 & U64
            result ^= result >> 32
        return result


def canonical(field, row):
    if field.is_real and math.isnan(field.get(row)):
        return (0x7FF8000000000000 if field.size == 8 else 0x7FC00000).to_bytes(field.size, "little")
    return field.raw(row)


def hash_state(level, state):
    hasher = Hasher()
    hasher.struct(level.head, state.head)
    for info, pool in zip(level.pools, state.pools):
        hasher.word(len(pool.rows) | pool.next_generation << 32)
        for identity, generation in pool.handles:
            hasher.word(identity | generation << 32)
        for row in pool.rows:
            hasher.struct(info.element, row)
    return hasher.finish()


def hash_own(level, state, slot):
    hasher = Hasher()
    for i, row in own_entities(level, state, slot):
        hasher.word(level.index_offset(i))
        hasher.struct(level.pools[i].element, row)
    return hasher.finish() & 0xFFFFFFFF


def hash_field(field, rows):
    hasher = Hasher()
    for row in rows:
        hasher.words(canonical(field, row).ljust((field.size + 7) // 8 * 8, b"\0"))
    return hasher.finish()


def field_hashes(level, state):
    hashes = [hash_field(field, [state.head]) for field in level.head.fields]
    for info, pool in zip(level.pools, state.pools):
        ids = Hasher()
        ids.word(pool.next_generation)
        for identity, generation in pool.handles:
            ids.word(identity | generation << 32)
        hashes.append(ids.finish())
        hashes += [hash_field(field, pool.rows) for field in info.element.fields]
    return hashes


# --- 9. A level -----------------------------------------------------------------------------------------------------


class Level:
    def __init__(self, info):
        self.input, self.event, self.head = (Struct(info[name]) for name in ("input", "event", "head"))
        self.pools = [PoolInfo(pool) for pool in info["pools"]]
        self.snapshot_every, self.most_players = info["snapshot_every"], info["most_players"]
        self.most_events = info["most_events"]
        self.initial = parse_image(self, bytes.fromhex(info["initial"]))
        self.field_hash_count = len(field_hashes(self, self.initial))
        self.most_image = self.index_offset(len(self.pools))

    def index_offset(self, pool):
        offset = self.head.size + 16 * len(self.pools)
        for info in self.pools[:pool]:
            offset += (12 * info.capacity + 7) // 8 * 8 + info.capacity * info.element.size
        return offset

    def quantise(self, state):
        self.head.quantise(state.head)
        for info, pool in zip(self.pools, state.pools):
            for row in pool.rows:
                info.element.quantise(row)
        return state

    def split_events(self, data):
        require(len(data) % self.event.size == 0, "events are not whole")
        return [bytearray(data[at:at + self.event.size]) for at in range(0, len(data), self.event.size)]


# --- 5. Ticks and events --------------------------------------------------------------------------------------------


class TickModel:
    def __init__(self, level):
        self.joins_or_leaves, self.input = BitModel(65000), StructModel(level.input)


class EventModel:
    def __init__(self, level):
        self.as_predicted, self.count, self.event = BitModel(65000), NumberModel(), StructModel(level.event)


def held_inputs(level, state):
    """By live slot, what the players hold at a baseline."""
    index = next(i for i, pool in enumerate(level.pools) if pool.name == "players")
    element = level.pools[index].element
    start = min(field.offset for field in element.fields if field.path.startswith("input."))
    slot = element.field("slot")
    return {slot.get(row): row[start:start + level.input.size] for row in state.pools[index].rows}


def read_tick(stream, level, model, rows):
    """`rows`: inputs by live slot, changed to those of this tick."""
    leaves, joins = [], []
    if stream.bit(model.joins_or_leaves):
        leaves = [stream.raw(6) for _ in range(stream.raw(7))]
        for _ in range(stream.raw(7)):
            slot, seed = stream.raw(6), stream.raw(64)
            joins.append({"slot": slot, "seed": seed, "name": stream.text(stream.raw(5), 24)})
    for slots in (leaves, [join["slot"] for join in joins]):
        require(slots == sorted(set(slots)), "slots out of order")
    for slot in leaves:
        require(slot in rows, "a slot leaves that is not live")
        del rows[slot]
    for join in joins:
        require(join["slot"] not in rows and join["slot"] < level.most_players, "a join into a taken slot")
        rows[join["slot"]] = level.input.zeros()
    for slot in sorted(rows):
        rows[slot] = read_struct(stream, level.input, model.input, rows[slot])
    return {"leaves": leaves, "joins": joins, "inputs": {slot: rows[slot] for slot in sorted(rows)}}


def read_events(stream, level, model, predicted):
    for row in predicted:
        level.event.quantise(row)
    if stream.bit(model.as_predicted):
        return predicted
    count = read_unsigned(stream, model.count)
    require(count <= level.most_events, "too many events")
    return [read_struct(stream, level.event, model.event, predicted[i] if i < len(predicted) else level.event.zeros())
            for i in range(count)]


# --- 6. The world delta ---------------------------------------------------------------------------------------------


def read_header(stream):
    header = {name: stream.raw(1) for name in ("keyframe", "fresh_model", "numbered", "has_hash")}
    if header["keyframe"]:
        header["number"] = stream.raw(32)
    elif header["numbered"]:
        header["number"] = stream.raw(16)
    if not header["keyframe"]:
        header["back"] = read_unsigned(stream, NumberModel())
        require(1 <= header["back"] <= 32, "a baseline too far back")
    header["hash"] = stream.raw(32) if header["has_hash"] else None
    return header


class Models:
    def __init__(self, level):
        self.ticks, self.events, self.state = TickModel(level), EventModel(level), StateModel(level)


class SnapshotReader:
    """One client's end of a snapshot stream."""

    def __init__(self, level, mode):
        self.level, self.relay = level, mode == "relay"
        self.states = {}  # by number
        self.models = Models(level)
        self.models_after = {}  # by number, pickled: datagram links
        self.number = 0

    def decode(self, data, step):
        """`step`: what the world's step makes of the baseline, of a delta: a state and the events of each tick."""
        stream = RangeDecoder(data)
        header = read_header(stream)
        result = {"keyframe": header["keyframe"]}
        number = self.number_of(header)
        if number <= self.number:
            return dict(result, result="stale")
        if not header["keyframe"] and not self.has_baseline(header, number):
            return dict(result, result="no_baseline")
        if header["fresh_model"]:
            self.models = Models(self.level)
        elif header["numbered"]:
            self.models = pickle.loads(self.models_after[number - header["back"]])
        read = self.read_keyframe if header["keyframe"] else self.read_delta
        state, content = read(stream, header, number, step)
        stream.finish()
        require(self.level.head.field("tick").get(state.head) == number * self.level.snapshot_every, "another tick")
        if header["numbered"]:
            self.models_after[number] = pickle.dumps(self.models)
        self.number, self.states[number] = number, state
        for remembered in (self.states, self.models_after):
            for old in [old for old in remembered if old <= number - SNAPSHOTS_REMEMBERED]:
                del remembered[old]
        full_hash = hash_state(self.level, state)
        require(header["hash"] in (None, full_hash & 0xFFFFFFFF), "the hash differs from the server's")
        return dict(result, result="applied", number=number, state=state, hash=full_hash, **content)

    def number_of(self, header):
        if header["keyframe"]:
            return header["number"]
        if not header["numbered"]:
            return self.number + header["back"]
        away = header["number"] - self.number & 0xFFFF
        return self.number + (away if away < 0x8000 else away - 0x10000)

    def has_baseline(self, header, number):
        baseline = number - header["back"]
        return baseline in self.states and (
            header["fresh_model"] or not header["numbered"] or baseline in self.models_after)

    def read_keyframe(self, stream, header, number, step):
        level, model = self.level, EventModel(self.level)
        events = []
        for _ in range(level.snapshot_every):
            if self.relay:
                events.append(level.split_events(read_bytes(stream, level.most_events * level.event.size)))
            else:
                events.append(read_events(stream, level, model, []))
        if self.relay:
            state = parse_image(level, read_bytes(stream, level.most_image))
        else:
            state = read_state(stream, level, StateModel(level), level.initial)
        return state, {"events": events}

    def read_delta(self, stream, header, number, step):
        level = self.level
        rows = held_inputs(level, self.states[number - header["back"]])
        ticks, events = [], []
        for i in range(header["back"] * level.snapshot_every):
            ticks.append(read_tick(stream, level, self.models.ticks, rows))
            if not self.relay:
                predicted = level.split_events(bytes.fromhex(step["events"][i]))
                events.append(read_events(stream, level, self.models.events, predicted))
        state = parse_image(level, bytes.fromhex(step["state"]))
        if not self.relay:
            state = read_state(stream, level, self.models.state, level.quantise(state))
        return state, {"ticks": ticks, "events": events}


# --- 7. The exact own player ----------------------------------------------------------------------------------------


def own_entities(level, state, slot):
    for i, (info, pool) in enumerate(zip(level.pools, state.pools)):
        if info.owner and not info.as_events:
            for row in pool.rows:
                if info.owner.get(row) == slot:
                    yield i, row


def ordinal(bits, size):
    """Of a float's bits, read as a signed integer; the same again gives the bits back."""
    return bits ^ (1 << 8 * size - 1) - 1 if bits < 0 else bits


def wrapped(value, size):
    """To a signed integer of that many bytes."""
    value &= (1 << 8 * size) - 1
    return value - (1 << 8 * size) if value >> 8 * size - 1 else value


def read_exact_own(stream, level, state, slot):
    """Changes the client's entities in `state` to the exact ones."""
    off_rounded, off_replicated, number = BitModel(40000), BitModel(65000), NumberModel()
    for i, row in own_entities(level, state, slot):
        for field in level.pools[i].element.fields:
            if field.quantised:
                if stream.bit(off_rounded):
                    bits = int.from_bytes(field.raw(row), "little", signed=True)
                    exact = wrapped(ordinal(bits, field.size) + read_signed(stream, number), field.size)
                    field.put_integer(row, ordinal(exact, field.size))
            elif stream.bit(off_replicated):
                row[field.offset:field.offset + field.size] = bytes(stream.raw(8) for _ in range(field.size))


# --- 1. Messages ----------------------------------------------------------------------------------------------------

HELLO, INPUTS, REPORT, WELCOME, SNAPSHOT, REFUSAL, VERDICT = range(7)


def read_hello(message, level):
    require(message[0] == HELLO, "not a hello")
    stream = RangeDecoder(message[1:])
    result = {"version": stream.raw(8), "fingerprint": stream.raw(64), "name": stream.text(stream.raw(8), 24)}
    stream.finish()
    return result


def read_inputs(message, level):
    require(message[0] == INPUTS, "not inputs")
    stream = RangeDecoder(message[1:])
    result = {"acknowledged": stream.raw(32), "decode_failed": bool(stream.raw(1))}
    count = stream.raw(6)
    require(count <= 32, "too many inputs")
    result["predicted_hash"] = stream.optional(lambda: stream.raw(32))
    result["probe"] = stream.optional(lambda: stream.raw(8))
    if count:
        result["first_tick"] = stream.raw(32)
        result["first_sequence"] = stream.raw(32)
    rows, row, model = [], level.input.zeros(), StructModel(level.input)
    for _ in range(count):
        row = read_struct(stream, level.input, model, row)
        rows.append(level.input.values(row))
    stream.finish()
    return dict(result, inputs=rows)


def read_snapshot(message):
    """Of a welcome or snapshot: its fields, the stream of its own-player part after them, and its world delta."""
    require(message[0] in (WELCOME, SNAPSHOT), "not a snapshot")
    length, start = message[1], 2
    if length == 255:
        length, start = int.from_bytes(message[2:5], "little"), 5
    require(start + length <= len(message), "the own-player part is cut off")
    stream = RangeDecoder(message[start:start + length])
    result = {}
    if message[0] == WELCOME:
        result["welcome"] = {"version": stream.raw(8), "fingerprint": stream.raw(64), "slot": stream.raw(8),
                             "mode": ("snapshots", "relay")[stream.raw(1)], "ticket": stream.text(stream.raw(8), 192)}
    own = {"acknowledged": stream.raw(8), "own": stream.raw(2)}
    require(own["own"] < 3, "an own state that does not exist")
    own["hash"] = stream.optional(lambda: stream.raw(32))
    own["input_margin"] = stream.optional(lambda: [stream.raw(8), stream.signed_raw(16)])
    own["pong"] = stream.optional(lambda: [stream.raw(8), stream.raw(48), stream.raw(24)])
    result["own_player"] = own
    return result, stream, message[start + length:]


def read_report(message, level):
    require(message[0] == REPORT, "not a report")
    stream = RangeDecoder(message[1:])

    def read_reported():
        return {"number": stream.raw(32), "fields": [stream.raw(16) for _ in range(level.field_hash_count)]}

    result = {"serial": stream.raw(8)}
    count = stream.raw(8)
    require(count <= SNAPSHOTS_REMEMBERED, "too many states")
    result["states"] = [read_reported() for _ in range(count)]
    result["exact"] = stream.optional(read_reported)
    stream.finish()
    return result


def read_verdict(message, level):
    require(message[0] == VERDICT, "not a verdict")
    stream = RangeDecoder(message[1:])
    result = {"serial": stream.raw(8), "found": bool(stream.raw(1)), "is_own": bool(stream.raw(1)),
              "number": stream.raw(32), "field": stream.raw(16)}
    stream.finish()
    return result


def read_refusal(message, level):
    require(message[0] == REFUSAL and len(message) <= 301, "not a refusal")
    return message[1:].decode()
