"""``climbfast bootstrap``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from climbfast.batch.run import Interrupted
from climbfast.cli.exit_codes import InterruptMessage
from climbfast.cli.graph_files import check_graph_file
from climbfast.cli.options.blanket_searches import (
    SEARCH_PANEL,
    RepresentativeNames,
    parse_max_given,
    parse_max_pool,
    representative_in,
)
from climbfast.cli.options.graph_searches import GraphScore
from climbfast.cli.options.groups import refuse_options_of_others, typed_in, with_groups
from climbfast.cli.options.knowledge import KnowledgeArguments
from climbfast.cli.options.pictures import NeighborhoodPictureArguments
from climbfast.cli.options.reading import Data, ReadingArguments, files_of, targets_in
from climbfast.cli.options.replicates import ReplicateArguments, parse_threshold
from climbfast.cli.options.tests import TEST_PANEL, TestArguments
from climbfast.cli.output import (
    AsJson,
    QuoteFormulas,
    is_quiet,
    is_standard_output,
    naming_option,
    refuse_the_same_file,
    save_or_write,
    say,
    write,
)
from climbfast.cli.render import MOST_SHOWN, new_table, note_of_rest, render_table, replicates_text, texts
from climbfast.errors import Legal, Option, OptionError
from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tests import TESTS
from climbfast.names import name_text
from climbfast.resampling.files import check_target
from climbfast.resampling.records import ROLES
from climbfast.resampling.run import bootstrap as search_replicates
from climbfast.resampling.searches import SEARCHES

if TYPE_CHECKING:
    from climbfast.resampling.result import Bootstrap

__all__ = ["bootstrap"]


@dataclass(frozen=True, kw_only=True)
class ReplicateSearch:
    """What is searched in each replicate; an option that was not typed is None."""

    search: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"What is searched in each replicate: one of {', '.join(SEARCHES)}.",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = "best"
    target: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="blanket: column to find the blanket of.",
            show_default=False,
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    targets: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B|@FILE",
            help="blankets: columns to find the blankets of, see `climbfast blankets --help`. Default: all columns.",
            show_default=False,
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="blanket, blankets: search method; `climbfast methods` lists them.",
            show_default="climb",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    max_given: Annotated[
        str | None,
        typer.Option(
            metavar="N|none",
            help="blanket, blankets, pc: largest number of columns to condition on; none is no limit.",
            show_default="3",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    max_pool: Annotated[
        str | None,
        typer.Option(
            metavar="N|none",
            help="blanket, blankets, pc: most neighbors of which all sets are given. Around a hub, sets of two columns "
            "are drawn from as many that are nearest to the column tested, and larger sets from half as many; none is "
            "no bound.",
            show_default=str(MAX_POOL),
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    directions: Annotated[
        str | None,
        typer.Option(
            metavar="decided|all",
            help="blanket, blankets, best: decided leaves an edge open where the data hardly prefer one direction; all "
            "directs every edge.",
            show_default="decided",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class ReplicateTest(TestArguments):
    """The test of a search, and the options of all tests."""

    test: Annotated[
        str | None,
        typer.Option(
            "--test",
            metavar="|".join(TESTS),
            help="blanket, blankets, pc: test of independence.",
            show_default="sci",
            rich_help_panel=TEST_PANEL,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class BootstrapFiles:
    """The workers of a bootstrap, and the files that it reads and writes."""

    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File for the frequencies: .csv, .json or .parquet.", show_default=False),
    ] = None
    quote_formulas: QuoteFormulas = False
    graph: Annotated[
        Path | None,
        typer.Option(
            "--graph",
            metavar="FILE",
            help="File for the graph on which the replicates agree: .csv, .json, .graphml, .dot or .gv.",
            show_default=False,
        ),
    ] = None
    threshold: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE|auto",
            help="For --graph and --plot: the share of the replicates that an edge needs; auto is the threshold of "
            "Scutari and Nagarajan, more than half.",
            show_default="auto",
        ),
    ] = None
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Number of workers; -1 is one for every core.")] = -1
    journal: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File that keeps finished replicates, so that a run that was stopped can continue, and a finished one "
            "have more replicates.",
            show_default=False,
        ),
    ] = None
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run of an existing journal.")] = False

    def check(self, data: Path, known: KnowledgeArguments, *, drawn: Path | None) -> None:
        """Check before the work that the results can be written, and that they replace no other file of the run."""
        if self.resume and self.journal is None:
            raise OptionError(Option("resume"), " continues a journal; name it with --journal FILE")
        if self.threshold is not None and self.graph is None and drawn is None:
            raise OptionError(
                "--threshold is for the graph on which the replicates agree; name its file with --graph, or "
                "that of its picture with --plot"
            )
        if is_standard_output(self.graph):
            raise OptionError(Option("graph"), " is a file, not standard output; name one")
        self.threshold_of_graph()
        others = self.others(data, known)
        if self.out is not None:
            with naming_option("out"):
                check_target(self.out)
            refuse_the_same_file(self.out, others)
        check_graph_file(self.graph, {**others, "--out": self.out}, "graph")

    def others(self, data: Path, known: KnowledgeArguments) -> dict[str, Any]:
        """Return the files that the command reads or keeps, by what they are called."""
        return {"DATA": files_of(data), "--journal": self.journal, **known.files}

    def threshold_of_graph(self) -> float | str:
        """Return the threshold as it was typed, or its default."""
        return parse_threshold(self.threshold or "auto")

    def give(self, found: Bootstrap, *, as_json: bool) -> None:
        """Write the files, and what is asked for on standard output: without any file a page."""
        if self.out is not None:
            out = self.out
            save_or_write(lambda: found.save(out, quote_formulas=self.quote_formulas), found.to_json)
            say(f"{_summary(found)}; written to {name_text(out)}")
        if self.graph is not None:
            graph, file = found.graph(self.threshold_of_graph()), self.graph
            save_or_write(lambda: graph.save(file, quote_formulas=self.quote_formulas), graph.to_json)
            say(
                f"{len(graph.edges):,} edges in {graph.figures['threshold']:.3g} of the replicates or more; written to "
                f"{name_text(file)}"
            )
        if as_json:
            write(found.to_json())
        elif self.out is None and self.graph is None:
            write(_page(found))


@with_groups
def bootstrap(
    data: Data,
    *,
    replicates: ReplicateArguments,
    search: ReplicateSearch,
    representative: RepresentativeNames = None,
    files: BootstrapFiles,
    score: GraphScore,
    test: ReplicateTest,
    known: KnowledgeArguments,
    picture: NeighborhoodPictureArguments,
    reading: ReadingArguments,
    as_json: AsJson = False,
) -> None:
    """Search resampled tables, and say how often each edge, direction and member is found.

    Some options are for one search, score or test alone: their help begins with its name.
    """
    replicates.check()
    options = _options_of(search, score, test)
    files.check(data, known, drawn=picture.plot)
    picture.check({**files.others(data, known), "--out": files.out, "--graph": files.graph})
    typed = known.choose()
    table = reading.read(data)
    if search.targets is not None:
        options["targets"] = targets_in(search.targets, table.names)
    targets = options.get("targets") or ([search.target] if search.target is not None else None)
    drawn = picture.columns_among(targets or table.names) or targets
    if (knowledge := typed.about(table.names)) is not None:
        options["knowledge"] = knowledge
    try:
        found = search_replicates(
            table,
            search.search,
            n_jobs=files.jobs,
            journal=files.journal,
            resume=files.resume,
            progress=not is_quiet(),
            representative=representative_in(representative),
            **replicates.keywords(),
            **options,
        )
    except Interrupted as interrupted:
        raise InterruptMessage(*interrupted.parts) from None
    files.give(found, as_json=as_json)
    if picture.plot is not None:
        picture.draw(found.graph(files.threshold_of_graph()), drawn)


def _names_in(group: Any) -> frozenset[str]:
    return frozenset(field.name for field in fields(group))


_OF_BLANKETS = frozenset({"method", "max_given", "max_pool", "directions"}) | _names_in(ReplicateTest)


def _taken_by(search: str) -> Iterable[str]:
    """Return the options that a search takes."""
    if search in ("blanket", "blankets"):
        return _OF_BLANKETS | {"target" if search == "blanket" else "targets"}
    name, _, orientation = search.partition("+")
    own = _names_in(ReplicateTest) | {"max_given", "max_pool"} if name == "pc" else _names_in(GraphScore)
    return own | {"directions"} if orientation or name == "best" else own


_TAKEN = {search: frozenset(_taken_by(search)) for search in SEARCHES}


def _options_of(search: ReplicateSearch, score: GraphScore, test: ReplicateTest) -> dict[str, Any]:
    """Return the options that were typed, as the search takes them; refuse those of other searches."""
    name = search.search
    if name not in SEARCHES:
        raise OptionError(Option("search"), f" is {name!r}; it is one of ", Legal(tuple(SEARCHES)))
    own = {option: value for option, value in typed_in(search).items() if option != "search"}
    refuse_options_of_others([*own, *typed_in(score), *typed_in(test)], "search", name, _TAKEN)
    if name == "blanket" and search.target is None:
        raise OptionError(
            "the search blanket needs the column to search around; name it with ", Option("target"), " NAME"
        )
    options: dict[str, Any] = {option: value for option, value in own.items() if option != "targets"}
    if search.max_given is not None:
        options["max_given"] = parse_max_given(search.max_given)
    if search.max_pool is not None:
        options["max_pool"] = parse_max_pool(search.max_pool)
    if typed_in(test):
        options["test"] = test.of(test.test or "sci")
    if typed_in(score):
        options["score"] = score.choose("aic" if name == "best" else "bdeu")
    return options


def _summary(found: Bootstrap) -> str:
    drawn = {"replicates": found.replicates, "scheme": found.scheme, "seed": found.seed}
    return (
        f"{found.rows:,} rows, {len(found.names):,} columns; {replicates_text(drawn)} of {found.search}, with "
        f"{found.edges_per_replicate:,.1f} edges on average; {found.how['seconds']:.1f} s"
    )


def _page(found: Bootstrap) -> str:
    if found.members is None:
        return _page_of_shares(found, ["x", "y"], {"edge": "edge", "x_to_y": "x -> y", "y_to_x": "y -> x"})
    return _page_of_shares(found, ["target", "member"], {"found": "found", **{role: role for role in ROLES}})


def _page_of_shares(found: Bootstrap, ends: list[str], shares: dict[str, str]) -> str:
    """Return the rows of the table of frequencies with the largest shares; the headings are those of the page."""
    frame = found.to_frame()
    if frame.is_empty():
        return f"Nothing is found in any replicate.\n\n{_summary(found)}"
    table = new_table([*ends, *(f">{heading}" for heading in shares.values())])
    rows = frame.sort(*shares, descending=True, maintain_order=True).head(MOST_SHOWN)
    for row in rows.iter_rows(named=True):
        table.add_row(*texts([*(name_text(row[end]) for end in ends), *(f"{row[share]:.2f}" for share in shares)]))
    rest = note_of_rest(frame.height, "--out FILE or --json")
    return f"Share of the replicates\n\n{render_table(table)}{rest}\n\n{_summary(found)}"
