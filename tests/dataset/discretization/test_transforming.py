"""Columns as ordered intervals, in frames of every kind."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from climbfast.dataset import Discretizer
from climbfast.errors import DataError, UnknownColumnError
from tests.factories import quiet

RNG = np.random.default_rng(0)
FRAME = {
    "sex": RNG.choice(["f", "m"], 100),
    "age": RNG.integers(18, 90, 100),
    "height": RNG.normal(170, 10, 100),
    "day": [dt.date(2020, 1, 1) + dt.timedelta(days=int(d)) for d in RNG.integers(0, 900, 100)],
}
CUTS = {"age": [18, 35, 65], "day": ["2020-06-01"]}


def forms(frame: dict[str, Any]) -> list[Any]:
    of_polars = pl.DataFrame(frame)
    return [
        frame,
        pd.DataFrame(frame, index=range(7, 7 + len(of_polars))),
        of_polars,
        of_polars.lazy(),
        of_polars.to_arrow(),
    ]


@pytest.mark.parametrize("numbers", ["auto", "quantile:4", "mdlp:sex"])
def test_the_frame_of_the_data_becomes_its_codes(numbers: str) -> None:
    for frame in forms(FRAME):
        data = quiet(frame, numbers=numbers)
        assert quiet(data.discretizer.transform(frame)).codes.tolist() == data.codes.tolist()


def test_the_kind_of_the_frame_stays() -> None:
    discretizer = Discretizer(CUTS | {"height": "levels"}).fit(FRAME)
    names = ("(-inf, 18)", "[18, 35)", "[35, 65)", "[65, inf)")
    of_dict, of_pandas, of_polars, of_lazy, of_arrow = map(discretizer.transform, forms(FRAME))
    assert isinstance(of_dict["age"], list) and set(of_dict["age"]) <= set(names)
    assert of_dict["height"] is FRAME["height"]
    assert of_pandas["age"].cat.ordered and tuple(of_pandas["age"].cat.categories) == names
    assert of_pandas.index[0] == 7 and of_pandas["height"].dtype == float
    assert of_polars["age"].dtype == pl.Enum(names) and of_lazy["age"].dtype == pl.Enum(names)
    assert of_arrow.column("age").type.ordered and of_arrow.column_names == list(FRAME)
    expected = of_dict["age"]
    assert of_pandas["age"].tolist() == of_polars["age"].to_list() == of_arrow.column("age").to_pylist() == expected
    assert "age" in FRAME and FRAME["age"].dtype.kind == "i"  # the frame itself is as it was


def test_new_rows() -> None:
    discretizer = Discretizer(CUTS).fit({"age": [20, 40, 70], "day": [dt.date(2020, 1, 1)] * 3})
    frame = {"age": [-5, 17, 18, 35, 1000, None], "day": [None, *[dt.date(2030, 1, 1)] * 5], "new": list("abcdef")}
    expected = ["(-inf, 18)", "(-inf, 18)", "[18, 35)", "[35, 65)", "[65, inf)", None]
    for new in (frame, pl.DataFrame(frame), pd.DataFrame(frame), pl.DataFrame(frame).to_arrow()):
        found = discretizer.transform(new)
        ages = found["age"].to_pylist() if isinstance(found, pa.Table) else list(found["age"])
        assert [None if age is np.nan else age for age in ages] == expected
    nothing = {"age": [None, None], "day": [None, None]}
    assert discretizer.transform(nothing) == nothing


def test_markers_of_the_data_stay_missing() -> None:
    data = quiet({"age": [*FRAME["age"].tolist(), -99]}, numbers="quantile:2", missing="level", missing_markers=[-99])
    for discretizer in (data.discretizer, Discretizer.from_dict(data.discretizer.to_dict())):
        assert discretizer.transform({"age": [-99, 20, -98]})["age"] == [
            None,
            data.levels["age"][0],
            data.levels["age"][0],
        ]


def test_texts_are_read_as_those_of_files(tmp_path: Any) -> None:
    discretizer = Discretizer(CUTS).fit(FRAME)
    texts = {"age": ["17", "18.0", ""], "day": ["2020-05-31", "2020-06-01", None]}
    for frame in (texts, pd.DataFrame(texts), pl.DataFrame(texts)):
        found = discretizer.transform(frame)
        assert list(found["age"])[:2] == ["(-inf, 18)", "[18, 35)"]
        assert list(found["day"])[:2] == ["(-inf, 2020-06-01)", "[2020-06-01, inf)"]


def test_arrays_become_dicts_of_columns() -> None:
    array = np.array([[0.5, 1], [1.5, 0], [2.5, 1], [np.nan, 0]])
    fields = np.array([(0.5, 1), (2.5, 0)], dtype=[("x", float), ("y", int)])
    names = ("(-inf, 1.5)", "[1.5, inf)")
    fitted = quiet(array, numbers="quantile:2", missing="level").discretizer
    found = fitted.transform(array)
    assert found[0] == [names[0], names[1], names[1], None] and found[1].tolist() == [1, 0, 1, 0]
    masked = np.ma.array(array[:2], mask=[[True, False], [False, False]])
    assert fitted.transform(masked)[0] == [None, names[1]]
    of_fields = quiet(fields, numbers={"x": [1.5]}).discretizer.transform(fields)
    assert list(of_fields) == ["x", "y"] and of_fields["x"] == list(names)
    with pytest.raises(DataError, match="an array of 1 dimensions is not a table"):
        fitted.transform(array[0])


def test_dates_and_times_stand_for_each_other() -> None:
    of_days = Discretizer({"t": [dt.date(2020, 6, 1)]}).fit({"t": [dt.date(2020, 1, 1)]})
    of_times = Discretizer({"t": [dt.date(2020, 6, 1)]}).fit({"t": [dt.datetime(2020, 1, 1)]})
    for fitted in (of_days, of_times):
        for before, behind in (
            (dt.date(2020, 5, 31), dt.date(2020, 6, 1)),
            (dt.datetime(2020, 5, 31, 23, 59), dt.datetime(2020, 6, 1)),
        ):
            assert len(set(fitted.transform({"t": [before, behind]})["t"])) == 2


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"age": ["old"], "day": ["2020-01-01"]}, "column 'age' has 'old' where its cuts are of numbers"),
        ({"age": [True], "day": ["2020-01-01"]}, "column 'age' has True"),
        ({"age": [18], "day": [3]}, "column 'day' has numbers where its cuts are of dates"),
        ([1, 2], "list is not a table"),
        (pd.DataFrame([[1, 2]], columns=["age", "age"]), "more than once: 'age'"),
    ],
)
def test_other_values_are_refused(frame: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Discretizer(CUTS).fit(FRAME).transform(frame)


def test_a_missing_column_is_named() -> None:
    with pytest.raises(UnknownColumnError, match="no column named 'age'; the nearest are 'Age'"):
        Discretizer(CUTS).fit(FRAME).transform({"Age": [1], "day": [None]})


def test_a_name_is_no_pattern() -> None:
    frame = pl.DataFrame({"^a.*$": [0.5, 1.5, 2.5, 3.5] * 20, "z": ["u", "v"] * 40})
    data = quiet(frame, numbers={"^a.*$": [1.0, 2.0], None: "refuse"})
    found = data.discretizer.transform(frame)["^a.*$"].to_list()
    assert found == ["(-inf, 1)", "[1, 2)", "[2, inf)", "[2, inf)"] * 20
