"""The rule "auto": levels by Hartemink's merging, more of them with more rows.

Few levels are right: a level more multiplies the cells of every table, and takes from each of them. Where the table is
too wide for the tables of all pairs, or has too few rows to say which levels may be merged, levels of about equal
numbers of rows take the place of merged ones.
"""

from __future__ import annotations

__all__ = ["FEWEST_ROWS_OF_MERGING", "MOST_CELLS_COUNTED", "levels_for"]

# Levels of a column by its rows without missing cells: so many below so many rows. Chosen by the mean of three F1 (the
# neighbors and blankets of Climb, the skeleton of best) over 15 random networks of three kinds; measured on others by
# bench.reports.numbers.
_LEVELS_BELOW = ((3_000, 3), (10_000, 4))
_LEVELS_BEYOND = 5
FEWEST_ROWS_OF_MERGING = 400
MOST_CELLS_COUNTED = 2 * 10**10  # rows times pairs of columns: some 20 seconds; beyond, the table is too wide


def levels_for(rows: int) -> int:
    """Return the number of levels for a column with so many rows."""
    return next((levels for limit, levels in _LEVELS_BELOW if rows < limit), _LEVELS_BEYOND)
