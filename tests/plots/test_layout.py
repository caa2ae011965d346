"""Where everything is: boxes apart, lines around them, causes before effects."""

from __future__ import annotations

import importlib.util
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import climbfast as cf
from climbfast.plots import layout as subject
from climbfast.plots.graph_picture import picture_of_graph
from climbfast.plots.layout import layout_of
from climbfast.plots.picture import Line, Node, Picture
from tests.plots.graphs import CASES, entered, hub, overlaps, random_graph


@cache
def laid_out(case, *, turned):
    return subject._layout(picture_of_graph(CASES[case]), is_turned=turned)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("turned", [False, True])
def test_boxes_are_apart_and_lines_cross_none(case, turned):
    layout = laid_out(case, turned=turned)
    assert layout.is_turned == turned
    check_apart(layout)


@pytest.mark.parametrize("case", ["8", "37", "hub", "cycle"])
def test_so_it_is_without_igraph(case, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    check_apart(layout_of(picture_of_graph(CASES[case])))


def check_apart(layout):
    assert not overlaps(layout)
    for curve in layout.curves:
        assert entered(points_of(curve, turned=layout.is_turned), layout.boxes) == []


def points_of(curve, *, turned):
    """Where points on a way are, whose corners are those of an S between layers: horizontally, and vertically."""
    along = [point[::-1] for point in curve] if turned else curve
    t, places = np.linspace(0, 1, 21), []
    for (x, y), (to_x, to_y) in pairwise(along):
        middle = (x + to_x) / 2
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
        places.append((a * x + (b + c) * middle + d * to_x, (a + b) * y + (c + d) * to_y))
    found = np.concatenate(places, axis=1)
    return found[::-1] if turned else found


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("turned", [False, True])
def test_all_is_within_the_size(case, turned):
    layout = laid_out(case, turned=turned)
    for box in layout.boxes:
        assert box.width >= box.label.width
        assert box.height >= box.label.height
        assert 0 <= round(box.left, 6) <= round(box.right, 6) <= round(layout.width, 6)
        assert 0 <= round(box.y - box.height / 2, 6) <= round(box.y + box.height / 2, 6) <= round(layout.height, 6)
    for x, y in (point for curve in layout.curves for point in curve):
        assert -1e-6 <= x <= layout.width + 1e-6
        assert -1e-6 <= y <= layout.height + 1e-6


def test_lines_meet_the_boxes_of_their_ends():
    picture = picture_of_graph(CASES["cycle"])
    layout = layout_of(picture)
    for line, curve in zip(picture.lines, layout.curves, strict=True):
        for node, (x, y) in ((line.source, curve[0]), (line.target, curve[-1])):
            box = layout.boxes[node]
            assert min(abs(x - box.left), abs(x - box.right)) < 1e-9
            assert abs(y - box.y) <= box.height / 2


def test_heads_at_one_box_are_apart():
    picture = picture_of_graph(CASES["sink"])
    ends = [round(y, 3) for (_, y) in sorted(curve[-1] for curve in layout_of(picture).curves)]
    assert min(b - a for a, b in pairwise(sorted(ends))) > 0.08


def test_causes_are_left_of_effects():
    graph = random_graph(15, 20, 2)
    picture = picture_of_graph(graph)
    layout = layout_of(picture)
    assert not layout.is_turned
    assert all(layout.boxes[x].right < layout.boxes[y].left for x, y, head, *_ in picture.lines if head != "none")


def test_a_deep_graph_has_rows_where_that_fits_a_page_better():
    names = [f"a long name {i}" for i in range(33)]
    deep = cf.Graph(tuple(names), [(names[i], names[i + 3]) for i in range(30)])
    picture = picture_of_graph(deep)
    layout = layout_of(picture)
    assert layout.is_turned
    assert all(layout.boxes[x].y > layout.boxes[y].y for x, y, *_ in picture.lines)


def test_a_hub_has_several_columns_of_leaves():
    layout = layout_of(picture_of_graph(hub(40)))
    columns = {round(box.x, 3) for box in layout.boxes}
    assert len(columns) == 4
    assert layout.height < 9


def test_layers_can_be_given():
    picture = Picture((Node("a"), Node("b"), Node("c")), (Line(0, 1),), layers=(2, 1, 0))
    boxes = layout_of(picture).boxes
    assert boxes[2].x < boxes[1].x < boxes[0].x


def test_the_same_graph_has_the_same_layout_whatever_the_order():
    graph = random_graph(20, 30, 9)
    other = cf.Graph(
        graph.names[::-1], graph.directed[::-1], graph.undirected[::-1], strengths=graph.strengths,
        margins=graph.margins, reasons=graph.reasons,
    )  # fmt: skip
    assert layout_of(picture_of_graph(graph)) == layout_of(picture_of_graph(other))
