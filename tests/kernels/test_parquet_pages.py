"""The kernel that checks the pages of a Parquet file finds sound only what the check in Python finds sound."""

from __future__ import annotations

import functools
import io
import math

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from climbfast.dataset import parquet_pages
from climbfast.errors import DataError
from climbfast_kernels.parquet_pages import UNSOUND, rows_of_sound_file

ROWS = 2_500


def table(rows=ROWS):
    return {"a": range(rows), "b": [str(i % 3) for i in range(rows)], "c": [[i] * (i % 3) for i in range(rows)]}


@functools.cache
def of_polars(rows=ROWS, **options):
    out = io.BytesIO()
    pl.DataFrame(table(rows)).write_parquet(out, **options)
    return out.getvalue()


@functools.cache
def of_arrow(**options):
    out = io.BytesIO()
    pq.write_table(pa.table(table()), out, data_page_size=1_000, **options)
    return out.getvalue()


@functools.cache
def of_groups(*sizes, **options):
    """Return a file of pyarrow, which gives 0 as the place of the pages that a column without values does not have."""
    whole, out = pa.table(table(50)), io.BytesIO()
    with pq.ParquetWriter(out, whole.schema, **options) as writer:
        for size in sizes:
            writer.write_table(whole.slice(0, size))
    return out.getvalue()


def rows_by_kernel(content):
    begin = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    return rows_of_sound_file(np.frombuffer(content, dtype=np.uint8), begin)


@pytest.fixture(autouse=True)
def _python_does_not_ask_the_kernel(monkeypatch):
    monkeypatch.setattr(parquet_pages, "LONG_FOOTER", math.inf)


def rows_by_python(content):
    try:
        return parquet_pages.check_pages(content)
    except DataError:
        return UNSOUND


FILES = {
    "polars": lambda: of_polars(),
    "groups": lambda: of_polars(row_group_size=700, data_page_size=900),
    "uncompressed": lambda: of_polars(compression="uncompressed"),
    "one row": lambda: of_polars(1, row_group_size=1),
    "arrow": lambda: of_arrow(row_group_size=900),
    "second version of pages": lambda: of_arrow(data_page_version="2.0"),
    "no dictionary": lambda: of_arrow(use_dictionary=False, write_statistics=False),
    "groups without rows": lambda: of_groups(0, 30, 0, 20),
    "groups without rows or dictionary": lambda: of_groups(0, 30, 0, 20, use_dictionary=False),
    "groups that grow": lambda: of_groups(10, 30),
    "no rows": lambda: of_groups(0),
}


@pytest.mark.parametrize("file", FILES)
def test_sound_files(file):
    content = FILES[file]()
    assert rows_by_kernel(content) == rows_by_python(content) >= 0


def damaged(content, number, seed):
    """Yield a file with one or two changed bytes, most of them in the footer."""
    rng = np.random.default_rng(seed)
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    for _ in range(number):
        changed = bytearray(content)
        for _ in range(rng.integers(1, 3)):
            place = rng.integers(footer, len(content) - 8) if rng.random() < 0.7 else rng.integers(4, footer)
            changed[place] = rng.choice([0, 1, 2, 0x15, 0x7F, 0x80, 0xFF, rng.integers(256), changed[place] ^ 1])
        yield bytes(changed)


@pytest.mark.parametrize("file", ["groups", "arrow", "second version of pages"])
def test_damaged_files(file):
    """What the kernel refuses, Python may accept: it reads what no writer writes, too."""
    found = [(rows_by_kernel(content), rows_by_python(content)) for content in damaged(FILES[file](), 60, seed=1)]
    assert all(by_kernel in (UNSOUND, by_python) for by_kernel, by_python in found)
    assert min(sum(by_kernel >= 0 for by_kernel, _ in found), sum(by_python < 0 for _, by_python in found)) >= 8


def natural(number):
    low, high = number & 127, number >> 7
    return bytes([low | 128]) + natural(high) if high else bytes([low])


def integer(number):
    return natural(number << 1 ^ number >> 63)


def struct(fields):
    """Return a struct of fields, which are a pair of type and bytes."""
    written, last = b"", 0
    for number, (kind, value) in fields:
        step = number - last
        written += bytes([step << 4 | kind]) if 0 < step < 16 else bytes([kind]) + integer(number)
        written, last = written + value, number
    return written + b"\0"


def number(value, kind=6):
    return kind, integer(value)


def structs(*each, kind=12):
    size = len(each)
    return 9, (bytes([size << 4 | kind]) if size < 15 else bytes([0xF0 | kind]) + natural(size)) + b"".join(each)


def footer_of(*fields):
    footer = struct(list(fields))
    return b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def file(
    *, counts=(3,), values=None, rows=3, page=(), sizes=(4, 4), column=(), more=(), packed=None, place=0,
    dictionary=None, groups=structs, data=b"data", one_place=False,
):  # fmt: skip
    """Return a file of some columns of one page, with other numbers than the true ones or more fields.

    Parameters
    ----------
    counts, values : sequences of int
        The values of each column as its page says, and as its description does.
    place, packed : int
        What is added to the place of each column, and another number for its size.
    dictionary : pair of type and bytes
        The place of its dictionary.
    one_place : bool
        Whether all columns have the page of the first one.
    """
    content, chunks = b"PAR1", []
    for count, of_column in zip(counts, values or counts, strict=True):
        header = [(1, number(0, 5)), (2, number(sizes[0], 5)), (3, number(sizes[1], 5))]
        header += [(5, (12, struct([(1, number(count, 5))]))), *page]
        pages = struct(header) + data
        of_dictionary = [] if dictionary is None else [(11, dictionary)]
        described = [(5, number(of_column)), (7, number(len(pages) if packed is None else packed))]
        described += [(9, number((4 if one_place else len(content)) + place)), *of_dictionary]
        chunks.append(struct([(3, (12, struct([*described, *column])))]))
        content += b"" if one_place and chunks[1:] else pages
    group = struct([(1, structs(*chunks)), (3, number(rows))])
    return content + footer_of((3, number(rows)), (4, groups(group)), *more)[4:]


