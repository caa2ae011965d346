"""The skeleton of PC: a naive search on data finds the same separating sets, strengths and number of tests."""

from __future__ import annotations

import random
import warnings
from functools import cache
from itertools import combinations

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.pc_skeleton import find_skeleton
from climbfast.graphs.runner import TestRunner
from climbfast.knowledge import AllowedArcs
from tests.factories import draw_codes, draw_hub, draw_net, numbered, quiet, quiet_codes
from tests.graphs.knowledge_of_dags import random_knowledge
from tests.graphs.pc_searches import Separation, columns, find
from tests.oracle import random_dag, remembered
from tests.reference import given_around_a_hub, strength_g2, strength_sci


def test_separating_sets_are_those_of_pairs_that_are_not_adjacent():
    dag = random_dag(12, 5, edge_probability=0.3, max_parents=3)
    test = Separation(dag)
    found = find(test, 12, max_given=None)
    number = columns(12).index
    pairs = {(x, y) for x, y in combinations(found.names, 2) if y not in found.neighbors_of(x)}
    assert set(found.separating_sets) == pairs
    for (x, y), by in found.separating_sets.items():
        assert test.strength(number(x), number(y), tuple(map(number, by))) < 0


def naive_skeleton(
    strength, order: list[int], max_given: int | None, allowed: AllowedArcs | None = None, max_pool: int | None = None
):
    """Stable PC by its text; the separating sets, the weakest strengths and the number of tests by size.

    With knowledge: no pair that is forbidden both ways, and around x only sets of columns that may be its parents. A
    required edge stays, and is not tested again.
    """
    adjacent = {x: [y for y in order if y != x and (allowed is None or allowed.allows_edge(x, y))] for x in order}
    required = set() if allowed is None else {frozenset(arc) for arc in allowed.required}
    separators, weakest, tests = {}, {}, []
    size = 0
    while max_given is None or size <= max_given:
        frozen = {x: list(others) for x, others in adjacent.items()}
        if size and not any(len(others) > size for others in frozen.values()):
            break
        tests.append(0)
        for x in order:
            pool = [z for z in frozen[x] if allowed is None or allowed.allows(z, x)]
            for y in frozen[x]:
                key = (min(x, y), max(x, y))
                if y not in adjacent[x] or weakest.get(key, 1) <= 0 or (size == 0 and order.index(y) < order.index(x)):
                    continue
                near = given_around_a_hub(strength, y, {*pool} - {y}, size, max_pool)
                others = [z for z in pool if z in near]
                for given in combinations(others, size):
                    tests[size] += 1
                    value = strength(x, y, given)
                    weakest[key] = min(weakest.get(key, np.inf), value)
                    if value <= 0 and frozenset(key) in required:
                        break
                    if value <= 0:
                        separators[key] = tuple(sorted(given))
                        adjacent[x].remove(y)
                        adjacent[y].remove(x)
                        break
        size += 1
    while tests and not tests[-1]:
        tests.pop()
    return separators, {pair: value for pair, value in weakest.items() if pair not in separators}, tuple(tests)


@cache
def drawn(seed):
    """Codes, an order of the columns, and by two tests the strengths, which all sizes of sets share."""
    draw = np.random.default_rng(seed)
    arities = draw.integers(2, 4, 8).tolist()
    codes = draw_codes(arities, 200, seed, lean=0.6)
    codes[7] = (codes[0] + codes[1]) % arities[7]
    sci = remembered(strength_sci(codes.tolist(), arities))
    g2 = remembered(strength_g2(codes.tolist(), arities, alpha=0.05, df="adjusted"))
    return codes, draw.permutation(8).tolist(), ((cf.SCI(), sci), (cf.G2(alpha=0.05), g2))


@pytest.mark.parametrize("max_given", [0, 1, 3, None])
@pytest.mark.parametrize("seed", range(3))
def test_as_a_naive_search(seed, max_given):
    codes, order, tests_and_strengths = drawn(seed)
    data = quiet_codes(codes)
    shuffled = numbered(quiet({data.names[x]: codes[x] for x in order}))
    for test, naive in tests_and_strengths:
        for conflicts, taken in (("undirected", range(8)), ("overwrite", order)):
            found = cf.pc(shuffled, test, conflicts=conflicts, max_given=max_given)
            separators, weakest, tests = naive_skeleton(naive, list(taken), max_given)
            name = data.canonical
            sets = {(name[x], name[y]): tuple(name[z] for z in by) for (x, y), by in separators.items()}
            assert found.separating_sets == sets
            assert found.tests_by_size == tests
            for (x, y), strength in weakest.items():
                edge = next(e for e in found.strengths if set(e) == {name[x], name[y]})
                assert found.strengths[edge] == pytest.approx(strength, abs=1e-6)
            assert len(found.strengths) == len(weakest)


