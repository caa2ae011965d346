"""Columns to know about before results are believed: constant, nearly unique, one to one."""

from __future__ import annotations

import datetime as dt
import pickle
import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from climbfast.dataset import Dataset, Discretizer
from climbfast.dataset.diagnostics import count_codes, occurring_levels, one_to_one, sorted_counts
from climbfast.errors import ClimbfastWarning
from tests.factories import quiet


def test_constant_columns_are_kept_and_named() -> None:
    with pytest.warns(ClimbfastWarning, match="constant columns, independent of everything: 'k'$"):
        data = Dataset.from_frame({"k": [7] * 30, "x": [0, 1, 1] * 10})
    assert data.constant == ("k",)
    assert data.names == ("k", "x")


def test_columns_of_many_levels_are_named() -> None:
    numbers = [f"p{i // 2}" for i in range(60)]
    with pytest.warns(ClimbfastWarning, match=r"more levels than rows / 5.*: 'number'; exclude them with leave_out"):
        data = Dataset.from_frame({"number": numbers, "x": [0, 1, 1] * 20})
    assert data.nearly_unique == ("number",)
    assert data.ids == ()
    twelve = {"x": np.arange(60) % 12, "y": np.arange(60) % 7}
    assert Dataset.from_frame(twelve).nearly_unique == ()


def test_ids_are_kept_and_independent_of_everything() -> None:
    id_column = [f"p{i:02}" for i in range(60)]
    frame = {"id": id_column, "x": [0, 1, 1] * 20, "y": [0, 1, 0] * 20}
    with pytest.warns(ClimbfastWarning, match=r"id columns, .*: 'id'; keep_ids=True takes them as they are") as caught:
        data = Dataset.from_frame(frame)
    assert len(caught) == 1
    assert (data.ids, data.constant, data.nearly_unique) == (("id",), (), ())
    assert data.levels["id"] == tuple(id_column)
    assert data.arity[data.index("id")] == 1
    other = quiet({**frame, "id": id_column[::-1]})
    assert other.fingerprint != data.fingerprint
    assert pickle.loads(pickle.dumps(data)).fingerprint == data.fingerprint


def test_ids_on_request() -> None:
    data = quiet({"id": range(60), "x": [0, 1, 1] * 20}, keep_ids=True)
    assert (data.ids, data.nearly_unique) == ((), ("id",))
    assert data.arity[data.index("id")] == 60


@pytest.mark.parametrize(("levels", "rows", "ids"), [(10, 10, ()), (11, 11, ("x",)), (90, 100, ()), (91, 100, ("x",))])
def test_the_rule_for_ids(levels: int, rows: int, ids: tuple[str, ...]) -> None:
    assert quiet({"x": np.arange(rows) % levels, "y": np.arange(rows) % 2}).ids == ids


def test_an_id_with_missing_cells() -> None:
    numbers = [None, *range(1, 100)]
    data = quiet({"x": numbers, "y": [0, 1] * 50}, missing="drop-rows")
    assert (data.rows, data.ids) == (99, ("x",))
    data = quiet({"x": numbers, "y": [0, 1] * 50}, missing="level")
    assert (data.rows, data.ids) == (100, ("x",))


def test_columns_that_determine_each_other_are_named() -> None:
    a = np.random.default_rng(4).integers(0, 3, 300)
    b = np.random.default_rng(5).permutation(a)  # the same counts, another column
    names = np.array(["zero", "one", "two"])
    frame = {"copy": a, "a": a, "b": b, "c": names[a], "not b": 2 - b, "sum": (a + b) % 3}
    with pytest.warns(ClimbfastWarning, match="one to one: 'a' = 'c' = 'copy', 'b' = 'not b'$"):
        data = Dataset.from_frame(frame)
    assert data.one_to_one == (("a", "c", "copy"), ("b", "not b"))


def test_a_warning_names_twenty_and_counts_the_rest() -> None:
    with pytest.warns(ClimbfastWarning, match="'n19' and 5 more$") as caught:
        Dataset.from_frame({f"n{i:02}": [1] * 30 for i in range(25)})
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_merged_cuts_are_named_in_one_warning() -> None:
    frame = {"x": [0.5] * 9 + [1.5], "y": [0.5] * 9 + [2.5], "z": list(range(10))}
    with pytest.warns(ClimbfastWarning) as caught:
        Dataset.from_frame(frame, numbers={"x": "quantile:4", "y": "quantile:2", "z": "quantile:2"})
    messages = [str(w.message) for w in caught if "merged" in str(w.message)]
    assert messages == [
        "columns with fewer intervals than asked for, because equal cuts merged or values are few: 'x' (1 of 4), "
        "'y' (1 of 2)"
    ]


