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
from climbfast.cli.output import refuse_the_same_file, save_or_write, say
from climbfast.cli.pages import work_done
from climbfast.errors import OptionError
from climbfast.names import shown

if TYPE_CHECKING:
    from climbfast.blankets.blankets import Blankets

__all__ = ["blankets"]


@dataclass(frozen=True, kw_only=True)
class RunArguments:
    """The options of a run: its targets, its workers, and the files that it writes."""

    out: Annotated[
        Path, typer.Option(metavar="FILE", help="File to write: .jsonl, .parquet, or .csv (edges).", show_default=False)
    ]
    targets: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B|@FILE",
            help="Columns to find the blankets of: comma-separated, repeatable; or @FILE, a text file with one name "
            "per line. A name that contains a comma is quoted, as in CSV. Default: all columns.",
            show_default=False,
        ),
    ] = None
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Number of workers; -1 is one for every core.")] = -1
    journal: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File that keeps what is finished, so that a run that was stopped can continue.",
            show_default=False,
        ),
    ] = None
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run of an existing journal.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False

    def check_files(self, data: Path) -> None:
        """Check before the work that the result can be written, and that it replaces no other file of the run."""
        from climbfast.blankets.formats import check_target

        if self.resume and self.journal is None:
            raise OptionError("--resume continues a journal; name it with --journal FILE")
        check_target(self.out)
        refuse_the_same_file(self.out, {"DATA": data, "--journal": self.journal})

    def targets_among(self, names: Sequence[Hashable]) -> list[str] | None:
        """Return the targets; None is all columns."""
        return None if self.targets is None else targets_in(self.targets, names)


@with_groups
def blankets(data: Data, *, run: RunArguments, search: BlanketSearch, test: TestChoice, reading: ReadOptions) -> None:
    """Find the parents, children and spouses of many columns, in parallel."""
    chosen = test.choose()
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
    save_or_write(lambda: found.save(run.out), lambda: _lines(found))
    say(_summary(found, run.out))


def _lines(found: Blankets) -> str:
    from climbfast.blankets.jsonl_format import line_of

    return "".join(line_of(blanket, None if i else found.how) for i, blanket in enumerate(found.values())).rstrip("\n")


def _summary(found: Blankets, out: Path) -> str:
    how = found.how
    edges = {frozenset((target, x)) for target, blanket in found.items() for x in blanket.neighbors}
    seconds = how["seconds"]
    workers = f"{how['workers']:,} worker{'s' if how['workers'] > 1 else ''}, {how['backend']}: {how['why']}"
    work = work_done(how["method"], how["test"], how["tests"], how["skipped"])
    speed = f"{how['tests'] / max(seconds, 1e-9):,.0f} tests/s; {seconds:.1f} s"
    return f"{shown(out)}: {len(found):,} targets, {len(edges):,} edges; {work}, {speed}; {workers}"
