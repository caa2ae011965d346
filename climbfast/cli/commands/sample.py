"""``climbfast sample``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from climbfast.cli.output import say
from climbfast.names import listing
from climbfast.networks.bif import read_bif

__all__ = ["sample"]


def sample(
    network: Annotated[
        Path, typer.Argument(metavar="NETWORK", help="Bayesian network, a BIF file.", show_default=False)
    ],
    *,
    rows: Annotated[int, typer.Option(help="Number of rows.", show_default=False)],
    seed: Annotated[int, typer.Option(help="Random seed; the same seed gives the same rows.", show_default=False)],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="File to write: .csv, .csv.gz, .tsv, .tsv.gz, .parquet, .arrow or .feather.",
            show_default=False,
        ),
    ],
) -> None:
    """Draw independent rows from a Bayesian network and write them to a file."""
    from climbfast.networks.saving import read_as_missing, save_sample

    drawn = read_bif(network)
    save_sample(drawn, rows, seed, out)
    if odd := read_as_missing(drawn, out):
        say(
            f"note: some states of {listing(odd)} look like missing values in a text file; to read them as states, "
            "use --missing-markers ''"
        )
