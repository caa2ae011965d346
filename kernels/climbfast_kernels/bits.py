"""Columns as bitmaps: one bit per row, one bitmap per level; AND and popcount count 64 rows at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from climbfast_kernels._jit import INTERPRETED, inlined, leaf

Array = np.ndarray[Any, Any]
_IR: Any = cgutils  # its functions have no types
# A constant is passed to a kernel as np.int64(CONSTANT): for a literal, numba would compile the kernel for its value.
Integer = int | np.signedinteger[Any]

ROWS_AT_ONCE = 4  # bitmaps that are counted together with another one
WORDS_PER_BLOCK = 8  # a bitmap is padded to 8 words: one vector of 512 bits, one cache line
# Bitmaps of so many blocks of rows are padded to whole ones, which ``counts_by_blocks`` counts one by one.
WORDS_OF_ROW_BLOCK, FEWEST_ROW_BLOCKS = 256, 16
MOST_LEVELS = 64  # above, the bitmaps take more than 8 times the memory of the codes, and counting rarely uses them
MOST_LEVELS_COMPARED = 8  # above, setting the bit of each cell is faster than comparing all cells with each level
MOST_WORDS_PREFETCHED = 64  # of a bitmap; by then the processor has seen where it goes on
MOST_LEVELS_PREFETCHED = 4
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


# Intrinsics have no types: numba calls them with types of its own in place of the values.
_WORD = ir.IntType(64)
_BLOCK = ir.VectorType(_WORD, WORDS_PER_BLOCK)


def _array(context: Any, builder: Any, signature: Any, arguments: Any, place: int) -> Any:
    """Return an argument of an intrinsic as an array."""
    return context.make_array(signature.args[place])(context, builder, arguments[place])


def _bitmap(builder: Any, array: Any, row: Any) -> Any:
    """Return a pointer to the first word of a row."""
    bytes_before = builder.mul(row, builder.extract_value(array.strides, 0))
    return builder.bitcast(_IR.pointer_add(builder, array.data, bytes_before), _WORD.as_pointer())


def _block(builder: Any, bitmap: Any, w: Any) -> Any:
    """Return a pointer to the vector that begins at word w of a bitmap."""
    return builder.bitcast(builder.gep(bitmap, [w]), _BLOCK.as_pointer())


def _add_ones(builder: Any, block: Any, count: Any) -> None:
    """Add the ones in each word of a vector to those counted so far."""
    popcounts = _IR.get_or_insert_function(builder.module, ir.FunctionType(_BLOCK, [_BLOCK]), "llvm.ctpop.v8i64")
    builder.store(builder.add(builder.load(count), builder.call(popcounts, [block])), count)


def _sum_of_words(builder: Any, block: Any) -> Any:
    """Return the sum over the words of a vector."""
    total = _IR.get_or_insert_function(builder.module, ir.FunctionType(_WORD, [_BLOCK]), "llvm.vector.reduce.add.v8i64")
    return builder.call(total, [block])


if INTERPRETED:

    def ones_in_both(a: Array, i: Any, b: Array, j: Any) -> int:
        """Return |a[i] ∧ b[j]|."""
        return int.from_bytes((a[i] & b[j]).tobytes(), "little").bit_count()

else:

    @intrinsic
    def ones_in_both(typing_context, a, i, b, j):  # type: ignore[no-untyped-def]
        """Return |a[i] ∧ b[j]|, counted by vectors of ``WORDS_PER_BLOCK`` words.

        In a loop over words the compiler takes four vectors at once, and what is left of a bitmap by narrow ones, which
        took as long as all others. Words that do not lie one after another are counted one by one.
        """

        def one_by_one(a, i, b, j):  # type: ignore[no-untyped-def]
            ones = 0
            for w in range(a.shape[1]):
                ones += popcount(a[i, w] & b[j, w])
            return ones

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            if (a.layout, b.layout) != ("C", "C"):
                return context.compile_internal(builder, one_by_one, signature, arguments)
            arrays = [_array(context, builder, signature, arguments, place) for place in (0, 2)]
            bitmaps = [_bitmap(builder, array, arguments[at]) for array, at in zip(arrays, (1, 3), strict=True)]
            words = builder.extract_value(arrays[0].shape, 1)
            counts = [_IR.alloca_once_value(builder, _BLOCK([0] * WORDS_PER_BLOCK)) for _ in range(2)]

            def count(at: Any, into: Any) -> None:
                both = builder.and_(*(builder.load(_block(builder, bitmap, at), align=8) for bitmap in bitmaps))
                _add_ones(builder, both, into)

            block = _WORD(WORDS_PER_BLOCK)
            in_pairs = builder.and_(words, _WORD(-2 * WORDS_PER_BLOCK))
            with _IR.for_range_slice(builder, _WORD(0), in_pairs, _WORD(2 * WORDS_PER_BLOCK), _WORD) as (at, _):
                count(at, counts[0])
                count(builder.add(at, block), counts[1])
            with builder.if_then(builder.icmp_signed("<", in_pairs, words)):
                count(in_pairs, counts[0])
            return _sum_of_words(builder, builder.add(*map(builder.load, counts)))

        return types.int64(a, types.int64, b, types.int64), generate


if INTERPRETED:

    def set_intersection(a: Array, i: Any, b: Array, j: Any, out: Array, at: Any) -> int:
        """out[at] = a[i] ∧ b[j], set in place; return |out[at]|."""
        out[at] = a[i] & b[j]
        return ones_in_both(a, i, b, j)

else:

    @intrinsic
    def set_intersection(typing_context, a, i, b, j, out, at):  # type: ignore[no-untyped-def]
        """out[at] = a[i] ∧ b[j], set in place by whole vectors, as in ``ones_in_both``; return |out[at]|."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            arrays = [_array(context, builder, signature, arguments, place) for place in (0, 2, 4)]
            first, second, result = (
                _bitmap(builder, array, arguments[at]) for array, at in zip(arrays, (1, 3, 5), strict=True)
            )
            count = _IR.alloca_once_value(builder, _BLOCK([0] * WORDS_PER_BLOCK))
            words = builder.extract_value(arrays[0].shape, 1)
            with _IR.for_range_slice(builder, _WORD(0), words, _WORD(WORDS_PER_BLOCK), _WORD) as (w, _):
                both = builder.and_(*(builder.load(_block(builder, bitmap, w), align=8) for bitmap in (first, second)))
                builder.store(both, _block(builder, result, w), align=8)
                _add_ones(builder, both, count)
            return _sum_of_words(builder, builder.load(count))

        return types.int64(a, types.int64, b, types.int64, out, types.int64), generate


