"""The test of independence, and its options."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated

import typer

from climbfast.cli.options.groups import refuse_options_of_others, typed_in
from climbfast.errors import Legal, Option, OptionError
from climbfast.independence.tests import TESTS, TestOptions, as_test

__all__ = ["TEST_PANEL", "TestArguments", "TestChoice"]

TEST_PANEL = "Test"


@dataclass(frozen=True, kw_only=True)
class TestArguments:
    """The options of all tests; a class that inherits them says how the test itself is chosen."""

    test: str | None
    alpha: Annotated[
        float | None,
        typer.Option(help="g2, x2: significance level.", show_default="0.01", rich_help_panel=TEST_PANEL),
    ] = None
    df: Annotated[
        str | None,
        typer.Option(
            "--df",
            metavar="RULE",
            help="g2, x2: degrees of freedom, adjusted (of the levels that occur in each stratum) or nominal (of all "
            "levels, as in bnlearn and pcalg).",
            show_default="adjusted",
            rich_help_panel=TEST_PANEL,
        ),
    ] = None
    min_rows_per_df: Annotated[
        float | None,
        typer.Option(
            help="g2, x2: a test with fewer rows per degree of freedom is skipped, and counts as independent.",
            show_default="0",
            rich_help_panel=TEST_PANEL,
        ),
    ] = None
    min_bits: Annotated[
        str | None,
        typer.Option(
            metavar="BITS|auto",
            help="sci: bits that SCI has to exceed. auto is for data of many columns: log2(columns/0.01) for "
            "unconditional tests, 0 for tests given other columns.",
            show_default="0",
            rich_help_panel=TEST_PANEL,
        ),
    ] = None
    cutoff: Annotated[
        float | None,
        typer.Option(
            help="cmi: bits per row that the information has to exceed.", show_default="0", rich_help_panel=TEST_PANEL
        ),
    ] = None

    def of(self, name: str) -> TestOptions:
        """Return the test of this name with the options that were typed; refuse those of other tests."""
        kind = type(as_test(name))
        typed = typed_in(self)
        typed.pop("test", None)
        refuse_options_of_others(typed, "test", kind.name, _TAKEN)
        if self.min_bits is not None:
            typed["min_bits"] = _min_bits(self.min_bits)
        return kind(**typed)


_TAKEN = {name: {field.name for field in fields(test)} for name, test in TESTS.items()}


@dataclass(frozen=True, kw_only=True)
class TestChoice(TestArguments):
    """The test of a command, and its options."""

    test: Annotated[
        str, typer.Option("--test", metavar="|".join(TESTS), help="Test of independence.", rich_help_panel=TEST_PANEL)
    ] = "sci"

    def choose(self) -> TestOptions:
        """Return the test; refuse the options of others."""
        return self.of(self.test)


def _min_bits(text: str) -> float | str:
    try:
        return "auto" if text.lower() == "auto" else float(text)
    except ValueError:
        raise OptionError(Option("min_bits"), f" is {text!r}; it is ", Legal("a number from 0 up, or auto")) from None
