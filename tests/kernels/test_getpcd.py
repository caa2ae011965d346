"""The compiled GetPCD is the one that is written to be read."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast.local.getpcd import getpcd
from climbfast_kernels import getpcd as kernels
from climbfast_kernels import independence
from climbfast_kernels._jit import INTERPRETED
from tests.factories import arrays, draw_hub, random_arrays, random_gaps
from tests.kernels.naive import naive_strength, rows_of, rules
from tests.reference import NaiveTester

ROWS = 60 if INTERPRETED else 300
ARITIES = [3, 2, 3, 2, 2, 3] if INTERPRETED else [3, 2, 3, 2, 2, 3, 2, 3]


def compiled(data, rule, targets, most_given):
    """Members with strengths, separating sets, tests by size, skipped and the fewest rows of one, of every target."""
    candidates, strengths, first = [], [], [0]
    for x in targets:
        others = [y for y in range(len(ARITIES)) if y != x]
        alone, _ = data.sweep(rule, x, others, [])
        kept = [(y, s) for y, s in zip(others, alone, strict=True) if s > 0]
        candidates += [y for y, _ in kept]
        strengths += [s for _, s in kept]
        first.append(len(candidates))
    weakest = np.array(strengths)
    state, separators, tests, skipped, fewest, is_hub = kernels.getpcd(
        data.codes, data.bits, data.log_tables, data.workspace(), rule, 0, np.array(targets), np.array(first),
        np.array(candidates), weakest, most_given, 99,
    )  # fmt: skip
    assert not is_hub.any()
    results = []
    for t in range(len(targets)):
        here = range(first[t], first[t + 1])
        members = {candidates[i]: weakest[i] for i in here if state[i] == kernels.MEMBER}
        apart = {
            candidates[i]: tuple(sorted(z for z in separators[i].tolist() if z >= 0))
            for i in here
            if state[i] == kernels.SEPARATED
        }
        results.append((members, apart, tests[t].tolist(), int(skipped[t]), int(fewest[t])))
    return results


@pytest.mark.parametrize("most_given", [0, 1, 2, 3, 7])
@pytest.mark.parametrize("rule", rules(), ids=lambda rule: f"{rule.kind}-{rule.adjusted}")
def test_members_sets_and_tests_are_those_of_the_naive_search(rule, most_given):
    data = random_arrays(ARITIES, ROWS)
    targets = [2, 0, 5]
    for x, (members, apart, tests, skipped, fewest) in zip(
        targets, compiled(data, rule, targets, most_given), strict=True
    ):
        test = NaiveTester(naive_strength(data, rule))
        expected = getpcd(test, x, [y for y in range(len(ARITIES)) if y != x], most_given)
        assert tuple(members) == expected.members
        assert members == pytest.approx(expected.strengths, abs=1e-6)
        assert apart == expected.separators
        assert [n for n in tests if n] == [n for n in test.tests_by_size[1:] if n]
        assert (skipped, fewest) == (0, ROWS)


def test_tests_that_are_skipped_are_counted():
    """More than four degrees of freedom are too many for so few rows."""
    rows, targets = 300, range(len(ARITIES))
    data = random_arrays(ARITIES, rows)
    rule = independence.Rule(independence.G2, -2.0, 1e-6, 0, rows / 4.5)
    found = compiled(data, rule, targets, 3)
    assert sum(skipped for *_, skipped, _ in found) > 0
    for x, (members, *_) in zip(targets, found, strict=True):
        others = [y for y in targets if y != x]
        assert tuple(members) == getpcd(NaiveTester(naive_strength(data, rule)), x, others, 3).members


def test_a_hub_ends_early():
    """Members are more than the bound, and sets of two and more could be given."""
    codes = draw_hub(6, 300)
    data, members = arrays(codes, [2] * len(codes)), 6
    others = np.arange(1, 1 + members)
    alone, _ = data.sweep(rules()[0], 0, others.tolist(), [])
    for most_given, max_pool, expected in ((3, members, False), (3, 3, True), (1, 3, False)):
        *_, is_hub = kernels.getpcd(
            data.codes, data.bits, data.log_tables, data.workspace(), rules()[0], 0, np.array([0]),
            np.array([0, members]), others, np.array(alone), most_given, max_pool,
        )  # fmt: skip
        assert is_hub.tolist() == [expected]


def test_no_candidates():
    none = np.empty(0, np.int64)
    data = random_arrays(ARITIES, ROWS)
    state, separators, tests, skipped, _, is_hub = kernels.getpcd(
        data.codes, data.bits, data.log_tables, data.workspace(), rules()[0], 0, np.array([1]), np.array([0, 0]), none,
        np.empty(0), 3, 99,
    )  # fmt: skip
    assert (len(state), len(separators), tests.sum(), skipped.sum(), is_hub.sum()) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: f"{rule.kind}-{rule.adjusted}")
def test_columns_with_missing_cells(rule):
    """The naive search over tests on the rows that are complete in their columns."""
    data, targets = arrays(random_gaps(ARITIES, ROWS), ARITIES), [2, 0, 5]
    for x, (members, apart, tests, _, fewest) in zip(targets, compiled(data, rule, targets, 3), strict=True):
        strength, rows = naive_strength(data, rule), [ROWS]

        def counted(x, y, given, strength=strength, rows=rows):
            if given:  # the marginal tests are not those of the search
                rows.append(rows_of(data, [x, y, *given]).shape[1] or ROWS)
            return strength(x, y, given)

        test = NaiveTester(counted)
        expected = getpcd(test, x, [y for y in range(len(ARITIES)) if y != x], 3)
        assert tuple(members) == expected.members
        assert members == pytest.approx(expected.strengths, abs=1e-6)
        assert apart == expected.separators
        assert [n for n in tests if n] == [n for n in test.tests_by_size[1:] if n]
        assert fewest == min(rows)
