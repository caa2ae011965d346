"""The values of a column as sorted levels: of every kind of value, or refused by the name of the column."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from climbfast.dataset import levels
from climbfast.errors import DataError
from tests.dataset.tables import cells, column
from tests.factories import quiet


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        (np.array([1, -1, 1, -1]), (-1, 1)),
        (np.array([0, 1000, 0]), (0, 1000)),
        (np.array([2**40, 2**31, 2**40]), (2**31, 2**40)),
        (np.array([-(2**63), 2**63 - 1, 0]), (-(2**63), 0, 2**63 - 1)),
        (np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64), (2**64 - 2, 2**64 - 1)),
        (np.array([-128, 127, 0], dtype=np.int8), (-128, 0, 127)),
        (np.array([1.0, 0.0, -0.0]), (0, 1)),
        (np.array([1, 0], dtype=np.float16), (0, 1)),
        (np.array([1e300, 0.0]), (0, int(1e300))),
        (np.array([True, False, True]), (False, True)),
        (np.array(["b", "a"]), ("a", "b")),
        (np.array([b"b", b"a"]), (b"a", b"b")),
        (np.array(["2024-01-02", "2024-01-01"], dtype="M8[D]"), (dt.date(2024, 1, 1), dt.date(2024, 1, 2))),
        (np.array([5, 3], dtype="M8[ns]"), (np.datetime64(3, "ns"), np.datetime64(5, "ns"))),
        ([2, 1, 2], (1, 2)),
        ([2.0, 1], (1, 2)),
        ([True, False], (False, True)),
        (["é", "z", "Z"], ("Z", "z", "é")),
        ([b"x", b"y"], (b"x", b"y")),
        ([Decimal("2.0"), Decimal(1)], (1, 2)),
        ([dt.date(2024, 1, 2), dt.date(2024, 1, 1)], (dt.date(2024, 1, 1), dt.date(2024, 1, 2))),
        (np.array([np.int64(3), 2], dtype=object), (2, 3)),
    ],
)
def test_values_are_levels(values: Any, levels: tuple[Any, ...]) -> None:
    data = column(values)
    assert data.levels["x"] == levels
    assert [type(level) for level in data.levels["x"]] == [type(level) for level in levels]
    assert cells(data, "x") == list(values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.array([0.2, 0.7]), r"'x' has fractional numbers \(such as 0.2\); cut all"),
        ([0.5, 1], "fractional"),
        (pl.Series([0.5, None]), "fractional"),
        (np.array([1.0, np.inf]), "'x' has infinite values"),
        ([1.0, -float("inf")], "infinite"),
        ([1, True], r"'x' mixes values of several kinds \(bool and number\)"),
        ([1, "1"], "number and text"),
        ([1, True, "1"], "bool and number and text"),
        ([dt.date(2024, 1, 1), dt.datetime(2024, 1, 1)], "date and datetime"),
        ([[1], [2]], "'x' has cells of type list"),
        ([{1}, 2], "type set"),
        ([(1, 2), (1, 3)], "type tuple"),
        (np.array([1j, 2]), "type complex"),
        (pl.Series([[1], [2]]), r"'x' has cells of type List\(Int64\)"),
        (pl.Series([{"a": 1}]), "Struct"),
    ],
)
def test_values_that_are_no_levels_are_refused_by_name(values: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        column(values)


def test_fractions_are_levels_on_request() -> None:
    data = column(np.array([0.7, 0.2, 0.7, 1]), numbers="levels")
    assert data.levels["x"] == (0.2, 0.7, 1.0)
    assert data.codes.tolist() == [[1, 0, 1, 2]]


def test_intervals_of_cut_are_levels_in_order() -> None:
    data = quiet(pd.DataFrame({"x": pd.cut([9, 1, 5], [0, 2, 6, 10])}))
    assert data.codes.tolist() == [[2, 0, 1]]


def test_fractions_in_numpy_scalars_are_levels() -> None:
    assert column([np.float64(0.5), np.float32(1.5)], numbers="levels").levels["x"] == (0.5, 1.5)


@pytest.mark.parametrize(
    "number", [10**4000, Decimal("1e4000"), Fraction(10**4000), -(10**4000)], ids=lambda n: type(n).__name__
)
def test_numbers_of_too_many_digits_are_refused(number: Any) -> None:
    with pytest.raises(DataError, match="column 'x' has a number of more than 2,000 digits"):
        column([1, number], numbers="levels")
    assert column([1, Decimal("1e3000")]).levels["x"] == (1, 10**3000)


def test_many_texts_are_in_the_order_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["b", "a", "é", "e\u0301", "Z", "\U0001f600", "\uffee", "10", "9", " a", "a\n", "b"]
    few = column(texts).levels["x"]
    monkeypatch.setattr(levels, "_MANY_TEXTS", 1)
    assert column(texts).levels["x"] == few == tuple(sorted(set(texts)))
    assert levels._distinct_texts(["\ud800", "b", "a"]) == ["a", "b", "\ud800"]  # half a pair is no text of polars


def test_a_fractional_column_is_refused_with_the_options_that_help() -> None:
    with pytest.raises(
        DataError,
        match=r"cut all such columns into levels with numbers='auto', this one alone with "
        r"numbers=\{'x': 'quantile:4'\}, or make each number a level with numbers='levels'",
    ):
        column([0.5, 1.5])


def test_times_with_and_without_a_zone_are_refused() -> None:
    moment = dt.datetime(2020, 1, 1)
    for values in ([moment, moment.replace(tzinfo=dt.UTC)], [dt.time(3), dt.time(3, tzinfo=dt.UTC)]):
        for numbers in ("levels", "quantile:2"):
            with pytest.raises(DataError, match="column 'x' mixes times with a time zone and times without one"):
                column(values, numbers=numbers)
