"""Data drawn by seed; the same arguments give the same object until ``forget_all``."""

from __future__ import annotations

from functools import cache

import numpy as np

from bench.shared.sparse_networks import simulate
from climbfast import Dataset


def load_bitmaps(data: Dataset) -> Dataset:
    """Return the data with bitmaps and tables of logarithms, which are else made on first use."""
    for part in ("bits", "log_tables"):
        getattr(data, part)
    return data


@cache
def uniform(rows: int, columns: int, arity: int) -> Dataset:
    """Independent uniform columns."""
    codes = np.random.default_rng(1).integers(arity, size=(rows, columns), dtype=np.uint8)
    return load_bitmaps(Dataset.from_frame(codes))


@cache
def draw_chain(rows: int, columns: int, arity: int) -> Dataset:
    """Columns of which each copies the one before in half of the rows: neighbors stay dependent."""
    rng = np.random.default_rng(1)
    codes = rng.integers(arity, size=(columns, rows), dtype=np.uint8)
    for x in range(1, columns):
        copied = rng.random(rows) < 0.5
        codes[x, copied] = codes[x - 1, copied]
    return load_bitmaps(Dataset.from_frame(codes.T))


@cache
def genes(columns: int, rows: int, concentration: float = 0.5) -> Dataset:
    """Columns of three levels in a sparse network; less concentration is more dependence (sparse_networks.py)."""
    return load_bitmaps(simulate(columns, rows, levels=3, concentration=concentration, seed=1)[1])


def forget_all() -> None:
    """Draw the data anew at the next call."""
    for made in (uniform, draw_chain, genes):
        made.cache_clear()
