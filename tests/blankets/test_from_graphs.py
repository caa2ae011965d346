"""Blankets of the method "best" are those of the graph of `causal_graph`, for one column and for many."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import climbfast as cf
from bench.shared.sparse_networks import sparse_network
from climbfast.blankets import from_graphs
from climbfast.graphs import best
from climbfast.local.unexplained import outside
from tests.factories import draw_net, named, quiet
from tests.graphs.obeying import random_knowledge
from tests.graphs.score_searches import by_name
from tests.incomplete import as_read, net_with_gaps

SUFFIXES = (".jsonl", ".parquet", ".csv")


@cache
def net(seed: int, rows: int = 1_000) -> cf.Dataset:
    return quiet(named(draw_net(seed, 9, rows)))


@cache
def best_of(seed: int, directions: str) -> cf.Blankets:
    return cf.markov_blankets(net(seed), method="best", directions=directions, progress=False)


@pytest.fixture
def without_perturbations(monkeypatch):
    """Searches that end at their first optimum, where any graph will do."""
    monkeypatch.setattr(best, "PERTURBATIONS_PER_COLUMN", 0)


def read_off(graph: cf.Graph, target: str) -> dict[str, tuple[str, ...]]:
    """The roles of the columns around one in a graph, written out."""
    parents, children, neighbors = graph.parents_of(target), graph.children_of(target), graph.neighbors_of(target)
    spouses = {x for child in children for x in graph.parents_of(child)} - {target, *neighbors}
    return {
        "parents": tuple(sorted(parents)),
        "children": tuple(sorted(children)),
        "undecided": tuple(sorted({*neighbors} - {*parents, *children})),
        "spouses": tuple(sorted(spouses)),
    }


def in_any_order(figures, x, y):
    return figures.get((x, y), figures.get((y, x)))


def comparable(blanket: cf.Blanket) -> cf.Blanket:
    return replace(blanket, seconds=0.0)


@pytest.mark.parametrize("directions", ["decided", "all"])
@pytest.mark.parametrize("seed", range(3))
def test_they_are_those_of_the_graph(seed, directions):
    data = net(seed)
    graph = cf.causal_graph(data, directions=directions)
    found = best_of(seed, directions)
    assert list(found) == list(graph.names)
    assert sum(len(blanket.spouses) for blanket in found.values())
    for target, blanket in found.items():
        roles = read_off(graph, target)
        assert {role: getattr(blanket, role) for role in roles} == roles
        for name in blanket.neighbors:
            assert blanket.strengths[name] == in_any_order(graph.strengths, target, name)
            directed = name not in blanket.undecided
            assert blanket.margins.get(name) == (in_any_order(graph.margins, target, name) if directed else None)
        for name in blanket.spouses:
            common = {*graph.children_of(target)} & {*graph.children_of(name)}
            assert blanket.common_children[name] == tuple(sorted(common))
            assert blanket.spouse_strengths[name] == max(graph.strengths[name, child] for child in common)
        assert (blanket.evidence, dict(blanket.separating_sets)) == ({}, {})


@pytest.mark.parametrize("seed", range(3))
def test_one_target_has_the_blanket_that_it_has_among_all(seed):
    data, found = net(seed), best_of(seed, "decided")
    for target in data.names[::2]:
        alone = cf.markov_blanket(data, target, "best")
        assert comparable(alone) == comparable(found[target])
        assert (alone.tests, alone.search, alone.symmetry, alone.max_given) == (0, "graph of all columns", "none", None)
    few = cf.markov_blankets(data, data.names[:1], method="best", progress=False)  # which sweeps, and makes no screen
    assert [*map(comparable, few.values())] == [comparable(found[data.names[0]])]


@pytest.mark.usefixtures("without_perturbations")
@pytest.mark.parametrize("test", [cf.SCI(min_bits="auto"), cf.G2(), cf.X2(df="adjusted"), cf.CMI(cutoff=0.01)])
def test_the_check_of_all_is_that_of_one(test, monkeypatch):
    """The screen of a run finds the columns that the sweep of one target does, by every test."""
    monkeypatch.setattr(from_graphs, "outside", lambda target, members, dependent: outside(target, (), dependent))
    data = net(2, rows=400)
    found = cf.markov_blankets(data, method="best", test=test, progress=False)
    assert sum(len(blanket.unexplained) for blanket in found.values()) > 9
    for target in data.names[::3]:
        assert found[target].unexplained
        assert comparable(cf.markov_blanket(data, target, "best", test)) == comparable(found[target])


@pytest.mark.parametrize("weighted", [False, True])
def test_missing_cells_and_weights(weighted):
    cells = net_with_gaps(3, rows=400)
    times = {"times": [1 + i % 3 for i in range(400)]} if weighted else {}
    data = as_read({**cells, **times}, **({"weights": "times"} if weighted else {}))
    found = cf.markov_blankets(data, method="best", progress=False)
    graph = cf.causal_graph(data)
    assert any(blanket.members for blanket in found.values())
    for target, blanket in found.items():
        roles = read_off(graph, target)
        assert {role: getattr(blanket, role) for role in roles} == roles
        assert 0 < blanket.fewest_rows < blanket.rows == (799 if weighted else 400)
    for target in data.names[::3]:
        alone = cf.markov_blanket(data, target, "best")
        assert comparable(alone) == comparable(found[target])


def test_weights_are_rows_that_are_repeated():
    columns = named(draw_net(4, 7, 300))
    times = np.random.default_rng(0).integers(1, 4, 300)
    counted = quiet({**columns, "times": times}, weights="times")
    repeated = quiet({name: np.repeat(column, times) for name, column in columns.items()})
    for target in ("c00", "c05"):
        one, other = (cf.markov_blanket(data, target, "best") for data in (counted, repeated))
        assert comparable(replace(one, options={})) == comparable(replace(other, options={}))
        assert one.members


A = np.random.default_rng(1).integers(0, 3, 900)
COPIES = {
    "a": A,
    "b": (A + (np.random.default_rng(2).random(900) < 0.1)) % 3,
    "equal": A,
    "negated": 2 - A,
    "noise": np.random.default_rng(3).integers(0, 2, 900),
}


def test_copies_stand_for_each_other():
    found = cf.markov_blankets(quiet(COPIES), method="best", progress=False)
    assert {name: blanket.members for name, blanket in found.items()} == {
        "a": ("b",), "b": ("a",), "equal": ("b",), "negated": ("b",), "noise": (),
    }  # fmt: skip
    assert found["equal"].copies == {"equal": ("a", "negated")}
    assert found["b"].copies == {"a": ("equal", "negated")}
    assert {blanket.columns for blanket in found.values()} == {5}
    for target in COPIES:
        assert comparable(cf.markov_blanket(quiet(COPIES), target, "best")) == comparable(found[target])
    other = cf.markov_blanket(quiet(COPIES), "b", "best", representative="negated")
    assert (other.members, other.options["representative"]) == (("negated",), ["negated"])


@pytest.mark.usefixtures("without_perturbations")
def test_what_a_blanket_leaves_unexplained_is_found(monkeypatch):
    """A graph without edges explains nothing: all columns that depend on the target are listed."""
    data = net(1)
    real = from_graphs.find_best

    def without_edges(searched, **_):
        return real(quiet({name: np.random.default_rng(i).permutation(searched.codes[i])
                           for i, name in enumerate(searched.canonical)}))  # fmt: skip

    whole = cf.markov_blankets(data, method="best", progress=False)
    monkeypatch.setattr(from_graphs, "find_best", without_edges)
    found = cf.markov_blankets(data, method="best", progress=False)
    for target, blanket in found.items():
        if not blanket.members:
            strengths = {x: cf.test(data, target, x).strength for x in data.names if x != target}
            least = np.log2(sum(bits > 0 for bits in strengths.values()) / 0.01)
            assert dict(blanket.unexplained) == pytest.approx({x: b for x, b in strengths.items() if b > least})
    assert any(len(blanket.unexplained) > 1 for blanket in found.values())
    assert sum(len(b.unexplained) for b in whole.values()) < sum(len(b.unexplained) for b in found.values())


@pytest.fixture(scope="module")
def wide() -> cf.Dataset:
    network = sparse_network(130, levels=2, in_degree=(1, 2), concentration=0.5, seed=2)
    return network.sample(1_500, seed=1)


@pytest.mark.usefixtures("without_perturbations")
def test_wide_data_use_the_graph_around_the_target(wide):
    targets = wide.names[:3]
    for target in targets:
        found = cf.markov_blanket(wide, target, "best")
        size = int(found.search.removeprefix("graph of ").removesuffix(" columns around the target"))
        assert 1 < size <= from_graphs.MOST_AROUND
        assert found.tests > 0
        assert found.tests_by_size[0] >= wide.columns - 1
        assert found.columns == wide.columns == 130
    all_of_them = cf.markov_blankets(wide, targets, method="best", progress=False)
    assert {blanket.search for blanket in all_of_them.values()} == {"graph of all columns"}
    assert all_of_them.how["search"] == "graph of all columns"


@pytest.mark.usefixtures("without_perturbations")
def test_a_graph_around_a_target_is_that_of_its_columns(wide, monkeypatch):
    monkeypatch.setattr(from_graphs, "MOST_AROUND", 8)
    seen = []
    real = from_graphs.find_best
    monkeypatch.setattr(from_graphs, "find_best", lambda data, **given: seen.append(data) or real(data, **given))
    target = wide.names[0]
    found = cf.markov_blanket(wide, target, "best")
    assert found.search == "graph of 8 columns around the target"
    (around,) = seen
    assert target in around.names
    roles = read_off(cf.causal_graph(around), target)
    assert {role: getattr(found, role) for role in roles} == roles
    assert found.rows_per_stratum >= 0


@pytest.mark.usefixtures("without_perturbations")
def test_the_order_of_rows_and_columns_changes_nothing(wide):
    rng = np.random.default_rng(0)
    rows = rng.permutation(wide.rows)
    shuffled = quiet({name: wide.codes[wide.index(name)][rows] for name in rng.permutation(wide.names)})
    for target in wide.names[3:5]:
        one, other = (cf.markov_blanket(data, target, "best") for data in (wide, shuffled))
        assert comparable(one) == comparable(other)


def test_how_has_the_names_of_other_runs():
    data = net(0)
    other = cf.markov_blankets(data, progress=False, n_jobs=1)
    found = cf.markov_blankets(data, data.names[:4], method="best", test=cf.G2(alpha=0.001), progress=False)
    of_searches = {"colliders", "max_pool", "min_margin", "node_budget", "screened"}
    assert {*found.how} == {*other.how} - of_searches
    assert (found.how["method"], found.how["test"], found.how["targets"]) == ("best", "g2", 4)
    assert found.how["test_options"]["alpha"] == 0.001
    assert found.how["data"] == other.how["data"] == data.fingerprint
    assert {*found.how["seconds_by_pass"]} == {"graph", "blankets"}
    assert found.how["tests"] == sum(blanket.tests for blanket in found.values()) == 0


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_keep_them(suffix, tmp_path):
    found = best_of(1, "decided")
    path = tmp_path / f"found{suffix}"
    found.save(path)
    again = cf.read_blankets(path)
    assert again.how == found.how
    for target, blanket in found.items():
        kept = again[target]
        assert (kept.max_given, kept.symmetry, kept.search, kept.method) == (None, "none", blanket.search, "best")
        assert kept.options == blanket.options
        for field in ("parents", "children", "undecided", "spouses", "margins", "strengths", "common_children"):
            assert getattr(kept, field) == getattr(blanket, field)
        if suffix != ".csv":  # which has edges
            assert kept == blanket
    graphs = [blankets.merge() for blankets in (found, again)]
    assert graphs[0].reasons == graphs[1].reasons != {}


@pytest.mark.usefixtures("without_perturbations")
def test_a_single_search_and_the_line_of_activity(capsys, monkeypatch):
    """Quiet runs show nothing; the others show that the search lasts."""
    shown = []
    monkeypatch.setattr(from_graphs, "show_activity", lambda name: shown.append(name) or warnings.catch_warnings())
    cf.markov_blankets(net(0), method="best", progress=False)
    assert shown == []
    cf.markov_blankets(net(0), method="best")
    assert shown == ["markov_blankets"]
    assert capsys.readouterr().err == ""


# Knowledge


@pytest.mark.usefixtures("without_perturbations")
@pytest.mark.parametrize("directions", ["decided", "all"])
@pytest.mark.parametrize("seed", range(5))
def test_with_knowledge_they_are_those_of_the_graph(seed, directions):
    data = net(seed)
    known = by_name(random_knowledge(9, seed), data.sorted_names)
    graph = cf.causal_graph(data, directions=directions, knowledge=known)
    found = cf.markov_blankets(data, method="best", directions=directions, knowledge=known, progress=False)
    assert found.how["knowledge"] == known.to_dict()
    for target, blanket in found.items():
        roles = read_off(graph, target)
        assert {role: getattr(blanket, role) for role in roles} == roles
        reasons = {x: in_any_order(graph.reasons, target, x) for x in blanket.neighbors}
        assert blanket.known == tuple(sorted(x for x, reason in reasons.items() if reason == "known"))
        assert not {*blanket.margins} & {*blanket.known}
        assert blanket.options.get("knowledge", {}) == known.about({target, *blanket.members}, at=[target]).to_dict()
    for target in data.names[::4]:
        blanket, roles = found[target], read_off(graph, target)
        alone = cf.markov_blanket(data, target, method="best", directions=directions, knowledge=known)
        assert {role: getattr(alone, role) for role in (*roles, "known", "unexplained")} == {
            role: getattr(blanket, role) for role in (*roles, "known", "unexplained")
        }


@pytest.mark.parametrize("screened", [0, 2], ids=["screen", "sweeps"])
def test_forbidden_neighbors_are_not_unexplained(monkeypatch, screened):
    monkeypatch.setattr(from_graphs, "FEWEST_TARGETS_OF_SCREEN", screened)
    draw = np.random.default_rng(0)
    x = draw.integers(0, 2, 2_000)
    y = np.where(draw.random(2_000) < 0.8, x, 1 - x)
    data = quiet({"x": x, "y": y, "z": draw.integers(0, 2, 2_000)})
    known = cf.Knowledge(tiers=[["x", "y"]], closed=True)
    found = cf.markov_blankets(data, method="best", knowledge=known, progress=False)
    assert [(blanket.members, dict(blanket.unexplained)) for blanket in found.values()] == [((), {})] * 3
    assert cf.markov_blanket(data, "x", method="best").members == ("y",)


@pytest.mark.usefixtures("without_perturbations")
@pytest.mark.parametrize("most", [2, 40])
def test_required_partners_are_around_a_target(wide, monkeypatch, most):
    monkeypatch.setattr(from_graphs, "MOST_AROUND", most)
    names = wide.sorted_names
    required = [(names[5], names[60]), (names[60], names[90]), (names[7], names[5])]
    forbidden = [(names[60], name) for name in names if name not in (names[60], names[90])]
    known = cf.Knowledge(required=required, forbidden=forbidden)
    blanket = cf.markov_blanket(wide, names[60], method="best", knowledge=known)
    assert names[5] in blanket.parents
    assert blanket.children == (names[90],)
    assert {names[5], names[90]} <= {*blanket.known}
    assert not {*blanket.undecided}


def test_wide_data_without_neighbors(wide):
    names = wide.sorted_names
    alone = cf.Knowledge(roots=[names[0]], leaves=[names[0]])
    blanket = cf.markov_blanket(wide, names[0], method="best", knowledge=alone)
    assert (blanket.members, dict(blanket.unexplained)) == ((), {})
