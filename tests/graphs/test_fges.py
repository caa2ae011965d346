"""FGES against brute force, textbook greedy search, and its certificate: no edge more or fewer is better."""

from __future__ import annotations

import itertools
from functools import cache, lru_cache

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.background import disobeying
from climbfast.graphs.equivalence import extension
from climbfast.graphs.fges import _Found, _Queue, search
from climbfast.graphs.pdag import PDAG
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
    one_edge_turned,
    signature,
    total,
)
from tests.graphs.obeying import (
    allowed_among,
    allows,
    as_pdag,
    every_true_tiering,
    in_common,
    obeys,
    random_knowledge,
    true_knowledge,
)
from tests.graphs.score_searches import (
    best_by_brute_force,
    configurations,
    frozen,
    order_of,
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
        self.entropy = cache(self.entropy_of)

    def entropy_of(self, columns: tuple[int, ...]) -> float:
        code = np.zeros(len(self.p), np.int64)
        for x in columns:
            code = code * 2 + self.cells[x]
        p = np.bincount(code, self.p)
        return float(-(p * np.log2(p)).sum())

    def score(self, x: int, parents: tuple[int, ...]) -> float:
        return self.entropy(parents) - self.entropy((*parents, x)) - 1e-9 * 2 ** len(parents)


@cache
def true_distribution(dag: DAG, seed: int) -> TrueDistribution:
    """The one distribution of this graph and seed, so that all tests share its entropies."""
    return TrueDistribution(dag, seed)


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
    """Of five columns every second one."""
    for n in range(1, 6):
        for seed, dag in [*enumerate(all_dags(n))][:: 2 if n == 5 else 1]:
            found = search(true_distribution(dag, seed), n, faithfulness=faithfulness, tolerance=1e-12)
            assert np.array_equal(found.cpdag.to_adjacency(), cpdag(members(dag)))
            assert found.local_optimum


@lru_cache(1)
def many_rows(dag: DAG, seed: int) -> cf.Dataset:
    """Data for both ways to search, one after the other."""
    return sampled(dag, 300_000, seed, (2, 3, 2, 3, 2))


@pytest.mark.parametrize("faithfulness", FAITHFULNESS)
@pytest.mark.parametrize("seed", range(4))
def test_many_rows_of_five_columns_give_the_best_of_all_graphs(seed, faithfulness):
    dag = random_dag(5, seed, edge_probability=0.5)
    data = many_rows(dag, seed)
    for score in (cf.BDeu(), cf.BIC(), cf.QNML()):
        scores = LocalScores(data, score)
        found = search(scores, 5, faithfulness=faithfulness, tolerance=rounding(data.rows))
        best = best_by_brute_force(scores)
        assert signature(found_class(found)) == signature(best)
        assert found.score == pytest.approx(sum(scores.score(x, sorted(p)) for x, p in enumerate(best)), rel=1e-12)


@pytest.mark.parametrize("faithfulness", FAITHFULNESS)
@pytest.mark.parametrize("score", EQUIVALENT, ids=str)
@pytest.mark.parametrize("seed", [0, 2, 4, 7, 8])
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


def naive_search(
    scores, columns: int, known: cf.Knowledge | None = None, effect: set[frozenset[int]] | None = None
) -> tuple[DAG, tuple[int, ...]]:
    """The search by definition: every edge more, fewer or turned in every DAG of the class that obeys, if it obeys.

    While there are no other steps, only the pairs of ``effect`` are joined, and no edge is turned.
    """
    known = known or cf.Knowledge()
    dag: DAG = tuple(frozenset(x for x, y in known.required if y == z) for z in range(columns))
    phases, steps, first = (one_edge_more, one_edge_fewer, one_edge_turned), [0, 0, 0], effect is not None
    while True:
        before = list(steps)
        for phase, edges in enumerate(phases):
            if phase == 2 and (first or steps != before):
                continue
            while True:
                gain, better = max(
                    (
                        (total(scores, changed) - total(scores, d), list(map(sorted, changed)))
                        for d in members(dag)
                        if obeys(d, known)
                        for x, y, changed in edges(d)
                        if obeys(changed, known) and not (first and phase == 0 and {x, y} not in effect)
                    ),
                    default=(0.0, []),
                )
                if gain <= 1e-6:
                    break
                dag = tuple(map(frozenset, better))
                steps[phase] += 1
                if phase == 2:
                    break
        if steps == before:
            if not first:
                return dag, tuple(steps)
            first = False


@pytest.mark.parametrize("seed", range(9))
def test_each_step_is_the_best_one(seed):
    """Without the faithfulness option: every DAG of the class tried at every step."""
    data = small_data(seed)
    scores = LocalScores(data, "bdeu")
    found = search(scores, data.columns, faithfulness=False)
    dag, steps = naive_search(scores, data.columns)
    assert signature(found_class(found)) == signature(dag)
    assert (found.insertions, found.deletions, found.turnings) == steps


@pytest.mark.parametrize(("score", "seeds"), [("bdeu", (0, 5, 8, 29, 134)), ("aic", (0, 18, 22, 36, 82))])
def test_the_better_of_two_searches_is_found(score, seeds):
    """One lets pairs without an effect edge wait until the others leave no step, one does not; each is better once."""
    better = set()
    for seed in seeds:
        data = a_hidden_effect(seed)
        scores = LocalScores(data, score)
        effect = {
            frozenset((x, y))
            for x, y in itertools.permutations(range(data.columns), 2)
            if scores.score(y, (x,)) - scores.score(y, ()) > 1e-6
        }
        dags = [naive_search(scores, data.columns, effect=first)[0] for first in (None, effect)]
        totals = [total(scores, dag) for dag in dags]
        found = search(scores, data.columns)
        assert found.score == pytest.approx(max(totals), abs=1e-6)
        assert search(scores, data.columns, faithfulness=False).score == pytest.approx(totals[0], abs=1e-6)
        better.add(int(np.sign(round(totals[1] - totals[0], 6))))
    assert better == {-1, 0, 1}


def a_hidden_effect(seed: int) -> cf.Dataset:
    """Five columns, one of them nearly the parity of two others, of which neither alone tells much."""
    rng = np.random.default_rng(seed)
    rows = (60, 200, 600)[seed % 3]
    codes = draw_codes([2, 2, 3, 2, 2], rows, lean=0.5, seed=seed)
    codes[4] = np.where(rng.random(rows) < 0.25, codes[4], (codes[0] + codes[3] + codes[2] // 2) % 2)
    return quiet_codes(codes)


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


# Knowledge


class GaussianDistribution:
    """BIC with endless rows of a linear Gaussian model: −½·log2 var(x | parents), and a tiny penalty.

    Its cost does not grow with the number of columns as that of a table does.
    """

    def __init__(self, dag: DAG, seed: int, least: float = 0.4, most: float = 1.2) -> None:
        rng = np.random.default_rng(seed)
        effects = np.zeros((len(dag), len(dag)))
        for x, parents in enumerate(dag):
            effects[x, sorted(parents)] = rng.uniform(least, most, len(parents)) * rng.choice([-1, 1], len(parents))
        total = np.linalg.inv(np.eye(len(dag)) - effects)
        self.covariance = total @ np.diag(rng.uniform(0.5, 1.5, len(dag))) @ total.T
        self.score = cache(self.score_of)

    def score_of(self, x: int, parents: tuple[int, ...]) -> float:
        of_parents, with_x = self.covariance[np.ix_(parents, parents)], self.covariance[x, list(parents)]
        variance = self.covariance[x, x] - with_x @ np.linalg.solve(of_parents, with_x)
        return float(-0.5 * np.log2(variance) - 1e-7 * len(parents))


class RecordingScore:
    """A score, and the families that were asked of it."""

    def __init__(self, score) -> None:
        self.scored, self._score = set(), score

    def score(self, x: int, parents: tuple[int, ...]) -> float:
        self.scored.add((x, parents))
        return self._score.score(x, parents)


def closed_tiers(dag: DAG, tiers) -> list[int]:
    """The tiers that may be closed: no edge is inside."""
    return [number for number, tier in enumerate(tiers) if not any(dag[x] & {*tier} for x in tier)]


@pytest.mark.parametrize("faithfulness", FAITHFULNESS)
def test_true_tierings_of_every_graph_of_up_to_four_columns(faithfulness):
    """The true class, with all directions that its DAGs which obey have in common, and nothing contradicted.

    Of the tierings of four columns every second.
    """
    for n in range(2, 5):
        for seed, dag in enumerate(all_dags(n)):
            score, equivalent = true_distribution(dag, seed), members(dag)
            for tiers in itertools.islice(every_true_tiering(dag), None, None, 2 if n == 4 else 1):
                # That a tier of one column is closed says nothing.
                closable = [number for number in closed_tiers(dag, tiers) if len(tiers[number]) > 1]
                for closed in ((), closable) if closable else ((),):
                    known = cf.Knowledge(tiers=tiers, closed=closed)
                    found = search(
                        score, n, faithfulness=faithfulness, tolerance=1e-12, allowed=allowed_among(known, n)
                    )
                    assert found.cpdag == in_common(equivalent)
                    assert found.directed == in_common([other for other in equivalent if obeys(other, known)])
                    assert found.contradicted == {}


def check_true_knowledge(dag: DAG, distribution: GaussianDistribution, expected: PDAG, known: cf.Knowledge) -> None:
    """The true class, and true directions; the families of forbidden parents are not scored."""
    columns, score = len(dag), RecordingScore(distribution)
    found = search(score, columns, tolerance=1e-10, allowed=allowed_among(known, columns))
    assert found.cpdag == expected
    assert set(found.directed.arcs()) <= set(as_pdag(dag).arcs())
    assert found.contradicted == {}
    assert all(allows(known, p, x) for x, parents in score.scored for p in parents)


@pytest.mark.parametrize("seed", range(12))
def test_true_knowledge_of_graphs_of_fifteen_columns(seed):
    """Tiers of all columns, also closed, required edges, roots and leaves."""
    dag = random_dag(15, seed, edge_probability=0.18, max_parents=4)
    part, rng = true_knowledge(dag, seed), np.random.default_rng(seed)
    order = order_of(dag)
    cuts = [0, *sorted(rng.choice(np.arange(1, 15), 1 + seed % 4, replace=False).tolist()), 15]
    tiers = [order[a:b] for a, b in itertools.pairwise(cuts)]
    closed = closed_tiers(dag, tiers) if seed % 2 else ()
    kinds = {"required": part.required, "roots": part.roots, "leaves": part.leaves}
    distribution = GaussianDistribution(dag, seed)
    expected = search(distribution, 15, tolerance=1e-10).cpdag
    check_true_knowledge(dag, distribution, expected, cf.Knowledge(tiers=tiers, closed=closed, **kinds))
    check_true_knowledge(dag, distribution, expected, cf.Knowledge(**kinds))


@pytest.mark.parametrize("seed", [8, 61, 172, 213])
def test_what_was_refused_is_tried_again(seed):
    """0 → 1 → 2 → 3, 3 → 4, 3 → 5 → 4 with 5 → 4 known: 0 → 1 contradicts it as long as 3 and 5 are not adjacent.

    Nothing changes at 0 and 1 when these two are joined.
    """
    dag = tuple(map(frozenset, ((), (0,), (1,), (2,), (3, 5), (3,))))
    known = cf.Knowledge(roots=[0], forbidden=[(4, 5)])
    score = GaussianDistribution(dag, seed, 0.2, 2.5)
    found = search(score, 6, faithfulness=False, tolerance=1e-10, allowed=allowed_among(known, 6))
    assert found.cpdag == in_common(members(dag))
    assert (found.insertions, found.deletions) == (6, 0)


def test_a_family_without_a_parent_that_is_known_is_not_scored():
    """The required b → c: of the families of c without b only that of its deletion is scored, at the end."""
    rng = np.random.default_rng(0)
    b, x = rng.integers(0, 2, 500), rng.integers(0, 2, 500)
    data = quiet({"b": b, "c": np.where(rng.random(500) < 0.4, rng.integers(0, 2, 500), b), "x": x})
    score = RecordingScore(LocalScores(data))
    known = cf.Knowledge(required=[("b", "c")]).allowed_arcs(data.canonical)
    search(score, 3, faithfulness=False, allowed=known)
    b, c, x = map(data.index, "bcx")
    families = {parents for column, parents in score.scored if column == c}
    assert families == {(), (b,), tuple(sorted((b, x)))}


@pytest.mark.parametrize("seed", range(60))
def test_each_step_with_knowledge_is_the_best_one(seed):
    columns = 4 + seed % 2
    dag = random_dag(columns, seed, edge_probability=0.6, max_parents=3)
    data = sampled(dag, (60, 300, 2_000)[seed // 2 % 3], seed, tuple(2 + (seed + x) % 3 for x in range(columns)))
    known = true_knowledge(dag, seed) if seed % 3 == 0 else random_knowledge(columns, seed + 1000)
    scores = LocalScores(data, "aic" if seed % 5 == 0 else "bdeu")
    found = search(scores, columns, faithfulness=False, allowed=allowed_among(known, columns))
    best, steps = naive_search(scores, columns, known)
    assert signature(frozen(extension(found.directed))) == signature(best)
    assert (found.insertions, found.deletions, found.turnings) == steps


def knowledge_of(data: cf.Dataset, seed: int) -> cf.Knowledge:
    """Random knowledge, whose nodes are columns by number, by the names of the columns."""
    return by_name(random_knowledge(data.columns, seed), data.canonical)


def by_name(known: cf.Knowledge, names) -> cf.Knowledge:
    def renamed(entry):
        return [renamed(x) for x in entry] if isinstance(entry, list) else names[entry]

    fields = known.to_dict()
    return cf.Knowledge(**{name: value if name == "closed" else renamed(value) for name, value in fields.items()})


@pytest.mark.parametrize("faithfulness", FAITHFULNESS)
@pytest.mark.parametrize("block", range(6))
def test_no_result_disobeys(block, faithfulness):
    """Also where knowledge is false: fifteen data sets each, of all scores, some with a largest degree."""
    for seed in range(15 * block, 15 * block + 15):
        columns = 3 + seed % 4
        dag = random_dag(columns, seed, edge_probability=0.5, max_parents=3)
        data = sampled(dag, (40, 150, 600)[seed % 3], seed, tuple(2 + (seed + x) % 2 for x in range(columns)))
        known = random_knowledge(columns, seed + 5000)
        allowed = allowed_among(known, columns)
        score = RecordingScore(LocalScores(data, [*EQUIVALENT, cf.FNML()][seed % 8]))
        most = 2 if seed % 7 == 0 else None
        found = search(score, columns, faithfulness=faithfulness, max_degree=most, allowed=allowed)
        dag = extension(found.directed)
        assert dag is not None
        assert obeys(frozen(dag), known)
        assert disobeying(found.directed, allowed) == []
        assert found.directed.cycle() == []
        assert found.local_optimum or seed % 8 == 7
        assert all(allows(known, p, x) for x, parents in score.scored for p in parents)
        total = sum(score.score(x, tuple(sorted(parents))) for x, parents in enumerate(dag.parents))
        assert found.score == pytest.approx(total, abs=1e-6)
        assert found.insertions - found.deletions == sum(map(len, dag.parents)) - len(known.required)


def collider(rows: int = 2000) -> dict[str, np.ndarray]:
    """x → y ← z."""
    rng = np.random.default_rng(1)
    x, z = rng.integers(0, 2, rows), rng.integers(0, 2, rows)
    return {"x": x, "y": np.where(rng.random(rows) < 0.2, rng.integers(0, 2, rows), x | z), "z": z}


def test_a_v_structure_that_knowledge_forbids():
    data = quiet(collider())
    without = cf.fges(data)
    assert set(without.directed) == {("x", "y"), ("z", "y")}
    found = cf.fges(data, knowledge=cf.Knowledge(tiers=[["y"], ["x", "z"]]))
    assert found.directed == (("y", "x"), ("y", "z"))
    assert found.undirected == (("x", "z"),)
    assert found.reasons == {("y", "x"): "known", ("y", "z"): "known"}
    scores = LocalScores(data)
    x, z = data.index("x"), data.index("z")
    loss = scores.score(x, ()) - scores.score(x, (z,))
    assert found.contradicted == {("x", "y", "z"): pytest.approx(loss)}
    assert found.figures["score"] == pytest.approx(without.figures["score"] - loss)
    assert "x -> y <- z" in str(found)


@pytest.mark.parametrize("one_way", [[("x", "z")], [("z", "x")], []])
@pytest.mark.parametrize("end", ["x", "z"])
def test_one_forbidden_edge_of_a_v_structure(end, one_way):
    """Whatever else is forbidden, the deletion that would make the v-structure is seen."""
    known = cf.Knowledge(forbidden=[(end, "y"), *one_way])
    found = cf.fges(quiet(collider()), knowledge=known)
    assert len(found.edges) == 3
    assert list(found.contradicted) == [("x", "y", "z")]


def test_a_required_edge_that_the_data_do_not_want():
    data = quiet(collider())
    found = cf.fges(data, knowledge=cf.Knowledge(required=[("z", "x")]))
    assert ("z", "x") in found.directed
    scores = LocalScores(data)
    gain = scores.score(data.index("x"), ()) - scores.score(data.index("x"), (data.index("z"),))
    assert gain > 0
    assert found.contradicted == {("z", "x"): pytest.approx(-gain)}


def test_what_follows_is_compelled_and_what_is_known_is_known():
    """The chain a – b – c without a v-structure: with a before b, b → c follows."""
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2, 2000)]
    for _ in range(2):
        columns.append(np.where(rng.random(2000) < 0.3, rng.integers(0, 2, 2000), columns[-1]))
    data = quiet(dict(zip("abc", columns, strict=True)))
    assert cf.fges(data).undirected == (("a", "b"), ("b", "c"))
    known = cf.Knowledge(forbidden=[("b", "a")])
    found = cf.fges(data, knowledge=known)
    assert found.directed == (("a", "b"), ("b", "c"))
    assert found.reasons == {("a", "b"): "known", ("b", "c"): "compelled"}
    assert found.options["knowledge"] == known.to_dict()
    assert found.margins == {}
    assert found.contradicted == {}


def test_a_required_edge_stays_beyond_the_largest_degree():
    data = small_data(4)
    names = data.names
    known = cf.Knowledge(required=[(names[0], name) for name in names[1:4]])
    found = cf.fges(data, "aic", max_degree=2, knowledge=known)
    assert found.children_of(names[0]) == tuple(sorted(names[1:4]))
    assert all(len(found.neighbors_of(name)) <= 2 for name in names[1:])


@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_rows_columns_and_levels_does_not_matter_with_knowledge(seed):
    numbered = small_data(seed)
    known = knowledge_of(numbered, seed)
    codes = {name: numbered.codes[numbered.index(name)] for name in numbered.names}
    rng = np.random.default_rng(seed)
    rows = rng.permutation(numbered.rows)
    shuffled = {name: codes[name][rows] for name in rng.permutation(numbered.names).tolist()}
    found, other = cf.fges(quiet(codes), knowledge=known), cf.fges(quiet(shuffled), knowledge=known)
    assert fields(other) == fields(found)
    assert (other.reasons, other.contradicted) == (found.reasons, found.contradicted)


def test_knowledge_that_says_nothing_changes_nothing():
    data = small_data(3)
    assert cf.fges(data, knowledge=cf.Knowledge()) == cf.fges(data)
    assert "knowledge" not in cf.fges(data, knowledge=cf.Knowledge()).options
    scores = LocalScores(data)
    nothing = search(scores, data.columns, allowed=allowed_among(cf.Knowledge(), data.columns))
    without = search(LocalScores(data), data.columns)
    assert nothing == without


def test_knowledge_from_a_file_and_what_is_refused(tmp_path):
    data = quiet(collider(300))
    file = tmp_path / "known.toml"
    file.write_text('tiers = [["y"], ["x", "z"]]\n', "utf-8")
    assert cf.fges(data, knowledge=file) == cf.fges(data, knowledge=cf.Knowledge(tiers=[["y"], ["x", "z"]]))
    with pytest.raises(cf.UnknownColumnError, match="w"):
        cf.fges(data, knowledge=cf.Knowledge(roots=["w"]))
    with pytest.raises(cf.OptionError, match="knowledge is a Knowledge"):
        cf.fges(data, knowledge=3)


def test_a_queue_has_the_best_operator_first():
    """Ties are broken by the column, then by the clique; a copy, and what is forgotten, change nothing else."""
    draw = np.random.default_rng(1)
    cliques = [(), (1, 2), (1,), (3,)]
    found = [_Found(clique, draw.permutation(9)[:6], draw.integers(1, 4, 6).astype(float)) for clique in cliques]
    expected = sorted((-gain, x, clique) for clique, of_x, gains in found for x, gain in zip(of_x, gains, strict=True))

    def popped(queue):
        return [(*operator[:2], operator.clique) for operator in iter(queue.pop, None)]

    queue = _Queue(7, 3, found)
    assert queue.pop()[2::2] == (7, 3)
    twin = queue.copy()
    assert popped(twin) == expected[1:]
    sources = np.arange(9) % 2 == 0
    queue.keep(sources)
    assert popped(queue) == [each for each in expected[1:] if sources[each[1]]]
    assert queue.pop() is None
