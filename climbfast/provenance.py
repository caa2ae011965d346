"""How a result was found: method, tests, data, time and version, which every result has."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Self

from climbfast._version import __version__

__all__ = ["Provenance", "bounded_text"]


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """How a result was found; the last fields of every result.

    Attributes
    ----------
    method : str
    tests_by_size : tuple of int
        Number of tests made, by the number of given columns, from 0 up.
    skipped : int
        Tests not made for too few rows per degree of freedom, or for none that is complete in all columns of the test.
    rows, columns : int
    fewest_rows : int
        The smallest number of rows that decided anything: of a test, of the partition, or of a score; ``rows`` unless
        cells are missing.
    seconds : float
        Wall time, without that in which this process compiled or loaded kernels. Results that differ in it alone are
        equal.
    version : str
    data : Dataset or None
        The data that were searched, for pages and pictures; None for a result from a file or from another process.
        It is neither compared, nor written, nor pickled.
    """

    method: str = ""
    tests_by_size: tuple[int, ...] = ()
    skipped: int = 0
    rows: int = 0
    columns: int = 0
    fewest_rows: int = 0
    seconds: float = field(default=0.0, compare=False)
    version: str = __version__
    data: Any = field(default=None, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # The data may be large, and who has the file of the table does not need them in the file of a result.
        return {**vars(self), "data": None}

    def __copy__(self) -> Self:
        copied = object.__new__(type(self))
        vars(copied).update(vars(self))  # with the data, other than in a pickle
        return copied

    @property
    def tests(self) -> int:
        """Number of tests made."""
        return sum(self.tests_by_size)

    def to_dict(self) -> dict[str, Any]:
        """Return how it was found."""
        return {
            "method": self.method,
            "tests": self.tests,
            "tests_by_size": list(self.tests_by_size),
            "skipped": self.skipped,
            "rows": self.rows,
            "columns": self.columns,
            "fewest_rows": self.fewest_rows,
            "seconds": self.seconds,
            "version": self.version,
        }

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON."""
        return json.dumps(self.to_dict(), default=str)


def bounded_text(bounded: float, what: str) -> str:
    """Return the words that sets of given columns were left out for so many neighbors, edges or targets; none for 0."""
    if not bounded:
        return ""
    return f"not all sets tried (max_pool): {bounded:,} {what}{'' if bounded == 1 else 's'}"
