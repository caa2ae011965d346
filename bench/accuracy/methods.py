"""The methods that are measured, one line each: those of climbfast, and candidates that may become one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import climbfast as cf

__all__ = ["CANDIDATES", "METHODS", "Method"]

Method = Callable[[cf.Dataset], Any]
"""From the data to a Graph, or to what has a Blanket for each column."""


def _graph(method: str, **options: Any) -> Method:
    return lambda data: cf.causal_graph(data, method, **options)


def _blankets(method: str = "climb", **options: Any) -> Method:
    return lambda data: cf.markov_blankets(data, method=method, n_jobs=1, progress=False, **options)


METHODS: Mapping[str, Method] = {
    "best": _graph("best"),
    "best all directions": _graph("best", directions="all"),
    "fges+global": _graph("fges+global", directions="all"),
    "fges+climb": _graph("fges+climb", directions="all"),
    "fges": _graph("fges"),
    "pc+global": _graph("pc+global", directions="all", n_jobs=1),
    "pc+climb": _graph("pc+climb", directions="all", n_jobs=1),
    "pc": _graph("pc", n_jobs=1),
    "blankets climb": _blankets(),
    "blankets climb as in the paper": _blankets(colliders=False, directions="all"),
    "blankets climb or": _blankets(symmetry="or"),
    "blankets best": _blankets("best"),
    "blankets mmmb": _blankets("mmmb"),
    "blankets hiton-mb": _blankets("hiton-mb"),
}
"""Those of a name ``blankets ...`` return blankets; all others graphs, from which blankets are read off as well."""

CANDIDATES: Mapping[str, Method] = {
    "best by AIC alone": _graph("best", score=cf.AIC(parent_code=2.0), directions="all"),
}
"""Measured only when they are named."""
