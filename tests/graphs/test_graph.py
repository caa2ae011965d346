"""The graph by name: what can be built, what it says about itself, to and from matrices and NetworkX."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError, replace
from itertools import islice, permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import climbfast as cf
from climbfast.graphs.graph import contradicted_lines
from tests.graphs.naive import all_mixed, pdag_of, random_mixed

EDGES = {"directed": (("a", "c"), ("b", "c")), "undirected": (("c", "d"),)}


@pytest.fixture
def graph():
    """A v-structure with all that a search may say about it."""
    return cf.Graph(
        ("a", "b", "c", "d", "e"),
        **EDGES,
        separating_sets={("a", "b"): (), ("a", "d"): ("c",)},
        strengths={("a", "c"): 12.5, ("c", "d"): 3.0},
        margins={("a", "c"): 2.0},
        method="pc",
        test_or_score="sci",
        options={"max_given": 3, "conflicts": "majority"},
        tests_by_size=(10, 4),
        skipped=1,
        rows=100,
        columns=5,
        seconds=0.25,
    )


class TestWhatCanBeBuilt:
    def test_order_of_edges_and_of_undirected_pairs_does_not_matter(self, graph):
        other = replace(
            graph,
            directed=[("b", "c"), ("a", "c")],
            undirected=[("d", "c")],
            separating_sets={("d", "a"): ["c"], ("b", "a"): ()},
            strengths={("d", "c"): 3, ("a", "c"): np.float64(12.5)},
        )
        assert other == graph
        assert other.undirected == (("c", "d"),)
        assert dict(other.separating_sets) == {("a", "b"): (), ("a", "d"): ("c",)}

    @pytest.mark.parametrize(
        ("fields", "says"),
        [
            ({"names": ("a", None)}, "None cannot be the name of a node"),
            ({"names": ("a", "b", "a")}, "'a' occurs twice"),
            ({"names": ("a", "b"), "directed": [("a", "a")]}, "'a' has an edge to itself"),
            ({"names": ("a", "b"), "undirected": [("b", "b")]}, "'b' has an edge to itself"),
            ({"names": ("a", "b"), "directed": [("a", "b"), ("a", "b")]}, "'a' and 'b' have two edges"),
            ({"names": ("a", "b"), "directed": [("a", "b"), ("b", "a")]}, "'a' and 'b' have two edges"),
            ({"names": ("a", "b"), "undirected": [("a", "b"), ("b", "a")]}, "'a' and 'b' have two edges"),
            ({"names": ("a", "b"), "directed": [("b", "a")], "undirected": [("a", "b")]}, "have two edges"),
            ({"names": ("a", "b"), "strengths": {("a", "b"): 1}}, r"strengths has \('a', 'b'\), which is not an edge"),
            ({"names": "ab", "directed": [("a", "b")], "margins": {("b", "a"): 1}}, "margins has"),
            (
                {"names": "ab", "undirected": ["ab"], "strengths": {("a", "b"): 1, ("b", "a"): 2}},
                "twice, in both directions",
            ),
        ],
    )
    def test_what_cannot_be_is_refused(self, fields, says):
        with pytest.raises(cf.GraphError, match=says):
            cf.Graph(**fields)

    def test_edges_of_nodes_that_are_none(self):
        with pytest.raises(cf.UnknownColumnError, match="no node named 'aa'; the nearest are 'a'"):
            cf.Graph("ab", [("aa", "b")])
        with pytest.raises(cf.UnknownColumnError, match="no node named"):
            cf.Graph("ab", separating_sets={("a", "b"): ("c",)})
        with pytest.raises(cf.UnknownColumnError, match="no node named"):
            cf.Graph("ab").parents_of(["a"])

    def test_cycles_may_be_built_and_are_found(self):
        cyclic = cf.Graph("abc", [("a", "b"), ("b", "c"), ("c", "a")])
        assert (cyclic.is_acyclic, cyclic.is_dag, cyclic.is_cpdag) == (False, False, False)
        # Every way to direct the square makes a v-structure.
        square = cf.Graph("abcd", (), [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")])
        assert (square.is_acyclic, square.is_dag, square.is_cpdag) == (True, False, False)

    def test_names_of_any_kind(self):
        names = (1, "1", ("x", 1), 2.5, False, "")
        graph = cf.Graph(names, [(1, "1"), (("x", 1), "")], [(False, 2.5)])
        assert graph.neighbors_of(("x", 1)) == ("",)
        assert graph.undirected == ((2.5, False),)
        numbers = cf.Graph(np.arange(3), [(np.int64(0), np.int64(1))])
        assert [type(name) for name in (*numbers.names, *numbers.directed[0])] == [int] * 5


class TestWhatItSays:
    def test_neighbors(self, graph):
        assert graph.parents_of("c") == ("a", "b")
        assert graph.children_of("a") == ("c",)
        assert graph.neighbors_of("c") == ("a", "b", "d")
        assert graph.neighbors_of("e") == ()
        assert graph.skeleton == (("a", "c"), ("b", "c"), ("c", "d"))
        assert graph.edges == (("a", "c"), ("b", "c"), ("c", "d"))
        assert graph.isolated == ("e",)

    def test_kinds(self, graph):
        assert (graph.is_acyclic, graph.is_dag, graph.is_cpdag) == (True, False, False)
        assert graph.to_cpdag().is_cpdag
        assert graph.to_cpdag().directed == (("a", "c"), ("b", "c"), ("c", "d"))
        chain = cf.Graph("abc", [("a", "b"), ("b", "c")])
        assert (chain.is_dag, chain.is_cpdag) == (True, False)
        assert chain.to_cpdag().undirected == (("a", "b"), ("b", "c"))

    def test_a_class_keeps_how_it_was_found(self, graph):
        dag = graph.to_dag()
        assert (dag.method, dag.tests, dag.separating_sets) == ("pc", 14, graph.separating_sets)
        assert dict(dag.strengths) == {("a", "c"): 12.5, ("c", "d"): 3.0}
        back = cf.Graph("ab", [("b", "a")], strengths={("b", "a"): 1}, margins={("b", "a"): 2}).to_cpdag()
        assert (dict(back.strengths), dict(back.margins)) == ({("a", "b"): 1}, {})
        forth = replace(back, names=("b", "a")).to_dag()
        assert set(forth.strengths) == set(forth.directed)

    def test_why_there_is_no_extension(self):
        cyclic = cf.Graph(("a b", "c", "d,e", "f"), [("a b", "c"), ("c", "d,e"), ("d,e", "a b")])
        with pytest.raises(cf.GraphError, match="form a cycle: a b -> c -> 'd,e' -> a b"):
            cyclic.to_dag()
        square = cf.Graph("abcde", [("e", "a")], [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")])
        with pytest.raises(cf.GraphError, match="among a, b, c, d, e makes a cycle or a new v-structure"):
            square.to_cpdag()

    def test_nothing_can_be_changed(self, graph):
        with pytest.raises(FrozenInstanceError):
            graph.method = "fges"
        with pytest.raises(TypeError):
            graph.strengths["a", "c"] = 0
        with pytest.raises(ValueError, match="read-only"):
            graph.adjacency[0, 1] = True

    def test_equal_runs_are_equal_and_pickles_are_the_same(self, graph):
        assert pickle.loads(pickle.dumps(graph)) == graph == replace(graph, seconds=99)
        assert graph != replace(graph, skipped=0) != graph.to_cpdag()

    def test_plain_text(self, graph):
        assert str(graph).splitlines() == [
            "5 nodes, 2 directed and 1 undirected edges, neither DAG nor CPDAG",
            "a -> c",
            "b -> c",
            "c -- d",
            "without edges: e",
        ]
        odd = cf.Graph(("a b", "a->b", "x,y", "line\nbreak"), [("a b", "a->b")], [("x,y", "line\nbreak")])
        assert str(odd).splitlines()[1:] == ["a b -> 'a->b'", r"'x,y' -- 'line\nbreak'"]
        reverse = cf.Graph("abc", [("c", "a")], [("a", "b")])
        assert reverse.edges == (("c", "a"), ("a", "b"))
        assert repr(cf.Graph("ab")) == "<Graph: 2 nodes, 0 directed and 0 undirected edges, DAG and CPDAG>"

    def test_the_text_of_a_large_graph_is_short(self):
        star = cf.Graph(range(13_050), [(0, x) for x in range(1, 13_001)])
        lines = str(star).splitlines()
        assert lines[0] == "13,050 nodes, 13,000 directed and 0 undirected edges, DAG"
        assert lines[1:21] == [f"0 -> {x}" for x in range(1, 21)]
        assert lines[21] == "... and 12,980 more edges"
        assert lines[22].endswith("13018, 13019, 13020 and 29 more")
        assert len(lines) == 23
        assert str(cf.Graph(range(22), [(0, x) for x in range(1, 22)])).splitlines()[-1] == "... and 1 more edge"

    def test_strengths_of_many_undirected_edges_in_either_order(self):
        """In time that grows with the number of edges: by the square it would be minutes."""
        edges = [(x, x + 1) for x in range(50_000)]
        graph = cf.Graph(range(50_001), (), edges, strengths={edge[::-1]: 1.0 for edge in edges})
        assert tuple(graph.strengths) == graph.undirected


class TestMatrices:
    @pytest.mark.parametrize("size", [1, 2, 3, 4])
    def test_every_graph(self, size):
        """Of four nodes every fifth."""
        for mixed in islice(all_mixed(size), None, None, 5 if size == 4 else 1):
            matrix = np.zeros((size, size), dtype=bool)
            for x, y in mixed:
                matrix[x, y] = True
            graph = cf.Graph.from_adjacency(range(size), matrix)
            assert np.array_equal(graph.adjacency, matrix)
            assert set(graph.directed) == {(x, y) for x, y in mixed if (y, x) not in mixed}
            assert cf.Graph.from_adjacency(range(size), matrix.astype(int), method="m") == replace(graph, method="m")

    @pytest.mark.parametrize(
        ("matrix", "says"),
        [
            ([[0, 1]], r"shape \(1, 2\); for 2 names it is \(2, 2\)"),
            (np.zeros((2, 2, 2)), "shape"),
            ([[0, 2], [0, 0]], "other than 0 and 1"),
            ([[0, -1], [1, 0]], "other than 0 and 1"),
            ([[0, np.nan], [1, 0]], "other than 0 and 1"),
            ([[0, 0], [0, 1]], "'b' has an edge to itself"),
        ],
    )
    def test_what_is_none(self, matrix, says):
        with pytest.raises(cf.GraphError, match=says):
            cf.Graph.from_adjacency(("a", "b"), matrix)


class TestNetworkX:
    @pytest.mark.parametrize("size", [1, 2, 3])
    def test_every_graph_comes_back(self, size):
        for mixed in all_mixed(size):
            graph = cf.Graph.from_adjacency([("n", x) for x in range(size)], pdag_of(mixed, size).to_adjacency())
            assert cf.Graph.from_networkx(graph.to_networkx()) == graph

    @given(st.permutations(range(6)), st.integers(0, 1000))
    def test_in_any_order(self, order, seed):
        mixed = random_mixed(6, np.random.default_rng(seed), 0.5)
        graph = cf.Graph.from_adjacency(order, pdag_of(mixed, 6).to_adjacency())
        back = cf.Graph.from_networkx(graph.to_networkx())
        assert back == graph
        assert back.names == tuple(order)

    def test_figures_come_back(self, graph):
        back = cf.Graph.from_networkx(graph.to_networkx(), method="pc")
        assert (back.strengths, back.margins, back.method) == (graph.strengths, graph.margins, "pc")
        assert graph.to_networkx().edges["d", "c"] == {"type": "undirected", "strength": 3.0}

    def test_other_kinds(self):
        undirected = nx.path_graph(3)
        assert cf.Graph.from_networkx(undirected).undirected == ((0, 1), (1, 2))
        several = nx.MultiDiGraph([(0, 1), (0, 1), (2, 1), (1, 2)])
        graph = cf.Graph.from_networkx(several)
        assert (graph.directed, graph.undirected) == (((0, 1),), ((1, 2),))
        several = nx.MultiGraph([(2, 1), (1, 2)])
        assert cf.Graph.from_networkx(several).undirected == ((2, 1),)
        with pytest.raises(cf.GraphError, match="1 has an edge to itself"):
            cf.Graph.from_networkx(nx.DiGraph([(1, 1)]))
        with pytest.raises(cf.GraphError, match="1 has an edge to itself"):
            cf.Graph.from_networkx(nx.Graph([(1, 1)]))

    def test_a_network_is_a_graph(self):
        network = cf.load_example()
        graph = cf.Graph.from_networkx(network.to_networkx())
        assert (graph.names, set(graph.directed), graph.is_dag) == (network.nodes, set(network.arcs), True)


def test_what_depends_on_names_depends_on_nothing_else():
    """The extension follows the order of the names, not that of the edges."""
    undirected = [("a", "b"), ("b", "c"), ("b", "d")]
    found = {cf.Graph("abcd", (), order).to_dag().directed for order in permutations(undirected)}
    assert len(found) == 1


class TestFrequencies:
    @pytest.fixture
    def graph(self):
        return cf.Graph(
            "abcd", [("a", "b"), ("b", "c")], [("c", "d")],
            frequencies={("a", "b"): [0.98, np.float64(0.71)], ("d", "c"): (1, 0.25)},
        )  # fmt: skip

    def test_of_an_undirected_edge_in_either_order(self, graph):
        assert dict(graph.frequencies) == {("a", "b"): (0.98, 0.71), ("c", "d"): (1.0, 0.25)}
        assert all(type(share) is float for shares in graph.frequencies.values() for share in shares)

    def test_the_text_says_them(self, graph):
        assert str(graph).splitlines()[1:] == [
            "a -> b [0.98, as it is 0.71]",
            "b -> c",
            "c -- d [1.00, as it is 0.25]",
            "[share of the replicates that have the edge, and that have it as it is]",
        ]
        assert "replicates" not in str(replace(graph, frequencies={}))

    def test_they_are_read_only_and_pickled_and_a_part_of_equality(self, graph):
        with pytest.raises(TypeError):
            graph.frequencies["a", "b"] = (1.0, 1.0)
        assert pickle.loads(pickle.dumps(graph)) == graph
        assert replace(graph, frequencies={}) != graph

    @pytest.mark.parametrize(
        ("frequencies", "says"),
        [
            ({("a", "d"): (1.0, 1.0)}, r"frequencies has \('a', 'd'\), which is not an edge"),
            ({("b", "a"): (1.0, 1.0)}, r"frequencies has \('b', 'a'\), which is not an edge"),
            ({("c", "d"): (1, 1), ("d", "c"): (1, 1)}, r"frequencies has \('d', 'c'\) twice"),
            *[
                ({("a", "b"): shares}, r"the frequencies of \('a', 'b'\) are .*; they are two shares from 0 to 1")
                for shares in ((0.5, 0.6), (1.1, 0.5), (0.5, -0.1), (float("nan"), 0.0), (1,), 1.0, (True, False), None)
            ],
        ],
    )
    def test_what_is_refused(self, graph, frequencies, says):
        with pytest.raises(cf.GraphError, match=says):
            replace(graph, frequencies=frequencies)

    def test_an_edge_that_gets_another_direction_loses_them(self, graph):
        assert graph.to_dag().frequencies == {("a", "b"): (0.98, 0.71)}
        assert graph.to_cpdag().frequencies == {("c", "d"): (1.0, 0.25)}

    def test_networkx_keeps_them(self, graph):
        there = graph.to_networkx()
        shares = {"frequency_edge": 1.0, "frequency_direction": 0.25}
        assert there.edges["c", "d"] == there.edges["d", "c"] == {"type": "undirected", **shares}
        assert cf.Graph.from_networkx(there) == graph
        there.edges["a", "b"]["frequency_edge"] = "often"
        assert ("a", "b") not in cf.Graph.from_networkx(there).frequencies


class TestWhyAnEdgeHasItsDirection:
    EDGES = (("a", "b"), ("b", "c"), ("c", "d"))

    @pytest.fixture
    def graph(self):
        return cf.Graph(
            "abcdef",
            self.EDGES,
            [("d", "e")],
            reasons=dict(zip(self.EDGES, ("compelled", "collider", "chosen"), strict=True)),
            margins={("c", "d"): 12.34},
            votes={("a", "b"): [6, np.int64(4)], ("e", "d"): (3, 0)},
            figures={"searches": 6},
        )

    def test_the_text_says_it(self, graph):
        assert str(graph).splitlines()[1:] == [
            "a -> b (compelled)",
            "b -> c (collider)",
            "c -> d (chosen, 12.3 bits)",
            "d -- e",
            "compelled: all graphs of the equivalence class have the direction; collider: a v-structure in the data "
            "shows it; chosen: a score chose it, by so many bits",
            "without edges: f",
        ]
        follows = replace(graph, margins={}, reasons={("c", "d"): "chosen"})
        assert "\na -> b\nb -> c\nc -> d (chosen)\n" in str(follows)

    def test_votes_of_an_undirected_edge_in_either_order(self, graph):
        assert dict(graph.votes) == {("a", "b"): (6, 4), ("d", "e"): (3, 0)}
        assert all(type(count) is int for counts in graph.votes.values() for count in counts)

    def test_it_is_read_only_and_pickled_and_a_part_of_equality(self, graph):
        with pytest.raises(TypeError):
            graph.reasons["a", "b"] = "chosen"
        with pytest.raises(TypeError):
            graph.votes["a", "b"] = (1, 1)
        assert pickle.loads(pickle.dumps(graph)) == graph
        assert replace(graph, reasons={}) != graph != replace(graph, votes={})

    @pytest.mark.parametrize(
        ("fields", "says"),
        [
            ({"reasons": {("d", "e"): "chosen"}}, r"reasons has \('d', 'e'\), which is not directed"),
            ({"reasons": {("b", "a"): "chosen"}}, r"reasons has \('b', 'a'\), which is not an edge"),
            (
                {"reasons": {("a", "b"): "guessed"}},
                r"the reason of \('a', 'b'\) is 'guessed'; it is one of known, compelled, ",
            ),
            ({"reasons": {("a", "b"): ["chosen"]}}, r"the reason of \('a', 'b'\) is \['chosen'\]; it is one of"),
            ({"votes": {("a", "f"): (1, 1)}}, r"votes has \('a', 'f'\), which is not an edge"),
            *[
                ({"votes": {("a", "b"): votes}}, r"the votes of \('a', 'b'\) are .*; they are two whole numbers")
                for votes in ((1, 2), (1, -1), (1.0, 0.5), (3,), 3, (True, False), "31", None)
            ],
        ],
    )
    def test_what_is_refused(self, graph, fields, says):
        with pytest.raises(cf.GraphError, match=says):
            replace(graph, **fields)

    def test_an_extension_directs_by_nothing(self, graph):
        dag = graph.to_dag()
        assert dag.reasons == {**graph.reasons, ("d", "e"): "arbitrary"}
        assert dag.margins == graph.margins
        assert dag.votes == {("a", "b"): (6, 4)}

    def test_the_class_compels(self, graph):
        v_structure = cf.Graph("abcd", [("a", "c"), ("b", "c"), ("d", "a")], reasons={("a", "c"): "chosen"})
        assert v_structure.to_cpdag().reasons == {("a", "c"): "compelled", ("b", "c"): "compelled"}
        assert graph.to_cpdag().reasons == {}

    def test_networkx_keeps_it(self, graph):
        there = graph.to_networkx()
        assert there.edges["e", "d"] == {"type": "undirected", "votes_edge": 3, "votes_direction": 0}
        back = cf.Graph.from_networkx(there)
        assert (back.reasons, back.votes, back.margins) == (graph.reasons, graph.votes, graph.margins)
        there.edges["a", "b"]["reason"] = 7
        assert ("a", "b") not in cf.Graph.from_networkx(there).reasons


class TestWhatIsContradicted:
    @pytest.fixture
    def graph(self):
        return cf.Graph(
            "abcd",
            [("a", "b"), ("c", "b")],
            [("c", "d")],
            reasons={("a", "b"): "known", ("c", "b"): "compelled"},
            contradicted={("a", "b"): -2.5, ("d", "a"): 1.25, ("d", "b", "a"): 1234.5},
            test_or_score="sci",
            options={"knowledge": {"required": [["a", "b"]]}, "max_given": 3},
        )

    def test_the_strongest_is_first_and_the_ends_of_a_v_structure_are_in_order(self, graph):
        assert list(graph.contradicted.items()) == [(("a", "b", "d"), 1234.5), (("d", "a"), 1.25), (("a", "b"), -2.5)]
        again = replace(graph, contradicted=dict(reversed(graph.contradicted.items())))
        assert list(again.contradicted) == list(graph.contradicted)

    def test_the_text_says_it(self, graph):
        assert str(graph).splitlines()[1:] == [
            "a -> b (known)",
            "c -> b (compelled)",
            "c -- d",
            "known: it was known beforehand; compelled: all graphs of the equivalence class have the direction",
            "the data contradict what is known, which may be wrong:",
            "a -> b <- d is forbidden, and in the data it is a v-structure (1,234.5 bits)",
            "d -> a is left out: it is forbidden, or would form a cycle with what is known (1.2 bits)",
            "a -> b is required, and in the data nothing speaks for it (-2.5 bits)",
        ]

    def test_the_text_of_edges_that_were_reversed_or_removed(self, graph):
        found = replace(graph, contradicted={("b", "a"): 3.0, ("a", "d"): 0.0})
        assert str(found).splitlines()[-2:] == [
            "b -> a is reversed: only a -> b is allowed (3.0 bits)",
            "a -> d is left out: it is forbidden, or would form a cycle with what is known (0.0 bits)",
        ]

    @pytest.mark.parametrize(
        ("test_or_score", "text"),
        [
            ("g2", "(log10 alpha - log10 p: 0.1)"),
            ("x2", "(log10 alpha - log10 p: 0.1)"),
            ("cmi", "(0.0625 bits per row)"),
            ("bdeu", "(0.1 bits)"),
        ],
    )
    def test_the_unit_of_the_strength(self, graph, test_or_score, text):
        named = replace(graph, test_or_score=test_or_score, contradicted={("a", "b", "d"): 0.0625})
        assert contradicted_lines(named) == [f"a -> b <- d is forbidden, and in the data it is a v-structure {text}"]

    def test_it_is_read_only_and_pickled_and_a_part_of_equality(self, graph):
        with pytest.raises(TypeError):
            graph.contradicted["a", "b"] = 1.0
        assert pickle.loads(pickle.dumps(graph)) == graph
        assert replace(graph, contradicted={}) != graph

    @pytest.mark.parametrize("names", [("a",), ("a", "b", "c", "d"), ("a", "a"), ("a", "b", "a")])
    def test_what_is_refused(self, graph, names):
        with pytest.raises(
            cf.GraphError, match=r"contradicted has .*; it is an edge, \(source, target\), or a v-struct"
        ):
            replace(graph, contradicted={names: 1.0})
        with pytest.raises(cf.UnknownColumnError):
            replace(graph, contradicted={("a", "z"): 1.0})

    def test_an_extension_obeys_what_is_known(self, graph):
        dag = graph.to_dag()
        assert dag.reasons == {**graph.reasons, ("d", "c"): "arbitrary"}
        assert (dag.contradicted, dag.options) == (graph.contradicted, graph.options)

    def test_the_class_forgets_what_is_known(self, graph):
        assert graph.to_cpdag().reasons == {("a", "b"): "compelled", ("c", "b"): "compelled"}
        alone = replace(graph, directed=[("a", "b")], undirected=[], reasons={("a", "b"): "known"})
        cpdag = alone.to_cpdag()
        assert (cpdag.directed, cpdag.undirected, cpdag.reasons) == ((), (("a", "b"),), {})
        assert (cpdag.contradicted, cpdag.options) == ({}, {"max_given": 3})

    def test_files(self, graph, tmp_path):
        for suffix in ("json", "csv", "graphml", "dot"):
            graph.save(tmp_path / f"graph.{suffix}")
            back = cf.read_graph(tmp_path / f"graph.{suffix}")
            assert (back.directed, back.reasons) == (graph.directed, graph.reasons)
            assert back.contradicted == (graph.contradicted if suffix == "json" else {})
        assert cf.read_graph(tmp_path / "graph.json") == graph
        odd = cf.Graph([1, ("x", 2), "1"], contradicted={(1, ("x", 2), "1"): 3.0})
        odd.save(tmp_path / "odd.json")
        assert cf.read_graph(tmp_path / "odd.json").contradicted == odd.contradicted

    @pytest.mark.parametrize(
        ("item", "says"),
        [
            (5, "what is contradicted has two or three names, and a strength"),
            ({"names": "ab", "strength": 1}, "two or three names"),
            ({"names": ["a"], "strength": 1}, "two or three names"),
            ({"names": ["a", "b"], "strength": "x"}, "the strength of what is contradicted is not a number"),
            ({"names": ["a", "b"], "strength": True}, "the strength of what is contradicted is not a number"),
            ({"names": ["a", "z"], "strength": 1}, "no node named 'z'"),
        ],
    )
    def test_a_broken_file(self, graph, tmp_path, item, says):
        plain = json.loads(graph.to_json()) | {"contradicted": [item]}
        (tmp_path / "graph.json").write_text(json.dumps(plain))
        with pytest.raises(cf.GraphError, match=says):
            cf.read_graph(tmp_path / "graph.json")

    def test_a_comparison_does_not_see_it(self, graph):
        assert cf.compare(graph, replace(graph, contradicted={})) == cf.compare(graph, graph)
