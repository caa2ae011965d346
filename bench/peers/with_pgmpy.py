"""pgmpy: PC with G², hill climbing and GES with BDeu."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from measurement import ALPHA, MAX_GIVEN, Edges, main
from pgmpy.causal_discovery import GES, PC, HillClimbSearch
from pgmpy.structure_score import BDeu


def frame(names: list[str], codes: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(codes, columns=names).astype("category")


def mixed(found: Any) -> Edges:
    graph = found.causal_graph_
    return [*graph.directed_edges, *graph.undirected_edges]


def pc(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """stable, G², sets found."""
    data = frame(names, codes)
    search = PC(variant="stable", ci_test="g_sq", significance_level=ALPHA, max_cond_vars=MAX_GIVEN, n_jobs=1,
                show_progress=False)  # fmt: skip
    return lambda: search.fit(data), mixed


def hill_climbing(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """hill climbing, BDeu(1)."""
    data = frame(names, codes)
    search = HillClimbSearch(
        scoring_method=BDeu(data, equivalent_sample_size=1), return_type="dag", show_progress=False
    )
    return lambda: search.fit(data), lambda found: found.causal_graph_.edges()


def ges(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """GES, BDeu(1)."""
    data = frame(names, codes)
    search = GES(scoring_method=BDeu(data, equivalent_sample_size=1), return_type="pdag")
    return lambda: search.fit(data), mixed


if __name__ == "__main__":
    main("pgmpy", {"pc": pc, "bdeu": hill_climbing, "bdeu-ges": ges})
