"""The frequencies as a table, and back."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from climbfast.blankets.name_encoding import name_encoding_of
from climbfast.forks import refuse_in_forked_child
from climbfast.names import quote_formula
from climbfast.resampling.records import ROLES, Counts, without_figures

if TYPE_CHECKING:
    import polars as pl

__all__ = ["cells_of_names", "counts_in", "frame_of"]

FIGURES = ("margin", "margin_spread", "strength", "strength_spread")
_OF_PAIR = ("edge", "x_to_y", "y_to_x")
_OF_MEMBER = ("edge", "to_member", "to_target")

Ints = NDArray[np.int64]


def cells_of_names(names: Sequence[Hashable], *, quote_formulas: bool = False) -> list[str | int]:
    """Return how names are written in the cells of a table: text and integers as they are, mixed ones as JSON."""
    encoding = name_encoding_of(names)
    if quote_formulas and encoding.kind == "text":  # JSON is no formula, and numbers cannot do harm
        return [quote_formula(str(name)) for name in names]
    return [encoding.write(name) for name in names]


def frame_of(cells: Sequence[str | int], pairs: Counts, members: Counts | None, replicates: int) -> pl.DataFrame:
    """Return the frequencies as a table, see ``Bootstrap.to_frame``.

    Parameters
    ----------
    cells : sequence
        What stands for each column.
    pairs : Counts
    members : Counts or None
    replicates : int
    """
    import polars as pl

    refuse_in_forked_child("a polars frame")
    ends, shares, figures = _of_pairs(pairs, replicates) if members is None else _of_members(pairs, members, replicates)
    dtype = pl.String if any(isinstance(cell, str) for cell in cells) else pl.Int64
    named = {name: pl.Series([cells[i] for i in places.tolist()], dtype=dtype) for name, places in ends.items()}
    known = {name: pl.Series(getattr(figures, name), dtype=pl.Float64).fill_nan(None) for name in FIGURES}
    return pl.DataFrame({**named, **shares, **known})


_Columns = tuple[Mapping[str, Ints], Mapping[str, NDArray[np.float64]], Counts]


def _of_pairs(pairs: Counts, replicates: int) -> _Columns:
    edge, forward, backward = pairs.counts.T
    counts = dict(zip((*_OF_PAIR, "undirected"), (edge, forward, backward, edge - forward - backward), strict=True))
    return {"x": pairs.x, "y": pairs.y}, {name: count / replicates for name, count in counts.items()}, pairs


def _of_members(pairs: Counts, members: Counts, replicates: int) -> _Columns:
    of_pair = _counts_of_pairs(pairs, members)
    counts = {
        "found": members.counts.sum(axis=1),
        **dict(zip(ROLES, members.counts.T, strict=True)),
        **dict(zip(_OF_MEMBER, of_pair.T, strict=True)),
    }
    ends = {"target": members.x, "member": members.y}
    return ends, {name: count / replicates for name, count in counts.items()}, members


def _counts_of_pairs(pairs: Counts, members: Counts) -> Ints:
    """Return for each member the counts of its pair: with an edge, directed to the member, and to the target."""
    number = {ends: i for i, ends in enumerate(zip(pairs.x.tolist(), pairs.y.tolist(), strict=True))}
    low, high = np.minimum(members.x, members.y).tolist(), np.maximum(members.x, members.y).tolist()
    place = np.array([number.get(ends, -1) for ends in zip(low, high, strict=True)], np.int64)
    counts = np.concatenate((pairs.counts, np.zeros((1, 3), np.int64)))[place]  # the last row: of no edge at all
    return _turned(counts, members.x > members.y)


def _turned(counts: Ints, is_turned: NDArray[np.bool_]) -> Ints:
    """Exchange the two directions in some rows."""
    return np.where(is_turned[:, np.newaxis], counts[:, [0, 2, 1]], counts)


def counts_in(
    table: Mapping[str, Sequence[Any]], cells: Sequence[str | int], replicates: int
) -> tuple[Counts, Counts | None]:
    """Return the counts of pairs and of members in the columns of a table.

    Raises
    ------
    LookupError, TypeError, ValueError
        For a table that is none of these.
    """
    if replicates < 1:
        raise ValueError("no replicates")
    place = {str(cell): i for i, cell in enumerate(cells)}

    def places(name: str) -> Ints:
        return np.array([place["" if cell is None else str(cell)] for cell in table[name]], np.int64)  # CSV has no ""

    def counts(names: Sequence[str]) -> Ints:
        shares = np.array([[float(cell) for cell in table[name]] for name in names], np.float64).T
        if not ((shares >= 0) & (shares <= 1)).all():
            raise ValueError("a share outside 0 to 1")
        return np.rint(shares.reshape(-1, len(names)) * replicates).astype(np.int64)

    figures = {name: np.array([_number(cell) for cell in table[name]], np.float64) for name in FIGURES}
    if "target" not in table:
        return Counts(places("x"), places("y"), counts(_OF_PAIR), **figures), None
    target, member = places("target"), places("member")
    of_pair = _turned(counts(_OF_MEMBER), target > member)
    ends = np.stack((np.minimum(target, member), np.maximum(target, member)), axis=1)[of_pair[:, 0] > 0]
    ends, first = np.unique(ends, axis=0, return_index=True)
    nothing = np.zeros(0)
    pairs = Counts(ends[:, 0], ends[:, 1], of_pair[of_pair[:, 0] > 0][first], nothing, nothing, nothing, nothing)
    return without_figures(pairs), Counts(target, member, counts(ROLES), **figures)


def _number(cell: Any) -> float:
    return math.nan if cell is None or cell == "" else float(cell)
