"""Tables by rich, as text."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["new_table", "rendered", "texts"]

# Wide enough for any name: in a pipe nothing is wrapped and nothing cut.
_NO_WIDTH = 10_000_000


def new_table(columns: Iterable[str]) -> Table:
    """Return an empty table; columns marked by > stand to the right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        justify: Any = "right" if column.startswith(">") else "left"
        table.add_column(column.lstrip(">"), justify=justify, overflow="fold")
    return table


def texts(cells: Iterable[str]) -> list[Any]:
    """Return the cells as they are: a str in a table would be read as markup."""
    from rich.text import Text

    return [Text(cell) for cell in cells]


def rendered(table: Table) -> str:
    """Return the table as it stands on standard output."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _NO_WIDTH
    console = Console(file=sys.stdout, width=width)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"
