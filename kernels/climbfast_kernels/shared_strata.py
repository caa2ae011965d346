"""Many candidates tested in the same strata: what does not depend on the candidate is done once for all of them.

The rows are divided once by (given, target). Rows that lie alone in their stratum add nothing to a test, nor, but for
SCI, do strata in which the target has one level; so given many columns, few rows are left. The others are
counted candidate by candidate: by bitmaps where they are in few groups (a stratum and a level of the target), else one
by one. In a stratum of two rows it only matters whether both have the same level of the candidate.

The figures are sums of integers, the same as those of ``counts``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from climbfast_kernels._jit import inlined, leaf
from climbfast_kernels.bits import ROWS_AT_ONCE, Array, Bits, Integer, intersection_size, ones_in_each
from climbfast_kernels.chi2 import LARGE
from climbfast_kernels.cost_model import NS_PER_BITMAP
from climbfast_kernels.counts_by_bitmaps import prepare_bitmaps
from climbfast_kernels.independence import (
    CMI,
    DF,
    F_X,
    F_XY,
    F_Y,
    F_Z,
    G2,
    R_X,
    R_X_GIVEN_Y,
    R_Y,
    R_Y_GIVEN_X,
    ROUNDING_OF_BOUND,
    ROWS,
    SCI,
    Rule,
    chi2_statistic,
    configurations,
    nominal_df,
    strength,
)
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.workspace import (
    BITMAP,
    ENDS,
    FIRST_GROUP,
    FIRST_ROW,
    GIVEN,
    GROUP,
    GROUP_BITMAP,
    GROUP_SIZE,
    PAIR,
    PLACE,
    ROW,
    S_FILLED,
    S_GIVEN,
    S_WEIGHTED,
    SEGMENT,
    SIZE,
    SPARE_ROW,
    SPARE_SEGMENT,
    START,
    Workspace,
    is_any_incomplete,
)

FEWEST_SHARING = 4  # candidates from which dividing the rows is worth its time
# As the constants of cost_model.py: in groups that are known, and where many bitmaps are counted with many others.
NS_PER_ROW_SHARED, NS_PER_WORD_SHARED = 0.7, 0.03
# Groups of so many words are counted for some candidates before the next groups: they stay in the nearest cache.
WORDS_AT_ONCE, CANDIDATES_AT_ONCE = 2560, 16
ROWS_PER_FIRST_CELL = 8  # the leading given columns divide the rows at once, as long as cells have so many rows


@leaf
def are_shared(bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, target: int, tests: Integer) -> bool:
    """Whether tests of a target in the open strata are worth ``sweep_in_strata``, and such as it can make."""
    n_given = work.state[S_GIVEN]
    if n_given == 0 or work.state[S_WEIGHTED] == 1 or not (rule.kind == SCI or rule.kind == G2 or rule.kind == CMI):
        return False
    if bits.n_rows >= min(log_tables.clog.shape[0], log_tables.log_regret.shape[1]):
        return False
    if log_tables.regret_row[target] < 0 or is_any_incomplete(bits, work, target):
        return False
    if tests >= FEWEST_SHARING:
        return True
    fewest_cells = 2 * bits.arity[target] * configurations(bits.arity, work.columns[GIVEN], n_given)
    has_no_histogram = fewest_cells > work.table.shape[0]  # and sorting takes longer than dividing
    return bool(tests > 0 and has_no_histogram)


@leaf
def sweep_in_strata(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, target: int, candidates: Array,
    given: Array, only_strongest: int, strengths: Array, made: Array, rows: Array, strata: Array,
) -> None:  # fmt: skip
    """Set what ``patterns.sweep_each`` returns for the candidates of one sweep, in place.

    The strata must be open, and ``are_shared``. ``made`` is left as it is for candidates with missing cells, and
    for those of so many levels that there is no table for them.
    """
    shared, table, figures, kind = work.by_stratum, work.table, work.figures, rule.kind
    clog, log_regret = log_tables.clog, log_tables.log_regret
    kx, row_x = bits.arity[target], log_tables.regret_row[target]
    product = configurations(bits.arity, given, given.shape[0])
    free_levels, most_levels = 0, 1
    for i in range(candidates.shape[0]):
        ky = bits.arity[candidates[i]]
        free_levels += ky - 1
        if bits.offset[candidates[i]] >= 0 and not _is_skipped(rule, bits.n_rows, nominal_df(kx, ky, product)):
            most_levels = max(most_levels, ky)
    ns_a_group = (bits.words.shape[1] * NS_PER_WORD_SHARED + NS_PER_BITMAP) * free_levels / candidates.shape[0]
    by_bitmaps = product * kx * ns_a_group <= bits.n_rows * NS_PER_ROW_SHARED
    n_all = n_strata = n_groups = apart = alike = 0
    if not by_bitmaps:
        n_all, n_strata, n_groups, apart, alike = _divide_rows(codes, bits, work, target, kind)
        left = shared[FIRST_ROW, n_strata] + 2 * (apart + alike)
        by_bitmaps = (n_groups + 2 * apart + alike) * ns_a_group < left * NS_PER_ROW_SHARED
    together: Integer = np.int64(0)
    if by_bitmaps and prepare_bitmaps(bits, work, target):
        together = min(table.shape[0] // (work.state[S_FILLED] * most_levels), CANDIDATES_AT_ONCE)
    by_bitmaps = together > 0
    if by_bitmaps:
        n_all, n_strata, n_groups = _list_groups(work, kind)
        apart = alike = 0
    elif n_all == 0:
        n_all, n_strata, n_groups, apart, alike = _divide_rows(codes, bits, work, target, kind)
    sum_z, sum_x, regret_x = apart * clog[min(2, bits.n_rows)], 0, 0
    for z in range(n_strata):
        sum_z += clog[shared[FIRST_ROW, z + 1] - shared[FIRST_ROW, z]]
    for g in range(n_groups):
        sum_x += clog[shared[GROUP_SIZE, g]]
    if kind == SCI:
        regret_x = _regret_of_strata(log_regret[row_x], shared, n_strata, apart + alike)
    regret_y = regret_y_given_x = 0
    row_of_regrets = np.int64(-1)
    weak_statistic, weak_df = -np.inf, np.inf
    for i in range(candidates.shape[0]):
        if work.stop[0] != 0:
            return
        y = candidates[i]
        ky, row_y, first_y = bits.arity[y], log_tables.regret_row[y], bits.offset[y]
        if by_bitmaps and i % together == 0:
            _count_by_bitmaps(bits, work, candidates[i : i + together], most_levels, n_groups)
        if bits.incomplete[y] or row_y < 0 or (by_bitmaps and first_y < 0) or kx * ky > table.shape[0]:
            continue
        nominal = nominal_df(kx, ky, product)
        strata[i], rows[i] = n_all, bits.n_rows
        if _is_skipped(rule, bits.n_rows, nominal):
            strengths[i], made[i] = rule.threshold, 0
            continue
        figures[F_XY] = figures[F_Y] = figures[DF] = figures[R_X_GIVEN_Y] = 0
        begin: Integer = np.int64(0)
        while begin < n_strata:
            end: Integer = n_strata
            cells = table
            if by_bitmaps:
                cells = table[(i % together) * most_levels * n_groups :]
            else:
                end = _end_of_part(shared, begin, n_strata, ky, table.shape[0])
                _count_rows(codes[y], shared, ky, begin, end, table)
            _add_cells(shared, ky, begin, end, cells, clog, log_regret[row_x], kind, figures)
            begin = end
        if apart + alike > 0:
            _add_pairs(codes[y], shared, apart, alike, clog, log_regret[row_x], kind, figures)
        if kind == SCI and row_y != row_of_regrets:
            regret_y = _regret_of_strata(log_regret[row_y], shared, n_strata, apart + alike)
            regret_y_given_x = 2 * apart * log_regret[row_y, 1] + alike * log_regret[row_y, min(2, bits.n_rows)]
            for g in range(n_groups):
                regret_y_given_x += log_regret[row_y, shared[GROUP_SIZE, g]]
            row_of_regrets = row_y
        figures[F_Z], figures[F_X], figures[R_X], figures[ROWS] = sum_z, sum_x, regret_x, bits.n_rows
        figures[R_Y], figures[R_Y_GIVEN_X] = regret_y, regret_y_given_x
        df = float(figures[DF]) if rule.adjusted == 1 else nominal
        is_weighed = kind == G2 and 0 < df < LARGE and bits.n_rows >= rule.min_rows_per_df * df
        statistic = chi2_statistic(figures, kind, log_tables.units, 1.0) if is_weighed else 0.0
        if (
            is_weighed
            and only_strongest == 1
            and df >= weak_df
            and statistic < weak_statistic * (1 - ROUNDING_OF_BOUND)
        ):
            strengths[i], made[i] = -np.inf, 1  # weaker than an earlier candidate
            continue
        strengths[i], made[i] = strength(figures, rule, nominal, log_tables.units, 1.0, np.inf)
        if is_weighed and statistic - df > weak_statistic - weak_df:
            weak_statistic, weak_df = statistic, df


@leaf
def _regret_of_strata(log_regret: Array, shared: Array, n_strata: int, pairs: int) -> int:
    """Σ log2 R(k, rows) over the strata of two rows and of more."""
    total = pairs * log_regret[min(2, log_regret.shape[0] - 1)]
    for z in range(n_strata):
        total += log_regret[shared[FIRST_ROW, z + 1] - shared[FIRST_ROW, z]]
    return total


@leaf
def _end_of_part(shared: Array, begin: Integer, n_strata: int, ky: int, most_cells: int) -> Integer:
    """Return where the strata end of which the cells fit the table."""
    first = shared[FIRST_GROUP, begin]
    if (shared[FIRST_GROUP, n_strata] - first) * ky <= most_cells:
        return n_strata
    end = begin + 1
    while (shared[FIRST_GROUP, end + 1] - first) * ky <= most_cells:
        end += 1
    return end


@inlined
def _is_skipped(rule: Rule, n_rows: int, nominal: float) -> bool:
    """Whether there are too few rows for the degrees of freedom, if these are nominal."""
    return rule.kind == G2 and rule.adjusted == 0 and n_rows < rule.min_rows_per_df * nominal


@leaf
def _count_by_bitmaps(bits: Bits, work: Workspace, candidates: Array, most_levels: int, n: int) -> None:
    """Fill the table with the counts of the n groups for some candidates; those of more levels are left out.

    The counts of candidate c, level by level, begin at cell c·n·``most_levels``.
    """
    shared, table, words = work.by_stratum, work.table, bits.words
    at_once = max(WORDS_AT_ONCE // words.shape[1] // ROWS_AT_ONCE, 1) * ROWS_AT_ONCE
    for first in range(0, n, at_once):
        size = min(at_once, n - first)
        whole = size - size % ROWS_AT_ONCE
        bitmaps = work.filled[GROUP_BITMAP, first : first + size]
        for c in range(candidates.shape[0]):
            levels, ky = bits.offset[candidates[c]], bits.arity[candidates[c]]
            if levels < 0 or ky > most_levels:
                continue
            at = c * n * most_levels + first
            last = at + (ky - 1) * n
            for j in range(size):
                table[last + j] = shared[GROUP_SIZE, first + j]
            for b in range(ky - 1):
                cells = table[at + b * n : at + b * n + size]
                ones_in_each(work.bitmaps, bitmaps, whole, words, levels + b, cells)
                for j in range(whole, size):
                    cells[j] = intersection_size(work.bitmaps, bitmaps[j], words, levels + b)
                for j in range(size):
                    table[last + j] -= cells[j]


@leaf
def _count_rows(level: Array, shared: Array, ky: int, begin: Integer, end: Integer, table: Array) -> None:
    """Fill the table with the counts of the groups of some strata, level by level of the candidate."""
    first = np.int64(shared[FIRST_GROUP, begin])
    n = shared[FIRST_GROUP, end] - first
    for cell in range(n * ky):
        table[cell] = 0
    # Rows of one cell follow each other, and each would wait for the one before: two places are counted in turns.
    begin_row, rows = shared[FIRST_ROW, begin], shared[FIRST_ROW, end] - shared[FIRST_ROW, begin]
    half = rows // 2
    for i in range(begin_row, begin_row + half):
        v, w = np.int64(level[np.uint32(shared[ROW, i])]), np.int64(level[np.uint32(shared[ROW, i + half])])
        table[np.uint64(v * n + shared[GROUP, i] - first)] += 1
        table[np.uint64(w * n + shared[GROUP, i + half] - first)] += 1
    if rows > 2 * half:
        i = begin_row + 2 * half
        table[np.int64(level[shared[ROW, i]]) * n + shared[GROUP, i] - first] += 1


@leaf
def _add_cells(
    shared: Array, ky: int, begin: Integer, end: Integer, table: Array, clog: Array, regret: Array, kind: Integer,
    figures: Array,
) -> None:  # fmt: skip
    """Add to the figures what the counts of some strata's groups contribute."""
    n = shared[FIRST_GROUP, end] - shared[FIRST_GROUP, begin]
    sum_xy = sum_y = df = regret_x_given_y = 0
    at = np.int64(0)
    if kind != SCI and n == 2 * (end - begin):  # each stratum has two groups, since it has more than one
        for cell in range(0, n * ky, 2):
            c0: Any = np.int64(table[cell])
            c1: Any = np.int64(table[cell + 1])
            sum_xy += clog[np.uint64(c0)] + clog[np.uint64(c1)]
            sum_y += clog[np.uint64(c0 + c1)]
            df += min(c0 + c1, 1)
        ky = 0
    for _ in range(ky):
        for z in range(begin, end):
            levels, rows = shared[FIRST_GROUP, z + 1] - shared[FIRST_GROUP, z], 0
            for cell in range(at, at + levels):
                rows += table[cell]
                sum_xy += clog[np.uint64(table[cell])]
            at += levels
            sum_y += clog[np.uint64(rows)]
            if kind == SCI:
                regret_x_given_y += regret[np.uint64(rows)]
            elif kind == G2:
                df += (levels - 1) * min(rows, 1)
    figures[F_XY] += sum_xy
    figures[F_Y] += sum_y
    figures[R_X_GIVEN_Y] += regret_x_given_y
    figures[DF] += df - (n - (end - begin))  # Σ (levels − 1) over the strata


