"""Who is a neighbor, and who a spouse, by each rule of symmetry."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from climbfast.local.neighborhoods import Neighborhoods, Spouses, mutual_members
from climbfast.local.neighbors import Neighbors
from climbfast.local.partition import Partition
from tests.oracle import Oracle, all_dags, true_blanket
from tests.reference import NaiveTester


def found(*members: int, strength: float = 1.0, **separators: tuple[int, ...]) -> Neighbors:
    """Neighbors, and the sets that separated others: x3=(1,) separates column 3."""
    named = {int(name.removeprefix("x")): separator for name, separator in separators.items()}
    return Neighbors(members, dict.fromkeys(members, strength), named)


# 0 finds 1 and 2; of these 1 alone finds it in turn, and 3 does, which it does not find.
FOUND = {0: found(1, 2, x3=(1,), x4=(2,)), 1: found(0), 2: found(x0=(4,)), 3: found(0, strength=7.0), 4: found()}


def neighborhoods(symmetry: str, by: Mapping[int, Neighbors], test: NaiveTester | None = None) -> Neighborhoods:
    return Neighborhoods(test or NaiveTester(lambda x, y, given: 1.0), by.__getitem__, Partition, symmetry)


@pytest.mark.parametrize(
    ("symmetry", "members", "separators"),
    [
        ("none", (1, 2), {3: (1,), 4: (2,)}),
        ("children", (1, 2), {3: (1,), 4: (2,)}),
        ("and", (1,), {2: (4,), 3: (1,), 4: (2,)}),
        ("or", (1, 2, 3), {4: (2,)}),
    ],
)
def test_neighbors_by_each_rule(symmetry, members, separators):
    around = neighborhoods(symmetry, FOUND).neighbors_of(0)
    assert (around.members, around.separators) == (members, separators)
    assert around.strengths[1] == 1.0
    assert symmetry != "or" or around.strengths[3] == 7.0, "as its search found it"


def test_every_column_is_searched_and_told_apart_once():
    searched, told = [], []

    def search(x):
        searched.append(x)
        return FOUND[x]

    def partition(x, members):
        told.append((x, *members))
        return Partition((), members, {})

    around = Neighborhoods(NaiveTester(lambda x, y, given: 1.0), search, partition, "and")
    for _ in range(2):
        assert around.neighbors_of(0).members == around.partition_of(0).children == (1,)
    assert sorted(searched) == [0, 1, 2]
    assert told == [(0, 1)]


def exact_search(test: Oracle, x: int) -> Neighbors:
    """What no set of other columns separates from x, and the sets that separate the others."""
    others = [y for y in range(len(test.dag)) if y != x]
    _, sets = test.weakest(x, others, others, (), range(len(others)))
    separators = {y: separator for y, separator in zip(others, sets, strict=True) if separator is not None}
    return found(*(y for y in others if y not in separators), **{f"x{y}": s for y, s in separators.items()})


@pytest.mark.parametrize("symmetry", ["none", "and", "or"])
def test_spouses_in_every_small_dag(symmetry):
    for dag in all_dags(4):
        test = Oracle(dag)
        around = neighborhoods(symmetry, {x: exact_search(test, x) for x in range(4)}, test)
        for x in range(4):
            spouses = spouses_in(around, x)
            assert {y: tuple(children) for y, children in spouses.items()} == true_blanket(dag, x).spouses, dag


def spouses_in(around: Neighborhoods, x: int) -> Spouses:
    """Spouses through all neighbors."""
    return around.spouses_of(x, lambda y: around.neighbors_of(y).members)


@pytest.mark.parametrize(("symmetry", "spouses"), [("none", (3,)), ("and", ()), ("or", (3, 4))])
def test_a_spouse_that_one_of_both_sees(symmetry, spouses):
    """2 is a common child: 0 depends on 3 given it, and 4 on 0, but not the other way round."""
    test = NaiveTester(lambda x, y, given: 1.0 if (x, y) in ((0, 3), (4, 0)) else -1.0)
    by = {0: found(2), 2: found(0, 3, 4), 3: found(2), 4: found(2)}
    around = neighborhoods(symmetry, by, test)
    assert tuple(spouses_in(around, 0)) == spouses


def test_mutual_members_of_whole_blankets():
    blankets = {0: (1, 2), 1: (0,), 2: (1,), 3: (0,)}
    for symmetry, members in (("and", (1,)), ("or", (1, 2, 3)), ("none", (1, 2)), ("children", (1, 2))):
        assert mutual_members(0, 4, blankets.__getitem__, symmetry) == members
