"""PC: the true class with perfect knowledge, a naive search on data, pcalg's graphs, and no cycle whatever is said."""

from __future__ import annotations

import csv
import gc
import random
import weakref
from functools import cache
from itertools import combinations

import joblib
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.graphs import runner
from climbfast.graphs.equivalence import cpdag
from climbfast.graphs.pc_orientation import CONFLICTS
from climbfast.graphs.pdag import PDAG
from climbfast.independence.tester import Tester
from tests.factories import EXAMPLES, draw_codes, quiet, quiet_codes
from tests.graphs.naive import arcs
from tests.oracle import DAG, Oracle, all_dags, random_dag, renamed
from tests.reference import NaiveTester
from tests.reference import strength_g2, strength_sci
from tests.shared_data import SHARED, needs_golden

every_rule = pytest.mark.parametrize("conflicts", CONFLICTS)


@cache
def columns(m: int) -> cf.Dataset:
    """Columns c00, c01, … for tests that do not look at the data."""
    return quiet_codes(draw_codes([2] * m, 8))


def find(test, m: int, **options) -> cf.Graph:
    return cf.pc(columns(m), test, **options)


def true_class(dag: DAG) -> cf.Graph:
    names = columns(len(dag)).canonical
    found = cpdag(cf.Graph(names, tuple((names[x], names[y]) for x, y in arcs(dag))).pdag)
    return cf.Graph.from_adjacency(names, found.to_adjacency())


def edges(graph: cf.Graph):
    return graph.names, graph.directed, graph.undirected


def said(graph: cf.Graph):
    """All but the time and the options."""
    return *edges(graph), graph.separating_sets, graph.strengths, graph.tests_by_size, graph.skipped


# Perfect knowledge


class Separation(NaiveTester):
    """d-separation by the reachable nodes, fast enough for 15 nodes: Koller and Friedman (2009), algorithm 3.1."""

    def __init__(self, dag: DAG) -> None:
        self.children = [[y for y in range(len(dag)) if x in dag[y]] for x in range(len(dag))]
        self.dag = dag
        self.reached = cache(self.reached_from)
        super().__init__(lambda x, y, given: 1.0 if y in self.reached(x, frozenset(given)) else -1.0)

    def reached_from(self, x: int, given: frozenset[int]) -> set[int]:
        above, waiting = set(), list(given)
        while waiting:
            node = waiting.pop()
            if node not in above:
                above.add(node)
                waiting += self.dag[node]
        seen, reached, paths = set(), set(), [(x, "up")]
        while paths:
            node, way = path = paths.pop()
            if path in seen:
                continue
            seen.add(path)
            if node not in given:
                reached.add(node)
                paths += [(child, "down") for child in self.children[node]]
                if way == "up":
                    paths += [(parent, "up") for parent in self.dag[node]]
            if way == "down" and node in above:
                paths += [(parent, "up") for parent in self.dag[node]]
        return reached


SMALL = [dag for n in range(1, 6) for dag in all_dags(n)]


def test_separation_is_that_of_the_moral_graph():
    for dag in [*SMALL[::5], *(random_dag(8, seed) for seed in range(5))]:
        fast, slow = Separation(dag), Oracle(dag)
        nodes = range(len(dag))
        for x, y in combinations(nodes, 2):
            for size in range(3):
                for given in combinations([z for z in nodes if z not in (x, y)], size):
                    assert fast.strength(x, y, given) == slow.strength(x, y, given), (dag, x, y, given)


@every_rule
def test_the_true_class_of_every_small_dag(conflicts):
    draw = random.Random(1)
    for dag in SMALL:
        dag = renamed(dag, draw.sample(range(len(dag)), len(dag)))
        found = find(Separation(dag), len(dag), conflicts=conflicts)
        assert edges(found) == edges(true_class(dag)), dag
        assert found.is_cpdag


@pytest.mark.parametrize("batch", range(4))
def test_the_true_class_of_larger_dags(batch):
    """By every rule in turn: their tests are the same, and the oracle keeps its results."""
    for seed in range(50 * batch, 50 * batch + 50):
        dag = random_dag(15, seed, edge_probability=0.2, max_parents=3)
        test, expected = Separation(dag), edges(true_class(dag))
        for conflicts in CONFLICTS:
            found = find(test, 15, conflicts=conflicts, max_given=None)
            assert edges(found) == expected, (seed, conflicts)


