"""A table of drawn rows: the same as the table that is read of these rows, with the levels of the first one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import climbfast as cf
from tests.factories import codes_with_gaps, draw_codes, quiet, small_codes, weights_of

SEARCHES = {
    "pc": lambda data: cf.pc(data, n_jobs=1),
    "pc by G2": lambda data: cf.pc(data, "g2", n_jobs=1),
    "fges": cf.fges,
    "best": lambda data: cf.causal_graph(data, perturbations=2),
    "blankets": lambda data: dict(cf.markov_blankets(data, progress=False, n_jobs=1)),
    "blanket": lambda data: cf.markov_blanket(data, data.sorted_names[0]),
}


def cells(codes, arities):
    """A frame of the codes, None where a cell is missing, with the names in another order than the columns."""
    return {
        f"c{(i * 7) % 10}{i}": [None if code == k else f"l{code}" for code in column.tolist()]
        for i, (column, k) in enumerate(zip(codes, arities, strict=True))
    }


def read_again(frame, data, rows, **options):
    """The drawn rows as a frame, read with the levels of the data: the naive reference."""
    drawn = {name: [column[row] for row in rows] for name, column in frame.items()}
    return quiet(drawn, declared_levels={name: data.levels[name] for name in data.names}, **options)


def assert_same(found, expected):
    assert found.names == expected.names
    assert found.canonical == expected.canonical
    assert found.codes.tolist() == expected.codes.tolist()
    assert found.arity.tolist() == expected.arity.tolist()
    assert found.incomplete.tolist() == expected.incomplete.tolist()
    assert [each.tolist() for each in found.level_counts] == [each.tolist() for each in expected.level_counts]
    for of_found, of_expected in zip(found.bits, expected.bits, strict=True):
        assert np.array_equal(of_found, of_expected)
    assert found.rows == expected.rows
    assert (found.constant, found.copies, found.missing) == (expected.constant, expected.copies, expected.missing)


def rows_of(count, number):
    return st.lists(st.integers(0, count - 1), min_size=1, max_size=number).map(sorted)


@given(st.data())
def test_as_if_it_had_been_read(draw):
    codes, arities = draw.draw(small_codes())
    frame = cells(codes, arities)
    data = quiet(frame)
    rows = draw.draw(rows_of(codes.shape[1], 60))
    assert_same(data.resampled(np.array(rows)), read_again(frame, data, rows))


@given(st.data())
def test_with_missing_cells(draw):
    codes, arities = draw.draw(codes_with_gaps())
    frame = cells(codes, arities)
    frame["full"] = ["f"] * codes.shape[1]  # a table without any cell is refused
    data = quiet(frame, missing="test-wise")
    if not all(data.levels.values()):
        return  # a column without any value has no levels to declare
    rows = draw.draw(rows_of(codes.shape[1], 60))
    assert_same(data.resampled(np.array(rows)), read_again(frame, data, rows, missing="test-wise"))


@given(st.data())
def test_with_weights(draw):
    codes, arities = draw.draw(small_codes())
    weights = draw.draw(weights_of(codes.shape[1]))
    frame = cells(codes, arities)
    data = quiet({**frame, "weight": weights.tolist()}, weights="weight")
    rows = draw.draw(rows_of(int(weights.sum()), 60))
    stored = [row for row, times in enumerate(weights.tolist()) for _ in range(times)]
    found = data.resampled(np.array(rows))
    expected = read_again(frame, data, [stored[row] for row in rows])
    assert found.rows == expected.rows
    repeated = np.repeat(found.codes, found.weights, axis=1)
    order = [found.positions[name] for name in expected.canonical]
    assert sorted(zip(*repeated[order].tolist(), strict=True)) == sorted(zip(*expected.codes.tolist(), strict=True))
    assert found.canonical == expected.canonical


def tables():
    """Tables with copies, a constant, an id, and levels that few rows have; and the rows to draw."""
    rng = np.random.default_rng(3)
    codes = draw_codes([2, 3, 2, 4, 3, 2], 400, seed=3, lean=0.7)
    frame = cells(codes, [9] * 6)
    names = list(frame)
    frame["copy"] = [f"x{cell}" for cell in frame[names[2]]]
    frame["constant"] = ["a"] * 400
    frame["rare"] = ["r" if row == 17 else f"l{row % 2}" for row in range(400)]
    drawn = sorted(row for row in rng.integers(400, size=400).tolist() if row != 17)
    return frame, drawn


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("kind", ["plain", "test-wise", "weights", "id"])
def test_searches_find_the_same(search, kind):
    frame, rows = tables()
    options, of_rows = {}, {}
    if kind == "test-wise":
        first = next(iter(frame))
        frame[first] = [None if row % 9 == 0 else cell for row, cell in enumerate(frame[first])]
        options = of_rows = {"missing": "test-wise"}
    if kind == "id":
        frame["id"] = [f"n{row}" for row in range(400)]
    stored = list(range(400))
    if kind == "weights":
        times = [1 + row % 3 for row in range(400)]
        stored = [row for row, n in enumerate(times) for _ in range(n)]
        data = quiet({**frame, "times": times}, weights="times")
        rows = sorted([2 * row for row in rows] + [5, 5, 6])
    else:
        data = quiet(frame, **options)
    found = data.resampled(np.array(rows))
    if kind == "id":  # an id stays one, which is as good as a constant
        frame["id"] = ["n0"] * 400
        data = replace(data, levels={**data.levels, "id": ("n0",)})
    expected = read_again(frame, data, [stored[row] for row in rows], **of_rows)
    assert found.levels["rare"] == expected.levels["rare"] == ("l0", "l1", "r")
    assert without_provenance(SEARCHES[search](found)) == without_provenance(SEARCHES[search](expected))


def without_provenance(found):
    """The result without what it says of the data."""
    if isinstance(found, dict):
        return {name: without_provenance(blanket) for name, blanket in found.items()}
    return replace(found, options={}, seconds=0.0)


def test_the_data_stay():
    data = quiet(tables()[0])
    before = data.fingerprint
    drawn = data.resampled(np.array([0, 0, 5]))
    assert (drawn.rows, data.rows) == (3, 400)
    assert replace(data).fingerprint == before
    with pytest.raises(ValueError, match="read-only"):
        drawn.codes[0, 0] = 1
