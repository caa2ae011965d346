"""Scores with their options against the formulas, and every family counted once."""

from __future__ import annotations

import math
import pickle
from functools import cache
from itertools import permutations

import numpy as np
import pytest

import climbfast as cf
from climbfast.scores import LocalScores, SameRowFamilies, SameRowScores, as_score, scores_of
from tests import incomplete, reference
from tests.factories import draw_codes, numbered, quiet, quiet_codes, random_gaps

ARITIES = [3, 2, 4, 2, 3]


def naive(score, codes, arities, x: int, parents) -> float:
    """The score of a family by its formula."""
    column, columns = codes[x].tolist(), [codes[p].tolist() for p in parents]
    k, levels = arities[x], [arities[p] for p in parents]
    if isinstance(score, cf.BIC):
        return reference.bic(column, k, columns, levels, score.penalty)
    if isinstance(score, cf.AIC):
        return reference.aic(column, k, columns, levels, score.parent_code, len(codes))
    if isinstance(score, cf.FNML):
        return reference.fnml(column, k, columns)
    if isinstance(score, cf.QNML):
        return reference.qnml(column, k, columns, levels)
    data = reference.bdeu(column, k, columns, levels, score.sample_prior)
    if score.structure_prior == 0:
        return data
    return data + reference.structure_prior(len(parents), len(codes), score.structure_prior)


SCORES = (
    cf.BIC(), cf.BIC(0), cf.BIC(2.5), cf.AIC(), cf.AIC(2), cf.FNML(), cf.QNML(), cf.BDeu(), cf.BDeu(10, 0.5),
    cf.BDeu(0.1, 0), cf.BDeu(1, 100),
)  # fmt: skip


@pytest.mark.parametrize("score", SCORES, ids=str)
@pytest.mark.parametrize("rows", [1, 30, 500])
def test_families(score, rows):
    codes = draw_codes(ARITIES, rows, seed=2)
    levels = {f"c{i}": range(k) for i, k in enumerate(ARITIES)}
    data = numbered(quiet({f"c{i}": c for i, c in enumerate(codes)}, declared_levels=levels))
    scores = LocalScores(data, score)
    for x, parents in [(0, []), (0, [1]), (1, [0, 2]), (2, [4, 0, 3]), (3, [0, 1, 2, 4])]:
        expected = naive(score, codes, ARITIES, x, parents)
        assert scores.score(x, parents) == pytest.approx(expected, abs=1e-7)
        others = np.array([y for y in range(5) if y != x and y not in parents], np.int64)
        gains = [naive(score, codes, ARITIES, x, [*parents, y]) - expected for y in others]
        assert scores.gains(x, parents, others) == pytest.approx(gains, abs=1e-7)


@pytest.mark.parametrize("counting", ["bitmaps", "dense", "sparse"])
@pytest.mark.parametrize("score", SCORES, ids=str)
def test_every_counting_strategy(score, counting):
    data = quiet_codes(draw_codes([3, 2, 70, 2], 400))
    one, other = LocalScores(data, score), LocalScores(data, score, counting=counting)
    candidates = np.arange(1, 4)
    assert one.gains(0, (), candidates).tobytes() == other.gains(0, (), candidates).tobytes()
    assert one.score(0, (1, 2, 3)) == other.score(0, (1, 2, 3))


@pytest.mark.parametrize("score", [s for s in SCORES if not isinstance(s, cf.FNML)], ids=str)
def test_a_gain_is_the_same_from_both_sides(score):
    data = quiet_codes(draw_codes(ARITIES, 300))
    scores = LocalScores(data, score)
    for given in [(), (2,), (2, 4)]:
        assert scores.gains(0, given, np.array([1])).tobytes() == scores.gains(1, given, np.array([0])).tobytes()


def test_a_frame_is_encoded_and_the_scores_are_short_to_look_at():
    columns = {"x": [0, 1, 1, 0] * 5, "y": [0, 1, 0, 0] * 5}
    scores = LocalScores(columns)
    assert scores.score(0, (1,)) == LocalScores(quiet(columns)).score(0, (1,))
    assert repr(scores) == "<LocalScores: bdeu, 20 rows, 2 columns, 1 families counted>"
    with pytest.raises(cf.DataError):
        LocalScores(3)


def test_a_family_is_counted_once():
    data = quiet_codes(draw_codes(ARITIES, 300))
    scores = LocalScores(data, "bdeu")
    scores.gains(0, (), np.array([1, 2]))
    assert scores.families == 3, "the column alone, and with two others"
    scores.gains(0, (), np.array([2, 1]))
    scores.score(0, (2,))
    scores.score(0, ())
    assert scores.families == 3
    scores.gains(0, (), np.array([1, 2, 4]))
    assert scores.families == 4
    scores.gains(1, (), np.array([0]))
    assert scores.families == 5, "the pair is known from its other side, the column alone is not"
    scores.score(2, [4, 1])
    assert scores.families == 6
    assert scores.score(2, [4, 1]) == scores.score(2, (1, 4))
    assert scores.families == 6