@leaf
def _add_pairs(
    level: Array, shared: Array, apart: int, alike: int, clog: Array, regret: Array, kind: Integer, figures: Array
) -> None:
    """Add to the figures what the strata of two rows contribute: ``apart`` in the level of the target, or ``alike``."""
    same = 0
    for p in range(apart):
        same += 1 if level[shared[PAIR, 2 * p]] == level[shared[PAIR, 2 * p + 1]] else 0
    figures[F_Y] += same * clog[2]
    figures[DF] += apart - same
    if kind == SCI:
        end = shared.shape[1]
        for p in range(1, alike + 1):
            same += 1 if level[shared[PAIR, end - 2 * p]] == level[shared[PAIR, end - 2 * p + 1]] else 0
        figures[R_X_GIVEN_Y] += same * regret[2] + 2 * (apart + alike - same) * regret[1]


@leaf
def _list_groups(work: Workspace, kind: Integer) -> tuple[int, int, int]:
    """List the groups of the strata that contribute, from the bitmaps that are made.

    Return the number of strata, of those that contribute, and of their groups.
    """
    shared, filled, n = work.by_stratum, work.filled, work.state[S_FILLED]
    start, n_given = work.columns[START], work.state[S_GIVEN]
    n_strata = n_groups = rows = 0
    shared[FIRST_ROW, 0] = shared[FIRST_GROUP, 0] = 0
    begin = 0
    while begin < n:
        end = begin + 1
        while filled[ENDS, end - 1] == 0:
            end += 1
        if kind == SCI or end - begin > 1:
            for j in range(begin, end):
                size = filled[SIZE, j]
                filled[GROUP_BITMAP, n_groups], shared[GROUP_SIZE, n_groups] = filled[BITMAP, j], size
                n_groups += 1
                rows += size
            n_strata += 1
            shared[FIRST_ROW, n_strata], shared[FIRST_GROUP, n_strata] = rows, n_groups
        begin = end
    return start[n_given + 1] - start[n_given], n_strata, n_groups


