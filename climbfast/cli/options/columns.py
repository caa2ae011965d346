"""Columns named on the command line, or in a file that is named there."""

from __future__ import annotations

import csv
import io
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path

from climbfast.errors import OptionError

__all__ = ["split_names", "targets_in"]


def split_names(texts: Sequence[str], names: Iterable[Hashable]) -> list[str]:
    """Split at commas what is not itself a name; quotes are those of CSV."""
    known = set(names)
    found: list[str] = []
    for text in texts:
        cells = csv.reader(io.StringIO(text, newline=""))
        parts = [text] if text in known else [cell for line in cells for cell in line] or [text]
        found += [part if part in known else part.strip() for part in parts]
    return found


def targets_in(texts: Sequence[str], names: Sequence[Hashable]) -> list[str]:
    """Return the names that were typed, and those in the files that were."""
    found: list[str] = []
    for text in texts:
        if text.startswith("@") and text not in names:
            found += _names_in(Path(text[1:]), names)
        else:
            found += split_names([text], names)
    return found


def _names_in(file: Path, names: Iterable[Hashable]) -> list[str]:
    """Return the names in a file, one a line; a comma needs no quotes there."""
    known = set(names)
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            found = [",".join(cells) for cells in csv.reader(lines) if cells]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"--targets @{file} cannot be read, one name a line in UTF-8: {reason}") from None
    return [name if name in known else name.strip() for name in found]
