"""Distinct rows against numpy, by histogram and by sorting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels import counts, patterns
from climbfast_kernels.distinct import distinct_rows, hold_distinct_rows
from tests.tables import EXAMPLES, arrays, draw_codes, random_arrays, small_codes

WAYS = (counts.AUTO, counts.SPARSE)


@pytest.mark.parametrize("way", WAYS)
@given(small_codes(least=1), st.data())
@settings(max_examples=EXAMPLES)
def test_distinct_rows(way, drawn, draw):
    codes, arities = drawn
    data = arrays(codes, arities)
    target, *columns = draw.draw(st.permutations(range(len(codes))))
    room = data.room(len(columns))
    values, weight = distinct_rows(data.codes, data.bits, room, way, target, np.array(columns, np.int64))
    expected, count = np.unique(data.codes[[*columns[::-1], target]], axis=1, return_counts=True)
    assert np.array_equal(values, expected[[*range(len(columns))[::-1], len(columns)]])
    assert np.array_equal(weight, count)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("arity", [255, 256, 257, 65_536, 70_000])
def test_at_the_edges_of_storage_types(arity, way):
    codes = np.array([[0, 1, 0, 1, 1], [arity - 1, 0, arity - 1, arity - 1, 0]], np.min_scalar_type(arity - 1))
    data = arrays(codes, [2, arity])
    values, weight = distinct_rows(data.codes, data.bits, data.room(1), way, 0, np.array([1]))
    assert values.tolist() == [[0, arity - 1, arity - 1], [1, 0, 1]]
    assert weight.tolist() == [2, 2, 1]


def held_rows(strata, columns):
    """The distinct rows that are held, with how many rows each stands for."""
    many = int(strata.state[counts.S_HELD])
    rows = strata.held[strata.place[columns], :many].T.tolist()
    return dict(zip(map(tuple, rows), strata.weight[:many].tolist(), strict=True))


@given(small_codes(least=2), st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_held_rows_and_the_tables_counted_from_them(drawn, draw):
    codes, arities = drawn
    data = arrays(np.tile(codes, 5), arities)  # at least five rows of each
    columns = draw.draw(st.permutations(range(len(codes))))[: draw.draw(st.integers(2, len(codes)))]
    expected, count = np.unique(data.codes[columns], axis=1, return_counts=True)
    room, most = data.room(), len(count)
    hold_distinct_rows(data.codes, data.bits, room, np.array(columns, np.int64), most - 1)
    assert room.state[counts.S_HELD] == 0
    hold_distinct_rows(data.codes, data.bits, room, np.array(columns, np.int64), most)
    assert held_rows(room, columns) == dict(zip(map(tuple, expected.T.tolist()), count.tolist(), strict=True))
    for n_given in range(len(columns) - 1):
        x, y, *given_columns = draw.draw(st.permutations(columns))
        given_columns = np.array(given_columns[:n_given], np.int64)
        sizes = []
        for strata in (room, data.room()):
            counts.open_strata(strata, given_columns, n_given)
            strata_counted = counts.count_table(data.codes, data.bits, strata, x, y, counts.DENSE, 1)
            sizes.append(strata.table[: strata_counted * data.arity[x] * data.arity[y]].tolist())
        assert sizes[0] == sizes[1]


@pytest.mark.parametrize("arities", [[2] * 14, [3, 200, 2, 2, 50], [256, 64, 2, 2]], ids=str)
def test_rows_of_more_cells_than_there_is_room_for(arities):
    """Numbered anew on the way; three rows in four are copies."""
    few = draw_codes(arities, 40, seed=1)
    data = arrays(np.tile(few, 5), arities)
    room, columns = data.room(), np.arange(len(arities))
    assert np.prod(np.array(arities, float)) > len(room.table)
    hold_distinct_rows(data.codes, data.bits, room, columns, 40)
    rows, count = np.unique(data.codes, axis=1, return_counts=True)
    assert held_rows(room, columns) == dict(zip(map(tuple, rows.T.tolist()), count.tolist(), strict=True))


@pytest.mark.parametrize("arity", [2, 257])
def test_rows_are_held_when_it_pays(arity):
    """For all sets of three of seven columns; not for one test, nor with a column of too many levels."""
    data = random_arrays([2] * 8 + [arity], 20_000)
    nobody, given_columns = np.empty(0, np.int64), np.array([1, 2, 3])

    def held(candidates, pool, left):
        room = data.room()
        counts.open_strata(room, given_columns, 3)
        separated = np.zeros(len(candidates), np.bool_)
        patterns._hold_if_it_pays(
            data.codes, data.bits, room, 0, np.array(candidates), separated, np.array(pool), nobody, 3, left
        )
        return int(room.state[counts.S_HELD])

    assert held([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7], 7 * 2000) > 100
    assert held([4], [1, 2, 3], 1) == 0
    assert (held([1, 2, 3, 4, 8], [1, 2, 3, 4, 5, 6, 7], 7 * 2000) > 0) == (arity == 2)
