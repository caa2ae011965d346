"""The command line: argument names to functions, errors to exit codes.

The only door to typer and rich. What was asked for goes to standard output, all else to standard error. Exit
codes: 0; 2 for what cannot be used, in one line; 1 for a fault of ours; 130 and 141, as shells say it, when
interrupted and when nobody reads on.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
import traceback
import warnings
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer

from climbfast._version import __version__
from climbfast.batch.run import Interrupted, markov_blankets
from climbfast.dataset import Dataset, read
from climbfast.dataset.options import listing
from climbfast.errors import ClimbfastError, ClimbfastWarning, GraphError, OptionError
from climbfast.evidence import TESTS, TestOptions, TestResult, as_test
from climbfast.evidence import test as test_independence
from climbfast.found import shown
from climbfast.graphs.colliders import CONFLICTS
from climbfast.graphs.compare import Comparison, Rates, compare
from climbfast.graphs.cpdag import Graph, spelled
from climbfast.graphs.fges import fges
from climbfast.graphs.formats import read_graph
from climbfast.graphs.orient import METHODS as ORIENTATIONS
from climbfast.graphs.orient import orient as orient_graph
from climbfast.graphs.pc import pc
from climbfast.local.blanket import Blanket, NeighborSet
from climbfast.local.find import markov_blanket, neighbors
from climbfast.local.methods import METHODS
from climbfast.local.partition import NODE_BUDGET
from climbfast.local.vicinity import Symmetry
from climbfast.networks.bif import read_bif
from climbfast.networks.examples import EXAMPLE_TARGET, load_example
from climbfast.scores import SCORES, ScoreOptions, as_score

if TYPE_CHECKING:
    from rich.table import Table

    from climbfast.batch.blankets import Blankets
    from climbfast.batch.journal import Status

__all__ = ["main"]

_DEMO_ROWS = 20_000
_DEMO_SEED = 1
_FAULT = 1
_CANNOT_BE_USED = 2
_INTERRUPTED = 130
_NOBODY_READS = 141
# Wide enough for any name: in a pipe nothing is wrapped and nothing cut.
_NO_WIDTH = 10_000_000

app = typer.Typer(
    help="Causal Markov blankets in discrete data.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


# ---- options that several commands share

_SEARCH, _TEST, _SCORE, _READING = "Search", "Test", "Score", "Reading DATA"

Data = Annotated[Path, typer.Argument(metavar="DATA", help="CSV, TSV, Parquet or Arrow file.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
MethodName = Annotated[str, typer.Option(help="The search; `climbfast methods` lists them.", rich_help_panel=_SEARCH)]
Inside = Annotated[
    str | None,
    typer.Option(
        "--neighbors",
        help="The search of parents and children inside climb.",
        show_default="getpcd",
        rich_help_panel=_SEARCH,
    ),
]
Orient = Annotated[
    bool,
    typer.Option("--orient", help="Tell parents from children by another method too.", rich_help_panel=_SEARCH),
]
MinMargin = Annotated[float, typer.Option(help="Bits below which a neighbor is undecided.", rich_help_panel=_SEARCH)]
NodeBudget = Annotated[
    int, typer.Option(help="Effort for the best division into parents and children.", rich_help_panel=_SEARCH)
]
MaxGiven = Annotated[
    str,
    typer.Option(
        metavar="N|none",
        help="Largest conditioning set. Default: 3 for sets of neighbors, none while gs and iamb grow a blanket.",
        show_default=False,
        rich_help_panel=_SEARCH,
    ),
]
RuleOfSymmetry = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        help="Which columns have to find each other: and, or, none; for climb also children. "
        "Default: see `climbfast methods`.",
        show_default=False,
        rich_help_panel=_SEARCH,
    ),
]
TestName = Annotated[str, typer.Option("--test", help=f"One of {', '.join(TESTS)}.", rich_help_panel=_TEST)]
Alpha = Annotated[
    float | None,
    typer.Option(help="g2, x2: level of significance.", show_default="0.01", rich_help_panel=_TEST),
]
DegreesOfFreedom = Annotated[
    str | None,
    typer.Option("--df", help="g2, x2: nominal or adjusted.", show_default="nominal", rich_help_panel=_TEST),
]
MinRowsPerDf = Annotated[
    float | None,
    typer.Option(
        help="g2, x2: with fewer rows per degree of freedom a test is skipped.",
        show_default="0",
        rich_help_panel=_TEST,
    ),
]
MinBits = Annotated[
    str | None,
    typer.Option(
        metavar="BITS|auto",
        help="sci: bits that the gain has to exceed; auto, for wide data: log2(columns/0.01) with nothing given.",
        show_default="0",
        rich_help_panel=_TEST,
    ),
]
Cutoff = Annotated[
    float | None,
    typer.Option(help="cmi: bits per row to exceed.", show_default="0", rich_help_panel=_TEST),
]
Missing = Annotated[
    str,
    typer.Option(help="Missing cells: refuse, drop-rows or level.", rich_help_panel=_READING),
]
MissingMarkers = Annotated[
    list[str] | None,
    typer.Option(
        help="What stands for a missing cell besides the empty one; commas between, or given again. "
        "Default: in text files NA, NaN, null and the like.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
FloatsAsLevels = Annotated[
    bool,
    typer.Option("--treat-floats-as-levels", help="Accept fractional numbers, each a level.", rich_help_panel=_READING),
]
LeaveOut = Annotated[
    list[str] | None,
    typer.Option(help="A column not to read; may be given again.", show_default=False, rich_help_panel=_READING),
]
CellSeparator = Annotated[
    str | None,
    typer.Option(
        "--separator",
        help="Between the cells of a text file. Default: the most frequent of , ; tab | in its first line.",
        show_default=False,
        rich_help_panel=_READING,
    ),
]
NoHeader = Annotated[
    bool,
    typer.Option("--no-header", help="The first line is data: column_1, column_2, ...", rich_help_panel=_READING),
]
Encoding = Annotated[str, typer.Option(help="Of a text file.", rich_help_panel=_READING)]


_GRAPH_FILE = "CSV (source,target,type or parent,child), JSON, GraphML, DOT, or a network as BIF."
_GRAPH_SUFFIXES = (".csv", ".json", ".graphml", ".dot", ".gv")
_GRAPH_SEARCHES = ("pc", "fges")

GraphOut = Annotated[
    Path | None,
    typer.Option(help=f"File to write: {', '.join(_GRAPH_SUFFIXES)}.", show_default=False),
]


# ---- commands


def _show_version(asked: bool) -> None:  # noqa: FBT001  # typer calls it
    if asked:
        _write(f"climbfast {__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
]


@app.callback()
def _before_any_command(*, version: Version = False) -> None:
    pass


@app.command("blanket")
def _blanket(
    data: Data,
    *,
    target: Annotated[str, typer.Option(help="Column to find the blanket of.", show_default=False)],
    method: MethodName = "climb",
    inside: Inside = None,
    orient: Orient = False,
    max_given: MaxGiven = "default",
    symmetry: RuleOfSymmetry = None,
    min_margin: MinMargin = 0.0,
    node_budget: NodeBudget = NODE_BUDGET,
    test: TestName = "sci",
    alpha: Alpha = None,
    df: DegreesOfFreedom = None,
    min_rows_per_df: MinRowsPerDf = None,
    min_bits: MinBits = None,
    cutoff: Cutoff = None,
    missing: Missing = "refuse",
    missing_markers: MissingMarkers = None,
    treat_floats_as_levels: FloatsAsLevels = False,
    leave_out: LeaveOut = None,
    separator: CellSeparator = None,
    no_header: NoHeader = False,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Find the parents, children and spouses of one column."""
    # What costs nothing to check comes before the reading of the file.
    chosen = _test_with(test, alpha=alpha, df=df, min_rows_per_df=min_rows_per_df, min_bits=min_bits, cutoff=cutoff)
    most_given = _max_given(max_given)
    table = _read(
        data,
        missing=missing,
        missing_markers=missing_markers,
        treat_floats_as_levels=treat_floats_as_levels,
        leave_out=leave_out,
        separator=separator,
        no_header=no_header,
        encoding=encoding,
    )
    found = markov_blanket(
        table,
        target,
        method,
        chosen,
        max_given=most_given,
        neighbors=inside,
        symmetry=cast(Symmetry | None, symmetry),  # which it checks
        orient=orient or None,
        min_margin=min_margin,
        node_budget=node_budget,
    )
    _write(found.to_json() if as_json else _page_of_blanket(found))