def test_fnml_counts_both_sides():
    scores = LocalScores(quiet_codes(draw_codes([3, 2], 100)), "fnml")
    scores.gains(0, (), np.array([1]))
    scores.gains(1, (), np.array([0]))
    assert scores.families == 4


def test_penalties_past_every_integer():
    """Thirty parents of 250 levels: a gain is large, of the right sign, and a number."""
    rng = np.random.default_rng(0)
    data = quiet_codes(np.vstack([rng.integers(0, 2, 60), np.tile(rng.integers(0, 250, 60), (31, 1))]).astype(np.uint8))
    for score in (cf.BIC(), cf.AIC(), cf.QNML(), cf.FNML(), cf.BDeu()):
        scores = LocalScores(data, score)
        gain = scores.gains(0, range(1, 31), np.array([31]))[0]
        assert math.isfinite(gain)
        assert gain <= 0
        assert math.isfinite(scores.score(0, range(1, 32)))


def test_names():
    assert as_score("BIC") == cf.BIC(1)
    assert as_score(cf.BDeu(2, 3)) == cf.BDeu(sample_prior=2, structure_prior=3)
    assert pickle.loads(pickle.dumps(cf.BDeu(2))) == cf.BDeu(2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cf.BIC(-1), "penalty is -1; it has to be a number from 0 up"),
        (lambda: cf.BIC(math.inf), "penalty is inf"),
        (lambda: cf.BIC(1e308), "penalty is 1e.308; it has to be at most 1e.100"),
        (lambda: cf.BIC(10**400), "it has to be a number from 0 up"),
        (lambda: cf.BDeu(10**400), "it has to be a number from"),
        (lambda: cf.BDeu(0), "sample_prior is 0; it has to be a number from 1e-09 to 1e"),
        (lambda: cf.BDeu("1"), "sample_prior is '1'"),
        (lambda: cf.BDeu(math.nan), "sample_prior is nan"),
        (lambda: cf.BDeu(True), "sample_prior is True"),
        (lambda: cf.BDeu(1, -0.5), "structure_prior is -0.5"),
        (lambda: as_score("k2"), "no score named 'k2'; the scores are bic, aic, bdeu, fnml, qnml"),
        (lambda: as_score(None), "no score named None"),
    ],
)
def test_refusals(make, message):
    with pytest.raises(cf.OptionError, match=message):
        make()


GAP_ARITIES = [3, 2, 4, 2, 3, 2]
EVERY = (cf.BIC(), cf.AIC(2), cf.BDeu(), cf.FNML(), cf.QNML())
FAMILIES = [(0, ()), (0, (1,)), (1, (0, 2)), (2, (0, 3, 4)), (3, (1, 5)), (5, (1, 3)), (4, (0, 1, 2, 3, 5))]


@pytest.fixture(scope="module")
def gaps():
    """Columns of which c01, c03 and c05 are complete."""
    return incomplete.encoded(incomplete.cells_of(random_gaps(GAP_ARITIES, 300, seed=4), GAP_ARITIES))


def complete(data, columns):
    """The codes of all columns in the rows that are complete in some."""
    return data.codes[:, (data.codes[list(columns)] != data.arity[list(columns), None]).all(axis=0)]


def gain_over_the_same_rows(score, data, x, family, y):
    """Of a further parent, over the rows in which neither it nor the family is missing, per row of the data."""
    cut = complete(data, (x, *family, y))
    arities = data.arity.tolist()
    gain = naive(score, cut, arities, x, (*family, y)) - naive(score, cut, arities, x, family)
    return gain * data.rows / cut.shape[1]


@pytest.fixture(scope="module")
def gain(gaps):
    """What a parent adds to a set of parents: found once for all orders of them and all ways of counting."""
    return cache(lambda score, x, family, y: gain_over_the_same_rows(score, gaps, x, tuple(sorted(family)), y))


@pytest.mark.parametrize("score", EVERY, ids=str)
@pytest.mark.parametrize("counting", ["bitmaps", "dense", "sparse"])
def test_missing_cells_make_scores_averages_over_the_complete_rows(gaps, score, counting):
    scores = LocalScores(gaps, score, counting=counting)
    fewest = gaps.rows
    for x, parents in FAMILIES:
        cut = complete(gaps, (x, *parents))
        expected = naive(score, cut, GAP_ARITIES, x, parents) * gaps.rows / cut.shape[1]
        assert scores.score(x, parents) == pytest.approx(expected, abs=1e-6)
        fewest = min(fewest, cut.shape[1])
        assert scores.fewest_rows == fewest
    auto = LocalScores(gaps, score)
    candidates = np.array([1, 2, 3, 5])
    gains = scores.gains(0, (4,), candidates)
    assert gains.tobytes() == auto.gains(0, (4,), candidates).tobytes()
    expected = [auto.score(0, (4, int(y))) - auto.score(0, (4,)) for y in candidates]
    assert gains == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("score", EVERY, ids=str)
