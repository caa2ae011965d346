"""andrey-core with its default for categories, BDeu with a sample size and a structure prior of 1."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import andrey
import numpy as np
import pandas as pd
from answer import Edges, Search, main


def by(name: str) -> Search:
    """Return the search of that name."""

    def search(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], tuple[Edges, Edges]]]:
        data = pd.DataFrame(codes, columns=names)
        data = data.loc[:, data.nunique() > 1]  # it refuses constant columns, which have no edges
        return lambda: getattr(andrey, name)(data, score_func="local_score_BDeu"), edges

    return search


def edges(found: Any) -> tuple[Edges, Edges]:
    every = found.structure.oriented_edges()
    kinds = {kind for *_, kind in every}
    if not kinds <= {"directed", "undirected"}:
        raise ValueError(f"edges of the kinds {kinds}")
    return tuple([(x, y) for x, y, of in every if of == kind] for kind in ("directed", "undirected"))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main({name: by(name) for name in ("ges", "boss", "grasp", "tabu", "hc")})
