"""All targets at once are what every target by itself is, whoever does the work."""

from __future__ import annotations

import gc
import pickle
import weakref
from dataclasses import replace
from itertools import combinations

import joblib
import numpy as np
import pytest

import climbfast as cf
from climbfast.batch.run import _Run
from climbfast.independence.screen import ScreenResult, ScreenWorker, units_of_screen
from climbfast.independence.tester import Tester
from climbfast.local.methods import METHODS
from climbfast.local.neighbors import Neighbors
from climbfast.local.plan import plan_blanket
from tests.factories import draw_codes, quiet, quiet_codes

BLANKETS = [method.name for method in METHODS.values() if method.finds != "neighbors"]
# Columns for blocks of each arity, for sweeps, and one that is constant.
MIXED = [2, 3, 2, 1, 3, 12, 2, 70, 4, 3, 2, 9, 300, 2, 5, 3]


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(3_000, seed=2)


def run(data, **options):
    return cf.markov_blankets(data, progress=False, **options)


def but_for_tests(blankets):
    """A target by itself also counts the searches around its neighbors, which a run makes once for all."""
    return {name: replace(blanket, tests_by_size=(), skipped=0) for name, blanket in blankets.items()}


def alone(data, **options):
    return but_for_tests({name: cf.markov_blanket(data, name, **options) for name in data.names})


@pytest.mark.parametrize("method", BLANKETS)
@pytest.mark.parametrize("test", ["sci", "g2"])
def test_the_same_as_target_by_target(data, method, test):
    found = run(data, method=method, test=test, n_jobs=1)
    assert but_for_tests(found) == alone(data, method=method, test=test)


@pytest.mark.parametrize("symmetry", ["and", "or", "none", "children"])
@pytest.mark.parametrize("search", ["getpcd", "mmpc", "hiton-pc", "recognize-pc"])
def test_every_rule_and_search(data, symmetry, search):
    options = {"symmetry": symmetry, "neighbors": search, "max_given": 2, "min_margin": 5.0}
    found = run(data, n_jobs=1, **options)
    assert but_for_tests(found) == alone(data, **options)


def look_ahead(test, target, candidates, max_given):
    """Find pairs too of which neither depends on the target alone: nothing that the screen keeps."""
    pairs = combinations(candidates, 2)
    found = {x for pair in pairs for x, y in (pair, pair[::-1]) if test.sweep(target, (x,), (y,))[0] > 0}
    return Neighbors(tuple(sorted(found)), dict.fromkeys(found, 1.0), {})


@pytest.mark.parametrize("targets", [None, ["x"]])
def test_a_search_of_ones_own_sees_every_column(targets, tmp_path):
    y, z = np.random.default_rng(5).integers(2, size=(2, 500))
    data = quiet({"x": y ^ z, "y": y, "z": z})
    options = {"neighbors": look_ahead, "symmetry": "none"}
    found = run(data, targets=targets, n_jobs=1, **options)
    assert set(found["x"].neighbors) == {"y", "z"}
    assert but_for_tests(found) == {name: alone(data, **options)[name] for name in found}
    with pytest.raises(cf.OptionError, match="a journal cannot distinguish two custom searches"):
        run(data, journal=tmp_path / "journal", **options)


def test_named_when_asked_for(data):
    """A blanket is put together once, and the result keeps names and records, but not the columns."""
    own = quiet_codes(data.codes.copy())
    columns, found = weakref.ref(own.codes), run(own)
    del own
    gc.collect()
    assert columns() is None
    assert found["c03"] is found["c03"] is found.found[3]
    copied = pickle.loads(pickle.dumps(found))
    assert copied == found
    assert dict(copied.how) == dict(found.how)


