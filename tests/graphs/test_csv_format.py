"""Graphs as CSV: separators, line ends, names that are no text, formulas."""

from __future__ import annotations

from dataclasses import replace

import pytest

import climbfast as cf
from climbfast.graphs.csv_format import csv_text, from_csv

AB = cf.Graph("ab", [("a", "b")])


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("first", ["", "sep={}\n"])
def test_separators_and_line_ends(separator, end, quote, first):
    rows = [("source", "target", "type"), ("a", "b", "directed")]
    lines = [separator.join(f"{quote}{cell}{quote}" for cell in row) + end for row in rows]
    assert from_csv(first.format(separator).replace("\n", end) + "".join(lines)) == AB


def test_lines_are_counted_below_the_separator():
    with pytest.raises(cf.GraphError, match="line 4: the type is 'x'"):
        from_csv("sep=;\nsource;target;type\na;b;directed\nb;c;x\n")
    with pytest.raises(cf.GraphError, match="line 2: the columns of a graph are"):
        from_csv("sep=;\nsource,target,type\n")


def test_names_of_integers():
    text = csv_text(cf.Graph((1, 20, -3), [(20, 1)]), quote_formulas=True)
    assert text == "source,target,type,names\n20,1,directed,integer\n-3,,node,integer\n"
    assert from_csv(text).names == (-3, 1, 20)


def test_names_of_several_types():
    text = csv_text(cf.Graph((1, "a"), [(1, "a")]), quote_formulas=False)
    assert text == 'source,target,type,names\n1,"""a""",directed,json\n'
    assert from_csv(text).directed == ((1, "a"),)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("1,x,directed,integer", "line 2: '1' or 'x' is not written as its cell in names says"),
        ("1,02,directed,integer", "line 2: '1' or '02' is not"),
        ("1,[,directed,json", "line 2: '1' or '\\['"),
        ("1,null,directed,json", "line 2: '1' or 'null'"),
        ("1,2,directed,real", "line 2: names is 'real'; it is one of text, quoted, integer, json, or empty"),
    ],
)
def test_names_that_are_not_as_the_column_says(row, says):
    with pytest.raises(cf.GraphError, match=says):
        from_csv(f"source,target,type,names\n{row}\n")


def test_formulas_are_quoted_if_asked_for():
    names = ("=1+1", "+a", "-b", "@c", "\td", "\re", "'f", "g")
    graph = cf.Graph(names, [("=1+1", "+a"), ("'f", "g")])
    quoted = csv_text(graph, quote_formulas=True)
    assert quoted.splitlines()[1] == "'=1+1,'+a,directed,quoted"
    assert "\n''f,g,directed,quoted\n" in quoted
    plain = csv_text(graph, quote_formulas=False)
    assert plain.startswith("source,target,type\n=1+1,+a,directed\n")
    for text in (quoted, plain):
        assert set(from_csv(text).names) == set(names)
        assert set(from_csv(text).directed) == set(graph.directed)


def test_files_without_formulas_stay_as_they_are():
    graph = cf.Graph(("'f", "g"), [("'f", "g")])
    assert csv_text(graph, quote_formulas=True) == csv_text(graph, quote_formulas=False)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("source,target,type,endpoints\na,b,directed,o->\n", "line 2: the edge from 'a' to 'b' has the marks 'circle'"),
        ("source,target,type,endpoints\na,b,directed,---\n", "line 2: the type is directed, but another column"),
        ("parent,child,endpoints\na,b,<->\n", "line 2: 'a' <-> 'b' has two arrowheads"),
    ],
)
def test_marks_in_other_columns(text, says):
    with pytest.raises(cf.GraphError) as refused:
        from_csv(text)
    assert str(refused.value).startswith(says)


def test_marks_that_agree():
    assert from_csv("source,target,type,endpoints\na,b,directed,-->\n") == AB
    assert from_csv("parent,child,type\na,b,directed\nb,c,undirected\n").undirected == (("b", "c"),)


def test_reasons_and_votes_have_columns_only_where_they_are_known():
    graph = cf.Graph("abc", [("a", "b")], [("b", "c")])
    chosen, votes = {("a", "b"): "chosen"}, {("b", "c"): (3, 0)}
    both = "source,target,type,reason,votes_edge,votes_direction\na,b,directed,chosen,,\nb,c,undirected,,3,0\n"
    assert csv_text(replace(graph, reasons=chosen, votes=votes), quote_formulas=False) == both
    first = csv_text(replace(graph, reasons=chosen), quote_formulas=False)
    assert first == "source,target,type,reason\na,b,directed,chosen\nb,c,undirected,\n"
    second = csv_text(replace(graph, votes=votes), quote_formulas=False)
    assert second.startswith("source,target,type,votes_edge,votes_direction\na,b,directed,,\n")
    alone = csv_text(cf.Graph((1, 2, 3), [(1, 2)], reasons={(1, 2): "compelled"}), quote_formulas=False)
    assert alone == "source,target,type,reason,names\n1,2,directed,compelled,integer\n3,,node,,integer\n"
    assert from_csv(alone).reasons == {(1, 2): "compelled"}


def test_frequencies_have_columns_only_where_they_are_known():
    graph = cf.Graph("abc", [("a", "b")], [("b", "c")], frequencies={("b", "c"): (1, 1 / 3)})
    text = csv_text(graph, quote_formulas=False)
    assert text == (
        "source,target,type,frequency_edge,frequency_direction\na,b,directed,,\nb,c,undirected,1.0,0.3333333333333333\n"
    )
    assert from_csv(text) == graph


@pytest.mark.parametrize("column", ["type", "endpoints", "edge_type", "interaction"])
def test_marks_of_other_programs(column):
    """They stand for the type, also in the column of that name."""

    def read(*marks: str) -> cf.Graph:
        lines = "".join(f"{ends},{mark}\n" for ends, mark in zip(("a,b", "b,c"), marks, strict=True))
        return from_csv(f"source,target,{column}\n{lines}")

    assert read("-->", "---") == cf.Graph("abc", [("a", "b")], [("b", "c")])
    assert read("<--", "Undirected") == cf.Graph("abc", [("b", "a")], [("b", "c")])
    for mark, says in (("o->", "line 3: .*'circle' and 'arrow'"), ("<->", "line 3: 'b' <-> 'c' has two arrowheads")):
        with pytest.raises(cf.GraphError, match=says):
            read("-->", mark)
    with pytest.raises(cf.GraphError, match=r"line 3: (the type is 'pp'|nothing says|'endpoints' is 'pp')"):
        read("-->", "pp")


def test_a_line_without_marks():
    with pytest.raises(cf.GraphError, match="line 3: nothing says whether the edge from 'b' to 'c' is directed"):
        from_csv("source,target,endpoints\na,b,-->\nb,c,\n")
    with pytest.raises(cf.GraphError, match="line 2: the type is ''; it has to be directed, undirected or node"):
        from_csv("source,target,type\na,b,\n")
    assert from_csv("source,target,endpoints\na,b,-->\nc,,\n") == cf.Graph("abc", [("a", "b")])
