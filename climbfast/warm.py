"""Compiling every kernel ahead of the first use."""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import NamedTuple

from climbfast.batch.run import markov_blankets
from climbfast.dataset import Dataset
from climbfast.errors import ClimbfastWarning
from climbfast.evidence import log2_regret, test
from climbfast.graphs.fges import fges
from climbfast.local.find import markov_blanket
from climbfast.networks.examples import EXAMPLE_TARGET, load_example
from climbfast.networks.sampling import frame

__all__ = ["Warmed", "kept_in", "warm_up"]

_ROWS = 500  # enough for the target to have neighbors, so that their partition is searched for


class Warmed(NamedTuple):
    """How long it took to have the kernels ready, and whether they had to be compiled."""

    seconds: float
    compiled: bool


def warm_up() -> Warmed:
    """Make every kernel ready for data of up to 256 levels a column; those in the cache are loaded.

    Wider codes have kernels of their own, which few data need: they are compiled when first used.
    """
    from climbfast_kernels._jit import on_first_compilation

    begun = time.perf_counter()
    compiled: list[bool] = []
    on_first_compilation(lambda: compiled.append(True))
    _use_every_kernel(_data())
    return Warmed(time.perf_counter() - begun, bool(compiled))


def kept_in() -> Path | None:
    """Return the folder of the compiled kernels; None where they are not kept."""
    from climbfast_kernels._jit import CACHE

    return CACHE


def _data() -> Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        return Dataset.from_frame(frame(load_example(), _ROWS, seed=1))


def _use_every_kernel(data: Dataset) -> None:
    markov_blanket(data, EXAMPLE_TARGET)
    markov_blankets(data, n_jobs=1, progress=False)
    x, y, *others = data.names
    for name in ("sci", "g2", "x2", "cmi"):
        test(data, x, y, others[:2], name)
    fges(data)
    for score in ("bdeu", "bic", "fnml", "qnml"):
        fges(data, score)
    log2_regret(3, data.rows)
