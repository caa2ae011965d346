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
    return load_bitmaps(Dataset.from_frame(codes, numbers="levels"))


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


@cache
def hub(children: int, rows: int = 2_000, others: int = 100) -> Dataset:
    """A hub of three levels, its noisy children, and columns that are independent of all."""
    rng = np.random.default_rng(1)
    levels = rng.integers(3, size=rows)
    columns = {"hub": levels}
    for child, noise in enumerate(rng.uniform(0.1, 0.5, children)):
        columns[f"child {child:04}"] = np.where(rng.random(rows) < noise, rng.integers(3, size=rows), levels)
    columns |= {f"other {other:04}": rng.integers(3, size=rows) for other in range(others)}
    return load_bitmaps(Dataset.from_frame(columns))


@cache
def many_parents(parents: int, rows: int = 20_000) -> Dataset:
    """A target that tells whether more than half of its binary parents are 1, with noise."""
    rng = np.random.default_rng(1)
    codes = rng.integers(2, size=(parents, rows))
    target = (codes.sum(axis=0) + rng.normal(size=rows) > parents / 2).astype(int)
    return load_bitmaps(Dataset.from_frame({"target": target, **{f"x{i:03}": x for i, x in enumerate(codes)}}))


@cache
def noisy_copies(columns: int, noise: float, rows: int = 2_000) -> Dataset:
    """Binary copies of one hidden column, of which a share of the cells is drawn anew."""
    rng = np.random.default_rng(1)
    hidden, drawn = rng.integers(2, size=rows), rng.integers(2, size=(columns, rows))
    codes = np.where(rng.random((columns, rows)) < noise, drawn, hidden)
    return load_bitmaps(Dataset.from_frame(codes.T))


def forget_all() -> None:
    """Draw the data anew at the next call."""
    for made in (uniform, draw_chain, genes, hub, many_parents, noisy_copies):
        made.cache_clear()
