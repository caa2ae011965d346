"""Fill the contingency table of (target, candidate) in the strata of the given columns, by one of three strategies.

1. BITMAPS (``counts_by_bitmaps``): AND and popcount; one cell per pass over n/64 words, empty strata omitted.
2. DENSE (``counts_by_histogram``): one pass over the rows, or over their distinct rows, into a histogram.
3. SPARSE (``counts_by_sorting``): the rows sorted by stratum, then a pass over the runs; no table is filled.

All three give the same integers. AUTO takes the one that ``cost_model`` expects to be fastest.
"""

from __future__ import annotations

from climbfast_kernels._jit import inlined, spliced
from climbfast_kernels.bits import Array, Bits, Integer
from climbfast_kernels.cost_model import AUTO, BITMAPS, DENSE, cheapest_strategy
from climbfast_kernels.counts_by_bitmaps import count_by_bitmaps
from climbfast_kernels.counts_by_histogram import count_by_histogram
from climbfast_kernels.counts_by_sorting import measure_sorted_rows, sort_rows
from climbfast_kernels.independence import measure
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.workspace import Workspace


@inlined
def count_table(
    codes: Array, bits: Bits, work: Workspace, target: int, candidate: int, strategy: int, sharing: Integer
) -> int:
    """Fill ``work.table`` with the counts of (target, candidate) in the open strata; return the number of strata.

    0 means that there is no table: the rows are sorted by (given, target) instead.
    """
    chosen = cheapest_strategy(bits, work, target, candidate, sharing)[0] if strategy == AUTO else strategy
    n_strata = 0
    if chosen == BITMAPS:
        n_strata = count_by_bitmaps(bits, work, target, candidate)
        chosen = DENSE if n_strata == 0 else chosen
    if chosen == DENSE:
        n_strata = count_by_histogram(codes, bits, work, target, candidate)
    if n_strata == 0:
        sort_rows(codes, bits, work, target)
    return n_strata


@spliced
def count_and_measure(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, target: int, candidate: int, kind: Integer,
    chi2_unit: float, strategy: int, sharing: Integer,
) -> None:  # fmt: skip
    """Count the table of (target, candidate) in the open strata and set ``work.figures``.

    ``strategy`` is used where it is possible; AUTO takes the cheapest.
    """
    n_strata = count_table(codes, bits, work, target, candidate, strategy, sharing)
    if n_strata == 0:
        measure_sorted_rows(codes, bits, log_tables, work, target, candidate, kind, chi2_unit)
        return
    measure(
        work.table, n_strata, bits.arity[target], bits.arity[candidate], log_tables.regret_row[target],
        log_tables.regret_row[candidate], log_tables.clog, log_tables.log_regret, log_tables.units, kind, chi2_unit,
        work.by_level, work.figures,
    )  # fmt: skip
