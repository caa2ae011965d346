"""``climbfast blanket``."""

from __future__ import annotations

from typing import Annotated

import typer

from climbfast.cli.options.blanket_searches import BlanketSearch
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.reading import Data, ReadOptions
from climbfast.cli.options.tests import TestChoice
from climbfast.cli.output import AsJson, write
from climbfast.cli.pages import new_table, rendered, roles_in, row_of_member, summary
from climbfast.local.blanket import Blanket
from climbfast.local.find import markov_blanket
from climbfast.names import shown

__all__ = ["blanket"]


@with_groups
def blanket(
    data: Data,
    *,
    target: Annotated[str, typer.Option(help="Column to find the blanket of.", show_default=False)],
    search: BlanketSearch,
    test: TestChoice,
    reading: ReadOptions,
    as_json: AsJson = False,
) -> None:
    """Find the parents, children and spouses of one column."""
    # What costs nothing to check comes before the reading of the file.
    chosen = test.chosen()
    options = search.keywords()
    found = markov_blanket(reading.read(data), target, test=chosen, **options)
    write(found.to_json() if as_json else _page(found))


def _page(found: Blanket) -> str:
    roles = roles_in(found)
    if not roles:
        return f"The blanket of {shown(found.target)} is empty: nothing in the data tells about it.\n{summary(found)}"
    table = new_table(["member", "role", ">margin bits", "via"])
    for name, role in roles.items():
        table.add_row(*row_of_member(found, name, role))
    return f"{rendered(table)}\n\n{summary(found)}"