@cache
def drawn_net(seed):
    """Codes, and the strengths by SCI, which all sizes of sets share."""
    codes = draw_net(seed, 8)
    return codes, remembered(strength_sci(codes.tolist(), quiet_codes(codes).arity.tolist()))


@pytest.mark.parametrize("max_given", [0, 1, 3, None])
@pytest.mark.parametrize("seed", range(6))
def test_as_a_naive_search_with_knowledge(seed, max_given):
    codes, strength = drawn_net(seed)
    data = quiet_codes(codes)
    known = random_knowledge(data.canonical, random.Random(seed))
    allowed = known.allowed_arcs(data.canonical)
    separators, weakest, tests = naive_skeleton(strength, list(range(8)), max_given, allowed)
    for n_jobs in (1, 2):
        with TestRunner(data, "sci", n_jobs=n_jobs, allowed=allowed) as runner:
            found = find_skeleton(runner, range(8), max_given, data.canonical)
        assert found.separators == separators
        assert found.strengths == pytest.approx(weakest, abs=1e-6)
        assert found.refuted == {ends for ends, strength in weakest.items() if strength <= 0}
        if n_jobs == 1:
            assert runner.counts.by_size == tests


def test_a_dense_part_is_named_before_it_takes_long(monkeypatch):
    rng = np.random.default_rng(0)
    latent = rng.integers(0, 2, 500)
    columns = {f"x{i:02}": latent ^ (rng.random(500) < 0.2) for i in range(8)}
    data = quiet({**columns, "a": rng.integers(0, 2, 500)})
    monkeypatch.setattr("climbfast.graphs.pc_skeleton.MANY_TESTS", 100)
    with pytest.warns(cf.ClimbfastWarning) as caught:
        cf.pc(data)
    assert [str(warning.message) for warning in caught] == [
        "8 columns still have up to 7 neighbors each, so up to 336 tests given 1 column follow: "
        "'x00', 'x01', 'x02', 'x03', 'x04' and 3 more; max_given=0 leaves them out"
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cf.pc(data, max_given=0)


@pytest.mark.parametrize(
    ("max_given", "max_pool", "is_cut"),
    [
        (3, 5, False),
        (3, 4, True),
        (4, 5, True),
        (4, 8, True),
        (4, 9, False),
        (None, 5, True),
        (2, 1, True),
        (1, 1, False),
    ],
)
def test_sets_that_are_left_out_are_noted_where_none_is_left_to_test(max_given, max_pool, is_cut):
    """Around a hub with six children, five columns are given: sets of four are drawn from half of ``max_pool``."""
    data = quiet_codes(draw_hub(6, 3_000, others=0))
    with TestRunner(data, "sci", n_jobs=1, max_pool=max_pool) as runner:
        found = find_skeleton(runner, range(data.columns), max_given, data.canonical)
    assert len(found.strengths) == 6
    assert found.bounded.issuperset(found.strengths) == is_cut
    assert bool(found.bounded) == is_cut


@cache
def hub_of_seven():
    """Data, and the strengths by SCI, by the numbers of the columns in the data."""
    codes = draw_hub(7, 300)
    data, strength = quiet_codes(codes), strength_sci(codes.tolist(), [2] * len(codes))
    number = [int(name[1:]) for name in data.canonical]
    return data, remembered(lambda x, y, given: strength(number[x], number[y], [number[z] for z in given]))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("max_pool", [1, 2, 4])
def test_a_hub_as_a_naive_search(max_pool, n_jobs):
    data, strength = hub_of_seven()
    with TestRunner(data, "sci", n_jobs=n_jobs, max_pool=max_pool) as runner:
        found = find_skeleton(runner, range(data.columns), 3, data.canonical)
    separators, weakest, tests = naive_skeleton(strength, list(range(data.columns)), 3, max_pool=max_pool)
    assert found.separators == separators
    assert found.strengths == pytest.approx(weakest, abs=1e-6)
    assert found.bounded >= found.strengths.keys()
    if n_jobs == 1:
        assert runner.counts.by_size == tests
