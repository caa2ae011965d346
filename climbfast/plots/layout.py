"""Places on paper, in inches: boxes in layers, causes before effects, and curves between them that cross no box.

Lines bend only in the gaps between layers; within a layer they are straight, and have a place of their own among its
boxes. Layers are columns from left to right, or rows from top to bottom where that fits a page better. All is computed
for columns; rows are columns of boxes with width and height exchanged, turned at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from climbfast.plots.crossings import LayeredGraph, layered_graph, with_few_crossings
from climbfast.plots.heights import BETWEEN_HEADS, BETWEEN_LINES, Heights, heights_of
from climbfast.plots.labels import Label, label_of
from climbfast.plots.layers import layers_of, split_layers
from climbfast.plots.picture import Line, Picture

__all__ = ["Box", "Curve", "Layout", "Point", "layout_of"]

PADDING = (0.09, 0.055)  # between the text and the border of a box
BETWEEN_PARTS = 0.22  # of a graph that is not connected
LEAST_GAP, MOST_GAP = 0.42, 1.3  # between layers
RISE_OF_COLUMNS, RISE_OF_ROWS = 0.22, 0.06  # of a gap for the steepest line in it
MOST_IN_A_COLUMN, MOST_IN_A_ROW = 16, 9
PAGE = (10.0, 7.2)  # A4 or Letter on its side
WORTH_TURNING = 1.15

Point = tuple[float, float]


class Box(NamedTuple):
    """The box of a node: its center, its size, and its label."""

    x: float
    y: float
    width: float
    height: float
    label: Label

    @property
    def left(self) -> float:
        """Its left side."""
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        """Its right side."""
        return self.x + self.width / 2


Curve = tuple[Point, ...]
"""The way of a line, from its source to its target: points at which it runs from layer to layer."""


@dataclass(frozen=True)
class Layout:
    """Boxes by node and curves by line, within a width and a height; y grows upward.

    Attributes
    ----------
    boxes : tuple of Box
    curves : tuple of Curve
    width, height : float
    is_turned : bool
        Whether layers are rows from top to bottom, not columns from left to right.
    """

    boxes: tuple[Box, ...]
    curves: tuple[Curve, ...]
    width: float
    height: float
    is_turned: bool = False

    @property
    def scale(self) -> float:
        """How much it has to be reduced to fit a page."""
        return min(1.0, PAGE[0] / max(self.width, 0.1), PAGE[1] / max(self.height, 0.1))


def layout_of(picture: Picture) -> Layout:
    """Return where everything is: the parts that are not connected below each other, the largest first.

    Layers that the picture gives are columns.
    """
    in_columns = _layout(picture, is_turned=False)
    if in_columns.scale == 1.0 or picture.layers is not None:
        return in_columns
    in_rows = _layout(picture, is_turned=True)
    return in_rows if in_rows.scale > WORTH_TURNING * in_columns.scale else in_columns


def _layout(picture: Picture, *, is_turned: bool) -> Layout:
    labels = [label_of(node.text) for node in picture.nodes]
    if picture.layers is not None:
        return _connected(labels, picture.lines, picture.layers, is_turned=is_turned)
    parts = _parts(len(labels), picture.lines)
    layouts = []
    for part in parts:
        number = {x: i for i, x in enumerate(part)}
        inside = [
            line._replace(source=number[line.source], target=number[line.target])
            for line in _in_part(part, picture.lines)
        ]
        layers = layers_of(len(part), inside)
        layouts.append(_connected([labels[x] for x in part], inside, layers, is_turned=is_turned))
    return _packed(parts, layouts, picture.lines)


def _in_part(part: Sequence[int], lines: Sequence[Line]) -> list[Line]:
    members = set(part)
    return [line for line in lines if line.source in members]


def _parts(number: int, lines: Sequence[Line]) -> list[list[int]]:
    """Return the nodes of each connected part, the largest part first."""
    part = list(range(number))

    def root(x: int) -> int:
        while part[x] != x:
            x = part[x]
        return x

    for line in lines:
        first, second = sorted((root(line.source), root(line.target)))
        part[second] = first
    members: dict[int, list[int]] = {}
    for x in range(number):
        members.setdefault(root(x), []).append(x)
    return sorted(members.values(), key=lambda each: (-len(each), each))


def _packed(parts: Sequence[Sequence[int]], layouts: Sequence[Layout], lines: Sequence[Line]) -> Layout:
    """Put parts side by side in rows, as words on a page."""
    page = max([PAGE[0], *(layout.width for layout in layouts)])
    shifts: list[Point] = []
    x = top = deepest = width = 0.0
    for layout in layouts:
        if x and x + layout.width > page:
            x, top = 0.0, deepest - BETWEEN_PARTS
        shifts.append((x, top - layout.height))
        deepest = min(deepest, top - layout.height)
        width = max(width, x + layout.width)
        x += layout.width + BETWEEN_PARTS
    boxes: dict[int, Box] = {}
    curves: dict[Line, Curve] = {}
    for part, layout, (right, up) in zip(parts, layouts, shifts, strict=True):
        moved = _moved(layout, right, up - deepest)
        boxes |= dict(zip(part, moved.boxes, strict=True))
        curves |= dict(zip(_in_part(part, lines), moved.curves, strict=True))
    return Layout(
        tuple(boxes[node] for node in range(len(boxes))),
        tuple(curves[line] for line in lines),
        width,
        -deepest,
        any(layout.is_turned for layout in layouts),
    )


def _moved(layout: Layout, right: float, up: float) -> Layout:
    boxes = tuple(box._replace(x=box.x + right, y=box.y + up) for box in layout.boxes)
    curves = tuple(tuple((x + right, y + up) for x, y in curve) for curve in layout.curves)
    return replace(layout, boxes=boxes, curves=curves)


# ---- one part


def _connected(labels: Sequence[Label], lines: Sequence[Line], layers: Sequence[int], *, is_turned: bool) -> Layout:
    arcs = [(line.source, line.target) for line in lines]
    split = split_layers(layers, arcs, MOST_IN_A_ROW if is_turned else MOST_IN_A_COLUMN)
    graph = with_few_crossings(layered_graph(split, arcs))
    sizes = _sizes(labels, _heads_at(lines, split), is_turned=is_turned)
    heights = heights_of(graph, lines, [height for _, height in sizes])
    y = heights.centers
    columns = _columns(graph, [width for width, _ in sizes], y, RISE_OF_ROWS if is_turned else RISE_OF_COLUMNS)
    boxes = []
    for x, (label, (width, height)) in enumerate(zip(labels, sizes, strict=True)):
        left, right = columns[split[x]]
        boxes.append(Box((left + right) / 2, y[x], width, height, label))
    curves = _curves(graph, lines, boxes, columns, heights)
    layout = Layout(tuple(boxes), curves, columns[-1][1], _top(graph, sizes, y))
    return _turned(layout) if is_turned else layout


def _turned(layout: Layout) -> Layout:
    """Return the layout with rows in the place of columns, the first one at the top."""

    def turned(point: Point) -> Point:
        return layout.height - point[1], layout.width - point[0]

    boxes = tuple(Box(*turned((box.x, box.y)), box.height, box.width, box.label) for box in layout.boxes)
    curves = tuple(tuple(map(turned, curve)) for curve in layout.curves)
    return Layout(boxes, curves, layout.height, layout.width, is_turned=True)


def _sizes(labels: Sequence[Label], heads: Sequence[tuple[int, int]], *, is_turned: bool) -> list[Point]:
    """Return the size of each box along and across the lines, with room for all heads that end at one side."""
    sizes = []
    for label, at in zip(labels, heads, strict=True):
        width, height = label.width + 2 * PADDING[0], label.height + 2 * PADDING[1]
        along, across = (height, width) if is_turned else (width, height)
        sizes.append((along, max(across, BETWEEN_HEADS * (max(at) + 0.6))))
    return sizes


def _top(graph: LayeredGraph, sizes: Sequence[Point], y: Sequence[float]) -> float:
    return max(y[x] + (sizes[x][1] / 2 if x < len(sizes) else BETWEEN_LINES) for layer in graph.layers for x in layer)


def _heads_at(lines: Sequence[Line], layers: Sequence[int]) -> list[tuple[int, int]]:
    """Return how many heads end at the left and at the right side of each node."""
    heads = [[0, 0] for _ in layers]
    for line in lines:
        if line.head != "none":
            heads[line.target][layers[line.source] > layers[line.target]] += 1
    return [(left, right) for left, right in heads]


def _columns(graph: LayeredGraph, widths: Sequence[float], y: Sequence[float], rise_of_gap: float) -> list[Point]:
    """Return the left and the right side of each layer; where lines rise much, the gap is wide."""
    layer_of = {x: number for number, layer in enumerate(graph.layers) for x in layer}
    rise = [0.0] * len(graph.layers)
    for a, b in graph.segments():
        rise[layer_of[a]] = max(rise[layer_of[a]], abs(y[a] - y[b]))
    columns: list[Point] = []
    left = 0.0
    for number, layer in enumerate(graph.layers):
        right = left + max((widths[x] for x in layer if x < len(widths)), default=0.0)
        columns.append((left, right))
        left = right + min(max(LEAST_GAP, 0.35 + rise_of_gap * rise[number]), MOST_GAP)
    return columns


def _curves(
    graph: LayeredGraph, lines: Sequence[Line], boxes: Sequence[Box], columns: Sequence[Point], heights: Heights
) -> tuple[Curve, ...]:
    y, ports = heights
    layer_of = {x: number for number, layer in enumerate(graph.layers) for x in layer}
    curves = []
    for number, (line, path) in enumerate(zip(lines, graph.paths, strict=True)):
        first, last = path[0], path[-1]
        points = [(boxes[first].right, ports[number, first]), (columns[layer_of[first]][1], ports[number, first])]
        for bend in path[1:-1]:
            left, right = columns[layer_of[bend]]
            points += [(left, y[bend]), (right, y[bend])]
        points += [(columns[layer_of[last]][0], ports[number, last]), (boxes[last].left, ports[number, last])]
        curves.append(tuple(points if line.source == first else points[::-1]))
    return tuple(curves)
