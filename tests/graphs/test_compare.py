"""The comparison of two graphs, against its definitions and known values."""

from __future__ import annotations

import json

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.compare import Rates
from tests.graphs import naive
from tests.graphs.naive import all_mixed, arcs, pdag_of, random_mixed
from tests.oracle import all_dags


def graph_of(graph: naive.Mixed, size: int) -> cf.Graph:
    """The graph with names n0, n1 and so on."""
    return cf.Graph.from_adjacency([f"n{i}" for i in range(size)], pdag_of(graph, size).to_adjacency())


class TestCompare:
    def test_all_figures_of_random_graphs(self):
        """Against matrices, as the definitions have them."""
        draw = np.random.default_rng(5)
        for _ in range(100):
            one, two = random_mixed(5, draw, 0.5), random_mixed(5, draw, 0.5)
            found, truth = graph_of(one, 5), graph_of(two, 5)
            result = cf.compare(truth, found)
            a, b = found.adjacency, truth.adjacency
            differs = (a != b) | (a != b).T
            assert result.shd == np.triu(differs).sum()
            assert result.shd_skeleton == np.triu((a | a.T) != (b | b.T)).sum()
            ours, theirs, right = a & ~a.T, b & ~b.T, (a & ~a.T) & (b & ~b.T)
            adjacent = np.triu(a | a.T) & np.triu(b | b.T)
            counts = [np.triu(a | a.T).sum(), np.triu(b | b.T).sum()]
            assert result.skeleton == Rates(adjacent.sum(), *counts)
            assert result.arrows == Rates(right.sum(), ours.sum(), theirs.sum())
            assert result.arrows_paper == Rates(right.sum(), counts[0], theirs.sum())
            assert (result.sid_lower is None) == (not truth.is_dag or not naive.extensions(one, 5))

    @pytest.mark.parametrize("size", [3])
    def test_every_pair_of_graphs_differs_by_as_many_edges_as_are_listed(self, size):
        graphs = [(mixed, graph_of(mixed, size)) for mixed in all_mixed(size)]
        for one, found in graphs:
            for two, truth in graphs:
                result = cf.compare(truth, found)
                lists = (result.missing, result.extra, result.reversed, result.undecided, result.overdecided)
                listed = [frozenset(edge) for edges in lists for edge in edges]
                assert len(listed) == len(set(listed)) == result.shd
                pairs = {frozenset((f"n{x}", f"n{y}")) for x, y in one ^ two}
                assert set(listed) == pairs

    def test_edges_by_name(self):
        truth = cf.Graph("abcdef", [("b", "a"), ("b", "c"), ("d", "c"), ("e", "d")], [("e", "f")])
        found = cf.Graph("fedcba", [("a", "b"), ("f", "e"), ("d", "c"), ("d", "a")], [("d", "e"), ("f", "a")])
        result = cf.compare(truth, found)
        assert result.missing == (("b", "c"),)
        assert result.extra == (("a", "f"), ("d", "a"))
        assert result.reversed == (("b", "a"),)
        assert result.undecided == (("e", "d"),)
        assert result.overdecided == (("f", "e"),)
        assert (result.shd, result.shd_skeleton, result.nodes) == (6, 3, 6)

    def test_the_rule_of_the_paper(self):
        """Six of eight true edges directed as they are, one undirected, one missed, one too many."""
        edges = [(i, i + 1) for i in range(8)]
        truth = cf.Graph(range(9), edges)
        found = cf.Graph(range(9), [*edges[:6], (0, 8)], [edges[6]])
        result = cf.compare(truth, found)
        usual, paper = result.arrows, result.arrows_paper
        assert (usual.precision, usual.recall) == (6 / 7, 6 / 8)
        assert (paper.precision, paper.recall) == (6 / 8, 6 / 8)
        assert paper.f1 == pytest.approx(0.75)
        assert (result.skeleton.precision, result.skeleton.recall) == (7 / 8, 7 / 8)

    def test_nothing_found_and_nothing_to_find(self):
        nothing, something = cf.Graph("ab"), cf.Graph("ab", [("a", "b")])
        assert [cf.compare(nothing, nothing).arrows.to_dict()[rate] for rate in ("precision", "recall", "f1")] == [
            1
        ] * 3
        missed = cf.compare(something, nothing).arrows
        assert (missed.precision, missed.recall, missed.f1) == (1, 0, 0)
        invented = cf.compare(nothing, something).arrows
        assert (invented.precision, invented.recall, invented.f1) == (0, 1, 0)

    def test_a_graph_and_itself(self):
        for dag in all_dags(4):
            truth = graph_of(arcs(dag), 4)
            result = cf.compare(truth, truth)
            assert (result.shd, result.shd_skeleton, result.sid) == (0, 0, 0)
            assert result.skeleton.f1 == result.arrows.f1 == result.arrows_paper.f1 == 1
            assert cf.compare(truth, truth.to_cpdag()).sid_lower == 0
            assert cf.compare(truth, truth.to_cpdag()).shd_skeleton == 0

    def test_networks_and_graphs_of_networkx(self):
        network = cf.load_example()
        graph = cf.Graph.from_networkx(network.to_networkx())
        assert cf.compare(network, graph) == cf.compare(graph.to_networkx(), network) == cf.compare(graph, graph)
        assert cf.compare(network, network).skeleton.true == len(network.arcs)

    def test_the_nodes_have_to_be_the_same(self):
        one, other = cf.Graph(("a", "b", "c")), cf.Graph(("a", "b", 1, "é"))
        with pytest.raises(cf.GraphError, match=r"only in the truth: 'c'; only in the graph found: 1, 'é'"):
            cf.compare(one, other)
        with pytest.raises(cf.GraphError, match="list is not a graph"):
            cf.compare(one, [("a", "b")])

    def test_what_has_no_effects_has_no_distance_of_them(self):
        cyclic = cf.Graph("abc", [("a", "b"), ("b", "c"), ("c", "a")])
        dag = cf.Graph("abc", [("a", "b"), ("b", "c")])
        for found, truth in ((cyclic, dag), (dag, cyclic), (dag, dag.to_cpdag())):
            result = cf.compare(truth, found)
            assert (result.sid, result.sid_lower, result.sid_upper, result.sid_exact) == (None, None, None, False)
        assert "SID unknown" in str(cf.compare(dag, cyclic))

    def test_plain_text_and_json(self):
        truth = cf.Graph((0, ("b", 1), "c"), [(0, ("b", 1)), (("b", 1), "c")])
        result = cf.compare(truth, truth.to_cpdag())
        plain = json.loads(result.to_json())
        assert plain["undecided"] == [[0, ["b", 1]], [["b", 1], "c"]]
        assert (plain["sid"], plain["sid_lower"], plain["sid_upper"]) == (None, 0, 6)
        assert plain["arrows"] == {"precision": 1.0, "recall": 0.0, "f1": 0.0, "right": 0, "found": 0, "true": 2}
        assert str(result).startswith("SHD 2 (skeleton 0), SID 0 to 6; skeleton precision 1.000")
        assert repr(result) == f"<Comparison: {result}>"