if INTERPRETED:

    def ones_in_each(a: Array, rows: Array, n: Any, b: Array, j: Any, out: Array) -> None:
        """out[r] = |a[rows[r]] ∧ b[j]| for r < n, a multiple of ``ROWS_AT_ONCE``, set in place."""
        for r in range(n):
            out[r] = ones_in_both(a, rows[r], b, j)

else:

    @intrinsic
    def ones_in_each(typing_context, a, rows, n, b, j, out):  # type: ignore[no-untyped-def]
        """out[r] = |a[rows[r]] ∧ b[j]| for r < n, a multiple of ``ROWS_AT_ONCE``, set in place.

        Four bitmaps at once: each vector of b[j] is loaded once for them, and the four sums over the lanes of a vector
        are taken together.
        """

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            several, numbers, one, sizes = (_array(context, builder, signature, arguments, at) for at in (0, 1, 3, 5))
            second, words = _bitmap(builder, one, arguments[4]), builder.extract_value(several.shape, 1)
            counts = [_IR.alloca_once(builder, _BLOCK) for _ in range(ROWS_AT_ONCE)]

            def pick(x: Any, y: Any, lanes: list[int]) -> Any:
                return builder.shuffle_vector(x, y, ir.VectorType(ir.IntType(32), len(lanes))(lanes))

            def sum_of_two(x: Any, y: Any, lanes: list[int], others: list[int]) -> Any:
                return builder.add(pick(x, y, lanes), pick(x, y, others))

            with _IR.for_range_slice(builder, _WORD(0), arguments[2], _WORD(ROWS_AT_ONCE), _WORD) as (r, _):
                places = [builder.gep(numbers.data, [builder.add(r, _WORD(i))]) for i in range(ROWS_AT_ONCE)]
                first = [_bitmap(builder, several, builder.load(place)) for place in places]
                for count in counts:
                    builder.store(_BLOCK([0] * WORDS_PER_BLOCK), count)
                with _IR.for_range_slice(builder, _WORD(0), words, _WORD(WORDS_PER_BLOCK), _WORD) as (w, _):
                    of_one = builder.load(_block(builder, second, w), align=8)
                    for bitmap, count in zip(first, counts, strict=True):
                        both = builder.and_(builder.load(_block(builder, bitmap, w), align=8), of_one)
                        _add_ones(builder, both, count)
                c0, c1, c2, c3 = map(builder.load, counts)
                even, odd = [0, 8, 2, 10, 4, 12, 6, 14], [1, 9, 3, 11, 5, 13, 7, 15]
                low, high = sum_of_two(c0, c1, even, odd), sum_of_two(c2, c3, even, odd)
                twice = sum_of_two(low, high, [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15])
                total = sum_of_two(twice, twice, [0, 1, 2, 3], [4, 5, 6, 7])
                place = builder.gep(sizes.data, [r])
                builder.store(total, builder.bitcast(place, total.type.as_pointer()), align=8)
            return context.get_dummy_value()

        return types.void(a, rows, types.int64, b, types.int64, out), generate


