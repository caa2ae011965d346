"""The commands, in the order of the help: one module for each, with the page that it alone shows."""

from __future__ import annotations

from typing import Annotated

import typer

from climbfast._version import __version__
from climbfast.cli.commands import (
    blanket,
    blankets,
    bootstrap,
    compare,
    convert,
    demo,
    fit,
    graph,
    inspect,
    methods,
    neighbors,
    orient,
    plot,
    report,
    sample,
    status,
    test,
    warm,
)
from climbfast.cli.output import write

__all__ = ["app"]

app = typer.Typer(
    help="Causal Markov blankets and causal graphs from discrete data.",
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


# The modules stay attributes of the package, so that each can be imported under the name of its command.
app.command("inspect")(inspect.inspect)
app.command("blanket")(blanket.blanket)
app.command("blankets")(blankets.blankets)
app.command("status")(status.status)
app.command("neighbors")(neighbors.neighbors)
app.command("methods")(methods.methods)
app.command("test")(test.test)
app.command("sample")(sample.sample)
app.command("graph")(graph.graph)
app.command("orient")(orient.orient)
app.command("fit")(fit.fit)
app.command("bootstrap")(bootstrap.bootstrap)
app.command("report")(report.report)
app.command("plot")(plot.plot)
app.command("compare")(compare.compare)
app.command("convert")(convert.convert)
app.command("warm")(warm.warm)
app.command("demo")(demo.demo)