def test_separating_sets_are_those_of_pairs_that_are_not_adjacent():
    dag = random_dag(12, 5, edge_probability=0.3, max_parents=3)
    test = Separation(dag)
    found = find(test, 12, max_given=None)
    number = columns(12).index
    pairs = {(x, y) for x, y in combinations(found.names, 2) if y not in found.neighbors_of(x)}
    assert set(found.separating_sets) == pairs
    for (x, y), by in found.separating_sets.items():
        assert number(y) not in test.reached(number(x), frozenset(map(number, by)))


# Conflicts


class Table:
    """Every pair is dependent unless the table says what separates it."""

    def __init__(self, separators: dict[tuple[int, int], set[tuple[int, ...]]]) -> None:
        self.separators = separators

    def sweep(self, target, candidates, given):
        sets = [self.separators.get((min(target, x), max(target, x)), set()) for x in candidates]
        return np.array([-1.0 if tuple(sorted(given)) in of_pair else 1.0 for of_pair in sets])

    def weakest(self, target, candidates, pool, fixed, sizes, known):
        test = NaiveTester(lambda x, y, given: float(self.sweep(x, [y], given)[0]))
        return test.weakest(target, candidates, pool, fixed, sizes, known)


# 0 - 1 - 2 - 3 in which both 0 → 1 ← 2 and 1 → 2 ← 3.
COLLIDING = Table({(0, 2): {()}, (1, 3): {()}, (0, 3): {()}})


@pytest.mark.parametrize(
    ("conflicts", "directed", "undirected"),
    [
        ("overwrite", {(0, 1), (1, 2), (3, 2)}, set()),
        ("keep-first", {(0, 1), (2, 1)}, {(2, 3)}),
        ("undirected", {(0, 1), (3, 2)}, {(1, 2)}),
        ("majority", {(0, 1), (3, 2)}, {(1, 2)}),
        ("conservative", {(0, 1), (3, 2)}, {(1, 2)}),
    ],
)
def test_two_v_structures_with_one_edge_in_both_directions(conflicts, directed, undirected):
    found = find(COLLIDING, 4, conflicts=conflicts)
    pdag = found.pdag
    assert (set(pdag.arcs()), set(pdag.undirected_edges())) == (directed, undirected)


def test_overwriting_goes_by_the_order_of_the_file():
    data = columns(4)
    turned = quiet({name: data.codes[data.index(name)] for name in reversed(data.names)})
    found = cf.pc(turned, COLLIDING, conflicts="overwrite")
    assert set(found.pdag.arcs()) == {(0, 1), (2, 1), (3, 2)}


def votes(*sets: tuple[int, ...]) -> Table:
    """0 - 2 - 1, and 3 adjacent to both, so that sets of 2 and 3 may separate 0 and 1."""
    return Table({(0, 1): set(sets), (2, 3): {(0, 1)}})


@pytest.mark.parametrize(
    ("sets", "majority", "conservative"),
    [
        ([()], "v-structure", "v-structure"),
        ([(), (3,)], "v-structure", "v-structure"),
        ([(2,)], "chain", "chain"),
        ([(3,), (2,), ()], "v-structure", "ambiguous"),
        ([(2,), (2, 3), ()], "chain", "ambiguous"),
        ([(2,), ()], "ambiguous", "ambiguous"),
    ],
)
def test_what_most_sets_say(sets, majority, conservative):
    for conflicts, verdict in (("majority", majority), ("conservative", conservative)):
        found = find(votes(*sets), 4, conflicts=conflicts)
        assert ({"c00", "c01"} <= set(found.parents_of("c02"))) == (verdict == "v-structure"), (conflicts, sets)


def test_nothing_follows_from_an_ambiguous_triple():
    """0 → 2 ← 4 is a v-structure and 0 - 2 - 1 ambiguous; if it were not, 2 → 1 would follow."""
    certain = {(0, 4): {()}, (1, 4): {(2,)}, (0, 3): {()}, (2, 3): {()}, (3, 4): {()}, (1, 3): {()}}
    chain = find(Table({**certain, (0, 1): {(2,)}}), 5)
    assert ("c02", "c01") in chain.directed
    ambiguous = find(Table({**certain, (0, 1): {(2,), ()}, (1, 4): {(2,), ()}}), 5)
    assert ambiguous.parents_of("c02") == ("c00", "c04")
    assert ("c01", "c02") in ambiguous.undirected


