"""What a command prints."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["AsJson"]

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
