"""Numbers, dates and times to levels: ordered intervals between cuts.

- ``rules``: which rule holds for which column, checked once
- ``cuts``: quantile and equal-width cuts of one column; the names of the intervals
- ``hartemink``: levels merged by what they say about other columns; ``mdlp``: cuts that look at a target
- ``automatic``: the rule for who does not want to choose
- ``number_texts``: the numbers and dates in the columns of text files, in bulk
- ``cutting``: the rules applied to the columns of a table
- ``discretizer``: cuts that can be kept and applied to new rows
"""

from climbfast.dataset.discretization.discretizer import Discretizer

__all__ = ["Discretizer"]
