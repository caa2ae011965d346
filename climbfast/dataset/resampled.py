"""The table of some rows of another one, with the levels of that one: a replicate of a bootstrap."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.column_rank import canonical_order
from climbfast.dataset.diagnostics import level_counts

if TYPE_CHECKING:
    from climbfast.dataset.dataset import Dataset

__all__ = ["resampled_fields"]


def resampled_fields(data: Dataset, drawn: NDArray[np.int64]) -> tuple[dict[str, Any], list[NDArray[np.int64]]]:
    """Return the fields of the table of drawn rows that differ from those of ``data``, and its ``level_counts``.

    Parameters
    ----------
    data : Dataset
    drawn : int64 array
        Rows, each as often as it was drawn; with weights a row of ``data`` stands for several of these.

    Returns
    -------
    fields : dict
        ``codes``, ``canonical``, ``arity``, ``incomplete`` and ``weights``. The order of the columns is that of the
        drawn table, as if it had been read.
    counts : list of int64 arrays
    """
    by_name = [data.positions[name] for name in data.sorted_names]
    codes, weights = _drawn(data, drawn)
    arity = data.arity[by_name]
    codes = codes[by_name]
    incomplete = data.incomplete[by_name]
    incomplete[incomplete] = (codes[incomplete] == arity[incomplete, np.newaxis]).any(axis=1)
    counts = level_counts(codes, arity, weights)
    order, _ = canonical_order(codes, incomplete, counts, weights)
    canonical: tuple[Hashable, ...] = tuple(data.sorted_names[i] for i in order)
    fields = {
        "codes": codes[order],
        "canonical": canonical,
        "arity": arity[order],
        "incomplete": incomplete[order],
        "weights": weights,
    }
    return fields, [counts[i] for i in order]


def _drawn(data: Dataset, drawn: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64] | None]:
    if data.weights is None:
        return np.take(data.codes, drawn, axis=1), None
    stored = np.searchsorted(np.cumsum(data.weights), drawn, side="right")
    counts = np.bincount(stored, minlength=len(data.weights))
    occurring = np.flatnonzero(counts)
    return np.take(data.codes, occurring, axis=1), counts[occurring].astype(np.int64)
