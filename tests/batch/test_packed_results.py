"""What was found around a column, as two flat arrays and back."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast.batch.packed_results import (
    Cost,
    PackedResult,
    PackedResults,
    pack_neighbors,
    pack_result,
    unpack_cost,
    unpack_neighbors,
    unpack_result,
)
from climbfast.local.colliders import SeenSide
from climbfast.local.neighbors import Neighbors
from climbfast.local.target_search import TargetResult
from tests.factories import EXAMPLES

columns = st.lists(st.integers(0, 2**40), unique=True, max_size=5).map(tuple)
floats = st.floats(allow_nan=False)
figures = st.dictionaries(st.integers(0, 99), floats, max_size=4)
separators = st.dictionaries(st.integers(0, 99), columns, max_size=4)
costs = st.builds(
    Cost,
    st.lists(st.integers(0, 2**50), max_size=4).map(tuple),
    st.integers(0, 9),
    st.integers(1, 2**50),
    floats,
    st.integers(0, 99),
)
sides = st.dictionaries(st.integers(0, 99), st.builds(SeenSide, columns, floats), max_size=3)


@st.composite
def neighbors(draw):
    """Neighbors, of which those with a strength that is not positive were separated by a set or have no set."""
    strengths = draw(figures)
    apart = {x: draw(columns) for x, strength in strengths.items() if not strength > 0 and draw(st.booleans())}
    others = {x: given for x, given in draw(separators).items() if x not in strengths}
    return Neighbors(tuple(strengths), strengths, others, apart)


results = st.builds(
    TargetResult,
    parents=columns,
    children=columns,
    undecided=columns,
    spouses=st.dictionaries(st.integers(0, 99), figures, max_size=3),
    strengths=figures,
    margins=figures,
    evidence=sides,
    known=columns,
    contradicted=sides,
    separators=separators,
    exact=st.booleans(),
    gap=floats,
    whole_blanket=st.booleans(),
)


@given(neighbors(), costs)
@settings(max_examples=EXAMPLES // 2)
def test_neighbors_come_back(found, cost):
    packed = pack_neighbors(found, cost)
    assert unpack_neighbors(packed) == (replace(found, bounded=cost.bounded), cost)
    assert unpack_cost(packed) == cost
    assert (packed.ints.dtype, packed.floats.dtype) == (np.int64, np.float64)


@given(results, costs)
@settings(max_examples=EXAMPLES // 2)
def test_results_come_back(found, cost):
    packed = pack_result(found, cost)
    assert unpack_result(packed) == (replace(found, bounded=cost.bounded), cost)
    assert unpack_cost(packed) == cost


def test_separating_sets_are_a_mapping():
    found = Neighbors((1,), {1: 2.0}, {3: (1,), 2: (), 5: (4, 1)})
    sets = unpack_neighbors(pack_neighbors(found, Cost((), 0, 9, 0.0)))[0].separators
    assert (len(sets), list(sets), sets[5], sets.get(3), sets.get(7), sets.get(7, ())) == (
        3,
        [3, 2, 5],
        (4, 1),
        (1,),
        None,
        (),
    )
    with pytest.raises(KeyError):
        sets[7]
    assert pickle.loads(pickle.dumps(sets)) == dict(found.separators)


def test_the_results_of_many_columns():
    one = pack_neighbors(Neighbors((0, 3), {0: 1.0, 3: 2.0}, {2: (0,)}), Cost((2, 5), 1, 9, 0.5))
    other = pack_neighbors(Neighbors((), {}, {}), Cost((1, 0, 4), 2, 8, 0.25))
    many = PackedResults.gather({3: other, 1: one}, 5)
    assert [x in many for x in range(5)] == [False, True, False, True, False]
    for x, expected in ((1, one), (3, other), (0, PackedResult(np.empty(0), np.empty(0)))):
        assert [array.tolist() for array in many[x]] == [array.tolist() for array in expected]
    assert [len(each.ints) for each in many] == [0, len(one.ints), 0, len(other.ints), 0]
    assert (many.members_of(1), many.members_of(3)) == ([0, 3], [])
    assert many.cost() == (12, 3)
    again = PackedResults(*many.arrays)
    assert again[1].ints.tolist() == one.ints.tolist()
    assert [array.dtype for array in many.arrays] == [np.int64, np.float64, np.int64, np.int64]


def test_what_is_joined_is_taken_out():
    one = pack_neighbors(Neighbors((), {}, {}), Cost((1,), 0, 8, 0.25))
    packed = {1: one, 7: one}
    PackedResults.gather(packed, 5)
    assert list(packed) == [7]


@given(st.lists(results, min_size=1, max_size=4), costs)
@settings(max_examples=EXAMPLES // 2)
def test_blankets_of_which_nothing_is_unexplained(found, cost):
    """A kernel packs blankets without what they leave unexplained, which are the last three numbers."""
    packed = [pack_result(each, cost) for each in found]
    short = {x: PackedResult(each.ints[:-2], each.floats[:-1]) for x, each in enumerate(packed)}
    many = PackedResults.gather(short, len(packed)).with_nothing_unexplained()
    for each, expected in zip(many, packed, strict=True):
        assert [array.tolist() for array in each] == [array.tolist() for array in expected]


def test_no_results():
    none = PackedResults.gather({}, 3)
    assert none.cost() == (0, 0)
    assert not any(x in none for x in range(3))
