"""Files that a command is to write, checked before its work."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from climbfast.errors import OptionError

__all__ = ["refuse_the_same_file"]


def refuse_the_same_file(out: Path, others: Mapping[str, Path | None]) -> None:
    """Refuse to write over a file that the command reads or keeps; the keys say what it is."""
    for what, other in others.items():
        if other is not None and _are_one(out, other):
            raise OptionError(f"{out}: the same file as {what}; name another one for --out")


def _are_one(one: Path, other: Path) -> bool:
    try:
        return one.resolve() == other.resolve() or one.samefile(other)
    except OSError:  # not there, so no link of the other
        return False
