"""Graphs that are hard to draw, and what must not meet on paper."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

import climbfast as cf
from climbfast.graphs.graph import REASONS
from climbfast.plots.layout import Box, Layout

HARD_NAMES: tuple[Hashable, ...] = (
    "Größe", "年齢", "血圧", "x,y", 'a "b" c', "a\nb", "<script>alert(1)</script>", "$x^2$ & \\alpha_{", "Ωμέγα",
    "привет", "שלום", "👍", 1, "1", "", " ", "time since the last diagnosis of heart failure in whole months", "W" * 60,
    "i" * 300, "MixedCaseNameOfSomeVariableThatGoesOn", "snake_case_name_of_a_variable_that_goes_on", ("a", 1),
)  # fmt: skip


def random_graph(nodes: int, edges: int, seed: int, names: Sequence[Hashable] = ()) -> cf.Graph:
    """A graph of mostly directed edges between nodes that are near in an order, with all figures."""
    draw = random.Random(seed)
    names = names or [f"variable {i}" for i in range(nodes)]
    pairs = [pair for pair in combinations(range(nodes), 2) if draw.random() < 3 / (pair[1] - pair[0])]
    chosen = [(names[x], names[y]) for x, y in sorted(draw.sample(pairs, min(edges, len(pairs))))]
    is_directed = [draw.random() < 0.8 for _ in chosen]
    directed = [edge for edge, it_is in zip(chosen, is_directed, strict=True) if it_is]
    return cf.Graph(
        tuple(names),
        directed,
        [edge for edge, it_is in zip(chosen, is_directed, strict=True) if not it_is],
        strengths={edge: draw.expovariate(0.02) for edge in chosen},
        margins={edge: draw.expovariate(0.1) for edge in directed},
        reasons={edge: draw.choice(list(REASONS)) for edge in directed},
    )


def hub(leaves: int, *, outward: bool = True) -> cf.Graph:
    names = [f"leaf {i}" for i in range(leaves)]
    return cf.Graph((*names, "hub"), [("hub", name) if outward else (name, "hub") for name in names])


CASES = {
    "3": random_graph(3, 2, 0),
    "8": random_graph(8, 10, 1),
    "15": random_graph(15, 20, 2),
    "37": random_graph(37, 50, 3),
    "60": random_graph(60, 80, 4),
    "40, dense": random_graph(40, 113, 5),
    "names": random_graph(len(HARD_NAMES), 30, 6, HARD_NAMES),
    "long names": random_graph(12, 16, 7, [f"time since the last diagnosis of heart failure {i}" for i in range(12)]),
    "hub": hub(40),
    "sink": hub(59, outward=False),
    "complete": random_graph(12, 66, 8),
    "chain": cf.Graph(tuple(range(60)), [(i, i + 1) for i in range(59)]),
    "undirected": cf.Graph(tuple(range(20)), (), [(i, 2 * i + 3) for i in range(8)]),
    "cycle": cf.Graph(tuple("abcdef"), [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "d")], [("e", "f")]),
    "isolated": cf.Graph(tuple(f"lonely {i}" for i in range(30))),
    "one": cf.Graph(("alone",)),
}


def overlaps(layout: Layout) -> list[tuple[int, int]]:
    """The pairs of boxes that meet."""
    return [
        (i, j)
        for (i, first), (j, second) in combinations(enumerate(layout.boxes), 2)
        if abs(first.x - second.x) < (first.width + second.width) / 2
        and abs(first.y - second.y) < (first.height + second.height) / 2
    ]


def entered(points: NDArray[np.float64], boxes: Sequence[Box], border: float = 0.01) -> list[int]:
    """The boxes that have one of the points, given by their places in both directions, inside and not at the border."""
    x, y, width, height = np.array([(box.x, box.y, box.width, box.height) for box in boxes]).T[:, :, np.newaxis]
    is_inside = (abs(points[0] - x) < width / 2 - border) & (abs(points[1] - y) < height / 2 - border)
    return np.flatnonzero(is_inside.any(axis=1)).tolist()
