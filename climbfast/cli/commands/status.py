"""``climbfast status``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from climbfast.cli.output import AsJson
from climbfast.cli.render import new_table, render_table, texts
from climbfast.cli.result_files import ResultOut, check_result_file, give_result
from climbfast.names import name_text

if TYPE_CHECKING:
    from climbfast.batch.journal import JournalStatus

__all__ = ["status"]


def status(
    journal: Annotated[
        Path,
        typer.Argument(
            metavar="JOURNAL",
            help="Journal of a run of `climbfast blankets` or `climbfast bootstrap`.",
            show_default=False,
        ),
    ],
    *,
    out: ResultOut = None,
    as_json: AsJson = False,
) -> None:
    """Show the progress of a run, also while it continues: what is done, what is left, and the rate."""
    from climbfast.batch.journal import journal_status

    check_result_file(out, {"JOURNAL": journal})
    found = journal_status(journal)
    give_result(lambda: _page(found), lambda: json.dumps(found.to_dict()), out, as_json=as_json)


def _page(found: JournalStatus) -> str:
    if not found.run:
        return "The journal is empty: the run has just started, or was stopped at its start."
    table = new_table(["pass", ">done", ">total", ">left", ">seconds"])
    for each in found.passes:
        figures = (f"{each.done:,}", f"{each.units:,}", f"{each.left:,}", f"{each.seconds:,.1f}")
        table.add_row(*texts([name_text(each.name), *figures]))
    heading = f"{_what_runs(found.run['options'])}; climbfast {name_text(found.run['version'])}"
    return f"{heading}\n\n{render_table(table)}\n\n{_outlook(found)}"


def _what_runs(options: Mapping[str, Any]) -> str:
    """Return the method and the test of a run over many targets; of a bootstrap the search and the replicates."""
    if "scheme" in options:
        named = [key for key in ("search", "target", "method", "test", "score", "scheme", "seed") if key in options]
        return "; ".join(["bootstrap", *(f"{key} {_name_of(options[key])}" for key in named)])
    return f"method {_name_of(options.get('method'))}; test {_name_of(options.get('test'))}"


def _name_of(option: Any) -> str:
    return name_text(option.get("name") if isinstance(option, dict) else option)


def _outlook(found: JournalStatus) -> str:
    if found.complete:
        return "The run is complete."
    if found.running is None or found.idle is None:
        return "No unit is finished yet."
    ago = f"the last unit was finished {found.idle:,.0f} s ago"
    if found.seconds_left is None:
        return f"Now in the pass {name_text(found.running.name)}; {ago}."
    speed = f"{found.rate:,.1f} units/s, about {found.seconds_left:,.0f} s left in this pass"
    return f"Now in the pass {name_text(found.running.name)}: {speed}; {ago}."
