"""Joint counts of all levels, and of all rows: what tells columns apart whose own counts are all equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["agreements_of_rows", "joint_counts"]

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

_AT_ONCE = 256  # bitmaps, which are compared with all others
_ROWS_AT_ONCE = 8_192


def joint_counts(
    codes: NDArray[Any], sizes: Sequence[int], some: Sequence[int], weights: Ints | None
) -> Iterator[tuple[Ints, Ints]]:
    """Yield numbers of levels, and in how many rows each of them occurs with each level of all columns.

    Parameters
    ----------
    codes : unsigned integer array, shape (columns, stored rows)
    sizes : sequence of int
        The number of codes of each column. Levels are numbered through all columns, in the order of their codes.
    some : sequence of int
        Numbers of the levels to count.
    weights : int64 array or None

    Yields
    ------
    levels : int64 array
    counts : int64 array, shape (levels, all levels)
    """
    column = np.repeat(np.arange(len(sizes)), sizes)
    code = np.concatenate([np.arange(size) for size in sizes])
    words = _bitmaps(codes, column, code) if weights is None else np.empty((0, 0), dtype=np.uint64)
    for begin in range(0, len(some), _AT_ONCE):
        levels = np.array(some[begin : begin + _AT_ONCE], dtype=np.int64)
        if weights is None:
            yield levels, _intersections(words, levels)
        else:
            yield levels, _weighted(codes, column, code, levels, weights)


def agreements_of_rows(codes: NDArray[Any], sizes: Sequence[int]) -> Iterator[tuple[slice, Ints]]:
    """Yield slices of the stored rows, and in how many columns each of these rows is equal to each row."""
    words = _transposed_bitmaps(codes, sizes)
    for begin in range(0, len(words), _AT_ONCE):
        rows = np.arange(begin, min(begin + _AT_ONCE, len(words)))
        yield slice(begin, begin + rows.size), _intersections(words, rows)


def _bitmaps(codes: NDArray[Any], column: Ints, code: Ints) -> Words:
    """Return one bitmap of the rows for each level."""
    words = np.zeros((column.size, -(-codes.shape[1] // 64)), dtype=np.uint64)
    for row, x, level in zip(words, column.tolist(), code.tolist(), strict=True):
        packed = np.packbits(codes[x] == level)
        row.view(np.uint8)[: packed.size] = packed
    words.setflags(write=False)
    return words


def _transposed_bitmaps(codes: NDArray[Any], sizes: Sequence[int]) -> Words:
    """Return one bitmap of the levels for each row; the first levels of all columns, the second ones, and so on."""
    by_row = np.ascontiguousarray(codes.T)
    parts = []
    for code in range(max(sizes)):
        columns = np.flatnonzero(np.array(sizes) > code)
        cells = by_row if columns.size == len(sizes) else by_row[:, columns]
        parts.append(np.packbits(cells == code, axis=1))
    joined = np.concatenate(parts, axis=1)
    words = np.zeros((codes.shape[1], -(-joined.shape[1] // 8)), dtype=np.uint64)
    words.view(np.uint8)[:, : joined.shape[1]] = joined
    words.setflags(write=False)
    return words


def _intersections(words: Words, some: Ints) -> Ints:
    """Return the sizes of the intersections of some bitmaps with all."""
    from climbfast_kernels.screen import TILE_A, TILE_B, intersection_sizes

    every = np.arange(len(words))
    a, b = (np.append(x, np.repeat(x[-1:], -x.size % tile)) for x, tile in ((some, TILE_A), (every, TILE_B)))
    sizes = np.empty((a.size, b.size), dtype=np.int32)
    intersection_sizes(words, a, b, sizes)
    return sizes[: some.size, : every.size].astype(np.int64)


def _weighted(codes: NDArray[Any], column: Ints, code: Ints, levels: Ints, weights: Ints) -> Ints:
    """Return joint counts of rows with weights; exact up to 2^53 rows."""
    counts = np.zeros((levels.size, column.size), dtype=np.int64)
    for begin in range(0, codes.shape[1], _ROWS_AT_ONCE):
        rows = slice(begin, begin + _ROWS_AT_ONCE)
        every = (codes[column, rows] == code[:, None]).astype(np.float64)
        counts += ((every[levels] * weights[rows]) @ every.T).astype(np.int64)
    return counts