@leaf
def _divide_rows(
    codes: Array, bits: Bits, work: Workspace, target: int, kind: Integer
) -> tuple[int, int, int, int, int]:
    """Divide the rows by (given, target), and list the groups of the strata that contribute.

    Strata of one row are left out as soon as they come up, and with them what would divide them further.

    Returns
    -------
    all_strata, strata, groups : int
        How many strata there are, how many of three rows and more contribute, and how many groups these have.
    apart, alike : int
        How many strata of two rows have two levels of the target, and, for SCI, one.
    """
    shared, given, n_given = work.by_stratum, work.columns[GIVEN], work.state[S_GIVEN]
    n_all, n_segments, used = _divide_by_leading(codes, bits, work)
    rows, spare, segment, spare_segment = ROW, SPARE_ROW, SEGMENT, SPARE_SEGMENT
    for d in range(used, n_given):
        alone, n_segments = _divide_segments(
            codes[given[d]], bits.arity[given[d]], shared[rows], shared[segment], n_segments, shared[spare],
            shared[spare_segment], work.by_level[PLACE],
        )  # fmt: skip
        n_all += alone
        rows, spare, segment, spare_segment = spare, rows, spare_segment, segment
    strata, groups, apart, alike = _group_rows(
        codes[target], bits.arity[target], shared[rows], shared[segment], n_segments, shared, work.by_level[PLACE], kind
    )
    return n_all + n_segments, strata, groups, apart, alike


