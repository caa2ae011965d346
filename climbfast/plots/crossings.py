"""The order of nodes within each layer, with few crossings of lines."""

from __future__ import annotations

import importlib.util
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

__all__ = ["LayeredGraph", "layered_graph", "number_of_crossings", "with_few_crossings"]

SWEEPS = 24
STARTS = 20  # orders from which the search begins; the first one is even, the others random
SEGMENTS_OF_ALL_STARTS, SEGMENTS_OF_ALL_SWEEPS = 2_000, 1_000
Pair = tuple[int, int]
Layers = list[list[int]]


class LayeredGraph(NamedTuple):
    """Nodes in layers, with a bend of each line in every layer that it passes.

    Attributes
    ----------
    layers : list of list of int
        The nodes and bends of each layer in their order; the nodes first by number, bends are numbered after them.
    paths : tuple of tuple of int
        For each line its nodes and bends from left to right.
    """

    layers: Layers
    paths: tuple[tuple[int, ...], ...]

    def segments(self) -> list[Pair]:
        """Return the parts of lines between two layers."""
        return [segment for path in self.paths for segment in pairwise(path)]


def layered_graph(layers: Sequence[int], arcs: Iterable[Pair]) -> LayeredGraph:
    """Return the graph with bends; the order within layers spreads what ends beyond them evenly.

    Parameters
    ----------
    layers : sequence of int
        The layer of each node.
    arcs : iterable of pairs
        Lines between nodes of different layers.
    """
    in_layers: Layers = [[] for _ in range(max(layers, default=-1) + 1)]
    height: dict[int, float] = {}  # from 0 to 1
    arcs = list(arcs)
    lines_at = Counter(x for arc in arcs for x in arc)
    for x, layer in enumerate(layers):
        in_layers[layer].append(x)
    for members in in_layers:
        height |= {x: (place + 0.5) / len(members) for place, x in enumerate(members)}
    paths = []
    for x, y in arcs:
        left, right = (x, y) if layers[x] < layers[y] else (y, x)
        path = [left]
        # The end with fewer lines: those of a hub have to be spread.
        leaf = min(left, right, key=lambda x: lines_at[x])
        for layer in range(layers[left] + 1, layers[right]):
            bend = len(height)
            height[bend] = height[leaf]
            in_layers[layer].append(bend)
            path.append(bend)
        paths.append((*path, right))
    return LayeredGraph([sorted(members, key=lambda x: (height[x], x)) for members in in_layers], tuple(paths))


