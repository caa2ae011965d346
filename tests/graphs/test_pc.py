"""PC: the true class with perfect knowledge, and the graphs of pcalg."""

from __future__ import annotations

import csv
import random
from functools import cache, partial
from itertools import combinations

import numpy as np
import polars as pl
import pytest

import climbfast as cf
from climbfast.graphs.equivalence import v_structures
from climbfast.graphs.pc_orientation import CONFLICTS
from tests import incomplete
from tests.factories import draw_hub, named, quiet
from tests.graphs.pc_searches import (
    COLLIDING,
    Separation,
    all_but_seconds,
    columns,
    edges,
    every_rule,
    find,
    true_class,
)
from tests.oracle import DAG, Oracle, all_dags, random_dag, renamed
from tests.reference import NaiveTester, strength_g2, strength_sci
from tests.shared_data import SHARED, needs_golden

SMALL = [dag for n in range(1, 6) for dag in all_dags(n)]


def test_separation_is_that_of_the_moral_graph():
    for dag in [*SMALL[::5], *(random_dag(8, seed) for seed in range(5))]:
        fast, slow = Separation(dag), Oracle(dag)
        nodes = range(len(dag))
        for x, y in combinations(nodes, 2):
            for size in range(3):
                for given in combinations([z for z in nodes if z not in (x, y)], size):
                    assert fast.strength(x, y, given) == slow.strength(x, y, given), (dag, x, y, given)


@cache
def separation(dag: DAG) -> Separation:
    """The one oracle of a small graph, so that all rules share its answers."""
    return Separation(dag)


@every_rule
def test_the_true_class_of_every_small_dag(conflicts):
    """By the rule of the default all of them, by each other one every third: they see the same tests."""
    draw = random.Random(1)
    for dag in SMALL if conflicts == "majority" else SMALL[::3]:
        dag = renamed(dag, draw.sample(range(len(dag)), len(dag)))
        found = find(separation(dag), len(dag), conflicts=conflicts)
        assert edges(found) == edges(true_class(dag)), dag
        assert found.is_cpdag
        colliders = {edge for x, z, y in v_structures(found.pdag) for edge in ((x, z), (y, z))}
        assert dict(found.reasons) == {
            (x, y): "collider" if (found.index(x), found.index(y)) in colliders else "compelled"
            for x, y in found.directed
        }


@pytest.mark.parametrize("batch", range(4))
def test_the_true_class_of_larger_dags(batch):
    """By every rule in turn: their tests are the same, and the oracle keeps its results."""
    for seed in range(8 * batch, 8 * batch + 8):
        dag = random_dag(15, seed, edge_probability=0.2, max_parents=3)
        test, expected = Separation(dag), edges(true_class(dag))
        for conflicts in CONFLICTS:
            found = find(test, 15, conflicts=conflicts, max_given=None)
            assert edges(found) == expected, (seed, conflicts)


@pytest.fixture(scope="module")
def health() -> cf.Dataset:
    return cf.load_example().sample(2000, seed=3)


@pytest.mark.parametrize("conflicts", [rule for rule in CONFLICTS if rule != "overwrite"])
def test_the_order_of_columns_and_rows_changes_nothing(health, conflicts):
    draw = np.random.default_rng(1)
    names, rows = draw.permutation(list(health.names)).tolist(), draw.permutation(health.rows)
    turned = quiet({name: np.array(health.codes[health.index(name)])[rows] for name in names})
    for test in ("sci", "g2"):
        assert all_but_seconds(cf.pc(turned, test, conflicts=conflicts)) == all_but_seconds(
            cf.pc(health, test, conflicts=conflicts)
        )


def test_it_says_how_it_was_found(health):
    found = cf.pc(health, cf.G2(alpha=0.001, min_rows_per_df=10), max_given=2)
    assert (found.method, found.test_or_score, found.rows, found.columns) == ("pc", "g2", 2000, health.columns)
    assert found.options == {
        "conflicts": "majority",
        "max_given": 2,
        "max_pool": 32,
        "alpha": 0.001,
        "df": "adjusted",
        "min_rows_per_df": 10,
    }
    assert len(found.tests_by_size) <= 3
    assert found.tests + found.skipped >= health.columns * (health.columns - 1) / 2
    assert found.seconds > 0


