"""The commands, in the order of the help."""

from __future__ import annotations

from typing import Annotated

import typer

from climbfast._version import __version__
from climbfast.cli.commands.blanket import blanket
from climbfast.cli.commands.blankets import blankets
from climbfast.cli.commands.compare import compare
from climbfast.cli.commands.demo import demo
from climbfast.cli.commands.graph import graph
from climbfast.cli.commands.methods import methods
from climbfast.cli.commands.neighbors import neighbors
from climbfast.cli.commands.orient import orient
from climbfast.cli.commands.sample import sample
from climbfast.cli.commands.status import status
from climbfast.cli.commands.test import test
from climbfast.cli.commands.warm import warm
from climbfast.cli.streams import write

__all__ = ["app"]

app = typer.Typer(
    help="Causal Markov blankets in discrete data.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(asked: bool) -> None:  # noqa: FBT001  # typer calls it
    if asked:
        write(f"climbfast {__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
]


@app.callback()
def _before_any_command(*, version: Version = False) -> None:
    pass


app.command("blanket")(blanket)
app.command("blankets")(blankets)
app.command("status")(status)
app.command("neighbors")(neighbors)
app.command("methods")(methods)
app.command("test")(test)
app.command("sample")(sample)
app.command("graph")(graph)
app.command("orient")(orient)
app.command("compare")(compare)
app.command("warm")(warm)
app.command("demo")(demo)
