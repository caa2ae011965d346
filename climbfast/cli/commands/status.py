"""``climbfast status``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from climbfast.cli.output import AsJson, write
from climbfast.cli.pages import new_table, rendered, texts

if TYPE_CHECKING:
    from climbfast.batch.journal import JournalStatus

__all__ = ["status"]


def status(
    journal: Annotated[
        Path, typer.Argument(metavar="JOURNAL", help="Journal of a run of `climbfast blankets`.", show_default=False)
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Show the progress of a run, also while it continues: what is done, what is left, and the rate."""
    from climbfast.batch.journal import journal_status

    found = journal_status(journal)
    write(json.dumps(found.to_dict()) if as_json else _page(found))


def _page(found: JournalStatus) -> str:
    if not found.run:
        return "The journal is empty: the run has just started, or was stopped at its start."
    table = new_table(["pass", ">done", ">total", ">left", ">seconds"])
    for each in found.passes:
        figures = (f"{each.done:,}", f"{each.units:,}", f"{each.left:,}", f"{each.seconds:,.1f}")
        table.add_row(*texts([each.name, *figures]))
    options = found.run["options"]
    heading = f"method {options['method']}; test {options['test']['name']}; climbfast {found.run['version']}"
    return f"{heading}\n\n{rendered(table)}\n\n{_outlook(found)}"


def _outlook(found: JournalStatus) -> str:
    if found.complete:
        return "The run is complete."
    if found.running is None or found.idle is None:
        return "No unit is finished yet."
    ago = f"the last unit was finished {found.idle:,.0f} s ago"
    if found.seconds_left is None:
        return f"Now in the pass {found.running.name}; {ago}."
    speed = f"{found.rate:,.1f} units/s, about {found.seconds_left:,.0f} s left in this pass"
    return f"Now in the pass {found.running.name}: {speed}; {ago}."
