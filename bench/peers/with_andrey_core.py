"""andrey-core: PC with G², hill climbing and GES with BDeu."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import andrey
import numpy as np
import pandas as pd
from measurement import ALPHA, MAX_GIVEN, Edges, main


def edges(found: Any) -> Edges:
    names = found.structure.labels
    return [(names[x], names[y]) for x, y, *_ in found.structure.to_edges().tolist()]


def pc(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """stable, G², sets found."""
    data = pd.DataFrame(codes, columns=names)
    return lambda: andrey.pc(data, alpha=ALPHA, indep_test="gsq", max_depth=MAX_GIVEN), edges


def hill_climbing(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """hill climbing, BDeu(1, 1)."""
    data = pd.DataFrame(codes, columns=names)
    return lambda: andrey.hc(data, score_func="local_score_BDeu"), edges


def ges(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """GES, BDeu(1, 1)."""
    data = pd.DataFrame(codes, columns=names)
    return lambda: andrey.ges(data, score_func="local_score_BDeu"), edges


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main("andrey-core", {"pc": pc, "bdeu": hill_climbing, "bdeu-ges": ges})