def test_many_whole_numbers_are_named_in_one_warning() -> None:
    ages = np.random.default_rng(0).integers(18, 90, 200)
    frame = {"age": ages, "old": ages + 1, "sex": ["f", "m"] * 100, "few": ages % 20, "text": [f"{a:03}" for a in ages]}
    with pytest.warns(ClimbfastWarning) as caught:
        data = Dataset.from_frame(frame | {"id": range(200)})
    [message] = [str(w.message) for w in caught if "whole numbers" in str(w.message)]
    assert "'age', 'old'; cut them into intervals with numbers='auto'" in message
    assert data.uncut == ("age", "old", "id")
    categories = pd.DataFrame({"age": pd.Categorical(ages)})
    for options in ({"numbers": "levels"}, {"numbers": "auto"}, {"declared_levels": {"age": [*range(18, 90)]}}):
        assert quiet({"age": ages}, **options).uncut == ()
    assert quiet(categories).uncut == ()


def test_copies_are_missing_in_the_same_rows() -> None:
    """What is missing in one column may not be a level of the other."""
    a = [0] * 5 + [1] * 5 + [None] * 5
    turned = [None] * 5 + [0] * 5 + [1] * 5
    frame = {"a": a, "turned": turned, "copy": [v if v is None else ["no", "yes"][v] for v in a]}
    data = quiet({**frame, "fewer": [*a[:10], 0, *a[11:]]}, missing="test-wise")
    assert data.one_to_one == (("a", "copy"),)
    assert data.missing == {"a": 5, "copy": 5, "fewer": 4, "turned": 5}
    again = quiet({"a": [*a, *[None] * 300], "copy": [*frame["copy"], *[None] * 299, "no"]}, missing="test-wise")
    assert again.one_to_one == ()


def test_missing_cells_are_named_with_what_they_depend_on() -> None:
    x = np.random.default_rng(1).integers(0, 3, 400)
    gone = (x == 2) & (np.random.default_rng(2).random(400) < 0.9)
    z = np.random.default_rng(3).integers(0, 2, 400)
    frame = {"x": x.tolist(), **{name: np.where(gone, None, z.astype(object)).tolist() for name in ("y", "z")}}
    frame["z"][0] = 1 - frame["z"][0]
    frame["none"] = [None] * 400
    with pytest.warns(ClimbfastWarning) as caught:
        Dataset.from_frame(frame, missing="test-wise")
    says = [str(each.message) for each in caught]
    assert re.fullmatch(
        r"cells are missing in 'none', 'y', 'z' \(at most 100 % of the rows, in 'none'\); every test uses the rows "
        r"that are complete in its own columns; missing together more often than by chance: 'y', 'z'",
        says[0],
    )
    assert says[1] == "columns without any value, independent of everything: 'none'"
    assert says[2].endswith("what is missing depends on other columns: in 'y' on 'x', in 'z' on 'x'")
    assert len(says) == 3


