"""The references are checked too: against definitions and golden numbers."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from scipy.stats import chi2

from tests.reference import (
    NaiveTester,
    adjusted_df,
    entropy_bits,
    g2,
    information,
    log2_regret,
    log10_chi2_sf,
    partition,
    partition_score,
    regret_by_definition,
    sci,
    stochastic_complexity,
    strata,
    strength_cmi,
    strength_g2,
    strength_sci,
    strength_x2,
    table,
    weakest,
    x2,
)


def random_columns(arities: Sequence[int], rows: int, seed: int) -> list[list[int]]:
    """Columns in which each one leans on the one before it."""
    draw = random.Random(seed)
    columns: list[list[int]] = []
    for arity in arities:
        column = [draw.randrange(arity) for _ in range(rows)]
        if columns:
            column = [
                before % arity if draw.random() < 0.4 else own for before, own in zip(columns[-1], column, strict=True)
            ]
        columns.append(column)
    return columns


def test_table_counts_rows_by_stratum_x_and_y() -> None:
    x, y, z = [0, 0, 1, 1], [1, 1, 0, 1], [2, 2, 2, 0]
    assert table(x, y, strata([z], 4)) == {((2,), 0, 1): 2, ((2,), 1, 0): 1, ((0,), 1, 1): 1}
    assert table(x, y, strata([], 4)) == {((), 0, 1): 2, ((), 1, 0): 1, ((), 1, 1): 1}


@pytest.mark.parametrize(("k", "n"), [(1, 6), (2, 1), (2, 7), (3, 2), (3, 6), (4, 5), (5, 4), (7, 3)])
def test_log2_regret_is_the_definition(k: int, n: int) -> None:
    assert log2_regret(k, n) == pytest.approx(math.log2(regret_by_definition(k, n)), abs=1e-14)


def test_regret_of_two_rows() -> None:
    """R(k, 2) = k + k(k−1)/4; the paper prints /2."""
    for k in range(1, 7):
        assert regret_by_definition(k, 2) == k + Fraction(k * (k - 1), 4)


@pytest.mark.parametrize(
    ("k", "n", "expected"),  # mpmath, 50 digits
    [
        (3, 0, 0.0),
        (100, 1, 6.6438561897747247),
        (3, 5, 3.08922694207039542),
        (2, 127, 3.88750941875498435),
        (2, 128, 3.89290590163611323),
        (100, 128, 130.611185783877994),
        (3000, 127, 590.421221252115436),
        (20, 20000, 108.882362955271511),
        (2, 55109, 8.20401568337475454),
        (3000, 55109, 8796.38580080300733),
    ],
)
def test_log2_regret_golden(k: int, n: int, expected: float) -> None:
    assert log2_regret(k, n) == pytest.approx(expected, abs=1e-11)


def test_chain_rule() -> None:
    """I(X; Y, W | Z) = I(X; Y | Z) + I(X; W | Z, Y), and n·I = n·H(X | Z) − n·H(X | Z, Y)."""
    x, y, w, z = random_columns([3, 2, 4, 3], rows=60, seed=1)
    y_and_w = [4 * a + b for a, b in zip(y, w, strict=True)]
    assert information(x, y_and_w, [z]) == pytest.approx(information(x, y, [z]) + information(x, w, [z, y]))
    assert information(x, y, [z]) == pytest.approx(entropy_bits(x, [z]) - entropy_bits(x, [z, y]))


def test_sci_is_the_larger_gain_in_stochastic_complexity() -> None:
    x, y, z = random_columns([3, 2, 4], rows=50, seed=2)
    result = sci(x, 3, y, 2, [z])
    gains = (result.sc_x - result.sc_x_given_y, result.sc_y - result.sc_y_given_x)
    assert result.sci == pytest.approx(max(gains), abs=1e-11)
    mirrored = sci(y, 2, x, 3, [z])
    assert (mirrored.sc_x, mirrored.sci) == pytest.approx((result.sc_y, result.sci), abs=1e-11)


def test_sci_by_hand() -> None:
    """Four rows, x = y: R(2, 4) = 103/32 and R(2, 2) = 5/2."""
    x = [0, 0, 1, 1]
    result = sci(x, 2, x, 2, [])
    assert result.information == 4.0
    assert result.sc_x == pytest.approx(4 + math.log2(103 / 32))
    assert result.sc_x_given_y == pytest.approx(2 * math.log2(5 / 2))
    assert result.sci == pytest.approx(4 + math.log2(103 / 32) - 2 * math.log2(5 / 2))


def test_the_arity_is_that_of_the_column() -> None:
    """A level that is declared and does not occur costs regret."""
    x = [0, 1, 0, 1]
    assert stochastic_complexity(x, 3, []) - stochastic_complexity(x, 2, []) == pytest.approx(
        log2_regret(3, 4) - log2_regret(2, 4)
    )


def test_what_is_exactly_independent_scores_exactly_zero() -> None:
    x = [0, 0, 1, 1, 2, 2] * 7
    y = [0, 1] * 21
    assert information(x, y, []) == 0.0
    copied = [2 * a + b for a, b in zip(x, y, strict=True)]
    assert information(x, y, [copied]) == 0.0
    assert sci(x, 3, y, 2, [copied]).sci == 0.0


def test_g2_and_x2_by_hand() -> None:
    """Rows of (10, 20) and (30, 0): every expected count is 20 or 10."""
    x = [0] * 30 + [1] * 30
    y = [0] * 10 + [1] * 20 + [0] * 30
    pearson = x2(x, 2, y, 2, [], [])
    assert pearson.statistic == pytest.approx(5 + 10 + 5 + 10)
    assert pearson.df == 1
    likelihood = g2(x, 2, y, 2, [], [])
    assert likelihood.statistic == pytest.approx(2 * (10 * math.log(1 / 2) + 20 * math.log(2) + 30 * math.log(3 / 2)))
    assert likelihood.p == pytest.approx(10**likelihood.log10_p)


def test_degrees_of_freedom() -> None:
    """Stratum 0 shows 2 rows × 2 columns, stratum 1 shows 1 × 2; z has a third, unseen level."""
    x = [0, 0, 1, 1, 2, 2]
    y = [0, 1, 0, 1, 0, 1]
    z = [0, 0, 0, 0, 1, 1]
    assert g2(x, 3, y, 2, [z], [3]).df == 2 * 1 * 3
    assert g2(x, 3, y, 2, [z], [3], "adjusted").df == 1
    assert adjusted_df(table(x, y, strata([z], 6))) == 1


def test_no_degree_of_freedom_is_independence() -> None:
    x = [0, 0, 0, 1, 1, 1]
    assert g2(x, 2, x, 2, [x], [2], "adjusted") == (0.0, 0, 1.0, 0.0)
    assert x2([0] * 6, 1, x, 2, [], []) == (0.0, 0, 1.0, 0.0)


@pytest.mark.parametrize("df", [1, 2, 3, 8, 99, 1000])
def test_log10_p_where_p_does_not_underflow(df: int) -> None:
    for statistic in (0.0, 0.5 * df, df, 2.0 * df + 20):
        assert 10 ** log10_chi2_sf(statistic, df) == pytest.approx(float(chi2.sf(statistic, df)), rel=1e-12)


@pytest.mark.parametrize("df", [1, 2, 3, 8, 99, 1000])
def test_log10_p_is_smooth_where_p_underflows(df: int) -> None:
    """No step in value or slope where the formula changes."""
    statistics = [1300 + df + 5 * i for i in range(400)]
    values = [log10_chi2_sf(s, df) for s in statistics]
    slopes = [(b - a) / 5 for a, b in pairwise(values)]
    assert all(abs(b - a) < 1e-3 for a, b in pairwise(slopes))
    assert values[-1] < -300


def test_log10_p_in_closed_form() -> None:
    """P(χ²₂ ≥ s) = e^−s/2 and P(χ²₄ ≥ s) = e^−s/2·(1 + s/2)."""
    assert log10_chi2_sf(60_000, 2) == pytest.approx(-30_000 / math.log(10), rel=1e-14)
    assert log10_chi2_sf(60_000, 4) == pytest.approx((math.log(30_001) - 30_000) / math.log(10), rel=1e-14)
    assert log10_chi2_sf(60_000, 2) < log10_chi2_sf(60_000, 3) < log10_chi2_sf(60_000, 4)


def test_strengths_agree_on_the_clear_cases() -> None:
    draw = random.Random(3)
    cause = [draw.randrange(3) for _ in range(300)]
    effect = [value if draw.random() < 0.8 else draw.randrange(3) for value in cause]
    further = [value if draw.random() < 0.8 else draw.randrange(3) for value in effect]
    columns, arities = [cause, effect, further], [3, 3, 3]
    for strength in (
        strength_sci(columns, arities),
        strength_g2(columns, arities),
        strength_x2(columns, arities),
    ):
        assert strength(0, 1, []) > 0
        assert strength(0, 2, []) > 0
        assert strength(0, 2, [1]) <= 0
    assert strength_cmi(columns, cutoff=0.1)(0, 1, []) > 0
    assert strength_cmi(columns, cutoff=0.1)(0, 2, [1]) <= 0


def test_too_few_rows_for_the_degrees_of_freedom_is_independence() -> None:
    x = [0, 1] * 15
    assert strength_g2([x, x], [2, 2])(0, 1, []) > 0
    assert strength_g2([x, x], [2, 2], min_rows_per_df=30)(0, 1, []) > 0
    assert strength_g2([x, x], [2, 2], min_rows_per_df=31)(0, 1, []) <= 0


def test_min_bits_raises_the_bar() -> None:
    x = [0, 1] * 15
    plain = strength_sci([x, x], [2, 2])(0, 1, [])
    raised = strength_sci([x, x], [2, 2], min_bits=4)(0, 1, [])
    assert plain - raised == pytest.approx(4 - 1e-6)


def test_weakest_visits_sets_in_order_and_leaves_at_the_first_that_separates() -> None:
    visited = []

    def strength(target: int, candidate: int, given: Sequence[int]) -> float:
        visited.append((candidate, tuple(given)))
        return 0.0 if candidate == 1 and 3 in given and 5 in given else 10.0 - len(given)

    found = weakest(strength, 0, candidates=[1, 2], pool=[5, 2, 0, 3], fixed=[4], sizes=[2, 0, 1], known=[9.0, 8.5])
    assert [given for candidate, given in visited if candidate == 1] == [
        (4,),
        (4, 5),
        (2, 4),
        (3, 4),
        (2, 4, 5),
        (3, 4, 5),
    ]
    assert [given for candidate, given in visited if candidate == 2] == [(4,), (4, 5), (3, 4), (3, 4, 5)]
    assert found.minima == [0.0, 7.0]
    assert found.separating_sets == [(3, 4, 5), None]
    assert found.tests_by_size == Counter({1: 2, 2: 5, 3: 3})


def test_weakest_without_any_set_returns_what_was_known() -> None:
    def strength(target: int, candidate: int, given: Sequence[int]) -> float:
        raise AssertionError("no set of this size can be formed")

    assert weakest(strength, 0, [1], pool=[1], fixed=[], sizes=[1], known=[3.0]).minima == [3.0]
    assert weakest(strength, 0, [1], pool=[1], fixed=[], sizes=[1]).minima == [math.inf]
    assert weakest(strength, 0, [1], pool=[2], fixed=[1], sizes=[0, 1]).separating_sets == [None]


def test_naive_tester_counts_its_tests() -> None:
    tester = NaiveTester(lambda target, candidate, given: candidate - len(given))
    assert tester.tests_by_size == []
    assert tester.sweep(0, [1, 2], [3, 4]).tolist() == [-1.0, 0.0]
    assert tester.tests_by_size == [0, 0, 2]
    minima, separating_sets = tester.weakest(0, [1, 2], pool=[3, 4], fixed=[], sizes=[0, 1])
    assert minima.tolist() == [0.0, 1.0]
    assert separating_sets == [(3,), None]
    assert tester.tests_by_size == [2, 3, 2]


def test_partition_ties_go_to_fewer_parents() -> None:
    """Two binary columns with equal margins cost the same in either direction."""
    target = [0, 1, 0, 1, 1, 0, 1, 1, 1, 1]
    neighbor = [0, 1, 0, 1, 1, 1, 1, 1, 1, 0]
    found = partition(0, [1], [target, neighbor], [2, 2])
    assert found.parents == ()
    assert found.margins == pytest.approx([0.0], abs=1e-11)


def test_partition_ties_go_to_the_first_neighbor() -> None:
    """The target is balanced and the neighbors are not: one is a parent, and two copies tie for it."""
    target = [0] * 10 + [1] * 10
    copied = [0] * 15 + [1] * 5
    columns, arities = [target, copied, copied], [2, 2, 2]
    assert partition(0, [1, 2], columns, arities).parents == (1,)
    assert partition(0, [2, 1], columns, arities).parents == (2,)


def test_partition_margins_are_what_one_change_of_side_costs() -> None:
    arities = [3, 2, 3, 2]
    columns = random_columns(arities, rows=80, seed=5)
    found = partition(1, [0, 2, 3], columns, arities)
    for neighbor, margin in zip([0, 2, 3], found.margins, strict=True):
        parents = sorted(set(found.parents) ^ {neighbor})
        children = sorted({0, 2, 3} - set(parents))
        score = partition_score(1, parents, children, columns, arities)
        assert found.score + margin == pytest.approx(score)
        assert margin >= -1e-9


def test_partition_without_neighbors() -> None:
    column = [0, 1, 2, 2]
    assert partition(0, [], [column], [3]) == ((), stochastic_complexity(column, 3, []), [])
