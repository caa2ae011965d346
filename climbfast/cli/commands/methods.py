"""``climbfast methods``."""

from __future__ import annotations

import json
from typing import Any

from climbfast.cli.output import AsJson, write
from climbfast.cli.pages import new_table, rendered, texts
from climbfast.local.methods import METHODS

__all__ = ["methods"]

_COLUMNS = ("name", "finds", "symmetry", "paper", "cost", "use")


def methods(*, as_json: AsJson = False) -> None:
    """List the searches: what each finds, where it comes from, what it costs, when to take it."""
    rows = [{column: getattr(method, column) for column in _COLUMNS} for method in METHODS.values()]
    write(json.dumps({"methods": rows}) if as_json else _page(rows))


def _page(rows: list[dict[str, Any]]) -> str:
    table = new_table(_COLUMNS)
    for row in rows:
        table.add_row(*texts(row.values()))
    return f"{rendered(table)}\n\nCost in tests: m columns, b members of the blanket, c members while the search runs."
