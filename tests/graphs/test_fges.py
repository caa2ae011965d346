"""FGES against brute force, textbook greedy search, and its certificate: no edge more or fewer is better."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.fges import search
from climbfast.independence.tests import rounding
from climbfast.scores import LocalScores
from tests import incomplete
from tests.factories import draw_codes, named, quiet, quiet_codes
from tests.graphs.classes import (
    best_gain,
    cpdag,
    is_acyclic,
    members,
    one_edge_fewer,
    one_edge_more,
    signature,
)
from tests.graphs.score_searches import (
    best_by_brute_force,
    configurations,
    sampled,
    small_data,
    strong_tables,
)
from tests.oracle import DAG, all_dags, random_dag

EQUIVALENT = (cf.BDeu(), cf.BDeu(5.0, 0.0), cf.BIC(), cf.BIC(0.3), cf.AIC(), cf.AIC(2), cf.QNML())
FAITHFULNESS = (True, False)


class TrueDistribution:
    """BIC with endless rows: −H(x | parents) of binary columns by their joint distribution, and a tiny penalty."""

    def __init__(self, dag: DAG, seed: int) -> None:
        arities = (2,) * len(dag)
        self.cells = np.array(list(itertools.product((0, 1), repeat=len(dag))), np.int64).T
        self.p = np.ones(2 ** len(dag))
        for x, table in enumerate(strong_tables(dag, seed, arities)):
            self.p = self.p * table[configurations(dag, x, self.cells, arities), self.cells[x]]

    def entropy(self, columns: tuple[int, ...]) -> float:
        code = np.zeros(len(self.p), np.int64)
        for x in columns:
            code = code * 2 + self.cells[x]
        p = np.bincount(code, self.p)
        return float(-(p * np.log2(p)).sum())

    def score(self, x: int, parents: tuple[int, ...]) -> float:
        return self.entropy(parents) - self.entropy((*parents, x)) - 1e-9 * 2 ** len(parents)


def found_class(found) -> DAG:
    """One DAG of the class that was found; the matrix is its CPDAG."""
    matrix = found.cpdag.to_adjacency()
    directed = matrix & ~matrix.T
    assert not np.diag(matrix).any()
    assert is_acyclic([frozenset(np.flatnonzero(column).tolist()) for column in directed.T])
    return next(dag for dag in extensions(matrix) if np.array_equal(cpdag(members(dag)), matrix))


def extensions(matrix: np.ndarray):
    """Every acyclic way to direct the undirected edges."""
    edges = np.argwhere(np.triu(matrix & matrix.T)).tolist()
    for forward in itertools.product((False, True), repeat=len(edges)):
        one = matrix & ~matrix.T
        for (a, b), way in zip(edges, forward, strict=True):
            one[(a, b) if way else (b, a)] = True
        dag = tuple(frozenset(np.flatnonzero(column).tolist()) for column in one.T)
        if is_acyclic(dag):
            yield dag


@pytest.mark.parametrize("faithfulness", FAITHFULNESS)
def test_perfect_knowledge_of_every_graph_of_up_to_five_columns(faithfulness):
    for n in range(1, 6):
        for seed, dag in enumerate(all_dags(n)):
            found = search(TrueDistribution(dag, seed), n, faithfulness=faithfulness, tolerance=1e-12)
            assert np.array_equal(found.cpdag.to_adjacency(), cpdag(members(dag)))
            assert found.local_optimum


@pytest.mark.parametrize("faithfulness", FAITHFULNESS)
@pytest.mark.parametrize("seed", range(4))
def test_a_million_rows_of_five_columns_give_the_best_of_all_graphs(seed, faithfulness):
    dag = random_dag(5, seed, edge_probability=0.5)
    data = sampled(dag, 1_000_000, seed, (2, 3, 2, 3, 2))
    for score in (cf.BDeu(), cf.BIC(), cf.QNML()):
        scores = LocalScores(data, score)
        found = search(scores, 5, faithfulness=faithfulness, tolerance=rounding(data.rows))
        best = best_by_brute_force(scores)
        assert signature(found_class(found)) == signature(best)
        assert found.score == pytest.approx(sum(scores.score(x, sorted(p)) for x, p in enumerate(best)), rel=1e-12)


@pytest.mark.parametrize("faithfulness", FAITHFULNESS)
@pytest.mark.parametrize("score", EQUIVALENT, ids=str)
@pytest.mark.parametrize("seed", range(9))
def test_no_edge_more_or_fewer_is_better(seed, score, faithfulness):
    data = small_data(seed)
    scores = LocalScores(data, score)
    found = search(scores, data.columns, faithfulness=faithfulness)
    dag = found_class(found)
    assert found.local_optimum
    assert found.insertions - found.deletions == len(signature(dag).edges)
    assert found.score == pytest.approx(sum(scores.score(x, p) for x, p in enumerate(dag)), abs=1e-6)
    if len(signature(dag).edges) <= 14:
        assert best_gain(scores, members(dag)) <= 1e-6


@pytest.mark.parametrize("seed", range(9))
def test_each_step_is_the_best_one(seed):
    """Without the faithfulness option: Chickering's search, every DAG of the class tried at every step."""
    data = small_data(seed)
    scores = LocalScores(data, "bdeu")
    dag: DAG = (frozenset(),) * data.columns
    steps = [0, 0]
    improved = True
    while improved:
        improved = False
        for phase, edges in enumerate((one_edge_more, one_edge_fewer)):
            while True:
                gain, better = max(
                    (scores.score(y, changed[y]) - scores.score(y, d[y]), list(map(sorted, changed)))
                    for d in members(dag)
                    for _, y, changed in edges(d)
                )
                if gain <= 1e-6:
                    break
                dag, improved = tuple(map(frozenset, better)), True
                steps[phase] += 1
    found = search(scores, data.columns, faithfulness=False)
    assert signature(found_class(found)) == signature(dag)
    assert (found.insertions, found.deletions) == tuple(steps)