@every_rule
@given(seed=st.integers(0, 10_000), m=st.integers(3, 8))
@settings(max_examples=EXAMPLES // 2)
def test_never_a_directed_cycle(conflicts, seed, m):
    """Random strengths, the same for the same test."""

    def strength(x, y, given):
        return random.Random(f"{seed} {sorted((x, y))} {sorted(given)}").uniform(-1, 2)

    found = find(NaiveTester(strength), m, conflicts=conflicts)
    assert found.is_acyclic
    assert len(found.skeleton) + len(found.separating_sets) == m * (m - 1) // 2


@pytest.mark.parametrize("conflicts", ["overwrite", "undirected"])
def test_a_cycle_of_v_structures_stays_undirected(conflicts):
    """0 → 1 → 2 → 3 → 0, each by a v-structure with another column, 4 to 7."""
    separating: dict[tuple[int, int], set[tuple[int, ...]]] = {pair: {()} for pair in combinations(range(8), 2)}
    separating |= {(0, 2): {(1, 3)}, (1, 3): {(0, 2)}}
    for i in range(4):
        before, after, beyond = i, (i + 1) % 4, (i + 2) % 4
        del separating[min(before, after), max(before, after)], separating[after, 4 + i]
        separating[beyond, 4 + i] = {(after,)}
    found = find(Table(separating), 8, conflicts=conflicts)
    assert set(found.pdag.undirected_edges()) == {(0, 1), (1, 2), (2, 3), (0, 3)}
    assert set(found.pdag.arcs()) == {(4, 1), (5, 2), (6, 3), (7, 0)}
    assert found.is_acyclic
    assert not found.is_cpdag


# A naive search on data


def naive_skeleton(strength, order: list[int], max_given: int | None):
    """Stable PC by its text; the separating sets, the weakest strengths and the number of tests by size."""
    adjacent = {x: [y for y in order if y != x] for x in order}
    separators, weakest, tests = {}, {}, []
    size = 0
    while max_given is None or size <= max_given:
        frozen = {x: list(others) for x, others in adjacent.items()}
        if size and not any(len(others) > size for others in frozen.values()):
            break
        tests.append(0)
        for x in order:
            for y in frozen[x]:
                key = (min(x, y), max(x, y))
                if y not in adjacent[x] or (size == 0 and order.index(y) < order.index(x)):
                    continue
                for given in combinations([z for z in frozen[x] if z != y], size):
                    tests[size] += 1
                    value = strength(x, y, given)
                    weakest[key] = min(weakest.get(key, np.inf), value)
                    if value <= 0:
                        separators[key] = tuple(sorted(given))
                        adjacent[x].remove(y)
                        adjacent[y].remove(x)
                        break
        size += 1
    while tests and not tests[-1]:
        tests.pop()
    return separators, {pair: value for pair, value in weakest.items() if pair not in separators}, tuple(tests)


@pytest.mark.parametrize("max_given", [0, 1, 3, None])
@pytest.mark.parametrize("seed", range(3))
def test_as_a_naive_search(seed, max_given):
    draw = np.random.default_rng(seed)
    arities = draw.integers(2, 4, 8).tolist()
    codes = draw_codes(arities, 200, seed, lean=0.6)
    codes[7] = (codes[0] + codes[1]) % arities[7]
    data = quiet_codes(codes)
    order = draw.permutation(8).tolist()
    shuffled = quiet({data.names[x]: codes[x] for x in order})
    for test, naive in (
        (cf.SCI(), strength_sci(codes.tolist(), arities)),
        (cf.G2(alpha=0.05), strength_g2(codes.tolist(), arities, alpha=0.05)),
    ):
        for conflicts, taken in (("undirected", range(8)), ("overwrite", order)):
            found = cf.pc(shuffled, test, conflicts=conflicts, max_given=max_given)
            separators, weakest, tests = naive_skeleton(naive, list(taken), max_given)
            name = data.canonical
            sets = {(name[x], name[y]): tuple(name[z] for z in by) for (x, y), by in separators.items()}
            assert found.separating_sets == sets
            assert found.tests_by_size == tests
            for (x, y), strength in weakest.items():
                edge = next(e for e in found.strengths if set(e) == {name[x], name[y]})
                assert found.strengths[edge] == pytest.approx(strength, abs=1e-6)
            assert len(found.strengths) == len(weakest)


def naive_votes(strength, graph: cf.Graph, max_given: int):
    """For every unshielded x - y - z: how many sets of neighbors of x or of z separate x and z, and how many have y."""
    pdag, found = graph.pdag, {}
    for y in range(pdag.size):
        for x, z in combinations(sorted(pdag.adjacent[y]), 2):
            if z in pdag.adjacent[x]:
                continue
            sets = {
                given
                for end in (x, z)
                for size in range(max_given + 1)
                for given in combinations(sorted(pdag.adjacent[end]), size)
                if strength(x, z, given) <= 0
            }
            found[x, y, z] = (sum(y in given for given in sets), len(sets))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_v_structures_by_a_naive_count(seed):
    codes = draw_codes([2, 3, 2, 2, 3, 2, 2], 300, seed, lean=0.5)
    codes[6] = codes[0] ^ codes[3]
    strength = strength_sci(codes.tolist(), [2, 3, 2, 2, 3, 2, 2])
    for conflicts in ("majority", "conservative"):
        found = cf.pc(quiet_codes(codes), conflicts=conflicts)
        counts = naive_votes(strength, found, 3)
        triples = [
            triple
            for triple, (votes, sets) in counts.items()
            if (2 * votes < sets if conflicts == "majority" else votes == 0 < sets)
        ]
        wanted = {arc for x, y, z in triples for arc in ((x, y), (z, y))}
        both = {(x, y) for x, y in wanted if (y, x) in wanted}
        assert PDAG(7, wanted - both).cycle() == []
        assert wanted - both <= set(found.pdag.arcs())
        assert {(x, y) for x, y in both if x < y} <= set(found.pdag.undirected_edges())


# The same result, however it is computed


@pytest.fixture(scope="module")
def health() -> cf.Dataset:
    return cf.load_example().sample(2000, seed=3)


@every_rule
def test_workers_and_the_way_of_counting_change_nothing(health, conflicts):
    found = cf.pc(health, conflicts=conflicts)
    for workers in (2, 3, 7):
        assert said(cf.pc(health, conflicts=conflicts, n_jobs=workers)) == said(found)
    for counting in ("bitmaps", "dense", "sparse"):
        assert said(cf.pc(health, conflicts=conflicts, counting=counting)) == said(found)


def test_processes_change_nothing(health):
    with joblib.parallel_config("loky"):
        assert said(cf.pc(health, n_jobs=2)) == said(cf.pc(health))


@pytest.mark.parametrize("conflicts", [rule for rule in CONFLICTS if rule != "overwrite"])
def test_the_order_of_columns_and_rows_changes_nothing(health, conflicts):
    draw = np.random.default_rng(1)
    names, rows = draw.permutation(list(health.names)).tolist(), draw.permutation(health.rows)
    turned = quiet({name: np.array(health.codes[health.index(name)])[rows] for name in names})
    for test in ("sci", "g2"):
        assert said(cf.pc(turned, test, conflicts=conflicts)) == said(cf.pc(health, test, conflicts=conflicts))


def test_it_says_how_it_was_found(health):
    found = cf.pc(health, cf.G2(alpha=0.001, min_rows_per_df=10), max_given=2)
    assert (found.method, found.test_or_score, found.rows, found.columns) == ("pc", "g2", 2000, health.columns)
    assert found.options == {
        "conflicts": "majority",
        "max_given": 2,
        "alpha": 0.001,
        "df": "nominal",
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
        ({"test": COLLIDING, "counting": "dense"}, "the test given counts in its own way"),
    ],
)
def test_options_outside_their_values_are_refused(options, message):
    with pytest.raises(cf.OptionError, match=message):
        cf.pc(columns(4), **options)