def warnings_of(frame: Any, word: str, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Dataset.from_frame(frame, **options)
    return [str(w.message) for w in caught if word in str(w.message)]


def test_cuts_that_look_at_a_target_are_named_once() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    frame = {"x": y + rng.normal(size=200), "z": rng.normal(size=200), "y": y}
    assert warnings_of(frame, "target", numbers="mdlp:y") == [
        "cuts by mdlp look at their target ('y'), so that the same rows cannot test what is found about it"
    ]
    assert not warnings_of(frame, "target", numbers="auto")
    cuts = Discretizer("mdlp:y").fit(frame)
    assert not warnings_of({name: cells[:100] for name, cells in frame.items()}, "target", numbers=cuts)


def test_text_that_is_nearly_numbers_is_named() -> None:
    texts = [str(i / 8) for i in range(200)]
    frame = {"x": [*texts[:-2], "ask", "?"], "y": [0, 1] * 100, "text": [f"t{i % 50}" for i in range(200)]}
    [message] = warnings_of(frame, "no numbers", numbers="auto")
    assert message == (
        "columns that are not cut, since some of their texts are no numbers: 'x' ('?', 'ask'); if such a text stands "
        "for a missing cell, name it with missing_markers"
    )
    assert not warnings_of(frame, "no numbers")
    assert not warnings_of(frame, "no numbers", numbers={None: "auto", "x": "levels"})
    assert warnings_of(frame | {"x": [*texts[:100], *["?a", "?b"] * 50]}, "no numbers", numbers="auto")
    half = [*texts[:100], *[f"?{i}" for i in range(100)]]
    assert not warnings_of(frame | {"x": half}, "no numbers", numbers="auto")


def test_durations_are_named() -> None:
    frame = {"wait": [dt.timedelta(days=i % 30) for i in range(90)], "y": [0, 1] * 45}
    [message] = warnings_of(frame, "durations", numbers="auto")
    assert message == "columns of durations, which are not cut: 'wait'; make them numbers, such as days"
    assert not warnings_of(frame, "durations")


def test_numbers_that_may_be_identifiers_are_named() -> None:
    numbers = np.random.default_rng(0).choice(10**6, 200, replace=False)
    frame = {"code": numbers, "y": [0, 1] * 100, "age": numbers % 70, "real": numbers + 0.5}
    [message] = warnings_of(frame, "all different", numbers="auto")
    assert message == (
        "columns of whole numbers that are all different, cut like others: 'code'; if these are identifiers, leave "
        "them out with leave_out=..."
    )
    with_gaps = {"code": [None, *numbers[1:].tolist()], "y": frame["y"]}
    assert warnings_of(with_gaps, "all different", numbers="auto", missing="test-wise")
    assert not warnings_of(frame, "all different", numbers={"code": "quantile:2", None: "auto"})
    assert not warnings_of(frame, "all different", numbers="auto", keep_ids=True)
    few = {name: cells[:50] for name, cells in frame.items()}
    assert not warnings_of(few, "all different", numbers="auto")


@pytest.mark.parametrize("size", [3, 20])
def test_codes_are_counted_with_their_weights(size: int) -> None:
    rng = np.random.default_rng(size)
    codes, weights = rng.integers(0, size + 1, 300), rng.integers(0, 5, 300)
    expected = [sum(int(w) for code, w in zip(codes, weights, strict=True) if code == level) for level in range(size)]
    assert count_codes(codes, size, weights).tolist() == expected
    assert count_codes(codes, size, None).tolist() == [int((codes == level).sum()) for level in range(size)]


@pytest.mark.parametrize("size", [1, 2, 8, 9, 20])
def test_the_last_code_of_a_complete_column_is_what_the_others_leave(size: int) -> None:
    codes = np.random.default_rng(size).integers(0, size, 300)
    for last in (size, size + 2):  # also where the last ones do not occur
        expected = [int((codes == level).sum()) for level in range(last)]
        assert count_codes(codes, last, None, is_complete=True).tolist() == expected


def test_sorted_counts_are_ordered_as_their_lists_are() -> None:
    counts = [[3, 0, 300], [7], [300, 3, 0], [], [256, 1, 46], [2**40, 5]]
    found = sorted_counts([np.array(each, np.int64) for each in counts])
    assert [np.frombuffer(each, ">i8").tolist() for each in found] == [sorted(each) for each in counts]
    assert sorted(found) == [found[i] for i in sorted(range(6), key=lambda i: sorted(counts[i]))]


def test_levels_that_occur() -> None:
    counts = [[3, 0, 300], [7], [], [0, 0], [1, 1]]
    assert occurring_levels([np.array(each, np.int64) for each in counts]).tolist() == [2, 1, 0, 0, 2]
    assert occurring_levels([]).tolist() == []


@pytest.mark.parametrize("rows", [2, 255, 256, 257, 600])
def test_columns_that_differ_in_one_row_are_no_copies(rows: int) -> None:
    first = np.arange(rows) % 2
    expected = [(0, 1)] if rows > 2 else [(0, 1, 2)]  # two rows that differ are a copy of any two that do
    for row in {0, rows // 2, rows - 1}:
        other = 1 - first
        other[row] = 2  # it changes from row to row as the others do
        codes = np.array([first, 1 - first, other], dtype=np.uint8)
        counts = [count_codes(column, 3, None) for column in codes]
        assert one_to_one(codes, counts) == expected
        counts = [np.array([1, 2, rows])] * 3  # counts that do not tell them apart
        assert one_to_one(codes, counts) == expected


def test_levels_that_do_not_occur_do_not_part_copies() -> None:
    cells = {"a": [0, 1, 1] * 90, "b": [2, 5, 5] * 90, "c": [0, 1, 2] * 90}
    declared = {"a": [0, 1], "b": list(range(300)), "c": [0, 1, 2]}
    assert quiet(cells, declared_levels=declared, numbers="levels").one_to_one == (("a", "b"),)
