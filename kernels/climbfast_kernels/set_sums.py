"""Sums over the table of a target and a set of columns, remembered for the other tests that need them.

The figures of a test of X and Y given Z are sums over the tables of X with Z ∪ {Y} and of X with Z:
n·I(X;Y|Z) = n·H(X|Z) − n·H(X|Z ∪ {Y}). Whichever column of a set is the candidate, those over the set are the same. A
search around a target tests each column of a set given the others, for which one table is enough.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import inlined, leaf
from climbfast_kernels.bits import Array, Bits, Integer
from climbfast_kernels.cost_model import AUTO
from climbfast_kernels.independence import (
    CMI,
    EVERYTHING,
    F_X,
    F_XY,
    F_Y,
    F_Z,
    G2,
    R_X,
    R_X_GIVEN_Y,
    R_Y,
    R_Y_GIVEN_X,
    ROWS,
    SCI,
    Rule,
    configurations,
    nominal_df,
    strength,
)
from climbfast_kernels.regret import regret_term
from climbfast_kernels.workspace import KEY, OF_CELLS, OF_REGRETS, OF_STRATA, OWNER

KEY_BITS = 62  # of a key, so that it fits an int64, and its two halves the hash
FEWEST_WORDS = 2_000  # of the bitmaps of (stratum, target level); fewer are counted as soon as sums are found
HALF, HALF_MASK = 31, (1 << 31) - 1
FACTORS = 0x1E3779B9, 0x13198A2F  # odd numbers without a pattern; products with half a key fit an int64
UNKNOWN, LACKS_REGRETS, KNOWN = range(3)
PLACES = 4  # that sums may have, one after another
ANY_LEVELS = 0  # in place of the levels of a candidate, where the sums do not depend on it


@inlined
def are_remembered(bits: Bits, rule: Rule, strategy: int, target: int, given: Array, n_given: Integer) -> bool:
    """Whether tests of a target given these columns take their figures from sums over sets."""
    has_sums = rule.kind == SCI or rule.kind == CMI or (rule.kind == G2 and rule.adjusted == 0)
    if strategy != AUTO or not has_sums or n_given == 0:
        return False
    words, is_complete = bits.words.shape[1] * float(bits.arity[target]), not bits.incomplete[target]
    for d in range(n_given):
        words *= float(bits.arity[given[d]])
        is_complete = is_complete and not bits.incomplete[given[d]]
    if not is_complete or words < FEWEST_WORDS:
        return False
    return bool((n_given + 1) * _bits_of_column(bits.arity) <= KEY_BITS)


@leaf
def recall_each(
    sums: Array, arity: Array, n_rows: int, units: float, rule: Rule, target: int, given: Array,
    n_given: Integer, begin: Integer, end: Integer, places: Array, candidates: Array, strengths: Array, made: Array,
    figures: Array,
) -> tuple[Integer, bool]:  # fmt: skip
    """Make the tests whose sums are known, and move these candidates before the others, with their places.

    Parameters
    ----------
    begin, end : int
        The candidates that are asked for.
    places, candidates, strengths, made : arrays, modified in place
        See ``patterns.weakest`` and ``strength``; a strength is at first what the latter calls ``known``.

    Returns
    -------
    begin : int
        Where the candidates begin that are left.
    lacks_regrets : bool
        Whether the first of these lacks nothing but the regrets of candidates of as many levels, which others may lack,
        too.
    """
    lacking, width = -1, _bits_of_column(arity)
    for i in range(begin, end):
        y = candidates[i]
        known = _recall_figures(sums, rule.kind, target, given, n_given, y, arity, width, figures)
        if known == LACKS_REGRETS and lacking < 0:
            lacking = i
        if known != KNOWN:
            continue
        nominal = nominal_df(arity[target], arity[y], configurations(arity, given, n_given))
        figures[ROWS] = n_rows
        strengths[i], made[i] = strength(figures, rule, nominal, units, 1.0, strengths[i])
        _exchange(i, begin, places, candidates, strengths, made)
        lacking = i if lacking == begin else lacking
        begin += 1
    if lacking >= 0:
        _exchange(lacking, begin, places, candidates, strengths, made)
    return begin, lacking >= 0


@leaf
def _exchange(i: Integer, j: Integer, places: Array, candidates: Array, strengths: Array, made: Array) -> None:
    """Exchange two candidates."""
    places[i], places[j] = places[j], places[i]
    candidates[i], candidates[j] = candidates[j], candidates[i]
    strengths[i], strengths[j] = strengths[j], strengths[i]
    made[i], made[j] = made[j], made[i]


@leaf
def _recall_figures(
    sums: Array, kind: Integer, target: int, given: Array, n_given: Integer, candidate: int, arity: Array,
    width: Integer, figures: Array,
) -> int:  # fmt: skip
    """Set the figures of a test, but CHI2, DF, STRATA and ROWS, from sums; return whether all are known."""
    owner = _owner(kind, target, arity, np.int64(ANY_LEVELS))
    key = _key(given, n_given, candidate, width)
    place = _place(sums, owner, key)
    if sums[place, KEY] != key or sums[place, OWNER] != owner:
        return UNKNOWN
    figures[F_XY], figures[F_Y] = sums[place, OF_CELLS], sums[place, OF_STRATA]
    figures[R_X_GIVEN_Y] = sums[place, OF_REGRETS]
    key = _key(given, n_given, np.int64(-1), width)
    place = _place(sums, owner, key)
    if sums[place, KEY] != key or sums[place, OWNER] != owner:
        return UNKNOWN
    figures[F_X], figures[F_Z] = sums[place, OF_CELLS], sums[place, OF_STRATA]
    figures[R_X] = sums[place, OF_REGRETS]
    if kind == SCI:
        owner = _owner(kind, target, arity, arity[candidate])
        place = _place(sums, owner, key)
        if sums[place, KEY] != key or sums[place, OWNER] != owner:
            return LACKS_REGRETS
        figures[R_Y_GIVEN_X], figures[R_Y] = sums[place, OF_CELLS], sums[place, OF_STRATA]
    return KNOWN


@leaf
def remember_figures(
    sums: Array, kind: Integer, target: int, given: Array, n_given: Integer, candidate: int, arity: Array,
    figures: Array,
) -> None:  # fmt: skip
    """Keep the sums in the figures of a test, in the place of others if need be."""
    width = _bits_of_column(arity)
    owner = _owner(kind, target, arity, np.int64(ANY_LEVELS))
    key = _key(given, n_given, candidate, width)
    _keep(sums, owner, key, figures[F_XY], figures[F_Y], figures[R_X_GIVEN_Y])
    key = _key(given, n_given, np.int64(-1), width)
    _keep(sums, owner, key, figures[F_X], figures[F_Z], figures[R_X])
    if kind == SCI:
        owner = _owner(kind, target, arity, arity[candidate])
        _keep(sums, owner, key, figures[R_Y_GIVEN_X], figures[R_Y], np.int64(0))


@leaf
def remember_regrets(
    sums: Array, target: int, given: Array, n_given: Integer, candidate: int, arity: Array, regret_row: Array,
    log_regret: Array, units: float, candidates: Array, table: Array, n_strata: Integer,
) -> None:  # fmt: skip
    """Keep Σ log2 R(k, c) over the cells and the strata of a set, for other tests that are given the set.

    Parameters
    ----------
    table : int64 array
        The counts of the target and the candidate in the strata of the given columns, as in ``measure``.
    candidates : int64 array
        Columns of k levels.
    """
    kx, ky = arity[target], arity[candidate]
    key = _key(given, n_given, candidate, _bits_of_column(arity))
    for i in range(candidates.shape[0]):
        k, row = arity[candidates[i]], regret_row[candidates[i]]
        owner = _owner(np.int64(SCI), target, arity, k)
        place = _place(sums, owner, key)
        if sums[place, KEY] == key and sums[place, OWNER] == owner:
            continue
        of_cells = of_strata = 0
        for z in range(n_strata):
            for b in range(ky):
                rows = 0
                for a in range(kx):
                    count = table[(z * kx + a) * ky + b]
                    rows += count
                    of_cells += regret_term(log_regret, units, row, k, count)
                of_strata += regret_term(log_regret, units, row, k, rows)
        _keep(sums, owner, key, of_cells, of_strata, np.int64(0))


@leaf
def _bits_of_column(arity: Array) -> int:
    """Return the bits of a key that tell a column."""
    width = 1
    while arity.shape[0] >> width > 0:
        width += 1
    return width


@leaf
def _key(given: Array, n_given: Integer, candidate: Integer, width: Integer) -> Integer:
    """Return a number that tells the set of the given columns and, unless it is -1, of the candidate.

    The columns ascending, a digit of ``width`` bits for each.
    """
    key = before = np.int64(0)
    for i in range(n_given):
        place = 0
        for j in range(n_given):
            place += 1 if given[j] < given[i] else 0
        if given[i] < candidate:
            before += 1
        elif candidate >= 0:
            place += 1
        key |= (given[i] + 1) << (width * place)
    return key if candidate < 0 else key | (candidate + 1) << (width * before)


@leaf
def _owner(kind: Integer, target: int, arity: Array, levels: Integer) -> int:
    """Return a number above 0 that tells the kind of test, the target, and the levels of the candidate."""
    return (levels * arity.shape[0] + target) * (EVERYTHING + 1) + kind + 1


@leaf
def _place(sums: Array, owner: Integer, key: Integer) -> Integer:
    """Return where the sums of a set are or, if they are not known, where they are to be kept.

    A set has PLACES places one after another; if other sums have all of them, they lose the last one. The number of all
    places is a power of two.
    """
    mixed = (key & HALF_MASK) * FACTORS[0] + ((key >> HALF) + (owner & HALF_MASK)) * FACTORS[1]
    place = ((mixed >> 20) ^ (mixed >> 41)) & (sums.shape[0] - PLACES)
    for _ in range(PLACES - 1):
        if sums[place, OWNER] == 0 or (sums[place, KEY] == key and sums[place, OWNER] == owner):
            break
        place += 1
    return place


@leaf
def _keep(sums: Array, owner: Integer, key: Integer, cells: Integer, strata: Integer, regrets: Integer) -> None:
    """Keep the sums of a set."""
    place = _place(sums, owner, key)
    sums[place, OWNER], sums[place, KEY] = owner, key
    sums[place, OF_CELLS], sums[place, OF_STRATA], sums[place, OF_REGRETS] = cells, strata, regrets
