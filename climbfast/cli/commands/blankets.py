"""``climbfast blankets``."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from climbfast.batch.run import Interrupted, markov_blankets
from climbfast.cli.exit_codes import Interruption
from climbfast.cli.options.blanket_searches import BlanketSearch
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.reading import Data, ReadOptions, targets_in
from climbfast.cli.options.tests import TestChoice
from climbfast.cli.output import refuse_the_same_file, say
from climbfast.errors import OptionError
from climbfast.names import shown

if TYPE_CHECKING:
    from climbfast.blankets.blankets import Blankets

__all__ = ["blankets"]


@dataclass(frozen=True, kw_only=True)
class Run:
    """The options of the run: what it looks for, with which workers, and the files it writes."""

    out: Annotated[Path, typer.Option(help="File to write: .jsonl, .parquet or .csv (edges).", show_default=False)]
    targets: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B|@FILE",
            help="Columns to find the blankets of: commas between, or given again; or @FILE, one name a line. A name "
            "with a comma stands in quotes, as in CSV. Default: all.",
            show_default=False,
        ),
    ] = None
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Workers; -1 is one for every core.")] = -1
    journal: Annotated[
        Path | None,
        typer.Option(help="File that keeps what is finished, so that a stopped run can go on.", show_default=False),
    ] = None
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a journal that is there already.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Tell nothing of the progress.")] = False

    def check_files(self, data: Path) -> None:
        """Refuse what would lose its result at the end of an hour's work, or take the place of another file."""
        from climbfast.blankets.formats import check_target

        if self.resume and self.journal is None:
            raise OptionError("--resume goes on with a journal; name it by --journal FILE")
        check_target(self.out)
        refuse_the_same_file(self.out, {"DATA": data, "--journal": self.journal})

    def targets_among(self, names: Sequence[Hashable]) -> list[str] | None:
        """Return the columns to find the blankets of; None is all."""
        return None if self.targets is None else targets_in(self.targets, names)


@with_groups
def blankets(data: Data, *, run: Run, search: BlanketSearch, test: TestChoice, reading: ReadOptions) -> None:
    """Find the parents, children and spouses of many columns, in parallel."""
    chosen = test.chosen()
    options = search.keywords()
    run.check_files(data)
    table = reading.read(data)
    try:
        found = markov_blankets(
            table,
            run.targets_among(table.names),
            test=chosen,
            n_jobs=run.jobs,
            journal=run.journal,
            resume=run.resume,
            progress=not run.quiet,
            **options,
        )
    except Interrupted as interrupted:
        raise Interruption(*interrupted.parts) from None
    found.save(run.out)
    say(_summary(found, run.out))


def _summary(found: Blankets, out: Path) -> str:
    how = found.how
    edges = {frozenset((target, x)) for target, blanket in found.items() for x in blanket.neighbors}
    seconds = how["seconds"]
    skipped = f", {how['skipped']:,} skipped for want of rows" if how["skipped"] else ""
    workers = f"{how['workers']:,} worker{'s' if how['workers'] > 1 else ''}"
    return (
        f"{shown(out)}: {len(found):,} targets, {len(edges):,} edges, {how['tests']:,} tests by {how['test']} for "
        f"{how['method']}{skipped}, {how['tests'] / max(seconds, 1e-9):,.0f} tests/s, {seconds:.1f} s; {workers}, "
        f"{how['backend']}: {how['why']}"
    )
