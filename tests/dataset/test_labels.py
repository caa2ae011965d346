"""Data given back: the same data come out of the frame, and the same cells out of the codes."""

from __future__ import annotations

import datetime as dt
import warnings
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.errors import ClimbfastWarning, DataError, OptionError


def quiet(frame, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        return cf.Dataset.from_frame(frame, **options)


zones = st.sampled_from([None, ZoneInfo("Europe/Berlin"), ZoneInfo("UTC")])
values = st.one_of(
    st.just(st.text(st.characters(codec="utf-8"), min_size=1, max_size=4).filter(str.strip)),
    st.just(st.integers(-(2**70), 2**70)),
    st.just(st.integers(-3, 3)),
    st.just(st.booleans()),
    st.just(st.dates()),
    st.just(st.times()),
    st.just(st.timedeltas()),
    st.just(st.binary(min_size=1, max_size=3)),
    zones.map(
        lambda zone: st.datetimes(
            dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1), timezones=st.just(zone) if zone else st.none()
        )
    ),
)


@st.composite
def frames(draw: st.DrawFn):
    """Columns of one kind each, with missing cells, some of them categories."""
    rows = draw(st.integers(1, 8))
    frame = {}
    for name in draw(st.lists(st.text(max_size=3), min_size=1, max_size=4, unique=True)):
        cells = draw(st.lists(draw(values) | st.none(), min_size=rows, max_size=rows))
        if draw(st.booleans()) and all(isinstance(cell, str) for cell in cells):
            categories = draw(st.permutations(sorted(set(cells))))
            cells = pd.Series(pd.Categorical(cells, categories, ordered=draw(st.booleans())))
        frame[name] = cells
    frame["complete"] = ["x"] * rows
    return frame


@settings(max_examples=60)
@given(frame=frames(), missing=st.sampled_from(["test-wise", "level"]))
def test_the_frame_is_read_as_the_same_data(frame, missing):
    data = quiet(frame, missing=missing, keep_ids=True)
    again = quiet(data.to_frame(), missing=missing, keep_ids=True)
    assert again.names == data.names
    assert dict(again.levels) == dict(data.levels)
    assert again.fingerprint == data.fingerprint


@settings(max_examples=60)
@given(frame=frames())
def test_codes_are_places_in_the_levels(frame):
    data = quiet(frame, missing="test-wise", keep_ids=True)
    codes, labels = data.to_numpy(), data.to_frame()
    assert codes.shape == (data.codes.shape[1], data.columns)
    for column, name in zip(codes.T, data.names, strict=True):
        found = [None if code < 0 else data.levels[name][code] for code in column.tolist()]
        assert found == labels[name].to_list()


@pytest.mark.parametrize(
    ("cells", "dtype"),
    [
        (["b", "a"], pl.Enum(["a", "b"])),
        ([2, 1], pl.Int64),
        ([True, False], pl.Boolean),
        ([dt.date(2020, 1, 1), dt.date(2020, 1, 2)], pl.Date),
        ([dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2)], pl.Datetime("us")),
        ([0.5, 1.5], pl.Float64),
        ([Fraction(1, 3), Fraction(10**40 + 1, 3 * 10**40)], pl.Object),
        ([2**100, 1], pl.Object),
        (np.array(["2020-01-01T00:00:00.000000001", "2020-01-02"], "datetime64[ns]"), pl.Datetime("ns")),
    ],
)
def test_types_of_columns(cells, dtype):
    data = quiet({"x": cells}, numbers="levels")
    frame = data.to_frame()
    assert frame.schema == {"x": dtype}
    assert frame["x"].to_list() == [data.levels["x"][code] for code in data.codes[0].tolist()] or dtype == pl.Datetime(
        "ns"
    )
    assert quiet(frame, numbers="levels").fingerprint == data.fingerprint


def test_exact_numbers_stay_exact():
    data = quiet({"x": [Decimal("0.1"), Decimal("0.10000000000000000000001")]}, numbers="levels")
    assert quiet(data.to_frame(), numbers="levels").fingerprint == data.fingerprint


def test_the_order_of_categories_is_kept():
    categories = pd.Categorical(["low", "high", "low"], ["low", "mid", "high"], ordered=True)
    data = quiet({"x": pd.Series(categories)})
    assert data.levels["x"] == ("low", "high")
    assert quiet(data.to_frame()).levels["x"] == ("low", "high")
    declared = quiet({"x": pd.Series(categories)}, declared_levels=True)
    assert quiet(declared.to_frame(), declared_levels=True).fingerprint == declared.fingerprint


def test_declared_levels_give_back_the_order_of_other_categories():
    data = quiet({"x": pd.Series(pd.Categorical([3, 1, 2], [3, 1, 2], ordered=True)), "y": ["b", "a", "b"]})
    assert quiet(data.to_frame(), declared_levels=data.levels).fingerprint == data.fingerprint


def test_columns_are_in_the_order_of_the_source():
    data = quiet({"b": [0, 1, 1], "a": ["x", "y", "x"]})
    assert data.to_frame().columns == ["b", "a"]
    assert data.to_numpy().tolist() == [[0, 0], [1, 1], [1, 0]]


def test_weights_are_the_last_column():
    data = quiet({"x": [0, 1], "w": [3, 4], "weight": ["a", "b"]}, weights="w")
    assert data.to_frame(weights="w").rows() == [(0, "a", 3), (1, "b", 4)]
    assert quiet(data.to_frame(weights="w"), weights="w").fingerprint == data.fingerprint
    with pytest.raises(OptionError, match="weights='weight' is the name of a column"):
        data.to_frame()


def test_ids_are_left_out_of_the_frame():
    data = quiet({"id": [*range(20)], "x": [0, 1] * 10})
    assert data.to_frame().columns == ["x"]
    assert data.to_numpy()[:, 0].tolist() == [0] * 20


def test_names_are_text():
    assert quiet(np.array([[0, 1], [1, 0]])).to_frame().columns == ["0", "1"]
    assert quiet(pd.DataFrame([[0, 1], [1, 0]], columns=[1, "1"])).to_frame().columns == ["1", "'1'"]
    with pytest.raises(DataError, match="cannot be told apart as text"):
        quiet(pd.DataFrame([[0, 1, 0]], columns=[1, "1", "'1'"])).to_frame()


@pytest.mark.parametrize(("levels", "dtype"), [(128, np.int8), (129, np.int16), (40_000, np.int32)])
def test_the_smallest_type_that_holds_all_codes_and_missing_cells(levels, dtype):
    data = quiet({"x": [None, *range(levels)]}, missing="test-wise", keep_ids=True)
    codes = data.to_numpy()
    assert codes.dtype == dtype
    assert codes[:, 0].tolist() == [-1, *range(levels)]


@pytest.mark.parametrize("name", ["^a.*$", "*"])
def test_a_name_is_no_pattern(name):
    data = quiet({name: ["u", "v", None] * 4, "z": [0, 1, 2] * 4}, missing="level")
    assert data.to_frame()[name].to_list() == ["u", "v", None] * 4
