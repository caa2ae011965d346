"""The search around one target, and its options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from climbfast.errors import OptionError
from climbfast.local.partition import NODE_BUDGET

__all__ = ["SEARCH_PANEL", "BlanketSearch", "MaxGiven", "MethodName", "RuleOfSymmetry", "most_given"]

SEARCH_PANEL = "Search"

MethodName = Annotated[
    str, typer.Option(help="The search; `climbfast methods` lists them.", rich_help_panel=SEARCH_PANEL)
]
MaxGiven = Annotated[
    str,
    typer.Option(
        metavar="N|none",
        help="Largest conditioning set. Default: 3 for sets of neighbors, none while gs and iamb grow a blanket.",
        show_default=False,
        rich_help_panel=SEARCH_PANEL,
    ),
]
RuleOfSymmetry = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        help="Which columns have to find each other: and, or, none; for climb also children. "
        "Default: see `climbfast methods`.",
        show_default=False,
        rich_help_panel=SEARCH_PANEL,
    ),
]


@dataclass(frozen=True, kw_only=True)
class BlanketSearch:
    """The search of a blanket, and its options."""

    method: MethodName = "climb"
    neighbors: Annotated[
        str | None,
        typer.Option(
            "--neighbors",
            help="The search of parents and children inside climb.",
            show_default="getpcd",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    orient: Annotated[
        bool,
        typer.Option(
            "--orient", help="Tell parents from children by another method too.", rich_help_panel=SEARCH_PANEL
        ),
    ] = False
    max_given: MaxGiven = "default"
    symmetry: RuleOfSymmetry = None
    min_margin: Annotated[
        float, typer.Option(help="Bits below which a neighbor is undecided.", rich_help_panel=SEARCH_PANEL)
    ] = 0.0
    node_budget: Annotated[
        int,
        typer.Option(help="Effort for the best division into parents and children.", rich_help_panel=SEARCH_PANEL),
    ] = NODE_BUDGET

    def keywords(self) -> dict[str, Any]:
        """Return the search as `climbfast.markov_blanket` and `climbfast.markov_blankets` take it, and check it."""
        return {
            "method": self.method,
            "max_given": most_given(self.max_given),
            "neighbors": self.neighbors,
            "symmetry": self.symmetry,
            "orient": self.orient or None,
            "min_margin": self.min_margin,
            "node_budget": self.node_budget,
        }


def most_given(text: str) -> int | str | None:
    """Return the size of the largest conditioning set, None for no limit; what is no size is refused."""
    if text == "default":
        return text
    if text.lower() == "none":
        return None
    if not (text.isascii() and text.isdigit()):
        raise OptionError(f"--max-given is {text!r}; it is a whole number from 0 up, or none for no limit")
    return int(text)
