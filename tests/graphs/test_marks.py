"""Marks of edges as other programs write them: read as they are meant, or refused by name."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.graphs.marks import Marks, drawn_marks, edge_type, marks_in

DIRECTED, REVERSED, UNDIRECTED = Marks("tail", "arrow"), Marks("arrow", "tail"), Marks("tail", "tail")


@pytest.mark.parametrize(
    ("attributes", "marks"),
    [
        ({}, None),
        ({"weight": "1", "label": "o->"}, None),
        ({"type": "causes"}, None),
        ({"type": "directed"}, DIRECTED),
        ({"Type": " Undirected "}, UNDIRECTED),
        ({"endpoints": "-->"}, DIRECTED),
        ({"endpoints": "<-"}, REVERSED),
        ({"endpoints": "---"}, UNDIRECTED),
        ({"endpoints": "tail-tail"}, UNDIRECTED),
        ({"endpoints": "TAIL, ARROW"}, DIRECTED),
        ({"endpoint1": "TAIL", "endpoint2": "TAIL"}, UNDIRECTED),
        ({"endpoint1": "Arrow", "endpoint2": "Tail", "type": "<--"}, REVERSED),
        ({"endpoints": "o-o"}, ("circle", "circle")),
        ({"type": "o->"}, ("circle", "arrow")),
        ({"edge_type": "<->"}, ("arrow", "arrow")),
        ({"arrow.mode": "3"}, ("arrow", "arrow")),
        ({"arrow.mode": 1.0}, REVERSED),
        ({"arrow.mode": ">"}, DIRECTED),
        ({"arrow.mode": "-"}, UNDIRECTED),
        ({"arrow.mode": "NaN"}, None),
        ({"dir": "both", "arrowhead": "odot", "arrowtail": "none"}, ("tail", "odot")),
    ],
)
def test_attributes(attributes, marks):
    assert marks_in(attributes, "edge 1") == marks


@pytest.mark.parametrize(
    ("attributes", "says"),
    [
        ({"endpoints": "3,2"}, "edge 1: 'endpoints' is '3,2', which is not understood"),
        ({"endpoint1": "TAIL"}, "edge 1: 'endpoint1' is 'TAIL', which is not understood"),
        (
            {"type": "undirected", "endpoints": "-->"},
            "edge 1: 'type': 'undirected' and 'endpoints': '-->' are the marks of different edges",
        ),
        ({"dir": "up"}, "edge 1: dir is 'up'; it is one of forward, back, both, none"),
    ],
)
def test_attributes_that_are_refused(attributes, says):
    with pytest.raises(cf.GraphError) as refused:
        marks_in(attributes, "edge 1")
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize(
    ("attributes", "direction", "marks"),
    [
        ({}, "forward", DIRECTED),
        ({}, "none", UNDIRECTED),
        ({"dir": "back"}, "forward", REVERSED),
        ({"dir": ""}, "forward", DIRECTED),
        ({"dir": "both", "arrowtail": "none"}, "forward", DIRECTED),
        ({"dir": "both", "arrowtail": "none", "arrowhead": "none"}, "forward", UNDIRECTED),
        ({"dir": "both", "arrowtail": "vee", "arrowhead": "none"}, "none", REVERSED),
        ({"arrowhead": "onormal"}, "forward", DIRECTED),
        ({"arrowhead": "none"}, "forward", UNDIRECTED),
        ({"arrowtail": "normal"}, "forward", DIRECTED),  # Graphviz draws the tail only with dir=back or both
        ({"arrowhead": "odot"}, "forward", ("tail", "odot")),
        ({"arrowhead": "tee"}, "forward", ("tail", "tee")),
        ({"arrowtail": "odot"}, "forward", ("odot", "arrow")),
        ({"dir": "both"}, "forward", ("arrow", "arrow")),
    ],
)
def test_what_graphviz_draws(attributes, direction, marks):
    assert drawn_marks(attributes, direction, "line 1") == marks


def test_an_invisible_edge_is_refused():
    with pytest.raises(cf.GraphError, match="line 1: the edge is invisible"):
        drawn_marks({"style": "invis"}, "forward", "line 1")


def test_edges_of_marks():
    assert edge_type("a", "b", DIRECTED, "") == ("a", "b", "directed")
    assert edge_type("a", "b", REVERSED, "") == ("b", "a", "directed")
    assert edge_type("a", "b", UNDIRECTED, "") == ("a", "b", "undirected")
    with pytest.raises(cf.GraphError, match="line 7: 'a' <-> 'b' has two arrowheads"):
        edge_type("a", "b", Marks("arrow", "arrow"), "line 7")
    with pytest.raises(cf.GraphError, match="line 7: the edge from 'a' to 'b' has the marks 'circle' and 'arrow'"):
        edge_type("a", "b", Marks("circle", "arrow"), "line 7")
