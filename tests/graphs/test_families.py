"""The figures of families are those of the scores one by one, however many families there are."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs import families
from climbfast.graphs.families import FamilyTables
from climbfast.graphs.pdag import PDAG
from climbfast.scores import scores_of
from climbfast_kernels.hill_climbing import NEVER, find_family
from tests import incomplete
from tests.factories import draw_net, named, quiet, quiet_codes
from tests.graphs.score_searches import small_data, tables_of

SCORES = (cf.AIC(2.0), cf.AIC(), cf.BIC(), cf.BDeu(), cf.BDeu(10.0, 1.0), cf.QNML(), cf.FNML())


def gaps():
    return incomplete.encoded(incomplete.net_with_gaps(1, columns=5))


def weighted():
    codes = draw_net(2, columns=5, rows=80)
    weights = np.random.default_rng(2).integers(1, 6, 80)
    return quiet({**named(codes), "n": weights}, weights="n")


def figures_of(tables: FamilyTables, child: int, parents: tuple[int, ...]) -> np.ndarray:
    held = np.array(parents, np.int64)
    if find_family(tables.arrays, child, held, len(held)) < 0:
        alone = [tables.score(number, child, parents) for number in range(len(tables.units))]
        tables.add([child], [parents])
        assert alone == [tables.score(number, child, parents) for number in range(len(tables.units))]
    found = find_family(tables.arrays, child, held, len(held))
    first = tables.arrays.first_figure[found]
    return tables.arrays.figures[:, first : first + 1 + len(parents) + len(tables.candidates_of(child))]


def with_bounds(figures: np.ndarray, more: list[int]) -> list[int]:
    """The figures, with the changes by further parents in place of bounds of them that are not above 0."""
    found = figures.tolist()
    begin = len(found) - len(more)
    held = [gain if gain <= bound <= 0 else bound for bound, gain in zip(found[begin:], more, strict=True)]
    return found[:begin] + held


@pytest.mark.parametrize("make", [lambda: small_data(4), gaps, weighted], ids=["complete", "gaps", "weighted"])
def test_figures_are_those_of_the_scores(make):
    data = make()
    tables = tables_of(data, *SCORES)
    each = [scores_of(data, score) for score in SCORES]
    assert tables.units == tuple(score.units for score in each)
    for child in range(data.columns):
        others = [x for x in range(data.columns) if x != child]
        for parents in (p for size in range(4) for p in combinations(others, size)):
            figures = figures_of(tables, child, parents)
            for number, score in enumerate(each):
                before = score.units_of(child, parents)
                fewer = [score.units_of(child, tuple(p for p in parents if p != x)) - before for x in parents]
                more = [
                    NEVER if x in parents else score.units_of(child, tuple(sorted((*parents, x)))) - before
                    for x in others
                ]
                assert with_bounds(figures[number], more) == [before, *fewer, *more]


def test_figures_of_more_parents_than_orders_are_tried():
    data = incomplete.encoded(incomplete.net_with_gaps(2, columns=10))
    tables = tables_of(data, *SCORES)
    each = [scores_of(data, score) for score in SCORES]
    for child, parents in [(0, range(1, 7)), (1, (0, 2, 3, 4, 5, 6, 7)), (4, (0, 2, 3, 6, 7, 9)), (9, range(8))]:
        parents = tuple(parents)
        others = [x for x in range(10) if x != child]
        figures = figures_of(tables, child, parents)
        for number, score in enumerate(each):
            before = score.units_of(child, parents)
            fewer = [score.units_of(child, tuple(p for p in parents if p != x)) - before for x in parents]
            more = [
                NEVER if x in parents else score.units_of(child, tuple(sorted((*parents, x)))) - before for x in others
            ]
            assert with_bounds(figures[number], more) == [before, *fewer, *more]


def test_tables_grow():
    """More families than there is room for at first, in calls of several sizes; none is lost or counted twice."""
    data = quiet_codes(draw_net(3, columns=12, rows=100))
    score = cf.BDeu()
    tables, scores = tables_of(data, score), cf.LocalScores(data, score)
    every = [
        (child, parents)
        for child in range(12)
        for size in range(4)
        for parents in combinations([x for x in range(12) if x != child], size)
    ]
    assert len(every) > 2 * 1024
    order = np.random.default_rng(0).permutation(len(every))
    for part in np.array_split(order, 7):
        tables.add([every[i][0] for i in part], [every[i][1] for i in part])
    counted = tables.families
    for child, parents in every:
        assert tables.score(0, child, parents) == scores.units_of(child, parents)
    assert tables.families == counted
    found = {find_family(tables.arrays, x, np.array(p, np.int64), len(p)) for x, p in every}
    assert found == set(range(len(every)))


def test_totals_and_strengths():
    data = small_data(1)
    tables, scores = tables_of(data, cf.BIC()), cf.LocalScores(data, "bic")
    dag = PDAG(data.columns, [(0, 2), (1, 2), (2, 3)])
    expected = [scores.score(x, sorted(dag.parents[x])) for x in range(data.columns)]
    assert tables.total(0, dag) == pytest.approx(sum(expected))
    strengths = tables.strengths(0, dag)
    assert set(strengths) == {(0, 2), (1, 2), (2, 3)}
    assert strengths[0, 2] == pytest.approx(scores.score(2, (0, 1)) - scores.score(2, (1,)))


def test_only_candidates_are_counted():
    data = small_data(0)
    candidates = [np.array([1, 3]), np.array([0]), np.zeros(0, np.int64), np.array([0])]
    candidates += [np.zeros(0, np.int64)] * (data.columns - 4)
    tables = FamilyTables(data, (cf.BIC(),), candidates)
    assert tables.candidates_of(0).tolist() == [1, 3]
    assert figures_of(tables, 0, (3,)).shape == (1, 4)
    assert figures_of(tables, 2, ()).shape == (1, 1)


def test_fewest_rows():
    data = gaps()
    tables = tables_of(data, cf.BIC())
    tables.score(0, 1, (2,))
    assert 0 < tables.fewest_rows < data.rows
    assert tables_of(small_data(0), cf.BIC()).fewest_rows == small_data(0).rows


@pytest.mark.parametrize("make", [lambda: small_data(4), gaps], ids=["complete", "gaps"])
def test_with_knowledge_nothing_forbidden_is_counted(make, monkeypatch):
    """Parents that are forbidden cannot be added, and required ones not be taken away."""
    data, counted = make(), []
    known = cf.Knowledge(tiers=[[0, 1], [2]], required=[(0, 3)], forbidden=[(4, 3)])
    allowed = known.allowed_arcs(range(data.columns))
    count = families._Counts._count

    def counting(self, sweeps):
        counted.extend((y, x) for y, candidates, given in sweeps for x in (*candidates, *given))
        return count(self, sweeps)

    monkeypatch.setattr(families._Counts, "_count", counting)
    tables = tables_of(data, *SCORES, allowed=allowed)
    each = [scores_of(data, score) for score in SCORES]
    for child in range(data.columns):
        others = [x for x in range(data.columns) if x != child]
        for parents in (p for size in range(4) for p in combinations(others, size)):
            if not all(allowed.allows(x, child) for x in parents) or (child == 3 and 0 not in parents):
                continue
            figures = figures_of(tables, child, parents)
            for number, score in enumerate(each):
                before = score.units_of(child, parents)
                fewer = [
                    NEVER
                    if (x, child) in allowed.required
                    else score.units_of(child, tuple(p for p in parents if p != x)) - before
                    for x in parents
                ]
                more = [
                    NEVER
                    if x in parents or not allowed.allows(x, child)
                    else score.units_of(child, tuple(sorted((*parents, x)))) - before
                    for x in others
                ]
                assert with_bounds(figures[number], more) == [before, *fewer, *more]
    assert all(allowed.allows(x, y) for y, x in counted)
