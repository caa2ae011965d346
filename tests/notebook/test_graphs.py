"""Graphs, comparisons, networks and frequencies in a notebook."""

from __future__ import annotations

from itertools import pairwise

import pytest

import climbfast as cf
from tests.notebook.results import check_html


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(2000, seed=1)


def chain(number: int, **figures) -> cf.Graph:
    names = [f"n{i:04d}" for i in range(number)]
    return cf.Graph(names, list(pairwise(names)), **figures)


class TestGraph:
    def test_edges_from_the_strongest_on(self, data):
        graph = cf.causal_graph(data, perturbations=2)
        text = check_html(graph._repr_html_()).text
        assert f"15 nodes, {len(graph.directed)} directed and {len(graph.undirected)} undirected edge" in text
        x, y = max(graph.strengths, key=graph.strengths.get)
        mark = "→" if (x, y) in graph.directed else "–"
        assert f"from to strength direction searches with it with its direction {x} {mark} {y}" in text
        assert "compelled: all graphs of the equivalence class have the direction" in text
        assert f"{graph.method} by {graph.test_or_score}; 2,000 rows" in text

    def test_frequencies_and_votes(self, data):
        sure = cf.bootstrap(data, "pc", replicates=4, n_jobs=1, progress=False)
        assert "replicates with it as it is" in check_html(sure.graph()._repr_html_()).text
        graph = cf.Graph(("a", "b"), [("a", "b")], votes={("a", "b"): (7, 6)})
        assert "a → b 7 6" in check_html(graph._repr_html_()).text

    def test_the_rest(self):
        graph = cf.Graph(
            ("a", "b", "c", "d"), [("a", "b")], [("c", "b")], copies={"a": ("d",)}, contradicted={("a", "b", "c"): 12.3}
        )
        text = check_html(graph._repr_html_()).text
        assert "Without edges: d." in text
        assert "Copies: a = d" in text
        assert "contradict what is known" in text
        assert text.startswith("Graph : 4 nodes, 1 directed and 1 undirected edge")

    def test_nodes_without_edges_do_not_count_for_the_picture(self):
        graph = cf.Graph([*"ab", *(f"n{i}" for i in range(100))], [("a", "b")])
        elements = check_html(graph._repr_html_())
        assert elements.of("img")
        assert "Without edges: n0, n1, " in elements.text
        assert "and 80 more." in elements.text

    @pytest.mark.parametrize(("number", "kind"), [(60, "DAG"), (61, "DAG"), (2001, "Graph")])
    def test_a_large_one_is_short(self, number, kind):
        html = chain(number)._repr_html_()
        elements = check_html(html)
        assert len(elements.of("img")) == (number == 60)
        assert f"and {number - 21:,} more" in elements.text
        assert elements.text.startswith(f"{kind} : {number:,} nodes")
        assert len(html) < 20_000 or number == 60

    def test_what_was_left_out_around_hubs(self, data):
        graph = cf.pc(data, max_pool=2)
        text = check_html(graph._repr_html_()).text
        assert f"; not all sets tried (max_pool): {graph.figures['bounded']} edges" in text

    def test_without_edges(self):
        elements = check_html(cf.Graph(("a", "b"))._repr_html_())
        assert elements.text == "DAG : 2 nodes, 0 directed and 0 undirected edges"
        assert not elements.of("img")


def test_comparison():
    names = ("smoking", "tar", "cough")
    truth = cf.Graph(names, directed=[("smoking", "tar"), ("tar", "cough")])
    found = cf.Graph(names, directed=[("tar", "smoking"), ("tar", "cough"), ("smoking", "cough")])
    text = check_html(cf.compare(truth, found)._repr_html_()).text
    assert text.startswith("Comparison : 3 nodes, 2 differences distance SHD 2 SHD without directions 1 SID")
    assert "edges 0.667 1.000 0.800 2 3 2" in text
    assert text.endswith("extra smoking cough reversed smoking tar")
    large = check_html(cf.compare(chain(100), cf.Graph(chain(100).names))._repr_html_()).text
    assert large.endswith("and 79 more")


def test_network():
    network = cf.load_example()
    text = check_html(network._repr_html_()).text
    assert text.startswith(f"Network {network.name} : 15 nodes, 18 arcs node states parents probabilities")
    assert "heart_disease no, yes smoking, blood_pressure and cholesterol 36" in text
    states = {f"n{i}": ("a", "b") for i in range(61)}
    large = cf.Network("large", states, {"n1": ("n0",)}, {
        node: [[0.5, 0.5]] * 2 if node == "n1" else [0.5, 0.5] for node in states
    })  # fmt: skip
    assert not check_html(large._repr_html_()).of("img")
    assert "and 41 more" in check_html(large._repr_html_()).text
    assert check_html(cf.Network("empty", {}, {}, {})._repr_html_()).text == "Network empty : 0 nodes, 0 arcs"


def test_bootstrap(data):
    graphs = cf.bootstrap(data, "pc", replicates=4, seed=3, n_jobs=1, progress=False)
    text = check_html(graphs._repr_html_()).text
    assert text.startswith("Bootstrap : 4 replicates of pc (bootstrap, seed 3) x y edge x → y y → x undirected")
    shares = (graphs.edge("age", "exercise"), graphs.direction("age", "exercise"), graphs.direction("exercise", "age"))
    shown = (f"{100 * share:.0f}\u00a0%" for share in (*shares, graphs.undirected("age", "exercise")))
    assert f"age exercise {' '.join(shown)}" in text
    blankets = cf.bootstrap(data, "blankets", replicates=4, n_jobs=1, progress=False)
    text = check_html(blankets._repr_html_()).text
    assert "target member found as parent as child undecided as spouse" in text
    assert f"and {len(blankets.members.x) - 20} more" in text
