"""``climbfast fit``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from climbfast.atomic_write import check_writable
from climbfast.cli.graph_files import GRAPH_ARGUMENT, GraphFormat, read_graph_file
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.reading import Data, ReadingArguments, files_of
from climbfast.cli.output import is_standard_output, refuse_the_same_file, say, write_bytes
from climbfast.errors import OptionError

__all__ = ["fit"]

_SUFFIXES = (".bif", ".bif.gz")


@with_groups
def fit(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help=f"The graph: {GRAPH_ARGUMENT}", show_default=False)],
    data: Data,
    *,
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help=f"File to write: {' or '.join(_SUFFIXES)}; - is standard output.",
            show_default=False,
        ),
    ],
    prior: Annotated[
        float,
        typer.Option(
            help="Equivalent sample size: as many rows, divided equally among the cells of every table, are added to "
            "those of the data. 0 is maximum likelihood."
        ),
    ] = 1,
    plain_names: Annotated[
        bool,
        typer.Option(
            "--plain-names",
            help="Write names and states as words of ASCII letters and digits, which every program reads; climbfast "
            "reads them as they were.",
        ),
    ] = False,
    graph_format: GraphFormat = None,
    reading: ReadingArguments,
) -> None:
    """Estimate the tables of a graph from data, and write the Bayesian network as a BIF file."""
    from climbfast.networks.bif import bif_content, write_bif
    from climbfast.networks.bif_names import takes_plain_names

    if str(graph) == str(data) == "-":
        raise OptionError("GRAPH and DATA cannot both be standard input; name a file for one of them")
    _check_out(out, graph, data)
    network = read_graph_file(graph, graph_format).fit(reading.read(data), prior)
    if is_standard_output(out):
        write_bytes(bif_content(network, plain_names=plain_names))
    else:
        write_bif(network, out, plain_names=plain_names)
        say(f"network of {len(network.nodes):,} nodes and {len(network.arcs):,} arcs; written to {out}")
    if not plain_names and not takes_plain_names(network):
        say("note: not every program reads all of these names and states; --plain-names writes them as words")


def _check_out(out: Path, graph: Path, data: Path) -> None:
    """Check before the work that the network can be written, and that it replaces none of the inputs."""
    if is_standard_output(out):
        return
    if not out.name.lower().endswith(_SUFFIXES):
        raise OptionError(f"{out}: unknown suffix; known are {', '.join(_SUFFIXES)}")
    refuse_the_same_file(out, {"GRAPH": graph, "DATA": files_of(data)})
    try:
        check_writable(out)
    except OSError as error:
        raise OptionError(f"{out} cannot be written: {error.strerror or error}") from None
