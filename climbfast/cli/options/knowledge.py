"""What is known beforehand, and its options."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from climbfast.cli.options.reading import split_names
from climbfast.errors import Option, OptionError
from climbfast.knowledge import Knowledge, read_knowledge

__all__ = ["KnowledgeArguments", "TypedKnowledge"]

_PANEL = "What is known beforehand"
Edge = tuple[Hashable, Hashable]


class TypedKnowledge(NamedTuple):
    """What was typed, before the columns are known: they say where a comma is part of a name."""

    from_file: Knowledge
    tiers: Sequence[str]
    required: tuple[Edge, ...]
    forbidden: tuple[Edge, ...]

    def about(self, names: Iterable[Hashable]) -> Knowledge | None:
        """Return what is known about columns; None if nothing is."""
        known = tuple(names)
        return self._with_tiers([split_names([text], known) for text in self.tiers]) or None

    def _with_tiers(self, tiers: Sequence[Sequence[Hashable]]) -> Knowledge:
        known = self.from_file
        return Knowledge(
            tiers=tiers or known.tiers,
            required=(*known.required, *self.required),
            forbidden=(*known.forbidden, *self.forbidden),
            roots=known.roots,
            leaves=known.leaves,
            closed=known.closed,
        )

    def check(self) -> None:
        """Refuse what contradicts itself already without the tiers that were typed."""
        self._with_tiers(())


@dataclass(frozen=True, kw_only=True)
class KnowledgeArguments:
    """The options of what is known beforehand."""

    knowledge: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File with tiers, required and forbidden edges: .toml, .json, or any other suffix for a knowledge "
            "file of Tetrad. The result obeys it.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    tier: Annotated[
        list[str] | None,
        typer.Option(
            "--tier",
            metavar="A,B",
            help="Columns of one tier, the earliest tier first; again for the next tier. No edge leads from a later "
            "tier to an earlier one. A name can be a pattern, such as 'gene_*'; one that contains a comma is quoted, "
            "as in CSV.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    require: Annotated[
        list[str] | None,
        typer.Option(
            "--require",
            metavar="A,B",
            help="The edge from A to B has to be there; repeatable.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    forbid: Annotated[
        list[str] | None,
        typer.Option(
            "--forbid",
            metavar="A,B",
            help="The edge from A to B cannot be there; repeatable. With B,A as well the two are not adjacent.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None

    def choose(self) -> TypedKnowledge:
        """Return what was typed, with what the file says.

        Raises
        ------
        OptionError
            For what is no edge, and for tiers in both places.
        KnowledgeError
            For a file that cannot be read, and for what contradicts itself.
        """
        from_file = Knowledge() if self.knowledge is None else read_knowledge(self.knowledge)
        if self.tier and from_file.tiers:
            raise OptionError(
                Option("tiers"), f" and {self.knowledge} both say what the tiers are; leave one of them out"
            )
        required, forbidden = _edges("required", self.require), _edges("forbidden", self.forbid)
        typed = TypedKnowledge(from_file, self.tier or (), required, forbidden)
        typed.check()
        return typed

    @property
    def files(self) -> dict[str, Path | None]:
        """The file, by what it is called on the command line: a result must not replace it."""
        return {"--knowledge": self.knowledge}


def _edges(option: str, texts: Sequence[str] | None) -> tuple[Edge, ...]:
    return tuple(_edge(option, text) for text in texts or ())


def _edge(option: str, text: str) -> Edge:
    ends = split_names([text], ())
    if len(ends) != 2 or not all(ends):
        raise OptionError(
            Option(option),
            f" is {text!r}; an edge is two names with a comma between, the source first; a name that contains "
            "a comma is in double quotes",
        )
    return ends[0], ends[1]
