"""The consensus: against arcs taken one by one, without cycles, and with knowledge."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import climbfast as cf
from climbfast.graphs.background import disobeying
from climbfast.graphs.pdag import PDAG
from climbfast.resampling.consensus import consensus
from climbfast.resampling.records import Counts, without_figures

REPLICATES = 20


def counts_of(edges):
    """Counts of a mapping from (x, y) to how many replicates have the edge, x → y, and y → x."""
    ends = np.array(sorted(edges), np.int64).reshape(-1, 2)
    counts = np.array([edges[x, y] for x, y in ends.tolist()], np.int64).reshape(-1, 3)
    nothing = np.full(len(ends), math.nan)
    return without_figures(Counts(ends[:, 0], ends[:, 1], counts, nothing, nothing, nothing, nothing))


def naive(edges, columns, threshold):
    """Arcs by falling frequency; of those as frequent, the ones that form a cycle have no direction."""
    kept = {ends: counts for ends, counts in edges.items() if counts[0] > 0 and counts[0] / REPLICATES >= threshold}
    wanted = {}
    for (x, y), (joined, forward, backward) in kept.items():
        for arc, count in (((x, y), forward), ((y, x), backward)):
            if 3 * (2 * count - forward - backward) >= joined:
                wanted.setdefault((count, joined), []).append(arc)
    taken = []
    for key in sorted(wanted, reverse=True):
        group = [(x, y) for x, y in wanted[key] if not PDAG(columns, taken).has_directed_path(y, x)]
        both = PDAG(columns, [*taken, *group])
        taken += [(x, y) for x, y in group if not both.has_directed_path(y, x)]
    undirected = [(x, y) for x, y in kept if (x, y) not in taken and (y, x) not in taken]
    return PDAG(columns, taken, undirected)


def table(seed, columns=6, most=REPLICATES):
    """Random counts of some pairs; few different ones, so that there are ties and cycles."""
    draw = random.Random(seed)
    edges = {}
    for x, y in itertools.combinations(range(columns), 2):
        joined = draw.randint(0, most)
        forward = draw.randint(0, joined)
        if draw.random() < 0.5:
            joined, forward = most, draw.choice([0, most])
        edges[x, y] = joined, forward, draw.randint(0, joined - forward)
    return edges


tables = st.integers(0, 2**32).map(table)


@given(tables, st.sampled_from([0.0, 0.3, 0.55, 1.0]))
def test_arcs_by_falling_frequency(edges, threshold):
    found = consensus(counts_of(edges), 6, threshold, REPLICATES, None)
    assert found == naive(edges, 6, threshold)
    assert not found.cycle()


@given(tables, st.permutations(range(6)))
def test_other_names_give_the_same(edges, order):
    renamed = {}
    for (x, y), (joined, forward, backward) in edges.items():
        a, b = order[x], order[y]
        renamed[min(a, b), max(a, b)] = (joined, forward, backward) if a < b else (joined, backward, forward)
    before = consensus(counts_of(edges), 6, 0.3, REPLICATES, None)
    expected = PDAG(
        6,
        [(order[x], order[y]) for x, y in before.arcs()],
        [tuple(sorted((order[x], order[y]))) for x, y in before.undirected_edges()],
    )
    assert consensus(counts_of(renamed), 6, 0.3, REPLICATES, None) == expected


def test_a_threshold_counts_replicates_exactly():
    edges = {(0, 1): (7, 7, 0), (1, 2): (6, 6, 0)}
    assert list(consensus(counts_of(edges), 3, 0.7, 10, None).arcs()) == [(0, 1)]
    assert list(consensus(counts_of({(0, 1): (140, 140, 0)}), 2, 0.7, 200, None).arcs()) == [(0, 1)]


@pytest.mark.parametrize(
    ("counts", "arcs"),
    [((20, 14, 6), 1), ((20, 13, 7), 0), ((20, 7, 0), 1), ((20, 6, 0), 0), ((20, 0, 0), 0), ((20, 6, 14), 1)],
)
def test_when_enough_replicates_agree(counts, arcs):
    found = consensus(counts_of({(0, 1): counts}), 2, 0.5, REPLICATES, None)
    assert (len(list(found.arcs())), len(list(found.undirected_edges()))) == (arcs, 1 - arcs)


def test_a_cycle_of_equals_is_undirected():
    edges = {(0, 1): (20, 20, 0), (1, 2): (20, 20, 0), (0, 2): (20, 0, 20), (2, 3): (20, 18, 0)}
    found = consensus(counts_of(edges), 4, 0.5, REPLICATES, None)
    assert list(found.undirected_edges()) == [(0, 1), (0, 2), (1, 2)]
    assert list(found.arcs()) == [(2, 3)]


def test_the_rarest_arc_of_a_cycle_is_undirected():
    edges = {(0, 1): (20, 20, 0), (1, 2): (20, 19, 0), (0, 2): (20, 0, 18)}
    found = consensus(counts_of(edges), 3, 0.5, REPLICATES, None)
    assert (list(found.arcs()), list(found.undirected_edges())) == ([(0, 1), (1, 2)], [(0, 2)])


@st.composite
def knowledge(draw, columns=6):
    """Knowledge that need not be true: tiers, and edges along their order."""
    order = draw(st.permutations(range(columns)))
    cut = draw(st.integers(1, columns - 1))
    tiers = [order[:cut], order[cut:]] if draw(st.booleans()) else []
    arcs = st.tuples(st.integers(0, columns - 1), st.integers(0, columns - 1)).filter(lambda ends: ends[0] < ends[1])
    required = {(order[i], order[j]) for i, j in draw(st.lists(arcs, max_size=3))}
    forbidden = {(order[i], order[j]) for i, j in draw(st.lists(arcs, max_size=5))} - required
    forbidden |= {(order[j], order[i]) for i, j in draw(st.lists(arcs, max_size=5))}
    return cf.Knowledge(
        tiers=tiers, required=required, forbidden=forbidden, closed=draw(st.booleans()) and not required
    )


@given(tables, knowledge(), st.sampled_from([0.0, 0.6, 1.0]))
def test_knowledge_is_honored(edges, known, threshold):
    allowed = known.allowed_arcs(range(6))
    found = consensus(counts_of(edges), 6, threshold, REPLICATES, allowed)
    assert not found.cycle()
    assert not disobeying(found, allowed)
    assert all(y in found.children[x] for x, y in known.required)
    for x, y in found.undirected_edges():
        assert allowed.allows(x, y)
        assert allowed.allows(y, x)


@given(tables)
def test_what_knowledge_does_not_touch_stays(edges):
    allowed = cf.Knowledge(tiers=[[0, 1, 2, 3, 4, 5]]).allowed_arcs(range(6))
    assert consensus(counts_of(edges), 6, 0.3, REPLICATES, allowed) == naive(edges, 6, 0.3)


def test_knowledge_directs_what_replicates_leave_open():
    allowed = cf.Knowledge(forbidden=[(1, 0)]).allowed_arcs(range(2))
    found = consensus(counts_of({(0, 1): (20, 0, 20)}), 2, 0.5, REPLICATES, allowed)
    assert list(found.arcs()) == [(0, 1)]


def test_no_edges():
    assert consensus(counts_of({}), 3, 0.5, REPLICATES, None) == PDAG(3)
