"""How high each node and bend stands in its layer, so that lines are as level as the order of the layers allows.

Heights are measured from the top here, in the order of the layers, and turned at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

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
    place = [0.0] * total
    members = _members(graph, offsets, nodes, {})
    for layer in members:
        for member in layer:
            place[member.number] = member.offset - layer[-1].offset / 2
    _level(place, members, SQUARED_ROUNDS, is_squared=True)
    _level(place, members, ABSOLUTE_ROUNDS, is_squared=False)
    ports = _ports(graph, lines, box_heights, place)
    _level(place, _members(graph, offsets, nodes, ports), PORT_ROUNDS, is_squared=False)
    ports = _ports(graph, lines, box_heights, place)
    lowest = max(place[x] + halves[x] for x in range(total))
    centers = [lowest - each for each in place]
    return Heights(centers, {(line, x): centers[x] - port for (line, x), port in ports.items()})


def _level(place: list[float], layers: Sequence[Sequence[_Member]], rounds: int, *, is_squared: bool) -> None:
    """Move what is in each layer to where its neighbors are, in rounds to the right and to the left; in place.

    The squares of rises spread a rise over all of a long line; their absolute values then gather it in few bends. Lists
    are up to ten times faster than arrays for layers of a few members, and half as fast for hundreds of bends.
    """
    for turn in range(rounds):
        for layer in layers if turn % 2 == 0 else reversed(layers):
            wanted, weights = [], []
            for number, offset, lines in layer:
                own = place[number]
                total = asked = 0.0
                for neighbor, weight, shift in lines:
                    height = place[neighbor] + shift
                    rise = 1.0 if is_squared else abs(height - own)
                    pull = weight / (rise if rise > SMALL_RISE else SMALL_RISE)
                    total += pull
                    asked += pull * height
                wanted.append((asked / total if lines else own) - offset)
                weights.append(total if lines else LEAST_WEIGHT)
            for member, height in zip(layer, _monotone(wanted, weights), strict=True):
                place[member.number] = height + member.offset


class _Member(NamedTuple):
    """A node or bend in its layer.

    Attributes
    ----------
    number : int
    offset : float
        How far at least it stands below the first of the layer.
    lines : list of (int, float, float)
        For each line that meets the member: the neighbor, how much the line pulls, and how much lower than the neighbor
        the member stands when the line is level.
    """

    number: int
    offset: float
    lines: list[tuple[int, float, float]]


def _members(
    graph: LayeredGraph, offsets: Sequence[Sequence[float]], nodes: int, ports: Mapping[tuple[int, int], float]
) -> list[list[_Member]]:
    """Return the members of each layer."""
    lines: list[list[tuple[int, float, float]]] = [[] for layer in graph.layers for _ in layer]
    for line, path in enumerate(graph.paths):
        for x, y in pairwise(path):
            weight = STRAIGHT[(x >= nodes) + (y >= nodes)]
            shift = ports.get((line, y), 0.0) - ports.get((line, x), 0.0)
            lines[x].append((y, weight, shift))
            lines[y].append((x, weight, -shift))
    return [
        [_Member(x, offset, lines[x]) for x, offset in zip(layer, of_layer, strict=True)]
        for layer, of_layer in zip(graph.layers, offsets, strict=True)
    ]


def _offsets(layer: Sequence[int], halves: Sequence[float], nodes: int) -> list[float]:
    """Return the least height of each above the first of its layer."""
    offsets = [0.0]
    for x, y in pairwise(layer):
        between = BETWEEN_BOXES if x < nodes and y < nodes else BETWEEN_LINES if x < nodes or y < nodes else 0.0
        offsets.append(offsets[-1] + halves[x] + between + halves[y])
    return offsets


def _monotone(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the rising values that are nearest to these, by least squares."""
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many
    for value, weight in zip(values, weights, strict=True):
        block = (value, weight, 1)
        while blocks and blocks[-1][0] > block[0]:
            mean, heavy, count = blocks.pop()
            both = heavy + block[1]
            block = ((mean * heavy + block[0] * block[1]) / both, both, count + block[2])
        blocks.append(block)
    return [mean for mean, _, count in blocks for _ in range(count)]


def _ports(graph: LayeredGraph, lines: Sequence[Line], box_heights: Sequence[float], place: Sequence[float]) -> Ports:
    """Return how far below the center of a node each line meets it: heads stand side by side, and none cross."""
    sides: dict[tuple[int, bool], list[tuple[float, int]]] = {}  # by node and whether it is the right side
    for number, path in enumerate(graph.paths):
        sides.setdefault((path[0], True), []).append((place[path[1]], number))
        sides.setdefault((path[-1], False), []).append((place[path[-2]], number))
    ports: Ports = {}
    for (node, _), met in sides.items():
        has_heads = any(lines[number].head != "none" and lines[number].target == node for _, number in met)
        room = box_heights[node] - 2 * ABOVE_PORTS
        step = min(BETWEEN_HEADS if has_heads else BETWEEN_TAILS, room / len(met))
        for turn, (_, number) in enumerate(sorted(met)):
            ports[number, node] = (turn - (len(met) - 1) / 2) * step
    return ports
