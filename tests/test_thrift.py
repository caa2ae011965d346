"""The compact protocol of Thrift: the examples of its specification, and content that ends too early."""

from __future__ import annotations

import pytest

from climbfast.thrift import ThriftReader

# Field 1 is true, 2 is -1, 3 is "ab", 5 is a list of 1 and 2, 6 is a struct whose field 20 is false.
STRUCT = bytes([0x11, 0x15, 0x01, 0x18, 0x02, 0x61, 0x62, 0x29, 0x25, 0x02, 0x04, 0x1C, 0x02, 0x28, 0x00, 0x00])
VALUES = {1: True, 2: -1, 3: b"ab", 5: [1, 2], 6: {20: False}}


def test_a_struct_from_a_place_on():
    reader = ThriftReader(b"..." + STRUCT + b".", 3)
    assert reader.struct() == VALUES
    assert reader.place == 3 + len(STRUCT)


@pytest.mark.parametrize("end", range(len(STRUCT)))
def test_content_that_ends_too_early(end):
    with pytest.raises((IndexError, ValueError)):
        ThriftReader(STRUCT[:end]).struct()


@pytest.mark.parametrize("head", [b"\x1c", b"\x19"])
def test_structs_or_lists_in_each_other_without_end(head):
    with pytest.raises((IndexError, ValueError)):
        ThriftReader(head * 100_000).struct()
