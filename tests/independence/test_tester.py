"""A Tester counts the tests that it makes, and those that it skips."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

import climbfast as cf
from climbfast.independence.tester import as_tester
from climbfast_kernels.patterns import Sweeps
from tests import incomplete
from tests.factories import draw_codes, numbered, quiet, quiet_codes


def test_tests_are_counted_by_size(data):
    tester = cf.Tester(data, "g2")
    tester.sweep(0, [1, 2], [])
    tester.sweep(0, [2], [1])
    assert tester.tests_by_size == [2, 1]
    minima, separators = tester.weakest(0, [2], [1], [], range(2), [math.inf])
    assert (tester.tests_by_size, separators) == ([3, 1], [()])
    assert minima[0] <= 0


def test_asked_for_nothing(data):
    tester = cf.Tester(data)
    assert tester.sweep(0, [], []).tolist() == []
    assert tester.weakest(0, [], [1], [], range(2), [])[1] == []
    minima, separators = tester.weakest(0, [1], [2], [], range(0), [5.0])
    assert (minima.tolist(), separators, tester.tests_by_size) == ([5.0], [None], [])


@pytest.mark.parametrize("kind", [cf.G2, cf.X2])
def test_too_few_rows_for_the_degrees_of_freedom(data, kind):
    """500 rows, 4 degrees of freedom."""
    assert not cf.test(data, "x", "y", test=kind(min_rows_per_df=125)).skipped
    skipped = cf.test(data, "x", "y", test=kind(min_rows_per_df=126))
    assert skipped.skipped
    assert skipped.independent
    tester = cf.Tester(data, kind(min_rows_per_df=126))
    tester.sweep(0, [1, 2], [])
    assert (tester.tests_by_size, tester.skipped) == ([1], 1)
    tester.weakest(0, [1], [2], [], range(2), [math.inf])
    assert (tester.tests_by_size, tester.skipped) == ([1], 2)


def test_a_counting_strategy_that_does_not_exist(data):
    with pytest.raises(cf.OptionError, match="auto, bitmaps, dense, sparse"):
        cf.test(data, "x", "y", counting="fast")


@pytest.mark.parametrize("test", [cf.SCI(), cf.G2(df="nominal", min_rows_per_df=40), cf.CMI()], ids=repr)
def test_many_sweeps_in_one_call(test):
    data = quiet_codes(draw_codes([3, 2, 4, 2, 3], 300))
    sweeps = [(0, (1, 2), (3,)), (4, (1,), (0, 2)), (2, (0, 1, 3), (4,))]
    one_by_one, together = cf.Tester(data, test), cf.Tester(data, test)
    expected = [one_by_one.sweep(*each) for each in sweeps]
    found = together.sweep_each(sweeps)
    assert [each.tobytes() for each in found] == [each.tobytes() for each in expected]
    assert (together.tests_by_size, together.skipped) == (one_by_one.tests_by_size, one_by_one.skipped)


@pytest.mark.parametrize("kind", ["complete", "copies", "gaps"])
@pytest.mark.parametrize("test", [cf.SCI(), cf.G2(df="nominal", min_rows_per_df=3), cf.CMI()], ids=str)
def test_many_sets_of_one_pair_as_one_by_one(kind, test):
    if kind == "gaps":
        data = incomplete.encoded(incomplete.net_with_gaps(3))
    else:
        data = with_copies() if kind == "copies" else quiet_codes(draw_codes([2, 3, 2, 4, 2, 3], 120))
    sets = np.array(list(combinations(range(2, data.columns), 2)), dtype=np.int64)
    one_by_one, together = cf.Tester(data, test), cf.Tester(data, test)
    expected = [one_by_one.sweep(0, [1], given)[0] for given in sets.tolist()]
    each = np.arange(len(sets) + 1)
    sweeps = Sweeps(0 * each[:-1], each, 0 * each[:-1] + 1, 2 * each, sets.ravel())
    assert together.sweep_all(sweeps).tolist() == expected
    assert (together.tests_by_size, together.skipped) == (one_by_one.tests_by_size, one_by_one.skipped)
    assert together.fewest_rows == one_by_one.fewest_rows


def with_copies() -> cf.Dataset:
    """c03, c04 and c05 are copies of c02, under other names of its levels; c06 is none."""
    codes = draw_codes([2, 2, 3, 3, 3, 3, 2], 400, lean=0.6)
    codes[3], codes[4], codes[5] = codes[2], 2 - codes[2], (codes[2] + 1) % 3
    return quiet_codes(codes)


def test_given_copies_count_once_in_every_pattern():
    data, test = with_copies(), cf.G2(alpha=0.5, df="nominal")
    tester = cf.Tester(data, test)
    once = tester.sweep(0, [1, 6], [2])
    assert tester.sweep(0, [1, 6], [2, 4, 5]).tolist() == once.tolist()
    assert [each.tolist() for each in tester.sweep_each([(0, (1, 6), (5, 2)), (0, (1,), (2, 6, 3))])] == [
        once.tolist(),
        tester.sweep(0, [1], [2, 6]).tolist(),
    ]
    assert tester.tests_by_size == [0, 2, 3, 3], "counted by all that was given"
    minima, _ = tester.weakest(0, [1, 6], [3, 4], [2], range(3), [math.inf] * 2)
    assert minima.tolist() == once.tolist()


@pytest.mark.parametrize(("pool", "fixed", "sizes"), [([2, 3, 6], [], range(4)), ([4, 6], [2], range(1, 3))])
@pytest.mark.parametrize("alpha", [0.001, 0.9])
def test_weakest_of_sets_with_copies(pool, fixed, sizes, alpha):
    """By the adjusted test, which knows no copies, of columns whose levels all occur together."""
    data = with_copies()
    found, expected = (cf.Tester(data, cf.G2(alpha, df)) for df in ("nominal", "adjusted"))
    question = 0, [1, 6, 5], pool, fixed, sizes, [math.inf] * 3
    (minima, separators), (least, sets) = found.weakest(*question), expected.weakest(*question)
    assert (minima.tolist(), separators) == (least.tolist(), sets)
    assert found.tests_by_size == expected.tests_by_size


def test_a_custom_test_is_taken_as_it_is(data):
    class Custom:
        sweep = weakest = None

    custom, tester = Custom(), cf.Tester(data)
    assert as_tester(data, custom) is custom
    assert as_tester(data, tester) is tester
    assert as_tester(data, "g2", counting="dense").test == cf.G2()
    assert as_tester(data, "sci", min_bits=3).test == cf.SCI(3)


@pytest.mark.parametrize("option", [{"counting": "dense"}, {"min_bits": 3}])
def test_a_custom_test_takes_no_options(data, option):
    (name,) = option
    with pytest.raises(cf.OptionError, match=f"^a custom test does not take {name}$") as raised:
        as_tester(data, cf.Tester(data), **option)
    assert raised.value.option == name


def test_a_tester_of_other_data(data):
    copied = numbered(quiet({name: data.codes[data.index(name)] for name in data.names}))
    assert as_tester(copied, cf.Tester(data)).data is data
    with pytest.raises(cf.OptionError, match="of other data"):
        as_tester(data, cf.Tester(quiet({"x": [0, 1]})))


def test_a_frame_is_encoded():
    columns = {"x": [0, 1, 1, 0] * 5, "y": [0, 1, 0, 0] * 5}
    assert cf.Tester(columns).sweep(0, [1], ()).tolist() == cf.Tester(quiet(columns)).sweep(0, [1], ()).tolist()
    with pytest.raises(cf.DataError):
        cf.Tester(3)


def test_a_tester_is_short_to_look_at(data):
    tester = cf.Tester(data, "g2")
    tester.sweep(0, [1, 2], ())
    assert repr(tester) == "<Tester: g2, 500 rows, 3 columns, 2 tests made>"


def test_p_values_of_strengths(data):
    for test in ("g2", "x2"):
        tester = cf.Tester(data, test)
        expected = [cf.test(data, "x", name, test=test).log10_p for name in "yz"]
        assert tester.log10_p(tester.sweep(0, [1, 2], ())) == pytest.approx(expected)
    sci = cf.Tester(data)
    gains = np.array([cf.test(data, "x", name).sci for name in "yz"])
    bound = np.minimum(0.0, (1 - gains) * math.log10(2))
    assert sci.log10_p(sci.sweep(0, [1, 2], ())) == pytest.approx(bound)
    for test, says in ((cf.CMI(), "cmi has no p-value"), (cf.SCI("auto"), "iamb-fdr controls")):
        with pytest.raises(cf.OptionError, match=says):
            cf.Tester(data, test).log10_p(np.zeros(1))


def test_rows_per_cell(data):
    assert cf.Tester(data).rows_per_cell(0, 1, ()) == 500 / 9
    assert cf.Tester(data).rows_per_cell(0, 1, (2,)) == 500 / 18


@pytest.mark.parametrize("test", [cf.SCI(), cf.G2(df="nominal", min_rows_per_df=5), cf.X2(), cf.CMI(0.01)], ids=repr)
@pytest.mark.parametrize("counting", ["auto", "bitmaps", "dense", "sparse"])
def test_every_pattern_leaves_rows_with_missing_cells_out(test, counting):
    """The strengths of ``cf.test``, to the bit."""
    for seed, kind in enumerate(incomplete.KINDS):
        data = incomplete.encoded(incomplete.table(kind, 150, [3, 2, 4, 3, 2, 5], seed))
        tester = cf.Tester(data, test, counting=counting)
        for given in ((), (1,), (1, 4), (4, 5, 1)):
            others = [x for x in range(1, 6) if x not in given]
            expected = [cf.test(data, "a", data.canonical[x], [data.canonical[z] for z in given], test) for x in others]
            strengths = [one.strength for one in expected]
            assert tester.sweep(0, others, given).tolist() == strengths
            assert tester.sweep_each([(0, tuple(others), given)])[0].tolist() == strengths
            size = len(given)
            for pool, fixed, sizes in ((given, (), range(size, size + 1)), ((), given, range(1))):
                weakest = tester.weakest(0, others, pool, fixed, sizes, [math.inf] * len(others))[0]
                assert weakest.tolist() == strengths
            varying = [min(data.arity[0], data.arity[x]) > 1 for x in others]  # a constant decides nothing
            rows = [one.rows for one, varies in zip(expected, varying, strict=True) if varies and not one.skipped]
            tester.forget_rows()
            tester.sweep(0, others, given)
            assert tester.fewest_rows == min([150, *rows])


def test_copies_that_are_missing_in_other_rows_are_none():
    """Given a column and its copy, the rows in which both are complete are counted."""
    codes = draw_codes([2, 2, 3], 400, lean=0.6).tolist()
    copy = [None if i % 5 == 0 else 2 - v for i, v in enumerate(codes[2])]
    cells = {"x": codes[0], "y": codes[1], "z": codes[2], "copy": copy}
    data = incomplete.encoded(cells)
    assert data.one_to_one == ()
    for test in (cf.SCI(), cf.G2(df="adjusted")):
        assert cf.test(data, "x", "y", ["z", "copy"], test).rows == 320
        alone = cf.test(data, "x", "y", ["copy"], test).strength
        assert cf.test(data, "x", "y", ["z", "copy"], test).strength == alone
