"""Hashes of rows that know no names, and their sums over the rows of each level, which tell apart columns.

The hash of a row is a sum over its cells, so the order of the columns does not matter. A level is told by the sum of
the hashes of its rows, so their order does not matter either. All numbers have 62 bits: then sums, and products of
halves, fit int64, compiled and interpreted. Fewer bits where many are added save a mask for each.
"""

from __future__ import annotations

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import Array, Integer

BITS = 62
HALF = BITS // 2
MASK, HALF_MASK = (1 << BITS) - 1, (1 << HALF) - 1
# Odd numbers without a pattern: the digits of the golden ratio and of pi.
FACTORS = (0x1E3779B9, 0x243F6A88 | 1, 0x13198A2E | 1, 0x2B7E1516 | 1)
ROWS_OF_A_BLOCK = 2_048  # whose hashes stay in the cache of a core
CELL_BITS = 52  # of the hash of a cell
ROW_BITS = 50  # of that of a row: those of a block are added without a mask
CELLS_OF_A_TABLE = 256  # whose hashes are looked up by one byte
FEW_LEVELS = 8  # up to so many a pass for each is faster: it is vectorized


@leaf
def mixed(value: Integer) -> Integer:
    """Return a number of 62 bits that looks like a random one: a Feistel network of four rounds over its halves."""
    left, right = value >> HALF, value & HALF_MASK
    for factor in FACTORS:
        product = (left + factor) * factor
        left, right = right ^ ((product ^ (product >> 29)) & HALF_MASK), left
    return (left << HALF) | right


@leaf
def mix_each(values: Array) -> None:
    """Replace every number by ``mixed`` of it, in place."""
    for i in range(values.shape[0]):
        values[i] = mixed(values[i])


@leaf
def times(weight: Integer, value: Integer) -> Integer:
    """Return weight · value modulo 2^62."""
    low, high = value & HALF_MASK, value >> HALF
    cross = ((weight & HALF_MASK) * high + (weight >> HALF) * low) & HALF_MASK
    return ((weight & HALF_MASK) * low + (cross << HALF)) & MASK


@leaf
def _add_cells(
    codes: Array, first: Array, size: Array, cell_hash: Array, begin: int, many: int, block: Array, number: Array,
    table: Array,
) -> None:  # fmt: skip
    """Add the hashes of the cells of some rows to those in ``block``, modulo 2^62.

    As many columns as possible are looked up at once: their codes are the digits of a number, which is one byte, and
    the table has the sum of the hashes of these cells.
    """
    c = 0
    while c < codes.shape[0]:
        first_of_table, numbers = c, 1
        table[0] = 0
        for i in range(many):
            number[i] = 0
        while c < codes.shape[0] and numbers * size[c] <= CELLS_OF_A_TABLE:
            # Slices: what is indexed by a sum of numbers is not vectorized.
            cells, hash_of, digits = codes[c, begin : begin + many], cell_hash[first[c] :], size[c]
            for i in range(many):
                number[i] = digits * number[i] + cells[i]
            for place in range(numbers - 1, -1, -1):
                before = table[place]
                for code in range(digits):
                    table[place * digits + code] = (before + hash_of[code]) & MASK
            numbers *= digits
            c += 1
        if c > first_of_table:
            for i in range(many):
                block[i] = (block[i] + table[number[i]]) & MASK
        else:  # one column of more levels
            cells, hash_of = codes[c, begin : begin + many], cell_hash[first[c] :]
            for i in range(many):
                block[i] = (block[i] + hash_of[cells[i]]) & MASK
            c += 1


@leaf
def sum_row_hashes(
    codes: Array, first: Array, size: Array, cell_hash: Array, row_hash: Array, weight: Array, wanted: Array,
    start: int, end: int, block: Array, number: Array, table: Array, sums: Array,
) -> None:  # fmt: skip
    """Add the hash of each row from ``start`` to ``end`` - 1 to the sums of the levels that it has in some columns.

    Parameters
    ----------
    codes : unsigned integer array, shape (columns, stored rows)
    first : int64 array, shape (columns,)
        Where the levels of each column begin in ``cell_hash`` and ``sums``; the last one stands for a missing cell.
    size : int64 array, shape (columns,)
        More than the largest code of each column.
    cell_hash : int64 array
        The hash of a cell with this level, ``CELL_BITS`` bits. That of a row is the mixed sum of those of its cells.
    row_hash : int64 array, shape (stored rows,) or (0,)
        What is added to the cells of each row; no element if nothing is.
    weight : int64 array, shape (stored rows,) or (0,)
        How often each row occurs; no element if each occurs once.
    wanted : int64 array
        The columns whose levels get sums.
    start, end : int
        Which of the stored rows are added.
    block, number, table : int64, uint8 and int64 arrays
        Scratch memory for the hashes of some rows, for their cells as one number, and of ``CELLS_OF_A_TABLE``.
    sums : int64 array
        Modified in place: modulo 2^62.
    """
    for begin in range(start, end, block.shape[0]):
        many = min(block.shape[0], end - begin)
        for i in range(many):
            block[i] = row_hash[begin + i] if row_hash.shape[0] > 0 else 0
        _add_cells(codes, first, size, cell_hash, begin, many, block, number, table)
        for i in range(many):
            block[i] = mixed(block[i]) >> (BITS - ROW_BITS)
        weighted = weight.shape[0] > 0
        in_block = 0
        if weighted:
            for i in range(many):
                block[i] = times(weight[begin + i], block[i])
        else:
            for i in range(many):
                in_block += block[i]
        for t in range(wanted.shape[0]):
            at, c = first[wanted[t]], wanted[t]
            cells = codes[c, begin : begin + many]
            if size[c] <= FEW_LEVELS and not weighted:
                left = in_block
                for code in range(size[c] - 1):
                    total = 0
                    for i in range(many):
                        total += block[i] if cells[i] == code else 0
                    sums[at + code] = (sums[at + code] + total) & MASK
                    left -= total
                sums[at + size[c] - 1] = (sums[at + size[c] - 1] + left) & MASK
            else:
                for i in range(many):
                    cell = at + cells[i]
                    sums[cell] = (sums[cell] + block[i]) & MASK
