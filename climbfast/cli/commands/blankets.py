"""``climbfast blankets``."""

from __future__ import annotations

import io
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from climbfast.batch.run import Interrupted, markov_blankets
from climbfast.cli.exit_codes import InterruptMessage
from climbfast.cli.options.blanket_searches import BlanketSearch
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.knowledge import KnowledgeArguments
from climbfast.cli.options.pictures import NeighborhoodPictureArguments
from climbfast.cli.options.reading import Data, ReadingArguments, files_of, targets_in
from climbfast.cli.options.replicates import FrequencyArguments
from climbfast.cli.options.tests import TestChoice
from climbfast.cli.output import (
    QuoteFormulas,
    format_of_output,
    is_quiet,
    is_standard_output,
    refuse_the_same_file,
    save_or_write,
    say,
    write_bytes,
)
from climbfast.cli.render import replicates_text, work_around_targets
from climbfast.errors import Option, OptionError
from climbfast.names import name_text

if TYPE_CHECKING:
    from climbfast.blankets.blankets import Blankets

__all__ = ["blankets"]

FORMATS = ("jsonl", "parquet", "csv")


@dataclass(frozen=True, kw_only=True)
class RunArguments:
    """The options of a run: its targets, its workers, and the files that it writes."""

    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="File to write: .jsonl, .parquet, or .csv (edges); - is standard output.",
            show_default=False,
        ),
    ]
    out_format: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=f"Format for --out -: {', '.join(FORMATS)}.", show_default=FORMATS[0]),
    ] = None
    quote_formulas: QuoteFormulas = False
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

    def check_files(self, data: Path, known: KnowledgeArguments) -> None:
        """Check before the work that the result can be written, and that it replaces no other file of the run."""
        from climbfast.blankets.formats import check_target

        if self.resume and self.journal is None:
            raise OptionError(Option("resume"), " continues a journal; name it with --journal FILE")
        format_of_output(self.out, self.out_format, FORMATS)
        if not is_standard_output(self.out):
            check_target(self.out)
        refuse_the_same_file(self.out, {"DATA": files_of(data), "--journal": self.journal, **known.files})

    def give(self, found: Blankets) -> None:
        """Write the result to its file, or to standard output."""
        from climbfast.blankets.formats import write_to

        if is_standard_output(self.out):
            content = io.BytesIO()
            suffix = f".{format_of_output(self.out, self.out_format, FORMATS)}"
            write_to(content, suffix, list(found.values()), found.how, quote_formulas=self.quote_formulas)
            write_bytes(content.getvalue())
        else:
            save_or_write(lambda: found.save(self.out, quote_formulas=self.quote_formulas), lambda: _lines(found))

    def targets_among(self, names: Sequence[Hashable]) -> list[str] | None:
        """Return the targets; None is all columns."""
        return None if self.targets is None else targets_in(self.targets, names)


@with_groups
def blankets(
    data: Data,
    *,
    run: RunArguments,
    search: BlanketSearch,
    test: TestChoice,
    known: KnowledgeArguments,
    frequencies: FrequencyArguments,
    picture: NeighborhoodPictureArguments,
    reading: ReadingArguments,
) -> None:
    """Find the parents, children and spouses of many columns, in parallel."""
    chosen = test.choose()
    options = search.keywords()
    run.check_files(data, known)
    frequencies.check()
    picture.check({"DATA": files_of(data), "--journal": run.journal, "--out": run.out, **known.files})
    typed = known.choose()
    table = reading.read(data)
    targets = run.targets_among(table.names)
    drawn = picture.columns_among(table.names if targets is None else targets) or targets
    options |= {"targets": targets, "test": chosen, "knowledge": typed.about(table.names)}
    try:
        found = markov_blankets(
            table,
            n_jobs=run.jobs,
            journal=run.journal,
            resume=run.resume,
            progress=not is_quiet(),
            **options,
        )
    except Interrupted as interrupted:
        raise InterruptMessage(*interrupted.parts) from None
    found = frequencies.added_to(found, table, "blankets", n_jobs=run.jobs, **options)
    run.give(found)
    say(_summary(found, run.out))
    picture.draw(found, drawn)


def _lines(found: Blankets) -> str:
    from climbfast.blankets.jsonl_format import line_of

    return "".join(line_of(blanket, None if i else found.how) for i, blanket in enumerate(found.values())).rstrip("\n")


def _summary(found: Blankets, out: Path) -> str:
    how = found.how
    edges = {frozenset((target, x)) for target, blanket in found.items() for x in blanket.neighbors}
    seconds = how["seconds"]
    workers = f"{how['workers']:,} worker{'s' if how['workers'] > 1 else ''}, {how['backend']}: {how['why']}"
    work = work_around_targets(how["method"], how["search"], how["test"], how["tests"], how["skipped"])
    speed = f", {how['tests'] / max(seconds, 1e-9):,.0f} tests/s" if how["tests"] else ""
    speed += f"; {seconds:.1f} s"
    left_open = sum(bool(blanket.unexplained) for blanket in found.values())
    if left_open:
        speed += f"; {left_open:,} blanket{'s do' if left_open > 1 else ' does'} not explain all (unexplained)"
    if hubs := sum(bool(blanket.bounded) for blanket in found.values()):
        speed += f"; around {hubs:,} target{'s' if hubs > 1 else ''} not all sets were tried (--max-pool)"
    if "bootstrap" in how:
        speed += f"; frequencies of {replicates_text(how['bootstrap'])}"
    place = "standard output" if is_standard_output(out) else name_text(out)
    return f"{place}: {len(found):,} targets, {len(edges):,} edges; {work}{speed}; {workers}"
