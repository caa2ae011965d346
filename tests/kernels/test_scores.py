"""Families are scored as the formulas say, to the same integer by every strategy of counting and in every order."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels import scores
from climbfast_kernels._jit import INTERPRETED
from climbfast_kernels.patterns import Sweeps
from tests import reference
from tests.factories import (
    EXAMPLES,
    STRATEGIES,
    Arrays,
    arrays,
    codes_with_gaps,
    draw_codes,
    random_arrays,
    small_codes,
    weights_of,
)
from tests.kernels.naive import rows_of

KINDS = (scores.LIKELIHOOD, scores.FNML, scores.BDEU)
ROWS = 60 if INTERPRETED else 400


def sums(
    data: Arrays, kind: int, target: int, candidates: Sequence[int], given: Sequence[int], strategy: int = 0,
    sample_prior: float = 1.0,
) -> tuple[list[int], float]:  # fmt: skip
    """The scores in units, and the units of a bit."""
    terms = scores.terms_of_scores([kind], [sample_prior], data.log_tables)
    (found,), rows = scores.score_families(
        data.codes, data.bits, data.log_tables, data.workspace(len(given)), terms, strategy,
        one_sweep(target, candidates, given),
    )  # fmt: skip
    assert rows.tolist() == [data.codes.shape[1]] * len(candidates)
    return found.tolist(), float(terms.units[0])


def one_sweep(target: int, candidates: Sequence[int], given: Sequence[int]) -> Sweeps:
    bounds = [np.array([0, len(columns)], np.int64) for columns in (candidates, given)]
    return Sweeps(
        np.array([target], np.int64), bounds[0], np.array(candidates, np.int64), bounds[1], np.array(given, np.int64)
    )


def alone(data: Arrays, kind: int, target: int, sample_prior: float = 1.0) -> int:
    counts = [n for n in np.bincount(data.codes[target]).tolist() if n]
    terms = scores.terms_of_scores([kind], [sample_prior], data.log_tables)
    of_score = scores.Terms(*(array[0] for array in terms))
    return int(scores.score_alone(counts, data.arity, data.log_tables, of_score, target))


def naive(data: Arrays, kind: int, target: int, parents: Sequence[int], sample_prior: float = 1.0) -> float:
    x, columns = data.codes[target].tolist(), [data.codes[p].tolist() for p in parents]
    k, arities = int(data.arity[target]), data.arity[list(parents)].tolist()
    if kind == scores.LIKELIHOOD:
        return reference.log_likelihood(x, columns)
    if kind == scores.FNML:
        return reference.fnml(x, k, columns)
    return reference.bdeu(x, k, columns, arities, sample_prior)


@given(small_codes(), st.sampled_from([1e-3, 0.5, 1.0, 10.0, 5e4]))
@settings(max_examples=EXAMPLES)
def test_families(drawn, sample_prior):
    data = arrays(*drawn)
    target, candidate, *given = range(len(data.codes))
    for kind in KINDS:
        expected = naive(data, kind, target, [candidate, *given], sample_prior)
        for strategy in STRATEGIES:
            (found,), units = sums(data, kind, target, [candidate], given, strategy, sample_prior)
            assert found / units == pytest.approx(expected, abs=1e-7)
        assert alone(data, kind, target, sample_prior) / units == pytest.approx(
            naive(data, kind, target, [], sample_prior), abs=1e-7
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("given", [[], [5], [5, 3]])
def test_a_sweep_over_columns_with_few_and_many_levels(kind, given):
    data = random_arrays([3, 2, 4, 2, 1, 3, 70], ROWS)
    candidates = [c for c in (6, 4, 2, 1, 5, 3) if c not in given]
    swept = [sums(data, kind, 0, candidates, given, strategy)[0] for strategy in STRATEGIES]
    assert all(s == swept[0] for s in swept)
    units = sums(data, kind, 0, candidates, given)[1]
    expected = [naive(data, kind, 0, [c, *given]) for c in candidates]
    assert [s / units for s in swept[0]] == pytest.approx(expected, abs=1e-6)


@given(small_codes(least=3), st.data())
@settings(max_examples=EXAMPLES)
def test_every_strategy_and_every_order_give_the_same_integers(drawn, draw):
    codes, arities = drawn
    data = arrays(codes, arities)
    target, candidate, *given = draw.draw(st.permutations(range(len(codes))))
    recoded = [draw.draw(st.permutations(range(k))) for k in arities]
    rows = draw.draw(st.permutations(range(codes.shape[1])))
    shuffled = np.array([np.array(r, np.uint8)[c] for r, c in zip(recoded, codes, strict=True)], np.uint8)[:, rows]
    for kind in KINDS:
        found = [sums(data, kind, target, [candidate], given, strategy)[0] for strategy in STRATEGIES]
        found.append(sums(arrays(shuffled, arities), kind, target, [candidate], given)[0])
        found.append(sums(data, kind, target, [given[-1]], [candidate, *given[:-1]][::-1])[0])
        assert all(f == found[0] for f in found)
        assert alone(data, kind, target) == alone(arrays(shuffled, arities), kind, target)


@given(small_codes(least=2), st.sampled_from([0.1, 1.0, 7.0]))
@settings(max_examples=EXAMPLES)
def test_likelihood_and_bdeu_are_the_same_for_equivalent_graphs(drawn, sample_prior):
    """score(x | Z) + score(y | Z, x) = score(y | Z) + score(x | Z, y), to the last unit."""
    data = arrays(*drawn)
    x, y, *given = range(len(data.codes))

    def score(kind, target, parents):
        if not parents:
            return alone(data, kind, target, sample_prior)
        return sums(data, kind, target, parents[:1], parents[1:], sample_prior=sample_prior)[0][0]

    for kind in (scores.LIKELIHOOD, scores.BDEU):
        one, other = (
            score(kind, x, given) + score(kind, y, [x, *given]),
            score(kind, y, given) + score(kind, x, [y, *given]),
        )
        assert one == other


@pytest.mark.parametrize("a", [1e-290, 1e-9, 0.125, 1.0, 3.5, 15.0, 400.0, 1e9])
def test_rising_factorials(a):
    for c in [0, 1, 2, 15, 16, 17, 100, 20_000]:
        exact = math.fsum(math.log2(a + i) for i in range(c))
        found = scores.log2_rising(c, a, math.lgamma(a) / math.log(2))
        # Next to a large a the logarithms of two large gamma functions are what is left of each other.
        assert found == pytest.approx(exact, abs=1e-9, rel=1e-5 if a > 1e6 else 1e-13)


@pytest.mark.parametrize("kind", KINDS)
def test_more_configurations_than_a_float_holds(kind):
    """Forty columns of 250 levels are 10^96 configurations; 130 are past the largest float."""
    rng = np.random.default_rng(0)
    codes = np.vstack([rng.integers(0, 2, 50), np.tile(rng.integers(0, 250, 50), (130, 1))]).astype(np.uint8)
    data = arrays(codes, [2] + [250] * 130)
    for n_parents in (40, 130):
        (found,), units = sums(data, kind, 0, [1], list(range(2, n_parents + 1)))
        strata = len(set(codes[1].tolist()))
        assert math.isfinite(found)
        if kind == scores.BDEU:
            # Prior counts so small that a stratum of one level costs one bit, and each further level many.
            more = len(set(zip(codes[1].tolist(), codes[0].tolist(), strict=True))) - strata
            assert found / units == pytest.approx(-strata - more * 8 * n_parents, rel=0.1)
        else:
            assert found / units == pytest.approx(naive(data, kind, 0, [1]), abs=1e-9)


def test_declared_levels_count():
    """A level that never occurs is a parameter of BDeu and of the regret, not of the likelihood."""
    codes = draw_codes([2, 3], 50)
    few, many = arrays(codes, [2, 3]), arrays(codes, [4, 5])
    for kind in KINDS:
        same = sums(few, kind, 0, [1], [])[0] == sums(many, kind, 0, [1], [])[0]
        assert same == (kind == scores.LIKELIHOOD)
        assert sums(many, kind, 0, [1], [])[0][0] / sums(many, kind, 0, [1], [])[1] == pytest.approx(
            naive(many, kind, 0, [1]), abs=1e-8
        )


def test_several_sweeps_and_scores_in_one_call_are_those_of_calls_of_their_own():
    # The last level of the first and third column is a missing cell.
    data = arrays(draw_codes([3, 3, 4, 3], 200), [2, 3, 3, 3])
    terms = scores.terms_of_scores(list(KINDS), [1.0] * len(KINDS), data.log_tables)
    sweeps = [(0, [1, 2], [3]), (1, [0], [2, 3]), (2, [0, 1, 3], [])]
    bounds = [np.cumsum([0, *(len(each[i]) for each in sweeps)]) for i in (1, 2)]
    columns = [np.array([y for each in sweeps for y in each[i]], np.int64) for i in (1, 2)]
    many = Sweeps(np.array([0, 1, 2]), bounds[0], columns[0], bounds[1], columns[1])
    asked = data.codes, data.bits, data.log_tables, data.workspace(2)
    found = scores.compare_families(*asked, terms, 0, many)
    for s, sweep in enumerate(sweeps):
        part = slice(*bounds[0][s : s + 2].tolist())
        for t, kind in enumerate(KINDS):
            own = scores.terms_of_scores([kind], [1.0], data.log_tables)
            (together,), (without,), rows = scores.compare_families(*asked, own, 0, one_sweep(*sweep))
            assert together.tolist() == found[0][t, part].tolist()
            assert without.tolist() == found[1][t, part].tolist()
            assert rows.tolist() == found[2][part].tolist()


@given(codes_with_gaps(), st.data())
@settings(max_examples=EXAMPLES // 2)
def test_families_over_the_rows_without_missing_cells(drawn, draw):
    """With and without the last parent, over the same rows; of repeated rows too, by every strategy."""
    codes, arities = drawn
    data = arrays(codes, arities, draw.draw(st.none() | weights_of(codes.shape[1])))
    target, *others = draw.draw(st.permutations(range(len(codes))))
    given = others[1 : 1 + draw.draw(st.integers(0, len(others) - 1))]
    candidates = [y for y in others if y not in given]
    for kind in KINDS:
        terms = scores.terms_of_scores([kind], [1.0], data.log_tables)
        units = float(terms.units[0])
        first = None
        for strategy in STRATEGIES:
            asked = (data.codes, data.bits, data.log_tables, data.workspace(len(given)), terms, strategy)
            sweep = one_sweep(target, candidates, given)
            (alone,), (fewer,), of_rows = scores.compare_families(*asked, sweep)
            found = [alone.tolist(), fewer.tolist(), of_rows.tolist()]
            (together,), rows = scores.score_families(*asked, sweep)
            assert [together.tolist(), rows.tolist()] == [found[0], found[2]]
            first = first or found
            assert found == first
        for y, score, without, rows in zip(candidates, *first, strict=True):
            cut = rows_of(data, [target, y, *given])
            assert rows == cut.shape[1]
            data_of_rows = data._replace(codes=cut)
            assert score / units == pytest.approx(naive(data_of_rows, kind, target, [*given, y]), abs=1e-7)
            assert without / units == pytest.approx(naive(data_of_rows, kind, target, given), abs=1e-7)
