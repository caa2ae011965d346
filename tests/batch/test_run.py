"""All targets at once are what every target by itself is, and the result says how it was found."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import joblib
import numpy as np
import pytest

import climbfast as cf
from climbfast.batch.journal import JournalError
from climbfast.batch.run import without_checks
from climbfast.independence.tester import Tester
from climbfast.local.getpcd import getpcd
from climbfast.local.methods import METHODS
from climbfast.local.neighbors import Neighbors
from tests import incomplete
from tests.batch.runs import CountingReporter, StoppingReporter, found_alone, run, run_serially, without_cost
from tests.factories import draw_codes, draw_hub, quiet, quiet_codes
from tests.graphs.knowledge_of_dags import random_knowledge

BLANKETS = [method.name for method in METHODS.values() if method.finds != "neighbors"]


@pytest.fixture(scope="module")
def health():
    return cf.load_example().sample(3_000, seed=2)


@pytest.fixture(scope="module")
def heart(health):
    """Ten of the columns: a blanket of parents, children and spouses, and some around it."""
    return quiet({name: health.codes[health.index(name)] for name in AROUND_THE_HEART})


AROUND_THE_HEART = (
    "age", "blood_pressure", "cholesterol", "smoking", "heart_disease",
    "chest_pain", "reflux", "fatigue", "sleep", "ecg",
)  # fmt: skip


@pytest.fixture(scope="module")
def wide():
    """Columns of two to twelve levels, of which few lean on another."""
    return quiet_codes(draw_codes([2, 3, 2, 4, 2, 12, 3, 2] * 5, 500, seed=2, lean=0.6))


@pytest.fixture(scope="module")
def serial(health):
    return run(health, n_jobs=1)


@pytest.fixture(scope="module")
def wide_serial(wide):
    return run(wide, n_jobs=1)


@pytest.mark.parametrize("method", BLANKETS)
@pytest.mark.parametrize("test", ["sci", "g2"])
def test_the_same_as_target_by_target(heart, method, test):
    found = run(heart, method=method, test=test, n_jobs=1)
    assert without_cost(found) == found_alone(heart, method=method, test=test)


@pytest.mark.parametrize("symmetry", ["and", "or", "none", "children"])
@pytest.mark.parametrize("search", ["getpcd", "mmpc", "hiton-pc", "recognize-pc"])
def test_every_rule_and_search(heart, symmetry, search):
    options = {"symmetry": symmetry, "neighbors": search, "max_given": 2, "min_margin": 5.0}
    found = run(heart, n_jobs=1, **options)
    assert without_cost(found) == found_alone(heart, **options)


@pytest.mark.parametrize(
    "test", [cf.X2(), cf.CMI(cutoff=0.01), cf.G2(df="adjusted", min_rows_per_df=5), cf.SCI(min_bits=3)], ids=repr
)
@pytest.mark.parametrize("method", ["climb", "hiton-mb", "iamb"])
def test_every_test(heart, method, test):
    assert without_cost(run(heart, method=method, test=test, n_jobs=1)) == found_alone(heart, method=method, test=test)


@pytest.mark.parametrize(
    "options",
    [
        {"neighbors": "mmpc"},
        {"neighbors": "si-hiton-pc", "symmetry": "and"},
        pytest.param({"neighbors": getpcd}, id="a custom search"),
        {"method": "pcmb", "orient": True},
        {"method": "gs", "orient": True},
        {"max_given": 1},
        {"max_given": None},
        {"min_margin": 20.0},
        {"node_budget": 1},
        {"counting": "dense"},
    ],
    ids=str,
)
def test_every_option(health, options):
    assert without_cost(run(health, **options)) == found_alone(health, **options)


def test_columns_of_many_levels(wide, wide_serial):
    assert without_cost(wide_serial) == found_alone(wide)


def test_targets_are_a_set(health):
    assert list(run(health, ["sleep", "ecg", "sleep"])) == ["ecg", "sleep"]
    assert list(run(health, "sleep")) == ["sleep"]


@pytest.mark.parametrize("rows", [1, 2])
def test_hardly_any_rows(rows):
    data = quiet_codes(draw_codes([2, 3, 1], rows))
    assert without_cost(run(data)) == found_alone(data)


def test_one_column():
    assert run(quiet({"a": [0, 1, 0]}))["a"].members == ()


def look_ahead(test, target, candidates, max_given):
    """Find pairs too of which neither depends on the target alone: nothing that the screen keeps."""
    pairs = combinations(candidates, 2)
    found = {x for pair in pairs for x, y in (pair, pair[::-1]) if test.sweep(target, (x,), (y,))[0] > 0}
    return Neighbors(tuple(sorted(found)), dict.fromkeys(found, 1.0), {})


@pytest.mark.parametrize("targets", [None, ["x"]])
def test_a_custom_search_sees_every_column(targets, tmp_path):
    y, z = np.random.default_rng(5).integers(2, size=(2, 500))
    data = quiet({"x": y ^ z, "y": y, "z": z})
    options = {"neighbors": look_ahead, "symmetry": "none"}
    found = run(data, targets=targets, n_jobs=1, **options)
    assert set(found["x"].neighbors) == {"y", "z"}
    assert without_cost(found) == {name: found_alone(data, **options)[name] for name in found}
    with pytest.raises(cf.OptionError, match="a journal cannot distinguish two custom searches"):
        run(data, journal=tmp_path / "journal", **options)


@pytest.mark.parametrize("symmetry", ["and", "or", "children"])
@pytest.mark.parametrize("many", [1, 2, 9])
def test_some_targets(health, symmetry, many):
    """Few are searched on demand, many after a screen; the blankets are the same."""
    names = health.canonical[:many]
    found = run(health, targets=reversed(names), symmetry=symmetry, n_jobs=1)
    everything = run(health, symmetry=symmetry, n_jobs=1)
    assert found.how["screened"] == (many > 1)
    assert without_cost(found) == without_cost({name: everything[name] for name in names})


def test_targets_that_are_none(health):
    with pytest.raises(cf.UnknownColumnError, match="heart_disease"):
        run(health, targets=["heart_diseas"])
    with pytest.raises(cf.OptionError, match="there are no targets"):
        run(health, targets=[])
    assert list(run(health, targets="smoking")) == ["smoking"]
    assert list(run(quiet({1: [0, 1, 1], 2: [1, 0, 1]}), targets=1)) == [1]


def test_any_order_of_rows_and_columns(health):
    rng = np.random.default_rng(3)
    frame = {name: health.codes[health.index(name)] for name in health.names}
    rows = rng.permutation(health.rows)
    expected = run(quiet(frame), n_jobs=1)
    shuffled = {name: frame[name][rows] for name in rng.permutation(health.names).tolist()}
    assert dict(run(quiet(shuffled), n_jobs=1)) == dict(expected)


def test_frames_and_names_of_any_kind(serial, health):
    names = {name: (i, name) if i % 2 else i for i, name in enumerate(health.names)}
    table = {names[name]: health.codes[health.index(name)] for name in health.names}
    other = run(quiet(table))
    assert {x: set(b.members) for x, b in other.items()} == {
        names[x]: {names[y] for y in b.members} for x, b in serial.items()
    }


def test_min_bits_auto():
    data = quiet_codes(np.random.default_rng(0).integers(0, 2, (200, 2_000)).astype(np.uint8))
    found = run(data, min_bits="auto", n_jobs=1)
    assert found.how["test_options"] == {"min_bits": "auto"}
    assert dict(found) == dict(run(data, test=cf.SCI(min_bits="auto"), n_jobs=1))
    assert without_cost(found) == found_alone(data, test=cf.SCI(min_bits="auto"))


class Custom:
    sweep = weakest = None


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"targets": []}, "there are no targets"),
        ({"method": "magic"}, "no method named 'magic'"),
        ({"method": "mmpc"}, "finds neighbors"),
        ({"method": "getpc"}, "getpc"),
        ({"test": Tester}, "no test named <class"),
        ({"test": Custom()}, "a test by its name"),
        ({"min_bits": "some"}, "min_bits is 'some'"),
        ({"min_bits": -1}, "min_bits is -1"),
        ({"min_bits": 1, "test": "g2"}, "min_bits is an option of sci, not of g2"),
        ({"min_bits": 3, "test": "g2"}, "min_bits is an option of sci, not of g2"),
        ({"symmetry": "xor"}, "symmetry is 'xor'"),
        ({"counting": "fingers"}, "counting is 'fingers'"),
        ({"n_jobs": 0}, "n_jobs is 0"),
        ({"n_jobs": 1.5}, "n_jobs is 1.5"),
        ({"journal": "run.journal", "resume": 3}, "resume is 3; it is True or False"),
        ({"progress": None}, "progress is None"),
    ],
)
def test_options_outside_their_values(health, options, says):
    with pytest.raises(cf.OptionError, match=says):
        cf.markov_blankets(health, **{"progress": False} | options)


def test_a_test_that_is_an_object(health):
    with pytest.raises(cf.OptionError, match="by its name or options"):
        run(health, test=cf.Tester(health))


def test_an_unknown_target(health):
    with pytest.raises(cf.UnknownColumnError, match="'sleep'"):
        run(health, ["sleeep"])


def test_it_says_what_was_asked_for_and_what_it_cost(health):
    counting = CountingReporter()
    blankets = cf.markov_blankets(health, test=cf.G2(alpha=0.05), n_jobs=2, progress=counting)
    how = blankets.how
    assert how["test_options"]["alpha"] == 0.05
    assert (how["method"], how["test"], how["data"]) == ("climb", "g2", health.fingerprint)
    assert (how["rows"], how["columns"], how["targets"]) == (3000, 15, 15)
    assert list(how["seconds_by_pass"]) == ["screen", "neighbors", "blankets"]
    assert how["seconds"] >= sum(how["seconds_by_pass"].values())
    assert how["tests"] == counting.tests > 15 * 14 // 2


def test_tests_are_the_same_with_and_without_a_journal(health, tmp_path):
    with pytest.raises(cf.Interrupted):
        cf.markov_blankets(health, progress=StoppingReporter(10), journal=tmp_path / "j", n_jobs=1)
    resumed = run(health, journal=tmp_path / "j", n_jobs=1)
    assert resumed.how["tests"] == run(health, n_jobs=1).how["tests"]


def test_every_pair_is_tested_marginally_once(health, serial):
    searches = sum(blanket.tests for blanket in serial.values())
    assert serial.how["tests"] == searches + health.columns * (health.columns - 1) // 2
    assert all(blanket.tests_by_size[:1] in ((), (0,)) for blanket in serial.values())


@pytest.fixture(scope="module")
def gaps():
    """Columns with missing cells among complete ones, one of them without any value."""
    cells = incomplete.net_with_gaps(6, columns=8, rows=400)
    return incomplete.encoded({**cells, "empty": [None] * 400, "wide": [i % 80 if i % 7 else None for i in range(400)]})


@pytest.mark.parametrize(
    ("method", "test"),
    [
        *((method, test) for method in BLANKETS for test in (cf.SCI(), cf.G2(df="nominal", min_rows_per_df=5))),
        *((method, cf.X2()) for method in ("climb", "hiton-mb", "iamb")),
    ],
    ids=repr,
)
def test_missing_cells(gaps, method, test):
    """The same as target by target; a run counts the rows of the searches around all neighbors too."""
    found = without_cost(run(gaps, method=method, test=test, n_jobs=1))
    alone = found_alone(gaps, method=method, test=test)
    assert {name: replace(each, fewest_rows=0) for name, each in found.items()} == {
        name: replace(each, fewest_rows=0) for name, each in alone.items()
    }
    assert all(400 >= each.fewest_rows > 0 for each in found.values())
    assert min(each.fewest_rows for each in found.values()) < 400
    if method in ("iamb", "gs"):
        assert found == alone


def test_missing_cells_in_threads_and_processes(gaps):
    expected = run(gaps, n_jobs=1)
    assert dict(run(gaps, n_jobs=2)) == dict(expected)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        found = run(gaps)
    assert (dict(found), found.how["backend"]) == (dict(expected), "processes")


def test_missing_cells_in_any_order_of_rows_and_columns():
    cells = incomplete.net_with_gaps(6, columns=12, rows=400)
    rng = np.random.default_rng(1)
    rows = rng.permutation(400).tolist()
    shuffled = {name: [cells[name][i] for i in rows] for name in rng.permutation(list(cells)).tolist()}
    expected = run(incomplete.as_read(cells), n_jobs=1)
    assert dict(run(incomplete.as_read(shuffled), n_jobs=1)) == dict(expected)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_knowledge_with_any_workers(wide, backend):
    known = random_knowledge(wide.names, random.Random(3))
    expected = run(wide, n_jobs=1, knowledge=known)
    with joblib.parallel_config(backend=backend):
        assert run(wide, n_jobs=2, knowledge=known) == expected
    assert any(blanket.known for blanket in expected.values())


def test_knowledge_of_a_few_targets(wide):
    """No pass screens all pairs for them, and some neighbors are searched only when they are asked for."""
    known, names = random_knowledge(wide.names, random.Random(4)), wide.names[:3]
    alone = {name: cf.markov_blanket(wide, name, knowledge=known) for name in names}
    assert without_cost(run(wide, names, n_jobs=1, knowledge=known)) == without_cost(dict(sorted(alone.items())))


@pytest.mark.parametrize("options", [{}, {"method": "pcmb"}, {"symmetry": "none", "colliders": False}], ids=str)
def test_knowledge_where_cells_are_missing(options):
    for seed in range(4):
        data = incomplete.encoded(incomplete.net_with_gaps(seed, columns=8, rows=200))
        known = random_knowledge(data.names, random.Random(seed))
        both = found_alone(data, knowledge=known, **options), run(data, n_jobs=1, knowledge=known, **options)
        # The fewest rows of a run are also those of pairs that knowledge leaves out.
        alone, found = ({name: replace(each, fewest_rows=0) for name, each in some.items()} for some in both)
        assert without_cost(found) == alone


@pytest.mark.parametrize("method", ["climb", "hiton-mb", "gs"])
def test_a_hub_alone_and_in_a_run(method, tmp_path):
    data, options = quiet_codes(draw_hub(7, 400)), {"method": method, "max_pool": 3}
    found = run(data, **options)
    alone = {name: cf.markov_blanket(data, name, **options) for name in data.names}
    assert without_cost(found) == without_cost(alone)
    for _ in range(2):  # searched, then read from the journal
        kept = run_serially(data, tmp_path / "journal", **options)
        assert without_cost(kept) == without_cost(found)
        assert kept["c00"].tests_by_size == found["c00"].tests_by_size
    assert found["c00"].bounded > 0 or method == "gs"
    with pytest.raises(JournalError, match="max_pool was 3 and is 4"):
        run_serially(data, tmp_path / "journal", method=method, max_pool=4)


def test_a_run_of_which_only_members_are_wanted_has_no_fingerprint(health, serial):
    with without_checks():
        found = run(health, n_jobs=1)
    assert serial.how["data"] == health.fingerprint
    assert {*serial.how} - {*found.how} == {"data"}
    assert {x: found[x].members for x in found} == {x: serial[x].members for x in serial}