@pytest.mark.parametrize("symmetry", ["and", "or", "children"])
@pytest.mark.parametrize("many", [1, 2, 9])
def test_some_targets(data, symmetry, many):
    """Few are searched on demand, many after a screen; the blankets are the same."""
    names = data.canonical[:many]
    found = run(data, targets=reversed(names), symmetry=symmetry, n_jobs=1)
    everything = run(data, symmetry=symmetry, n_jobs=1)
    assert found.how["screened"] == (many > 1)
    assert but_for_tests(found) == but_for_tests({name: everything[name] for name in names})


def test_targets_that_are_none(data):
    with pytest.raises(cf.UnknownColumnError, match="heart_disease"):
        run(data, targets=["heart_diseas"])
    with pytest.raises(cf.OptionError, match="there are no targets"):
        run(data, targets=[])
    assert list(run(data, targets="smoking")) == ["smoking"]
    assert list(run(quiet({1: [0, 1, 1], 2: [1, 0, 1]}), targets=1)) == [1]


@pytest.mark.parametrize(
    ("backend", "workers"),
    [*(("threading", workers) for workers in (1, 2, 3, 8)), *(("loky", workers) for workers in (1, 2, 3))],
)
def test_any_workers(data, backend, workers):
    with joblib.parallel_config(backend=backend):
        found = run(data, n_jobs=workers)
    alone = run(data, n_jobs=1)
    assert dict(found) == dict(alone)
    assert (found.how["workers"], found.how["tests"]) == (workers, alone.how["tests"])


def test_any_order_of_rows_and_columns(data):
    rng = np.random.default_rng(3)
    frame = {name: data.codes[data.index(name)] for name in data.names}
    rows = rng.permutation(data.rows)
    expected = run(quiet(frame), n_jobs=1)
    shuffled = {name: frame[name][rows] for name in rng.permutation(data.names).tolist()}
    assert dict(run(quiet(shuffled), n_jobs=1)) == dict(expected)


# ---- the screen


def screened(data, test):
    tester = Tester(data, test)
    screening = ScreenWorker(tester)
    parts = [screening.unit(unit) for unit in range(len(units_of_screen(data)))]
    return parts, ScreenResult.gathered(parts, data.columns)


@pytest.mark.parametrize(
    "test",
    [
        cf.SCI(),
        cf.SCI(min_bits=3),
        cf.SCI(min_bits="auto"),
        cf.G2(),
        cf.G2(df="adjusted"),
        cf.G2(min_rows_per_df=20),
        cf.X2(df="adjusted", min_rows_per_df=20),
        cf.CMI(cutoff=0.01),
    ],
    ids=repr,
)
@pytest.mark.parametrize("rows", [40, 700])
def test_the_screen_is_every_test_by_itself(test, rows):
    data = quiet_codes(draw_codes(MIXED, rows, seed=rows))
    parts, screen = screened(data, test)
    tests = skipped = 0
    for x, y in combinations(range(data.columns), 2):
        expected = cf.test(data, data.canonical[x], data.canonical[y], test=test)
        partners, strengths = screen.of(x)
        found = dict(zip(partners, strengths.tolist(), strict=True)).get(y, 0.0)
        assert found == max(expected.strength, 0.0)
        if 1 not in (data.arity[x], data.arity[y]):
            skipped += expected.skipped
            tests += not expected.skipped
    assert (sum(part.tests for part in parts), sum(part.skipped for part in parts)) == (tests, skipped)
    for x in range(data.columns):
        assert all(x in screen.of(y)[0] for y in screen.of(x)[0])


def test_min_bits_auto_keeps_chance_out():
    """Of 20,000 independent pairs about forty pass SCI > 0 at this size, and hardly one the bar of log2(m/α)."""
    codes = np.random.default_rng(0).integers(0, 2, (200, 2_000)).astype(np.uint8)
    data = quiet_codes(codes)
    assert len(screened(data, cf.SCI())[1].partners) > 20
    assert len(screened(data, cf.SCI(min_bits="auto"))[1].partners) <= 2
    found = run(data, min_bits="auto", n_jobs=1)
    assert found.how["test_options"] == {"min_bits": "auto"}
    assert dict(found) == dict(run(data, test=cf.SCI(min_bits="auto"), n_jobs=1))
    assert but_for_tests(found) == alone(data, test=cf.SCI(min_bits="auto"))


