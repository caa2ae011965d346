"""Fill the contingency table of (target, candidate) in the strata of the given columns, by one of three strategies.

1. BITMAPS (``counts_by_bitmaps``): AND and popcount; one cell per pass over n/64 words, empty strata omitted.
2. DENSE (``counts_by_histogram``): one pass over the rows, or over their distinct rows, into a histogram.
3. SPARSE (``counts_by_sorting``): the rows sorted by stratum, then a pass over the runs; no table is filled.

All three give the same integers. AUTO takes the one that ``cost_model`` expects to be fastest. Tables of very many
rows may be counted together (``counts_by_blocks``), and some tests need none (``set_sums``, ``pair_bounds``).
"""

from __future__ import annotations

from climbfast_kernels._jit import inlined, spliced
from climbfast_kernels.bits import Array, Bits, Integer
from climbfast_kernels.cost_model import AUTO, BITMAPS, DENSE, cheapest_strategy
from climbfast_kernels.counts_by_bitmaps import count_by_bitmaps, measure_by_bitmaps, prepare_bitmaps
from climbfast_kernels.counts_by_histogram import count_by_histogram
from climbfast_kernels.counts_by_sorting import measure_sorted_rows, sort_rows
from climbfast_kernels.independence import CMI, G2, SCI, Rule, measure
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.workspace import Workspace


@inlined
def count_table(
    codes: Array, bits: Bits, work: Workspace, target: int, candidate: int, strategy: int, sharing: Integer
) -> int:
    """Fill ``work.table`` with the counts of (target, candidate) in the open strata; return the number of strata.

    0 means that there is no table: the rows are sorted by (given, target) instead.
    """
    return _fill_table(codes, bits, work, target, candidate, _chosen(bits, work, target, candidate, strategy, sharing))


@inlined
def _chosen(bits: Bits, work: Workspace, target: int, candidate: int, strategy: int, sharing: Integer) -> int:
    """Return the strategy, or for AUTO the cheapest."""
    chosen, is_open = strategy, strategy == AUTO
    while is_open:
        chosen, _, is_open = cheapest_strategy(bits, work, target, candidate, sharing)
        if is_open:
            prepare_bitmaps(bits, work, target)
    return chosen


@inlined
def _fill_table(codes: Array, bits: Bits, work: Workspace, target: int, candidate: int, chosen: int) -> int:
    """Do what ``count_table`` does by a strategy that is chosen, or by the next one that is possible."""
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
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, target: int, candidate: int, rule: Rule,
    chi2_unit: float, strategy: int, sharing: Integer,
) -> None:  # fmt: skip
    """Count the table of (target, candidate) in the open strata and set ``work.figures``.

    ``strategy`` is used where it is possible; AUTO takes the cheapest.
    """
    chosen = _chosen(bits, work, target, candidate, strategy, sharing)
    row_x, row_y = log_tables.regret_row[target], log_tables.regret_row[candidate]
    has_sums = (
        rule.kind == CMI or (rule.kind == G2 and rule.adjusted == 0) or (rule.kind == SCI and row_x >= 0 <= row_y)
    )
    if (
        has_sums
        and chosen == BITMAPS
        and bits.n_rows < min(log_tables.clog.shape[0], log_tables.log_regret.shape[1])
        and measure_by_bitmaps(
            bits, work, target, candidate, row_x, row_y, log_tables.clog, log_tables.log_regret, rule.kind
        )
    ):
        return
    n_strata = _fill_table(codes, bits, work, target, candidate, chosen)
    if n_strata == 0:
        measure_sorted_rows(codes, bits, log_tables, work, target, candidate, rule.kind, chi2_unit)
        return
    measure(
        work.table, n_strata, bits.arity[target], bits.arity[candidate], row_x, row_y, log_tables.clog,
        log_tables.log_regret, log_tables.units, rule.kind, chi2_unit, work.by_level, work.figures,
    )  # fmt: skip
