"""``climbfast schema``."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from climbfast.cli.output import AsJson
from climbfast.cli.render import new_table, render_table, texts
from climbfast.cli.result_files import ResultOut, check_result_file, give_result
from climbfast.errors import Legal, OptionError
from climbfast.schemas import SCHEMAS
from climbfast.schemas import schema as schema_of

__all__ = ["schema"]


def schema(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Of which JSON; without it, all are listed.", show_default=False),
    ] = None,
    *,
    out: ResultOut = None,
    as_json: AsJson = False,
) -> None:
    """Show the JSON Schema of what climbfast writes as JSON: which fields there are, and what they hold."""
    check_result_file(out, {})
    if name is None:
        give_result(_page, lambda: json.dumps({"schemas": dict(SCHEMAS)}), out, as_json=as_json)
        return
    if name not in SCHEMAS:
        raise OptionError(f"NAME is {name!r}; it is one of ", Legal(tuple(SCHEMAS)))
    found: dict[str, Any] = schema_of(name)
    give_result(lambda: json.dumps(found, indent=2), lambda: json.dumps(found, indent=2), out, as_json=as_json)


def _page() -> str:
    table = new_table(["schema", "of what"])
    for name, what in SCHEMAS.items():
        table.add_row(*texts([name, what]))
    return f"{render_table(table)}\n\n`climbfast schema NAME` shows one of them."
