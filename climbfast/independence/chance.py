"""How many pairs of columns a screen will find dependent by chance alone, and a warning where they are many.

Under independence, SCI is positive where n·I exceeds what the regret of the levels costs. How often that is depends on
the numbers of rows by level, and where levels are rare no formula says it: with the χ² distribution of 2·ln 2·n·I it is
3 times too often on munin, 10 times at 2,000 rows. So some columns are shuffled, each by itself, and all their pairs
are tested; the share of them that is dependent, times the number of pairs of the screen, is the expected number.

The limit of the warning is 10 pairs a column. In ``bench/reports/min_bits.csv`` the precision of blankets is from .12
to .51 higher with ``min_bits="auto"`` where there are more of them (link, munin and the simulated columns at 500 rows,
link at all sizes), and at most .07 higher where there are fewer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from climbfast.caller_warnings import warn_caller
from climbfast.dataset import Dataset
from climbfast.dataset.diagnostics import level_counts
from climbfast.errors import ClimbfastWarning, Option
from climbfast.independence.screen import ScreenWorker, units_of_screen
from climbfast.independence.tester import Tester
from climbfast.independence.tests import TestOptions
from climbfast.knowledge import AllowedArcs

__all__ = ["expected_chance_pairs", "warn_of_chance_pairs"]

PAIRS_A_COLUMN = 10
FEWEST_COLUMNS = 100  # in fewer, 10 pairs a column are a tenth of all pairs, as only a few dozen rows make them
# Of the shuffled columns: some 40 of their pairs are dependent where the limit is reached.
PAIRS_FOR_EACH_COLUMN = 4
MOST_CELLS, FEWEST_SHUFFLED = 1 << 22, 16
MOST_ROWS = 1 << 22
_MENDED: Mapping[str, tuple[str | Option, ...]] = {
    "sci": (Option("min_bits", "auto"),),
    "g2": ("a smaller ", Option("alpha")),
    "x2": ("a smaller ", Option("alpha")),
    "cmi": ("a larger ", Option("cutoff")),
}


def warn_of_chance_pairs(data: Dataset, test: TestOptions, allowed: AllowedArcs | None = None) -> None:
    """Warn before a screen of all columns if it will find 10 pairs a column, and more, that are dependent by chance."""
    if data.columns < FEWEST_COLUMNS or getattr(test, "min_bits", 0) == "auto":
        return
    expected = expected_chance_pairs(data, test, allowed)
    a_column = 2 * expected / data.columns
    if a_column < PAIRS_A_COLUMN:
        return
    warn_caller(
        ClimbfastWarning(
            f"of {data.columns:,} columns with {data.rows:,} rows, about {_rounded(expected):,} pairs will be "
            f"dependent by chance alone, {_rounded(a_column):,} for each column, which makes the search longer and its "
            "results less precise; ",
            *_MENDED[test.name],
            " excludes nearly all of them",
        )
    )


def expected_chance_pairs(data: Dataset, test: TestOptions, allowed: AllowedArcs | None = None) -> float:
    """Return the expected number of pairs that a screen would find dependent if all columns were independent.

    Parameters
    ----------
    data : Dataset
        With weights, a row counts as often as it occurs. Of more than 4·10⁶ rows the number is not estimated, but 0.
    test : SCI or G2 or X2 or CMI
    allowed : AllowedArcs or None
        Pairs that it forbids both ways are not among them.

    Notes
    -----
    The number depends on how often each level occurs, not on the order of rows or the names of columns.
    """
    usable, rows = np.flatnonzero(data.arity > 1), data.rows
    if len(usable) < 2 or rows > MOST_ROWS:
        return 0.0
    wanted = math.isqrt(2 * PAIRS_FOR_EACH_COLUMN * len(usable))
    number = min(max(FEWEST_SHUFFLED, min(wanted, MOST_CELLS // rows)), len(usable))
    columns = usable[np.linspace(0, len(usable) - 1, number).round().astype(np.intp)]
    shuffled = _shuffled(data, columns)
    worker = ScreenWorker(Tester(shuffled, test))
    found = [worker.unit(unit) for unit in range(len(units_of_screen(shuffled)))]
    if allowed is None:
        dependent = sum(len(part.x) for part in found)
    else:
        may_be_adjacent = allowed.pairs(columns, columns)
        dependent = sum(int(may_be_adjacent[part.x, part.y].sum()) for part in found)
    return dependent / math.comb(number, 2) * math.comb(len(usable), 2)


def _shuffled(data: Dataset, columns: NDArray[np.intp]) -> Dataset:
    """Return some columns, each with its cells in an order of its own, which depends on how often each occurs."""
    arity, incomplete = data.arity[columns], data.incomplete[columns]
    codes = np.empty((len(columns), data.rows), data.codes.dtype)
    rng = np.random.default_rng(1)
    for x, counts in enumerate(level_counts(data.codes[columns], arity + 1, data.weights, incomplete)):
        codes[x] = rng.permutation(np.repeat(np.arange(len(counts), dtype=codes.dtype), counts))
    names = tuple(range(len(columns)))
    return Dataset(names, {}, codes, names, arity, {}, incomplete)


def _rounded(number: float) -> int:
    """Return a whole number of two digits, and zeros."""
    return int(float(f"{number:.1e}"))