def test_min_bits_auto_is_for_tests_with_nothing_given(data):
    for given in ([], ["age"]):
        bars = [cf.test(data, "smoking", "fatigue", given, test=cf.SCI(min_bits=b)).strength for b in (0, "auto")]
        assert bars[0] - bars[1] == pytest.approx(0 if given else np.log2((data.columns - 1) / 0.01), abs=1e-4)


# ---- options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_jobs": 0}, "n_jobs is 0"),
        ({"n_jobs": 1.5}, "n_jobs is 1.5"),
        ({"journal": "run.journal", "resume": 3}, "resume is 3; it is True or False"),
        ({"min_bits": "some"}, "min_bits is 'some'"),
        ({"min_bits": 1, "test": "g2"}, "min_bits is for sci"),
        ({"counting": "fingers"}, "counting is 'fingers'"),
        ({"method": "getpc"}, "getpc"),
        ({"test": Tester}, "a test by its name"),
    ],
)
def test_options_outside_their_values(data, options, message):
    with pytest.raises(cf.OptionError, match=message):
        run(data, **options)


def size(columns, rows, method="climb"):
    codes = np.zeros((columns, rows), np.uint8)
    codes[:, 0] = 1
    return _Run(
        quiet_codes(codes) if columns < 90 else wide(codes),
        tuple(range(columns)),
        plan_blanket(method),
        cf.SCI(),
        "auto",
    )


def wide(codes):
    names = tuple(range(len(codes)))
    return cf.Dataset(names, {}, codes, names, np.full(len(codes), 2))


def test_workers_by_the_size_of_the_job():
    assert size(5_000, 100).choose_workers(1).why == "one worker"
    assert size(30, 1_000).choose_workers(4)[:2] == (1, "threads")
    assert size(2_000, 2_000).choose_workers(4)[:2] == (4, "threads")
    assert size(20_000, 1_000).choose_workers(4)[:2] == (4, "threads")
    assert size(60_000, 1_000).choose_workers(4)[:2] == (4, "processes")
    assert size(20_000, 1_000, "pcmb").choose_workers(4)[:2] == (4, "processes")


def test_workers_that_joblib_is_told():
    with joblib.parallel_config(n_jobs=3):
        assert size(20_000, 1_000).choose_workers(-1).n_jobs == 3
        assert size(20_000, 1_000).choose_workers(5).n_jobs == 5
    with joblib.parallel_config(backend="threading", n_jobs=2):
        workers = size(30, 1_000).choose_workers(-1)
    assert (workers.n_jobs, workers.why) == (2, "the backend that joblib.parallel_config names")


# ---- progress


class Heard:
    def __init__(self):
        self.passes, self.tests, self.ended = [], 0, 0

    def begin(self, name, done, units):
        self.passes.append([name, done, units])

    def advance(self, units, tests):
        self.passes[-1][1] += units
        self.tests += tests

    def end(self):
        self.ended += 1


@pytest.mark.parametrize("targets", [15, 2, 1])
def test_progress_is_told_to_whom_one_likes(data, targets):
    heard = Heard()
    found = cf.markov_blankets(data, targets=data.names[:targets], symmetry="and", progress=heard, n_jobs=1)
    assert [name for name, *_ in heard.passes][:2] == ["screen", "neighbors"] or targets == 1
    assert heard.passes[-1] == ["blankets", targets, targets]
    assert all(done == units for _, done, units in heard.passes)
    assert (heard.tests, heard.ended) == (found.how["tests"], 1)


def test_lines_where_there_is_no_terminal(data, capsys):
    cf.markov_blankets(data, n_jobs=1)
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if "compiling" not in line]
    assert lines[-1].startswith("climbfast: blankets: 15/15, ")
    assert lines[-1].endswith(" tests/s, 0 s left")
