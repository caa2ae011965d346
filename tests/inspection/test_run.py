"""The function: what it takes, a table with everything in it, wide and long ones, and that nothing is changed."""

from __future__ import annotations

import copy
import datetime as dt
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.errors import DataError, OptionError, UnknownColumnError
from tests.factories import quiet
from tests.inspection.tables import draw

ROWS = 400


def everything() -> dict[str, list[object]]:
    rng = np.random.default_rng(0)
    city, a, b = draw(20, ROWS, 0), draw(3, ROWS, 1), draw(2, ROWS, 2)
    near = city.copy()
    near[:2] = (near[:2] + 1) % 20
    gaps = [i % 7 == 0 for i in range(ROWS)]
    columns: dict[str, object] = {
        "id": [f"p{i}" for i in range(ROWS)],
        "city": [f"c{v}" for v in city],
        "state": [f"s{v // 4}" for v in city],
        "near": near,
        "a": a,
        "b": b,
        "sum": (a + b) % 2,
        "copy": b.copy(),
        "renamed": ["xyz"[v] for v in a],
        "constant": ["k"] * ROWS,
        "nearly": [1] + [0] * (ROWS - 1),
        "dose": rng.choice(["5 mg", "10 mg", "20 mg"], ROWS),
        "income": rng.choice([1000, 1200, 1500, -99], ROWS),
        "answer": rng.choice(["1", "2", "3", "4", "unknown"], ROWS),
        "sex": rng.choice(["F", "M", "f "], ROWS),
        "weight": rng.normal(size=ROWS).round(2),
        "gap": [None if gap else f"g{v}" for gap, v in zip(gaps, draw(3, ROWS, 3), strict=True)],
        "hole": [None if gap else f"h{v}" for gap, v in zip(gaps, draw(3, ROWS, 4), strict=True)],
        "many": rng.integers(0, 60, ROWS),
        "words": [f"w{v}" for v in rng.integers(0, 90, ROWS)],
    }
    return {name: np.asarray(cells, object).tolist() for name, cells in columns.items()}


KINDS = {
    "fractions", "missing", "hidden-numbers", "marker", "alike-levels", "missing-together", "many-numbers",
    "many-levels", "id", "copies", "one-to-one", "near-copies", "function", "function-of-two", "constant",
    "near-constant",
}  # fmt: skip


def test_everything_at_once():
    found = cf.inspect(everything())
    assert {finding.kind for finding in found.findings} == KINDS
    assert found.of_kind("copies")[0].columns == ("b", "copy")
    assert found.of_kind("one-to-one")[0].columns == ("a", "renamed")
    assert found.of_kind("near-copies")[0].columns == ("city", "near")
    assert found.of_kind("function")[0].columns == ("city", "state")
    assert found.of_kind("missing-together")[0].columns == ("gap", "hole")
    assert [finding.columns[0] for finding in found.of_kind("function-of-two")] == ["b", "sum"]


def without_times(found: cf.Inspection) -> dict[str, object]:
    plain = found.to_dict()
    return {key: plain[key] for key in plain if key not in ("seconds", "source", "options")}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "arrow"])
def test_frames_of_all_kinds(make):
    assert without_times(cf.inspect(make(everything()))) == without_times(cf.inspect(everything()))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".arrow"])
def test_files(tmp_path, suffix):
    frame, path = pl.DataFrame(everything()), tmp_path / f"data{suffix}"
    if suffix == ".parquet":
        frame.write_parquet(path)
    elif suffix == ".arrow":
        frame.write_ipc(path)
    else:
        frame.write_csv(path, separator="\t" if suffix == ".tsv" else ",")
    found, expected = cf.inspect(path), cf.inspect(everything())
    assert found.source == str(path)
    assert without_times(found) == without_times(expected)
    assert without_times(cf.inspect(str(path))) == without_times(expected)


def test_several_files(tmp_path):
    frame = pl.DataFrame(everything())
    frame[:150].write_csv(tmp_path / "part-1.csv")
    frame[150:].select(reversed(frame.columns)).write_csv(tmp_path / "part-2.csv")
    expected = without_times(cf.inspect(everything()))
    assert without_times(cf.inspect(tmp_path / "part-*.csv")) == expected
    assert without_times(cf.inspect([tmp_path / "part-1.csv", tmp_path / "part-2.csv"])) == expected