def test_evidence_of_other_data_is_refused(health):
    with pytest.raises(cf.OptionError, match="of other data"):
        cf.pc(columns(4), cf.Tester(health))
    assert said(cf.pc(health, cf.Tester(health))) == said(cf.pc(health))


# Another system


@needs_golden
@pytest.mark.parametrize("rows", [5_000, 20_000])
def test_as_pcalg(rows):
    path = SHARED / "golden" / f"pcalg_pc_g2_alarm_{rows}.csv"
    data = quiet(pl.read_csv(SHARED / "datasets" / "alarm.csv.gz", infer_schema=False).head(rows))
    found = cf.pc(data, cf.G2(alpha=0.01, min_rows_per_df=10), conflicts="overwrite", max_given=None)
    with path.open() as lines:
        expected = {(line["type"], line["source"], line["target"]) for line in csv.DictReader(lines)}
    directed = {("directed", *edge) for edge in found.directed}
    undirected = {("undirected", *edge) for edge in found.undirected}
    expected = {
        (kind, x, y) if kind == "directed" or (x, y) in found.undirected else (kind, y, x) for kind, x, y in expected
    }
    assert directed | undirected == expected


# The screen


@pytest.fixture(scope="module")
def odd() -> cf.Dataset:
    """Two blocks of the screen, columns that are swept, without bitmaps, and constant."""
    codes = draw_codes([2] * 7 + [3] * 4 + [1, 12, 70, 1], 300, seed=8, lean=0.5)
    codes[4], codes[9] = codes[0] ^ (codes[7] > 0), codes[7]
    return quiet_codes(codes)


