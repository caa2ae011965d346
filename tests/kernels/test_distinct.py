"""Distinct rows against numpy, by histogram and by sorting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels import cost_model, patterns, workspace
from climbfast_kernels.distinct import distinct_rows, hold_distinct_rows
from tests.factories import EXAMPLES, arrays, codes_with_gaps, draw_codes, small_codes, weights_of
from tests.kernels.naive import rows_of

STRATEGIES = (cost_model.AUTO, cost_model.SPARSE)


@given(small_codes(least=1), st.data())
@settings(max_examples=EXAMPLES)
def test_distinct_rows(drawn, draw):
    codes, arities = drawn
    data = arrays(codes, arities)
    target, *columns = draw.draw(st.permutations(range(len(codes))))
    expected, count = np.unique(data.codes[[*columns[::-1], target]], axis=1, return_counts=True)
    for strategy in STRATEGIES:
        work = data.workspace(len(columns))
        values, weight = distinct_rows(data.codes, data.bits, work, strategy, target, np.array(columns, np.int64))
        assert np.array_equal(values, expected[[*range(len(columns))[::-1], len(columns)]])
        assert np.array_equal(weight, count)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("arity", [255, 256, 257, 65_536, 70_000])
def test_at_the_edges_of_storage_types(arity, strategy):
    codes = np.array([[0, 1, 0, 1, 1], [arity - 1, 0, arity - 1, arity - 1, 0]], np.min_scalar_type(arity - 1))
    data = arrays(codes, [2, arity])
    values, weight = distinct_rows(data.codes, data.bits, data.workspace(1), strategy, 0, np.array([1]))
    assert values.tolist() == [[0, arity - 1, arity - 1], [1, 0, 1]]
    assert weight.tolist() == [2, 2, 1]


def held_rows(work, columns):
    """The distinct rows that are held, with how many rows each stands for."""
    many = int(work.state[workspace.S_HELD])
    rows = work.held[work.place[columns], :many].T.tolist()
    return dict(zip(map(tuple, rows), work.weight[:many].tolist(), strict=True))


@given(small_codes(least=2), st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_held_rows_and_the_tables_counted_from_them(drawn, draw):
    codes, arities = drawn
    data = arrays(np.tile(codes, 5), arities)  # at least five rows of each
    columns = draw.draw(st.permutations(range(len(codes))))[: draw.draw(st.integers(2, len(codes)))]
    expected, count = np.unique(data.codes[columns], axis=1, return_counts=True)
    work, most = data.workspace(), len(count)
    hold_distinct_rows(data.codes, data.bits, work, np.array(columns, np.int64), most - 1)
    assert work.state[workspace.S_HELD] == 0
    hold_distinct_rows(data.codes, data.bits, work, np.array(columns, np.int64), most)
    assert held_rows(work, columns) == dict(zip(map(tuple, expected.T.tolist()), count.tolist(), strict=True))
    for n_given in range(len(columns) - 1):
        x, y, *given_columns = draw.draw(st.permutations(columns))
        cells = int(np.prod(data.arity[[x, y, *given_columns[:n_given]]]))
        assert cells <= len(work.table)
        counted = []
        for each in (work, data.workspace()):
            figures = data.figures(x, y, given_columns[:n_given], cost_model.DENSE, each)
            counted.append((figures, each.table[:cells].tolist()))
        assert counted[0] == counted[1]


@pytest.mark.parametrize("arities", [[2] * 14, [3, 200, 2, 2, 50], [256, 64, 2, 2]], ids=str)
def test_rows_of_more_cells_than_there_is_room_for(arities):
    """Rows are numbered anew where the product of arities is too large; four in five are copies."""
    few = draw_codes(arities, 40, seed=1)
    data = arrays(np.tile(few, 5), arities)
    work, columns = data.workspace(), np.arange(len(arities))
    assert np.prod(np.array(arities, float)) > len(work.table)
    hold_distinct_rows(data.codes, data.bits, work, columns, 40)
    rows, count = np.unique(data.codes, axis=1, return_counts=True)
    assert held_rows(work, columns) == dict(zip(map(tuple, rows.T.tolist()), count.tolist(), strict=True))


@pytest.mark.parametrize("arity", [2, 257])
def test_rows_are_held_when_it_pays(arity):
    """For many tests; not for one, nor with a column of too many levels."""
    data = arrays(draw_codes([2] * 8 + [arity], 20_000).astype(np.uint16), [2] * 8 + [arity])
    no_columns, given_columns = np.empty(0, np.int64), np.array([1, 2, 3])

    def held(candidates, pool, tests):
        work = data.workspace()
        workspace.open_strata(work, given_columns, 3)
        separated = np.zeros(len(candidates), np.bool_)
        is_tried = patterns._hold_if_faster(
            data.codes, data.bits, work, 0, np.array(candidates), separated, np.array(pool), no_columns, 3,
            len(candidates), tests,
        )  # fmt: skip
        held_rows = int(work.state[workspace.S_HELD])
        assert is_tried == (held_rows > 0)
        return held_rows

    assert held([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7], 500_000.0) > 100
    assert held([4], [1, 2, 3], 1.0) == 0
    assert (held([1, 2, 3, 4, 8], [1, 2, 3, 4, 5, 6, 7], 500_000.0) > 0) == (arity == 2)


@given(codes_with_gaps(least=1), st.data())
@settings(max_examples=EXAMPLES)
def test_distinct_rows_without_missing_cells(drawn, draw):
    codes, arities = drawn
    data = arrays(codes, arities, draw.draw(st.none() | weights_of(codes.shape[1])))
    target, *columns = draw.draw(st.permutations(range(len(codes))))
    columns = columns[: draw.draw(st.integers(0, len(columns)))]
    complete = rows_of(data, [target, *columns])[[*columns[::-1], target]]
    expected, count = np.unique(complete, axis=1, return_counts=True)
    for strategy in STRATEGIES:
        work = data.workspace(len(columns))
        values, weight = distinct_rows(data.codes, data.bits, work, strategy, target, np.array(columns, np.int64))
        assert np.array_equal(values, expected[[*range(len(columns))[::-1], len(columns)]])
        assert np.array_equal(weight, count)
