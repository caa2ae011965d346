"""Votes are counted as one by one, whatever the number of sets at once, and sets are kept if asked for."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs import pc_skeleton
from climbfast.graphs.pc_skeleton import find_skeleton
from climbfast.graphs.runner import TestRunner
from climbfast.graphs.separating_votes import count_separating_sets
from climbfast.knowledge import as_knowledge
from tests.factories import draw_hub, quiet_codes
from tests.reference import NaiveTester, strength_sci


def votes_of(data, test="sci", *, n_jobs=1, max_pool=None, known=None):
    """The votes of all pairs of columns that are not adjacent, and the skeleton."""
    allowed = None if known is None else as_knowledge(known, data.names).allowed_arcs(data.canonical)
    with TestRunner(data, test, n_jobs=n_jobs, max_pool=max_pool, allowed=allowed) as runner:
        skeleton = find_skeleton(runner, range(data.columns), 3, data.canonical)
        pairs = {xz for xz in combinations(range(data.columns), 2) if xz not in skeleton.strengths}
        return count_separating_sets(runner, skeleton, pairs, 3), skeleton, pairs


def table(found, pairs, columns):
    return {(x, y, z): found.of(x, y, z) for x, z in pairs for y in range(columns) if y not in (x, z)}


@cache
def naive_votes_at_a_hub(max_pool):
    """The data, and their votes by tests of the reference."""
    codes = draw_hub(6, 300)
    data = quiet_codes(codes)
    return data, votes_of(data, NaiveTester(strength_sci(codes.tolist(), [2] * len(codes))), max_pool=max_pool)


@pytest.mark.parametrize("max_pool", [None, 3])
@pytest.mark.parametrize("tests_at_once", [1, 50, 20_000])
def test_votes_do_not_depend_on_the_tests_at_once(monkeypatch, max_pool, tests_at_once):
    data, (votes, skeleton, pairs) = naive_votes_at_a_hub(max_pool)
    expected = table(votes, pairs, data.columns)
    assert any(having for having, _ in expected.values())
    monkeypatch.setattr(pc_skeleton, "TESTS_AT_ONCE", tests_at_once)
    for n_jobs in (1, 2):
        found, same, _ = votes_of(data, n_jobs=n_jobs, max_pool=max_pool)
        assert table(found, pairs, data.columns) == expected
        assert (same.separators, same.adjacent, same.bounded) == (
            skeleton.separators, skeleton.adjacent, skeleton.bounded
        )  # fmt: skip
        assert same.strengths == pytest.approx(skeleton.strengths, abs=1e-6)


def test_the_smallest_set_without_a_column():
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 2, (2, 600))
    codes = np.array([a, np.where(rng.random(600) < 0.1, 1 - a, a), np.where(rng.random(600) < 0.1, 1 - a, a), b])
    data = quiet_codes(codes.astype(np.uint8))
    free, _, _ = votes_of(data)
    assert free.of(1, 0, 2)[1] and free.smallest_without(1, 2, 3) == ()
    kept, _, _ = votes_of(data, known=cf.Knowledge(forbidden=[("c03", "c00")]))
    assert kept.of(1, 0, 2) == free.of(1, 0, 2) == (1, 1)
    assert kept.smallest_without(2, 1, 3) == (0,)
    assert kept.smallest_without(1, 2, 0) == ()
