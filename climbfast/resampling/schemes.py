"""How the rows of a replicate are drawn.

"bootstrap" draws as many rows as there are, with replacement (Efron 1979; for graphs Friedman, Goldszmidt and Wyner
1999). "half" draws half of them without replacement (Meinshausen and Bühlmann 2010). "complementary" draws pairs of
halves that have no row in common (Shah and Samworth 2013).
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

__all__ = ["SCHEMES", "Scheme", "draw_rows"]

Scheme = Literal["bootstrap", "half", "complementary"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)


def draw_rows(scheme: str, rows: int, seed: int, replicate: int) -> NDArray[np.int64]:
    """Return the rows of a replicate, ascending.

    Parameters
    ----------
    scheme : str
        One of ``SCHEMES``.
    rows : int
    seed : int
    replicate : int
        From 0 up. A replicate does not depend on how many others there are: its random numbers are those of the child
        of ``SeedSequence(seed)`` with its number; two complementary halves share one child.
    """
    child = replicate // 2 if scheme == "complementary" else replicate
    draw = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(child,)))
    if scheme == "bootstrap":
        return np.sort(draw.integers(rows, size=rows))
    order = draw.permutation(rows)
    half = max(rows // 2, 1)
    second = scheme == "complementary" and replicate % 2 == 1
    return np.sort(order[half : 2 * half] if second and rows > 1 else order[:half]).astype(np.int64)
