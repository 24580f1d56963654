# SPDX-License-Identifier: MIT
"""Section 3.4 of docs/wire-format.md: structs, their fields and the grids of those. A struct is its bytes in memory."""
import math
import struct

from coder import read_signed, read_unsigned, require

INTEGERS = {"boolean": "<B", "u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q",
            "i8": "<b", "i16": "<h", "i32": "<i", "i64": "<q"}
REALS = {"f32": "<f", "f64": "<d"}
NANS = {"f32": 0x7FC00000, "f64": 0x7FF8000000000000}  # 8.1


class Field:
    def __init__(self, info):
        self.path, self.kind, self.offset, self.size = info["path"], info["kind"], info["offset"], info["size"]
        self.format = INTEGERS.get(self.kind) or REALS.get(self.kind)
        self.has_grid = "precision" in info
        self.low, self.high, self.precision = info.get("low"), info.get("high"), info.get("precision")
        self.labels = info.get("labels")

    def bytes(self, row):
        return bytes(row[self.offset:self.offset + self.size])

    def put_bytes(self, row, data):
        row[self.offset:self.offset + self.size] = data

    def put_bits(self, row, bits):
        self.put_bytes(row, (bits & ((1 << 8 * self.size) - 1)).to_bytes(self.size, "little"))

    def get(self, row):
        if self.kind == "text":
            return self.bytes(row).split(b"\0")[0].decode()
        return struct.unpack_from(self.format, row, self.offset)[0]

    def step_of(self, value):
        """None: off the grid."""
        if not self.low <= value <= self.high:
            return None
        return math.floor((value - self.low) / self.precision + 0.5)

    def put_step(self, row, step):
        require(step >= 0, f"3.4: {self.path} is below its range")
        struct.pack_into(self.format, row, self.offset, min(self.low + step * self.precision, self.high))

    def canonical(self, row):
        """8.1: the field as hashes see it."""
        if self.kind in NANS and math.isnan(self.get(row)):
            return NANS[self.kind].to_bytes(self.size, "little")
        return self.bytes(row)

    def is_legal(self, row):
        """2.5"""
        if self.kind == "boolean":
            return self.get(row) <= 1
        if self.kind == "text":
            text = self.get(row)
            return (self.bytes(row) == text.encode().ljust(self.size, b"\0") and
                    not any(ord(letter) < 32 or ord(letter) == 127 for letter in text))
        return self.labels is None or 0 <= self.get(row) < self.labels


class Struct:
    def __init__(self, info):
        self.name, self.size = info["name"], info["size"]
        fields = [Field(field) for field in info["fields"]]
        offsets = [field.offset for field in fields]
        require(offsets == sorted(offsets), f"9: fields of {self.name} out of order")
        self.fields = [field for field in fields if field.kind != "reserved"]

    def zeros(self):
        return bytes(self.size)

    def field(self, path):
        return next(field for field in self.fields if field.path == path)

    def values(self, row):
        return {field.path: field.get(row) for field in self.fields}

    def quantised(self, row):
        row = bytearray(row)
        for field in self.fields:
            step = field.step_of(field.get(row)) if field.has_grid else None
            if step is not None:
                field.put_step(row, step)
        return row

    def canonical(self, row):
        """8.1"""
        clean = bytearray(self.size)
        for field in self.fields:
            field.put_bytes(clean, field.canonical(row))
        return bytes(clean)

    def require_legal(self, row):
        for field in self.fields:
            require(field.is_legal(row), f"2.5: {self.name}.{field.path} is not legal")

    def read(self, stream, models, name, predicted):
        row = bytearray(predicted)
        if stream.bit(models.get(name + ("changed",), start=50000)):
            for i, field in enumerate(self.fields):
                if stream.bit(models.get(name + (i, "changed"), start=60000)):
                    read_field(stream, models, name + (i,), field, row)
        return row


def read_field(stream, models, name, field, row):
    """`row` holds the prediction."""
    if field.kind in INTEGERS:
        field.put_bits(row, field.get(row) + read_signed(stream, models, name))
    elif field.kind == "text":
        length = read_unsigned(stream, models, name)
        field.put_bytes(row, stream.text(length, field.size).encode().ljust(field.size, b"\0"))
    elif not field.has_grid or stream.bit(models.get(name + ("off_grid",), start=64000)):
        field.put_bits(row, stream.raw(8 * field.size))
    else:
        field.put_step(row, (field.step_of(field.get(row)) or 0) + read_signed(stream, models, name))
