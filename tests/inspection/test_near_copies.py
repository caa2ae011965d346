"""Columns that are equal in nearly all rows, up to the names of their levels."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.inspection.inspected_table import InspectedTable
from climbfast.inspection.near_copies import find_near_copies, near_copies_in, rows_apart
from tests.inspection.tables import draw, table_of

X = draw(4, 600, 0)


def changed(column, rows: int):
    """The column with other levels in so many rows."""
    other = column.copy()
    other[:rows] = (other[:rows] + 1) % 4
    return other


def test_the_finding():
    frame = {"x": X, "near": [f"w{v}" for v in changed(X, 6)], "far": changed(X, 7), "other": draw(4, 600, 1)}
    found = cf.inspect(frame)
    messages = [finding.message for finding in found.of_kind("near-copies")]
    assert messages == [
        "columns 'x', 'near' are equal in all but 6 of 600 rows, up to the names of their levels",
        "columns 'near', 'far' are equal in all but 1 of 600 rows, up to the names of their levels",
    ]


def test_columns_that_are_mostly_one_level_do_not_agree_by_chance():
    rng = np.random.default_rng(0)
    rare = {f"x{i}": np.where(rng.random(2000) < 0.012, 1, 0) for i in range(6)}
    table = table_of(rare)
    assert not near_copies_in(table, table.varying).pairs


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30))
@settings(max_examples=50)
def test_rows_apart_is_near_the_best_renaming(rows):
    x, y = map(list, zip(*rows, strict=True))
    best = min(sum(a != new[b] for a, b in rows) for new in permutations(range(3)))
    apart = rows_apart(table_of({"x": [f"{v}" for v in x], "y": [f"{v}" for v in y]}), 0, 1)
    assert apart >= best
    if 3 * best < min(map(x.count, {*x})) and len({*x}) == len({*y}) == 3:
        assert apart == best


def test_a_missing_cell_is_a_difference():
    near = X.astype(object)
    near[:3] = None
    table = table_of({"x": X, "near": near.tolist()})
    assert near_copies_in(table, [0, 1]).pairs == {(0, 1): 3}


def test_small_tables_have_none():
    table = table_of({"x": [0, 1] * 45, "y": [1] + [0, 1] * 44 + [1]})
    assert not near_copies_in(table, [0, 1]).pairs


def test_the_work_is_bounded():
    table = table_of({f"x{i}": changed(X, i) for i in range(8)})
    near = near_copies_in(table, table.varying, budget=600)
    assert not near.is_complete
    assert [finding.kind for finding in find_near_copies(table, near)][-1] == "not-searched"


def test_the_order_of_rows_and_columns_does_not_matter():
    rng = np.random.default_rng(0)
    frame = {f"x{i}": changed(X, i) for i in range(8)}
    order = rng.permutation(600)
    shuffled = {name: frame[name][order] for name in reversed(frame)}
    pairs = near_copies_in(table_of(frame), range(8)).pairs
    turned = near_copies_in(table_of(shuffled), range(8)).pairs
    assert pairs == {(7 - y, 7 - x): apart for (x, y), apart in turned.items()}
    assert len(pairs) == 27


def test_weights_stand_for_repeated_rows():
    x = draw(3, 300, 0)
    y = x.copy()
    y[0] = (y[0] + 1) % 3
    weights = np.ones(300, dtype=np.int64)
    found = {}
    for weight in (2, 4):
        weights[0] = weight
        table = InspectedTable(table_of({"x": x, "y": y}).columns, 300, frozenset(), weights)
        found[weight] = near_copies_in(table, [0, 1]).pairs
    assert found == {2: {(0, 1): 2}, 4: {}}  # of 301 and 303 rows
