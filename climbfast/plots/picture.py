"""What a picture shows: nodes with roles, lines with figures, and notes; without any place on paper."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from climbfast.names import name_text

__all__ = [
    "FULL_MARGIN",
    "MOST_NODES",
    "Head",
    "Line",
    "Node",
    "Picture",
    "Role",
    "Scale",
    "any_of",
    "scale_of",
    "scale_of_frequency",
    "shown_names",
    "unit_of_strength",
]

FULL_MARGIN = 20.0  # bits; a direction that is a million times as likely as its reverse
MOST_NODES = 60  # more labels than these cannot be read on a page

Head = Literal["filled", "open", "none"]
Role = Literal["node", "named", "target", "parent", "child", "spouse", "undecided", "neighbor"]


class Node(NamedTuple):
    """A node: its name as it is shown, and its role."""

    text: str
    role: Role = "node"


class Line(NamedTuple):
    """A line between two nodes, by their numbers; a head is at the second one.

    ``width`` and ``shade`` are the figures that are drawn so, None where they are not known.
    """

    source: int
    target: int
    head: Head = "none"
    width: float | None = None
    shade: float | None = None


@dataclass(frozen=True)
class Scale:
    """What the width or the shade of lines shows: its words, its unit, and the figures at its two ends.

    Attributes
    ----------
    words : str
        Such as "strength".
    unit : str
        Such as "bits"; empty if it has none.
    least, most : float
        The smallest and the largest figure of the picture.
    full : float
        The figure from which on lines are drawn as wide or as dark as lines are.
    is_share : bool
        Whether figures are shares from 0 to 1.
    """

    words: str
    unit: str
    least: float
    most: float
    full: float
    is_share: bool = False

    def share(self, figure: float) -> float:
        """Return how wide or dark a figure is drawn, from 0 to 1: a share as it is, others by their square root."""
        if self.full <= 0:
            return 0.0
        share = min(max(figure, 0.0) / self.full, 1.0)
        return share if self.is_share else math.sqrt(share)

    def text(self) -> str:
        """Return the words with the two figures."""
        least, most = (f"{each:.2f}" if self.is_share else _figure(each) for each in (self.least, self.most))
        return f"{self.words} {least if least == most else f'{least} to {most}'} {self.unit}".rstrip()


def _figure(value: float) -> str:
    if abs(value) >= 10 or value == 0:
        return f"{value:,.0f}"
    return f"{value:.2g}" if abs(value) < 1 else f"{value:.1f}"


@dataclass(frozen=True)
class Picture:
    """What is drawn.

    Attributes
    ----------
    nodes : tuple of Node
    lines : tuple of Line
    layers : tuple of int or None
        The layer of each node from left to right; None where the lines decide.
    heads : mapping of head to str
        What each head that occurs says, for the legend.
    width, shade : Scale or None
        What width and shade show.
    notes : tuple of str
        Lines of text below the picture.
    """

    nodes: tuple[Node, ...]
    lines: tuple[Line, ...] = ()
    layers: tuple[int, ...] | None = None
    heads: Mapping[Head, str] | None = None
    width: Scale | None = None
    shade: Scale | None = None
    notes: tuple[str, ...] = ()


def scale_of(words: str, unit: str, figures: Iterable[float | None], full: float | None = None) -> Scale | None:
    """Return the scale of the figures that are known, up to the largest or to ``full``; None if none is known."""
    known = [figure for figure in figures if figure is not None and math.isfinite(figure)]
    return Scale(words, unit, min(known), max(known), max(known) if full is None else full) if known else None


def scale_of_frequency(figures: Iterable[float | None]) -> Scale | None:
    """Return the scale of the frequencies that are known; None if none is."""
    scale = scale_of("frequency", "", figures, 1.0)
    return None if scale is None else replace(scale, is_share=True)


def any_of(words: Sequence[str]) -> str:
    """Return words as a list of which any may hold: "a, b or c"."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def unit_of_strength(test_or_score: str) -> str:
    """Return the unit of strengths, see ``Graph.strengths``; empty if it is not known."""
    if test_or_score in ("g2", "x2"):
        return "log₁₀ α − log₁₀ p"
    if test_or_score == "cmi":
        return "bits per row"
    return "bits" if test_or_score else ""


def shown_names(names: Sequence[Hashable]) -> list[str]:
    """Return the text of each name; its repr where two names have the same text, as 1 and "1"."""
    times = Counter(map(name_text, names))
    return [text if times[text := name_text(name)] == 1 else repr(name) for name in names]
