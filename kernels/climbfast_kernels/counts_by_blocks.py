"""The tables of all candidates of one set at once, from bitmaps of very many rows, block of rows by block.

The bitmaps of the strata of ten million rows fit neither the cache of a processor nor the workspace; those of a block
of rows fit both. A block is divided by (given, target) once for all candidates.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import inlined, leaf
from climbfast_kernels.bits import ROWS_AT_ONCE, WORDS_OF_ROW_BLOCK, Array, Bits, Integer, intersect, ones_in_each
from climbfast_kernels.cost_model import AUTO, NS_PER_CODE_DENSE, NS_PER_ROW_DENSE
from climbfast_kernels.workspace import GIVEN, S_BITMAPS, S_DEPTH, S_GIVEN, S_HELD, Workspace

NS_PER_WORD_OF_BLOCK = 0.07  # as the constants of cost_model.py, but not fitted: sixteen candidates, ten million rows
LISTS = 4  # in Workspace.table beside the tables: rows, places, numbers and ones of the groups


@inlined
def are_counted_by_blocks(
    bits: Bits, work: Workspace, strategy: int, target: int, candidates: Array, begin: Integer, end: Integer
) -> bool:  # fmt: skip
    """Whether the tables of a target and some candidates in the open strata are to be counted block by block."""
    if strategy != AUTO or bits.words.shape[1] % WORDS_OF_ROW_BLOCK != 0:
        return False
    return _are_faster(bits, work, target, candidates[begin:end])


@leaf
def _are_faster(bits: Bits, work: Workspace, target: int, candidates: Array) -> bool:
    levels = counted = 0
    for i in range(candidates.shape[0]):
        y = candidates[i]
        if bits.offset[y] < 0:
            return False
        levels += bits.arity[y]
        counted += _levels_counted(bits, y)
    if counted == 0:
        return False
    ns = ns_by_blocks(bits, work, target, levels, counted)
    # Whole bitmaps would take longer: they do not stay in the cache.
    ns_by_rows = NS_PER_ROW_DENSE + (work.state[S_GIVEN] + 1) * NS_PER_CODE_DENSE / candidates.shape[0]
    return bool(ns < candidates.shape[0] * bits.n_rows * ns_by_rows)


@leaf
def ns_by_blocks(bits: Bits, work: Workspace, target: int, levels: Integer, counted: Integer) -> float:
    """Return the expected nanoseconds of tables of candidates that have so many levels, some of them counted.

    It is infinite if there are no bitmaps, if they or the tables do not fit, or if distinct rows are held, which are
    then so few that they are counted faster.
    """
    words, kx = bits.words.shape[1], bits.arity[target]
    has_bitmaps, product, strata = bits.offset[target] >= 0, 1.0, 1.0
    for d in range(work.state[S_GIVEN]):
        has_bitmaps = has_bitmaps and bits.offset[work.columns[GIVEN, d]] >= 0
        product *= float(bits.arity[work.columns[GIVEN, d]])
        strata += product
    bitmaps = strata + product * kx
    if words % WORDS_OF_ROW_BLOCK != 0 or work.state[S_GIVEN] == 0 or work.state[S_HELD] > 0 or not has_bitmaps:
        return np.inf
    if (work.bitmaps.shape[0] - 1) * (words // WORDS_OF_ROW_BLOCK) < bitmaps:
        return np.inf
    if product * kx * levels + LISTS * (bitmaps + ROWS_AT_ONCE) > work.table.shape[0]:
        return np.inf
    return (product * kx * counted + 2 * bitmaps) * words * NS_PER_WORD_OF_BLOCK


@leaf
def count_by_blocks(bits: Bits, work: Workspace, target: int, candidates: Array) -> Integer:
    """Fill ``work.table`` with the tables of the candidates, one after the other; return the number of strata.

    Cell (z, a, b) of each is at (z·kx + a)·ky + b, also for strata that are empty. If there are none, the work was
    interrupted.
    """
    table, given, n_given = work.table, work.columns[GIVEN], work.state[S_GIVEN]
    n_blocks, kx = bits.words.shape[1] // WORDS_OF_ROW_BLOCK, bits.arity[target]
    work.state[S_DEPTH] = work.state[S_BITMAPS] = 0  # their bitmaps are overwritten
    levels = bits.words.reshape(bits.words.shape[0] * n_blocks, WORDS_OF_ROW_BLOCK)
    strata = work.bitmaps.reshape(work.bitmaps.shape[0] * n_blocks, WORDS_OF_ROW_BLOCK)
    n_strata, most = np.int64(1), np.int64(1)
    for d in range(n_given):
        n_strata *= bits.arity[given[d]]
        most += n_strata
    n_groups, cells = n_strata * kx, np.int64(0)
    for i in range(candidates.shape[0]):
        cells += n_groups * bits.arity[candidates[i]]
    for cell in range(cells + n_groups):
        table[cell] = 0
    rows, lists, length = table[cells : cells + n_groups], cells + n_groups, most + n_groups + ROWS_AT_ONCE
    place = table[lists : lists + length]
    code = table[lists + length : lists + 2 * length]
    ones = table[lists + 2 * length : lists + 3 * length]
    for block in range(n_blocks):
        if work.stop[0] != 0:
            return 0
        begin, end = _divide_block(bits, levels, strata, given, n_given, target, block, n_blocks, place, code, rows)
        first = 0
        for i in range(candidates.shape[0]):
            ky = bits.arity[candidates[i]]
            for b in range(_levels_counted(bits, candidates[i])):
                level = (bits.offset[candidates[i]] + b) * n_blocks + block
                ones_in_each(strata, place[begin:], end - begin + -(end - begin) % ROWS_AT_ONCE, levels, level, ones)
                for j in range(end - begin):
                    table[first + code[begin + j] * ky + b] += ones[j]
            first += n_groups * ky
    _fill_last_level(bits, candidates, rows, table)
    return n_strata


@leaf
def _divide_block(
    bits: Bits, levels: Array, strata: Array, given: Array, n_given: Integer, target: int, block: Integer,
    n_blocks: Integer, place: Array, code: Array, rows: Array,
) -> tuple[int, int]:  # fmt: skip
    """Divide the rows of a block by the given columns and the target.

    ``place`` and ``code`` are set to the bitmap and the mixed-radix number of each group that has rows, which are added
    to ``rows``. Return where these groups begin and end.
    """
    place[0], code[0] = block, 0
    begin, end, top = 0, 1, 1
    for d in range(n_given + 1):
        column = given[d] if d < n_given else target
        k = bits.arity[column]
        for s in range(begin, end):
            for a in range(k):
                at = n_blocks + top
                size = intersect(strata, place[s], levels, (bits.offset[column] + a) * n_blocks + block, strata, at)
                if size == 0:
                    continue
                place[top], code[top] = at, code[s] * k + a
                if d == n_given:
                    rows[code[top]] += size
                top += 1
        begin, end = end, top
    for j in range(end, end + ROWS_AT_ONCE):
        place[j] = block
    return begin, end


@leaf
def _fill_last_level(bits: Bits, candidates: Array, rows: Array, table: Array) -> None:
    """Set the cells of each last level that is not counted to the rows of the group that are in none of the others."""
    at = 0
    for i in range(candidates.shape[0]):
        ky = bits.arity[candidates[i]]
        if _levels_counted(bits, candidates[i]) == ky:
            at += rows.shape[0] * ky
            continue
        for group in range(rows.shape[0]):
            left = rows[group]
            for b in range(ky - 1):
                left -= table[at + b]
            table[at + ky - 1] = left
            at += ky


@inlined
def _levels_counted(bits: Bits, candidate: int) -> int:
    """Return how many levels of a candidate are counted: all if cells are missing, else all but the last one."""
    return bits.arity[candidate] - (0 if bits.incomplete[candidate] else 1)