@leaf
def _divide_by_leading(codes: Array, bits: Bits, work: Workspace) -> tuple[int, int, int]:
    """Divide the rows by as many of the leading given columns as have few configurations, in one pass.

    Return the number of rows that lie alone, of segments of two rows and more, and of columns used.
    """
    shared, place, given = work.by_stratum, work.table, work.columns[GIVEN]
    number, rows, n = shared[GROUP], shared[ROW], work.by_row.shape[1]
    for i in range(n):
        number[i] = 0
    cells: Integer = np.int64(1)
    used = 0
    while used < work.state[S_GIVEN] and cells * bits.arity[given[used]] * ROWS_PER_FIRST_CELL <= n:
        k = np.int32(bits.arity[given[used]])
        level = codes[given[used]]
        for i in range(n):
            number[i] = number[i] * k + np.int32(level[i])
        cells *= k
        used += 1
    for cell in range(cells):
        place[cell] = 0
    for i in range(n):
        place[number[i]] += 1
    alone = n_segments = at = 0
    for cell in range(cells):
        size = place[cell]
        place[cell] = at if size > 1 else -1
        if size > 1:
            shared[SEGMENT, n_segments] = at
            n_segments += 1
            at += size
        else:
            alone += size
    shared[SEGMENT, n_segments] = at
    for i in range(n):
        to = place[number[i]]
        if to >= 0:
            rows[to] = i
            place[number[i]] = to + 1
    return alone, n_segments, used


