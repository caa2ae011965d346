"""Models of DAGitty. That its own parser reads ours the same is in ``python -m bench.exchange``."""

from __future__ import annotations

from itertools import pairwise

import pgmpy.base
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.exchange.dagitty import dagitty_text, from_dagitty
from tests.exchange.graphs import KINDS, ODD, PLAIN, edges_of, random_graphs


@pytest.mark.parametrize("names", [PLAIN, ODD], ids=["plain", "odd"])
def test_there_and_back(names):
    for graph in random_graphs(KINDS, [name for name in names if name != "constructor"], 15):
        assert from_dagitty(graph.to_dagitty()) == graph


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6), unique=True, max_size=4)
)
def test_any_names(names):
    graph = cf.Graph(tuple(names), list(pairwise(names)))
    try:
        text = dagitty_text(graph)
    except cf.GraphError as error:
        assert any(name.endswith("\\") or name in ("graph", "node") for name in names), error
    else:
        assert from_dagitty(text) == graph


@pytest.mark.filterwarnings("ignore")  # of pyparsing, which pgmpy uses as it was
def test_pgmpy_reads_ours():
    for graph in random_graphs(["dag"], [name for name in PLAIN if "." not in name], 15):
        if graph.directed:
            assert edges_of(cf.Graph.from_pgmpy(pgmpy.base.DAG.from_dagitty(graph.to_dagitty()))) == edges_of(graph)


@pytest.mark.parametrize(
    ("graph", "kind"),
    [
        (cf.Graph("ab", [("a", "b")]), "dag"),
        (cf.Graph("ab", (), [("a", "b")]), "pdag"),
        (cf.Graph("abc", [("a", "b"), ("b", "c"), ("c", "a")]), "digraph"),
    ],
)
def test_the_kind(graph, kind):
    assert graph.to_dagitty().startswith(f"{kind} {{\n")


@pytest.mark.parametrize("name", ["graph", "node", "constructor", "__proto__", "", "a\nb", "tab\t", "end\\", "\x7f"])
def test_names_that_it_cannot_have(name):
    with pytest.raises(cf.GraphError) as refused:
        cf.Graph(("a", name)).to_dagitty()
    assert repr(name) in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "dag { a -> b <- c; c -> d }",
        "dag{a->b c->b c->d}",
        'dag G {\nbb="0,0,1,1"\na [exposure,pos="-2.2,0.5"]\nd [outcome, label="x -> y"]\nb [latent]\n'
        'c\na -> b [pos="0,1"]\nc -> {b d}\n}\n',
        'DAG { \'a\' -> "b" ; graph [x=1] ; "c" -> b ; "c" -> "" + "d" }',
        "a -> b c -> b c -> d",
        "dag { a -> b; {c} -> {b d} }",
    ],
)
def test_what_dagitty_writes(text):
    assert edges_of(from_dagitty(text)) == edges_of(cf.Graph("abcd", [("a", "b"), ("c", "b"), ("c", "d")]))


def test_backslashes_are_as_in_dagitty():
    assert from_dagitty(r'dag { "a\b" ; "q\"" ; "x\\"y" ; z }').names == ("a\\b", 'q"', 'x\\"y', "z")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mag {\n a <-> b\n}", "line 2: 'a' <-> 'b' has two arrowheads"),
        ("pag {\n a @-> b\n}", "line 2: the edge from 'a' to 'b' has the marks 'circle' and 'arrow'"),
        ("pag {\n a <-@ b\n}", "line 2: the edge from 'a' to 'b' has the marks 'arrow' and 'circle'"),
        ("pag {\n a @-@ b\n}", "line 2: the edge from 'a' to 'b' has the marks 'circle' and 'circle'"),
        ("pag {\n a @-- b\n}", "line 2: the edge from 'a' to 'b' has the marks 'circle' and 'tail'"),
        ("pag {\n a o-> b\n}", "line 2: 'o' is a mark of an ancestral graph"),
        ("pag {\n a --o b\n}", "line 2: 'o' is a mark of an ancestral graph"),
        ("pag {\n a o-o b\n}", "line 2: found '-o"),
        ("dag {\n a -> b; b -> a\n}", "line 2: 'b' and 'a' have an edge already, in line 2"),
        ("dag {\n a -> a\n}", "line 2: 'a' has an edge to itself"),
        ("dag {\n a -> \n}", "line 3: found '}' where a name should be"),
        ("dag {\n a -> graph\n}", "line 2: found 'graph' where"),
        ("dag {\n a [x", "line 2: found 'end of text' where ']' should be"),
        ("dag { a } b", "line 1: found 'b' where the end of the text should be"),
        ("dag { a % b }", "line 1: found '% b"),
        ("", "it is not a model of DAGitty"),
        ("y ~ x", "it is not a model of DAGitty"),
    ],
)
def test_what_is_refused(text, says):
    with pytest.raises(cf.GraphError) as refused:
        from_dagitty(text)
    assert str(refused.value).startswith(says)


def test_groups_are_counted():
    group = " ".join(f"x{i}" for i in range(1_100))
    with pytest.raises(cf.GraphError, match="line 1: more than 1,000,000 edges between groups"):
        from_dagitty(f"dag {{ {{ {group} }} -> {{ {group.replace('x', 'y')} }} }}")


@settings(max_examples=300)
@given(st.text(st.sampled_from("dag{}[]->=<@,\"\\ \n'+;abc1.-"), max_size=30))
def test_any_text_is_a_graph_or_is_refused(text):
    try:
        from_dagitty(f"dag {{{text}")
    except cf.GraphError as error:
        assert str(error)