class _Stopped(Exception):  # noqa: N818  # it is no error
    """Ctrl-C with a word on how to go on; typer would make its own of a KeyboardInterrupt."""


@app.command("blankets")
def _blankets(
    data: Data,
    *,
    out: Annotated[
        Path,
        typer.Option(help="File to write: .jsonl, .parquet or .csv (edges).", show_default=False),
    ],
    targets: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B|@FILE",
            help="Columns to find the blankets of: commas between, or given again; or @FILE, one name a line. A name "
            "with a comma stands in quotes, as in CSV. Default: all.",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Workers; -1 is one for every core.")] = -1,
    journal: Annotated[
        Path | None,
        typer.Option(help="File that keeps what is finished, so that a stopped run can go on.", show_default=False),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a journal that is there already.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Tell nothing of the progress.")] = False,
    method: MethodName = "climb",
    inside: Inside = None,
    orient: Orient = False,
    max_given: MaxGiven = "default",
    symmetry: RuleOfSymmetry = None,
    min_margin: MinMargin = 0.0,
    node_budget: NodeBudget = NODE_BUDGET,
    test: TestName = "sci",
    alpha: Alpha = None,
    df: DegreesOfFreedom = None,
    min_rows_per_df: MinRowsPerDf = None,
    min_bits: MinBits = None,
    cutoff: Cutoff = None,
    missing: Missing = "refuse",
    missing_markers: MissingMarkers = None,
    treat_floats_as_levels: FloatsAsLevels = False,
    leave_out: LeaveOut = None,
    separator: CellSeparator = None,
    no_header: NoHeader = False,
    encoding: Encoding = "utf-8",
) -> None:
    """Find the parents, children and spouses of many columns, in parallel."""
    chosen = _test_with(test, alpha=alpha, df=df, min_rows_per_df=min_rows_per_df, min_bits=min_bits, cutoff=cutoff)
    most_given = _max_given(max_given)
    _check_files(data, out, journal, resume=resume)
    table = _read(
        data,
        missing=missing,
        missing_markers=missing_markers,
        treat_floats_as_levels=treat_floats_as_levels,
        leave_out=leave_out,
        separator=separator,
        no_header=no_header,
        encoding=encoding,
    )
    try:
        found = markov_blankets(
            table,
            None if targets is None else _targets(targets, table.names),
            method,
            chosen,
            n_jobs=jobs,
            journal=journal,
            resume=resume,
            progress=not quiet,
            max_given=most_given,
            neighbors=inside,
            symmetry=cast(Symmetry | None, symmetry),  # which it checks
            orient=orient or None,
            min_margin=min_margin,
            node_budget=node_budget,
        )
    except Interrupted as interrupted:
        raise _Stopped(str(interrupted)) from None
    found.save(out)
    _say(_summary_of_run(found, out))


@app.command("status")
def _status(
    journal: Annotated[Path, typer.Argument(metavar="JOURNAL", help="The journal of a run.", show_default=False)],
    *,
    as_json: AsJson = False,
) -> None:
    """Say how far the run of a journal is: done, left, rate; also while it goes on."""
    from climbfast.batch.journal import journal_status

    status = journal_status(journal)
    _write(json.dumps(status.to_dict()) if as_json else _page_of_status(status))


@app.command("neighbors")
def _neighbors(
    data: Data,
    *,
    target: Annotated[str, typer.Option(help="Column to find the neighbors of.", show_default=False)],
    method: MethodName = "getpc",
    max_given: MaxGiven = "default",
    symmetry: RuleOfSymmetry = None,
    test: TestName = "sci",
    alpha: Alpha = None,
    df: DegreesOfFreedom = None,
    min_rows_per_df: MinRowsPerDf = None,
    min_bits: MinBits = None,
    cutoff: Cutoff = None,
    missing: Missing = "refuse",
    missing_markers: MissingMarkers = None,
    treat_floats_as_levels: FloatsAsLevels = False,
    leave_out: LeaveOut = None,
    separator: CellSeparator = None,
    no_header: NoHeader = False,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Find the parents and children of one column, not told apart."""
    chosen = _test_with(test, alpha=alpha, df=df, min_rows_per_df=min_rows_per_df, min_bits=min_bits, cutoff=cutoff)
    most_given = _max_given(max_given)
    table = _read(
        data,
        missing=missing,
        missing_markers=missing_markers,
        treat_floats_as_levels=treat_floats_as_levels,
        leave_out=leave_out,
        separator=separator,
        no_header=no_header,
        encoding=encoding,
    )
    found = neighbors(table, target, method, chosen, max_given=most_given, symmetry=cast(Symmetry | None, symmetry))
    _write(found.to_json() if as_json else _page_of_neighbors(found))


@app.command("methods")
def _methods(*, as_json: AsJson = False) -> None:
    """List the searches: what each finds, where it comes from, what it costs, when to take it."""
    columns = ("name", "finds", "symmetry", "paper", "cost", "use")
    rows = [{column: getattr(method, column) for column in columns} for method in METHODS.values()]
    if as_json:
        return _write(json.dumps({"methods": rows}))
    table = _table(columns)
    for row in rows:
        table.add_row(*_texts(row.values()))
    return _write(
        f"{_rendered(table)}\n\nCost in tests: m columns, b members of the blanket, c members while the search runs."
    )


@app.command("test")
def _test(
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
    test: TestName = "sci",
    alpha: Alpha = None,
    df: DegreesOfFreedom = None,
    min_rows_per_df: MinRowsPerDf = None,
    min_bits: MinBits = None,
    cutoff: Cutoff = None,
    missing: Missing = "refuse",
    missing_markers: MissingMarkers = None,
    treat_floats_as_levels: FloatsAsLevels = False,
    leave_out: LeaveOut = None,
    separator: CellSeparator = None,
    no_header: NoHeader = False,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Test whether two columns are independent given others, with every figure behind the answer."""
    chosen = _test_with(test, alpha=alpha, df=df, min_rows_per_df=min_rows_per_df, min_bits=min_bits, cutoff=cutoff)
    table = _read(
        data,
        missing=missing,
        missing_markers=missing_markers,
        treat_floats_as_levels=treat_floats_as_levels,
        leave_out=leave_out,
        separator=separator,
        no_header=no_header,
        encoding=encoding,
    )
    result = test_independence(table, x, y, _split_names(given or [], table.names), chosen)
    _write(result.to_json() if as_json else _page_of_test(result))


@app.command("sample")
def _sample(
    network: Annotated[Path, typer.Argument(metavar="NETWORK", help="BIF file.", show_default=False)],
    *,
    rows: Annotated[int, typer.Option(help="How many.", show_default=False)],
    seed: Annotated[int, typer.Option(help="The same seed gives the same rows.", show_default=False)],
    out: Annotated[
        Path,
        typer.Option(
            help="File to write: .csv, .tsv (also with .gz behind it), .parquet, .arrow or .feather.",
            show_default=False,
        ),
    ],
) -> None:
    """Draw independent rows from a network and write them to a file."""
    from climbfast.networks.saving import read_as_missing, save_sample

    drawn = read_bif(network)
    save_sample(drawn, rows, seed, out)
    if odd := read_as_missing(drawn, out):
        _say(
            f"note: states of {listing(odd)} are spelled like missing values; to read them back as states: "
            "--missing-markers ''"
        )


@app.command("graph")
def _graph(
    data: Data,
    *,
    method: Annotated[
        str, typer.Option(help=f"The search: {', '.join(_GRAPH_SEARCHES)}.", rich_help_panel=_SEARCH)
    ] = "pc",
    conflicts: Annotated[
        str | None,
        typer.Option(
            help="pc: how v-structures are found, and which of two that contradict each other holds: "
            f"{', '.join(CONFLICTS)}.",
            show_default="majority",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    orient: Annotated[
        str,
        typer.Option(
            help=f"Direct what the search left undirected: none, {', '.join(ORIENTATIONS)} (see `climbfast orient`).",
            rich_help_panel=_SEARCH,
        ),
    ] = "none",
    max_given: Annotated[
        str | None,
        typer.Option(metavar="N|none", help="pc: largest conditioning set.", show_default="3", rich_help_panel=_SEARCH),
    ] = None,
    max_degree: Annotated[
        int | None,
        typer.Option(help="fges: most edges at a column.", show_default="no limit", rich_help_panel=_SEARCH),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", help="pc: workers; -1 is one for every core.", show_default="1"),
    ] = None,
    out: GraphOut = None,
    score: Annotated[
        str | None,
        typer.Option(help=f"fges: one of {', '.join(SCORES)}.", show_default="bdeu", rich_help_panel=_SCORE),
    ] = None,
    penalty: Annotated[
        float | None, typer.Option(help="bic: factor of the penalty.", show_default="1", rich_help_panel=_SCORE)
    ] = None,
    sample_prior: Annotated[
        float | None,
        typer.Option(help="bdeu: rows that the prior is worth.", show_default="1", rich_help_panel=_SCORE),
    ] = None,
    structure_prior: Annotated[
        float | None,
        typer.Option(help="bdeu: parents expected of a column.", show_default="1", rich_help_panel=_SCORE),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(help=f"pc: one of {', '.join(TESTS)}.", show_default="sci", rich_help_panel=_TEST),
    ] = None,
    alpha: Alpha = None,
    df: DegreesOfFreedom = None,
    min_rows_per_df: MinRowsPerDf = None,
    min_bits: MinBits = None,
    cutoff: Cutoff = None,
    missing: Missing = "refuse",
    missing_markers: MissingMarkers = None,
    treat_floats_as_levels: FloatsAsLevels = False,
    leave_out: LeaveOut = None,
    separator: CellSeparator = None,
    no_header: NoHeader = False,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Find the causal graph of all columns."""
    if method not in _GRAPH_SEARCHES:
        raise OptionError(f"--method is {method!r}; it is one of {', '.join(_GRAPH_SEARCHES)}")
    if orient not in ("none", *ORIENTATIONS):
        raise OptionError(f"--orient is {orient!r}; it is one of none, {', '.join(ORIENTATIONS)}")
    _check_graph_file(out)
    of_test = {"alpha": alpha, "df": df, "min_rows_per_df": min_rows_per_df, "min_bits": min_bits, "cutoff": cutoff}
    of_score = {"penalty": penalty, "sample_prior": sample_prior, "structure_prior": structure_prior}
    of_pc = {"conflicts": conflicts, "max_given": max_given, "jobs": jobs, "test": test, **of_test}
    of_fges = {"max_degree": max_degree, "score": score, **of_score}
    _refuse_options(method, of_fges if method == "pc" else of_pc)
    chosen: Any = _test_with(test or "sci", **of_test) if method == "pc" else _score_with(score or "bdeu", **of_score)
    most_given = _max_given(max_given or "3")
    table = _read(
        data,
        missing=missing,
        missing_markers=missing_markers,
        treat_floats_as_levels=treat_floats_as_levels,
        leave_out=leave_out,
        separator=separator,
        no_header=no_header,
        encoding=encoding,
    )
    if method == "fges":
        found = fges(table, chosen, max_degree=max_degree)
    else:
        limit = cast("int | None", most_given)
        found = pc(
            table, chosen, conflicts=conflicts or "majority", max_given=limit, n_jobs=1 if jobs is None else jobs
        )
    if orient != "none":
        found = orient_graph(found, table, cast(Any, orient))
    _give_graph(found, out, as_json=as_json)


@app.command("orient")
def _orient(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help=_GRAPH_FILE, show_default=False)],
    data: Data,
    *,
    method: Annotated[
        str,
        typer.Option(
            help="climb: one edge after another, the most decisive first; global: the directions that are best "
            "together."
        ),
    ] = "climb",
    edges: Annotated[
        str | None,
        typer.Option(help="Which are open: undirected or all.", show_default="undirected for climb, all for global"),
    ] = None,
    restarts: Annotated[
        int | None, typer.Option(help="global: random directions to start from.", show_default="5")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="global: of what is random.", show_default="0")] = None,
    out: GraphOut = None,
    missing: Missing = "refuse",
    missing_markers: MissingMarkers = None,
    treat_floats_as_levels: FloatsAsLevels = False,
    leave_out: LeaveOut = None,
    separator: CellSeparator = None,
    no_header: NoHeader = False,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Direct the edges of a graph by the stochastic complexity of the data."""
    _check_graph_file(out)
    read_in = _read_graph(graph)
    table = _read(
        data,
        missing=missing,
        missing_markers=missing_markers,
        treat_floats_as_levels=treat_floats_as_levels,
        leave_out=leave_out,
        separator=separator,
        no_header=no_header,
        encoding=encoding,
    )
    found = orient_graph(
        read_in, table, cast(Any, method), edges=cast(Any, edges), restarts=restarts, seed=seed
    )  # which checks them
    _give_graph(found, out, as_json=as_json)


def _check_graph_file(out: Path | None) -> None:
    """Refuse a file that could not be written, before the work that is to go there."""
    if out is None:
        return
    if out.suffix.lower() not in _GRAPH_SUFFIXES:
        raise OptionError(f"{out}: unknown suffix; known are {', '.join(_GRAPH_SUFFIXES)}")
    if out.is_dir() or not out.parent.is_dir() or not os.access(out.parent, os.W_OK):
        reason = "it is a directory" if out.is_dir() else f"the folder {out.parent} does not exist, or takes no file"
        raise OptionError(f"{out} cannot be written: {reason}")


def _give_graph(found: Graph, out: Path | None, *, as_json: bool) -> None:
    """Write a graph to its file, and to standard output where it is asked for or there is no file."""
    if out is not None:
        found.save(out)
        _say(f"{_kind_of_graph(found)}; written to {out}")
    if as_json:
        _write(found.to_json())
    elif out is None:
        _write(_page_of_graph(found))


@app.command("compare")
def _compare(
    truth: Annotated[Path, typer.Argument(metavar="TRUTH", help=_GRAPH_FILE, show_default=False)],
    found: Annotated[Path, typer.Argument(metavar="FOUND", help="The same.", show_default=False)],
    *,
    as_json: AsJson = False,
) -> None:
    """Compare a graph with the true one: distances, precision and recall, and every edge that differs."""
    graphs = _read_graph(found), _read_graph(truth)
    try:
        comparison = compare(*graphs)
    except GraphError as error:
        raise GraphError(f"{truth} and {found}: {error}") from None
    _write(comparison.to_json() if as_json else _page_of_comparison(comparison, *graphs))


@app.command("warm")
def _warm() -> None:
    """Compile the kernels ahead, for columns of up to 256 levels, so that no later command has to."""
    from climbfast.warm import kept_in, warm_up

    warmed = warm_up()
    _say(f"kernels: {'compiled' if warmed.compiled else 'nothing to compile'}, {warmed.seconds:.1f} s")
    if directory := kept_in():
        _say(f"kept in {directory}")


@app.command("demo")
def _demo(*, as_json: AsJson = False) -> None:
    """Find a blanket in 20,000 rows of the built-in example, and compare it with the truth."""
    network = load_example()
    truth = network.blanket(EXAMPLE_TARGET)
    found = markov_blanket(network.sample(_DEMO_ROWS, _DEMO_SEED), EXAMPLE_TARGET)
    if not as_json:
        _write(_page_of_demo(found, truth))
        return
    sides = {"parents": truth.parents, "children": truth.children, "spouses": truth.spouses}
    agrees = _roles(found) == _roles(truth)
    _write(json.dumps({"network": network.name, "found": found.to_dict(), "truth": sides, "agrees": agrees}))


# ---- what was typed, as what the functions take


def _read(path: Path, *, no_header: bool, missing_markers: list[str] | None, **options: Any) -> Dataset:
    markers = None if missing_markers is None else [m for text in missing_markers for m in text.split(",")]
    options["leave_out"] = options["leave_out"] or ()
    return read(path, header=not no_header, missing_markers=markers, **options)


def _read_graph(path: Path) -> Graph:
    if path.name.lower().endswith((".bif", ".bif.gz")):
        return Graph.from_networkx(read_bif(path).to_networkx())
    return read_graph(path)


def _test_with(name: str, **options: Any) -> TestOptions:
    """Return the test with the options that were typed; refuse those of other tests instead of ignoring them."""
    kind = type(as_test(name))
    typed = {option: value for option, value in options.items() if value is not None}
    if "min_bits" in typed:
        typed["min_bits"] = _min_bits(typed["min_bits"])
    for option in typed:
        if option not in _options_of(kind):
            takers = " and ".join(other for other, its in TESTS.items() if option in _options_of(its))
            raise OptionError(f"{_dashed(option)} is no option of the test {kind.name}, but of {takers}")
    return kind(**typed)


def _score_with(name: str, **options: Any) -> ScoreOptions:
    """Return the score with the options that were typed; refuse those of other scores."""
    kind = type(as_score(name))
    typed = {option: value for option, value in options.items() if value is not None}
    for option in typed:
        if option not in _options_of(kind):
            takers = " and ".join(other for other, its in SCORES.items() if option in _options_of(its))
            raise OptionError(f"{_dashed(option)} is no option of the score {kind.name}, but of {takers}")
    return kind(**typed)


def _refuse_options(method: str, options: dict[str, Any]) -> None:
    """Refuse the options of another search that were typed, instead of ignoring them."""
    if typed := next((option for option, value in options.items() if value is not None), None):
        raise OptionError(f"{_dashed(typed)} is no option of the method {method}")


def _options_of(kind: type[Any]) -> set[str]:
    return {field.name for field in fields(kind)}


def _min_bits(text: str) -> float | str:
    try:
        return "auto" if text.lower() == "auto" else float(text)
    except ValueError:
        raise OptionError(f"--min-bits is {text!r}; it is a number from 0 up, or auto") from None


def _max_given(text: str) -> int | str | None:
    if text == "default":
        return text
    if text.lower() == "none":
        return None
    if not (text.isascii() and text.isdigit()):
        raise OptionError(f"--max-given is {text!r}; it is a whole number from 0 up, or none for no limit")
    return int(text)


def _split_names(texts: Sequence[str], names: Iterable[Hashable]) -> list[str]:
    """Split at commas what is not itself a name; quotes are those of CSV."""
    known = set(names)
    found: list[str] = []
    for text in texts:
        cells = csv.reader(io.StringIO(text, newline=""))
        parts = [text] if text in known else [cell for line in cells for cell in line] or [text]
        found += [part if part in known else part.strip() for part in parts]
    return found


def _targets(texts: Sequence[str], names: Sequence[Hashable]) -> list[str]:
    """Return the names that were typed, and those in the files that were."""
    found: list[str] = []
    for text in texts:
        if text.startswith("@") and text not in names:
            found += _names_in(Path(text[1:]), names)
        else:
            found += _split_names([text], names)
    return found


def _names_in(file: Path, names: Iterable[Hashable]) -> list[str]:
    """Return the names in a file, one a line; a comma needs no quotes there."""
    known = set(names)
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            found = [",".join(cells) for cells in csv.reader(lines) if cells]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"--targets @{file} cannot be read, one name a line in UTF-8: {reason}") from None
    return [name if name in known else name.strip() for name in found]


def _check_files(data: Path, out: Path, journal: Path | None, *, resume: bool) -> None:
    """Refuse what would lose its result at the end of an hour's work, or take the place of another file."""
    from climbfast.batch.saving import check_target

    if resume and journal is None:
        raise OptionError("--resume goes on with a journal; name it by --journal FILE")
    check_target(out)
    for other, what in ((data, "DATA"), (journal, "--journal")):
        if other is not None and out.resolve() == other.resolve():
            raise OptionError(f"{out}: the same file as {what}; name another one for --out")


# ---- pages for people


def _page_of_blanket(found: Blanket) -> str:
    roles = _roles(found)
    if not roles:
        return f"The blanket of {shown(found.target)} is empty: nothing in the data tells about it.\n{_summary(found)}"
    table = _table(["member", "role", ">margin bits", "via"])
    for name, role in roles.items():
        table.add_row(*_row_of_member(found, name, role))
    return f"{_rendered(table)}\n{_summary(found)}"


def _summary_of_run(found: Blankets, out: Path) -> str:
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


def _page_of_status(status: Status) -> str:
    table = _table(["pass", ">done", ">of", ">left", ">seconds"])
    for each in status.passes:
        table.add_row(
            *_texts([each.name, f"{each.done:,}", f"{each.units:,}", f"{each.left:,}", f"{each.seconds:,.1f}"])
        )
    options = status.run["options"]
    heading = f"{options['method']} by {options['test']['name']}, climbfast {status.run['version']}"
    return f"{heading}\n\n{_rendered(table)}\n{_outlook(status)}"


def _outlook(status: Status) -> str:
    if status.complete:
        return "Complete."
    if status.running is None or status.idle is None:
        return "Nothing is finished yet."
    ago = f"the last unit was finished {status.idle:,.0f} s ago"
    if status.seconds_left is None:
        return f"In the pass {status.running.name}; {ago}."
    speed = f"{status.rate:,.1f} units/s, {status.seconds_left:,.0f} s left of it"
    return f"In the pass {status.running.name}: {speed}; {ago}."


def _page_of_demo(found: Blanket, truth: Blanket) -> str:
    roles, true_roles = _roles(found), _roles(truth)
    table = _table(["member", "role", "in truth", ">margin bits", "via"])
    for name in dict.fromkeys([*roles, *true_roles]):
        member, role, *figures = _row_of_member(found, name, roles.get(name, "none"))
        table.add_row(member, role, true_roles.get(name, "none"), *figures)
    wrong = [name for name in {**roles, **true_roles} if roles.get(name) != true_roles.get(name)]
    verdict = f"differs from it in {_listing(wrong)}" if wrong else "agrees with it in every member and role"
    return (
        f"The blanket of {shown(found.target)} in a sample of the built-in example network\n\n"
        f"{_rendered(table)}\n{_summary(found)}\n"
        f"The network itself is the truth: what was found {verdict}."
    )


def _page_of_test(result: TestResult) -> str:
    given = f" given {_listing(result.given)}" if result.given else ""
    verdict = "independent" if result.independent else "dependent"
    skipped = " (skipped for want of rows)" if result.skipped else ""
    table = _table(["figure", ">value"])
    for key, value in result.to_dict().items():
        if key not in ("test", "x", "y", "given", "independent", "skipped"):
            table.add_row(*_texts([key, _figure(value)]))
    heading = f"{shown(result.x)} and {shown(result.y)}{given}: {verdict} by {result.test}{skipped}"
    return f"{heading}\n\n{_rendered(table)}"


def _page_of_graph(found: Graph) -> str:
    table = _table(["edge", ">strength", ">margin bits"])
    for edge in (*found.directed, *found.undirected):
        figures = (f"{by[edge]:,.1f}" if edge in by else "" for by in (found.strengths, found.margins))
        table.add_row(*_texts([_edge_of(found, *edge), *figures]))
    alone = [name for name in found.names if not found.neighbors_of(name)]
    lonely = f"\nWithout edges: {_listing(alone)}" if alone else ""
    return f"{_kind_of_graph(found)}\n\n{_rendered(table).rstrip()}{lonely}\n\n{_cost_of_graph(found)}"


def _kind_of_graph(found: Graph) -> str:
    return str(found).split("\n", 1)[0]


def _cost_of_graph(found: Graph) -> str:
    tests = f"{found.tests:,} tests by {found.test_or_score} for " if found.tests else ""
    skipped = f", {found.skipped:,} skipped for want of rows" if found.skipped else ""
    return f"{found.rows:,} rows, {found.columns:,} columns, {tests}{found.method}{skipped}, {found.seconds:.3f} s"


def _page_of_comparison(comparison: Comparison, found: Graph, truth: Graph) -> str:
    figures = _table(["distance", ">value"])
    for name, value in _distances(comparison):
        figures.add_row(*_texts([name, value]))
    rates = _table(["edges", ">right", ">found", ">in truth", ">precision", ">recall", ">F1"])
    for name, rate in (
        ("joined at all", comparison.skeleton),
        ("directed", comparison.arrows),
        ("directed, undirected found as wrong", comparison.arrows_paper),
    ):
        rates.add_row(*_texts([name, *_cells_of_rates(rate)]))
    heading = f"{comparison.nodes:,} nodes, {len(truth.skeleton):,} edges in truth, {len(found.skeleton):,} found"
    return f"{heading}\n\n{_rendered(figures)}\n{_rendered(rates)}\n{_differences(comparison, found, truth)}"


def _distances(comparison: Comparison) -> Iterable[tuple[str, str]]:
    yield "SHD", f"{comparison.shd:,}"
    yield "SHD without direction", f"{comparison.shd_skeleton:,}"
    if comparison.sid_lower is None or comparison.sid_upper is None:
        yield "SID", "none: it takes a true DAG, and a graph with an extension to one"
    elif comparison.sid is not None:
        yield "SID", f"{comparison.sid:,}"
    else:
        bounds = "" if comparison.sid_exact else " (bounds, node by node)"
        yield "SID of the best and worst DAG", f"{comparison.sid_lower:,} to {comparison.sid_upper:,}{bounds}"


def _cells_of_rates(rates: Rates) -> list[str]:
    counts = [f"{count:,}" for count in (rates.right, rates.found, rates.true)]
    return [*counts, *(f"{share:.3f}" for share in (rates.precision, rates.recall, rates.f1))]


def _differences(comparison: Comparison, found: Graph, truth: Graph) -> str:
    if not comparison.shd:
        return "No edge differs."
    table = _table(["difference", "in truth", "found"])
    kinds = ("missing", "extra", "reversed", "undecided", "overdecided")
    for kind in kinds:
        for x, y in getattr(comparison, kind):
            table.add_row(*_texts([kind, _edge_of(truth, x, y), _edge_of(found, x, y)]))
    return _rendered(table).rstrip()


def _edge_of(graph: Graph, x: Hashable, y: Hashable) -> str:
    """Show how two nodes are joined."""
    if y not in graph.neighbors_of(x):
        return "apart"
    if x in graph.children_of(y):
        x, y = y, x
    return f"{spelled(x)} {'->' if y in graph.children_of(x) else '--'} {spelled(y)}"


def _page_of_neighbors(found: NeighborSet) -> str:
    table = _table(["neighbor", ">strength"])
    for name in found.members:
        table.add_row(*_texts([shown(name), f"{found.strengths[name]:,.1f}"]))
    heading = f"Neighbors of {shown(found.target)} by {found.method}"
    return f"{heading}\n\n{_rendered(table).rstrip()}\n\n{_summary(found)}"


def _roles(found: Blanket) -> dict[Hashable, str]:
    sides = {
        "parent": found.parents,
        "child": found.children,
        "neighbor" if not found.margins else "undecided": found.undecided,
        "spouse": found.spouses,
    }
    return {name: role for role, names in sides.items() for name in names}


def _row_of_member(found: Blanket, name: Hashable, role: str) -> list[Any]:
    margin = f"{found.margins[name]:,.1f}" if name in found.margins else ""
    return _texts([shown(name), role, margin, _listing(found.common_children.get(name, ()))])


def _summary(found: Blanket | NeighborSet) -> str:
    skipped = f", {found.skipped:,} skipped for want of rows" if found.skipped else ""
    line = (
        f"{found.rows:,} rows, {found.columns:,} columns, {found.tests:,} tests by {found.test} for {found.method}"
        f"{skipped}, "
        f"{found.seconds:.3f} s"
    )
    if isinstance(found, NeighborSet) or found.exact:
        return line
    return (
        f"{line}\nNot proved: another division into parents and children may be up to {found.gap:,.1f} bits "
        "better; a larger --node-budget searches longer."
    )


def _figure(value: float | int) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.3f}" if 0.01 <= abs(value) < 1e12 else f"{value:.4g}"


def _listing(names: Iterable[Hashable]) -> str:
    """Return the names with commas between; those with a comma inside stand in quotes."""
    return ", ".join(repr(name) if "," in str(name) else shown(name) for name in names)


def _texts(cells: Iterable[str]) -> list[Any]:
    """Return the cells as they are: a str in a table would be read as markup."""
    from rich.text import Text

    return [Text(cell) for cell in cells]


def _table(columns: Iterable[str]) -> Table:
    """Return an empty table; columns marked by > stand to the right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        justify: Any = "right" if column.startswith(">") else "left"
        table.add_column(column.lstrip(">"), justify=justify, overflow="fold")
    return table


def _rendered(table: Table) -> str:
    from rich.console import Console

    width = None if sys.stdout.isatty() else _NO_WIDTH
    console = Console(file=sys.stdout, width=width)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"


# ---- the two streams


def _write(text: str) -> None:
    """Write to standard output at once, so that a closed pipe or a full disk shows here and not at the end."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        raise typer.Exit(_NOBODY_READS) from None


def _discard_output() -> None:
    """Keep the interpreter from trying again, and complaining, when it ends."""
    sys.stdout = _nowhere()


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _say(message: str) -> None:
    """Write one line to standard error."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
    try:
        print(text, file=sys.stderr, flush=True)
    except BrokenPipeError:
        sys.stderr = _nowhere()


def _as_typed(message: str) -> str:
    """Name the options in a message as they are typed here, not as Python spells them."""
    # Not after a quote: there it is a column of the user's.
    message = re.sub(r"(?<!['\w])(missing|encoding|separator)='([\w-]+)'", r"--\1 \2", message)
    message = re.sub(r"(?<!['\w])separator='", "--separator '", message)
    message = re.sub(r"(?<!['\w])treat_floats_as_levels=True", "--treat-floats-as-levels", message)
    message = re.sub(r"(?<!['\w])leave_out=\[\.\.\.\]", "--leave-out NAME", message)
    message = re.sub(r"(?<!['\w])missing_markers(?!\w)", "--missing-markers", message)
    message = re.sub(r"(?<!['\w])resume=True", "--resume", message)
    message = re.sub(r"(?<!['\w])journal=\.\.\.", "--journal FILE", message)
    return re.sub(r"^([a-z]+(?:_[a-z]+)*)(?= is )", lambda found: _dashed(found[0]), message)


def _dashed(option: str) -> str:
    return "--jobs" if option == "n_jobs" else f"--{option.replace('_', '-')}"


def _ready_streams() -> None:
    """Make sure that both streams exist and take every character."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by who started us
            setattr(sys, name, _nowhere())
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


# ---- running


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        What was typed behind the name of the program; by default that of this process.

    Returns
    -------
    int
        The exit code: 0; 2 for input that cannot be used; 1 for a fault of climbfast; 130 when interrupted; 141
        when standard output is a pipe that nobody reads.
    """
    typed = list(sys.argv[1:] if arguments is None else arguments)
    _ready_streams()
    with warnings.catch_warnings(record=True) as heard:
        if not sys.warnoptions:  # who passes -W decides
            warnings.simplefilter("always", ClimbfastWarning)
        code = _outcome(typed or ["--help"])
    # Input that cannot be used is answered in one line: what else is odd about it can wait.
    if code not in (_CANNOT_BE_USED, _NOBODY_READS):
        for warning in heard:
            _say(f"warning: {_as_typed(str(warning.message))}")
    return code


def _outcome(arguments: list[str]) -> int:
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return _interrupted()
    except _Stopped as stopped:
        return _interrupted(_as_typed(str(stopped)))
    except Exception as error:
        return _refuse(error)


def _run(arguments: list[str]) -> int:
    try:
        # Not app(): that would replace the hook for exceptions of the whole process.
        code = typer.main.get_command(app).main(arguments, prog_name="climbfast", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # what typer and rich make of a pipe that nobody reads
        _discard_output()
        return _NOBODY_READS
    except typer.Abort:
        return _interrupted()
    return _interrupted() if code == _INTERRUPTED else int(code or 0)


def _interrupted(how: str = "") -> int:
    _say(f"climbfast: {how or 'interrupted'}")
    return _INTERRUPTED


def _refuse(error: Exception) -> int:
    """Say in one line what is wrong; return the exit code."""
    if _wants_traceback():
        traceback.print_exception(error)
    if (reason := _reason(error)) is not None:
        _say(f"climbfast: {reason}")
        return _CANNOT_BE_USED
    hint = "" if _wants_traceback() else "; CLIMBFAST_TRACEBACK=1 in the environment shows where"
    _say(f"climbfast: a fault of climbfast itself, please report it: {type(error).__name__}: {error}{hint}")
    return _FAULT


def _reason(error: Exception) -> str | None:
    """Why what was asked for cannot be done; None when the fault is ours."""
    if isinstance(error, _USAGE_ERROR):
        return _usage(error)
    if isinstance(error, ClimbfastError):
        return _as_typed(str(error))
    if isinstance(error, MemoryError):
        return f"not enough memory: {error or 'no more can be had'}"
    if isinstance(error, OSError):  # such as a full disk behind standard output
        _discard_output()
        return f"{error.filename or 'standard output'}: {error.strerror or error}"
    return None


# The class of click, which some versions of typer depend on and others have a copy of.
_USAGE_ERROR = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def _usage(error: Any) -> str:
    message = error.format_message().rstrip(".").replace(". Did you mean ", "; did you mean ")
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "climbfast"
    see = " See" if message.endswith("?") else "; see"
    return f"{message[:1].lower()}{message[1:]}{see} {command} --help"


def _wants_traceback() -> bool:
    return os.environ.get("CLIMBFAST_TRACEBACK", "0") not in ("", "0")
