"""Cuts of one column beside those of scikit-learn and pandas, and the names of the intervals."""

from __future__ import annotations

import datetime as dt
import itertools
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from climbfast.dataset.discretization.cuts import (
    NumericValues,
    chosen_cuts,
    even_cuts,
    interval_names,
    places_of,
    quantile_cuts,
    texts_of_cuts,
    width_cuts,
)
from climbfast.errors import DataError


def values_of(cells: Any) -> tuple[NumericValues, np.ndarray]:
    values, counts = np.unique(np.asarray(cells), return_counts=True)
    return NumericValues("number", values), counts


def drawn(seed: int) -> Any:
    """Random numbers, with many ties in two of three tables."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 200))
    kinds = [rng.normal(size=size), rng.integers(0, 8, size), np.round(rng.exponential(size=size), 1)]
    return kinds[seed % 3]


@pytest.mark.parametrize("levels", [2, 3, 4, 7])
def test_cuts_are_those_of_scikit_learn(levels: int) -> None:
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    for seed in range(120):
        cells = drawn(seed)
        column, counts = values_of(cells)
        for strategy, make in (("quantile", quantile_cuts), ("uniform", width_cuts)):
            options = {"quantile_method": "linear"} if strategy == "quantile" else {}
            theirs = preprocessing.KBinsDiscretizer(
                levels, encode="ordinal", strategy=strategy, subsample=None, **options
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns of edges that merge
                codes = theirs.fit_transform(cells[:, None].astype(float))[:, 0]
            cuts = make(column, counts, levels)
            if column.values.size > 1:
                assert list(cuts) == theirs.bin_edges_[0][1:-1].tolist()
            assert np.searchsorted(cuts, cells, "right").tolist() == codes.tolist()


def test_quantiles_are_those_of_numpy_to_the_bit() -> None:
    for seed in range(0, 300, 3):  # without ties
        cells = drawn(seed)
        for levels in range(2, 9):
            edges = np.percentile(cells, np.linspace(0, 100, levels + 1))
            assert list(quantile_cuts(*values_of(cells), levels)) == edges[1:-1].tolist()


def test_quantiles_that_nearly_touch_merge() -> None:
    assert quantile_cuts(*values_of([0, 1, 1 + 4e-9, 1 + 8e-9, 2]), 4) == (1,)
    assert quantile_cuts(*values_of([0, 1e-9, 2e-9]), 2) == ()


def naive_even_cuts(cells: Any, levels: int) -> list[float]:
    """The boundaries between values that are nearest to equal numbers of rows."""
    values = sorted(set(cells))
    middles = [(low + high) / 2 for low, high in itertools.pairwise(values)]
    if len(values) <= levels:
        return middles
    below = {middle: sum(cell < middle for cell in cells) for middle in middles}
    wanted = [Fraction(len(cells) * i, levels) for i in range(1, levels)]
    return sorted({min(middles, key=lambda middle: (abs(below[middle] - rows), middle)) for rows in wanted})


@pytest.mark.parametrize("levels", [2, 3, 5, 12])
def test_even_cuts_are_nearest_to_equal_numbers_of_rows(levels: int) -> None:
    for seed in range(60):
        cells = drawn(seed).tolist()
        assert list(even_cuts(*values_of(cells), levels)) == pytest.approx(naive_even_cuts(cells, levels), abs=1e-12)


def test_few_and_heavy_values_have_levels_of_their_own() -> None:
    assert even_cuts(*values_of([0.5, 1, 1, 1.5]), 3) == (0.75, 1.25)
    assert even_cuts(*values_of([0] * 95 + [1, 2, 3, 4, 5]), 3) == (0.5,)
    assert even_cuts(*values_of([1, 2, 3, 4, 5] + [9] * 95), 3) == (7,)
    assert even_cuts(*values_of([7, 7]), 3) == ()
    assert even_cuts(NumericValues("number", np.arange(4)), np.array([0, 1, 0, 1]), 3) == (2,)


def test_integers_that_floats_cannot_tell_apart() -> None:
    values = np.arange(4) + 2**60
    column, counts = NumericValues("number", values), np.ones(4, dtype=np.int64)
    for make in (quantile_cuts, width_cuts, even_cuts):
        cuts = make(column, counts, 2)
        assert cuts == (2**60 + 2,)
        assert places_of(column, cuts).tolist() == [0, 0, 1, 1]
    assert places_of(column, even_cuts(column, counts, 4)).tolist() == [0, 1, 2, 3]
    unsigned = NumericValues("number", values.astype(np.uint64) + np.uint64(2**63))
    assert places_of(unsigned, quantile_cuts(unsigned, counts, 4)).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(30))
def test_cuts_are_those_of_pandas(seed: int) -> None:
    cells = drawn(seed)
    column, counts = values_of(cells)
    try:
        _, edges = pd.qcut(cells, 4, retbins=True, duplicates="drop")
    except ValueError:  # one value
        edges = [0, 0]
    assert quantile_cuts(column, counts, 4) == pytest.approx(list(edges[1:-1]), abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_counts_are_rows_that_are_repeated(seed: int) -> None:
    rng = np.random.default_rng(seed)
    column = NumericValues("number", np.arange(10) * 1.5)
    counts = rng.integers(0, 6, 10)
    repeated, times = values_of(np.repeat(column.values, counts))
    for make in (quantile_cuts, width_cuts, even_cuts):
        assert make(column, counts, 4) == make(repeated, times, 4)


def test_equal_cuts_merge() -> None:
    assert quantile_cuts(*values_of([0, 0, 0, 0, 1]), 4) == ()
    assert quantile_cuts(*values_of([0, 0, 0, 1, 2]), 4) == (1,)
    assert quantile_cuts(*values_of([5.5, 5.5]), 4) == width_cuts(*values_of([5.5, 5.5]), 4) == ()
    assert quantile_cuts(*values_of(np.array([], float)), 4) == width_cuts(*values_of(np.array([], float)), 4) == ()


def test_numbers_near_the_ends_of_floats_and_integers() -> None:
    assert width_cuts(*values_of([-1.7e308, 0.0, 1.7e308]), 2) == (0,)
    assert quantile_cuts(*values_of([-1.7e308, 1.7e308]), 2) == (0,)
    big = 2**63 - 1
    column = NumericValues("number", np.array([-(2**63), 2**53, 2**53 + 1, big]))
    assert places_of(column, (2**53 + 1, 1e300)).tolist() == [0, 0, 1, 1]
    assert places_of(column, (-1e300, 0.5)).tolist() == [1, 2, 2, 2]


def test_a_value_equal_to_a_cut_lies_above_it() -> None:
    column = NumericValues("number", np.array([17, 18, 19]))
    assert places_of(column, (18,)).tolist() == [0, 1, 1]
    assert places_of(column, (17.5, 18.5)).tolist() == [0, 1, 2]
    assert places_of(NumericValues("number", np.array([17.9, 18.0])), (18,)).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("cuts", "names"),
    [
        ((), ("(-inf, inf)",)),
        ((18, 35, 65), ("(-inf, 18)", "[18, 35)", "[35, 65)", "[65, inf)")),
        ((18.0, 35.5), ("(-inf, 18)", "[18, 35.5)", "[35.5, inf)")),
        ((18.125,), ("(-inf, 18.125)", "[18.125, inf)")),
        ((1e15 / 7,), ("(-inf, 142857142857143)", "[142857142857143, inf)")),
        ((1 / 3, 2 / 3), ("(-inf, 0.333)", "[0.333, 0.667)", "[0.667, inf)")),
        ((0.1 + 0.2, 0.3000000001), ("(-inf, 0.3)", "[0.3, 0.3000000001)", "[0.3000000001, inf)")),
        ((-1234567.8125,), ("(-inf, -1234568)", "[-1234568, inf)")),
        ((1.5e-9, 2.5e20), ("(-inf, 1.5e-09)", "[1.5e-09, 2.5e+20)", "[2.5e+20, inf)")),
        ((dt.date(2020, 1, 31),), ("(-inf, 2020-01-31)", "[2020-01-31, inf)")),
        ((dt.time(8, 30),), ("(-inf, 08:30:00)", "[08:30:00, inf)")),
    ],
)
def test_intervals_have_short_names(cuts: Any, names: Any) -> None:
    assert interval_names(texts_of_cuts(cuts)) == names


@pytest.mark.parametrize("seed", range(20))
def test_names_tell_intervals_apart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    numbers = 10.0 ** rng.integers(-12, 12) * (1 + rng.random(8) * 10.0 ** -rng.integers(0, 14))
    names = interval_names(texts_of_cuts(tuple(np.unique(numbers).tolist())))
    assert len(set(names)) == len(names)


def ends_of(name: str) -> tuple[float, float]:
    low, high = name[1:-1].split(", ")
    return float(low), float(high)


@pytest.mark.parametrize("make", [quantile_cuts, width_cuts, even_cuts])
def test_names_tell_the_truth_about_all_values(make: Any) -> None:
    for seed in range(150):
        rng = np.random.default_rng(seed)
        kinds = [rng.normal(170, 10, 200).round(1), rng.integers(1000, 90000, 200), rng.normal(size=200) * 1e-7]
        cells = kinds[seed % 3]
        column, counts = values_of(cells)
        cuts = make(column, counts, 4)
        names = interval_names(texts_of_cuts(cuts, column))
        for value, place in zip(column.values.tolist(), places_of(column, cuts).tolist(), strict=True):
            low, high = ends_of(names[place])
            assert low <= value < high


def test_cuts_of_the_user_are_written_in_full() -> None:
    cuts = (18.123456788999, 18.123456789)
    assert texts_of_cuts(cuts) == ("18.123456788999", "18.123456789")
    assert texts_of_cuts((1 / 3,)) == ("0.333",)
    assert texts_of_cuts((1 / 3,), in_full=True) == (repr(1 / 3),)
    assert texts_of_cuts((25522.25,), NumericValues("number", np.array([25522, 25523]))) == ("25522.2",)


def test_dates_are_cut_at_dates() -> None:
    days = NumericValues("date", np.array([0, 1, 10, 11]))  # since 1970-01-01
    [cut] = quantile_cuts(days, np.array([1, 1, 1, 1]), 2)
    assert cut == dt.date(1970, 1, 7)
    assert places_of(days, [cut]).tolist() == [0, 0, 1, 1]
    moment = chosen_cuts("d", "date", [dt.datetime(1970, 1, 2, 12)])
    assert moment == (dt.date(1970, 1, 3),)
    assert chosen_cuts("d", "datetime", [dt.date(1970, 1, 2)]) == (dt.datetime(1970, 1, 2),)
    zone = dt.timezone(dt.timedelta(hours=2))
    assert chosen_cuts("d", "instant", [dt.datetime(1970, 1, 2, 1, tzinfo=zone)]) == (
        dt.datetime(1970, 1, 1, 23, tzinfo=dt.UTC),
    )


@pytest.mark.parametrize(
    ("kind", "cut", "message"),
    [
        ("number", dt.date(2020, 1, 1), "column 'x' has numbers, and its cuts are not"),
        ("date", 3, "column 'x' has dates, and its cuts are not"),
        ("time", dt.date(2020, 1, 1), "times of a day"),
        ("instant", dt.datetime(2020, 1, 1), "times with a zone"),
        ("datetime", dt.datetime(2020, 1, 1, tzinfo=dt.UTC), "has times, and"),
    ],
)
def test_cuts_of_another_kind_are_refused(kind: str, cut: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        chosen_cuts("x", kind, [cut])
