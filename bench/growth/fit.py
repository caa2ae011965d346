"""Exponents of growth: straight lines through the logarithms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from bench.growth.tasks import Point

LAST = 3  # points at the large end


class Growth(NamedTuple):
    """How one task grows along one axis.

    Attributes
    ----------
    exponent, at_the_end : float
        Time ~ size^exponent, over all points and over the last ones. Along ``given``: time ~ exponent^given, the
        factor of one more column.
    residual : float
        Root mean square of log(time / line), as a share: 0.1 is 10 %.
    """

    task: str
    axis: str
    sizes: tuple[int, ...]
    exponent: float
    at_the_end: float
    residual: float


def fit(points: Iterable[Point]) -> list[Growth]:
    """Fit a line to each task and axis, in the order of the points."""
    groups: dict[tuple[str, str], list[Point]] = {}
    for point in points:
        groups.setdefault((point.task, point.axis), []).append(point)
    return [_fit(task, axis, group) for (task, axis), group in groups.items()]


def _fit(task: str, axis: str, points: Sequence[Point]) -> Growth:
    sizes = [point.size for point in points]
    x, y = np.array(sizes, float), np.log([point.times for point in points])
    if axis != "given":
        x = np.log(x)
    slope, offset = np.polyfit(x, y, 1)
    at_the_end = np.polyfit(x[-LAST:], y[-LAST:], 1)[0]
    residual = float(np.expm1(np.sqrt(np.mean((y - slope * x - offset) ** 2))))
    if axis == "given":
        slope, at_the_end = np.exp(slope), np.exp(at_the_end)
    return Growth(task, axis, tuple(sizes), float(slope), float(at_the_end), residual)