if INTERPRETED:

    def _prefetch(words: Array, i: Any, w: Any) -> None:
        pass

else:

    @intrinsic
    def _prefetch(typing_context, words, i, w):  # type: ignore[no-untyped-def]
        """Load the cache line of words[i, w] into the cache without waiting for it."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            row = builder.mul(arguments[1], builder.extract_value(array.strides, 0))
            place = builder.bitcast(_IR.pointer_add(builder, array.data, row), ir.IntType(64).as_pointer())
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            function = _IR.get_or_insert_function(
                builder.module, ir.FunctionType(ir.VoidType(), [byte, number, number, number]), "llvm.prefetch.p0i8"
            )
            line = builder.bitcast(builder.gep(place, [arguments[2]]), byte)
            builder.call(function, [line, number(0), number(3), number(1)])  # to read, to keep, data
            return context.get_dummy_value()

        return types.void(words, types.int64, types.int64), generate


@leaf
def prefetch_bitmaps(bits: Bits, column: int) -> None:
    """Load the beginnings of a column's bitmaps into the cache without waiting for them."""
    first, end = bits.offset[column], min(bits.words.shape[1], MOST_WORDS_PREFETCHED)
    if first >= 0:
        for level in range(first, first + min(bits.arity[column] - 1, MOST_LEVELS_PREFETCHED)):
            for w in range(0, end, WORDS_PER_BLOCK):
                _prefetch(bits.words, level, w)


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
    words = cache_aligned(np.zeros, int(levels.sum()), _words_of_bitmap(codes.shape[1]))
    count = np.zeros(words.shape[0], dtype=np.int64)
    word_of_code = np.zeros(MOST_LEVELS + 1, dtype=np.uint64)
    if codes.dtype == np.uint8:
        _set_bits_by_level(codes, arity, offset, word_of_code, words, count)
    else:
        _set_bits(codes, arity, offset, word_of_code, words, count)
    for array in (words, offset, arity, count, incomplete):
        array.flags.writeable = False
    return Bits(words, offset, arity, count, incomplete, n_rows)


