"""The layer of each node: causes to the left of their effects, neighbors near each other, no layer too high."""

from __future__ import annotations

import math
from collections.abc import Sequence

from climbfast.plots.picture import Line

__all__ = ["layers_of", "split_layers"]

Pair = tuple[int, int]


def layers_of(number: int, lines: Sequence[Line]) -> list[int]:
    """Return the layer of each node.

    A line goes from a lower layer to a higher one, except those that would close a directed cycle; a line without a
    head has no direction, and goes either way.
    """
    place = _causal_order(number, lines)
    arcs = [_forward(line, place) for line in lines]
    return _near_neighbors(place, arcs)


def _causal_order(number: int, lines: Sequence[Line]) -> list[int]:
    """Return the place of each node in an order in which causes are first and neighbors near each other."""
    import networkx as nx

    arrows = nx.DiGraph()
    arrows.add_nodes_from(range(number))
    arrows.add_edges_from((line.source, line.target) for line in lines if line.head != "none")
    on_cycle = {x: cycle for cycle, members in enumerate(nx.strongly_connected_components(arrows)) for x in members}
    near = [[y for line in lines for y in _other_end(line, x)] for x in range(number)]
    place: dict[int, int] = {}

    def turn(x: int) -> tuple[bool, int, int, int, int]:
        """Return what is smallest for the node that is next; where a cycle must be broken, by its fewest parents."""
        parents = [y for y in arrows.predecessors(x) if y not in place]
        has_cause = any(on_cycle[y] != on_cycle[x] for y in parents)
        return has_cause, len(parents), -sum(y in place for y in near[x]), -len(near[x]), x

    left = set(range(number))
    while left:
        chosen = min(left, key=turn)
        place[chosen] = len(place)
        left.remove(chosen)
    return [place[x] for x in range(number)]


def _other_end(line: Line, x: int) -> list[int]:
    return [end for end in (line.source, line.target) if end != x] if x in (line.source, line.target) else []


def _forward(line: Line, place: Sequence[int]) -> Pair:
    ends = line.source, line.target
    return ends if place[ends[0]] < place[ends[1]] else ends[::-1]


def _near_neighbors(place: Sequence[int], arcs: Sequence[Pair]) -> list[int]:
    """Return the longest path to each node, shifted where that makes lines shorter."""
    number = len(place)
    before: list[list[int]] = [[] for _ in range(number)]
    after: list[list[int]] = [[] for _ in range(number)]
    for x, y in arcs:
        after[x].append(y)
        before[y].append(x)
    order = sorted(range(number), key=place.__getitem__)
    layer = [0] * number
    for x in order:
        layer[x] = max((layer[y] + 1 for y in before[x]), default=0)
    for _ in range(number):
        changed = False
        for x in reversed(order):
            if len(after[x]) > len(before[x]):
                nearest = min(layer[y] for y in after[x]) - 1
            elif len(before[x]) > len(after[x]):
                nearest = max(layer[y] for y in before[x]) + 1
            else:
                continue
            changed |= nearest != layer[x]
            layer[x] = nearest
        if not changed:
            break
    first = min(layer, default=0)
    return [each - first for each in layer]


def split_layers(layers: Sequence[int], arcs: Sequence[Pair], most: int) -> list[int]:
    """Return layers of which none has more than so many nodes, and none is empty: high ones become several."""
    balance = [0] * len(layers)  # lines to the right, minus those to the left
    for x, y in arcs:
        left, right = (x, y) if layers[x] < layers[y] else (y, x)
        balance[left] += 1
        balance[right] -= 1
    found = [0] * len(layers)
    next_layer = 0
    for layer in sorted(set(layers)):
        members = sorted((x for x, each in enumerate(layers) if each == layer), key=lambda x: (balance[x] > 0, x))
        parts = math.ceil(len(members) / most)
        for turn, x in enumerate(members):
            found[x] = next_layer + turn * parts // len(members)
        next_layer += parts
    return found