def with_few_crossings(graph: LayeredGraph) -> LayeredGraph:
    """Return the graph with its layers reordered: the best of igraph's layout of Sugiyama and of our own sweeps."""
    segments = graph.segments()
    candidates = [graph.layers]
    if importlib.util.find_spec("igraph") is not None and segments:
        candidates.append(_by_igraph(graph.layers, segments))
    random = Random(0)
    while len(candidates) < min(STARTS, 2 + SEGMENTS_OF_ALL_STARTS // max(len(segments), 1)):
        candidates.append([random.sample(members, len(members)) for members in graph.layers])
    best, fewest = graph.layers, number_of_crossings(graph.layers, segments)
    for layers in candidates:
        found = _with_swaps(_swept(layers, segments), segments)
        crossings = number_of_crossings(found, segments)
        if crossings < fewest:
            best, fewest = found, crossings
        if not fewest:
            break
    return LayeredGraph(best, graph.paths)


def _by_igraph(layers: Layers, segments: Sequence[Pair]) -> Layers:
    import igraph

    layer_of = {x: layer for layer, members in enumerate(layers) for x in members}
    graph = igraph.Graph(n=len(layer_of), edges=segments, directed=True)
    found = graph.layout_sugiyama(layers=[layer_of[x] for x in range(len(layer_of))], maxiter=200)
    layout = found[0] if isinstance(found, tuple) else found  # from igraph 1.0 on with the bends of edges
    across = [point[0] for point in list(layout)[: len(layer_of)]]
    return [sorted(members, key=lambda x: across[x]) for members in layers]


def _swept(layers: Layers, segments: Sequence[Pair]) -> Layers:
    """Order each layer by the mean place of neighbors, to the right and to the left in turns; return the best order."""
    before, after = _neighbors(segments)
    current, best = layers, layers
    last: list[Layers] = []  # the orders before the last two sweeps
    fewest = _crossings(layers, after)
    for sweep in range(_rounds(segments)):
        if not fewest or (len(last) == 2 and current == last[0]):  # these two orders would come in turns
            break
        last = [*last[-1:], current]
        current = _sweep(current, before) if sweep % 2 == 0 else _sweep(current[::-1], after)[::-1]
        crossings = _crossings(current, after)
        if crossings < fewest:
            best, fewest = current, crossings
    return best


def _rounds(segments: Sequence[Pair]) -> int:
    """Return how often an order is improved: seldom where there are so many lines that nobody can follow one."""
    return max(2, min(SWEEPS, SWEEPS * SEGMENTS_OF_ALL_SWEEPS // max(len(segments), 1)))


def _sweep(layers: Layers, neighbors: Mapping[int, Sequence[int]]) -> Layers:
    ordered: Layers = []
    place: dict[int, float] = {}
    for members in layers:
        number = len(members)
        wanted = {}
        for i, x in enumerate(members):
            places = [place[y] for y in neighbors.get(x, ())]
            wanted[x] = sum(places) / len(places) if places else (i + 0.5) / number
        ordered.append(sorted(members, key=wanted.__getitem__))
        place |= {x: (i + 0.5) / number for i, x in enumerate(ordered[-1])}
    return ordered


def _with_swaps(layers: Layers, segments: Sequence[Pair]) -> Layers:
    """Swap what stands side by side as long as that saves crossings."""
    before, after = _neighbors(segments)
    found = [list(members) for members in layers]
    place = {x: i for members in found for i, x in enumerate(members)}
    for _ in range(_rounds(segments)):
        saved = 0
        for members in found:
            for i in range(len(members) - 1):
                x, y = members[i], members[i + 1]
                gain = sum(_saved(near.get(x, ()), near.get(y, ()), place) for near in (before, after))
                if gain > 0:
                    members[i], members[i + 1] = y, x
                    place[x], place[y] = i + 1, i
                    saved += gain
        if not saved:
            break
    return found


def _saved(of_first: Sequence[int], of_second: Sequence[int], place: Mapping[int, int]) -> int:
    """Return how many crossings fewer there are if the second stands before the first."""
    saved = 0
    for x in of_first:
        for y in of_second:
            saved += (place[x] > place[y]) - (place[x] < place[y])
    return saved


def _neighbors(segments: Iterable[Pair]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    before: dict[int, list[int]] = {}
    after: dict[int, list[int]] = {}
    for x, y in segments:
        after.setdefault(x, []).append(y)
        before.setdefault(y, []).append(x)
    return before, after


def number_of_crossings(layers: Sequence[Sequence[int]], segments: Iterable[Pair]) -> int:
    """Return how many pairs of segments cross."""
    return _crossings(layers, _neighbors(segments)[1])


def _crossings(layers: Sequence[Sequence[int]], after: Mapping[int, Sequence[int]]) -> int:
    place = {x: i for members in layers for i, x in enumerate(members)}
    crossings = 0
    for members in layers:
        ends: list[int] = []
        for x in members:
            ends += sorted([place[y] for y in after.get(x, ())])
        crossings += _inversions(ends)
    return crossings


def _inversions(values: Iterable[int]) -> int:
    """Return how many pairs of values fall."""
    before: list[int] = []  # in order
    fallen = 0
    for value in values:
        place = bisect_right(before, value)
        fallen += len(before) - place
        before.insert(place, value)
    return fallen