@pytest.mark.parametrize("counting", ["auto", "bitmaps", "dense", "sparse"])
def test_families_compared_over_the_same_rows(gaps, gain, score, counting):
    """The gains of the parents one after the other, in the order for which this is least."""
    scores = scores_of(gaps, score, counting=counting)
    for x, parents in FAMILIES:
        alone = complete(gaps, (x,))
        start = naive(score, alone, GAP_ARITIES, x, ()) * gaps.rows / alone.shape[1]
        sums = [
            sum(gain(score, x, frozenset(order[:i]), y) for i, y in enumerate(order)) for order in permutations(parents)
        ]
        assert scores.score(x, parents) == pytest.approx(start + min(sums), abs=1e-5)
    candidates = np.array([1, 3, 5])
    gains = scores.gains(0, (2, 4), candidates)
    assert gains == pytest.approx([scores.score(0, (2, 4, y)) - scores.score(0, (2, 4)) for y in candidates], abs=1e-9)
    assert scores.fewest_rows <= min(complete(gaps, (x, *parents)).shape[1] for x, parents in FAMILIES)


def test_several_scores_of_families_with_gaps_are_those_of_each(gaps):
    families = SameRowFamilies(gaps, EVERY)
    families.add(FAMILIES)
    counted = families.families
    one = SameRowFamilies(gaps, EVERY[:1])
    one.add(FAMILIES)
    assert one.families == counted, "each is counted once for all scores"
    for number, score in enumerate(EVERY):
        each = scores_of(gaps, score)
        assert families.units[number] == each.units
        for x, parents in FAMILIES:
            assert families.units_of(x, parents)[number] == each.units_of(x, parents)
    families.add(FAMILIES)
    assert families.families == counted
    (gains,) = families.gains([(0, (4,), [1, 2, 3, 5])])
    assert families.gains([(0, (4,), [2, 5])])[0].tolist() == gains[:, [1, 3]].tolist()
    for i, y in enumerate([1, 2, 3, 5]):
        own = gain_over_the_same_rows(cf.AIC(2), gaps, 0, (4,), y)
        assert gains[1, i] / families.units[1] == pytest.approx(own, abs=1e-6)


@pytest.mark.parametrize("score", EVERY, ids=str)
def test_complete_data_have_one_score(score):
    """To the bit the same where scores compare families over the same rows."""
    data = quiet_codes(draw_codes(GAP_ARITIES, 300, seed=4))
    local, same = LocalScores(data, score), SameRowScores(LocalScores(data, score))
    assert isinstance(scores_of(data, score), LocalScores)
    candidates = np.array([1, 2, 3])
    for x, parents in FAMILIES:
        assert same.score(x, parents) == local.score(x, parents)
    assert same.gains(0, (4, 5), candidates).tobytes() == local.gains(0, (4, 5), candidates).tobytes()
    assert same.fewest_rows == local.fewest_rows == 300


@pytest.mark.parametrize("score", EVERY, ids=str)
def test_a_family_without_a_complete_row_is_never_preferred(score):
    x = [0, 1] * 20
    data = incomplete.encoded({"x": x, "y": [*x[:20], *[None] * 20], "z": [*[None] * 20, *x[20:]], "e": [None] * 40})
    e, x, y, z = range(4)
    for scores in (LocalScores(data, score), scores_of(data, score)):
        assert scores.score(y, (z,)) < scores.score(y, ()) - 1e5
        assert (scores.gains(y, (), np.array([z, e])) < -1e5).all()
        assert scores.gains(y, (x,), np.array([z]))[0] < -1e5
        assert scores.gains(y, (), np.array([x]))[0] > 0
        assert scores.score(e, ()) == 0
        assert scores.fewest_rows == 20


def test_of_many_parents_the_one_with_most_missing_cells_comes_last():
    arities = [2] * 9
    data = incomplete.encoded(incomplete.cells_of(random_gaps(arities, 400, seed=1, share=0.05), arities))
    scores, family = scores_of(data, "bic"), tuple(range(1, 9))
    last = max(range(2, 9, 2), key=lambda y: data.missing[data.canonical[y]])
    others = tuple(y for y in family if y != last)
    expected = gain_over_the_same_rows(cf.BIC(), data, 0, others, last)
    assert scores.score(0, family) - scores.score(0, others) == pytest.approx(expected, abs=1e-5)
