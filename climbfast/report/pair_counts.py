"""How often the levels of two neighbors occur together, for the bars on the page of a run."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np

from climbfast.blankets.blankets import Blankets
from climbfast.dataset import Dataset
from climbfast.names import excerpt
from climbfast.report.labels import level_text

__all__ = ["MOST_LEVELS", "pair_counts"]

MOST_LEVELS = 8  # of a column whose tables are shown
MOST_COUNTS = 600_000  # in all tables, for a page of a few megabytes
MOST_CELLS_READ = 600_000_000  # a second or two
MOST_CHARACTERS = 40  # of a level

Pair = tuple[int, int]


def pair_counts(blankets: Blankets, data: Dataset | None, names: Mapping[Hashable, str]) -> dict[str, Any]:
    """Return the tables of targets and their neighbors, as values of JSON.

    Parameters
    ----------
    blankets : Blankets
    data : Dataset or None
    names : mapping of name to str
        All columns that occur in the blankets; a column is a place in it.

    Returns
    -------
    dict
        `levels`: the levels of every column that has a table, as they are shown. `tables`: two columns, and the numbers
        of rows by the levels of the first and, within them, of the second; rows in which either is missing do not
        count. It is empty without data, and where there would be too many numbers for a page.
    """
    if data is None or not all(name in data.positions for name in names):
        return {}
    column = list(names)
    few = {x for x, name in enumerate(column) if 1 < len(data.levels[name]) <= MOST_LEVELS}
    pairs = [pair for pair in _pairs(blankets, names) if few.issuperset(pair)]
    size = sum(len(data.levels[column[x]]) * len(data.levels[column[y]]) for x, y in pairs)
    if not pairs or size > MOST_COUNTS or len(pairs) * data.codes.shape[1] > MOST_CELLS_READ:
        return {}
    shown = sorted({x for pair in pairs for x in pair})
    return {
        "levels": {x: [_level_text(level) for level in data.levels[column[x]]] for x in shown},
        "tables": [[x, y, _table(data, column[x], column[y])] for x, y in pairs],
    }


def _pairs(blankets: Blankets, names: Mapping[Hashable, str]) -> Iterator[Pair]:
    """Yield every target and each of its neighbors, each pair once, in the order of names."""
    place = {name: i for i, name in enumerate(names)}
    found = {
        (min(x, y), max(x, y))
        for target, blanket in blankets.items()
        for x in (place[target],)
        for y in map(place.__getitem__, blanket.neighbors)
    }
    return iter(sorted(found))


def _table(data: Dataset, x: Hashable, y: Hashable) -> list[int]:
    """Return the numbers of rows by the levels of x and, within them, of y."""
    (a, k), (b, m) = ((data.codes[i], int(data.arity[i])) for i in (data.index(x), data.index(y)))
    # A missing cell has the arity of its column for a code: one level more, which is left out.
    cells = a.astype(np.intp) * (m + 1) + b
    counts = np.bincount(cells, weights=data.weights, minlength=(k + 1) * (m + 1)).reshape(k + 1, m + 1)
    found: list[int] = counts[:k, :m].astype(np.int64).ravel().tolist()
    return found


def _level_text(level: Hashable) -> str:
    text = level_text(level)
    return text if len(text) <= MOST_CHARACTERS else excerpt(level, limit=MOST_CHARACTERS)
