"""Layers: causes before effects, whatever has no direction, and none too high."""

from __future__ import annotations

import pytest

from climbfast.plots.graph_picture import picture_of_graph
from climbfast.plots.layers import layers_of, split_layers
from climbfast.plots.picture import Line
from tests.plots.graphs import CASES, random_graph


def arrows(*pairs):
    return [Line(x, y, "filled") for x, y in pairs]


def test_causes_are_in_earlier_layers():
    assert layers_of(4, arrows((2, 1), (1, 0), (2, 0), (0, 3))) == [2, 1, 0, 3]


def test_a_cause_stands_just_before_its_only_effect():
    assert layers_of(4, arrows((0, 1), (1, 2), (3, 2))) == [0, 1, 2, 1]


def test_an_effect_stands_just_behind_its_last_cause():
    assert layers_of(4, arrows((0, 1), (1, 2), (0, 3), (1, 3))) == [0, 1, 2, 2]


def test_a_cycle_is_broken_where_nothing_outside_it_is_turned():
    lines = [*arrows((0, 1), (1, 2), (2, 0), (2, 3), (4, 3)), Line(4, 5)]
    layers = layers_of(6, lines)
    turned = [line for line in lines if line.head != "none" and layers[line.source] > layers[line.target]]
    assert len(turned) == 1
    assert {turned[0].source, turned[0].target} <= {0, 1, 2}


def test_undirected_lines_join_layers_side_by_side():
    layers = layers_of(5, [Line(0, x) for x in range(1, 5)])
    assert layers == [0, 1, 1, 1, 1]


@pytest.mark.parametrize("case", CASES)
def test_no_line_stays_in_its_layer(case):
    picture = picture_of_graph(CASES[case])
    layers = layers_of(len(picture.nodes), picture.lines)
    assert all(layers[line.source] != layers[line.target] for line in picture.lines)
    if case != "cycle":
        directed = [line for line in picture.lines if line.head != "none"]
        assert all(layers[line.source] < layers[line.target] for line in directed)


@pytest.mark.parametrize("most", [1, 3, 16])
def test_split_layers_are_small_and_keep_their_order(most):
    picture = picture_of_graph(random_graph(40, 90, 1))
    layers = layers_of(len(picture.nodes), picture.lines)
    arcs = [(line.source, line.target) for line in picture.lines]
    split = split_layers(layers, arcs, most)
    assert max(split.count(layer) for layer in split) <= most
    assert sorted(set(split)) == list(range(max(split) + 1))
    nodes = range(len(layers))
    assert all(split[x] < split[y] for x in nodes for y in nodes if layers[x] < layers[y])


def test_what_has_lines_to_the_left_stands_left():
    # 1 has a line from the left, 2 one to the right: so neither passes the other.
    assert split_layers([0, 1, 1, 2], [(0, 1), (2, 3)], 1) == [0, 1, 2, 3]