def _words_of_bitmap(rows: int) -> int:
    words = -(-rows // 64)
    padded_to = WORDS_OF_ROW_BLOCK if words >= FEWEST_ROW_BLOCKS * WORDS_OF_ROW_BLOCK else WORDS_PER_BLOCK
    return max(1, -(-words // padded_to)) * padded_to


def in_order(bits: Bits, columns: Array) -> Bits:
    """Return the bitmaps of columns in another order; ``columns`` are their numbers in ``bits``."""
    with_bitmaps = bits.offset[columns] >= 0
    levels = np.where(with_bitmaps, bits.arity[columns], 0)
    offset = np.cumsum(levels) - levels
    before = np.repeat(bits.offset[columns] - offset, levels) + np.arange(levels.sum())
    words = cache_aligned(np.empty, len(before), bits.words.shape[1])
    words[:] = bits.words[before]
    offset[~with_bitmaps] = -1
    found = Bits(words, offset, bits.arity[columns], bits.count[before], bits.incomplete[columns], bits.n_rows)
    for array in found[:-1]:
        array.flags.writeable = False
    return found


def cache_aligned(make: Callable[..., Array], bitmaps: int, words: int) -> Array:
    """Return an array of bitmaps, made by ``np.zeros`` or ``np.empty``, that begins at a cache line.

    numpy aligns arrays to 16 bytes; vectors of 64 bytes that cross two cache lines made counting 7 to 20 % slower.
    """
    buffer = make(bitmaps * words + WORDS_PER_BLOCK, dtype=np.uint64)
    begin = -buffer.ctypes.data % (8 * WORDS_PER_BLOCK) // 8
    return buffer[begin : begin + bitmaps * words].reshape(bitmaps, words)


@leaf
def _set_bits(codes: Array, arity: Array, offset: Array, word_of_code: Array, words: Array, count: Array) -> None:
    """Set the bit of every cell that is not missing, and count the rows of every bitmap, which are 0 at first.

    ``word_of_code`` is scratch memory for ``MOST_LEVELS + 1`` words.
    """
    for x in range(codes.shape[0]):
        if offset[x] >= 0:
            _set_bits_of_column(codes[x], np.int64(0), arity[x], offset[x], word_of_code, words, count)


@leaf
def _set_bits_of_column(
    cells: Array, begin: Integer, k: int, first: int, word_of_code: Array, words: Array, count: Array
) -> None:  # fmt: skip
    """Set the words of one column's bitmaps from word ``begin`` on; ``first`` is the column's first bitmap.

    The words of 64 rows are put together where they stay in the cache; each of the bitmaps is then written once.
    """
    for w in range(begin, (cells.shape[0] + 63) >> 6):
        for code in range(k + 1):  # k stands for a missing cell
            word_of_code[code] = 0
        cells_of_word = cells[w << 6 : (w + 1) << 6]
        for i in range(cells_of_word.shape[0]):
            word_of_code[cells_of_word[i]] |= np.uint64(1) << np.uint64(i)
        for level in range(k):
            words[first + level, w] = word_of_code[level]
            count[first + level] += popcount(word_of_code[level])


@leaf
def _set_bits_by_level(
    codes: Array, arity: Array, offset: Array, word_of_code: Array, words: Array, count: Array
) -> None:  # fmt: skip
    """Do what ``_set_bits`` does for codes of one byte; with few levels this takes half of the time."""
    whole = codes.shape[1] >> 6  # words in which every bit stands for a row
    for x in range(codes.shape[0]):
        first = offset[x]
        if first < 0:
            continue
        if arity[x] > MOST_LEVELS_COMPARED:
            _set_bits_of_column(codes[x], np.int64(0), arity[x], first, word_of_code, words, count)
            continue
        eights = codes[x, : whole << 6].view(np.uint64)
        for v in range(arity[x]):
            ones = 0
            for w in range(whole):
                word = bytes_equal(v, eights, w)
                words[first + v, w] = word
                ones += popcount(word)
            count[first + v] = ones
        _set_bits_of_column(codes[x], whole, arity[x], first, word_of_code, words, count)


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
    return ones_in_both(a, np.int64(i), b, np.int64(j))


@leaf
def intersect(a: Array, i: Integer, b: Array, j: Integer, out: Array, at: Integer) -> int:
    """out[at] = a[i] ∧ b[j], set in place; return |out[at]|."""
    return set_intersection(a, np.int64(i), b, np.int64(j), out, np.int64(at))
