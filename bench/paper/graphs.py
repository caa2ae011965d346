"""Searches of whole graphs, measured as in the paper; a search that several rows build on runs once per data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import climbfast as cf
from bench.paper.samples import Sample

__all__ = ["FGES", "G2", "PC", "PC_SCI", "Graphs", "Search", "f1", "rates"]


@dataclass(frozen=True)
class Search:
    """A search of climbfast by its name there, its test or score, and its further options."""

    name: str
    by: Any
    options: tuple[tuple[str, Any], ...] = ()


_AS_PCALG = (("conflicts", "overwrite"), ("max_given", None))
G2 = cf.G2(alpha=0.01, df="nominal", min_rows_per_df=10)
PC = Search("pc", G2, _AS_PCALG)
PC_SCI = Search("pc", cf.SCI(), _AS_PCALG)
FGES = Search("fges", cf.BDeu(1, 1))


@dataclass(frozen=True)
class Graphs:
    """A search, and what then directs its edges: "climb", "global", or nothing."""

    search: Search
    orient: Literal["", "climb", "global"] = ""

    def __call__(self, sample: Sample) -> Mapping[str, float]:
        """Return precision, recall and F1 by the paper's rule, in percent, tests or families scored, and seconds."""
        graph = find_graph(self.search, sample)
        if self.orient:
            graph = cf.orient(graph, sample.data, self.orient, directions="all")
        return rates(graph, sample)


def rates(graph: cf.Graph, sample: Sample) -> Mapping[str, float]:
    """Return what ``Graphs`` does of a graph that was found."""
    arrows = cf.compare(sample.network, graph).arrows_paper
    return {
        "precision": 100 * arrows.precision,
        "recall": 100 * arrows.recall,
        "f1": 100 * arrows.f1,
        "tests": graph.tests + int(graph.figures.get("families", 0)),
        "seconds": graph.seconds,
    }


@lru_cache(maxsize=4)
def find_graph(search: Search, sample: Sample) -> cf.Graph:
    """Return what a search finds in a sample."""
    found: cf.Graph = getattr(cf, search.name)(sample.data, search.by, **dict(search.options))
    return found


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean, by which the paper makes F1 of mean precision and mean recall."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
