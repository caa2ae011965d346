"""``climbfast test``."""

from __future__ import annotations

from typing import Annotated

import typer

from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.reading import Data, ReadingArguments, files_of, split_names
from climbfast.cli.options.tests import TestChoice
from climbfast.cli.output import AsJson
from climbfast.cli.render import new_table, render_table, texts
from climbfast.cli.result_files import ResultOut, check_result_file, give_result
from climbfast.independence.single import TestResult
from climbfast.independence.single import test as test_independence
from climbfast.names import listing, name_text, quoted_name

__all__ = ["test"]


@with_groups
def test(
    data: Data,
    *,
    x: Annotated[str, typer.Option("--x", metavar="NAME", help="The first column.", show_default=False)],
    y: Annotated[str, typer.Option("--y", metavar="NAME", help="The second column.", show_default=False)],
    given: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            help="Columns to condition on: comma-separated, repeatable. A name that contains a comma is quoted, as in "
            "CSV. Default: none, the columns are tested unconditionally.",
            show_default=False,
        ),
    ] = None,
    out: ResultOut = None,
    test: TestChoice,
    reading: ReadingArguments,
    as_json: AsJson = False,
) -> None:
    """Test whether two columns are independent, unconditionally or given others, with all figures of the test."""
    chosen = test.choose()
    check_result_file(out, {"DATA": files_of(data)})
    table = reading.read(data)
    result = test_independence(table, x, y, split_names(given or [], table.names), chosen)
    give_result(lambda: _page(result), result.to_json, out, as_json=as_json)


def _page(result: TestResult) -> str:
    given = f" given {listing(result.given, limit=None, each=quoted_name)}" if result.given else ""
    verdict = "independent" if result.independent else "dependent"
    skipped = f" (test skipped: {_why_skipped(result)})" if result.skipped else ""
    table = new_table(["figure", ">value"])
    for key, value in result.to_dict().items():
        if key not in ("test", "x", "y", "given", "independent", "skipped", "options"):
            table.add_row(*texts([key, _figure(value)]))
    heading = f"{name_text(result.x)} and {name_text(result.y)}{given}: {verdict} by {result.test}{skipped}"
    return f"{heading}\n\n{render_table(table)}"


def _why_skipped(result: TestResult) -> str:
    return "too few rows per degree of freedom" if result.rows else "no row is complete in all of its columns"


def _figure(value: float | int) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.3f}" if 0.01 <= abs(value) < 1e12 else f"{value:.4g}"
