"""``climbfast sample``."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from climbfast.cli.output import format_of_output, is_standard_output, say, write_bytes
from climbfast.cli.standard_input import standard_input
from climbfast.names import listing
from climbfast.networks.bif import read_bif

__all__ = ["sample"]


def sample(
    network: Annotated[
        Path,
        typer.Argument(
            metavar="NETWORK",
            help="Bayesian network, a file in BIF, or with the extra formats in net, dsl, xdsl, bifxml or uai; - is "
            "BIF on standard input.",
            show_default=False,
        ),
    ],
    *,
    rows: Annotated[int, typer.Option(help="Number of rows.", show_default=False)],
    seed: Annotated[int, typer.Option(help="Random seed; the same seed gives the same rows.", show_default=False)],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="File to write: .csv, .csv.gz, .tsv, .tsv.gz, .parquet, .arrow or .feather; - is standard output.",
            show_default=False,
        ),
    ],
    out_format: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Format for --out -: csv, tsv, csv.gz, tsv.gz, parquet, arrow or feather.",
            show_default="csv",
        ),
    ] = None,
) -> None:
    """Draw independent rows from a Bayesian network and write them to a file."""
    from climbfast.networks.files import FORMATS as OF_OTHERS
    from climbfast.networks.files import read_network
    from climbfast.networks.saving import FORMATS, format_of_sample, read_as_missing, sample_content, save_sample

    form = format_of_output(out, out_format, FORMATS)
    with standard_input() if str(network) == "-" else nullcontext(network) as path:
        drawn = read_network(path) if path.suffix.lower() in OF_OTHERS else read_bif(path)
    if is_standard_output(out):
        write_bytes(sample_content(drawn, rows, seed, form))
    else:
        save_sample(drawn, rows, seed, out)
        form = format_of_sample(out)
    if odd := read_as_missing(drawn, form):
        say(
            f"note: some states of {listing(odd)} look like missing values in a text file; to read them as states, "
            "use --missing-markers ''"
        )
