"""One column as integers: however it is stored, whatever its number of levels."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from climbfast.dataset import Dataset, frames
from climbfast.dataset.column_encoding import _FIRST_CELLS, _distinct, codes_of
from climbfast.dataset.frames import encode_column, encode_series
from tests.dataset.tables import cells, checked_options, column, quiet_read
from tests.factories import quiet


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.astype(">i4"),
        lambda a: a.astype("<u2"),
        np.asfortranarray,
        lambda a: np.repeat(np.repeat(a, 2, axis=0), 3, axis=1)[::2, ::3],
        lambda a: a.astype(float),
        lambda a: a.astype(">f8"),
        lambda a: a.astype(object),
        lambda a: np.ma.array(a),
        lambda a: np.lib.stride_tricks.as_strided(a, writeable=False),
    ],
)
def test_storage_does_not_matter(change: Callable[[Any], Any]) -> None:
    table = np.random.default_rng(0).integers(0, 4, (50, 6))
    assert Dataset.from_frame(change(table)).fingerprint == Dataset.from_frame(table).fingerprint


@pytest.mark.parametrize(("arity", "dtype"), [(256, "u1"), (257, "u2"), (65_536, "u2"), (65_537, "u4")])
@pytest.mark.parametrize("kind", ["integers", "far apart", "text", "csv"])
def test_many_levels_do_not_wrap(arity: int, dtype: str, kind: str, save: Callable[..., Path]) -> None:
    numbers = np.random.default_rng(1).permutation(arity) * (1 if kind == "integers" else 1_000_003)
    values: Any = [f"{n:020}" for n in numbers] if kind == "text" else numbers
    data = (
        quiet_read(save("x\n" + "\n".join(map(str, numbers))), keep_ids=True)
        if kind == "csv"
        else quiet(pl.DataFrame({"x": values}), keep_ids=True)
    )
    assert data.codes.dtype == np.dtype(dtype)
    assert data.arity.tolist() == [arity]
    assert np.array_equal(data.codes[0], np.argsort(np.argsort(numbers)))


def test_categories_of_pandas_keep_their_order_and_lose_what_does_not_occur() -> None:
    sizes = pd.Categorical(["S", "L", "S"], categories=["S", "M", "L", "XL"], ordered=True)
    plain = pd.Categorical(["b", "a", "b"], categories=["c", "b", "a"])
    frame = pd.DataFrame({"size": sizes, "plain": plain})
    data = Dataset.from_frame(frame)
    assert data.levels == {"size": ("S", "L"), "plain": ("a", "b")}
    declared = Dataset.from_frame(frame, declared_levels=True)
    assert declared.levels == {"size": ("S", "M", "L", "XL"), "plain": ("a", "b", "c")}
    assert cells(declared, "size") == ["S", "L", "S"]
    assert declared.arity[declared.index("size")] == 4
    blank = pd.DataFrame({"x": pd.Categorical(["a", "b"], categories=["", "a", "b"])})
    assert Dataset.from_frame(blank, declared_levels=True).levels["x"] == ("a", "b")


def test_dates_may_be_missing() -> None:
    values = np.array(["2024-01-01", "NaT"], dtype="M8[s]")
    assert cells(column(values, missing="level"), "x") == [dt.datetime(2024, 1, 1), None]


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("size", [2, 16, 17, 100, 256, 257, 3_000])
@pytest.mark.parametrize("at_the_top", [False, True])
def test_whole_numbers_of_any_width_anywhere(dtype: str, size: int, *, at_the_top: bool) -> None:
    """Also numbers near the ends of their type, of which not all in between occur."""
    limits = np.iinfo(dtype)
    if size > int(limits.max) - int(limits.min) + 1:
        pytest.skip("more numbers than the type has")
    low = int(limits.max) - size + 1 if at_the_top else int(limits.min)
    places = np.random.default_rng(1).integers(0, size, 5_000)
    places[(places == 1) & (size > 2)] = 0
    numbers, values = _distinct(np.array([low + place for place in places.tolist()], dtype=dtype))
    expected, inverse = np.unique(places, return_inverse=True)
    assert values.dtype == dtype
    assert values.tolist() == [low + place for place in expected.tolist()]
    assert numbers.tolist() == inverse.tolist()


@pytest.mark.parametrize("late", [1, 8, 9, 40])
def test_levels_that_occur_late(late: int) -> None:
    """Levels that do not occur in the first cells, few and many of them."""
    low, size = -7, 2 * late + 2
    cells = np.full(3 * _FIRST_CELLS, low, dtype=np.int8)
    cells[-1] = low + size - 1
    cells[-late - 1 : -1] = low + 2 * np.arange(1, late + 1) - 1  # every second number
    before = cells.copy()
    numbers, values = _distinct(cells)
    expected, inverse = np.unique(before, return_inverse=True)
    assert values.tolist() == expected.tolist()
    assert numbers.tolist() == inverse.tolist()
    assert (cells == before).all()


@pytest.mark.parametrize("markers", [[], [0], [3, "7"], ["-2", True], [0, -2, 3, 7]])
def test_whole_numbers_of_an_array(markers: list[Any]) -> None:
    """They are the levels that a list of them has."""
    numbers = [3, 0, 7, 3, -2, 1]
    options = checked_options(missing="level", missing_markers=markers)
    found, expected = (encode_column("x", cells, options) for cells in (np.array(numbers), numbers))
    assert found.levels == expected.levels and found.has_gaps == expected.has_gaps
    assert codes_of(found).tolist() == codes_of(expected).tolist()


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize(
    ("numbers", "dtype"),
    [
        ([3, 1, 2, 1], pl.Int8),
        ([-100, 100, 7, -100], pl.Int8),
        ([0, 255, 1, 1], pl.UInt8),
        ([2**40 + 5, 2**40 - 250, 2**40, 2**40], pl.Int64),
        ([2**40 + 5, 2**40 - 251, 2**40, 2**40], pl.Int64),
        ([2**64 - 3, 2**64 - 9, 2**64 - 3, 2**64 - 3], pl.UInt64),
        ([4, 4, 4, 4], pl.Int16),
    ],
)
def test_whole_numbers_in_parts(
    numbers: list[int], dtype: Any, monkeypatch: pytest.MonkeyPatch, *, in_place: bool, missing: bool
) -> None:
    """Encoded part by part, also into memory that is given, as they are in one part."""
    options = checked_options(missing="level")
    whole = pl.Series("x", [*numbers, None if missing else numbers[0]], dtype=dtype)
    parts = pl.concat([whole[:1], whole[1:3], whole[3:3], whole[3:]], rechunk=False)
    assert parts.n_chunks() > 1
    (expected,) = encode_series([whole.rechunk()], ["x"], options)
    monkeypatch.setattr(frames, "FEWEST_CELLS_OF_CHUNKS", 0)
    monkeypatch.setattr(frames, "MANY_ROWS", 1)
    memory = np.full((1, len(whole)), 77, np.uint8)
    (found,) = encode_series([parts], ["x"], options, memory if in_place else None)
    assert found.levels == expected.levels and found.has_gaps == missing
    assert codes_of(found).tolist() == codes_of(expected).tolist()
    assert np.shares_memory(found.physical, memory) == in_place
    if found.counts is not None:
        assert found.counts.tolist() == np.bincount(found.physical).tolist()
    assert (found.counts is None) == (max(numbers) - min(numbers) + missing >= 1 << 8)
