"""The searches around one column, and their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from climbfast.errors import Legal, Option, OptionError
from climbfast.independence.nearest import MAX_POOL
from climbfast.local.partition import NODE_BUDGET

__all__ = [
    "SEARCH_PANEL",
    "BlanketSearch",
    "MaxGiven",
    "MaxPool",
    "MethodName",
    "RepresentativeNames",
    "RuleOfSymmetry",
    "parse_max_given",
    "parse_max_pool",
    "representative_in",
]

SEARCH_PANEL = "Search"

MethodName = Annotated[
    str,
    typer.Option(metavar="NAME", help="Search method; `climbfast methods` lists them.", rich_help_panel=SEARCH_PANEL),
]
BlanketMethodName = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="NAME",
        help="Search method; `climbfast methods` lists them. best reads the blankets off a graph: the most complete, "
        "with the best directions.",
        rich_help_panel=SEARCH_PANEL,
    ),
]
MaxGiven = Annotated[
    str,
    typer.Option(
        metavar="N|none",
        help="Largest number of columns to condition on; none is no limit. Default: 3; for gs and the iamb methods no "
        "limit while the blanket grows.",
        show_default=False,
        rich_help_panel=SEARCH_PANEL,
    ),
]
MaxPool = Annotated[
    str | None,
    typer.Option(
        metavar="N|none",
        help="Most columns of which all sets are given. Around a hub, sets of two columns are drawn from as many that "
        "are nearest to the column tested, and larger sets from half as many; none is no bound.",
        show_default=str(MAX_POOL),
        rich_help_panel=SEARCH_PANEL,
    ),
]
RuleOfSymmetry = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        metavar="RULE",
        help="Neighbors are the columns that find the target and are found by it (and), those for which one of the two "
        "is true (or), or those that the target finds (none). children is for climb only: as none, but a child also "
        "has to find the target. Default: the rule of the method, see `climbfast methods`.",
        show_default=False,
        rich_help_panel=SEARCH_PANEL,
    ),
]


RepresentativeNames = Annotated[
    list[str] | None,
    typer.Option(
        "--representative",
        metavar="NAME|first",
        help="Column that stands for its copies, which are equal up to the names of their levels; repeatable. first "
        "takes of all copies the first in the file. Default: the first by name.",
        show_default=False,
        rich_help_panel=SEARCH_PANEL,
    ),
]


@dataclass(frozen=True, kw_only=True)
class BlanketSearch:
    """The search of a blanket, and its options."""

    method: BlanketMethodName = "climb"
    neighbors: Annotated[
        str | None,
        typer.Option(
            "--neighbors",
            metavar="NAME",
            help="climb: the search of parents and children that it uses.",
            show_default="getpcd",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    orient: Annotated[
        bool,
        typer.Option(
            "--orient",
            help="Divide the neighbors into parents and children after any method; climb always does it.",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = False
    max_given: MaxGiven = "default"
    max_pool: MaxPool = None
    symmetry: RuleOfSymmetry = None
    colliders: Annotated[
        bool | None,
        typer.Option(
            "--colliders/--no-colliders",
            help="climb: direct neighbors whose side shows in tests by these, before the partition weighs the others.",
            show_default="yes for climb",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    directions: Annotated[
        str,
        typer.Option(
            metavar="decided|all",
            help="decided: a neighbor whose direction is no surer than a coin is undecided. all: each one is directed.",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = "decided"
    min_margin: Annotated[
        float | None,
        typer.Option(
            help="Report a neighbor whose side was weighed and whose margin has fewer bits as undecided, neither "
            "parent nor child.",
            show_default="1",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    node_budget: Annotated[
        int,
        typer.Option(
            help="Largest number of nodes that the search for the best partition into parents and children visits; "
            "then the best one so far is the result.",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = NODE_BUDGET
    representative: RepresentativeNames = None

    def keywords(self) -> dict[str, Any]:
        """Return the options as keywords of `climbfast.markov_blanket` and `climbfast.markov_blankets`."""
        return {
            "method": self.method,
            "max_given": parse_max_given(self.max_given),
            "max_pool": parse_max_pool(self.max_pool),
            "neighbors": self.neighbors,
            "symmetry": self.symmetry,
            "orient": self.orient or None,
            "colliders": self.colliders,
            "directions": self.directions,
            "min_margin": self.min_margin,
            "node_budget": self.node_budget,
            "representative": representative_in(self.representative),
        }


def representative_in(texts: list[str] | None) -> str | list[str] | None:
    """Return the columns that stand for their copies, as the functions take them."""
    return texts[0] if texts is not None and len(texts) == 1 else texts


def parse_max_given(text: str) -> int | str | None:
    """Return the size of the largest conditioning set, None for no limit.

    Raises
    ------
    OptionError
        For anything but a whole number from 0 up, none and default.
    """
    if text == "default":
        return text
    if text.lower() == "none":
        return None
    if not (text.isascii() and text.isdigit()):
        raise OptionError(
            Option("max_given"), f" is {text!r}; it is ", Legal("a whole number from 0 up, or none for no limit")
        )
    return _number_of("max_given", text, "or none for no limit")


def parse_max_pool(text: str | None) -> int | None:
    """Return the most columns of which all sets are given, None for no bound; the default if nothing was typed.

    Raises
    ------
    OptionError
        For anything but a whole number from 1 up, and none.
    """
    if text is None:
        return MAX_POOL
    if text.lower() == "none":
        return None
    if not (text.isascii() and text.isdigit() and text.strip("0")):
        raise OptionError(
            Option("max_pool"), f" is {text!r}; it is ", Legal("a whole number from 1 up, or none for no bound")
        )
    return _number_of("max_pool", text, "or none for no bound")


def _number_of(option: str, text: str, otherwise: str) -> int:
    """Return the number of some digits.

    Raises
    ------
    OptionError
        For so many digits that Python does not read them.
    """
    try:
        return int(text)
    except ValueError:
        raise OptionError(
            Option(option), f" has {len(text):,} digits; it has to be ", Legal(f"below 2^62, {otherwise}")
        ) from None