@leaf
def _divide_segments(
    level: Array, k: int, rows: Array, segment: Array, n_segments: int, rows_out: Array, segment_out: Array,
    place: Array,
) -> tuple[int, int]:  # fmt: skip
    """Divide every segment of the rows by the level of a column.

    Return the number of rows that lie alone now, and of segments of two rows and more.
    """
    alone = n_out = at = 0
    for s in range(n_segments):
        begin, end = segment[s], segment[s + 1]
        if end - begin == 2:
            if level[rows[begin]] == level[rows[begin + 1]]:
                segment_out[n_out] = at
                n_out += 1
                rows_out[at], rows_out[at + 1] = rows[begin], rows[begin + 1]
                at += 2
            else:
                alone += 2
            continue
        if end - begin < k:
            more, n_out, at = _divide_few_rows(level, rows[begin:end], rows_out, segment_out, n_out, at, place)
            alone += more
            continue
        for v in range(k):
            place[v] = 0
        for i in range(begin, end):
            place[level[rows[i]]] += 1
        for v in range(k):
            size = place[v]
            place[v] = at if size > 1 else -1
            if size > 1:
                segment_out[n_out] = at
                n_out += 1
                at += size
            else:
                alone += size
        for i in range(begin, end):
            v = level[rows[i]]
            if place[v] >= 0:
                rows_out[place[v]] = rows[i]
                place[v] += 1
    segment_out[n_out] = at
    return alone, n_out


