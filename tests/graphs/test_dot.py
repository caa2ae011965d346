"""DOT of other programs: marks, labels of causal-learn, groups that stand for many edges."""

from __future__ import annotations

import tracemalloc

import pytest

import climbfast as cf
from climbfast.graphs.dot import dot_text, from_dot


@pytest.mark.parametrize(
    ("edge", "directed", "undirected"),
    [
        ("a -> b [dir=both, arrowtail=none, arrowhead=normal]", [("a", "b")], ()),  # causal-learn, Tetrad
        ("a -> b [dir=both, arrowtail=none, arrowhead=none]", (), [("a", "b")]),
        ("a -> b [arrowtail=none, arrowhead=none]", (), [("a", "b")]),
        ("a -> b [dir=back]", [("b", "a")], ()),
        ("edge [dir=none] a -> b", (), [("a", "b")]),  # bnlearn
        ("a -- b [dir=forward]", [("a", "b")], ()),
        ("a -> b [arrowhead=vee]", [("a", "b")], ()),
    ],
)
def test_marks(edge, directed, undirected):
    assert from_dot(f"digraph {{ a; b; {edge} }}") == cf.Graph("ab", directed, undirected)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("digraph {\n a -> b [dir=both, arrowtail=odot]\n}", "line 2: the edge from 'a' to 'b' has the marks 'odot'"),
        ("digraph {\n a -> b [arrowhead=odot]\n}", "line 2: the edge from 'a' to 'b' has the marks 'tail' and 'odot'"),
        ("digraph {\n a -> b [arrowhead=tee]\n}", "line 2: the edge from 'a' to 'b' has the marks 'tail' and 'tee'"),
        ("digraph {\n a -> b [dir=both]\n}", "line 2: 'a' <-> 'b' has two arrowheads"),
        ("digraph {\n a -> b [dir=sideways]\n}", "line 2: dir is 'sideways'"),
        ("digraph {\n edge [arrowhead=dot]\n a -> b\n}", "line 3: the edge from 'a' to 'b'"),
        ("digraph {\n a -> b [style=invis]\n}", "line 2: the edge is invisible"),
        ("digraph {\n a <-> b\n}", "line 2: found '<->' where"),
        ("digraph {\n a <- b\n c -> d\n}", "line 2: found '<- b"),
        ("digraph {\n a o-> b\n}", "line 2: 'o' is a mark"),
        ("digraph {\n a o-- b\n}", "line 2: 'o' is a mark"),
        ("digraph {\n a --o b\n}", "line 2: 'o' is a mark"),
        ("digraph {\n a ->o b\n}", "line 2: 'o' is a mark"),
        ("digraph {\n a o-o b\n}", "line 2: found '-o b"),
        ("digraph {\n a --> b\n}", "line 2: found '> b"),
        ("digraph {\n a --- b\n}", "line 2: found '- b"),
        ("dag {\n a -> b\n}", "line 1: found 'dag' where digraph or graph should be"),  # dagitty
        ("digraph {\n a \u2028 b\n}", "line 2: found '\\u2028 b"),
    ],
)
def test_other_marks_are_refused(text, says):
    with pytest.raises(cf.GraphError) as refused:
        from_dot(text)
    assert str(refused.value).startswith(says)
    assert str(refused.value).isprintable()


def test_a_node_with_the_name_of_a_mark():
    graph = from_dot("digraph { o -> a; a -> x; a -> o2 foo->x }")
    assert set(graph.directed) == {("o", "a"), ("a", "x"), ("a", "o2"), ("foo", "x")}


def test_labels_are_the_names_of_causal_learn():
    text = 'digraph {{ fontsize=18; 0 [label=smoke]; 1 [label="lung"]; {} 0 -> 1 [dir=both, arrowtail=none]; }}'
    assert from_dot(text.format("")) == cf.Graph(("smoke", "lung"), [("smoke", "lung")])
    assert from_dot(text.format("2;")).names == ("0", "1", "2")
    assert from_dot(text.format("2 [label=lung];")).names == ("0", "1", "2")
    assert from_dot('digraph { a [label="A"]; b [label="B"]; a -> b }').names == ("a", "b")


def test_groups_are_counted_before_memory_is_taken():
    group = "{" + " ".join(f"{{}}{i}" for i in range(1_100)) + "}"
    text = f"digraph {{\n{group.replace('{}', 'x')} ->\n{group.replace('{}', 'y')}\n}}"
    tracemalloc.start()
    with pytest.raises(cf.GraphError, match="line 2: more than 1,000,000 edges between groups"):
        from_dot(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6


def test_chosen_directions_are_drawn_dashed_and_arbitrary_ones_dotted():
    reasons = dict(zip([("a", "b"), ("b", "c"), ("c", "d")], ("compelled", "chosen", "arbitrary"), strict=True))
    lines = dot_text(cf.Graph("abcde", reasons, [("d", "e")], reasons=reasons)).splitlines()
    assert lines[1] == '  label="dashed: a score chose it, by so many bits; dotted: nothing decides it";'
    assert [line.split("[")[1].split(",")[0] for line in lines if "->" in line] == [
        'reason="compelled"];', "style=dashed", "style=dotted", "dir=none];"
    ]  # fmt: skip
    assert "label" not in dot_text(cf.Graph("ab", [("a", "b")], reasons={("a", "b"): "compelled"}))


def test_frequencies_are_attributes():
    graph = cf.Graph("ab", [("a", "b")], frequencies={("a", "b"): (0.75, 0.5)})
    assert '"a" -> "b" [frequency_edge="0.75", frequency_direction="0.5"];' in dot_text(graph)
    assert from_dot(dot_text(graph)) == graph


def test_labels_of_pyagrum_have_numbers():
    assert from_dot('digraph { 0 [label="(0) a b"]; 1 [label="(1) c"]; 0 -> 1 }') == cf.Graph(
        ("a b", "c"), [("a b", "c")]
    )
    assert from_dot('digraph { 0 [label="(0) a"]; 1 [label="(1) a"] }').names == ("(0) a", "(1) a")
    assert from_dot('digraph { 0 [label="(0) a"]; 1 [label="b"] }').names == ("(0) a", "b")


def test_marks_in_other_attributes():
    """They stand above the operator; NetworkX writes the endpoints of andrey as text, which is not understood."""
    assert from_dot('digraph { a; b; a -> b [endpoints="<--"] }') == cf.Graph("ab", [("b", "a")])
    assert from_dot("digraph { a; b; a -> b [type=undirected] }") == cf.Graph("ab", (), [("a", "b")])
    assert from_dot("digraph { a; b; a -> b [type=undirected, dir=none] }") == cf.Graph("ab", (), [("a", "b")])
    for attributes, says in (
        ('endpoints="o->"', "line 1: the edge from 'a' to 'b' has the marks 'circle' and 'arrow'"),
        ('endpoints="(1, 1)"', "line 1: 'endpoints' is '(1, 1)', which is not understood"),
        ("type=undirected, dir=forward", "line 1: the edge is drawn with other marks than its other attributes state"),
    ):
        with pytest.raises(cf.GraphError) as refused:
            from_dot(f"digraph {{ a -> b [{attributes}] }}")
        assert str(refused.value).startswith(says)
