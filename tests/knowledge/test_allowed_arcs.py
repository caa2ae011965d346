"""Allowed arcs against the definition, arc by arc."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import climbfast as cf
from climbfast.errors import KnowledgeError

NAMES = tuple("abcdefgh")


def is_allowed(known: cf.Knowledge, x: str, y: str) -> bool:
    """Whether x -> y is allowed, by the definition."""
    tier = {name: number for number, names in enumerate(known.tiers) for name in names}
    if x == y or y in known.roots or x in known.leaves or (x, y) in known.forbidden or (y, x) in known.required:
        return False
    if x in tier and y in tier:
        return tier[x] < tier[y] or (tier[x] == tier[y] and tier[x] not in known.closed)
    return True


names = st.sampled_from(NAMES)
edges = st.lists(st.tuples(names, names).filter(lambda edge: edge[0] != edge[1]), max_size=8)


@st.composite
def knowledge(draw):
    """Any knowledge that does not contradict itself."""
    tier_of = draw(st.dictionaries(names, st.integers(0, 3)))
    tiers = [[x for x, number in tier_of.items() if number == tier] for tier in range(4)]
    tiers = [tier for tier in tiers if tier]
    closed = draw(st.sets(st.sampled_from(range(len(tiers))))) if tiers else ()
    roots, leaves = draw(st.sets(names, max_size=2)), draw(st.sets(names, max_size=2))
    return _made(tiers, closed, roots, leaves, draw(edges), draw(edges))


def _made(tiers, closed, roots, leaves, forbidden, required):
    """Return it without the required edges that contradict the rest."""
    kept = []
    for edge in required:
        try:
            cf.Knowledge(tiers, [*kept, edge], forbidden, roots, leaves, closed)
        except KnowledgeError:
            continue
        kept.append(edge)
    return cf.Knowledge(tiers, kept, forbidden, roots, leaves, closed)


@given(knowledge(), st.permutations(NAMES))
def test_the_definition(known, columns):
    allowed = known.allowed_arcs(columns)
    size = len(columns)
    expected = np.array([[is_allowed(known, x, y) for y in columns] for x in columns])
    everything = np.arange(size)
    np.testing.assert_array_equal(allowed.matrix(everything, everything), expected)
    np.testing.assert_array_equal(allowed.pairs(everything, everything), expected | expected.T)
    assert allowed.columns == size
    for x in range(size):
        np.testing.assert_array_equal(allowed.parents_of(x), expected[:, x])
        np.testing.assert_array_equal(allowed.children_of(x), expected[x])
        np.testing.assert_array_equal(allowed.neighbors_of(x), expected[x] | expected[:, x])
        for y in range(size):
            assert allowed.allows(x, y) == expected[x, y]
            assert allowed.allows_edge(x, y) == (expected[x, y] or expected[y, x])
            assert allowed.directs(x, y) == (expected[x, y] and not expected[y, x])


@given(knowledge(), st.lists(st.integers(0, 7), unique=True), st.lists(st.integers(0, 7), unique=True))
def test_a_block(known, sources, targets):
    allowed = known.allowed_arcs(NAMES)
    everything = np.arange(len(NAMES))
    whole = allowed.matrix(everything, everything)
    assert allowed.matrix(sources, targets).shape == (len(sources), len(targets))
    np.testing.assert_array_equal(
        allowed.matrix(sources, targets), whole[np.ix_(np.array(sources, int), np.array(targets, int))]
    )
    np.testing.assert_array_equal(allowed.pairs(sources, targets), allowed.pairs(targets, sources).T)


@given(knowledge())
def test_required_edges(known):
    allowed = known.allowed_arcs(NAMES)
    required = {(NAMES.index(x), NAMES.index(y)) for x, y in known.required}
    assert allowed.required == required
    for x in range(len(NAMES)):
        assert allowed.required_at(x) == sorted({a + b - x for a, b in required if x in (a, b)})
    assert all(allowed.directs(x, y) for x, y in required)


@given(knowledge())
def test_columns_of_one_class_have_the_same_tier_and_roles(known):
    classes = known.allowed_arcs(NAMES).classes()
    tier = {name: number for number, names in enumerate(known.tiers) for name in names}
    kinds = [(tier.get(x), tier.get(x) in known.closed, x in known.roots, x in known.leaves) for x in NAMES]
    for x, kind in enumerate(kinds):
        for y, other in enumerate(kinds):
            assert (classes[x] == classes[y]) == (kind == other)


def test_nothing_but_the_column_itself_is_forbidden_without_tiers():
    allowed = cf.Knowledge(tiers=[["a"]]).allowed_arcs(["a", "b"])
    np.testing.assert_array_equal(allowed.matrix([0, 1], [0, 1]), [[False, True], [True, False]])


@pytest.mark.parametrize("columns", [[], ["a"]])
def test_few_columns(columns):
    allowed = cf.Knowledge(tiers=[["a"], ["b"]]).allowed_arcs(columns)
    assert allowed.columns == len(columns)
    assert not allowed.matrix(range(len(columns)), range(len(columns))).any()
    assert len(allowed.classes()) == len(columns)


@given(knowledge(), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_arcs_one_by_one(known, arcs):
    allowed = known.allowed_arcs(NAMES)
    found = allowed.allows_each([x for x, _ in arcs], [y for _, y in arcs])
    assert found.tolist() == [allowed.allows(x, y) for x, y in arcs]
