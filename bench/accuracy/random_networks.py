"""Random networks of several kinds, each made by its number: ``random_network(1)``, ``random_network(2)``, ...

The number is the seed of everything: 20 to 60 columns, 1.2 to 2 edges per column, and 2 to 5 levels per column. One
third of the networks of each kind of tables has all parents drawn uniformly among the earlier columns; one third draws
columns that already have edges more often, which makes hubs; one third draws among the ten columns before.

Kinds of tables, by turns: "free" (each row is a draw of a symmetric Dirichlet distribution with parameter 1, or .5),
"additive" (the logarithm of a row is a sum of one effect for each parent), and "noisy-max" (each parent draws a level
by its own table, and the largest counts; with two levels that is noisy-or).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from climbfast import Network

__all__ = ["KINDS", "SHAPES", "random_network"]

Table = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
KINDS = ("free, 1", "free, .5", "additive", "noisy-max")
SHAPES = ("uniform", "hubs", "near")
MOST_PARENTS = 5
MOST_ROWS = 400  # of a table: more could not be seen in some thousand rows of data
NEAR = 10
EFFECT = 1.5


class Shape(NamedTuple):
    """The parents of every column, and the levels."""

    parents: list[list[int]]
    levels: list[int]


def random_network(number: int) -> Network:
    """Make a network.

    Parameters
    ----------
    number : int
        1 or more. The kind of tables is ``KINDS[(number − 1) % 4]``.
    """
    rng = np.random.default_rng([7, number])
    kind, shape = KINDS[(number - 1) % len(KINDS)], SHAPES[(number - 1) // len(KINDS) % len(SHAPES)]
    parents, levels = _draw_shape(rng, shape)
    # The order of names, which is that of the columns of a file, says nothing of causes.
    names = [f"v{place:03}" for place in rng.permutation(len(parents)) + 1]
    tables = {names[x]: TABLES[kind](rng, [levels[y] for y in of_x], levels[x]) for x, of_x in enumerate(parents)}
    states = {names[x]: tuple(map(str, range(k))) for x, k in enumerate(levels)}
    return Network(
        f"random:{number}",
        {name: states[name] for name in sorted(names)},
        {names[x]: tuple(names[y] for y in of_x) for x, of_x in enumerate(parents)},
        tables,
    )


def _draw_shape(rng: np.random.Generator, shape: str) -> Shape:
    """Draw columns in topological order, their levels, and edges until there are as many as wanted."""
    columns = int(rng.integers(20, 61))
    wanted = round(columns * rng.uniform(1.2, 2.0))
    levels = rng.choice([2, 3, 4, 5], size=columns, p=[0.4, 0.3, 0.2, 0.1]).tolist()
    parents: list[list[int]] = [[] for _ in range(columns)]
    degree = np.zeros(columns)
    edges = 0
    for _ in range(50 * wanted):
        if edges == wanted:
            break
        x = int(rng.integers(1, columns))
        y = _draw_parent(rng, x, shape, degree)
        rows = int(np.prod([levels[z] for z in parents[x]])) * levels[y]
        if y in parents[x] or len(parents[x]) == MOST_PARENTS or rows > MOST_ROWS:
            continue
        parents[x].append(y)
        degree[[x, y]] += 1
        edges += 1
    return Shape(parents, levels)


def _draw_parent(rng: np.random.Generator, x: int, shape: str, degree: Table) -> int:
    if shape == "near":
        return int(rng.integers(max(0, x - NEAR), x))
    weights = degree[:x] + 0.5 if shape == "hubs" else np.ones(x)
    return int(rng.choice(x, p=weights / weights.sum()))


def _free(rng: np.random.Generator, parents: Sequence[int], levels: int, concentration: float) -> Table:
    return rng.dirichlet(np.full(levels, concentration), size=tuple(parents))


def _additive(rng: np.random.Generator, parents: Sequence[int], levels: int) -> Table:
    total = rng.normal(0, 0.7, size=levels) * np.ones((*parents, 1))
    for axis, k in enumerate(parents):
        shape = [1] * len(parents) + [levels]
        shape[axis] = k
        total = total + rng.normal(0, EFFECT, size=(k, levels)).reshape(shape)
    weights = np.exp(total - total.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def _noisy_max(rng: np.random.Generator, parents: Sequence[int], levels: int) -> Table:
    """Multiply the distribution functions of the parents' draws; the first level of a parent draws the first level."""
    base = np.sort(rng.uniform(0.6, 0.95, size=levels - 1)) if parents else np.sort(rng.uniform(0.2, 0.8, levels - 1))
    below = np.append(base, 1.0) * np.ones((*parents, 1))
    for axis, k in enumerate(parents):
        of_parent = np.ones((k, levels))
        of_parent[1:, :-1] = np.sort(rng.uniform(0.05, 0.8, size=(k - 1, levels - 1)), axis=1)
        shape = [1] * len(parents) + [levels]
        shape[axis] = k
        below = below * of_parent.reshape(shape)
    table = np.diff(below, axis=-1, prepend=0.0)
    return table / table.sum(axis=-1, keepdims=True)


TABLES: Mapping[str, Callable[[np.random.Generator, Sequence[int], int], Table]] = {
    "free, 1": lambda rng, parents, levels: _free(rng, parents, levels, 1.0),
    "free, .5": lambda rng, parents, levels: _free(rng, parents, levels, 0.5),
    "additive": _additive,
    "noisy-max": _noisy_max,
}
