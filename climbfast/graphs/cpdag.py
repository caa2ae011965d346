"""The graph that searches return: directed and undirected edges by name."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

__all__ = ["Graph"]

Edge = tuple[Hashable, Hashable]


@dataclass(frozen=True)
class Graph:
    """A graph of directed and undirected edges; of an undirected pair the first in `names` comes first."""

    names: tuple[Hashable, ...]
    directed: tuple[Edge, ...] = ()
    undirected: tuple[Edge, ...] = ()
    strengths: Mapping[Edge, float] = field(default_factory=dict)
    margins: Mapping[Edge, float] = field(default_factory=dict)
