"""The text cells of a column of polars -> small codes: from the numbers that it gives them, or from its own memory."""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import inlined, leaf
from climbfast_kernels.bits import Array, Integer
from climbfast_kernels.text_cells import word_hash

SLOTS_OF_VIEWS = 1 << 12  # many more than views, so that most cells find theirs at once
SHIFT_OF_VIEWS, MASK_OF_VIEWS = np.uint64(28), np.uint64(SLOTS_OF_VIEWS - 1)
CELLS_OF_A_BLOCK = 1 << 14  # which stay in the first cache of a core while they are counted; fewer than 2^16
VALUES_OF_A_BYTE = 1 << 8
FEW_VALUES = 8  # a pass for each, which is vectorized, takes less than one that counts all


@leaf
def first_rows(numbers: Array, seen: Array, rows: Array) -> int:
    """Set ``rows`` to the first row of each distinct number of a column, ascending; return how many there are.

    Parameters
    ----------
    numbers : uint32 array, shape (rows,)
        One number per cell.
    seen : bool array, shape (> largest number,)
        All False, before and after.
    rows : int64 array, shape (≥ distinct numbers,)
        Modified in place.
    """
    found = 0
    for i in range(numbers.shape[0]):
        if not seen[numbers[i]]:
            seen[numbers[i]] = True
            rows[found] = i
            found += 1
    for t in range(found):
        seen[numbers[rows[t]]] = False
    return found


@leaf
def recode(numbers: Array, code: Array, out: Array) -> None:
    """out[i] = code[numbers[i]], modified in place; ``out`` has the type of ``code``."""
    for i in range(numbers.shape[0]):
        out[i] = code[numbers[i]]


@leaf
def count_values(cells: Array, counts: Array) -> None:
    """Add the number of cells of each value, to four rows in turns: equal neighbors do not wait for each other.

    Parameters
    ----------
    cells : uint8 array, shape (rows,)
    counts : int64 array, shape (4, 256)
        Modified in place; the numbers are the sums of its rows.
    """
    fours = cells.shape[0] >> 2
    for i in range(fours):
        for j in range(4):
            counts[j, cells[4 * i + j]] += 1
    for i in range(4 * fours, cells.shape[0]):
        counts[0, cells[i]] += 1


@inlined
def _occurrences(block: Array, value: Integer) -> Integer:
    """Return in how many cells of a block the value is: in 16 bits, of which a register holds more sums than of 64."""
    found = np.uint16(0)
    for i in range(block.shape[0]):
        found = np.uint16(found + (block[i] == value))
    return np.int64(found)


@leaf
def count_few_values(cells: Array, counts: Array) -> None:
    """Add the number of cells that are v to counts[v], for a few v: a pass for each, which is vectorized.

    Parameters
    ----------
    cells : uint8 array, shape (rows,)
    counts : int64 array, shape (values,)
        Modified in place.
    """
    for begin in range(0, cells.shape[0], CELLS_OF_A_BLOCK):
        block = cells[begin : min(begin + CELLS_OF_A_BLOCK, cells.shape[0])]
        for value in range(counts.shape[0]):
            counts[value] += _occurrences(block, value)


@leaf
def write_bytes(cells: Array, ends: Array, out: Array, counts: Array) -> bool:
    """Write whole numbers as bytes, modulo 2^8, and count these; return whether different numbers are different bytes.

    They are not if the lowest and the highest number are 2^8 or more apart. Then the block with the second of them, and
    those after it, are not written.

    Parameters
    ----------
    cells : integer array, shape (rows,)
    ends : array of the same type, shape (2,)
        The lowest and the highest number so far, modified in place; before the first call, twice one of the cells.
    out : uint8 array, shape (rows,)
        Modified in place.
    counts : int64 array, shape (4, 256)
        Modified in place; how often each byte occurs is the sum of its rows.
    """
    for begin in range(0, cells.shape[0], CELLS_OF_A_BLOCK):
        end = min(begin + CELLS_OF_A_BLOCK, cells.shape[0])
        block, written = cells[begin:end], out[begin:end]
        low, high = ends[0], ends[1]
        for i in range(block.shape[0]):
            low, high = min(low, block[i]), max(high, block[i])
        ends[0], ends[1] = low, high
        half = (high >> 1) - (low >> 1)  # which the type can hold, unlike the whole distance
        if half > VALUES_OF_A_BYTE >> 1:
            return False
        distance = 2 * np.int64(half) + np.int64(high & 1) - np.int64(low & 1)
        if distance >= VALUES_OF_A_BYTE:
            return False
        for i in range(block.shape[0]):
            written[i] = block[i]
        if distance >= FEW_VALUES:
            count_values(written, counts)
            continue
        lowest, left = np.int64(low) & (VALUES_OF_A_BYTE - 1), block.shape[0]
        for j in range(distance):
            value = (lowest + j) & (VALUES_OF_A_BYTE - 1)
            found = _occurrences(written, value)
            counts[0, value] += found
            left -= found
        counts[0, np.int64(high) & (VALUES_OF_A_BYTE - 1)] += left
    return True


@leaf
def number_views(
    views: Array, valid: Array, first_bit: Integer, slot: Array, known: Array, numbers: Array, rows: Array
) -> int:
    """Number the different views of a column of text as they first appear; return how many there are, -1 if too many.

    A view is two words; equal ones are the same text. All missing cells have one number, too.

    Parameters
    ----------
    views : uint64 array, shape (rows, 2)
    valid : uint8 array
        A bit for each cell, the lowest of a byte first, from ``first_bit`` on: 0 where it is missing. No element if
        none is.
    slot : uint16 array, shape (SLOTS_OF_VIEWS,)
        Scratch memory of zeros: a hash table of numbers plus 1.
    known : uint64 array, shape (most views, 2)
        Scratch memory.
    numbers : uint8 array, shape (rows,)
        Modified in place: the number of the view of each cell.
    rows : int64 array, shape (most views,)
        Modified in place: the first row of each view.
    """
    found, missing = 0, -1
    for i in range(views.shape[0]):
        if valid.shape[0] > 0:
            bit = first_bit + i
            if valid[bit >> 3] >> (bit & 7) & 1 == 0:
                if missing < 0:
                    if found == known.shape[0]:
                        return -1
                    missing = found
                    rows[found] = i
                    found += 1
                numbers[i] = missing
                continue
        first, second = views[i, 0], views[i, 1]
        place = np.int64((word_hash(first) ^ word_hash(second)) >> SHIFT_OF_VIEWS & MASK_OF_VIEWS)
        while slot[place] > 0 and (known[slot[place] - 1, 0] != first or known[slot[place] - 1, 1] != second):
            place = (place + 1) & (SLOTS_OF_VIEWS - 1)
        if slot[place] == 0:
            if found == known.shape[0]:
                return -1
            known[found, 0], known[found, 1] = first, second
            rows[found] = i
            found += 1
            slot[place] = found
        numbers[i] = slot[place] - 1
    return found
