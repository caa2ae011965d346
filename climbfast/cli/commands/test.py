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
    x: Annotated[str, typer.Option("--x", help="A column.", show_default=False)],
    y: Annotated[str, typer.Option("--y", help="The other column.", show_default=False)],
    given: Annotated[
        list[str] | None,
        typer.Option(
            help="Columns to condition on; commas between, or given again. A column with a comma in its name: "
            "an option of its own.",
            show_default=False,
        ),
    ] = None,
    test: TestChoice,
    reading: ReadOptions,
    as_json: AsJson = False,
) -> None:
    """Test whether two columns are independent given others, with every figure behind the answer."""
    chosen = test.chosen()
    table = reading.read(data)
    result = test_independence(table, x, y, split_names(given or [], table.names), chosen)
    write(result.to_json() if as_json else _page(result))


def _page(result: TestResult) -> str:
    given = f" given {listing(result.given, limit=None, each=quoted)}" if result.given else ""
    verdict = "independent" if result.independent else "dependent"
    skipped = " (skipped for want of rows)" if result.skipped else ""
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
