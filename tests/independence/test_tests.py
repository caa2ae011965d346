"""The options of the tests, what they mean, and log2 R(k, n)."""

from __future__ import annotations

import csv
import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import climbfast as cf
from climbfast.independence.tests import TestCounts, as_test, is_custom, options_of_test, test_name

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("number", [np.int64(1), np.float32(0.5), Fraction(1, 2)])
def test_options_are_numbers_of_python(number):
    options = cf.SCI(number), cf.CMI(number), cf.G2(min_rows_per_df=number)
    assert [type(value) for value in (options[0].min_bits, options[1].cutoff, options[2].min_rows_per_df)] == [
        float
    ] * 3
    data = cf.load_example().sample(100, 1)
    for test in options:
        json.dumps(dict(cf.markov_blankets(data, test=test, n_jobs=1, progress=False).how))


@pytest.mark.parametrize("option", ["min_bits", "cutoff", "alpha", "min_rows_per_df"])
def test_an_option_past_all_floats(option):
    kind = {"min_bits": cf.SCI, "cutoff": cf.CMI}.get(option, cf.G2)
    with pytest.raises(cf.OptionError, match=option):
        kind(**{option: 10**400})


def test_min_bits_raises_the_bar(data):
    plain, raised = cf.test(data, "x", "y"), cf.test(data, "x", "y", test=cf.SCI(min_bits=10))
    assert plain.strength - raised.strength == pytest.approx(10 - 1e-6)
    assert cf.test(data, "x", "y", test=cf.SCI(min_bits=plain.sci + 1)).independent


def test_alpha_is_the_level_of_significance(data):
    p = cf.test(data, "x", "z", test="g2").p_value
    assert cf.test(data, "x", "z", test=cf.G2(alpha=p * 0.99)).independent
    assert not cf.test(data, "x", "z", test=cf.G2(alpha=min(p * 1.01, 0.999))).independent


def test_cutoff_of_the_information(data):
    bits = cf.test(data, "x", "y", test="cmi").information / 500
    assert cf.test(data, "x", "y", test=cf.CMI(cutoff=bits * 1.01)).independent
    assert not cf.test(data, "x", "y", test=cf.CMI(cutoff=bits * 0.99)).independent
    assert cf.test(data, "x", "y", test=cf.CMI(cutoff=0.01)).strength == pytest.approx(bits - 0.01)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cf.SCI(min_bits=-1), "min_bits"),
        (lambda: cf.SCI(min_bits=math.nan), "min_bits"),
        (lambda: cf.SCI(min_bits=math.inf), "min_bits"),
        (lambda: cf.SCI(min_bits="2"), "min_bits"),
        (lambda: cf.G2(alpha=0), "alpha"),
        (lambda: cf.G2(alpha=1), "alpha"),
        (lambda: cf.X2(alpha=math.nan), "alpha"),
        (lambda: cf.X2(alpha="0.01"), "alpha"),
        (lambda: cf.G2(df="exact"), "'adjusted', 'nominal'"),
        (lambda: cf.X2(min_rows_per_df=-1), "min_rows_per_df"),
        (lambda: cf.CMI(cutoff=-0.1), "cutoff"),
        (lambda: as_test("chi2"), "the tests are sci, g2, x2, cmi"),
        (lambda: as_test(None), "the tests are sci, g2, x2, cmi"),
    ],
)
def test_options_outside_their_legal_values(make, message):
    with pytest.raises(cf.OptionError, match=message):
        make()


def test_numbers_of_numpy_are_numbers():
    assert cf.SCI(min_bits=np.float32(2)) == cf.SCI(min_bits=2)
    assert cf.CMI(cutoff=np.int64(1)) == cf.CMI(cutoff=1)
    assert cf.G2(alpha=np.float32(0.5), min_rows_per_df=np.int64(5)) == cf.G2(alpha=0.5, min_rows_per_df=5)


def test_min_bits_given_twice():
    assert as_test("sci", min_bits=3) == as_test(cf.SCI(), min_bits=3) == cf.SCI(3)
    for bits in (2, "auto"):
        with pytest.raises(
            cf.OptionError, match=r"^min_bits is given twice, in test=SCI\(min_bits=.*\) and as min_bits=3$"
        ):
            as_test(cf.SCI(bits), min_bits=3)


def test_a_name_is_the_default_test():
    assert [as_test(name) for name in ("sci", "G2", "x2", "cmi")] == [cf.SCI(), cf.G2(), cf.X2(), cf.CMI()]


def test_min_bits_auto_is_for_marginal_tests():
    health = cf.load_example().sample(3_000, seed=2)
    for given in ([], ["age"]):
        bars = [cf.test(health, "smoking", "fatigue", given, test=cf.SCI(min_bits=b)).strength for b in (0, "auto")]
        expected = 0 if given else math.log2((health.columns - 1) / 0.01)
        assert bars[0] - bars[1] == pytest.approx(expected, abs=1e-4)


def test_counts_of_tests():
    before, after = TestCounts((1, 2), 3), TestCounts((1, 5, 0, 4), 4)
    assert after.since(before) == ((0, 3, 0, 4), 1, None)
    assert before.plus(after) == ((2, 7, 0, 4), 7, None)
    assert before.since(before) == TestCounts()
    assert (after.made, TestCounts.of(object())) == (10, TestCounts())


def test_the_fewest_rows_of_tests():
    many, few, unknown = (TestCounts((1,), 0, rows) for rows in (90, 20, None))
    assert many.plus(few).fewest_rows == few.plus(many).fewest_rows == 20
    assert (many.plus(unknown).fewest_rows, unknown.plus(unknown).fewest_rows) == (90, None)

    class Forgetful:
        tests_by_size, skipped, fewest_rows = (), 0, 3

        def forget_rows(self):
            self.fewest_rows = 100

    test = Forgetful()
    before = TestCounts.start(test)
    test.fewest_rows = 40
    assert TestCounts.of(test).since(before).fewest_rows == 40


def test_what_is_known_of_a_test(data):
    class Custom:
        sweep = weakest = None

    tester = cf.Tester(data, cf.G2(alpha=0.05))
    assert (test_name(tester), options_of_test(tester)["alpha"]) == ("g2", 0.05)
    assert (test_name(Custom()), options_of_test(Custom())) == ("Custom", {})
    assert is_custom(tester) and is_custom(Custom())
    assert not any(map(is_custom, (Custom, cf.Tester, "sci", cf.SCI(), None)))


def test_log2_regret():
    with (GOLDEN / "log2_regret.csv").open() as file:
        for row in csv.DictReader(file):
            expected = pytest.approx(float(row["log2_regret"]), rel=1e-12, abs=1e-9)
            assert cf.log2_regret(int(row["k"]), int(row["n"])) == expected


@pytest.mark.parametrize(("k", "n"), [(0, 5), (-1, 5), (2, -1)])
def test_log2_regret_outside_its_domain(k, n):
    with pytest.raises(cf.OptionError, match="has to be a whole number from"):
        cf.log2_regret(k, n)
