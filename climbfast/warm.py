"""Compiling every kernel ahead of the first use."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from climbfast.batch.packed_results import Cost, PackedResults, pack_neighbors
from climbfast.batch.passes import SearchJob, find_blankets
from climbfast.batch.run import markov_blankets
from climbfast.compiling import announce_compilation, compiling_ahead, compiling_quietly
from climbfast.dataset import Dataset
from climbfast.errors import ClimbfastWarning
from climbfast.graphs.fges import fges
from climbfast.graphs.pc import pc
from climbfast.independence.single import test
from climbfast.independence.tests import SCI, log2_regret
from climbfast.local.find import markov_blanket
from climbfast.local.neighbors import Neighbors
from climbfast.local.plan import plan_blanket
from climbfast.networks.examples import EXAMPLE_TARGET, load_example
from climbfast.networks.sampling import frame
from climbfast.processes import cores, each_in_a_process
from climbfast.workers import arrays_of

__all__ = ["WarmUp", "compile_in_processes", "kept_in", "warm_up"]

_ROWS = 500  # enough for the target to have neighbors, so that their partition is searched for


class WarmUp(NamedTuple):
    """How long it took to have the kernels ready, and whether they had to be compiled."""

    seconds: float
    compiled: bool


def warm_up() -> WarmUp:
    """Make every kernel ready for data of up to 256 levels a column; those in the cache are loaded.

    Wider codes have kernels of their own, which few data need: they are compiled when first used.
    """
    from climbfast_kernels._jit import on_first_compilation

    begun = time.perf_counter()
    compiled: list[bool] = []
    announce_compilation()
    on_first_compilation(lambda: compiled.append(True))
    with compiling_ahead(compile_in_processes):
        _use_every_kernel(_data())
    return WarmUp(time.perf_counter() - begun, bool(compiled))


def kept_in() -> Path | None:
    """Return the folder of the compiled kernels; None where they are not kept."""
    from climbfast_kernels._jit import CACHE

    return CACHE


def compile_in_processes() -> None:
    """Fill an empty cache by two processes that begin at different ends: numba compiles one kernel at a time in each.

    What one has compiled the other finds in the cache. Nothing is done where that is of no use, or fails: then the
    kernels are compiled where they are used.
    """
    directory = kept_in()
    if directory is None or any(directory.rglob("*.nbi")) or cores() < 2:
        return
    with suppress(Exception):
        each_in_a_process(_compile, (_use_every_kernel, _use_the_last_kernels))


def _compile(use: Callable[[Dataset], None]) -> None:
    compiling_quietly()
    use(_data())


def _data() -> Dataset:
    import polars as pl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        # As text, which files are read as.
        return Dataset.from_frame(frame(load_example(), _ROWS, seed=1).cast(pl.String))


def _use_every_kernel(data: Dataset) -> None:
    from climbfast_kernels.quotes import quotes_are_regular

    markov_blanket(data, EXAMPLE_TARGET)
    markov_blankets(data, n_jobs=1, progress=False)
    x, y, *others = data.names
    for name in ("sci", "g2", "x2", "cmi"):
        test(data, x, y, others[:2], name)
    pc(data)
    fges(data)
    for score in ("bdeu", "bic", "fnml", "qnml"):
        fges(data, score)
    log2_regret(3, data.rows)
    quotes_are_regular(np.frombuffer(b'"', dtype=np.uint8), ord(","))


def _use_the_last_kernels(data: Dataset) -> None:
    """Use those that ``_use_every_kernel`` comes to last, without what it begins with: the search for neighbors."""
    job = SearchJob(
        plan=plan_blanket("climb"), test=SCI(), counting="auto", rows=data.rows, units=data.log_tables.units
    )
    arrays = arrays_of(data)
    two = {x: pack_neighbors(Neighbors((1 - x,), {1 - x: 1.0}, {}), Cost((), 0, 0.0)) for x in (0, 1)}
    find_blankets(job, (0, 1), *arrays, *PackedResults.gathered(two, data.columns).arrays)
    fges(data)
