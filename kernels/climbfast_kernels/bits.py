"""Columns as bitmaps: one bit per row, one bitmap per level; AND and popcount count 64 rows at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic

from climbfast_kernels._jit import INTERPRETED, inlined, leaf

Array = np.ndarray[Any, Any]
# A constant is passed to a kernel as np.int64(CONSTANT): for a literal, numba would compile the kernel for its value.
Integer = int | np.signedinteger[Any]

WORDS_PER_BLOCK = 8  # a bitmap is padded to 8 words: one vector of 512 bits, one cache line
MOST_LEVELS = 64  # above, the bitmaps take more than 8 times the memory of the codes, and counting rarely uses them
MOST_LEVELS_COMPARED = 16  # above, setting the bit of each cell is faster than comparing all cells with each level
EACH_BYTE = np.uint64(0x0101010101010101)
LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)


class Bits(NamedTuple):
    """All columns as bitmaps.

    Attributes
    ----------
    words : uint64 array, shape (bitmaps, words)
        The bitmap of level v of column x is row ``offset[x] + v``; bits past the last row are 0.
    offset : int64 array, shape (columns,)
        First bitmap of each column; -1 for a column of more than ``MOST_LEVELS`` levels, which has none.
    arity : int64 array, shape (columns,)
        Number of levels of each column.
    count : int64 array, shape (bitmaps,)
        Rows in each bitmap.
    incomplete : bool array, shape (columns,)
        Whether a column has missing cells. The code of a missing cell is the arity of its column; its row is in no
        bitmap of the column.
    n_rows : int
        Number of rows of data, each as often as it occurs.
    """

    words: Array
    offset: Array
    arity: Array
    count: Array  # type: ignore[assignment]  # hides tuple.count, which is not used
    incomplete: Array
    n_rows: int


if INTERPRETED:

    def popcount(word: Any) -> int:
        """Return the number of ones in a word."""
        return int(word).bit_count()

else:

    @intrinsic
    def popcount(typing_context, word):  # type: ignore[no-untyped-def]
        """Return the number of ones in a word: llvm's ctpop, which vectorises (vpopcntq)."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), generate


def pack(codes: Array, arity: Array, incomplete: Array, n_rows: int) -> Bits:
    """Return the bitmaps of all columns; none if a row stands for several, so that it has no bit of its own.

    Parameters
    ----------
    codes : uint8, uint16 or uint32 array, shape (columns, rows)
        Level number of each cell.
    arity : int64 array, shape (columns,)
        Number of levels of each column.
    incomplete : bool array, shape (columns,)
        Whether a column has missing cells, whose code is its arity.
    n_rows : int
        Number of rows of data, more than those of ``codes`` if these stand for several.
    """
    arity, incomplete = np.array(arity, dtype=np.int64), np.array(incomplete, dtype=np.bool_)
    with_bitmaps = arity <= (MOST_LEVELS if n_rows == codes.shape[1] else 0)
    levels = np.where(with_bitmaps, arity, 0)
    offset = np.cumsum(levels) - levels
    offset[~with_bitmaps] = -1
    blocks = max(1, -(-codes.shape[1] // (64 * WORDS_PER_BLOCK)))
    words = cache_aligned(np.zeros, int(levels.sum()), blocks * WORDS_PER_BLOCK)
    count = np.zeros(words.shape[0], dtype=np.int64)
    if codes.dtype == np.uint8:
        _set_bits_by_level(codes, arity, offset, words, count)
    else:
        _set_bits(codes, arity, offset, words, count)
    for array in (words, offset, arity, count, incomplete):
        array.flags.writeable = False
    return Bits(words, offset, arity, count, incomplete, n_rows)


def cache_aligned(make: Callable[..., Array], bitmaps: int, words: int) -> Array:
    """Return an array of bitmaps, made by ``np.zeros`` or ``np.empty``, that begins at a cache line.

    numpy aligns arrays to 16 bytes; vectors of 64 bytes that cross two cache lines made counting 7 to 20 % slower.
    """
    buffer = make(bitmaps * words + WORDS_PER_BLOCK, dtype=np.uint64)
    begin = -buffer.ctypes.data % (8 * WORDS_PER_BLOCK) // 8
    return buffer[begin : begin + bitmaps * words].reshape(bitmaps, words)


@leaf
def _set_bits(codes: Array, arity: Array, offset: Array, words: Array, count: Array) -> None:
    """Set the bit of every cell that is not missing, and count the rows of every bitmap; both are 0 at first."""
    for x in range(codes.shape[0]):
        if offset[x] >= 0:
            _set_bits_of_column(codes[x], np.int64(0), arity[x], offset[x], words, count)


@leaf
def _set_bits_of_column(cells: Array, begin: Integer, k: int, first: int, words: Array, count: Array) -> None:
    """Set the bits of one column's cells from row ``begin`` on; ``first`` is the column's first bitmap."""
    for i in range(begin, cells.shape[0]):
        if cells[i] == k:  # missing
            continue
        level = first + cells[i]
        words[level, i >> 6] |= np.uint64(1) << np.uint64(i & 63)
        count[level] += 1


@leaf
def _set_bits_by_level(codes: Array, arity: Array, offset: Array, words: Array, count: Array) -> None:
    """Do what ``_set_bits`` does for codes of one byte; with few levels this takes a quarter of the time."""
    whole = codes.shape[1] >> 6  # words in which every bit stands for a row
    for x in range(codes.shape[0]):
        first = offset[x]
        if first < 0:
            continue
        if arity[x] > MOST_LEVELS_COMPARED:
            _set_bits_of_column(codes[x], np.int64(0), arity[x], first, words, count)
            continue
        eights = codes[x, : whole << 6].view(np.uint64)
        for v in range(arity[x]):
            ones = 0
            for w in range(whole):
                word = bytes_equal(v, eights, w)
                words[first + v, w] = word
                ones += popcount(word)
            count[first + v] = ones
        _set_bits_of_column(codes[x], whole << 6, arity[x], first, words, count)


@inlined
def bytes_equal(value: int, eights: Array, w: int) -> np.uint64:
    """Return a word whose bit i is [byte 64·w + i = value].

    A word of ``eights`` holds eight bytes, the first one in its lowest byte. t = byte ⊕ value is 0 where they are
    equal; elsewhere t ∨ ((t ∧ 0x7f) + 0x7f) has its highest bit set, and no sum carries into the next byte. The
    resulting bits of the eight bytes are then moved together.
    """
    word = np.uint64(0)
    for j in range(8):
        t = eights[8 * w + j] ^ (np.uint64(value) * EACH_BYTE)
        equal = ~(t | ((t & LOW_BITS) + LOW_BITS) | LOW_BITS) >> np.uint64(7)
        equal |= equal >> np.uint64(7)
        equal |= equal >> np.uint64(14)
        equal |= equal >> np.uint64(28)
        word |= (equal & np.uint64(0xFF)) << np.uint64(8 * j)
    return word


@leaf
def intersection_size(a: Array, i: int, b: Array, j: int) -> int:
    """|a[i] ∧ b[j]|, the number of ones, for two bitmaps in arrays of shape (bitmaps, words)."""
    ones = 0
    for w in range(a.shape[1]):
        ones += popcount(a[i, w] & b[j, w])
    return ones


@leaf
def intersect(a: Array, i: int, b: Array, j: int, out: Array, at: int) -> int:
    """out[at] = a[i] ∧ b[j], set in place; return |out[at]|."""
    ones = 0
    for w in range(a.shape[1]):
        both = a[i, w] & b[j, w]
        out[at, w] = both
        ones += popcount(both)
    return ones
