"""Branch and bound finds the partition that trying all 2^m finds, and says truly when it has not looked far enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels import cost_model, partition
from climbfast_kernels._jit import INTERPRETED
from climbfast_kernels.distinct import distinct_rows
from tests import reference
from tests.factories import (
    EXAMPLES,
    STRATEGIES,
    Arrays,
    arrays,
    codes_with_gaps,
    draw_codes,
    random_arrays,
    random_gaps,
    small_codes,
    weights_of,
)
from tests.kernels.naive import rows_of

NO_BUDGET = 10**6


def branch_and_bound(
    data: Arrays,
    target: int,
    neighbors: Sequence[int],
    budget: int = NO_BUDGET,
    strategy: int = 0,
    sides: Sequence[int] | None = None,
) -> tuple[tuple[int, ...], float, list[float], float, int]:
    """Parents, score, margins by neighbor, gap (all in bits), and nodes."""
    columns, units = np.array(neighbors, np.int64), data.log_tables.units
    planned = data.codes, data.bits, data.log_tables, data.workspace(len(columns)), strategy, *one(target, columns)
    known = np.full(len(neighbors), partition.OPEN) if sides is None else np.array(sides, np.int64)
    found = partition.partition_neighbors(*planned, known, partition.neighbor_figures(*planned), budget)
    parents = tuple(columns[found.is_parent].tolist())
    score, gap = found.scores[0] / units, found.gaps[0] / units
    return parents, score, (found.margins / units).tolist(), gap, int(found.nodes[0])


def one(target: int, neighbors: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One target and its neighbors, as kernels take many."""
    return np.array([target]), np.array([0, len(neighbors)]), neighbors


def star(neighbors: int, rows: int, seed: int) -> tuple[np.ndarray, list[int]]:
    """A target that leans on its first neighbors and on which the others lean."""
    rng = np.random.default_rng(seed)
    arities = rng.integers(2, 4, neighbors + 1)
    columns = [rng.integers(0, k, rows) for k in arities]
    parents = neighbors // 2
    columns[0] = (sum(columns[1 : 1 + parents]) + (rng.random(rows) < 0.3)) % arities[0]
    for c in range(1 + parents, neighbors + 1):
        columns[c] = np.where(rng.random(rows) < 0.5, columns[0] % arities[c], columns[c])
    return np.array(columns, np.uint8), arities.tolist()


@given(small_codes(least=1, most=6), st.data())
@settings(max_examples=EXAMPLES)
def test_the_least_of_all_partitions(drawn, draw):
    codes, arities = drawn
    target, *neighbors = draw.draw(st.permutations(range(len(codes))))
    parents, score, margins, gap, _ = branch_and_bound(arrays(codes, arities), target, neighbors)

    def naive(parents: set[int]) -> float:
        partitions = sorted(parents), [x for x in neighbors if x not in parents]
        return reference.partition_score(target, *partitions, codes.tolist(), arities)

    least = reference.partition(target, neighbors, codes.tolist(), arities).score
    assert score == pytest.approx(least, abs=1e-8)
    assert naive({*parents}) == pytest.approx(least, abs=1e-8)
    assert margins == pytest.approx([naive({*parents} ^ {x}) - least for x in neighbors], abs=1e-8)
    assert gap == 0


@given(small_codes(least=2, most=5), st.data())
@settings(max_examples=EXAMPLES)
def test_ties_go_to_fewer_parents_then_to_the_first(drawn, draw):
    """Of the scores in units, in which most ties of small tables are exact."""
    codes, arities = drawn
    target, *neighbors = draw.draw(st.permutations(range(len(codes))))
    data = arrays(codes, arities)
    columns = np.array(neighbors)
    w = partition.order_neighbors(
        partition.neighbor_figures(data.codes, data.bits, data.log_tables, data.workspace(0), 0, *one(target, columns)),
        np.full(len(columns), partition.OPEN),
    )[0]
    values, weight = distinct_rows(
        data.codes, data.bits, data.workspace(len(columns)), cost_model.AUTO, target, columns
    )
    score_of = {}
    for parents in (p for size in range(len(neighbors) + 1) for p in combinations(neighbors, size)):
        score_of[parents] = partition._score(
            np.isin(columns, parents), values, weight, data.arity[[*neighbors, target]], w,
            data.log_tables.regret_row[target], data.log_tables.clog, data.log_tables.log_regret, data.log_tables.units,
        )  # fmt: skip
    first_of_the_least = min(score_of, key=score_of.__getitem__)  # sets come by size, then in the caller's order
    assert branch_and_bound(data, target, neighbors)[0] == first_of_the_least