@pytest.mark.parametrize("test", [cf.SCI(), cf.SCI(min_bits="auto"), cf.G2(min_rows_per_df=2), cf.CMI()], ids=repr)
def test_the_screen_is_the_sweeps_of_all_columns(odd, test):
    found = cf.pc(odd, test, max_given=0)
    tester, columns = Tester(odd, test), range(odd.columns)
    strengths = {
        (x, y): strength
        for x in columns[:-1]
        for y, strength in zip(columns[x + 1 :], tester.sweep(x, columns[x + 1 :], ()).tolist(), strict=True)
    }
    name = odd.canonical
    assert {tuple(sorted((odd.index(x), odd.index(y)))): s for (x, y), s in found.strengths.items()} == {
        pair: strength for pair, strength in strengths.items() if strength > 0
    }
    assert set(found.separating_sets) == {(name[x], name[y]) for (x, y), s in strengths.items() if s <= 0}
    assert (found.tests_by_size, found.skipped) == (tuple(tester.tests_by_size), tester.skipped)
    assert sum(found.tests_by_size) + found.skipped == odd.columns * (odd.columns - 1) // 2
    for options in ({"counting": "sparse"}, {"n_jobs": 2}, {"n_jobs": 5}):
        assert said(cf.pc(odd, test, max_given=0, **options)) == said(found)


def test_more_blocks_than_workers():
    data = quiet_codes(draw_codes([2] * 140 + [3] * 66 + [11] * 9, 120, seed=4))
    found = cf.pc(data, max_given=1)
    assert said(cf.pc(data, max_given=1, n_jobs=2)) == said(found)
    assert said(cf.pc(data, Tester(data), max_given=1)) == said(found)


@pytest.mark.parametrize("arities", [[2], [1], [1, 1], [1, 2]], ids=str)
def test_nothing_to_screen(arities):
    data = quiet_codes(np.array([np.arange(8) % arity for arity in arities], dtype=np.uint8))
    found = cf.pc(data)
    assert not found.skeleton
    assert found.tests_by_size == cf.pc(data, counting="dense").tests_by_size


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_nothing_keeps_the_workspace(n_jobs, monkeypatch):
    kept = weakref.WeakSet()

    class Watched(Tester):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            kept.add(self)

    data = cf.load_example().sample(500, seed=1)
    monkeypatch.setattr(runner, "Tester", Watched)
    gc.disable()
    try:
        found = cf.pc(data, n_jobs=n_jobs)
        # Threads of joblib keep what they prepared for the next question of the same search.
        assert len(kept) <= n_jobs - 1
    finally:
        gc.enable()
    assert found.directed
