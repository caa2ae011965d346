"""Value labels as levels, and columns that a file has but that cannot be read."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from climbfast.dataset.options import Options, check_options
from climbfast.dataset.table import Table, encode_table
from climbfast.errors import DataError
from tests.dataset.tables import cells


def options(**typed: Any) -> Options:
    usual: dict[str, Any] = {"missing": "level", "missing_markers": None, "declared_levels": None, "numbers": "levels"}
    others: dict[str, Any] = {"weights": None, "keep_ids": True, "columns": None, "leave_out": None}
    return check_options(**{**usual, **others, **typed})


def levels(values: Any, labels: dict[Any, str], **typed: Any) -> Any:
    return encode_table(Table(pl.DataFrame({"x": values}), {"x": labels}), "sav", options(**typed)).levels["x"]


@pytest.mark.parametrize(
    ("values", "labels", "expected"),
    [
        ([3.0, 1.0, 2.0], {1.0: "one", 2.0: "two", 3.0: "three"}, ("one", "two", "three")),
        ([2.0, 1.0, None], {1.0: "one", 2.0: "two", 9.0: "nine"}, ("one", "two", None)),
        ([1.0, 2.0, 3.0, 9.0], {1.0: "one", 2.0: "two"}, ("one", "two", "3", "9")),
        ([1.0, 2.5], {1.0: "one"}, ("one", "2.5")),
        ([1.0, 2.0, 3.0], {1.0: "one"}, (1, 2, 3)),
        ([1.0, 2.0, 3.0], {9.0: "nine"}, (1, 2, 3)),
        ([1.0, 2.0, 3.0], {1.0: "same", 2.0: "same", 3.0: "else"}, ("same (1)", "same (2)", "else")),
        ([1.0, 2.0], {1.0: "2"}, ("2 (1)", "2 (2)")),
        (["b", "a", "c"], {"b": "Bonn", "a": "Aachen"}, ("Aachen", "Bonn", "c")),
        (["b", "a", "c"], {"b": "Bonn"}, ("a", "Bonn", "c")),
        (["b", "a", "c"], {"z": "Zürich"}, ("a", "b", "c")),
        ([None, None], {1.0: "one"}, (None,)),
    ],
)
def test_labels_as_levels(values: Any, labels: dict[Any, str], expected: Any) -> None:
    if not isinstance(values[0], str):
        values = pl.Series(values, dtype=pl.Float64)
    assert levels(values, labels) == expected


def test_labels_of_values_that_do_not_occur_are_levels_if_asked_for() -> None:
    labels = {1.0: "one", 2.0: "two", 9.0: "nine"}
    assert levels([2.0, 1.0], labels, declared_levels=True) == ("one", "two", "nine")
    assert levels([2.0, 1.0], labels, declared_levels={"x": ("two", "one")}) == ("two", "one")


@pytest.mark.parametrize("marker", [9, "9", "nine"])
def test_markers_are_values_or_labels(marker: Any) -> None:
    labels = {1.0: "one", 2.0: "two", 9.0: "nine"}
    found = levels([2.0, 1.0, 9.0], labels, missing_markers=[marker], declared_levels=True)
    assert found == ("one", "two", None)


def test_labels_that_cannot_be_told_apart() -> None:
    with pytest.raises(DataError, match=r"column 'x' has labels that cannot be told apart: 'a \(1\)'"):
        levels([1.0, 2.0, 3.0], {1.0: "a", 2.0: "a", 3.0: "a (1)"})


def test_refused_columns_are_errors_only_if_asked_for() -> None:
    frame = pl.DataFrame({"x": [1, 2], "odd": [None, None]})
    table = Table(frame, refused={"odd": "is of R's type VEC, which cannot be levels"})
    with pytest.raises(DataError, match="column 'odd' is of R's type VEC, which cannot be levels"):
        encode_table(table, "rds", options())
    assert encode_table(table, "rds", options(columns=["x"])).names == ("x",)


def test_declared_levels_of_the_file_and_of_the_user() -> None:
    frame = pl.DataFrame({"x": ["a", "b"], "y": ["u", "u"]}, schema={"x": pl.Enum(["b", "a", "c"]), "y": pl.Enum("uv")})
    data = encode_table(Table(frame, declares_levels=True), "arff", options(declared_levels={"y": ("v", "u", "w")}))
    assert data.levels == {"x": ("b", "a", "c"), "y": ("v", "u", "w")}
    assert cells(data, "x") == ["a", "b"]
