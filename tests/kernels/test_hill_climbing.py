"""The table of families, full and empty, and the search over scores that are drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import combinations

import numpy as np
import pytest

from climbfast_kernels import hill_climbing as kernels
from climbfast_kernels.hill_climbing import DONE, MISSING, NEVER, PAUSED, Families

COLUMNS = 4
STOP = np.zeros(1, np.int64)
NOTHING = np.zeros((0, 7), np.int64)


def others(y: int) -> list[int]:
    return [x for x in range(COLUMNS) if x != y]


FAMILIES = [(y, p) for y in range(COLUMNS) for size in range(COLUMNS) for p in combinations(others(y), size)]


def families_with(
    scores: dict[tuple[int, tuple[int, ...]], int],
    known: int,
    slots: int,
    allowed: Callable[[int, int], bool] = lambda x, y: True,
    required: Collection[tuple[int, int]] = (),
) -> Families:
    """Tables of the first ``known`` families."""
    held, sizes = np.zeros((known, kernels.MOST_PARENTS), np.int64), []
    figures, first = [], []
    for i, (y, parents) in enumerate(FAMILIES[:known]):
        held[i, : len(parents)] = parents
        sizes.append(len(parents))
        first.append(len(figures))
        before = scores[y, parents]
        figures += [before, *(scores[y, tuple(p for p in parents if p != x)] - before for x in parents)]
        more = {x: scores[y, tuple(sorted((*parents, x)))] - before for x in others(y) if x not in parents}
        figures += [more.get(x, NEVER) for x in others(y)]
    size = len(FAMILIES)
    tables = Families(
        np.arange(COLUMNS + 1) * (COLUMNS - 1),
        np.array([x for y in range(COLUMNS) for x in others(y)]),
        np.array([allowed(x, y) + ((x, y) in required) for y in range(COLUMNS) for x in others(y)]),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros((size, kernels.MOST_PARENTS), np.int64),
        np.zeros(size, np.int64),
        np.array([figures], np.int64).reshape(1, -1),
        np.zeros((1, size), np.int64),
        np.full(slots, -1, np.int64),
    )
    children = np.array([y for y, _ in FAMILIES[:known]], np.int64)
    kernels.add_families(tables, 0, children, held, np.array(sizes, np.int64), np.array(first, np.int64))
    return tables


def drawn_scores(seed: int) -> dict[tuple[int, tuple[int, ...]], int]:
    draw = np.random.default_rng(seed)
    return {family: int(draw.integers(-1000, 1000)) for family in FAMILIES}


def place_of(tables: Families, y: int, parents: tuple[int, ...]) -> int:
    return kernels.find_family(tables, y, np.array(parents, np.int64), len(parents))


@pytest.mark.parametrize("slots", [64, 1 << 14])
def test_families_are_found_whatever_collides(slots):
    """Half of the places of the small table are taken, so that many families do not have their first place."""
    scores = drawn_scores(0)
    tables = families_with(scores, 30, slots)
    assert [place_of(tables, *family) for family in FAMILIES[:30]] == list(range(30))
    for family in FAMILIES[30:]:
        assert place_of(tables, *family) < 0
        assert tables.slots[-1 - place_of(tables, *family)] == -1
    tables.slots[:] = -1
    kernels.refill_slots(tables, 30)
    assert [place_of(tables, *family) for family in FAMILIES[:30]] == list(range(30))


def test_the_largest_change_by_an_addition():
    scores = drawn_scores(1)
    tables = families_with(scores, len(FAMILIES), 64)
    for f, (y, parents) in enumerate(FAMILIES):
        more = [scores[y, tuple(sorted((*parents, x)))] for x in others(y) if x not in parents]
        assert tables.largest[0, f] == (max(more) - scores[y, parents] if more else NEVER)


def parents_of(search: kernels.Search) -> list[list[int]]:
    return [search.parents[y, : search.size[y]].tolist() for y in range(COLUMNS)]


def total(scores: dict[tuple[int, tuple[int, ...]], int], parents: list[list[int]]) -> int:
    return sum(scores[y, tuple(of_y)] for y, of_y in enumerate(parents))


@pytest.mark.parametrize("seed", range(5))
def test_pauses_change_nothing(seed):
    scores = drawn_scores(seed)
    draw = np.random.default_rng(seed)
    drawn = np.concatenate([draw.integers(1, 4, (20, 1)), draw.integers(3, size=(20, 6))], axis=1)
    results = []
    for steps, slots in ((10_000, 64), (1, 1 << 12)):
        tables, search = families_with(scores, len(FAMILIES), slots), kernels.search_from([[]] * COLUMNS)
        while (status := kernels.advance(tables, 0, search, drawn, steps, STOP)) == PAUSED:
            pass
        assert status == DONE
        assert search.state[kernels.S_MADE] == 20
        results.append(parents_of(search))
    assert results[0] == results[1]
    climbed = kernels.search_from([[]] * COLUMNS)
    assert kernels.advance(tables, 0, climbed, NOTHING, 10_000, STOP) == DONE
    assert total(scores, results[0]) >= total(scores, parents_of(climbed)) >= total(scores, [[]] * COLUMNS)


def test_giving_up_returns_to_the_best():
    scores = drawn_scores(2)
    tables, climbed = families_with(scores, len(FAMILIES), 64), kernels.search_from([[]] * COLUMNS)
    kernels.advance(tables, 0, climbed, NOTHING, 10_000, STOP)
    best = total(scores, parents_of(climbed))
    drawn = np.array([[3, x, 0, (x + 1) % 4, 1, (x + 2) % 4, 2] for x in range(4)], np.int64)
    for pauses in range(1, 30):
        search = kernels.search_from([[]] * COLUMNS)
        for _ in range(pauses):
            kernels.advance(tables, 0, search, drawn, 1, STOP)
        kernels.give_up(tables, search)
        if search.state[kernels.S_MADE] > 0:
            assert total(scores, parents_of(search)) >= best
    assert search.state[kernels.S_MADE] == 4


def test_missing_families_and_a_stop():
    tables, search = families_with(drawn_scores(3), 1, 64), kernels.search_from([[]] * COLUMNS)
    assert kernels.advance(tables, 0, search, NOTHING, 100, STOP) == MISSING
    assert search.missing[: search.state[kernels.S_MISSING]].tolist() == [1, 2, 3]
    assert kernels.advance(tables, 0, search, NOTHING, 100, np.ones(1, np.int64)) == PAUSED


@pytest.mark.parametrize("seed", range(60))
def test_perturbed_graphs_obey_and_are_acyclic(seed):
    """Among four columns in a random order with random required and forbidden arcs, from a graph that obeys."""
    draw = np.random.default_rng(seed)
    order = draw.permutation(COLUMNS).tolist()
    forward = [(order[i], order[j]) for i in range(COLUMNS) for j in range(i + 1, COLUMNS)]
    kind = dict(zip(forward, draw.choice(4, len(forward), p=[0.25, 0.25, 0.25, 0.25]).tolist(), strict=True))
    required = {arc for arc in forward if kind[arc] == 0}

    def allowed(x: int, y: int) -> bool:
        return kind[x, y] != 1 if (x, y) in kind else kind[y, x] not in (0, 2)

    tables = families_with(drawn_scores(seed), 0, 64, allowed, required)
    start = [sorted(x for x, z in forward if z == y and kind[x, z] in (0, 2)) for y in range(COLUMNS)]
    search = kernels.search_from(start)
    for _ in range(40):
        drawn = [draw.integers(1, 4), *draw.integers(0, [COLUMNS, 3] * 3)]
        kernels._perturb(tables, search, np.array(drawn, np.int64))
        parents = parents_of(search)
        assert all(of_y == sorted(of_y) for of_y in parents)
        assert all(allowed(x, y) for y, of_y in enumerate(parents) for x in of_y)
        assert all(x in parents[y] for x, y in required)
        left = set(range(COLUMNS))
        while free := {y for y in left if not left & set(parents[y])}:
            left -= free
        assert not left


def test_moves_of_a_perturbation():
    """0 and 1 are parents of 2, and 3 is its child; 0 -> 2 is required, and 2 -> 1 forbidden."""
    tables = families_with(drawn_scores(0), 0, 64, lambda x, y: (x, y) not in {(2, 0), (2, 1)}, {(0, 2)})
    expected = {
        kernels.ISOLATE: [[], [], [0], []],
        kernels.SOURCE: [[], [], [0], [2]],
        kernels.SINK: [[], [], [0, 1, 3], []],
    }
    for move, parents in expected.items():
        search = kernels.search_from([[], [], [0, 1], [2]])
        kernels._perturb(tables, search, np.array([1, 2, move], np.int64))
        assert parents_of(search) == parents