@leaf
def _divide_few_rows(
    level: Array, rows: Array, rows_out: Array, segment_out: Array, n_out: int, at: int, place: Array
) -> tuple[int, int, int]:
    """Divide one segment of fewer rows than levels without a pass over the levels, of which there may be thousands.

    Return the number of rows that lie alone, and of segments and of rows so far.
    """
    for i in range(rows.shape[0]):
        place[level[rows[i]]] = 0
    for i in range(rows.shape[0]):
        place[level[rows[i]]] += 1
    alone = 0
    for i in range(rows.shape[0]):
        v = level[rows[i]]
        size = place[v]
        if size == 1:
            alone += 1
        elif size > 1:  # the first row of a new segment; where its next row goes is kept as a negative number
            segment_out[n_out] = at
            n_out += 1
            rows_out[at] = rows[i]
            place[v] = -(at + 1)
            at += size
        else:
            rows_out[-size] = rows[i]
            place[v] = size - 1
    return alone, n_out, at


@leaf
def _group_rows(
    level: Array, k: int, rows: Array, segment: Array, n_segments: int, shared: Array, place: Array, kind: Integer
) -> tuple[int, int, int, int]:
    """List the groups of every stratum that contributes, and the pairs; ``rows`` are moved to ROW, in stratum order.

    Return the numbers of strata, of groups, of pairs that are apart, and of pairs that are alike.
    """
    n_strata = n_groups = at = apart = alike = 0
    shared[FIRST_ROW, 0] = shared[FIRST_GROUP, 0] = 0
    for s in range(n_segments):
        begin, end = segment[s], segment[s + 1]
        if end - begin == 2:
            if level[rows[begin]] != level[rows[begin + 1]]:
                shared[PAIR, 2 * apart], shared[PAIR, 2 * apart + 1] = rows[begin], rows[begin + 1]
                apart += 1
            elif kind == SCI:
                alike += 1
                first = shared.shape[1] - 2 * alike
                shared[PAIR, first], shared[PAIR, first + 1] = rows[begin], rows[begin + 1]
            continue
        for v in range(k):
            place[v] = 0
        for i in range(begin, end):
            place[level[rows[i]]] += 1
        if kind != SCI and place[level[rows[begin]]] == end - begin:
            continue
        for v in range(k):
            if place[v] > 0:
                shared[GROUP_SIZE, n_groups] = place[v]
                place[v] = n_groups
                n_groups += 1
        for i in range(begin, end):
            row = rows[i]
            shared[ROW, at], shared[GROUP, at] = row, place[level[row]]
            at += 1
        n_strata += 1
        shared[FIRST_ROW, n_strata], shared[FIRST_GROUP, n_strata] = at, n_groups
    return n_strata, n_groups, apart, alike
