"""Which neighbors of a target are parents and which are children: exact branch and bound over all 2^m partitions.

score(PA) = SC(T|PA) + Σ_{P∈PA} SC(P) + Σ_{C∉PA} SC(C|T) = constant + f(PA), with w_X = SC(X) − SC(X|T) and
f(A) = h(A) + Δ(A) + Σ_{X∈A} w_X, h(A) = n·H(T|A), Δ(A) = Σ_a log2 R(k_T, n_a).

When A grows, h never increases and Δ never decreases, so for every A with I ⊆ A ⊆ I ∪ R
f(A) ≥ h(I∪R) + Δ(I) + w(I) + Σ_{X∈R} min(0, w_X): the lower bound. Here I are the neighbors decided to be parents
and R the undecided ones. A node of the search decides one more neighbor; it has the distinct rows of (T, I∪R), which
become fewer with every neighbor that is excluded from PA. A row that is alone in its configuration of I adds 0 to h and
log2 R(k_T, n_a) to Δ for every A that contains I: it leaves the search. All sums are integers in fixed point (see
``entropy``): scores that differ by no more than the rounding of their terms are ties.

The side of a neighbor may be known beforehand: it is then decided first, and has one branch.

The search begins with a good set, from which more nodes can be left out: the best that single changes, and then
changes of two neighbors, reach from no parents and from all neighbors as parents.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from climbfast_kernels._jit import kernel, leaf, spliced
from climbfast_kernels.bits import Array, Bits, Integer
from climbfast_kernels.cost_model import AUTO, BITMAPS
from climbfast_kernels.distinct import distinct_rows
from climbfast_kernels.entropy import entropy_term
from climbfast_kernels.independence import (
    F_X,
    F_XY,
    F_Y,
    F_Z,
    FIGURES,
    R_X_GIVEN_Y,
    R_Y,
    R_Y_GIVEN_X,
    SCI,
    measure,
)
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.pairs import measure_pairs
from climbfast_kernels.patterns import examine
from climbfast_kernels.regret import regret_term
from climbfast_kernels.workspace import Workspace

# Fields of each row at a level of the search. REPRESENTATIVE: a distinct row that stands for it. CODE: its
# configuration of I. CODE_T: its configuration of (I, T). WEIGHT: its number of data rows. DIFFERS: the last neighbor
# in which it differs from the row before it; where that one is decided by now, or there is none (-1), they agree in all
# that are not.
REPRESENTATIVE, CODE, CODE_T, WEIGHT, DIFFERS, FIELDS = range(6)

# Sides of a neighbor. OPEN: the search decides.
PARENT, CHILD, OPEN = range(3)

# The changes of a descent, see ``_descend``; a number, since one loop over the descents compiles them once.
BEST_CHANGE, ANY_CHANGE, ANY_PAIR, DESCENTS = range(4)

MOST_URGENT = 2**62
FEW_NEIGHBORS = 9  # of fewer, the search takes no longer than all three descents and what is then left of it
MOST_NODES = 2**48  # no search gets so far; more would overflow the number of rows
ROWS_PER_NODE = 2_500  # a node takes about 10 ns for each of its distinct rows
PART_OF_A_DESCENT = 2  # of these rows a descent gets one in two: .4 ns for each, with many parents 1.4 to 3.3 ns
CELLS_PER_DISTINCT_ROW = 8  # of a table of all configurations: with more, numbering those that occur takes less time


class Partitions(NamedTuple):
    """Parents and children of many targets; arrays over the neighbors are ordered by target.

    Attributes
    ----------
    is_parent : bool array, shape (neighbors,)
    margins : int64 array, shape (neighbors,)
        Units by which the score increases when only this neighbor changes from parent to child, or from child to
        parent; 0 for a neighbor whose side was known.
    scores, gaps : int64 arrays, shape (targets,)
        In units; a gap of 0 proves that no partition has a smaller score.
    nodes : int64 array, shape (targets,)
        Number of nodes of each search.
    rows : int64 array, shape (targets,)
        Number of rows in which neither the target nor a neighbor is missing.
    """

    is_parent: Array
    margins: Array
    scores: Array
    gaps: Array
    nodes: Array
    rows: Array


@kernel
def partition_neighbors(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, strategy: int, targets: Array, first: Array,
    neighbors: Array, sides: Array, figures: Array, most_nodes: int,
) -> Partitions:  # fmt: skip
    """Find for every target the neighbors that are parents: min f(A) by ``branch_and_bound``.

    Parameters
    ----------
    targets : int64 array
    first : int64 array, shape (targets + 1,)
        Where the neighbors of each target begin.
    sides : int64 array, shape (neighbors,)
        PARENT or CHILD where it is known, else OPEN.
    figures : int64 array, shape (neighbors, FIGURES)
        See ``neighbor_figures``.
    """
    n = targets.shape[0]
    is_parent, margins = np.empty(neighbors.shape[0], np.bool_), np.empty(neighbors.shape[0], np.int64)
    scores, gaps, nodes = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    rows = np.empty(n, np.int64)
    for t in range(n):
        target, start, m = targets[t], first[t], first[t + 1] - first[t]
        w, order, constant = order_neighbors(figures[start : start + m], sides[start : start + m])
        branching, arity, w_branching = np.empty(m, np.int64), np.empty(m + 1, np.int64), np.empty(m, np.int64)
        side = np.empty(m, np.int64)
        for j in range(m):
            branching[j] = neighbors[start + order[j]]
            arity[j] = bits.arity[branching[j]]
            w_branching[j], side[j] = w[order[j]], sides[start + order[j]]
        arity[m] = bits.arity[target]
        values, weight = distinct_rows(codes, bits, work, strategy, target, branching)
        rows[t] = 0
        for i in range(weight.shape[0]):
            rows[t] += weight[i]
        parents, margins_of_target, score, gaps[t], nodes[t] = branch_and_bound(
            values, weight, arity, w_branching, side, order, log_tables.regret_row[target], log_tables.clog,
            log_tables.log_regret, log_tables.units, most_nodes, work.stop,
        )  # fmt: skip
        scores[t] = score + constant
        for j in range(m):
            is_parent[start + order[j]], margins[start + order[j]] = parents[j], margins_of_target[j]
    return Partitions(is_parent, margins, scores, gaps, nodes, rows)


def neighbor_figures(
    codes: Array,
    bits: Bits,
    log_tables: LogTables,
    work: Workspace,
    strategy: int,
    targets: Array,
    first: Array,
    neighbors: Array,
) -> Array:
    """Return the figures of the marginal SCI of every target and each of its neighbors, shape (neighbors, FIGURES).

    They are of the rows in which neither the target nor any of its neighbors is missing.
    """
    figures = np.full((len(neighbors), FIGURES), -1, np.int64)
    target_of_each = np.repeat(targets, np.diff(first))
    if strategy in (AUTO, BITMAPS):
        measure_pairs(
            bits.words, bits.offset, bits.arity, bits.count, bits.incomplete, log_tables.regret_row, log_tables.clog,
            log_tables.log_regret, log_tables.units, target_of_each, neighbors, work.table, work.by_level, figures,
        )  # fmt: skip
    if bits.incomplete.any():
        for target, begin, end in zip(targets, first, first[1:], strict=False):
            around = neighbors[begin:end]
            if bits.incomplete[target] or bits.incomplete[around].any():
                figures[begin:end] = _figures_of_complete_rows(codes, bits, log_tables, work, strategy, target, around)
    for j in np.flatnonzero(figures[:, F_Z] < 0):
        examine(codes, bits, log_tables, work, strategy, target_of_each[j], neighbors[j], _EMPTY)
        figures[j] = work.figures
    return figures


def _figures_of_complete_rows(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, strategy: int, target: int, neighbors: Array
) -> Array:  # fmt: skip
    """Return the figures of a target and its neighbors over the rows in which none of them is missing."""
    values, weight = distinct_rows(codes, bits, work, strategy, target, neighbors)
    figures = np.empty((len(neighbors), FIGURES), np.int64)
    kx, row_x = bits.arity[target], log_tables.regret_row[target]
    for j, y in enumerate(neighbors):
        ky = bits.arity[y]
        table = np.zeros(kx * ky, np.int64)
        np.add.at(table, values[-1] * ky + values[j], weight)
        measure(
            table, np.int64(1), kx, ky, row_x, log_tables.regret_row[y], log_tables.clog, log_tables.log_regret,
            log_tables.units, np.int64(SCI), 1.0, work.by_level, figures[j],
        )  # fmt: skip
    return figures


_EMPTY = np.empty(0, np.int64)


@spliced
def order_neighbors(figures: Array, sides: Array) -> tuple[Array, Array, int]:
    """Return w_X of each neighbor, the order of branching, and Σ SC(X|T); in units.

    Branching starts with the neighbors whose side is known, and goes on with the largest Δ({X}) + w_X + n·H(X)/16:
    the neighbors that cost most as parents, and those of high entropy. The last undecided neighbors then cannot explain
    the target completely, and the bound is tight. The term n·H(X)/16 reduced the nodes to a third
    for a target with 19 neighbors, and changed little for easier targets.
    """
    m = figures.shape[0]
    w, urgency, order = np.empty(m, np.int64), np.empty(m, np.int64), np.empty(m, np.int64)
    constant = 0
    for j in range(m):
        given_target = figures[j, F_X] - figures[j, F_XY] + figures[j, R_Y_GIVEN_X]
        entropy = figures[j, F_Z] - figures[j, F_Y]
        constant += given_target
        w[j] = entropy + figures[j, R_Y] - given_target
        urgency[j] = figures[j, R_X_GIVEN_Y] + w[j] + entropy // 16 if sides[j] == OPEN else MOST_URGENT
        place = j
        while place > 0 and urgency[order[place - 1]] < urgency[j]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = j
    return w, order, constant


@spliced
def branch_and_bound(
    values: Array, weight: Array, arity: Array, w: Array, side: Array, order: Array, regret_row: int, clog: Array,
    log_regret: Array, units: float, most_nodes: int, stop: Array,
) -> tuple[Array, Array, int, int, int]:  # fmt: skip
    """Find the parents A of minimal f(A).

    Of ties the set with fewer parents is taken, then the one whose parents come first in the caller's order.

    Parameters
    ----------
    values, weight
        ``distinct.distinct_rows`` of the neighbors in the order of branching, and of the target.
    arity : int64 array, shape (m + 1,)
        Arities of the neighbors in the order of branching, and of the target.
    w : int64 array, shape (m,)
        SC(X) − SC(X|T) in the order of branching, in units.
    side : int64 array, shape (m,)
        PARENT or CHILD where it is known, else OPEN; in the order of branching.
    order : int64 array, shape (m,)
        The place of each neighbor in the caller's order.
    most_nodes : int
        Number of nodes after which the search stops without a proof. It also stops after ``ROWS_PER_NODE`` times as
        many distinct rows, those that have left the search not counted, and each of three descents before it after a
        part of as many: time then has a bound, and results are the same on every machine.
    stop : int64 array, shape (1,)
        See ``Workspace``.

    Returns
    -------
    is_parent : bool array, shape (m,)
        In the order of branching.
    margins : int64 array, shape (m,)
        See ``Partitions``.
    score : int
        f of the best set found.
    gap : int
        Upper bound, in units, of the improvement by a better set; 0 proves that there is none.
    nodes : int
        Number of nodes of the search.
    """
    m = w.shape[0]
    most_rows = ROWS_PER_NODE * min(most_nodes, MOST_NODES)
    first = _first_guess(
        values, weight, arity, w, side, regret_row, clog, log_regret, units, most_rows // PART_OF_A_DESCENT, stop
    )
    best, _, nodes, gap = _search(
        values, weight, arity, w, side, order, regret_row, clog, log_regret, units, first, most_nodes, most_rows, stop
    )
    # The search returns the minimum over ties; the margins need the score of this set.
    best_score = _score(best, values, weight, arity, w, regret_row, clog, log_regret, units)
    margins = np.zeros(m, np.int64)
    for j in range(m):
        if side[j] != OPEN:
            continue
        best[j] = not best[j]
        margins[j] = _score(best, values, weight, arity, w, regret_row, clog, log_regret, units) - best_score
        best[j] = not best[j]
    return best, margins, best_score, gap, nodes


@kernel
def _refine_codes(
    above: Array, below: Array, part: Integer, size: int, n_codes: Integer, values: Array, column: Integer, k: int,
    numbers: Array,
) -> int:  # fmt: skip
    """Number the pairs (code, value of the column) that occur by 0, 1, 2, …; return how many there are.

    The numbers are set in field ``part`` of ``below``. ``above`` and ``below`` have REPRESENTATIVE and this field, and
    may be the same array. ``numbers`` is a buffer: with n_codes·k elements or more it is a table of all pairs, else the
    pairs are sorted.
    """
    if n_codes * k > numbers.shape[0]:
        return _refine_codes_by_sorting(above, below, part, size, n_codes, values, column, k)
    for key in range(n_codes * k):
        numbers[key] = -1
    found = 0
    for i in range(size):
        key = above[part, i] * k + values[column, above[REPRESENTATIVE, i]]
        if numbers[key] < 0:
            numbers[key] = found
            found += 1
        below[part, i] = numbers[key]
    return found


@kernel
def _refine_codes_by_sorting(
    above: Array, below: Array, part: Integer, size: int, n_codes: Integer, values: Array, column: Integer, k: int
) -> int:
    """``_refine_codes`` in O(size + n_codes + k) time and memory: counting sorts by value, then by code."""
    place = np.zeros(max(k, n_codes) + 1, np.int64)
    by_value = np.empty(size, np.int64)
    for i in range(size):
        place[values[column, above[REPRESENTATIVE, i]] + 1] += 1
    for v in range(k):
        place[v + 1] += place[v]
    for i in range(size):
        v = values[column, above[REPRESENTATIVE, i]]
        by_value[place[v]] = i
        place[v] += 1
    for a in range(place.shape[0]):
        place[a] = 0
    for i in range(size):
        place[above[part, i] + 1] += 1
    for a in range(n_codes):
        place[a + 1] += place[a]
    order = np.empty(size, np.int64)
    for j in range(size):
        a = above[part, by_value[j]]
        order[place[a]] = by_value[j]
        place[a] += 1
    found = before = before_value = -1
    for j in range(size):
        i = order[j]
        a = above[part, i]
        v = values[column, above[REPRESENTATIVE, i]]
        if a != before or v != before_value:
            found += 1
        before, before_value = a, v
        below[part, i] = found
    return found + 1


@kernel
def _score(
    is_parent: Array, values: Array, weight: Array, arity: Array, w: Array, regret_row: int, clog: Array,
    log_regret: Array, units: float,
) -> int:  # fmt: skip
    """f(A) = h(A) + Δ(A) + w(A) of one set of parents, in units."""
    m, distinct = w.shape[0], weight.shape[0]
    cells = float(arity[m])
    score = 0
    for j in range(m):
        if is_parent[j]:
            cells *= float(arity[j])
            score += w[j]
    if cells <= CELLS_PER_DISTINCT_ROW * distinct:
        joint, count = np.empty(distinct, np.int32), np.zeros(int(cells), np.int64)
        _count_configurations(is_parent, values, weight, arity, joint, count)
        return score + _sum_configurations(count, arity[m], regret_row, clog, log_regret, units)
    return score + _score_of_many_configurations(is_parent, values, weight, arity, regret_row, clog, log_regret, units)


@leaf
def _count_configurations(
    is_parent: Array, values: Array, weight: Array, arity: Array, joint: Array, count: Array
) -> None:
    """count[a·k_T + t] += the rows of T = t with configuration a of the parents, in place; ``joint`` is a buffer."""
    m = is_parent.shape[0]
    for i in range(joint.shape[0]):
        joint[i] = values[m, i]
    size = arity[m]
    for j in range(m):
        if is_parent[j]:
            for i in range(joint.shape[0]):
                joint[i] += np.int32(size) * values[j, i]
            size *= arity[j]
    for i in range(joint.shape[0]):
        count[np.uint32(joint[i])] += weight[i]


@leaf
def _sum_configurations(count: Array, k: int, regret_row: int, clog: Array, log_regret: Array, units: float) -> int:
    """h(A) + Δ(A) in units from the counts by configuration and level of T."""
    total = at = 0
    while at < count.shape[0]:
        rows = 0
        for t in range(at, at + k):
            rows += count[t]
            total -= entropy_term(clog, units, count[t])
        total += entropy_term(clog, units, rows) + regret_term(log_regret, units, regret_row, k, rows)
        at += k
    return total


@kernel
def _score_of_many_configurations(
    is_parent: Array, values: Array, weight: Array, arity: Array, regret_row: int, clog: Array, log_regret: Array,
    units: float,
) -> int:  # fmt: skip
    """h(A) + Δ(A) in units, where few of the configurations of the parents occur: these are numbered."""
    m, distinct = is_parent.shape[0], weight.shape[0]
    code = np.empty((CODE_T + 1, distinct), np.int64)
    for i in range(distinct):
        code[REPRESENTATIVE, i], code[CODE, i] = i, 0
    numbers = np.empty(_most_direct_keys(distinct), np.int32)
    n_codes: Integer = np.int64(1)
    for j in range(m):
        if is_parent[j] and n_codes < distinct:  # where every row is alone, more parents change nothing
            n_codes = _refine_codes(code, code, np.int64(CODE), distinct, n_codes, values, j, arity[j], numbers)
    for i in range(distinct):
        code[CODE_T, i] = code[CODE, i]
    n_codes_t = _refine_codes(code, code, np.int64(CODE_T), distinct, n_codes, values, m, arity[m], numbers)
    score = 0
    count = np.zeros(max(n_codes, n_codes_t), np.int64)
    for i in range(distinct):
        count[code[CODE, i]] += weight[i]
    for a in range(n_codes):
        score += entropy_term(clog, units, count[a])
        score += regret_term(log_regret, units, regret_row, arity[m], count[a])
        count[a] = 0
    for i in range(distinct):
        count[code[CODE_T, i]] += weight[i]
    for a in range(n_codes_t):
        score -= entropy_term(clog, units, count[a])
    return score


@kernel
def _most_direct_keys(distinct: int) -> int:
    """Size of the table for direct numbering: a few keys per distinct row, so that clearing it costs little."""
    return 8 * distinct + 1024


@spliced
def _first_guess(
    values: Array, weight: Array, arity: Array, w: Array, side: Array, regret_row: int, clog: Array, log_regret: Array,
    units: float, most_rows: int, stop: Array,
) -> Array:  # fmt: skip
    """Return a set that no change of one or two open neighbors improves, if no descent ends early.

    It comes from the better of two sets: one from the known parents by the best single change each time, and one from
    all neighbors but known children by any better change. The second keeps parents that tell about the target only
    together. For few neighbors it is the first set: a search from there takes less time than the other descents.
    """
    m = w.shape[0]
    grown, shrunk = np.empty(m, np.bool_), np.empty(m, np.bool_)
    for j in range(m):
        grown[j], shrunk[j] = side[j] == PARENT, side[j] != CHILD
    best, scores = shrunk, np.empty(DESCENTS, np.int64)
    for changes in range(DESCENTS if m >= FEW_NEIGHBORS else 1):
        of_grown = changes == BEST_CHANGE or (changes == ANY_PAIR and scores[BEST_CHANGE] <= scores[ANY_CHANGE])
        best = grown if of_grown else shrunk
        scores[changes] = _descend(
            changes, best, values, weight, arity, w, side, regret_row, clog, log_regret, units, most_rows, stop
        )
    return best


@spliced
def _descend(
    changes: Integer, chosen: Array, values: Array, weight: Array, arity: Array, w: Array, side: Array, regret_row: int,
    clog: Array, log_regret: Array, units: float, most_rows: int, stop: Array,
) -> int:  # fmt: skip
    """Change the sides of open neighbors, in place, until no change lowers f; return f in units.

    BEST_CHANGE tries all single changes and makes the best. ANY_CHANGE makes every single change that lowers f at once,
    and ANY_PAIR every change of one or two neighbors. They are tried in the order of branching, again and again. A
    score counts distinct rows times (1 + parents); the descent ends early when these are ``most_rows``.
    """
    m = chosen.shape[0]
    tries = m * (m + 1) // 2 if changes == ANY_PAIR else m
    score = _score(chosen, values, weight, arity, w, regret_row, clog, log_regret, units)
    least, best_i, best_j = score, m, m
    rows_left = most_rows
    i = j = tried = 0
    while tried < tries and rows_left > 0 and stop[0] == 0:
        tried += 1
        if side[i] == OPEN and side[j] == OPEN:
            _flip(chosen, i, j)
            changed = _score(chosen, values, weight, arity, w, regret_row, clog, log_regret, units)
            rows_left -= weight.shape[0]
            for x in range(m):
                rows_left -= weight.shape[0] if chosen[x] else 0
            _flip(chosen, i, j)
            if changed < least:
                least, best_i, best_j = changed, i, j
        if least < score and (tried == tries or changes != BEST_CHANGE or rows_left <= 0):
            _flip(chosen, best_i, best_j)
            score, tried = least, 0
        j += 1
        if j == m or changes != ANY_PAIR:
            i = (i + 1) % m
            j = i
    return score


@leaf
def _flip(chosen: Array, i: int, j: int) -> None:
    """Change the side of neighbor i, and that of j where it is another one, in place."""
    chosen[i] = not chosen[i]
    if j != i:
        chosen[j] = not chosen[j]


@kernel
def _copy(source: Array, out: Array) -> None:
    """out = source, element by element, in place."""
    for j in range(source.shape[0]):
        out[j] = source[j]


@spliced
def _search(
    values: Array, weight: Array, arity: Array, w: Array, side: Array, order: Array, regret_row: int, clog: Array,
    log_regret: Array, units: float, best: Array, most_nodes: int, most_rows: int, stop: Array,
) -> tuple[Array, int, int, int]:  # fmt: skip
    """Depth-first branch and bound from the incumbent ``best``; return the best set, its score, nodes and gap."""
    m, distinct = w.shape[0], weight.shape[0]
    n_rows = 0
    for i in range(distinct):
        n_rows += weight[i]
    remaining_bound = _remaining_bound(w, side)
    level = np.empty((m + 1, FIELDS, distinct), np.int64)
    at = np.zeros(m + 1, np.int64)  # level[at[d]] has the rows at depth d: those of d - 1 where a child merges none
    size = np.empty(m + 1, np.int64)
    n_codes = np.empty((m + 1, 2), np.int64)
    h = np.empty(m + 1, np.int64)
    rest = np.empty(m + 1, np.int64)  # Δ(I) + w(I)
    delta_of_left = np.zeros(m + 1, np.int64)  # Δ of the rows that have left the search
    phase = np.zeros(m + 1, np.int64)
    chosen = np.zeros(m, np.bool_)
    numbers = np.empty(_most_direct_keys(distinct), np.int32)
    count, in_group = np.empty(numbers.shape[0], np.int64), np.zeros((2, distinct + arity[m]), np.int64)
    best_score = _score(best, values, weight, arity, w, regret_row, clog, log_regret, units)
    depth: Integer = np.int64(0)
    _root(level[0], values, weight)
    size[0], n_codes[0, 0], n_codes[0, 1] = distinct, 1, arity[m]
    h[0] = _conditional_entropy(level[0], distinct, depth, in_group, clog, units)[0]
    rest[0] = regret_term(log_regret, units, regret_row, arity[m], n_rows)
    nodes = 1
    row_budget = most_rows
    tie = 8 * (distinct + m)  # units by which rounding can make two equal scores differ
    while depth >= 0:
        if depth == m:
            score = h[depth] + rest[depth]
            if score < best_score - tie or (score <= best_score + tie and _precedes(chosen, best, order)):
                _copy(chosen, best)
            best_score = min(best_score, score)
            depth -= 1
            continue
        phase[depth] += 1
        if phase[depth] == 3:
            phase[depth] = 0
            depth -= 1
            continue
        if nodes >= most_nodes or row_budget <= 0 or stop[0] != 0:
            break
        include = phase[depth] == 1
        if side[depth] == (CHILD if include else PARENT):
            continue
        lower_bound = h[depth] + rest[depth] + remaining_bound[depth + 1] + (w[depth] if include else 0)
        if lower_bound > best_score + tie:
            continue
        chosen[depth] = include
        nodes += 1
        row_budget -= size[depth]
        below, rows = depth + 1, level[at[depth]]
        at[below], size[below] = at[depth], size[depth]
        n_codes[below, 0], n_codes[below, 1] = n_codes[depth, 0], n_codes[depth, 1]
        delta_of_left[below] = delta_of_left[depth]
        if include:
            refined = level[at[depth] + 1]
            n_codes[below, 0] = _count_with(
                rows, refined, size[depth], n_codes[depth, 0], values, depth, arity[depth], count
            )
            h[below], rest[below] = h[depth], delta_of_left[depth] + w[depth]
            rest[below] += _sum_regrets(count[: n_codes[below, 0]], arity[m], regret_row, log_regret, units)
            for j in range(depth):
                rest[below] += w[j] if chosen[j] else 0
        else:
            rest[below] = rest[depth]
            h[below], size[below] = _conditional_entropy(rows, size[depth], below, in_group, clog, units)
        if h[below] + rest[below] + remaining_bound[below] > best_score + tie:
            continue
        if include:
            at[below] += 1
            size[below], delta = _include(
                rows, refined, size[depth], n_codes[below], count, numbers, values, depth, arity, regret_row,
                log_regret, units,
            )  # fmt: skip
            delta_of_left[below] += delta
        elif size[below] < size[depth]:
            at[below] += 1
            _exclude(rows, size[depth], level[at[below]], depth, n_codes[depth, 1])
        depth = below
        phase[depth] = 0
    return best, best_score, nodes, _gap(best_score, depth, phase, h, rest, remaining_bound)


@spliced
def _remaining_bound(w: Array, side: Array) -> Array:
    """Return Σ_{j≥d} min(0, w_j) in units for each depth d, shape (m + 1,).

    A neighbor known to be a parent adds w_j, one known to be a child 0.
    """
    m = w.shape[0]
    bound = np.zeros(m + 1, np.int64)
    for j in range(m - 1, -1, -1):
        if side[j] == OPEN:
            bound[j] = bound[j + 1] + min(0, w[j])
        else:
            bound[j] = bound[j + 1] + (w[j] if side[j] == PARENT else 0)
    return bound


@leaf
def _sum_regrets(count: Array, k: int, regret_row: int, log_regret: Array, units: float) -> int:
    """Δ = Σ_a log2 R(k, count[a]) in units."""
    total = 0
    for a in range(count.shape[0]):
        total += regret_term(log_regret, units, regret_row, k, count[a])
    return total


@leaf
def _gap(best_score: int, depth: Integer, phase: Array, h: Array, rest: Array, remaining_bound: Array) -> int:
    """Return by how much an open node of a stopped search could improve the best score; 0 after a complete search.

    The lower bound at a level is h + rest + remaining_bound. Open nodes are the deepest one, and those above it of
    which only the first branch was searched.
    """
    gap = 0
    for d in range(depth + 1):
        if d == depth or phase[d] == 1:
            gap = max(gap, best_score - (h[d] + rest[d] + remaining_bound[d]))
    return gap


@kernel
def _root(level: Array, values: Array, weight: Array) -> None:
    """Set level 0: nothing is decided, and every distinct row stands for itself."""
    m = values.shape[0] - 1
    for i in range(weight.shape[0]):
        level[REPRESENTATIVE, i] = i
        level[CODE, i] = 0
        level[CODE_T, i] = values[m, i]
        level[WEIGHT, i] = weight[i]
        differs = m - 1
        while i > 0 and differs >= 0 and values[differs, i] == values[differs, i - 1]:
            differs -= 1
        level[DIFFERS, i] = differs


@kernel
def _conditional_entropy(
    level: Array, size: int, depth: Integer, in_group: Array, clog: Array, units: float
) -> tuple[int, int]:
    """Return h(I∪R) = n·H(T|I∪R) in units and the number of distinct rows of (T, I∪R).

    R are the neighbors from ``depth`` on: the second result is how many rows are left when ``_exclude`` makes the
    neighbor before them a child.

    h = Σ c·log2 c over the configurations of I∪R − Σ c·log2 c over those of (T, I∪R), which are counted in every group
    of rows that agree in R. A row that is alone in its group adds 0. ``in_group``, shape (2, codes of I or of (I, T)),
    is a buffer of zeros, and stays so.
    """
    h = distinct = begin = 0
    while begin < size:
        end = begin + 1
        while end < size and level[DIFFERS, end] < depth:
            end += 1
        if end == begin + 1:
            distinct += 1
        else:
            for i in range(begin, end):
                in_group[0, level[CODE, i]] += level[WEIGHT, i]
                in_group[1, level[CODE_T, i]] += level[WEIGHT, i]
            for i in range(begin, end):
                h += entropy_term(clog, units, in_group[0, level[CODE, i]])
                in_group[0, level[CODE, i]] = 0
                h -= entropy_term(clog, units, in_group[1, level[CODE_T, i]])
                distinct += in_group[1, level[CODE_T, i]] > 0
                in_group[1, level[CODE_T, i]] = 0
        begin = end
    return h, distinct


@kernel
def _count_with(
    above: Array, below: Array, size: int, n_codes: Integer, values: Array, column: Integer, k: int, count: Array
) -> Integer:
    """count[a] = the data rows of configuration a of (I, column), in place; return the number of codes.

    Codes are all pairs of a configuration of I and a level or, where these are many for the rows, those that occur. The
    code of each row is set in ``below``.
    """
    n: Integer = n_codes * k
    if n > _most_direct_keys(size):
        n = _refine_codes_by_sorting(above, below, np.int64(CODE), size, n_codes, values, column, k)
    else:
        for i in range(size):
            below[CODE, i] = above[CODE, i] * k + values[column, above[REPRESENTATIVE, i]]
    for a in range(n):
        count[a] = 0
    for i in range(size):
        count[below[CODE, i]] += above[WEIGHT, i]
    return n


@kernel
def _include(
    above: Array, below: Array, size: int, n_codes: Array, count: Array, numbers: Array, values: Array,
    column: Integer, arity: Array, regret_row: int, log_regret: Array, units: float,
) -> tuple[int, int]:  # fmt: skip
    """Make a neighbor a parent; return how many rows stay in the search, and Δ in units of those that leave it.

    ``below`` has the new configurations and ``count`` their data rows, see ``_count_with``: a row that stands for all
    data rows of its configuration is alone in it, and leaves. In place: ``below`` gets the rows that stay, and
    ``n_codes``, shape (2,), their numbers of configurations of I and of (I, T). ``numbers`` is a buffer, as in
    ``_refine_codes``.
    """
    kept = found = delta = 0
    differs = -1
    for a in range(n_codes[0]):
        numbers[a] = -1
    for i in range(size):
        differs = max(differs, above[DIFFERS, i])
        a = below[CODE, i]
        if count[a] == above[WEIGHT, i]:
            delta += regret_term(log_regret, units, regret_row, arity[arity.shape[0] - 1], count[a])
            continue
        if numbers[a] < 0:
            numbers[a] = found
            found += 1
        below[CODE, kept] = numbers[a]
        below[REPRESENTATIVE, kept] = above[REPRESENTATIVE, i]
        below[CODE_T, kept] = above[CODE_T, i]
        below[WEIGHT, kept] = above[WEIGHT, i]
        below[DIFFERS, kept] = differs
        differs = -1
        kept += 1
    n_codes[0] = found
    n_codes[1] = _refine_codes(below, below, np.int64(CODE_T), kept, n_codes[1], values, column, arity[column], numbers)
    return kept, delta


@kernel
def _exclude(above: Array, size: int, below: Array, depth: Integer, n_codes_t: int) -> None:
    """Make neighbor ``depth`` a child: merge the rows that now agree in (I, T, R).

    ``_conditional_entropy`` has counted how many are left.
    """
    last = np.full(n_codes_t, -1, np.int32)
    kept = first_of_group = 0
    differs = -1
    for i in range(size):
        if above[DIFFERS, i] > depth:
            first_of_group = kept
        differs = max(differs, above[DIFFERS, i])
        same = last[above[CODE_T, i]]
        if same >= first_of_group:
            below[WEIGHT, same] += above[WEIGHT, i]
            continue
        last[above[CODE_T, i]] = kept
        for f in range(FIELDS):
            below[f, kept] = above[f, i]
        below[DIFFERS, kept] = differs
        differs = -1
        kept += 1


@kernel
def _precedes(a: Array, b: Array, order: Array) -> bool:
    """Whether set a is taken instead of b at the same score: fewer parents, then first in the caller's order."""
    m = order.shape[0]
    more = 0
    first, a_has_it = m, False
    for j in range(m):
        more += int(a[j]) - int(b[j])
        if a[j] != b[j] and order[j] < first:
            first, a_has_it = order[j], a[j]
    return more < 0 or (more == 0 and a_has_it)
