"""Random networks of numeric columns, and tables drawn from them.

Three kinds of dependence: "linear" (linear Gaussian), "kinks" (the slope of every effect changes at a random point,
also its sign, and the noise is skewed), and "mixed" (a third of the columns have two to four levels, the others are
Gaussian with slopes and means that depend on the levels).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

KINDS = ("linear", "kinks", "mixed")
COLUMNS, PARENTS = 20, 1.6  # the mean number of parents

Column = NDArray[Any]


class NumericTable(NamedTuple):
    """A table and the parents of each of its columns."""

    columns: dict[str, Column]
    parents: dict[str, tuple[str, ...]]

    def first(self, rows: int) -> dict[str, Column]:
        """The table of the first rows."""
        return {name: cells[:rows] for name, cells in self.columns.items()}


def draw_table(kind: str, rows: int, seed: int) -> NumericTable:
    """Draw a network of a kind, and a table from it."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    names = [f"x{i:02d}" for i in rng.permutation(COLUMNS)]
    columns: dict[str, Column] = {}
    parents: dict[str, tuple[str, ...]] = {}
    for place, name in enumerate(names):
        count = min(place, rng.binomial(4, PARENTS / 4))
        parents[name] = tuple(rng.choice(names[:place], count, replace=False)) if count else ()
        of_parents = [columns[parent] for parent in parents[name]]
        columns[name] = _DRAW[kind](of_parents, rows, rng)
    return NumericTable(columns, parents)


def _slope(rng: np.random.Generator) -> float:
    return float(rng.choice([-1, 1]) * rng.uniform(0.5, 1.2))


def _standardized(cells: Column) -> Column:
    return (cells - cells.mean()) / (cells.std() or 1.0)


def _linear(parents: list[Column], rows: int, rng: np.random.Generator) -> Column:
    effects = sum((_slope(rng) * _standardized(parent) for parent in parents), np.zeros(rows))
    return effects + rng.normal(size=rows)


def _kinks(parents: list[Column], rows: int, rng: np.random.Generator) -> Column:
    cells = rng.exponential(size=rows) - 1
    for parent in parents:
        x = _standardized(parent)
        bend = np.quantile(x, rng.uniform(0.2, 0.8))
        cells += np.where(x < bend, _slope(rng) * (x - bend), _slope(rng) * (x - bend))
    return cells


def _mixed(parents: list[Column], rows: int, rng: np.random.Generator) -> Column:
    levels = int(rng.integers(2, 5)) if rng.random() < 1 / 3 else 1
    effects = np.zeros((levels, rows))
    for parent in parents:
        if parent.dtype.kind == "U":
            _, codes = np.unique(parent, return_inverse=True)
            effects += np.array([[_slope(rng) for _ in range(codes.max() + 1)] for _ in range(levels)])[:, codes]
        else:
            effects += np.array([[_slope(rng)] for _ in range(levels)]) * _standardized(parent)
    if levels == 1:
        return effects[0] + rng.normal(size=rows)
    chosen = (2 * effects + rng.gumbel(size=effects.shape)).argmax(axis=0)
    return np.array([f"level {level}" for level in range(levels)])[chosen]


_DRAW = {"linear": _linear, "kinks": _kinks, "mixed": _mixed}