def test_an_array():
    found = cf.inspect(np.array([[0, 1, 0.5], [1, 1, 0.25]]))
    assert [(column.name, column.outcome) for column in found.columns] == [
        (0, "levels"),
        (1, "constant"),
        (2, "refused"),
    ]


def test_a_file_with_a_name_twice(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b,a\n1,2,3\n1,3,4\n")
    found = cf.inspect(path)
    assert [column.name for column in found.columns] == ["a", "b", "a (column 3)"]
    assert [column.kind for column in found.columns] == ["whole"] * 3
    assert found.of_kind("duplicate-names")[0].weight == "refused"


def test_an_empty_last_column(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b,\n1,2,\n2,3,\n")
    found = cf.inspect(path)
    assert found.of_kind("empty-last")[0].message.startswith("every line ends with a separator")
    assert len(found.columns) == 2


def test_nothing_is_changed_and_nothing_is_warned_of():
    frame = pd.DataFrame(everything())
    before = copy.deepcopy(frame)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cf.inspect(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_the_order_of_rows_and_columns_does_not_matter():
    frame = pl.DataFrame(everything())
    order = np.random.default_rng(1).permutation(ROWS)
    turned = cf.inspect(frame.select(reversed(frame.columns))[order.tolist()])
    found = cf.inspect(frame)

    def by_columns(inspection: cf.Inspection) -> set[tuple[str, frozenset[object]]]:
        return {(finding.kind, frozenset(finding.columns)) for finding in inspection.findings}

    assert by_columns(turned) == by_columns(found)
    assert {(c.name, c.outcome, c.becomes) for c in turned.columns} == {
        (c.name, c.outcome, c.becomes) for c in found.columns
    }


def test_columns_that_are_left_out():
    found = cf.inspect(everything(), leave_out=["weight", "gap", "hole"])
    assert not found.is_refused
    assert found.column("weight").outcome == "left out"
    assert len(found.columns) == len(everything())


def test_one_row_and_one_column():
    found = cf.inspect({"x": [1]})
    assert (found.rows, found.columns[0].outcome, found.findings) == (1, "constant", ())


@pytest.mark.parametrize(
    ("data", "options", "error", "says"),
    [
        ({"x": [0, 1]}, {"separator": ";"}, OptionError, "separator is an option of files"),
        ({"x": [0, 1]}, {"numbers": "three"}, OptionError, "numbers is 'three'"),
        ({"x": [0, 1]}, {"leave_out": ["y"]}, UnknownColumnError, "no column named 'y'"),
        ({"x": []}, {}, DataError, "the table has no rows"),
        ({}, {}, DataError, "the table has no columns"),
        ({"x": [0, 1], "y": [0]}, {}, DataError, "column 'y' has 1 rows where others have 2"),
        (3, {}, DataError, "int is not a table"),
        ("no-such-file.csv", {}, DataError, "there is no such file"),
        (quiet({"x": [0, 1]}), {"missing": "level"}, OptionError, "these data are already a Dataset"),
    ],
)
def test_what_cannot_be_read_at_all(data, options, error, says):
    with pytest.raises(error, match=says):
        cf.inspect(data, **options)


def test_a_long_table():
    rows = 100_000
    frame = {f"x{i}": draw(2 + i % 4, rows, i) for i in range(20)}
    frame["pair"] = frame["x1"] * 10 + frame["x2"]
    frame["copy"] = frame["x5"]
    found = cf.inspect(pl.DataFrame(frame))
    assert [(finding.kind, finding.columns) for finding in found.findings if finding.kind != "function-of-two"] == [
        ("copies", ("x5", "copy")),
        ("function", ("pair", "x1", "x2")),
    ]


def test_a_wide_table():
    rows = 300
    frame = {f"x{i}": draw(2 + i % 3, rows, i) for i in range(2000)}
    frame["copy"] = frame["x7"]
    frame["half"] = draw(6, rows, 9999)
    frame["third"] = frame["half"] // 2
    found = cf.inspect(pl.DataFrame(frame))
    assert [(finding.kind, finding.columns) for finding in found.findings] == [
        ("copies", ("x7", "copy")),
        ("function", ("half", "third")),
        ("not-searched", ()),
    ]


CELLS = st.one_of(
    st.sampled_from([None, "", "a", "A", "?", "1", "1,5", "12 mg", "<5", "NA", float("nan"), b"x", b"", True, False]),
    st.integers(-3, 3),
    st.sampled_from([0.5, -99, 999, 1e300, 10**20, float("inf"), Decimal("0.1"), dt.date(2024, 1, 1), dt.time(1), [1]]),
)
COLUMNS = st.one_of(
    *(st.lists(st.sampled_from(part), min_size=12, max_size=12) for part in (
        ["a", "b", None], [1, 2, 3, None], [0.5, 1.5, 2.0], ["1", "2", "x"], [dt.date(2024, 1, 1), dt.date(2024, 1, 2)],
        [True, False], [1, 2.0, None], [-9, 1, 2, 3], ["Yes", "yes ", "no"],
    )),
    st.lists(CELLS, min_size=12, max_size=12),
)  # fmt: skip
OPTIONS = st.fixed_dictionaries(
    {
        "numbers": st.sampled_from(["refuse", "levels", "auto", "quantile:2", "width:2", "hartemink:2"]),
        "missing": st.sampled_from(["refuse", "test-wise", "drop-rows", "level"]),
        "keep_ids": st.booleans(),
    }
)


@given(columns=st.lists(COLUMNS, min_size=1, max_size=4), options=OPTIONS)
@settings(max_examples=150, deadline=None)
def test_it_never_fails_and_says_what_reading_does(columns, options):
    frame = {f"x{i}": column for i, column in enumerate(columns)}
    found = cf.inspect(frame, **options)
    found.to_json()
    try:
        data = quiet(frame, **options)
    except DataError:
        assert found.is_refused
        mended = {**options, **{option.name: option.value for option in found.mended_by}}
        if found.mended_by and len(mended.get("leave_out", ())) < len(frame):
            assert not cf.inspect(frame, **mended).is_refused
        return
    assert not found.is_refused
    for column in found.columns:
        assert column.becomes == (() if column.name in data.ids else data.levels[column.name])


def repeated(frame, counts):
    return {
        name: [cell for cell, n in zip(cells, counts, strict=True) for _ in range(n)] for name, cells in frame.items()
    }


def without_notes_of_repeated_rows(found):
    plain = without_times(found)
    del plain["memory"]
    plain["findings"] = [finding for finding in plain["findings"] if finding["kind"] != "repeated-rows"]
    plain["columns"] = [
        {**column, "findings": [kind for kind in column["findings"] if kind != "repeated-rows"]}
        for column in plain["columns"]
        if column["outcome"] != "weights"
    ]
    return plain


@pytest.mark.parametrize("options", [{}, {"numbers": "levels", "missing": "test-wise"}])
def test_weights_stand_for_repeated_rows(options):
    counts = np.random.default_rng(5).integers(0, 4, ROWS).tolist()
    counts[0] = 2  # the one other value of "nearly"
    frame = everything()
    expected = cf.inspect(repeated(frame, counts), **options)
    found = cf.inspect({**frame, "n": counts}, weights="n", **options)
    assert found.rows == sum(counts)
    assert not found.of_kind("repeated-rows")
    assert found.column("n").outcome == "weights"
    assert without_notes_of_repeated_rows(found) == without_notes_of_repeated_rows(expected)


def test_a_dataset_with_weights():
    frame = {"x": [0, 1, 0, 1], "y": [0, 1, 2, None], "n": [2000, 3000, 10, 5]}
    found = cf.inspect(quiet(frame, weights="n", missing="test-wise"))
    assert (found.rows, found.distinct_rows, found.complete_rows) == (5015, 4, 5010)
    assert (found.column("x").frequency, found.column("y").missing) == (3005, 5)
    assert not found.of_kind("repeated-rows")


def test_weights_that_are_refused():
    found = cf.inspect({"x": [0, 1] * 10, "n": [1, -1] * 10}, weights="n")
    (finding,) = found.of_kind("refused")
    assert "-1 is negative" in finding.message
    assert found.rows == 20


def test_levels_of_rows_that_do_not_occur_are_not_there():
    frame = {"x": ["yes", "YES", "no"] * 10, "y": [0, 1, 2] * 10, "z": [0.5, -99.0, 1.5] * 10}
    found = cf.inspect({**frame, "n": [1, 0, 3] * 10}, weights="n", numbers="auto")
    assert (found.rows, found.distinct_rows) == (40, 2)
    assert [found.column(name).levels for name in "xyz"] == [2, 2, 2]
    assert not found.of_kind("alike-levels")
