"""Heights in a layer: apart, and level where the order allows."""

from __future__ import annotations

from itertools import pairwise

import pytest

from climbfast.plots.crossings import layered_graph, with_few_crossings
from climbfast.plots.graph_picture import picture_of_graph
from climbfast.plots.heights import BETWEEN_BOXES, BETWEEN_HEADS, _monotone, heights_of
from climbfast.plots.layers import layers_of, split_layers
from climbfast.plots.picture import Line
from tests.plots.graphs import CASES


def arrows(*pairs):
    return [Line(x, y, "filled") for x, y in pairs]


def heights(layers, lines, each=0.3):
    graph = layered_graph(layers, [(line.source, line.target) for line in lines])
    return heights_of(graph, lines, [each] * len(layers))


def test_a_chain_is_level():
    found = heights([0, 1, 2, 3], arrows((0, 1), (1, 2), (2, 3)))
    assert found.centers == pytest.approx([0.15] * 4)


def test_a_long_line_is_level():
    found = heights([0, 1, 2, 3], arrows((0, 1), (1, 2), (2, 3), (0, 3)))
    bends = found.centers[4:]
    assert len(bends) == 2
    assert bends[0] == pytest.approx(bends[1], abs=0.01)


def test_the_first_of_a_layer_is_the_highest():
    centers = heights([0, 0, 0, 1], arrows((0, 3), (1, 3), (2, 3))).centers
    assert centers[0] > centers[1] > centers[2]
    assert centers[1] == pytest.approx(centers[3], abs=0.01)


def test_heads_are_apart_and_in_the_order_of_their_tails():
    found = heights([0, 0, 0, 1], arrows((0, 3), (1, 3), (2, 3)), each=0.5)
    ports = [found.ports[line, 3] for line in range(3)]
    assert [a - b for a, b in pairwise(ports)] == pytest.approx([BETWEEN_HEADS] * 2)


@pytest.mark.parametrize("case", ["37", "40, dense", "hub", "names"])
def test_boxes_of_a_layer_are_apart(case):
    picture = picture_of_graph(CASES[case])
    arcs = [(line.source, line.target) for line in picture.lines]
    layers = split_layers(layers_of(len(picture.nodes), picture.lines), arcs, 16)
    graph = with_few_crossings(layered_graph(layers, arcs))
    boxes = [0.2 + 0.01 * x for x in range(len(layers))]
    centers = heights_of(graph, picture.lines, boxes).centers
    for layer in graph.layers:
        assert [centers[x] for x in layer] == sorted((centers[x] for x in layer), reverse=True)
        nodes = [x for x in layer if x < len(boxes)]
        for x, y in pairwise(nodes):
            assert centers[x] - centers[y] >= (boxes[x] + boxes[y]) / 2 + BETWEEN_BOXES - 1e-9


def test_rising_values_that_are_nearest():
    assert _monotone([3.0, 1.0, 2.0, 5.0, 4.0], [1.0, 1.0, 2.0, 1.0, 3.0]) == [2.0, 2.0, 2.0, 4.25, 4.25]
    assert _monotone([1.0, 2.0], [1.0, 1.0]) == [1.0, 2.0]
