"""Data in a notebook."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import climbfast as cf
from tests.notebook.results import check_html


def read(table, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cf.Dataset.from_frame(table, **options)


TABLE = {
    "age": [31.5, 40.0, None, 20.25] * 10,
    "smoker": ["no", "yes", "no", "no"] * 10,
    "again": ["n", "y", "n", "n"] * 10,
    "one": ["a"] * 40,
    "number": [f"n{i}" for i in range(40)],
    "letter": [chr(65 + i % 9) for i in range(40)],
    "count": [i % 25 for i in range(40)],
}


def test_levels_missing_cells_and_remarks():
    text = check_html(read(TABLE, numbers={"age": [30]}, missing="test-wise")._repr_html_()).text
    assert text.startswith("Dataset : 40 rows, 7 columns column levels names of levels missing cells remarks")
    assert "age 2 (-inf, 30), [30, inf) 10 cut into intervals" in text
    assert "smoker 2 no, yes copy of again" in text
    assert "one 1 a constant" in text
    assert "number 40 n0, n1, n10, n11, n12, n13 and 34 more identifier" in text
    assert "letter 9 A, B, C, D, E, F and 3 more" in text
    assert "count 25 0, 1, 2, 3, 4, 5 and 19 more nearly as many levels as rows; whole numbers, not cut" in text


def test_missing_as_a_level():
    text = check_html(read({"a": ["x", None, None, "y"]}, missing="level")._repr_html_()).text
    assert "a 3 x, y, (missing) 2" in text


def test_weights_count():
    data = read({"a": ["x", "y", None], "n": [1, 5, 7]}, weights="n", missing="test-wise")
    assert "13 rows" in check_html(data._repr_html_()).text
    assert "a 2 x, y 7" in check_html(data._repr_html_()).text


def test_wide_data_say_what_one_should_know_of_all_columns():
    table = {f"c{j}": np.arange(30) % 3 for j in range(500)} | {"one": ["a"] * 30, "gap": ["a", None, "b"] * 10}
    data = read(table, missing="test-wise")
    html = data._repr_html_()
    text = check_html(html).text
    assert "and 482 more" in text
    assert "constant: 1 column (one)" in text
    assert "with missing cells: 1 column (gap)" in text
    assert len(html) < 20_000


def test_nothing_is_computed_for_it():
    data = cf.load_example().sample(100, seed=1)
    before = set(vars(data))
    check_html(data._repr_html_())
    assert set(vars(data)) - before <= {"rows", "cuts", "positions", "nearly_unique", "copies"}
    fresh = data.restricted_to([0, 1])  # for which copies were not looked for
    check_html(fresh._repr_html_())
    assert {"copies", "one_to_one", "bits", "level_counts"}.isdisjoint(vars(fresh))


@pytest.mark.parametrize("fitted", [True, False])
def test_discretizer(fitted):
    discretizer = cf.Discretizer({"age": [18, 65]})
    if fitted:
        discretizer = discretizer.fit({"age": [10.5, 20, 70]})
    text = check_html(discretizer._repr_html_()).text
    assert text.startswith("Discretizer : ")
    assert ("age 3 18, 65" in text) == fitted
