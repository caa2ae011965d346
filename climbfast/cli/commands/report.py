"""``climbfast report``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from climbfast.batch.run import Interrupted, markov_blankets
from climbfast.blankets.find import markov_blanket
from climbfast.cli.exit_codes import InterruptMessage
from climbfast.cli.options.blanket_searches import SEARCH_PANEL, BlanketSearch, RepresentativeNames
from climbfast.cli.options.graph_searches import (
    GRAPH_METHODS,
    GraphScore,
    GraphSearch,
    GraphTest,
    search_in_a_worker,
    search_with,
)
from climbfast.cli.options.groups import refuse_options_of_others, typed_in, with_groups
from climbfast.cli.options.knowledge import KnowledgeArguments
from climbfast.cli.options.reading import Data, ReadingArguments, files_of, targets_in
from climbfast.cli.options.replicates import FrequencyArguments
from climbfast.cli.options.tests import TEST_PANEL
from climbfast.cli.output import is_quiet, refuse_the_same_file, say
from climbfast.errors import OptionError
from climbfast.graphs.causal import METHODS
from climbfast.graphs.graph import Graph
from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tests import TESTS
from climbfast.local.blanket import Blanket
from climbfast.names import name_text, quoted_name
from climbfast.options import choice

if TYPE_CHECKING:
    from climbfast.blankets.blankets import Blankets
    from climbfast.dataset import Dataset
    from climbfast.knowledge import Knowledge

__all__ = ["report"]

_SEARCHES = ("blanket", "blankets", *METHODS)


def _option(*names: str, of: str, text: str, default: str | bool = False, metavar: str | None = None) -> Any:
    """Return an option of some searches, which is None when it was not typed."""
    return typer.Option(
        *names, help=f"{of}: {text}", show_default=default, metavar=metavar, rich_help_panel=SEARCH_PANEL
    )


@dataclass(frozen=True, kw_only=True)
class PageSearch:
    """What is searched for a page, and the options of all searches; one that was not typed is None."""

    search: Annotated[
        str | None,
        typer.Option(
            "--search",
            metavar="NAME",
            help=f"What is searched for the page: {', '.join(_SEARCHES)}. blanket is about one column, blankets about "
            "all, and the others are about a graph.",
            show_default="blanket with --target, else blankets",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    target: Annotated[
        str | None, _option("--target", of="blanket", text="column to find the blanket of.", metavar="NAME")
    ] = None
    targets: Annotated[
        list[str] | None,
        _option(
            "--targets",
            of="blankets",
            text="columns to find the blankets of, see `climbfast blankets --help`. Default: all columns.",
            metavar="A,B|@FILE",
        ),
    ] = None
    method: Annotated[
        str | None,
        _option(
            "--method",
            of="blanket, blankets",
            text="search method; `climbfast methods` lists them.",
            default="climb",
            metavar="NAME",
        ),
    ] = None
    neighbors: Annotated[
        str | None,
        _option(
            "--neighbors",
            of="blanket, blankets",
            text="with climb, the search of parents and children that it uses.",
            default="getpcd",
            metavar="NAME",
        ),
    ] = None
    symmetry: Annotated[
        str | None,
        _option(
            "--symmetry",
            of="blanket, blankets",
            text="which columns have to find each other, see `climbfast blanket --help`.",
            metavar="RULE",
        ),
    ] = None
    orient: Annotated[
        bool,
        _option(
            "--orient",
            of="blanket, blankets",
            text="divide the neighbors into parents and children after any method; climb always does it.",
        ),
    ] = False
    colliders: Annotated[
        bool | None,
        _option(
            "--colliders/--no-colliders",
            of="blanket, blankets",
            text="with climb, direct neighbors whose side shows in tests by these.",
            default="yes for climb",
        ),
    ] = None
    directions: Annotated[
        str | None,
        _option(
            "--directions",
            of="all but pc and fges",
            text="decided leaves open what the data hardly prefer; all directs every edge.",
            default="decided",
            metavar="decided|all",
        ),
    ] = None
    min_margin: Annotated[
        float | None,
        _option(
            "--min-margin",
            of="blanket, blankets",
            text="report neighbors whose margin has fewer bits as undecided.",
            default="1",
        ),
    ] = None
    node_budget: Annotated[
        int | None,
        _option(
            "--node-budget",
            of="blanket, blankets",
            text="largest number of nodes that the search for the best partition visits.",
            default="200000",
        ),
    ] = None
    max_given: Annotated[
        str | None,
        _option(
            "--max-given",
            of="blanket, blankets, pc",
            text="largest number of columns to condition on; none is no limit.",
            default="3",
            metavar="N|none",
        ),
    ] = None
    max_pool: Annotated[
        str | None,
        _option(
            "--max-pool",
            of="blanket, blankets, pc",
            text="most columns of which all sets are given, see `climbfast blanket --help`; none is no bound.",
            default=str(MAX_POOL),
            metavar="N|none",
        ),
    ] = None
    conflicts: Annotated[
        str | None,
        _option(
            "--conflicts",
            of="pc",
            text="how v-structures are found, see `climbfast graph --help`.",
            default="majority",
            metavar="RULE",
        ),
    ] = None
    max_degree: Annotated[
        int | None,
        _option("--max-degree", of="fges", text="largest number of edges of one column.", default="no limit"),
    ] = None
    seconds: Annotated[
        float | None,
        _option(
            "--seconds",
            of="best",
            text="time after which the best graph so far is returned.",
            default="none",
            metavar="S",
        ),
    ] = None
    perturbations: Annotated[
        int | None,
        _option(
            "--perturbations",
            of="best",
            text="number of perturbations of the best graph so far.",
            default="4 per column",
        ),
    ] = None
    seed: Annotated[int | None, _option("--seed", of="best", text="random seed of the perturbations.", default="0")] = (
        None
    )
    representative: RepresentativeNames = None
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            help="blankets, pc, and with --bootstrap: number of workers; -1 is one for every core.",
            show_default="-1",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class PageTest(GraphTest):
    """The test of a search, and the options of all tests."""

    test: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(TESTS),
            help="blanket, blankets, pc: test of independence.",
            show_default="sci",
            rich_help_panel=TEST_PANEL,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class PageFile:
    """The file of a page."""

    out: Annotated[Path, typer.Option(metavar="FILE", help="Page to write: .html or .htm.", show_default=False)]
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Heading of the page.", show_default="what it is about")
    ] = None

    def check(self, data: Path, known: KnowledgeArguments) -> None:
        """Check before the work that the page can be written, and that it replaces no file that is read."""
        from climbfast.report.page import check_page

        check_page(self.out)
        refuse_the_same_file(self.out, {"DATA": files_of(data), **known.files})

    def write(self, found: Blanket | Blankets | Graph, *, command: str, source: str) -> None:
        """Write the page of a result, and say so."""
        from climbfast.report.graph_page import graph_page
        from climbfast.report.labels import counted
        from climbfast.report.page import write_page
        from climbfast.report.run_page import run_page
        from climbfast.report.target_page import target_page

        about: dict[str, Any] = {"title": self.title, "command": command, "source": source}
        if isinstance(found, Blanket):
            page = target_page(found, **about)
            what = f"page about {quoted_name(found.target)}, {counted(len(found.members), 'member')}"
        elif isinstance(found, Graph):
            page = graph_page(found, **about)
            what = f"page about a graph, {counted(len(found.edges), 'edge')}"
        else:
            page = run_page(found, **about)
            what = f"page about {counted(len(found), 'target')}"
        write_page(self.out, page)
        say(f"{what}; written to {name_text(self.out)}")


@with_groups
def report(
    context: typer.Context,
    data: Data,
    *,
    page: PageFile,
    search: PageSearch,
    score: GraphScore,
    test: PageTest,
    known: KnowledgeArguments,
    frequencies: FrequencyArguments,
    reading: ReadingArguments,
) -> None:
    """Search, and write a page for readers who know the subject: one file that opens in a browser, also offline.

    With --target it is about one column, else about all columns or a graph. Some options are for one search, score or
    test alone: their help begins with its name.
    """
    name = _name_of(search)
    page.check(data, known)
    frequencies.check()
    find = _search_of(name, search, score, test)
    typed = known.choose()
    table = reading.read(data)
    found = find(table, typed.about(table.names), frequencies)
    page.write(found, command=_command_of(context), source=str(data))


# ---- which search takes which options


def _name_of(search: PageSearch) -> str:
    """Return the search that was asked for, or follows from the target."""
    if search.search is None:
        return "blankets" if search.target is None else "blanket"
    choice("search", search.search, _SEARCHES)
    if search.search == "blanket" and search.target is None:
        raise OptionError("the search blanket needs the column to search around; name it with --target NAME")
    return search.search


_OF_TESTS = frozenset(field.name for field in fields(GraphTest))
_OF_SEARCHES = frozenset(field.name for field in fields(BlanketSearch))
_OF_ALL = frozenset({"representative", "jobs"})


def _taken_by(search: str) -> Iterable[str]:
    """Return the options that a search takes."""
    if search == "blanket":
        return _OF_SEARCHES | _OF_TESTS | _OF_ALL | {"target"}
    if search == "blankets":
        return _OF_SEARCHES | _OF_TESTS | _OF_ALL | {"targets"}
    name, _, orientation = search.partition("+")
    own = GRAPH_METHODS[name].takes | _OF_ALL
    return own | {"directions"} if orientation or name == "best" else own


_TAKEN = {search: frozenset(_taken_by(search)) for search in _SEARCHES}


class _Find(Protocol):
    """A search with its options: it finds a result that obeys what is known, with its frequencies if asked for."""

    def __call__(
        self, table: Dataset, knowledge: Knowledge | None, frequencies: FrequencyArguments
    ) -> Blanket | Blankets | Graph: ...


def _search_of(name: str, search: PageSearch, score: GraphScore, test: GraphTest) -> _Find:
    """Return the search with its options; refuse those of others."""
    typed = {option: value for option, value in typed_in(search).items() if option != "search" and value is not False}
    if search.colliders is False:
        typed["colliders"] = False
    refuse_options_of_others([*typed, *typed_in(score), *typed_in(test)], "search", name, _TAKEN)
    if name in ("blanket", "blankets"):
        around = BlanketSearch(**{option: value for option, value in typed.items() if option in _OF_SEARCHES})
        options = {**around.keywords(), "test": test.choose("sci")}
        workers = -1 if search.jobs is None else search.jobs
        if name == "blanket":
            return partial(_find_blanket, {**options, "target": search.target}, workers)
        return partial(_find_blankets, options, search.targets, workers)
    of_graphs = {field.name for field in fields(GraphSearch)}
    graphs = GraphSearch(**{option: value for option, value in typed.items() if option in of_graphs})
    return partial(_find_graph, name, graphs, score, test)


def _find_blanket(
    options: Mapping[str, Any],
    workers: int,
    table: Dataset,
    knowledge: Knowledge | None,
    frequencies: FrequencyArguments,
) -> Blanket:
    options = {**options, "knowledge": knowledge}
    return frequencies.added_to(markov_blanket(table, **options), table, "blanket", n_jobs=workers, **options)


def _find_blankets(
    options: Mapping[str, Any],
    targets: list[str] | None,
    workers: int,
    table: Dataset,
    knowledge: Knowledge | None,
    frequencies: FrequencyArguments,
) -> Blankets:
    names = None if targets is None else targets_in(targets, table.names)
    options = {**options, "targets": names, "knowledge": knowledge}
    try:
        found = markov_blankets(table, n_jobs=workers, progress=not is_quiet(), **options)
    except Interrupted as interrupted:
        raise InterruptMessage(*interrupted.parts) from None
    return frequencies.added_to(found, table, "blankets", n_jobs=workers, **options)


def _find_graph(
    name: str,
    search: GraphSearch,
    score: GraphScore,
    test: GraphTest,
    table: Dataset,
    knowledge: Knowledge | None,
    frequencies: FrequencyArguments,
) -> Graph:
    has_workers = frequencies.bootstrap is None and name.startswith("pc")  # else --jobs is for the replicates alone
    find = (search_with if has_workers else search_in_a_worker)(name, search, score, test)
    workers = -1 if search.jobs is None else search.jobs
    again = search_in_a_worker(name, search, score, test)
    return frequencies.added_to(find(table, knowledge), table, again, knowledge=knowledge, n_jobs=workers)


# ---- what was typed


def _command_of(context: typer.Context) -> str:
    """Return the command that was typed, with the long names of its options."""
    return shlex.join(["climbfast", "report", *_arguments_of(context)])


def _arguments_of(context: typer.Context) -> Iterator[str]:
    for parameter in context.command.params:
        name, value = str(parameter.name), context.params.get(str(parameter.name))
        if getattr(context.get_parameter_source(name), "name", "") != "COMMANDLINE":
            continue
        option = max(parameter.opts, key=len)
        if parameter.param_type_name == "argument":
            yield str(value)
        elif isinstance(value, bool):
            yield option if value else parameter.secondary_opts[0]
        else:
            for each in value if isinstance(value, (list, tuple)) else (value,):
                yield from (option, str(each))
