"""causal-learn: PC with G², GES with BDeu."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from causallearn.search.ConstraintBased.PC import pc as pc_of_causal_learn
from causallearn.search.ScoreBased.GES import ges as ges_of_causal_learn
from measurement import ALPHA, MAX_GIVEN, Edges, main


def edges(graph: Any) -> Edges:
    return [(edge.get_node1().get_name(), edge.get_node2().get_name()) for edge in graph.get_graph_edges()]


def pc(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """stable, G², sets found."""
    options = {"stable": True, "uc_rule": 0, "max_k": MAX_GIVEN, "show_progress": False, "node_names": names}
    return lambda: pc_of_causal_learn(codes, ALPHA, "gsq", **options), lambda found: edges(found.G)


def ges(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """GES, BDeu(1, 1)."""
    return (
        lambda: ges_of_causal_learn(codes, "local_score_BDeu", node_names=names),
        lambda found: edges(found["G"]),
    )


if __name__ == "__main__":
    main("causal-learn", {"pc": pc, "bdeu": ges})
