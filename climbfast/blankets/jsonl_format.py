"""Blankets as JSON Lines: every line is in the format that ``climbfast blanket --json`` prints."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from climbfast.blankets.blanket_json import blanket_of, fields_of
from climbfast.blankets.name_encoding import json_default
from climbfast.errors import DataError
from climbfast.local.blanket import Blanket

__all__ = ["line_of", "read_lines", "write_lines"]


def line_of(blanket: Blanket, how: Mapping[str, Any] | None = None, *, separating_sets: bool = False) -> str:
    """Return the line of one blanket, with its end of line.

    Parameters
    ----------
    blanket : Blanket
    how : mapping, optional
        For the first line of a run: how all blankets were found.
    separating_sets : bool
        Whether to write the separating sets.
    """
    fields = fields_of(blanket, separating_sets=separating_sets)
    if how is not None:
        fields["how"] = dict(how)
    return json.dumps(fields, default=json_default) + "\n"


def write_lines(
    found: Iterable[Blanket], how: Mapping[str, Any], out: IO[bytes], *, separating_sets: bool = False
) -> None:
    """Write one line per blanket; the first line also has ``how``."""
    for number, blanket in enumerate(found):
        out.write(line_of(blanket, None if number else how, separating_sets=separating_sets).encode("ascii"))


def read_lines(file: Path) -> tuple[list[Blanket], dict[str, Any]]:
    """Read a file of ``write_lines``, or any file whose lines are blankets.

    Raises
    ------
    DataError
        For a line that is not a blanket, a target that occurs twice, and lines of several runs; the message gives the
        line.
    """
    found: list[Blanket] = []
    lines_of: dict[Hashable, int] = {}
    how: dict[str, Any] | None = None
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                fields = _json_object(line)
                found.append(blanket_of(fields))
                first = lines_of.setdefault(found[-1].target, number)
                if first != number:
                    raise DataError(f"the target {found[-1].target!r} has a blanket in line {first} already")
                how = _check_one_run(how, fields.get("how"))
            except DataError as error:
                raise DataError(f"line {number}: {error}") from None
    return found, how or {}


def _json_object(line: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise DataError("not a JSON object, so not a blanket")
    return fields


def _check_one_run(known: dict[str, Any] | None, how: Any) -> dict[str, Any] | None:
    if how is None:
        return known
    if not isinstance(how, dict):
        raise DataError(f"how is {how!r}; it has to be an object")
    if known is not None and known != how:
        raise DataError("the first line of another run; a file has one run")
    return how
