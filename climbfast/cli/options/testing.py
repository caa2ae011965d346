"""The test of independence, and its options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from climbfast.cli.options.belonging import with_options
from climbfast.cli.options.groups import typed_in
from climbfast.errors import OptionError
from climbfast.independence.tests import TESTS, TestOptions, as_test

__all__ = ["TEST_PANEL", "ChosenTest", "OptionsOfTest"]

TEST_PANEL = "Test"


@dataclass(frozen=True, kw_only=True)
class OptionsOfTest:
    """The options of all tests; whoever inherits them says how the test itself is named."""

    test: str | None
    alpha: Annotated[
        float | None,
        typer.Option(help="g2, x2: level of significance.", show_default="0.01", rich_help_panel=TEST_PANEL),
    ] = None
    df: Annotated[
        str | None,
        typer.Option("--df", help="g2, x2: nominal or adjusted.", show_default="nominal", rich_help_panel=TEST_PANEL),
    ] = None
    min_rows_per_df: Annotated[
        float | None,
        typer.Option(
            help="g2, x2: with fewer rows per degree of freedom a test is skipped.",
            show_default="0",
            rich_help_panel=TEST_PANEL,
        ),
    ] = None
    min_bits: Annotated[
        str | None,
        typer.Option(
            metavar="BITS|auto",
            help="sci: bits that the gain has to exceed; auto, for wide data: log2(columns/0.01) with nothing given.",
            show_default="0",
            rich_help_panel=TEST_PANEL,
        ),
    ] = None
    cutoff: Annotated[
        float | None,
        typer.Option(help="cmi: bits per row to exceed.", show_default="0", rich_help_panel=TEST_PANEL),
    ] = None

    def of(self, name: str) -> TestOptions:
        """Return the test of this name with the options that were typed; refuse those of other tests."""
        kind = type(as_test(name))
        options = typed_in(self)
        options.pop("test", None)
        if self.min_bits is not None:
            options["min_bits"] = _min_bits(self.min_bits)
        return with_options(kind, options, "test", TESTS)


@dataclass(frozen=True, kw_only=True)
class ChosenTest(OptionsOfTest):
    """The test that a command asks with, and its options."""

    test: Annotated[str, typer.Option("--test", help=f"One of {', '.join(TESTS)}.", rich_help_panel=TEST_PANEL)] = "sci"

    def chosen(self) -> TestOptions:
        """Return the test; refuse the options of others."""
        return self.of(self.test)


def _min_bits(text: str) -> float | str:
    try:
        return "auto" if text.lower() == "auto" else float(text)
    except ValueError:
        raise OptionError(f"--min-bits is {text!r}; it is a number from 0 up, or auto") from None
