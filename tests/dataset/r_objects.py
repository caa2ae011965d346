"""R's objects as its function ``saveRDS`` writes them without compression: each function returns the bytes of one."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

__all__ = ["frame", "integers", "reals", "saved_by_name", "saved_rds", "symbol", "texts", "truths", "vector"]

NA_INTEGER = -(2**31)
NA_REAL = bytes.fromhex("7ff00000000007a2")
HEADER = b"X\n" + struct.pack(">iii", 2, 0x030600, 0x020300)
SYMBOL, PAIRS, CHARACTERS, LOGICAL, INTEGER, REAL, STRING, VECTOR, NOTHING = 1, 2, 9, 10, 13, 14, 16, 19, 254
IS_OBJECT, HAS_ATTRIBUTES, HAS_TAG, UTF8 = 1 << 8, 1 << 9, 1 << 10, 8 << 12


def number(value: int) -> bytes:
    return struct.pack(">i", value)


def characters(text: str | None) -> bytes:
    if text is None:
        return number(CHARACTERS) + number(-1)
    return number(CHARACTERS | UTF8) + number(len(text.encode())) + text.encode()


def symbol(name: str) -> bytes:
    return number(SYMBOL) + characters(name)


def pairs(objects: Mapping[str, bytes]) -> bytes:
    listed = [number(PAIRS | HAS_TAG) + symbol(name) + value for name, value in objects.items()]
    return b"".join(listed) + number(NOTHING)


def thing(kind: int, length: int, content: bytes, attributes: Mapping[str, bytes]) -> bytes:
    flags = kind | (HAS_ATTRIBUTES if attributes else 0) | (IS_OBJECT if "class" in attributes else 0)
    return number(flags) + number(length) + content + (pairs(attributes) if attributes else b"")


def integers(values: Sequence[int | None], **attributes: bytes) -> bytes:
    content = b"".join(number(NA_INTEGER if value is None else value) for value in values)
    return thing(INTEGER, len(values), content, attributes)


def truths(values: Sequence[bool | None]) -> bytes:
    content = b"".join(number(NA_INTEGER if value is None else int(value)) for value in values)
    return thing(LOGICAL, len(values), content, {})


def reals(values: Sequence[float | None], **attributes: bytes) -> bytes:
    content = b"".join(NA_REAL if value is None else struct.pack(">d", value) for value in values)
    return thing(REAL, len(values), content, attributes)


def texts(values: Sequence[str | None], **attributes: bytes) -> bytes:
    return thing(STRING, len(values), b"".join(map(characters, values)), attributes)


def vector(values: Sequence[bytes], **attributes: bytes) -> bytes:
    return thing(VECTOR, len(values), b"".join(values), attributes)


def frame(columns: Mapping[str, bytes], rows: int) -> bytes:
    attributes = {"names": texts(list(columns)), "row.names": integers([None, -rows]), "class": texts(["data.frame"])}
    return vector(list(columns.values()), **attributes)


def saved_rds(value: bytes) -> bytes:
    return HEADER + value


def saved_by_name(objects: Mapping[str, bytes]) -> bytes:
    return b"RDX2\n" + HEADER + pairs(objects)
