"""The table of some rows of another one, with the levels of that one: a replicate of a bootstrap."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.column_rank import canonical_order
from climbfast.dataset.diagnostics import count_codes, level_counts

if TYPE_CHECKING:
    from climbfast.dataset.dataset import Dataset
    from climbfast_kernels.bits import Bits

__all__ = ["resampled_fields"]


def resampled_fields(data: Dataset, drawn: NDArray[np.int64]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields of the table of drawn rows that differ from those of ``data``, and what is computed of it.

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
    computed : dict
        ``level_counts``, and ``bits`` unless there are weights.
    """
    from climbfast_kernels.bits import in_order, pack

    by_name = [data.positions[name] for name in data.sorted_names]
    codes, weights = _drawn(data, drawn)
    arity = data.arity[by_name]
    codes = codes[by_name]
    incomplete = data.incomplete[by_name]
    incomplete[incomplete] = (codes[incomplete] == arity[incomplete, np.newaxis]).any(axis=1)
    bits = pack(codes, arity, incomplete, codes.shape[1]) if weights is None else None
    counts = level_counts(codes, arity, weights, incomplete) if bits is None else _level_counts(codes, bits)
    order, _ = canonical_order(codes, incomplete, counts, weights)
    canonical: tuple[Hashable, ...] = tuple(data.sorted_names[i] for i in order)
    fields = {
        "codes": codes[order],
        "canonical": canonical,
        "arity": arity[order],
        "incomplete": incomplete[order],
        "weights": weights,
    }
    computed: dict[str, Any] = {"level_counts": [counts[i] for i in order]}
    if bits is not None:
        computed["bits"] = in_order(bits, np.array(order, dtype=np.int64))
    return fields, computed


def _level_counts(codes: NDArray[Any], bits: Bits) -> list[NDArray[np.int64]]:
    """Return the number of rows of each level from the bitmaps, or from the codes of a column that has none."""
    return [
        bits.count[first : first + size] if first >= 0 else count_codes(row, size, None)
        for row, first, size in zip(codes, bits.offset.tolist(), bits.arity.tolist(), strict=True)
    ]


def _drawn(data: Dataset, drawn: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64] | None]:
    if data.weights is None:
        return np.take(data.codes, drawn, axis=1), None
    stored = np.searchsorted(np.cumsum(data.weights), drawn, side="right")
    counts = np.bincount(stored, minlength=len(data.weights))
    occurring = np.flatnonzero(counts)
    return np.take(data.codes, occurring, axis=1), counts[occurring].astype(np.int64)