@pytest.mark.parametrize("faithfulness", FAITHFULNESS)
@pytest.mark.parametrize("most", [0, 1, 2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_the_largest_degree(seed, most, faithfulness):
    """No column has more edges, and of the graphs that keep the limit none is better."""
    data = small_data(seed)
    scores = LocalScores(data, "aic")
    found = search(scores, data.columns, max_degree=most, faithfulness=faithfulness)
    dag = found_class(found)
    degree = np.array([len(others) for others in found.cpdag.adjacent])
    assert degree.max() <= most
    for d in members(dag):
        for _, y, fewer in one_edge_fewer(d):
            assert scores.score(y, fewer[y]) <= scores.score(y, d[y]) + 1e-6
        for x, y, more in one_edge_more(d):
            if degree[x] < most and degree[y] < most:
                assert scores.score(y, more[y]) <= scores.score(y, d[y]) + 1e-6


@pytest.mark.parametrize("faithfulness", FAITHFULNESS)
@pytest.mark.parametrize("seed", range(9))
def test_a_search_by_a_score_that_is_not_equivalent_ends_too(seed, faithfulness):
    data = small_data(seed)
    scores = LocalScores(data, cf.FNML())
    found = search(scores, data.columns, faithfulness=faithfulness)
    dag = found_class(found)
    assert found.insertions - found.deletions == len(signature(dag).edges)
    gain = best_gain(scores, members(dag)) if len(signature(dag).edges) <= 14 else 0
    # The operators score one of the DAGs they stand for, brute force all of them.
    assert found.local_optimum or gain > 1e-6


def fields(graph) -> tuple:
    return set(graph.directed), set(map(frozenset, graph.undirected)), graph.figures["score"]


@pytest.mark.parametrize("score", [*EQUIVALENT, cf.FNML()], ids=str)
def test_the_order_of_rows_columns_and_levels_and_the_counting_strategy_do_not_matter(score):
    numbered = small_data(7)
    rng = np.random.default_rng(0)
    codes = {name: numbered.codes[numbered.index(name)] for name in numbered.names}
    data = quiet(codes)
    rows = rng.permutation(data.rows)
    shuffled = {name: codes[name][rows] for name in rng.permutation(data.names).tolist()}
    recoded = {name: rng.permutation(10)[column] for name, column in codes.items()}
    found = fields(cf.fges(data, score))
    assert found[0] | found[1]
    for other in (shuffled, recoded):
        assert fields(cf.fges(quiet(other), score)) == found
    for counting in ("bitmaps", "dense", "sparse"):
        assert fields(cf.fges(data, score, counting=counting)) == found


def test_copies_of_a_column_do_not_depend_on_their_order():
    x, y = draw_codes([3, 2], 300, lean=0.7)
    names = ("a", "b", "c", "d")
    graphs = []
    for order in itertools.permutations(names):
        columns = dict(zip(names, (x, x, y, x), strict=True))
        graphs.append(fields(cf.fges(quiet({name: columns[name] for name in order}))))
    assert all(g == graphs[0] for g in graphs)


class CustomScore:
    """BDeu of one family at a time."""

    def __init__(self, data: cf.Dataset) -> None:
        self.scores = LocalScores(data)
        self.scored: list[tuple[int, tuple[int, ...]]] = []

    def score(self, x: int, parents: tuple[int, ...]) -> float:
        assert parents == tuple(sorted(parents))
        self.scored.append((x, parents))
        return self.scores.score(x, parents)


@pytest.mark.parametrize("faithfulness", FAITHFULNESS)
def test_a_score_of_ones_own(faithfulness):
    data = small_data(5)
    own = CustomScore(data)
    found = cf.fges(data, own, faithfulness=faithfulness)
    assert len(set(own.scored)) == len(own.scored) == found.figures["families"]
    assert fields(found)[:2] == fields(cf.fges(data, faithfulness=faithfulness))[:2]


def test_a_hub_is_no_clique():
    """Sixteen columns lean on one: of the 65,536 subsets of its neighbors only cliques come up."""
    rng = np.random.default_rng(0)
    hub = rng.integers(0, 2, 3_000)
    leaves = [np.where(rng.random(3_000) < 0.5, hub, rng.integers(0, 2, 3_000)) for _ in range(16)]
    graph = cf.fges(quiet_codes(np.array([hub, *leaves], np.uint8)), faithfulness=False)
    assert graph.directed == ()
    assert set(graph.undirected) == {("c00", f"c{leaf:02}") for leaf in range(1, 17)}
    assert graph.figures["families"] < 17 * 17 * 17


def test_two_columns():
    x, y = draw_codes([2, 2], 500, lean=0.8)
    z = np.random.default_rng(1).integers(0, 2, 500)
    for score in (*EQUIVALENT[:3], cf.QNML()):
        assert cf.fges(quiet({"x": x, "y": y}), score).undirected == (("x", "y"),)
        alone = cf.fges(quiet({"x": x, "z": z}), score)
        assert (alone.directed, alone.undirected) == ((), ())


@pytest.mark.parametrize("score", [*EQUIVALENT, cf.FNML()], ids=str)
@pytest.mark.parametrize("columns", [{"x": [1]}, {"x": [1], "y": [0]}, {"x": [0, 1, 1, 0], "y": [1, 1, 1, 1]}])
def test_nothing_to_find(columns, score):
    graph = cf.fges(quiet(columns), score)
    assert (graph.directed, graph.undirected, graph.names) == ((), (), tuple(columns))


def test_the_class_compels_what_is_directed():
    found = cf.fges(cf.load_example().sample(2000, seed=1))
    assert found.reasons == dict.fromkeys(found.directed, "compelled")
    assert found.to_dag().to_cpdag().reasons == found.reasons


def test_the_edges_of_the_example_are_found():
    """One edge too many is a local optimum of these data, whatever the score."""
    network = cf.load_example()
    graph = cf.fges(network.sample(20_000, seed=1), cf.BDeu(1, 1))
    found = {frozenset(e) for e in (*graph.directed, *graph.undirected)}
    assert set(map(frozenset, network.arcs)) <= found
    assert len(found) <= len(network.arcs) + 1
    assert len(set(graph.directed) & set(network.arcs)) >= 0.75 * len(network.arcs)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score": "k2"}, "no score named 'k2'; the scores are bic, aic, bdeu, fnml, qnml"),
        ({"score": cf.SCI()}, "no score named"),
        ({"max_degree": -1}, "max_degree is -1"),
        ({"max_degree": 1.5}, "max_degree is 1.5"),
        ({"faithfulness": "yes"}, "faithfulness is 'yes'; it is True or False"),
        ({"counting": "fast"}, "counting is 'fast'"),
        ({"score": TrueDistribution(random_dag(3, 1), 1), "counting": "dense"}, "counting is for the scores"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(cf.OptionError, match=message):
        cf.fges(quiet(named(draw_codes([2, 2], 50))), **options)


@pytest.mark.parametrize("score", ["bdeu", "bic", "aic", "fnml", "qnml"])
def test_missing_cells(score):
    """The same graph by every way of counting and in every order of rows and columns."""
    cells = incomplete.net_with_gaps(3, rows=300)
    data = incomplete.as_read(cells)
    found = cf.fges(data, score)
    assert found.directed or found.undirected
    assert 0 < found.fewest_rows < 300
    for counting in ("bitmaps", "dense", "sparse"):
        assert cf.fges(data, score, counting=counting) == found
    draw = np.random.default_rng(0)
    rows, names = draw.permutation(300).tolist(), draw.permutation(list(cells)).tolist()
    shuffled = cf.fges(incomplete.as_read({name: [cells[name][i] for i in rows] for name in names}), score)
    assert (shuffled.directed, shuffled.undirected) == (found.directed, found.undirected)
    assert shuffled.fewest_rows == found.fewest_rows


def test_no_missing_cell_changes_nothing():
    """A table read for missing cells, of which it has none."""
    codes = draw_codes([2, 3, 2, 2], 200)
    assert cf.fges(quiet(named(codes), missing="test-wise")) == cf.fges(quiet(named(codes)))
    assert cf.fges(quiet_codes(codes)).fewest_rows == 200