@given(small_codes(least=2, most=6), st.data())
@settings(max_examples=EXAMPLES)
def test_the_least_of_the_partitions_with_the_known_sides(drawn, draw):
    """Others do not count; margins are those of the neighbors whose side is open, and ties go as without known ones."""
    codes, arities = drawn
    target, *neighbors = draw.draw(st.permutations(range(len(codes))))
    side = st.sampled_from([partition.PARENT, partition.CHILD, partition.OPEN])
    sides = draw.draw(st.lists(side, min_size=len(neighbors), max_size=len(neighbors)))
    parents, score, margins, gap, _ = branch_and_bound(arrays(codes, arities), target, neighbors, sides=sides)

    def naive(parents: tuple[int, ...]) -> float:
        children = [x for x in neighbors if x not in parents]
        return reference.partition_score(target, parents, children, codes.tolist(), arities)

    known = dict(zip(neighbors, sides, strict=True))
    allowed = [
        some
        for size in range(len(neighbors) + 1)
        for some in combinations(neighbors, size)
        if all(known[x] in (partition.OPEN, partition.PARENT if x in some else partition.CHILD) for x in neighbors)
    ]
    least = min(map(naive, allowed))
    assert parents in allowed
    assert score == pytest.approx(least, abs=1e-8)
    assert naive(parents) == pytest.approx(least, abs=1e-8)
    assert gap == 0
    flipped = [tuple(y for y in neighbors if (y in parents) != (y == x)) for x in neighbors]
    expected = [naive(f) - least if known[x] == partition.OPEN else 0 for x, f in zip(neighbors, flipped, strict=True)]
    assert margins == pytest.approx(expected, abs=1e-8)


def test_known_sides_make_the_search_shorter_and_its_gap_true():
    codes, arities = star(8, 200, seed=3)
    data, neighbors = arrays(codes, arities), list(range(1, 9))
    *_, nodes = branch_and_bound(data, 0, neighbors)
    sides = [partition.CHILD, partition.PARENT, *[partition.OPEN] * 6]
    _, least, _, _, fewer = branch_and_bound(data, 0, neighbors, sides=sides)
    assert fewer < nodes
    for budget in range(1, fewer):
        _, score, _, gap, _ = branch_and_bound(data, 0, neighbors, budget, sides=sides)
        assert score - gap <= least + 1e-9 <= score + 1e-8


