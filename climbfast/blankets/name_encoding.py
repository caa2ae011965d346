"""Names of columns in files: unchanged if all are text or all are integers, else as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, cast

from climbfast.errors import DataError, OptionError

__all__ = ["NAME_ENCODINGS", "NameEncoding", "from_json", "json_default", "name_encoding_of"]

# A bare carriage return ends a line of CSV before Python 3.13, and an unpaired surrogate cannot be encoded in UTF-8.
_UNSAFE = re.compile("[\r\ud800-\udfff]")
_MOST = 2**63

NAME_ENCODINGS = ("text", "integer", "json")


@dataclass(frozen=True)
class NameEncoding:
    """The encoding of names in the cells of a file.

    Attributes
    ----------
    kind : {"text", "integer", "json"}
        "text": all names are text, unchanged. "integer": all names are integers. "json": names of any kind as JSON,
        with tuples as arrays.
    """

    kind: Literal["text", "integer", "json"]

    def write(self, name: Hashable) -> str | int:
        """Return the cell of a name."""
        return json.dumps(name, default=json_default) if self.kind == "json" else cast("str | int", name)

    def read(self, cell: Any) -> Hashable:
        """Return the name in a cell.

        Raises
        ------
        DataError
            For a cell that is not a name.
        """
        try:
            if self.kind == "json":
                return from_json(json.loads(cell))
            return int(cell) if self.kind == "integer" else str(cell)
        except (TypeError, ValueError, RecursionError):
            raise DataError(f"{cell!r} is not a name encoded as {self.kind}") from None


def name_encoding_of(names: Iterable[Hashable]) -> NameEncoding:
    """Return the simplest encoding for all names."""
    text = integer = True
    for name in names:
        text = text and isinstance(name, str) and not _UNSAFE.search(name)
        integer = integer and type(name) is int and -_MOST <= name < _MOST
        if not (text or integer):
            return NameEncoding("json")
    return NameEncoding("text" if text else "integer")


def json_default(value: Any) -> Any:
    """Return a number of NumPy as a Python number: the ``default`` of ``json.dumps``.

    Raises
    ------
    OptionError
        For a value of another type, which cannot be a name in a file.
    """
    if hasattr(value, "dtype") and hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        item = value.item()
        if isinstance(item, (str, int, float)):
            return item
    raise OptionError(
        f"the name {value!r} is of type {type(value).__name__}; names in files are text, numbers and tuples of these: "
        "rename it"
    )


def from_json(value: Any) -> Hashable:
    """Return the name of a JSON value, with arrays as tuples.

    Raises
    ------
    DataError
        For a JSON object, which cannot be a name.
    """
    if isinstance(value, (list, tuple)):
        return tuple(map(from_json, value))
    if isinstance(value, dict):
        raise DataError(f"{value!r} is not a name; names are text, numbers and arrays of these")
    return cast(Hashable, value)
