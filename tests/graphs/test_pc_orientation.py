"""V-structures of PC: conflicts, votes of sets, and no directed cycle whatever the tests say."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.graphs.pc_skeleton import find_skeleton
from climbfast.graphs.pdag import PDAG, pair
from climbfast.graphs.runner import TestRunner
from climbfast.graphs.separating_votes import count_separating_sets
from tests.factories import EXAMPLES, draw_codes, draw_hub, numbered, quiet, quiet_codes
from tests.graphs.pc_searches import COLLIDING, Table, columns, every_rule, find
from tests.oracle import remembered
from tests.reference import NaiveTester, given_around_a_hub, strength_sci


@pytest.mark.parametrize(
    ("conflicts", "directed", "undirected"),
    [
        ("overwrite", {(0, 1), (1, 2), (3, 2)}, set()),
        ("keep-first", {(0, 1), (2, 1)}, {(2, 3)}),
        ("undirected", {(0, 1), (3, 2)}, {(1, 2)}),
        ("majority", {(0, 1), (3, 2)}, {(1, 2)}),
        ("conservative", {(0, 1), (3, 2)}, {(1, 2)}),
    ],
)
def test_two_v_structures_with_one_edge_in_both_directions(conflicts, directed, undirected):
    found = find(COLLIDING, 4, conflicts=conflicts)
    pdag = found.pdag
    assert (set(pdag.arcs()), set(pdag.undirected_edges())) == (directed, undirected)


def test_overwriting_goes_by_the_order_of_the_file():
    data = columns(4)
    turned = numbered(quiet({name: data.codes[data.index(name)] for name in reversed(data.names)}))
    found = cf.pc(turned, COLLIDING, conflicts="overwrite")
    assert set(found.pdag.arcs()) == {(0, 1), (2, 1), (3, 2)}


def votes(*sets: tuple[int, ...]) -> Table:
    """0 - 2 - 1, and 3 adjacent to both, so that sets of 2 and 3 may separate 0 and 1."""
    return Table({(0, 1): set(sets), (2, 3): {(0, 1)}})


@pytest.mark.parametrize(
    ("sets", "majority", "conservative"),
    [
        ([()], "v-structure", "v-structure"),
        ([(), (3,)], "v-structure", "v-structure"),
        ([(2,)], "chain", "chain"),
        ([(3,), (2,), ()], "v-structure", "ambiguous"),
        ([(2,), (2, 3), ()], "chain", "ambiguous"),
        ([(2,), ()], "ambiguous", "ambiguous"),
    ],
)
def test_what_most_sets_say(sets, majority, conservative):
    for conflicts, verdict in (("majority", majority), ("conservative", conservative)):
        found = find(votes(*sets), 4, conflicts=conflicts)
        assert ({"c00", "c01"} <= set(found.parents_of("c02"))) == (verdict == "v-structure"), (conflicts, sets)


def test_nothing_follows_from_an_ambiguous_triple():
    """0 → 2 ← 4 is a v-structure and 0 - 2 - 1 ambiguous; if it were not, 2 → 1 would follow."""
    certain = {(0, 4): {()}, (1, 4): {(2,)}, (0, 3): {()}, (2, 3): {()}, (3, 4): {()}, (1, 3): {()}}
    chain = find(Table({**certain, (0, 1): {(2,)}}), 5)
    assert ("c02", "c01") in chain.directed
    ambiguous = find(Table({**certain, (0, 1): {(2,), ()}, (1, 4): {(2,), ()}}), 5)
    assert ambiguous.parents_of("c02") == ("c00", "c04")
    assert ("c01", "c02") in ambiguous.undirected


@every_rule
@given(seed=st.integers(0, 10_000), m=st.integers(3, 8))
@settings(max_examples=EXAMPLES // 2)
def test_never_a_directed_cycle(conflicts, seed, m):
    """Random strengths, the same for the same test."""

    def strength(x, y, given):
        return random.Random(f"{seed} {sorted((x, y))} {sorted(given)}").uniform(-1, 2)

    found = find(NaiveTester(strength), m, conflicts=conflicts)
    assert found.is_acyclic
    assert len(found.skeleton) + len(found.separating_sets) == m * (m - 1) // 2


@pytest.mark.parametrize("conflicts", ["overwrite", "undirected"])
def test_a_cycle_of_v_structures_stays_undirected(conflicts):
    """0 → 1 → 2 → 3 → 0, each by a v-structure with another column, 4 to 7."""
    separating: dict[tuple[int, int], set[tuple[int, ...]]] = {pair: {()} for pair in combinations(range(8), 2)}
    separating |= {(0, 2): {(1, 3)}, (1, 3): {(0, 2)}}
    for i in range(4):
        before, after, beyond = i, (i + 1) % 4, (i + 2) % 4
        del separating[min(before, after), max(before, after)], separating[after, 4 + i]
        separating[beyond, 4 + i] = {(after,)}
    found = find(Table(separating), 8, conflicts=conflicts)
    assert set(found.pdag.undirected_edges()) == {(0, 1), (1, 2), (2, 3), (0, 3)}
    assert set(found.pdag.arcs()) == {(4, 1), (5, 2), (6, 3), (7, 0)}
    assert found.is_acyclic
    assert not found.is_cpdag


def naive_votes(strength, pdag: PDAG, max_given: int, max_pool: int | None = None):
    """For every unshielded x - y - z: how many sets of neighbors of x or of z separate x and z, and how many have y."""
    found = {}
    for y in range(pdag.size):
        for x, z in combinations(sorted(pdag.adjacent[y]), 2):
            if z in pdag.adjacent[x]:
                continue
            sets = {
                given
                for end, other in ((x, z), (z, x))
                for size in range(max_given + 1)
                for given in combinations(given_around_a_hub(strength, other, pdag.adjacent[end], size, max_pool), size)
                if strength(x, z, given) <= 0
            }
            found[x, y, z] = (sum(y in given for given in sets), len(sets))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_v_structures_by_a_naive_count(seed):
    codes = draw_codes([2, 3, 2, 2, 3, 2, 2], 300, seed, lean=0.5)
    codes[6] = codes[0] ^ codes[3]
    strength = strength_sci(codes.tolist(), [2, 3, 2, 2, 3, 2, 2])
    for conflicts in ("majority", "conservative"):
        found = cf.pc(quiet_codes(codes), conflicts=conflicts)
        counts = naive_votes(strength, found.pdag, 3)
        triples = [
            triple
            for triple, (votes, sets) in counts.items()
            if (2 * votes < sets if conflicts == "majority" else votes == 0 < sets)
        ]
        wanted = {arc for x, y, z in triples for arc in ((x, y), (z, y))}
        both = {(x, y) for x, y in wanted if (y, x) in wanted}
        assert PDAG(7, wanted - both).cycle() == []
        assert wanted - both <= set(found.pdag.arcs())
        assert {(x, y) for x, y in both if x < y} <= set(found.pdag.undirected_edges())


@cache
def hub():
    """A hub of which three children have another parent, too, so that it is an end of unshielded triples."""
    codes = draw_hub(7, 400)
    codes[1:4] = np.where(np.arange(400) % 2 == 0, codes[8:11], codes[1:4])
    return quiet_codes(codes), remembered(strength_sci(codes.tolist(), [2] * len(codes)))


@pytest.mark.parametrize("max_pool", [1, 2, 3])
def test_votes_around_a_hub(max_pool):
    data, strength = hub()
    naive = NaiveTester(strength)
    for test, n_jobs in (("sci", 1), ("sci", 2), (naive, 1)):
        with TestRunner(data, test, n_jobs=n_jobs, max_pool=max_pool) as runner:
            skeleton = find_skeleton(runner, range(data.columns), 3, data.canonical)
            pdag = PDAG(data.columns, (), skeleton.strengths)
            expected = naive_votes(strength, pdag, 3, max_pool)
            votes = count_separating_sets(runner, skeleton, {pair(x, z) for x, _, z in expected}, 3)
        assert any(0 in (x, z) and len(pdag.adjacent[0]) > max_pool for x, _, z in expected)
        for (x, y, z), counts in expected.items():
            assert votes.of(x, y, z) == counts
