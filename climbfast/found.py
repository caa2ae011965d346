"""What every result has: how it was found, and how its names are shown."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from climbfast._version import __version__

__all__ = ["Found", "by_text", "shown"]

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Found:
    """How a result was found; the last fields of every result.

    Attributes
    ----------
    method : str
    tests_by_size : tuple of int
        Number of tests made, by the number of given columns, from 0 up.
    skipped : int
        Tests not made for want of rows.
    rows, columns : int
    seconds : float
        Wall time, in a first call with that of loading the kernels; results that differ in it alone are equal.
    version : str
    """

    method: str = ""
    tests_by_size: tuple[int, ...] = ()
    skipped: int = 0
    rows: int = 0
    columns: int = 0
    seconds: float = field(default=0.0, compare=False)
    version: str = __version__

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
            "seconds": self.seconds,
            "version": self.version,
        }

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON."""
        return json.dumps(self.to_dict(), default=str)


def by_text(values: Mapping[Hashable, T]) -> dict[str, T]:
    """Return a mapping by the text of each name; by its repr where two names have the same text, as 1 and "1"."""
    times = Counter(map(str, values))
    return {str(name) if times[str(name)] == 1 else repr(name): value for name, value in values.items()}


def shown(name: Hashable) -> str:
    """Return a name as it is, or quoted where it would break the line, hide, or command the terminal."""
    text = str(name)
    return text if text.strip() and text.isprintable() else repr(text)
