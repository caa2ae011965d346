"""``climbfast neighbors``."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from climbfast.cli.options.blanket_searches import SEARCH_PANEL, MaxPool, parse_max_given, parse_max_pool
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.knowledge import KnowledgeArguments
from climbfast.cli.options.reading import Data, ReadingArguments, files_of
from climbfast.cli.options.tests import TestChoice
from climbfast.cli.output import AsJson
from climbfast.cli.render import but_copies, new_table, render_table, summary, texts
from climbfast.cli.result_files import ResultOut, check_result_file, give_result
from climbfast.local.blanket import NeighborSet
from climbfast.local.find import neighbors as find_neighbors
from climbfast.local.neighborhoods import Symmetry
from climbfast.names import name_text

__all__ = ["neighbors"]

MethodName = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Search method, one that finds neighbors; `climbfast methods` lists them.",
        rich_help_panel=SEARCH_PANEL,
    ),
]
MaxGiven = Annotated[
    str,
    typer.Option(
        metavar="N|none",
        help="Largest number of columns to condition on; none is no limit. Default: 3.",
        show_default=False,
        rich_help_panel=SEARCH_PANEL,
    ),
]
RuleOfSymmetry = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        metavar="and|or|none",
        help="Neighbors are the columns that find the target and are found by it (and), those for which one of the two "
        "is true (or), or those that the target finds (none). Default: the rule and; for getpcd the rule none.",
        show_default=False,
        rich_help_panel=SEARCH_PANEL,
    ),
]


@with_groups
def neighbors(
    data: Data,
    *,
    target: Annotated[str, typer.Option(metavar="NAME", help="Column to find the neighbors of.", show_default=False)],
    out: ResultOut = None,
    method: MethodName = "getpc",
    max_given: MaxGiven = "default",
    max_pool: MaxPool = None,
    symmetry: RuleOfSymmetry = None,
    test: TestChoice,
    known: KnowledgeArguments,
    reading: ReadingArguments,
    as_json: AsJson = False,
) -> None:
    """Find the parents and children of one column, without telling which is which."""
    chosen = test.choose()
    limit, bound = parse_max_given(max_given), parse_max_pool(max_pool)
    rule = cast(Symmetry | None, symmetry)  # the search checks it
    check_result_file(out, {"DATA": files_of(data), **known.files})
    typed = known.choose()
    table = reading.read(data)
    found = find_neighbors(
        table, target, method, chosen, max_given=limit, max_pool=bound, symmetry=rule,
        knowledge=typed.about(table.names),
    )  # fmt: skip
    give_result(lambda: _page(found), found.to_json, out, as_json=as_json)


def _page(found: NeighborSet) -> str:
    target = name_text(found.target)
    if not found.members:
        return f"{target} has no neighbors: {_why_none(found)}.\n\n{summary(found)}"
    table = new_table(["neighbor", ">strength"])
    for name in found.members:
        table.add_row(*texts([name_text(name), f"{found.strengths[name]:,.1f}"]))
    return f"The neighbors of {target}\n\n{render_table(table)}\n\n{summary(found)}"


def _why_none(found: NeighborSet) -> str:
    """Return why a target has no neighbors: columns that depend on it were separated from it by others."""
    apart = sum(1 for separator in found.separating_sets.values() if separator)
    others = f"other columns{but_copies(found)}"
    if not apart:
        return f"all {others} were found independent of it"
    depend = "1 column depends" if apart == 1 else f"{apart:,} columns depend"
    return f"{depend} on it, each separated from it by others; all further {others} were found independent of it"
