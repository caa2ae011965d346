"""``climbfast methods``."""

from __future__ import annotations

import json
from typing import Any

from climbfast.cli.output import AsJson
from climbfast.cli.render import new_table, render_table, texts
from climbfast.cli.result_files import ResultOut, check_result_file, give_result
from climbfast.local.methods import BEST, METHODS

__all__ = ["methods"]

# The figures of a method, and their headings in the table, which are those of the README.
_COLUMNS = {
    "name": "method",
    "finds": "finds",
    "symmetry": "symmetry",
    "paper": "paper",
    "cost": "cost in tests",
    "use": "when",
}
_BEST = {
    "name": BEST,
    "finds": "causal blanket",
    "symmetry": "none",
    "paper": "this project: causal_graph",
    "cost": "a graph",
    "use": "most complete and best directions",
}


def methods(*, out: ResultOut = None, as_json: AsJson = False) -> None:
    """List the methods for blankets and neighbors: what each finds, its paper, its cost, and when to use it."""
    check_result_file(out, {})
    rows = [{column: getattr(method, column) for column in _COLUMNS} for method in METHODS.values()]
    rows.insert(1, _BEST)  # behind the default
    give_result(lambda: _page(rows), lambda: json.dumps({"methods": rows}), out, as_json=as_json)


def _page(rows: list[dict[str, Any]]) -> str:
    table = new_table(_COLUMNS.values())
    for row in rows:
        table.add_row(*texts(row.values()))
    return (
        f"{render_table(table)}\n\n"
        "finds: neighbors are parents and children; a blanket has spouses too; a causal blanket tells parents from "
        "children.\n"
        "symmetry: the default rule, see --symmetry in `climbfast blanket --help`.\n"
        "cost in tests: for m columns, a blanket of b members, and c members of the set during the search.\n"
        "best reads the blanket off a graph, of all columns or of those around the target.\n"
        "The methods for whole graphs are in `climbfast graph --help`."
    )
