"""Which columns are cut by which rule, in every form of a table."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import climbfast as cf
from climbfast.dataset.discretization.automatic import levels_for
from climbfast.errors import DataError, OptionError
from tests.dataset.tables import cells, column, quiet_read
from tests.factories import quiet

RNG = np.random.default_rng(0)
AGES = RNG.integers(18, 90, 200)
HEIGHTS = RNG.normal(170, 10, 200)
DAYS = [dt.date(2020, 1, 1) + dt.timedelta(days=int(day)) for day in RNG.integers(0, 900, 200)]
MOMENTS = [dt.datetime(2020, 1, 1) + dt.timedelta(microseconds=int(t)) for t in RNG.integers(0, 10**14, 200)]
TIMES = [dt.time(int(h), int(m)) for h, m in zip(RNG.integers(0, 24, 200), RNG.integers(0, 60, 200), strict=True)]
FRAME = {
    "age": AGES,
    "height": HEIGHTS,
    "sex": RNG.choice(["f", "m"], 200),
    "children": RNG.integers(0, 6, 200),
    "smoker": RNG.random(200) < 0.3,
    "day": DAYS,
    "moment": MOMENTS,
    "time": TIMES,
    "id": RNG.permutation(200) + 1000,
}
RULES = [
    "auto", "quantile:3", "width:4", "hartemink:2", "mdlp:sex",
    {"age": [18, 35, 65], None: "quantile:2", "day": ["2020-06-01", "2021-06-01"], "time": ["12:00"]},
    {"children": "quantile:2", "id": "width:2", None: "levels"},
]  # fmt: skip


@pytest.mark.parametrize("numbers", RULES, ids=str)
def test_every_form_of_a_table_is_cut_alike(numbers: Any, tmp_path: Path) -> None:
    expected = quiet(FRAME, numbers=numbers)
    frame = pl.DataFrame(FRAME)
    objects = {name: list(values) for name, values in FRAME.items()}
    for form in (pd.DataFrame(FRAME), frame, frame.lazy(), frame.to_arrow(), objects):
        found = quiet(form, numbers=numbers)
        assert found.fingerprint == expected.fingerprint
        assert found.cuts == expected.cuts and found.discretizer == expected.discretizer
    frame.write_parquet(tmp_path / "table.parquet")
    assert quiet_read(tmp_path / "table.parquet", numbers=numbers).fingerprint == expected.fingerprint


def test_a_text_file_is_cut_alike(tmp_path: Path) -> None:
    frame = pl.DataFrame(FRAME).drop("time", "smoker")
    frame.write_csv(tmp_path / "table.csv")
    for numbers in ("auto", "quantile:3"):
        expected = quiet(frame, numbers=numbers)
        found = quiet_read(tmp_path / "table.csv", numbers=numbers)
        assert found.fingerprint == expected.fingerprint
        assert found.cuts == expected.cuts


def test_what_a_rule_for_the_table_cuts() -> None:
    data = quiet(FRAME, numbers="quantile:3")
    assert set(data.cuts) == {"age", "height", "day", "moment", "time"}
    assert data.ids == ("id",)
    assert data.levels["children"] == (0, 1, 2, 3, 4, 5)
    assert data.levels["smoker"] == (False, True)
    low, high = data.cuts["age"]
    assert cells(data, "age") == [data.levels["age"][(x >= low) + (x >= high)] for x in AGES.tolist()]
    assert [type(data.cuts[name][0]) for name in ("day", "moment", "time")] == [dt.date, dt.datetime, dt.time]


def test_what_a_rule_for_one_column_does() -> None:
    data = quiet(
        FRAME, numbers={"children": [2, 4], "id": "quantile:2", "height": "levels", None: "auto", "age": "refuse"}
    )
    assert data.levels["children"] == ("(-inf, 2)", "[2, 4)", "[4, inf)")
    assert data.cuts["id"] == (1099.5,)
    assert data.ids == ("height",) and "age" not in data.cuts
    assert data.levels["age"] == tuple(sorted(set(AGES.tolist())))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sex", r"column 'sex' has text \(such as 'f'\), and only numbers, dates and times can be cut"),
        ("smoker", "column 'smoker' has True and False"),
        ("group", "column 'group' has categories"),
        ("wait", "column 'wait' has cells of type timedelta"),
    ],
)
def test_a_column_without_numbers_is_refused_by_its_name(name: str, message: str) -> None:
    frame = pd.DataFrame(FRAME)
    frame["group"] = pd.Categorical(FRAME["sex"])
    frame["wait"] = pd.to_timedelta(AGES, unit="D")
    with pytest.raises(DataError, match=message):
        quiet(frame, numbers={name: "quantile:2", None: "auto"})
    quiet(frame, numbers="auto")


def test_a_rule_beside_declared_levels() -> None:
    levels = {"age": list(range(18, 91))}
    assert quiet(FRAME, numbers="auto", declared_levels=levels).levels["age"] == tuple(range(18, 91))
    with pytest.raises(OptionError, match="column 'age' has levels by declared_levels and a rule by numbers"):
        quiet(FRAME, numbers={"age": "auto", None: "auto"}, declared_levels=levels)


def test_levels_that_do_not_occur() -> None:
    frame = {"x": [0.5, 1.5, 9.5], "y": [0, 1, 0]}
    numbers = {"x": [1, 2, 3]}
    assert quiet(frame, numbers=numbers).levels["x"] == ("(-inf, 1)", "[1, 2)", "[3, inf)")
    every = quiet(frame, numbers=numbers, declared_levels=True)
    assert every.levels["x"] == ("(-inf, 1)", "[1, 2)", "[2, 3)", "[3, inf)")
    assert every.codes[1 - every.index("y")].tolist() == [0, 1, 3]


def test_missing_cells_stay_missing() -> None:
    x = [*HEIGHTS[:50].tolist(), None, float("nan"), -99]
    y = [*["a", "b"] * 26, "a"]
    for form in ({"x": x, "y": y}, pl.DataFrame({"x": x, "y": y}), pd.DataFrame({"x": x, "y": y})):
        data = quiet(form, numbers="quantile:2", missing="level", missing_markers=[-99])
        assert cells(data, "x")[-3:] == [None, None, None]
        assert data.cuts["x"] == pytest.approx((np.median(HEIGHTS[:50]),))
        with pytest.raises(DataError, match=r"missing values in 'x' \(3\)"):
            quiet(form, numbers="quantile:2", missing_markers=[-99])
    days = [*DAYS[:30], None, dt.date(1900, 1, 1)]
    data = column(days, numbers="quantile:2", missing="level", missing_markers=["1900-01-01"])
    assert cells(data, "x")[-2:] == [None, None]
    nothing = quiet({"x": [np.nan] * 3, "y": [1, 2, 3]}, numbers="auto", missing="level")
    assert nothing.levels["x"] == (None,) and nothing.cuts == {}


@pytest.mark.parametrize("numbers", ["quantile:3", "width:3", "hartemink:2", "mdlp:sex", "auto"])
def test_dropped_rows_have_no_say(numbers: str) -> None:
    frame = pd.DataFrame({name: FRAME[name] for name in ("age", "height", "sex")})
    frame.loc[:60, "sex"] = None
    frame.loc[50:90, "height"] = None
    dropped = quiet(frame, numbers=numbers, missing="drop-rows")
    complete = quiet(frame.dropna(), numbers=numbers)
    assert dropped.cuts == complete.cuts
    assert dropped.fingerprint == complete.fingerprint


@pytest.mark.parametrize(
    "values",
    [
        [Decimal("0.5"), Decimal("1.5"), 2],
        [Fraction(1, 2), 1.5, 2],
        np.array([0.5, 1.5, 2], dtype=np.float32),
        np.array([0.5, 1.5, 2], dtype=">f8"),
        np.ma.array([0.5, 1.5, 2]),
        pl.Series([Decimal("0.5"), Decimal("1.5"), Decimal(2)]),
        pd.Series([0.5, 1.5, 2], dtype="Float64"),
        pa.array([0.5, 1.5, 2]),
    ],
    ids=lambda values: type(values).__module__,
)
def test_numbers_of_every_type(values: Any) -> None:
    assert column(values, numbers={"x": [1, 2]}).levels["x"] == ("(-inf, 1)", "[1, 2)", "[2, inf)")


def test_whole_numbers_of_every_type() -> None:
    for values in (
        np.arange(30, dtype=np.uint64) * 2**40 + 2**63,
        [2**63 + i * 2**40 for i in range(30)],
        np.arange(30.0),
    ):
        cut = column(values, numbers={"x": "quantile:2"})
        assert len(cut.cuts["x"]) == 1 and sorted(set(cut.codes[0].tolist())) == [0, 1]


def test_times_of_every_type() -> None:
    utc = [moment.replace(tzinfo=dt.UTC) for moment in MOMENTS[:40]]
    expected = column(MOMENTS[:40], numbers="quantile:2")
    nanoseconds = np.array(MOMENTS[:40], dtype="datetime64[ns]") + np.timedelta64(1, "ns")
    for values in (
        np.array(MOMENTS[:40], "datetime64[us]"),
        nanoseconds,
        pd.Series(MOMENTS[:40]),
        pl.Series(nanoseconds),
    ):
        assert column(values, numbers="quantile:2").codes.tolist() == expected.codes.tolist()
    zones = [column(values, numbers="quantile:2") for values in (utc, pd.Series(utc), pl.Series(utc))]
    assert {zone.fingerprint for zone in zones} == {zones[0].fingerprint}
    assert zones[0].codes.tolist() == expected.codes.tolist()
    assert zones[0].cuts["x"][0] == expected.cuts["x"][0].replace(tzinfo=dt.UTC)
    months = np.array(["2020-01", "2021-03", "2024-05"], dtype="datetime64[M]")
    assert column(months, numbers={"x": ["2021-03-01"]}).codes.tolist() == [[0, 1, 1]]


def test_years_that_python_does_not_have() -> None:
    for values in (
        np.array(["20000-01-01", "20001-01-01"], "datetime64[D]"),
        np.array(["-0005-01-01"], "datetime64[s]"),
    ):
        with pytest.raises(DataError, match=r"column 'x' has (dates|times) outside of the years 1 to 9999"):
            column(values, numbers="quantile:2")
    ends = [dt.date(1, 1, 1), dt.date(9999, 12, 31)]
    assert len(column(ends, numbers="quantile:2").cuts["x"]) == 1


def test_markers_among_floats() -> None:
    cells_of_x = np.array([0.5, 1.5, -9.0, np.nan, 2.5])
    data = column(cells_of_x, numbers="quantile:2", missing="level", missing_markers=[-9, 10**400, True, "NA"])
    assert data.cuts["x"] == (1.5,)
    assert cells(data, "x") == ["(-inf, 1.5)", "[1.5, inf)", None, None, "[1.5, inf)"]
    assert cells_of_x[2] == -9  # the cells themselves are as they were


def test_infinite_numbers_are_refused() -> None:
    for values in ([0.5, float("inf")], np.array([0.5, np.inf]), pl.Series([0.5, np.inf])):
        with pytest.raises(
            DataError, match=r"column 'x' has infinite values.* mark them as missing with missing_markers"
        ):
            column(values, numbers="auto")


def test_cuts_of_another_kind() -> None:
    with pytest.raises(DataError, match=r"column 'x' has numbers, and its cuts are not \(such as 2020-01-01\)"):
        column([0.5, 1.5], numbers={"x": [dt.date(2020, 1, 1)]})


def test_an_automatic_number_of_levels() -> None:
    rng = np.random.default_rng(0)
    for rows in (500, 5_000, 20_000):
        x = rng.normal(size=rows)
        cuts = quiet({"x": x, "y": x + rng.normal(size=rows)}, numbers="auto").cuts
        assert {len(of_column) + 1 for of_column in cuts.values()} == {levels_for(rows)}
    x[500:] = np.nan  # the rows with a number count
    cuts = quiet({"x": x, "y": rng.normal(size=rows)}, numbers="auto", missing="level").cuts
    assert [len(cuts[name]) + 1 for name in "xy"] == [levels_for(500), levels_for(rows)]


def test_few_rows_are_not_merged() -> None:
    """Levels of about equal numbers of rows, whatever the other column says."""
    x = np.random.default_rng(0).normal(size=399)
    cuts = quiet({"x": x, "y": (x > 1.2).astype(int)}, numbers="auto").cuts["x"]
    assert np.bincount(np.searchsorted(cuts, x, "right")).tolist() == [133, 133, 133]


def test_results_name_the_cuts() -> None:
    data = quiet(
        {"x": HEIGHTS, "y": HEIGHTS + RNG.normal(size=200), "z": FRAME["sex"], "t": AGES}, numbers="quantile:3"
    )
    both = {"x": list(data.cuts["x"]), "y": list(data.cuts["y"])}
    every = both | {"t": list(data.cuts["t"])}
    blanket = cf.markov_blanket(data, "x")
    assert blanket.members == ("y",) and blanket.options["cuts"] == both
    assert cf.markov_blankets(data, n_jobs=1)["x"].options == blanket.options
    assert cf.neighbors(data, "x").options["cuts"] == both
    assert cf.test(data, "x", "y").options["cuts"] == both
    for graph in (cf.pc(data), cf.fges(data), cf.orient(cf.pc(data), data), cf.causal_graph(data, "best")):
        assert graph.options["cuts"] == every
    assert "cuts" not in cf.pc(quiet({"x": FRAME["sex"], "y": FRAME["smoker"]})).options


@pytest.mark.parametrize("numbers", ["quantile:3", "width:3", "hartemink:2", "mdlp:sex", "auto"])
def test_weights_are_rows_that_are_repeated(numbers: str) -> None:
    times = np.random.default_rng(3).integers(0, 40, 200)
    frame = {"age": AGES, "height": HEIGHTS, "sex": FRAME["sex"]}
    weighted = quiet(frame | {"times": times}, numbers=numbers, weights="times")
    repeated = quiet({name: np.repeat(values, times) for name, values in frame.items()}, numbers=numbers)
    assert weighted.cuts == repeated.cuts and weighted.levels == repeated.levels
    assert np.repeat(weighted.codes, times[times > 0], axis=1).tolist() == repeated.codes.tolist()
    assert "times" not in weighted.cuts


def test_missing_cells_test_by_test() -> None:
    x = [None if i % 9 == 0 else height for i, height in enumerate(HEIGHTS.tolist())]
    data = quiet({"x": x, "y": FRAME["sex"], "z": AGES}, numbers="auto", missing="test-wise")
    code, arity = data.codes[data.index("x")], int(data.arity[data.index("x")])
    assert data.missing == {"x": 23}
    assert (code[::9] == arity).all() and len(data.levels["x"]) == arity == len(data.cuts["x"]) + 1


@pytest.mark.parametrize("numbers", RULES, ids=str)
def test_order_of_rows_and_columns_does_not_matter(numbers: Any) -> None:
    expected = quiet(FRAME, numbers=numbers)
    order = np.random.default_rng(1).permutation(200)
    shuffled = {name: [FRAME[name][i] for i in order] for name in reversed(FRAME)}
    found = quiet(shuffled, numbers=numbers)
    assert found.cuts == expected.cuts
    assert found.codes.tolist() == expected.codes[:, order].tolist()
