"""Tables with missing cells, and the tests on them a second time: on the table cut down to its complete rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

import climbfast as cf
from tests import reference
from tests.factories import Codes, draw_net, numbered, quiet

Cells = Mapping[str, Sequence[int | None]]
KINDS = ("at random", "by another column", "all but one row", "a whole column")


def table(kind: str, rows: int, arities: Sequence[int], seed: int = 0) -> dict[str, list[int | None]]:
    """Columns a, b, c, … of which each leans on the one before it; every third one has no missing cells."""
    rng = np.random.default_rng(seed)
    columns: list[Codes] = []
    for k in arities:
        own = rng.integers(0, k, rows)
        columns.append(np.where(rng.random(rows) < 0.5, columns[-1] % k, own) if columns else own)
    missing = np.zeros((len(columns), rows), np.bool_)
    for j in range(len(columns)):
        if kind == "at random" and j % 3:
            missing[j] = rng.random(rows) < rng.choice([0.02, 0.3, 0.8])
        elif kind == "by another column" and j:
            missing[j] = columns[j - 1] == 0
        elif kind == "all but one row" and j % 3:
            missing[j] = np.arange(rows) != 5
        elif kind == "a whole column":
            missing[j] = j == len(columns) - 1
    codes = np.where(missing, np.array(arities)[:, None], columns)
    letters = zip("abcdefghijklmnopqrstuvwxyz", cells_of(codes, arities).values(), strict=False)
    return dict(letters)


def net_with_gaps(seed: int, columns: int = 7, rows: int = 150, *, share: float = 0.1) -> dict[str, list[int | None]]:
    """The columns of ``draw_net``, of which every third one is complete."""
    codes = draw_net(seed, columns, rows)
    missing = np.random.default_rng(seed).random(codes.shape) < share
    missing[::3] = False
    return cells_of(np.where(missing, 3, codes), [3] * columns)


def cells_of(codes: Codes, arities: Sequence[int]) -> dict[str, list[int | None]]:
    """The codes by names that sort in their order; a code that is the arity is a missing cell."""
    columns = zip(codes.tolist(), arities, strict=True)
    return {f"c{i:02}": [None if v == k else v for v in column] for i, (column, k) in enumerate(columns)}


def encoded(cells: Cells, **options: Any) -> cf.Dataset:
    """The data with missing cells test by test; ids too, because columns of few rows look like ids.

    Columns are numbered in the order of their names.
    """
    return numbered(as_read(cells, **options))


def as_read(cells: Cells, **options: Any) -> cf.Dataset:
    """The same data with columns in canonical order."""
    return quiet(cells, missing="test-wise", keep_ids=True, **options)


def complete_rows(cells: Cells, names: Sequence[str]) -> dict[str, list[int]]:
    """Some columns, in the rows in which none of them is missing."""
    rows = zip(*(cells[name] for name in names), strict=True)
    kept = [row for row in rows if None not in row]
    return {name: [row[i] for row in kept] for i, name in enumerate(names)}  # type: ignore[misc]


def cut_down(data: cf.Dataset, cells: Cells, names: Sequence[str]) -> cf.Dataset | None:
    """The complete rows of some columns as data of the same levels; None if there are no such rows."""
    kept = complete_rows(cells, names)
    if not kept[names[0]]:
        return None
    return quiet(kept, declared_levels={name: list(data.levels[name]) for name in names}, keep_ids=True)


def naive_strength(data: cf.Dataset, make: Callable[..., reference.Strength]) -> reference.Strength:
    """A strength of the reference on the rows that are complete in the columns of each test."""
    arities = data.arity.tolist()

    @cache
    def strength_of(x: int, y: int, given: tuple[int, ...]) -> float:
        used = [x, y, *given]
        complete = (data.codes[used] != data.arity[used, None]).all(axis=0)
        if not complete.any():
            return -1.0
        return make(data.codes[:, complete].tolist(), arities)(x, y, given)

    return lambda x, y, given: strength_of(min(x, y), max(x, y), tuple(sorted(given)))
