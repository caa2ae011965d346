"""How high each node and bend stands in its layer, so that lines are as level as the order of the layers allows.

Heights are measured from the top here, in the order of the layers, and turned at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from climbfast.plots.crossings import LayeredGraph
from climbfast.plots.picture import Line

__all__ = ["BETWEEN_HEADS", "BETWEEN_LINES", "Heights", "heights_of"]

BETWEEN_BOXES = 0.11  # inches
BETWEEN_HEADS = 0.12  # of lines that end at one box
BETWEEN_TAILS = 0.045
BETWEEN_LINES = 0.07
ABOVE_PORTS = 0.03
SQUARED_ROUNDS, ABSOLUTE_ROUNDS, PORT_ROUNDS = 50, 40, 80
SMALL_RISE = 0.01
LEAST_WEIGHT = 0.01
STRAIGHT = {0: 1.0, 1: 2.0, 2: 8.0}  # how much a segment wants to be level, by its number of bends

Ports = dict[tuple[int, int], float]


class Heights(NamedTuple):
    """The height of each node and bend above the lowest, and that at which a line meets a node.

    Attributes
    ----------
    centers : list of float
        By the number of the node or bend.
    ports : dict of (line, node) to float
    """

    centers: list[float]
    ports: Ports


def heights_of(graph: LayeredGraph, lines: Sequence[Line], box_heights: Sequence[float]) -> Heights:
    """Return the heights of nodes with boxes of these heights, of bends, and of the ends of lines."""
    nodes, total = len(box_heights), sum(map(len, graph.layers))
    halves = [each / 2 for each in box_heights] + [BETWEEN_LINES / 2] * (total - nodes)
    offsets = [_offsets(layer, halves, nodes) for layer in graph.layers]
    place = np.zeros(total)
    for layer, offset in zip(graph.layers, offsets, strict=True):
        place[layer] = offset - offset[-1] / 2
    near = _near(graph, nodes, {})
    _level(place, graph, offsets, near, SQUARED_ROUNDS, is_squared=True)
    _level(place, graph, offsets, near, ABSOLUTE_ROUNDS, is_squared=False)
    ports = _ports(graph, lines, box_heights, place)
    _level(place, graph, offsets, _near(graph, nodes, ports), PORT_ROUNDS, is_squared=False)
    ports = _ports(graph, lines, box_heights, place)
    lowest = max(float(place[x]) + halves[x] for x in range(total))
    centers = [lowest - each for each in place.tolist()]
    return Heights(centers, {(line, x): centers[x] - port for (line, x), port in ports.items()})


def _level(
    place: np.ndarray,
    graph: LayeredGraph,
    offsets: Sequence[np.ndarray],
    near: Sequence[_Near],
    rounds: int,
    *,
    is_squared: bool,
) -> None:
    """Move what is in each layer to where its neighbors are, in rounds to the right and to the left; in place."""
    layers = range(len(graph.layers))
    for turn in range(rounds):
        for number in layers if turn % 2 == 0 else reversed(layers):
            layer, offset = graph.layers[number], offsets[number]
            wanted, weights = _pulls(near[number], place, place[layer], is_squared=is_squared)
            place[layer] = _monotone(wanted - offset, weights) + offset


class _Near(NamedTuple):
    """The neighbors of a layer: of which of its members, by place in the layer, which, and how much they pull.

    ``shifts`` is how much lower a member stands than its neighbor when the line between them is level.
    """

    of: np.ndarray
    neighbors: np.ndarray
    weights: np.ndarray
    shifts: np.ndarray


def _near(graph: LayeredGraph, nodes: int, ports: Mapping[tuple[int, int], float]) -> list[_Near]:
    """Return the neighbors of each layer."""
    place = {x: (number, i) for number, layer in enumerate(graph.layers) for i, x in enumerate(layer)}
    pulls: list[list[tuple[int, int, float, float]]] = [[] for _ in graph.layers]
    for line, path in enumerate(graph.paths):
        for x, y in pairwise(path):
            weight = STRAIGHT[(x >= nodes) + (y >= nodes)]
            shift = ports.get((line, y), 0.0) - ports.get((line, x), 0.0)
            for one, other, lower in ((x, y, shift), (y, x, -shift)):
                number, i = place[one]
                pulls[number].append((i, other, weight, lower))
    return [
        _Near(
            np.array([i for i, _, _, _ in each], np.int64),
            np.array([y for _, y, _, _ in each], np.int64),
            np.array([weight for _, _, weight, _ in each], np.float64),
            np.array([lower for _, _, _, lower in each], np.float64),
        )
        for each in pulls
    ]


def _pulls(near: _Near, place: np.ndarray, own: np.ndarray, *, is_squared: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the height that lines ask for each member of a layer, and how much.

    The squares of rises spread a rise over all of a long line; their absolute values then gather it in few bends.
    """
    heights, weights = place[near.neighbors] + near.shifts, near.weights
    if not is_squared:
        weights = weights / np.maximum(np.abs(heights - own[near.of]), SMALL_RISE)
    total = np.bincount(near.of, weights, len(own))
    asked = np.bincount(near.of, weights * heights, len(own))
    is_free = total == 0
    return np.where(is_free, own, asked / np.where(is_free, 1.0, total)), np.where(is_free, LEAST_WEIGHT, total)


def _offsets(layer: Sequence[int], halves: Sequence[float], nodes: int) -> np.ndarray:
    """Return the least height of each above the first of its layer."""
    offsets = [0.0]
    for x, y in pairwise(layer):
        between = BETWEEN_BOXES if x < nodes and y < nodes else BETWEEN_LINES if x < nodes or y < nodes else 0.0
        offsets.append(offsets[-1] + halves[x] + between + halves[y])
    return np.array(offsets)


def _monotone(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the rising values that are nearest to these, by least squares."""
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        block = (value, weight, 1)
        while blocks and blocks[-1][0] > block[0]:
            mean, heavy, count = blocks.pop()
            both = heavy + block[1]
            block = ((mean * heavy + block[0] * block[1]) / both, both, count + block[2])
        blocks.append(block)
    return np.repeat([mean for mean, _, _ in blocks], [count for _, _, count in blocks])


def _ports(graph: LayeredGraph, lines: Sequence[Line], box_heights: Sequence[float], place: np.ndarray) -> Ports:
    """Return how far below the center of a node each line meets it: heads stand side by side, and none cross."""
    sides: dict[tuple[int, bool], list[tuple[float, int]]] = {}  # by node and whether it is the right side
    for number, path in enumerate(graph.paths):
        sides.setdefault((path[0], True), []).append((float(place[path[1]]), number))
        sides.setdefault((path[-1], False), []).append((float(place[path[-2]]), number))
    ports: Ports = {}
    for (node, _), met in sides.items():
        has_heads = any(lines[number].head != "none" and lines[number].target == node for _, number in met)
        room = box_heights[node] - 2 * ABOVE_PORTS
        step = min(BETWEEN_HEADS if has_heads else BETWEEN_TAILS, room / len(met))
        for turn, (_, number) in enumerate(sorted(met)):
            ports[number, node] = (turn - (len(met) - 1) / 2) * step
    return ports