@pytest.mark.parametrize("seed", range(10))
def test_the_least_of_all_partitions_where_neighbors_matter(seed):
    codes, arities = star(5 if INTERPRETED else 7, 100, seed)
    neighbors = list(range(1, len(codes)))
    found = branch_and_bound(arrays(codes, arities), 0, neighbors)
    expected = reference.partition(0, neighbors, codes.tolist(), arities)
    assert (found[0], found[3]) == (expected.parents, 0)
    assert found[1] == pytest.approx(expected.score, abs=1e-8)
    assert found[2] == pytest.approx(expected.margins, abs=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_every_strategy_and_every_order_give_the_same_bits(seed):
    codes, arities = star(6, 200, seed)
    data = arrays(codes, arities)
    first = branch_and_bound(data, 0, range(1, 7))
    for strategy in STRATEGIES:
        assert branch_and_bound(data, 0, range(1, 7), strategy=strategy) == first
    parents, score, margins, *_ = branch_and_bound(data, 0, range(6, 0, -1))
    assert (sorted(parents), score, margins[::-1]) == (list(first[0]), first[1], first[2])


def test_copies_tie_and_the_first_of_them_is_the_parent():
    target = [0] * 10 + [1] * 10
    copy = [0] * 15 + [1] * 5
    data = arrays(np.array([target, copy, copy], np.uint8), [2, 2, 2])
    assert branch_and_bound(data, 0, [1, 2])[0] == (1,)
    assert branch_and_bound(data, 0, [2, 1])[0] == (2,)


def test_a_tie_of_sides_makes_a_child():
    data = arrays(np.array([[0, 1, 0, 1, 1, 0, 1, 1, 1, 1], [0, 1, 0, 1, 1, 1, 1, 1, 1, 0]], np.uint8), [2, 2])
    parents, _, margins, gap, _ = branch_and_bound(data, 0, [1])
    assert (parents, margins, gap) == ((), [0.0], 0.0)


def test_no_neighbors():
    data = random_arrays([3, 2], 30)
    parents, score, margins, gap, nodes = branch_and_bound(data, 0, [])
    assert (parents, margins, gap, nodes) == ((), [], 0, 1)
    assert score == pytest.approx(reference.stochastic_complexity(data.codes[0].tolist(), 3, []), abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_a_search_cut_short_tells_how_far_it_may_be_off(seed):
    codes, arities = star(4 if INTERPRETED else 6, 60, seed)
    data = arrays(codes, arities)
    neighbors = range(1, len(codes))
    _, least, _, _, nodes = branch_and_bound(data, 0, neighbors)
    previous = np.inf
    for budget in range(1, nodes + 2):
        parents, score, margins, gap, used = branch_and_bound(data, 0, neighbors, budget)
        others = [x for x in neighbors if x not in parents]
        naive = reference.partition_score(0, parents, others, codes.tolist(), arities)
        assert score == pytest.approx(naive, abs=1e-8)
        assert score - gap <= least <= score <= previous
        assert used <= budget
        assert min(margins) >= -gap
        previous = score
    assert (score, gap) == (least, 0)


def test_the_bound_spares_most_of_the_search():
    codes, arities = star(6 if INTERPRETED else 14, 1000, seed=1)
    nodes = branch_and_bound(arrays(codes, arities), 0, range(1, len(codes)))[4]
    assert nodes < 2 ** len(codes) - 1, "those of the whole tree"


def test_columns_of_more_levels_than_are_tabulated():
    codes = draw_codes([130, 150, 2, 3], 300)
    arities = [130, 150, 2, 3]
    for target in (0, 2):
        neighbors = [x for x in range(4) if x != target]
        found = branch_and_bound(arrays(codes, arities), target, neighbors)
        expected = reference.partition(target, neighbors, codes.tolist(), arities)
        assert found[0] == expected.parents
        assert found[1] == pytest.approx(expected.score, abs=1e-6)


@pytest.mark.skipif(INTERPRETED, reason="many rows")
@pytest.mark.parametrize(
    ("neighbors", "rows", "seed", "parents"),
    [(14, 2_000, 0, range(1, 8)), (14, 2_000, 7, range(1, 8)), (10, 1_000, 6, [8]), (10, 1_000, 21, [4])],
)
def test_a_stopped_search_has_found_the_least(neighbors, rows, seed, parents):
    """Seven parents that tell only together, and one parent, to which two sides change at once."""
    codes, arities = star(neighbors, rows, seed)
    data, columns = arrays(codes, arities), range(1, neighbors + 1)
    stopped, complete = branch_and_bound(data, 0, columns, budget=200), branch_and_bound(data, 0, columns)
    assert stopped[0] == complete[0] == tuple(parents)
    assert stopped[3] > complete[3] == 0


@pytest.mark.skipif(INTERPRETED, reason="many rows")
def test_a_stopped_search_keeps_a_known_side():
    """The last neighbor is no parent in the least of all partitions."""
    codes, arities = star(14, 2_000, 0)
    data, columns = arrays(codes, arities), range(1, 15)
    known = [partition.PARENT if x == 14 else partition.OPEN for x in columns]
    free, kept = branch_and_bound(data, 0, columns), branch_and_bound(data, 0, columns, budget=200, sides=known)
    assert 14 in {*kept[0]} - {*free[0]}
    assert kept[1] > free[1]


@given(small_codes(least=10, most=11), st.data())
@settings(max_examples=EXAMPLES)
def test_no_change_of_one_or_two_open_sides_improves_the_first_guess(drawn, draw):
    """Nor does it contradict what is known; a search of four nodes does not come to another set."""
    codes, arities = drawn[0][:, :12], drawn[1]
    target, *neighbors = draw.draw(st.permutations(range(len(codes))))
    side = st.sampled_from([partition.PARENT, partition.CHILD, partition.OPEN, partition.OPEN])
    sides = draw.draw(st.lists(side, min_size=len(neighbors), max_size=len(neighbors)))
    parents, score, *_ = branch_and_bound(arrays(codes, arities), target, neighbors, budget=4, sides=sides)
    free = [x for x, side in zip(neighbors, sides, strict=True) if side == partition.OPEN]
    known_parents = [x for x, side in zip(neighbors, sides, strict=True) if side == partition.PARENT]
    assert {*parents} - {*free} == {*known_parents}
    for changed in combinations_with_replacement(free, 2):
        others = sorted({*parents} ^ {*changed})
        children = [x for x in neighbors if x not in others]
        assert score <= reference.partition_score(target, others, children, codes.tolist(), arities) + 1e-8


def test_the_largest_budget_is_enough():
    codes, arities = star(6, 60, seed=3)
    data = arrays(codes, arities)
    assert branch_and_bound(data, 0, range(1, 7), budget=2**62 - 1) == branch_and_bound(data, 0, range(1, 7))


# The parts


@given(st.integers(1, 30), st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
@settings(max_examples=EXAMPLES)
def test_refining_by_numbers_and_by_sorting(size, n_codes, k, seed):
    """The same parts, whatever their numbers."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, k, (2, size)).astype(np.int32)
    code = np.zeros((partition.FIELDS, size), np.int32)
    code[partition.REPRESENTATIVE] = rng.permutation(size)
    code[partition.CODE] = rng.integers(0, n_codes, size)
    before = [*zip(code[partition.CODE].tolist(), values[1, code[partition.REPRESENTATIVE]].tolist(), strict=True)]
    for numbers in (np.empty(1, np.int32), np.empty(100, np.int32)):
        refined = code.copy()
        found = partition._refine_codes(refined, refined, partition.CODE, size, n_codes, values, 1, k, numbers)
        after = refined[partition.CODE].tolist()
        assert found == len({*before}) == len({*zip(before, after, strict=True)})
        assert sorted({*after}) == list(range(found))


@given(st.integers(1, 30), st.integers(1, 6), st.sampled_from([1, 6, 2_000]), st.integers(0, 2**32 - 1))
@settings(max_examples=EXAMPLES)
def test_counting_with_a_column_of_few_and_of_many_levels(size, n_codes, k, seed):
    """Of 2,000 levels only the pairs that occur are numbered."""
    rng = np.random.default_rng(seed)
    values = rng.choice(rng.integers(0, k, 3), (2, size)).astype(np.int32)
    above = np.zeros((partition.FIELDS, size), np.int64)
    above[partition.REPRESENTATIVE] = rng.permutation(size)
    above[partition.CODE] = rng.integers(0, n_codes, size)
    above[partition.WEIGHT] = rng.integers(1, 9, size)
    pairs = [*zip(above[partition.CODE].tolist(), values[1, above[partition.REPRESENTATIVE]].tolist(), strict=True)]
    expected = Counter()
    for pair, weight in zip(pairs, above[partition.WEIGHT].tolist(), strict=True):
        expected[pair] += weight
    below, count = np.zeros_like(above), np.full(8 * size + 1024, -1, np.int64)
    n = partition._count_with(above, below, size, n_codes, values, 1, k, count)
    codes = below[partition.CODE]
    assert count[codes].tolist() == [expected[pair] for pair in pairs]
    assert count[:n].sum() == sum(expected.values())
    assert len({*zip(pairs, codes.tolist(), strict=True)}) == len({*pairs}) == len({*codes.tolist()})


@given(codes_with_gaps(least=1, most=5), st.data())
@settings(max_examples=EXAMPLES)
def test_the_least_of_all_partitions_of_the_complete_rows(drawn, draw):
    """Complete in the target and its neighbors; of repeated rows too, by every strategy."""
    codes, arities = drawn
    data = arrays(codes, arities, draw.draw(st.none() | weights_of(codes.shape[1])))
    target, *neighbors = draw.draw(st.permutations(range(len(codes))))
    neighbors = neighbors[: draw.draw(st.integers(0, len(neighbors)))]
    cut = rows_of(data, [target, *neighbors]).tolist()
    expected = reference.partition(target, neighbors, cut, arities)
    first = branch_and_bound(data, target, neighbors)
    parents, score, margins, gap, _ = first
    assert score == pytest.approx(expected.score, abs=1e-7)
    others = [x for x in neighbors if x not in parents]
    assert reference.partition_score(target, parents, others, cut, arities) == pytest.approx(expected.score, abs=1e-7)
    flipped = [{*parents} ^ {x} for x in neighbors]
    scores = [
        reference.partition_score(target, sorted(f), [x for x in neighbors if x not in f], cut, arities)
        for f in flipped
    ]
    assert margins == pytest.approx([s - expected.score for s in scores], abs=1e-7)
    assert gap == 0
    for strategy in STRATEGIES:
        assert branch_and_bound(data, target, neighbors, strategy=strategy) == first


def test_rows_of_a_partition():
    arities = [2, 3, 2, 3]
    data = arrays(random_gaps(arities, 60), arities)
    lists = np.array([0, 1, 1]), np.array([0, 2, 3, 3]), np.array([1, 2, 3])
    planned = data.codes, data.bits, data.log_tables, data.workspace(), 0, *lists
    sides = np.full(3, partition.OPEN)
    found = partition.partition_neighbors(*planned, sides, partition.neighbor_figures(*planned), NO_BUDGET)
    assert found.rows.tolist() == [rows_of(data, columns).shape[1] for columns in ([0, 1, 2], [1, 3], [1])]


@pytest.mark.parametrize("seed", range(8))
def test_the_score_of_a_set_counted_directly_or_by_numbers(seed):
    codes, arities = star(6, 300, seed)
    data = arrays(codes, arities)
    values, weight = distinct_rows(data.codes, data.bits, data.workspace(6), 0, 0, np.arange(1, 7))
    arity, w = np.array([*arities[1:], arities[0]]), np.arange(6) * 1_000
    tables = data.log_tables.regret_row[0], data.log_tables.clog, data.log_tables.log_regret, data.log_tables.units
    for chosen in range(2**6):
        is_parent = np.array([chosen >> j & 1 == 1 for j in range(6)])
        expected = partition._score_of_many_configurations(is_parent, values, weight, arity, *tables)
        assert partition._score(is_parent, values, weight, arity, w, *tables) == expected + w[is_parent].sum()
