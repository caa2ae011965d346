"""Tables of c·log2 c and log2 R(k, c) for every count c, in fixed point: scores and tests are sums of these."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from climbfast_kernels.bits import Array
from climbfast_kernels.entropy import tabulate_count_log_count, units_per_bit
from climbfast_kernels.regret import tabulate_log2_regret

MOST_TABULATED_LEVELS = 128
MOST_ENTRIES = 1 << 20


class LogTables(NamedTuple):
    """Function values by count, in fixed point.

    Attributes
    ----------
    clog : int64 array, shape (counts,)
        c·log2 c.
    log_regret : int64 array, shape (distinct arities, counts)
        log2 R(k, c).
    regret_row : int64 array, shape (columns,)
        Row of ``log_regret`` for each column; -1 for a column whose values are not tabulated but computed.
    units : float
        Units per bit.
    """

    clog: Array
    log_regret: Array
    regret_row: Array
    units: float


def tabulate(n_rows: int, arity: Array) -> LogTables:
    """Tabulate c·log2 c and log2 R(k, c) for the arities of a data set of ``n_rows`` rows."""
    units = units_per_bit(n_rows, int(arity.max()))
    tabulated = np.unique(arity[arity <= MOST_TABULATED_LEVELS])
    length = min(n_rows + 1, MOST_ENTRIES // (len(tabulated) + 1))
    clog = tabulate_clog(n_rows, units, most=length)
    log_regret = np.empty((len(tabulated), length), dtype=np.int64)
    tabulate_log2_regret(log_regret, tabulated, units)
    row = np.searchsorted(tabulated, arity).astype(np.int64)
    row[arity > MOST_TABULATED_LEVELS] = -1
    for array in (clog, log_regret, row):
        array.flags.writeable = False
    return LogTables(clog, log_regret, row, units)


def tabulate_clog(n_rows: int, units: float, most: int = MOST_ENTRIES) -> Array:
    """Tabulate c·log2 c for the counts of ``n_rows`` rows, as far as the table may have entries."""
    clog = np.empty(min(n_rows + 1, most), dtype=np.int64)
    tabulate_count_log_count(clog, units)
    return clog
