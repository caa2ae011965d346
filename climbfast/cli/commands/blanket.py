"""``climbfast blanket``."""

from __future__ import annotations

from typing import Annotated

import typer

from climbfast.blankets.find import markov_blanket
from climbfast.cli.option_names import as_typed
from climbfast.cli.options.blanket_searches import BlanketSearch
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.knowledge import KnowledgeArguments
from climbfast.cli.options.pictures import PictureArguments
from climbfast.cli.options.reading import Data, ReadingArguments, files_of
from climbfast.cli.options.replicates import FrequencyArguments
from climbfast.cli.options.tests import TestChoice
from climbfast.cli.output import AsJson
from climbfast.cli.render import (
    columns_of_frequencies,
    frequencies_text,
    new_table,
    render_table,
    roles_in,
    row_of_member,
    summary,
)
from climbfast.cli.result_files import ResultOut, check_result_file, give_result
from climbfast.local.blanket import Blanket
from climbfast.local.explanation import explanation_of
from climbfast.names import name_text

__all__ = ["blanket"]


@with_groups
def blanket(
    data: Data,
    *,
    target: Annotated[str, typer.Option(metavar="NAME", help="Column to find the blanket of.", show_default=False)],
    out: ResultOut = None,
    search: BlanketSearch,
    test: TestChoice,
    known: KnowledgeArguments,
    frequencies: FrequencyArguments,
    picture: PictureArguments,
    reading: ReadingArguments,
    as_json: AsJson = False,
) -> None:
    """Find the parents, children and spouses of one column."""
    # Options are checked before the file is read, which may take minutes.
    chosen = test.choose()
    options = search.keywords()
    frequencies.check()
    inputs = {"DATA": files_of(data), **known.files}
    check_result_file(out, inputs)
    picture.check({**inputs, "--out": out})
    typed = known.choose()
    table = reading.read(data)
    options |= {"target": target, "test": chosen, "knowledge": typed.about(table.names)}
    found = frequencies.added_to(markov_blanket(table, **options), table, "blanket", **options)
    give_result(lambda: _page(found), found.to_json, out, as_json=as_json)
    picture.draw(found)


def _page(found: Blanket) -> str:
    roles, heading = roles_in(found), f"The Markov blanket of {name_text(found.target)}"
    explanation = explanation_of(found)
    left_open = f"\n\n{as_typed(explanation)}" if explanation is not None else ""
    often = f"\n\n{frequencies_text(found)}" if found.frequencies else ""
    if not roles:
        return f"{heading} is empty.{often}{left_open}\n\n{summary(found)}"
    table = new_table(["member", "role", "direction", "common children", *columns_of_frequencies(found)])
    for name, role in roles.items():
        table.add_row(*row_of_member(found, name, role))
    return f"{heading}\n\n{render_table(table)}{often}{left_open}\n\n{summary(found)}"
