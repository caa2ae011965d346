"""c·log2 c: every entropy of counts is a sum of such terms.

Scores are sums of terms that depend on one count each. They are kept in fixed point: an integer number of units of
2^-shift bits. Integer sums do not depend on their order, so every strategy of counting and every order of rows,
columns or levels gives the same score to the last bit, and a score that is exactly 0 is computed as 0. With 20,000
rows a unit is 2^-39 bits, finer than the rounding of a float64 sum of the same terms.
"""

from __future__ import annotations

import math

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import Array, Integer

FINEST_SHIFT = 44
LARGEST_SUM = 60  # log2 of the largest sum for which differences of four sums still fit an int64


def units_per_bit(n_rows: int, most_levels: int) -> float:
    """Return 2^shift, as fine as int64 allows: no score of n rows exceeds n·(log2 n + log2 k + 2) bits."""
    bound = n_rows * (math.log2(n_rows + 1) + math.log2(most_levels + 1) + 2)
    return 2.0 ** min(FINEST_SHIFT, LARGEST_SUM - 2 - math.ceil(math.log2(bound + 1)))


@leaf
def count_log_count(c: Integer, units: float) -> int:
    """c·log2 c in units; 0 for c = 0."""
    return round(c * math.log2(c) * units) if c > 1 else 0


@leaf
def tabulate_count_log_count(table: Array, units: float) -> None:
    """table[c] = c·log2 c in units, modified in place."""
    for c in range(table.shape[0]):
        table[c] = count_log_count(c, units)


@leaf
def entropy_term(table: Array, units: float, c: Integer) -> int:
    """c·log2 c in units: looked up, or computed for a count beyond the table."""
    return table[c] if c < table.shape[0] else count_log_count(c, units)
