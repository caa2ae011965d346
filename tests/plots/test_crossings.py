"""Orders within layers, against all orders of small graphs."""

from __future__ import annotations

import importlib.util
from functools import cache
from itertools import combinations, permutations, product
from random import Random

import pytest

from climbfast.plots.crossings import layered_graph, number_of_crossings, with_few_crossings
from climbfast.plots.graph_picture import picture_of_graph
from climbfast.plots.layers import layers_of, split_layers
from tests.plots.graphs import hub, random_graph


def graph_of(graph, most=16):
    picture = picture_of_graph(graph)
    arcs = [(line.source, line.target) for line in picture.lines]
    return layered_graph(split_layers(layers_of(len(picture.nodes), picture.lines), arcs, most), arcs)


def test_every_layer_that_a_line_passes_has_a_bend():
    graph = layered_graph([0, 1, 3, 3], [(0, 1), (2, 0), (1, 3)])
    assert graph.paths == ((0, 1), (0, 4, 5, 2), (1, 6, 3))
    assert [sorted(layer) for layer in graph.layers] == [[0], [1, 4], [5, 6], [2, 3]]
    assert len(graph.segments()) == 6


def test_crossings_are_counted():
    layers, segments = [[0, 1, 2], [3, 4, 5]], [(0, 5), (1, 4), (2, 3), (0, 3)]
    assert number_of_crossings(layers, segments) == 3
    assert number_of_crossings([[0, 1, 2], [5, 4, 3]], segments) == 1
    assert number_of_crossings(layers, [(x, 5 - x) for x in range(3) for _ in range(20)]) == 3 * 20 * 20


def test_crossings_are_those_of_all_pairs():
    draw = Random(0)
    for _ in range(30):
        layers = [draw.sample(range(10 * i, 10 * i + 6), 6) for i in range(3)]
        segments = [(draw.choice(layers[i]), draw.choice(layers[i + 1])) for i in (0, 1) for _ in range(9)]
        place = {x: i for layer in layers for i, x in enumerate(layer)}
        pairs = [(one, other) for one, other in combinations(segments, 2) if one[0] // 10 == other[0] // 10]
        fall = [(place[x] - place[u]) * (place[y] - place[v]) < 0 for (x, y), (u, v) in pairs]
        assert number_of_crossings(layers, segments) == sum(fall)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("has_igraph", [True, False])
def test_small_graphs_have_as_few_crossings_as_any_order(seed, has_igraph, monkeypatch):
    if not has_igraph:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    graph = graph_of(random_graph(7, 10, seed))
    found = with_few_crossings(graph)
    assert [sorted(layer) for layer in found.layers] == [sorted(layer) for layer in graph.layers]
    assert number_of_crossings(found.layers, graph.segments()) == fewest_crossings(seed)


@cache
def fewest_crossings(seed):
    graph = graph_of(random_graph(7, 10, seed))
    orders = product(*(permutations(layer) for layer in graph.layers))
    return min(number_of_crossings(layers, graph.segments()) for layers in orders)


def test_leaves_and_bends_of_a_hub_alternate():
    graph = with_few_crossings(graph_of(hub(9), 3))
    assert number_of_crossings(graph.layers, graph.segments()) == 0
    assert [x < 10 for x in graph.layers[1]].count(True) == 3
    assert [x < 10 for x in graph.layers[1]] != sorted(x < 10 for x in graph.layers[1])


def test_it_is_the_same_each_time():
    assert with_few_crossings(graph_of(random_graph(30, 45, 3))) == with_few_crossings(
        graph_of(random_graph(30, 45, 3))
    )
