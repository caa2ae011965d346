"""The result: shares, the consensus with its figures, bounds, and what people see of it."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

import climbfast as cf
from climbfast.resampling.records import Counts, without_figures
from tests.resampling.replicates import bootstrap, content, counts_of_graphs, tables_of


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(800, seed=2)


@pytest.fixture(scope="module")
def found(data):
    return bootstrap(data, "pc", replicates=20)


@pytest.fixture(scope="module")
def graphs(data):
    return [cf.pc(table, n_jobs=1) for table in tables_of(data, 20)]


def of_counts(edges, names=("a", "b", "c", "d"), replicates=20, **fields):
    """A result with counts of a mapping from (x, y), x < y, to how many have the edge, x → y, and y → x."""
    ends = np.array(sorted(edges), np.int64).reshape(-1, 2)
    counts = np.array([edges[x, y] for x, y in ends.tolist()], np.int64).reshape(-1, 3)
    nothing = np.zeros(len(ends))
    pairs = without_figures(Counts(ends[:, 0], ends[:, 1], counts, nothing, nothing, nothing, nothing))
    given = {"members": None, "targets": (), "search": "pc", "scheme": "half", "seed": 0, "options": {}, "rows": 9}
    return cf.Bootstrap(names=names, pairs=pairs, replicates=replicates, **{**given, "data": "", **fields})


class TestShares:
    def test_of_every_pair(self, found, graphs):
        counts = counts_of_graphs(graphs)
        assert dict(found.frequencies) == {ends: tuple(n / 20 for n in each) for ends, each in counts.items()}
        for x in found.names:
            for y in found.names:
                joined, forward, backward = counts.get((x, y), (0, 0, 0))
                if x < y:
                    assert (found.edge(x, y), found.direction(x, y)) == (joined / 20, forward / 20)
                    assert (found.edge(y, x), found.direction(y, x)) == (joined / 20, backward / 20)
                    assert found.undirected(x, y) == found.undirected(y, x) == (joined - forward - backward) / 20

    def test_edges_per_replicate(self, found, graphs):
        assert found.edges_per_replicate == sum(len(graph.edges) for graph in graphs) / 20

    @pytest.mark.parametrize("name", ["weigth", ["a"]])
    def test_an_unknown_column(self, found, name):
        with pytest.raises(cf.UnknownColumnError, match="no column named"):
            found.edge("weight", name)

    def test_equal_ones_found_the_same(self, found):
        counts = found.pairs.counts.copy()
        assert found == replace(found, how={"seconds": 9.0}, version="0", table=None)
        assert found == replace(found, pairs=found.pairs._replace(counts=counts))
        counts[0, 0] += 1
        assert found != replace(found, pairs=found.pairs._replace(counts=counts))
        assert found != replace(found, seed=found.seed + 1)
        assert found != replace(found, members=found.pairs)
        assert found != "replicates"

    def test_a_copy_by_pickle(self, found):
        assert content(pickle.loads(pickle.dumps(found))) == content(found)


class TestGraph:
    def test_the_edges_of_more_than_half(self, found, graphs):
        counts = counts_of_graphs(graphs)
        graph = found.graph()
        assert set(graph.skeleton) == {ends for ends, (joined, *_) in counts.items() if joined > 10}
        assert graph.figures == {"threshold": 11 / 20, "replicates": 20}
        assert graph.options["threshold"] == "auto"
        assert graph.is_acyclic

    def test_its_frequencies(self, found, graphs):
        counts = counts_of_graphs(graphs)
        graph = found.graph(0.1)
        assert set(graph.frequencies) == set(graph.edges)
        for (x, y), shares in graph.frequencies.items():
            joined, forward, backward = counts[min(x, y), max(x, y)]
            same = {True: forward, False: backward}[x < y] if (x, y) in graph.directed else joined - forward - backward
            assert shares == (joined / 20, same / 20)

    def test_all_edges(self, found, graphs):
        assert set(found.graph(0).skeleton) == set(counts_of_graphs(graphs))

    @pytest.mark.parametrize("threshold", [-0.1, 1.01, math.nan, "most", None, True])
    def test_another_threshold(self, found, threshold):
        with pytest.raises(cf.OptionError, match=r"^threshold is .* to 1, or 'auto'$"):
            found.graph(threshold)

    def test_knowledge(self):
        known = cf.Knowledge(required=[("a", "d")], forbidden=[("b", "a")])
        found = of_counts({(0, 1): (20, 0, 20)}, options={"knowledge": known.to_dict()})
        graph = found.graph()
        assert graph.directed == (("a", "b"), ("a", "d"))
        assert graph.frequencies == {("a", "b"): (1.0, 0.0), ("a", "d"): (0.0, 0.0)}


class TestStable:
    def test_by_the_bound_of_meinshausen_and_buehlmann(self):
        found = of_counts({(0, 1): (20, 0, 0), (0, 2): (15, 0, 0), (1, 2): (14, 0, 0)})
        # q = 49/20 of p = 6: q²/p = 1.0004, so at 15/20 the bound is 2.0008, and at 16/20 it is 1.667.
        assert found.stable(2.1).skeleton == (("a", "b"), ("a", "c"))
        assert found.stable(2.0).skeleton == (("a", "b"),)
        assert found.stable(2.0).figures["threshold"] == 16 / 20
        assert found.stable(2.0).options["expected_false"] == 2.0

    def test_no_threshold_is_enough(self):
        found = of_counts({(0, 1): (20, 0, 0), (0, 2): (20, 0, 0)})
        with pytest.raises(cf.OptionError) as caught:
            found.stable(0.5)
        assert str(caught.value) == (
            "expected_false=0.5 cannot be met: with 2 edges in a replicate, of 6 possible ones, the smallest bound is "
            "0.667"
        )
        assert caught.value.option == "expected_false"
        assert len(found.stable(0.667).edges) == 2

    def test_no_bound_at_all(self):
        found = of_counts(dict.fromkeys([(0, 1), (0, 2), (1, 2), (0, 3)], (20, 0, 0)), scheme="complementary")
        with pytest.raises(
            cf.OptionError, match=r"with 4 edges in a replicate, of 6 possible ones, there is no bound$"
        ):
            found.stable(3)

    @pytest.mark.parametrize("bound", [0, -1, math.nan, "few"])
    def test_another_bound(self, found, bound):
        with pytest.raises(cf.OptionError, match=r"^expected_false is .* has to be a number"):
            found.stable(bound)

    def test_a_half_without_its_partner(self):
        with pytest.raises(cf.OptionError, match="one of replicates=7 has no partner; ask for an even number"):
            of_counts({(0, 1): (7, 0, 0)}, replicates=7, scheme="complementary").stable()

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            ({}, 6),
            ({"knowledge": {"tiers": [["a", "b"], ["c", "d"]], "closed": [0, 1]}}, 4),
            ({"knowledge": {"forbidden": [("a", "b"), ("b", "a"), ("a", "c")]}}, 5),
        ],
    )
    def test_possible_pairs(self, options, expected):
        assert of_counts({}, options=options)._possible_pairs == expected

    @pytest.mark.parametrize(("targets", "expected"), [(("a",), 3), (("a", "d"), 5), (("a", "b", "c", "d"), 6)])
    def test_possible_pairs_of_targets(self, targets, expected):
        members = Counts(*(np.zeros(0, np.int64),) * 2, np.zeros((0, 4), np.int64), *(np.zeros(0),) * 4)
        assert of_counts({}, members=members, targets=targets)._possible_pairs == expected
        known = {"knowledge": {"forbidden": [("a", "b"), ("b", "a")]}}
        forbidden = of_counts({}, members=members, targets=targets, options=known)
        assert forbidden._possible_pairs == expected - 1


class TestForPeople:
    def test_of_graphs(self):
        found = of_counts({(0, 1): (5, 4, 0), (1, 2): (20, 0, 20)}, names=("a", "b,", "c"))
        assert repr(found) == "<Bootstrap: 20 replicates of pc, 2 pairs>"
        assert str(found) == "\n".join(
            [
                "20 replicates of pc, 2 pairs",
                "'b,' - c: 1.00 (-> 0.00, <- 1.00)",
                "a - 'b,': 0.25 (-> 0.20, <- 0.00)",
            ]
        )

    def test_of_blankets(self):
        members = Counts(
            np.array([0, 1]), np.array([1, 0]), np.array([[1, 0, 4, 0], [10, 5, 0, 5]]), *(np.zeros(2),) * 4
        )
        found = of_counts({}, members=members, targets=("a", "b"))
        assert str(found).splitlines() == [
            "20 replicates of pc, 2 members",
            "b: a: 1.00 (parent 0.50, child 0.25, spouse 0.25)",
            "a: b: 0.25 (parent 0.05, undecided 0.20)",
        ]

    def test_only_the_first(self):
        names = tuple(f"c{i:02}" for i in range(8))
        found = of_counts({(i, j): (1, 0, 0) for i in range(8) for j in range(i + 1, 8)}, names=names)
        assert str(found).splitlines()[-1] == "... and 8 more; to_frame() has all"

    def test_a_name_that_would_command_the_terminal(self, found):
        assert "\x1b" not in repr(replace(found, search="\x1b[2J"))


def test_many_columns(monkeypatch):
    rng = np.random.default_rng(0)
    names = tuple(f"c{i:05}" for i in range(4_000))
    ends = np.unique(np.sort(rng.integers(4_000, size=(10_000, 2)), axis=1), axis=0)
    ends = ends[ends[:, 0] < ends[:, 1]]
    edges = {(x, y): (15, 14 if (x + y) % 3 else 0, 0 if (x + y) % 3 else 14) for x, y in ends.tolist()}
    found = of_counts(edges, names=names)
    assert found.to_frame().height == len(edges)
    assert len(str(found).splitlines()) == 22
    graph = found.graph()
    assert len(graph.edges) == len(edges)
    assert graph.is_acyclic
    monkeypatch.setattr("climbfast.resampling.result.Graph", None)  # one for each edge would take minutes
    assert all(found.edge(names[x], names[y]) == 0.75 for x, y in ends.tolist())