def test_small_tables():
    copied = {"a": [0, 1] * 50, "b": [0, 1] * 50}
    assert cf.pc(quiet(copied)).undirected == (("a", "b"),)
    independent = cf.pc(quiet({"a": [0, 1] * 50, "b": [0, 0, 1, 1] * 25}))
    assert (independent.skeleton, dict(independent.separating_sets)) == ((), {("a", "b"): ()})
    assert cf.pc(quiet({"a": [0, 1]})).names == ("a",)
    assert cf.pc(quiet({**copied, "same": [1] * 100})).neighbors_of("same") == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"conflicts": "maybe"}, "conflicts is 'maybe'; it is one of majority, conservative, overwrite, keep-first"),
        ({"max_given": -1}, "max_given is -1; it has to be a whole number from 0 up, or None for no limit"),
        ({"n_jobs": 0}, "n_jobs is 0; it is a number of workers"),
        ({"n_jobs": True}, "n_jobs is True; it is a number of workers"),
        ({"counting": "fingers"}, "counting is 'fingers'"),
        ({"test": "t"}, "no test named 't'"),
        ({"test": COLLIDING, "n_jobs": 2}, "n_jobs is 2, but a custom test has one worker"),
        ({"test": COLLIDING, "counting": "dense"}, "a custom test does not take counting"),
    ],
)
def test_options_outside_their_values_are_refused(options, message):
    with pytest.raises(cf.OptionError, match=message):
        cf.pc(columns(4), **options)


def test_evidence_of_other_data_is_refused(health):
    with pytest.raises(cf.OptionError, match="of other data"):
        cf.pc(columns(4), cf.Tester(health))
    assert all_but_seconds(cf.pc(health, cf.Tester(health))) == all_but_seconds(cf.pc(health))


@needs_golden
@pytest.mark.parametrize("rows", [5_000, 20_000])
def test_as_pcalg(rows):
    path = SHARED / "golden" / f"pcalg_pc_g2_alarm_{rows}.csv"
    data = quiet(pl.read_csv(SHARED / "datasets" / "alarm.csv.gz", infer_schema=False).head(rows))
    found = cf.pc(data, cf.G2(alpha=0.01, df="nominal", min_rows_per_df=10), conflicts="overwrite", max_given=None)
    with path.open() as lines:
        expected = {(line["type"], line["source"], line["target"]) for line in csv.DictReader(lines)}
    directed = {("directed", *edge) for edge in found.directed}
    undirected = {("undirected", *edge) for edge in found.undirected}
    expected = {
        (kind, x, y) if kind == "directed" or (x, y) in found.undirected else (kind, y, x) for kind, x, y in expected
    }
    assert directed | undirected == expected


@pytest.mark.parametrize("make", [strength_sci, strength_g2], ids=["sci", "g2"])
def test_columns_with_missing_cells(make):
    """The naive search, with tests of the reference on the rows that are complete in the columns of each test."""
    data = incomplete.encoded(incomplete.net_with_gaps(2))
    test = "sci" if make is strength_sci else "g2"
    naive = partial(make, df="adjusted") if test == "g2" else make
    found = cf.pc(data, test)
    expected = cf.pc(data, NaiveTester(incomplete.naive_strength(data, naive)))
    assert edges(found) == edges(expected)
    assert dict(found.separating_sets) == dict(expected.separating_sets)
    assert found.directed or found.undirected
    assert 0 < found.fewest_rows < data.rows
    for counting in ("bitmaps", "dense", "sparse"):
        assert all_but_seconds(cf.pc(data, test, counting=counting)) == all_but_seconds(found)
    assert all_but_seconds(cf.pc(data, test, n_jobs=2)) == all_but_seconds(found)


@pytest.mark.parametrize("conflicts", ["majority", "conservative", "overwrite"])
def test_a_hub(conflicts):
    """Children with another parent each, so that there are v-structures; the rows and columns in any order."""
    codes = draw_hub(7, 400, 4)
    codes[3:6] = np.where(np.arange(400) % 3 == 0, codes[8:11], codes[3:6])
    shuffled = named(codes[:, ::-1])
    full = cf.pc(quiet(named(codes)), conflicts=conflicts, max_pool=None)
    found = cf.pc(quiet(named(codes)), conflicts=conflicts, max_pool=2)
    options = {"conflicts": conflicts, "max_pool": 2, "n_jobs": 2}
    again = cf.pc(quiet(shuffled), **options)
    assert (again.directed, again.undirected, again.strengths) == (found.directed, found.undirected, found.strengths)
    assert again.figures == found.figures
    assert len([edge for edge in found.edges if "c00" in edge]) <= found.figures["bounded"] <= len(found.edges)
    assert "not all sets tried (max_pool): " in str(found)
    assert (full.figures, full.options["max_pool"]) == ({}, None)
    assert {*map(frozenset, full.edges)} <= {*map(frozenset, found.edges)}
    like_all = cf.pc(quiet(named(codes)), conflicts=conflicts, max_pool=20)
    assert (like_all.directed, like_all.undirected, like_all.tests) == (full.directed, full.undirected, full.tests)
