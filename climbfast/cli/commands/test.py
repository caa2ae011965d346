"""``climbfast test``."""

from __future__ import annotations

from typing import Annotated

import typer

from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.reading import Data, ReadOptions, split_names
from climbfast.cli.options.tests import TestChoice
from climbfast.cli.output import AsJson, write
from climbfast.cli.pages import new_table, rendered, texts
from climbfast.independence.single import TestResult
from climbfast.independence.single import test as test_independence
from climbfast.names import listing, quoted, shown

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
    test: TestChoice,
    reading: ReadOptions,
    as_json: AsJson = False,
) -> None:
    """Test whether two columns are independent, unconditionally or given others, with all figures of the test."""
    chosen = test.choose()
    table = reading.read(data)
    result = test_independence(table, x, y, split_names(given or [], table.names), chosen)
    write(result.to_json() if as_json else _page(result))


def _page(result: TestResult) -> str:
    given = f" given {listing(result.given, limit=None, each=quoted)}" if result.given else ""
    verdict = "independent" if result.independent else "dependent"
    skipped = " (test skipped: too few rows per degree of freedom)" if result.skipped else ""
    table = new_table(["figure", ">value"])
    for key, value in result.to_dict().items():
        if key not in ("test", "x", "y", "given", "independent", "skipped"):
            table.add_row(*texts([key, _figure(value)]))
    heading = f"{shown(result.x)} and {shown(result.y)}{given}: {verdict} by {result.test}{skipped}"
    return f"{heading}\n\n{rendered(table)}"


def _figure(value: float | int) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.3f}" if 0.01 <= abs(value) < 1e12 else f"{value:.4g}"
