"""A blanket as a file: its picture, or JSON."""

from __future__ import annotations

import os
from pathlib import Path

from climbfast.atomic_write import atomic_write
from climbfast.errors import OptionError
from climbfast.local.blanket import Blanket
from climbfast.names import name_text

__all__ = ["PICTURES", "save_blanket"]

PICTURES = (".svg", ".png", ".pdf")


def save_blanket(blanket: Blanket, path: str | os.PathLike[str]) -> None:
    """Write a blanket to a file, see ``Blanket.save``."""
    file = Path(path)
    content = _content(blanket, file)
    try:
        with atomic_write(file) as out:
            out.write(content)
    except (OSError, ValueError) as error:
        raise OptionError(f"{name_text(file)} cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _content(blanket: Blanket, file: Path) -> bytes:
    suffix = file.suffix.lower()
    if suffix == ".json":
        return f"{blanket.to_json()}\n".encode()
    if suffix in PICTURES:
        from climbfast import plots

        return plots.content(blanket, suffix)
    raise OptionError(f"{name_text(file)}: unknown suffix; a blanket is saved as {', '.join(PICTURES)} or .json")