SOUND = {
    "nothing else": {},
    "a list of texts": {"more": [(5, structs(b"\1x", b"\0", kind=8))]},
    "a text, a float and true": {"more": [(6, (8, b"\3abc")), (7, (7, b"8 bytes.")), (8, (1, b""))]},
    "a set of bools": {"more": [(9, (10, b"\x32\1\2\1"))]},
    "a byte": {"more": [(9, (3, b"\0"))]},
    "a large number of a field": {"column": [(3_000, number(-7))]},
    "structs in structs": {"more": [(9, (12, b"\x1c" * 10 + b"\0" * 11))]},
    "a list of twenty bytes": {"more": [(5, structs(*[b"x"] * 20, kind=3))]},
    "no dictionary": {"dictionary": number(0)},
    "a dictionary after the data": {"dictionary": number(9)},
    "two columns in one place": {"counts": (3, 3), "one_place": True},
    "several columns": {"counts": (3, 5, 4)},
    "a dictionary page is no data": {"page": [(7, (12, struct([(1, number(8, 5))])))]},
}  # fmt: skip
NOT_SOUND = {
    "values": {"values": (4,)},
    "a negative count": {"counts": (-3,)},
    "fewer values than rows": {"counts": (2,)},
    "fewer values than rows in one column": {"counts": (4, 2, 3)},
    "a list of lists of groups": {"groups": lambda group: structs(structs(group)[1], kind=9)},
    "a count that is too large": {"page": [(8, (12, struct([(1, number(1 << 31))])))]},
    "no count": {"page": [(8, (12, struct([])))]},
    "a negative count of a dictionary": {"page": [(7, (12, struct([(1, number(-8, 5))])))]},
    "unpacked": {"sizes": ((1 << 31) + 1, 4)},
    "unpacked is negative": {"sizes": (-1, 4)},
    "longer than the column": {"sizes": (4, 5)},
    "shorter than the column": {"sizes": (4, 3)},
    "a page that leads back to itself": {"sizes": (4, -11)},
    "outside": {"packed": 1_000},
    "a place that is a struct": {"dictionary": (12, struct([(1, number(5))]))},
    "a negative size": {"packed": -1},
    "a negative place": {"place": -8},
    "a place of nothing": {"place": -4},
    "a dictionary at a negative place": {"dictionary": number(-1)},
    "deep": {"more": [(9, (12, b"\x1c" * 100 + b"\0" * 101))]},
    "a header that is a number": {"page": [(8, number(1))]},
    "a page that breaks after its sizes": {"page": [(9, (11, b"\0"))], "sizes": (4, 6)},
    "five columns in one place": {"counts": (3,) * 5, "one_place": True, "data": b"x" * 99, "sizes": (99, 99)},
    "a map": {"more": [(9, (11, b"\0"))]},
    "a list that is too long": {"more": [(9, (9, b"\xf3" + natural(1 << 62)))]},
    "a text that is too long": {"more": [(9, (8, natural((1 << 63) - 1)))]},
    "a number of 70 bits": {"more": [(9, (6, b"\xff" * 9 + b"\1"))]},
}


@pytest.mark.parametrize("case", SOUND)
def test_what_is_sound(case):
    content = file(**SOUND[case])
    assert rows_by_kernel(content) == rows_by_python(content) == 3


@pytest.mark.parametrize("case", NOT_SOUND)
def test_what_is_not_sound(case):
    content = file(**NOT_SOUND[case])
    assert rows_by_kernel(content) == UNSOUND
    # A long number is one for Python, which then reads on; nothing depends on it.
    assert rows_by_python(content) == (3 if case == "a number of 70 bits" else UNSOUND)


@pytest.mark.parametrize(
    "fields",
    [
        [(3, number(0))],
        [(3, number(0)), (4, structs())],
        [(3, number(0)), (4, structs(struct([(3, number(0))])))],
        [(3, number(0)), (4, structs(struct([(1, structs()), (3, number(0))])))],
        [(3, number(0)), (4, structs(struct([(1, structs(struct([]))), (3, number(0))])))],
        [
            (3, number(0)),
            (4, structs(struct([(1, structs(struct([(3, (12, struct([(5, number(0))])))]))), (3, number(0))]))),
        ],
        [(3, number(1)), (4, structs(b"\1", kind=3))],
        [(3, number(0)), (4, (12, struct([])))],
        [(4, structs()), (3, number(0))],
    ],
)
def test_footers_that_are_left_to_python(fields):
    assert rows_by_kernel(footer_of(*fields)) == UNSOUND


@pytest.mark.parametrize("end", range(0, 100, 3))
def test_files_that_end_too_early(end):
    content = file()
    begin = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    cut = content[: begin + end]
    expected = 3 if begin + end >= len(content) - 8 else UNSOUND
    assert rows_of_sound_file(np.frombuffer(cut, dtype=np.uint8), begin) == expected
