"""Models of lavaan. That semopy reads ours the same is in ``python -m bench.exchange``."""

from __future__ import annotations

import pgmpy.base
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.exchange.lavaan import from_lavaan
from tests.exchange.graphs import PLAIN, edges_of, random_graphs

NAMES = (*PLAIN, "Größe", "年齢", ".x", "a.b_c2")


def test_there_and_back():
    for graph in random_graphs(["dag", "empty", "dag"], NAMES, 15):
        assert edges_of(from_lavaan(graph.to_lavaan())) == edges_of(graph)


@pytest.mark.filterwarnings("ignore")  # of pyparsing, which pgmpy uses as it was
def test_pgmpy_reads_ours():
    for graph in random_graphs(["dag"], [name for name in PLAIN if name.isalnum()], 15):
        if not graph.isolated:  # which pgmpy leaves out
            assert edges_of(cf.Graph.from_pgmpy(pgmpy.base.DAG.from_lavaan(graph.to_lavaan()))) == edges_of(graph)


def test_it_is_as_documented():
    graph = cf.Graph("dcba", [("a", "b"), ("c", "b")])
    assert graph.to_lavaan() == "d ~~ d\nb ~ c + a\n"


@pytest.mark.parametrize(
    "name", ["a b", "x,y", "1", "_x", "a-b", "a+b", "", ".1", "TRUE", "if", "NA_real_", "x~y", "a\nb"]
)
def test_names_that_it_cannot_have(name):
    with pytest.raises(cf.GraphError) as refused:
        cf.Graph(("a", name)).to_lavaan()
    assert f"lavaan cannot have the name {name!r}" in str(refused.value)


def test_undirected_edges_have_no_form():
    with pytest.raises(cf.GraphError, match=r"lavaan has no undirected edges, and the graph has \('a', 'b'\)"):
        cf.Graph("ab", (), [("a", "b")]).to_lavaan()


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("y ~ x + z", "xy zy"),
        ("y ~ x +\n  z  # comment\n\n! another", "xy zy"),
        ("y ~ x\n + z", "xy zy"),
        ("y ~ x; y ~ z", "xy zy"),
        ("y + w ~ x", "xy xw"),
        ("f =~ x + y", "fx fy"),
        ("f <~ x + y", "xf yf"),
        ("y ~ a*x + start(0.5)*z + 2*w", "xy zy wy"),
        ("y ~ 0*x + z", "zy"),
        ("y ~ 1 + x\nx ~ 1\ny ~~ y\nx ~~ 0*y", "xy"),
        ("y ~ b*x\nind := b*2\nb > 0\nb <-1\nb == 1\ny | t1 + t2\ny ~*~ y", "xy"),
    ],
)
def test_what_lavaan_has(text, edges):
    assert set(from_lavaan(text).directed) == {tuple(edge) for edge in edges.split()}


def test_nodes_alone():
    assert from_lavaan("x ~~ x\ny ~ 0*z").names == ("x", "y", "z")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("y ~ x\nx ~~ y", "line 2: 'x' ~~ 'y' is 'x' <-> 'y', which has two arrowheads"),
        ("y ~ x\nx ~ y", "line 2: 'y' and 'x' have an edge already, in line 1"),
        ("y ~ x:z", "line 1: 'x:z' is an interaction"),
        ("y ~ y", "line 1: 'y' has an edge to itself"),
        ("\nhello", "line 2: 'hello' has no operator of lavaan"),
        ("y ~ x + + z", "line 1: '' is not a name of lavaan"),
        ("y ~", "line 1: '' is not a name of lavaan"),
        ("y ~ 2x", "line 1: '2x' is not a name of lavaan"),
        ("level: 1\ny ~ x", "line 1: 'level: 1' has no operator"),
        ("y ~ x\nx -> z", "line 2: 'x -> z' has an arrow, which lavaan does not have; write y ~ x for x -> y"),
        ("x <-> z", "line 1: 'x <-> z' has an arrow"),
        ("", "it has no formulas of lavaan"),
    ],
)
def test_what_is_refused(text, says):
    with pytest.raises(cf.GraphError) as refused:
        from_lavaan(text)
    assert str(refused.value).startswith(says)


@settings(max_examples=300)
@given(st.text(st.sampled_from("xyz~=+*:|<>#!; \n01."), max_size=30))
def test_any_text_is_a_graph_or_is_refused(text):
    try:
        from_lavaan(text)
    except cf.GraphError as error:
        assert str(error)
