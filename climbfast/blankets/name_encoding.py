"""Names of columns in files: as they are where all are text or all integers, else as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, cast

from climbfast.errors import DataError, OptionError

__all__ = ["NAME_ENCODINGS", "NameEncoding", "from_json", "name_encoding_of", "of_json"]

# A bare carriage return ends a line of CSV before Python 3.13, and half a surrogate pair has no UTF-8.
_UNSAFE = re.compile("[\r\ud800-\udfff]")
_MOST = 2**63

NAME_ENCODINGS = ("text", "integer", "json")


@dataclass(frozen=True)
class NameEncoding:
    """How the cells of a file hold names.

    Attributes
    ----------
    kind : {"text", "integer", "json"}
        All names are text, and stand as they are; all are integers; or each is spelled as JSON, tuples as arrays.
    """

    kind: Literal["text", "integer", "json"]

    def write(self, name: Hashable) -> str | int:
        """Return the cell of a name."""
        return json.dumps(name, default=of_json) if self.kind == "json" else cast("str | int", name)

    def read(self, cell: Any) -> Hashable:
        """Return the name in a cell.

        Raises
        ------
        DataError
            For a cell that is no name.
        """
        try:
            if self.kind == "json":
                return from_json(json.loads(cell))
            return int(cell) if self.kind == "integer" else str(cell)
        except (TypeError, ValueError, RecursionError):
            raise DataError(f"{cell!r} is no name spelled as {self.kind}") from None


def name_encoding_of(names: Iterable[Hashable]) -> NameEncoding:
    """Return the plainest spelling that holds all the names."""
    text = integer = True
    for name in names:
        text = text and isinstance(name, str) and not _UNSAFE.search(name)
        integer = integer and type(name) is int and -_MOST <= name < _MOST
        if not (text or integer):
            return NameEncoding("json")
    return NameEncoding("text" if text else "integer")


def of_json(value: Any) -> Any:
    """Return what JSON has for a value that it does not know, for ``json.dumps``; NumPy's numbers are numbers.

    Raises
    ------
    OptionError
        For a name that is neither text nor a number, nor a tuple of these.
    """
    if hasattr(value, "dtype") and hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        item = value.item()
        if isinstance(item, (str, int, float)):
            return item
    raise OptionError(
        f"the name {value!r} is of type {type(value).__name__}; files hold text, numbers and tuples of them: rename it"
    )


def from_json(value: Any) -> Hashable:
    """Return the name that a JSON value spells: tuples for arrays.

    Raises
    ------
    DataError
        For an object, which spells no name.
    """
    if isinstance(value, (list, tuple)):
        return tuple(map(from_json, value))
    if isinstance(value, dict):
        raise DataError(f"{value!r} is no name; names are text, numbers and arrays of them")
    return cast(Hashable, value)
