"""What is said to happen to a column is what happens when it is read."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pytest

import climbfast as cf
from climbfast.errors import DataError, Option
from tests.factories import quiet
from tests.inspection.tables import draw

ROWS = 240


def survey() -> dict[str, object]:
    rng = np.random.default_rng(0)
    x = draw(3, ROWS, 0)
    return {
        "id": [f"p{i}" for i in range(ROWS)],
        "word": [f"w{v}" for v in x],
        "few": x.tolist(),
        "age": (20 + 15 * x + rng.integers(0, 40, ROWS)).tolist(),
        "income": (rng.normal(size=ROWS) + x).tolist(),
        "day": [dt.date(2024, 1, 1) + dt.timedelta(days=int(v)) for v in rng.integers(0, 90, ROWS)],
        "yes": (x > 0).tolist(),
        "k": [0] * ROWS,
        "size": pd.Categorical(np.array(["s", "m", "l"])[x], ["s", "m", "l"], ordered=True),
    }


@pytest.mark.parametrize(
    "options",
    [
        {"numbers": "levels"},
        {"numbers": "levels", "keep_ids": True},
        {"numbers": "auto"},
        {"numbers": "quantile:4"},
        {"numbers": {"income": [0, 1], "age": "width:3"}},
        {"numbers": {"income": "levels"}, "leave_out": ["id"]},
    ],
)
def test_the_report_is_what_reading_does(options):
    found, data = cf.inspect(survey(), **options), quiet(survey(), **options)
    for column in found.columns:
        if column.outcome == "left out":
            assert column.name not in data.names
            continue
        name = column.name
        is_id = name in data.ids
        assert column.outcome == (
            "id" if is_id else "cut" if name in data.cuts else "constant" if name in data.constant else "levels"
        )
        assert column.becomes == (() if is_id else data.levels[name])
    assert not found.is_refused
    assert {column.name for column in found.columns} == set(survey())


def test_kinds():
    found = cf.inspect(survey())
    assert {column.name: column.kind for column in found.columns} == {
        "id": "text", "word": "text", "few": "whole", "age": "whole", "income": "fractional", "day": "date",
        "yes": "bool", "k": "whole", "size": "categories",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("cells", "kind", "column_kind", "mend"),
    [
        ([0.5, 1.5, 2.0] * 4, "fractions", "fractional", {"numbers": "auto"}),
        ([0.5, 1.5, 2.0] * 4, "fractions", "fractional", {"numbers": "levels"}),
        (
            [1.0, np.inf, 2.0] * 4,
            "infinite",
            "whole",
            {"missing_markers": {"x": ["inf", "-inf"]}, "missing": "test-wise"},
        ),
        ([1, "a", 2] * 4, "mixed-kinds", "mixed", {"leave_out": ["x"]}),
        ([[1], [2], [1]] * 4, "unusable", "other", {"leave_out": ["x"]}),
        (["a", None, "b"] * 4, "missing", "text", {"missing": "test-wise"}),
        (["a", None, "b"] * 4, "missing", "text", {"missing": "level"}),
        (["a", None, "b"] * 4, "missing", "text", {"missing": "drop-rows"}),
    ],
)
def test_each_refusal_is_a_finding_and_its_option_mends_it(cells, kind, column_kind, mend):
    frame = {"x": cells, "y": [0, 1] * 6}
    with pytest.raises(DataError):
        quiet(frame)
    found = cf.inspect(frame)
    others = {"missing"} - {kind}  # infinite cells are counted as missing, too
    (finding,) = [each for each in found.findings if each.weight == "refused" and each.kind not in others]
    assert (finding.kind, finding.weight, finding.columns) == (kind, "refused", ("x",))
    assert (found.column("x").outcome, found.column("x").kind) == ("refused", column_kind)
    assert found.column("y").outcome == "levels"
    assert {option.name for option in finding.options} & set(mend)
    mended = cf.inspect(frame, **mend)
    assert not mended.is_refused
    quiet(frame, **mend)


def test_all_refusals_at_once():
    frame = {
        "fraction": [0.5, 1.5] * 6, "infinite": [np.inf, 1] * 6, "mixed": [1, "a"] * 6, "list": [[1], [2]] * 6,
        "gap": [None, "u"] * 6, "fine": [0, 1] * 6,
    }  # fmt: skip
    found = cf.inspect(frame)
    refused = [finding.kind for finding in found.findings if finding.weight == "refused"]
    assert refused == ["fractions", "infinite", "mixed-kinds", "unusable", "missing"]
    assert [column.name for column in found.columns if column.outcome != "refused"] == ["fine"]


def test_nothing_that_is_not_refused():
    found = cf.inspect({"x": [0.5, 1.5] * 6})
    assert found.column("x").outcome == "refused"
    assert found.column("x").why == "fractional numbers (such as 0.5)"


def test_names_that_occur_more_than_once():
    frame = pd.DataFrame([[1, 2, 3], [1, 3, 4]], columns=["a", "b", "a"])
    found = cf.inspect(frame)
    (finding,) = found.of_kind("duplicate-names")
    assert finding.message == "names that occur more than once: 'a'"
    assert finding.columns == ("a", "a (column 3)")
    assert found.column("a (column 3)").levels == 2


def test_names_that_no_result_can_carry():
    found = cf.inspect({None: [0, 1], "x": [0, 1]})
    (finding,) = found.of_kind("refused")
    assert finding.message == "names that results cannot carry: column 'None'"


def test_what_only_the_whole_table_shows_is_a_finding():
    found = cf.inspect({"x": ["a", None] * 6, "y": [None, "b"] * 6}, missing="drop-rows")
    (finding,) = found.of_kind("refused")
    assert finding.message == "no rows are left: every row has a missing cell"
    assert found.column("x").missing == 6


def test_the_column_of_weights():
    found = cf.inspect({"x": [0, 1, 2], "n": [3, 4, 5]}, weights="n")
    assert found.column("n").outcome == "weights"
    assert found.rows == 12


def test_a_dataset():
    data = quiet(survey(), numbers="auto")
    found = cf.inspect(data)
    assert not found.is_refused
    assert {column.name: column.outcome for column in found.columns} == {
        "id": "id", "word": "levels", "few": "levels", "age": "cut", "income": "cut", "day": "cut", "yes": "levels",
        "k": "constant", "size": "levels",
    }  # fmt: skip
    assert found.of_kind("one-to-one")[0].columns == ("word", "few", "size")
    assert found.of_kind("id")[0].options[0] == Option("keep_ids", value=True)


def test_all_refusals_are_mended_at_once():
    frame = {
        "fraction": [0.5, 1.5, 2.5] * 6, "infinite": [np.inf, 1, 2.5] * 6, "mixed": [1, "a", 2] * 6,
        "list": [[1], [2], [3]] * 6, "gap": [None, "u", "v"] * 6, "fine": [0, 1] * 9,
    }  # fmt: skip
    found = cf.inspect(frame)
    assert found.mended_by == (
        Option("numbers", "auto"),
        Option("missing_markers", {"infinite": ["inf", "-inf"]}),
        Option("missing", "test-wise"),
        Option("leave_out", ["mixed", "list"]),
    )
    options = {option.name: option.value for option in found.mended_by}
    assert not cf.inspect(frame, **options).is_refused
    assert quiet(frame, **options).names == ("fraction", "infinite", "gap", "fine")
    assert cf.inspect(frame, **options).mended_by == ()


def test_no_option_mends_names():
    assert cf.inspect(pd.DataFrame([[1, 0.5], [2, 1]], columns=["a", "a"])).mended_by == ()


def test_commas_before_decimals_or_thousands(tmp_path):
    (tmp_path / "data.csv").write_text("x;y;z\n" + "1,500;0;0.5\n2,750;1;1.5\n7,125;0;3\n" * 4)
    found = cf.inspect(tmp_path / "data.csv")
    (finding,) = found.of_kind("odd-numbers")
    assert (finding.weight, finding.columns, finding.options) == (
        "refused", ("x",), (Option("numbers", {"x": "levels"}),),
    )  # fmt: skip
    assert found.mended_by == (Option("numbers", {"x": "levels", None: "auto"}),)
    mended = cf.inspect(tmp_path / "data.csv", numbers=found.mended_by[0].value)
    assert not mended.is_refused
    assert mended.column("z").outcome == "cut"


@pytest.mark.parametrize("make", [list, np.array])
@pytest.mark.parametrize("numbers", ["refuse", "levels", "auto", "quantile:2"])
def test_infinite_numbers_that_are_marked_as_missing(make, numbers):
    frame = {"x": make([1.0, np.inf, 2.5, -np.inf] * 5), "y": [0, 1] * 10}
    found = cf.inspect(frame, numbers=numbers)
    assert found.of_kind("infinite")
    options = {"numbers": numbers} | {option.name: option.value for option in found.mended_by}
    assert options["missing_markers"] == {"x": ["inf", "-inf"]}
    assert not cf.inspect(frame, **options).is_refused
    assert quiet(frame, **options).missing == {"x": 10}
