"""The options of the searches of graphs, in the order of the help; one that was not typed is None.

Which of them a search takes, and what it makes of None, is said in `climbfast.cli.graphs.methods`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from climbfast.cli.options.belonging import with_options
from climbfast.cli.options.groups import typed_in
from climbfast.cli.options.searching import SEARCH_PANEL
from climbfast.cli.options.testing import TEST_PANEL, OptionsOfTest
from climbfast.graphs.orient import METHODS as ORIENTATIONS
from climbfast.graphs.pc_orientation import CONFLICTS
from climbfast.independence.tests import TESTS, TestOptions
from climbfast.scores import SCORES, ScoreOptions, as_score

__all__ = ["GraphScore", "GraphSearch", "GraphTest"]

_SCORE_PANEL = "Score"


@dataclass(frozen=True, kw_only=True)
class GraphSearch:
    """Options of a search itself; ``orient`` is that of every search."""

    conflicts: Annotated[
        str | None,
        typer.Option(
            help="pc: how v-structures are found, and which of two that contradict each other holds: "
            f"{', '.join(CONFLICTS)}.",
            show_default="majority",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    orient: Annotated[
        str,
        typer.Option(
            help=f"Direct what the search left undirected: none, {', '.join(ORIENTATIONS)} (see `climbfast orient`).",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = "none"
    max_given: Annotated[
        str | None,
        typer.Option(
            metavar="N|none", help="pc: largest conditioning set.", show_default="3", rich_help_panel=SEARCH_PANEL
        ),
    ] = None
    max_degree: Annotated[
        int | None,
        typer.Option(help="fges: most edges at a column.", show_default="no limit", rich_help_panel=SEARCH_PANEL),
    ] = None
    perturbations: Annotated[
        int | None,
        typer.Option(
            help="best: how often the best graph so far is perturbed and climbed from again.",
            show_default="4 for every column",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(help="best: random seed of the perturbations.", show_default="0", rich_help_panel=SEARCH_PANEL),
    ] = None
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", help="pc: workers; -1 is one for every core.", show_default="1"),
    ] = None


@dataclass(frozen=True, kw_only=True)
class GraphScore:
    """The score that a search asks, and the options of all scores."""

    score: Annotated[
        str | None,
        typer.Option(
            help=f"fges, best: one of {', '.join(SCORES)}.",
            show_default="bdeu; best: aic with a parent code of 2",
            rich_help_panel=_SCORE_PANEL,
        ),
    ] = None
    penalty: Annotated[
        float | None, typer.Option(help="bic: factor of the penalty.", show_default="1", rich_help_panel=_SCORE_PANEL)
    ] = None
    parent_code: Annotated[
        float | None,
        typer.Option(
            help="aic: factor of the bits that name the parents of a column.",
            show_default="0",
            rich_help_panel=_SCORE_PANEL,
        ),
    ] = None
    sample_prior: Annotated[
        float | None,
        typer.Option(help="bdeu: rows that the prior is worth.", show_default="1", rich_help_panel=_SCORE_PANEL),
    ] = None
    structure_prior: Annotated[
        float | None,
        typer.Option(help="bdeu: parents expected of a column.", show_default="1", rich_help_panel=_SCORE_PANEL),
    ] = None

    def chosen(self, default: str) -> ScoreOptions:
        """Return the score; refuse the options of others."""
        kind = type(as_score(self.score or default))
        options = typed_in(self)
        options.pop("score", None)
        return with_options(kind, options, "score", SCORES)


@dataclass(frozen=True, kw_only=True)
class GraphTest(OptionsOfTest):
    """The test that a search asks, and the options of all tests."""

    test: Annotated[
        str | None,
        typer.Option(help=f"pc: one of {', '.join(TESTS)}.", show_default="sci", rich_help_panel=TEST_PANEL),
    ] = None

    def chosen(self, default: str) -> TestOptions:
        """Return the test; refuse the options of others."""
        return self.of(self.test or default)
