"""What is in a table, and what reading it will do: nothing is refused here, and nothing is changed.

- ``run``: the function ``inspect``; ``report``: its result
- ``inspected_table``: the columns that are looked at, as codes with counts
- ``outcomes``: what reading will do with each column, and what it refuses
- ``single``: constants, ids, columns of many levels; ``absence``: missing cells that occur together
- ``spellings``: levels that differ by case, blanks or Unicode form; ``number_words``: numbers that are hidden in text,
  and values that seem to mean a missing cell
- ``copies``, ``functions``, ``near_copies``: columns that determine others
- ``repetition``: rows that occur twice
"""

from climbfast.inspection.report import ColumnReport, Finding, Inspection
from climbfast.inspection.run import inspect

__all__ = ["ColumnReport", "Finding", "Inspection", "inspect"]
