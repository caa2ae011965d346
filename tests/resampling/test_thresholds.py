"""Thresholds, against their definitions: the L1 distance minimized by trying, and the published bounds term by term."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from climbfast.resampling.thresholds import automatic_threshold, bounds_of_false_edges


def significant(counts, replicates):
    """Return the frequencies that count by Scutari and Nagarajan, as sets: one for each t of least distance."""
    values = [Fraction(count, replicates) for count in counts]

    def below(u):
        return Fraction(sum(value <= u for value in values), len(values))

    def distance(t):
        steps = sorted({Fraction(0), Fraction(1), *values})
        return sum((b - a) * abs(below(a) - t) for a, b in itertools.pairwise(steps))

    def quantile(t):
        return min((value for value in {Fraction(0), *values} if below(value) >= t), default=Fraction(0))

    tried = sorted({Fraction(0), *(below(value) for value in values), below(Fraction(0))})
    least = min(map(distance, tried))
    # A frequency of 1 counts whatever the threshold is, as in bnlearn.
    return [{value for value in values if value > quantile(t) or value == 1} for t in tried if distance(t) == least]


counts_of_pairs = st.integers(1, 12).flatmap(
    lambda replicates: st.tuples(st.just(replicates), st.lists(st.integers(0, replicates), min_size=1, max_size=12))
)


@given(counts_of_pairs)
def test_the_edges_that_count_are_those_of_the_definition(drawn):
    replicates, counts = drawn
    least = automatic_threshold(replicates)
    ours = {Fraction(count, replicates) for count in counts if count / replicates >= least}
    # With a frequency of just 1/2 several t are as near.
    assert ours in significant(counts, replicates)


def test_the_example_of_the_paper():
    frequencies = [0.0460, 0.2242, 0.3921, 0.7689, 0.8935, 0.9439]
    assert [f for f in frequencies if f >= automatic_threshold(10_000)] == frequencies[3:]


@given(st.integers(1, 500))
def test_it_is_more_than_half_and_never_zero(replicates):
    threshold = automatic_threshold(replicates)
    assert 0.5 < threshold <= 1
    assert threshold - 1 / replicates <= 0.5


@pytest.mark.parametrize(("edges", "pairs"), [(3.0, 45), (20.0, 666), (0.5, 10)])
def test_bounds_of_meinshausen_and_buehlmann(edges, pairs):
    bounds = bounds_of_false_edges(edges, pairs, 50, complementary=False)
    for number, bound in enumerate(bounds.tolist(), 1):
        threshold = number / 50
        expected = edges**2 / ((2 * threshold - 1) * pairs) if number > 25 else math.inf
        assert bound == pytest.approx(expected)


def shah_and_samworth(edges, pairs, halves, threshold):
    """Theorem 2 for one threshold."""
    theta = edges / pairs
    if theta > 1 / math.sqrt(3) or threshold < 0.5 + 1 / halves - 1e-12:
        return math.inf
    if threshold > 0.75 + 1e-12:
        return 4 * (1 - threshold + 1 / (2 * halves)) / (1 + 1 / halves) * theta * edges
    if threshold <= min(0.5 + theta**2, 0.5 + 1 / (2 * halves) + 0.75 * theta**2):
        return math.inf
    return 1 / (2 * (2 * threshold - 1 - 1 / (2 * halves))) * theta * edges


@given(st.integers(1, 60), st.integers(1, 400), st.floats(0.001, 1))
def test_bounds_of_shah_and_samworth(halves, pairs, theta):
    edges = theta * pairs
    bounds = bounds_of_false_edges(edges, pairs, 2 * halves, complementary=True).tolist()
    expected = [shah_and_samworth(edges, pairs, halves, number / (2 * halves)) for number in range(1, 2 * halves + 1)]
    assert bounds == pytest.approx(expected)


@pytest.mark.parametrize("complementary", [True, False])
def test_without_edges_nothing_is_false(complementary):
    bounds = bounds_of_false_edges(0.0, 10, 20, complementary=complementary)
    assert bounds[-1] == 0
    assert bounds[4] == math.inf


def test_the_bounds_at_fifty_pairs():
    # θ = 50/1000: at 0.9, 4 (0.1 + 0.01) / 1.02 * 2.5.
    bounds = bounds_of_false_edges(50, 1000, 100, complementary=True)
    assert bounds[89] == pytest.approx(4 * 0.11 / 1.02 * 2.5)
    assert bounds[74] == pytest.approx(0.5 / 0.49 * 2.5)
