"""Compiles every kernel before its first use."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.background import Compilation, compilation_of_others, compile_in_background
from climbfast.batch.packed_results import Cost, PackedResults, pack_neighbors
from climbfast.batch.passes import SearchJob, find_blankets
from climbfast.batch.run import markov_blankets
from climbfast.blankets.find import markov_blanket
from climbfast.compiling import announce_compilation, before_first_compilation, silence_announcement
from climbfast.dataset import Dataset, Discretizer
from climbfast.dataset.cell_counts import MANY_ROWS, count_cells, count_few, write_as_bytes
from climbfast.dataset.parquet_pages import rows_if_sound
from climbfast.dataset.text_columns import read_texts
from climbfast.dataset.text_views import view_numbers
from climbfast.errors import ClimbfastWarning
from climbfast.graphs.causal import causal_graph
from climbfast.graphs.families import FamilyTables
from climbfast.graphs.fges import fges
from climbfast.graphs.hill_climbing import iterated_search
from climbfast.graphs.pc import pc
from climbfast.graphs.pdag import PDAG
from climbfast.independence.single import test
from climbfast.independence.tester import Tester
from climbfast.independence.tests import SCI, log2_regret
from climbfast.inspection import inspect
from climbfast.local.compiled import getpcd_each
from climbfast.local.neighbors import Neighbors
from climbfast.local.partition import partition
from climbfast.local.plan import plan_blanket
from climbfast.networks.examples import EXAMPLE_TARGET, load_example
from climbfast.networks.sampling import frame
from climbfast.resampling.run import bootstrap
from climbfast.scores import BDeu
from climbfast.workers import arrays_of

__all__ = ["WarmUpResult", "clear_kernel_cache", "compile_ahead", "compile_for", "kernel_cache", "warm_up"]

_MANY_LEVELS = 300  # past one byte
_OF_KERNELS = (".kernel", ".nbi")  # the second is numba's own
_SUFFIXES = (*_OF_KERNELS, ".linked", ".nbc")
_ROWS = 500  # enough for the target to have neighbors, so that the kernels of the partition are used


class WarmUpResult(NamedTuple):
    """The seconds of a warm-up, and whether any kernel was compiled."""

    seconds: float
    compiled: bool


def warm_up() -> WarmUpResult:
    """Compile every kernel for data of up to 256 levels per column, or load it from the cache.

    Kernels for wider codes are rarely needed: they are compiled at their first use.
    """
    from climbfast_kernels._jit import on_first_compilation

    begun = time.perf_counter()
    compiled: list[bool] = []
    announce_compilation()
    on_first_compilation(lambda: compiled.append(True))
    with before_first_compilation(_compile_everything):
        data = _data()
        _use_every_kernel(data)
        causal_graph(data, "best")
    return WarmUpResult(time.perf_counter() - begun, bool(compiled))


def kernel_cache() -> Path | None:
    """Return the folder of the compiled kernels; None if they cannot be kept."""
    from climbfast_kernels._jit import CACHE

    return CACHE


def clear_kernel_cache() -> int:
    """Delete the compiled kernels of all versions; return the number of files."""
    directory = kernel_cache()
    if directory is None:
        return 0
    # Of all suffixes, since a process that was ended leaves a file half written, with one suffix more.
    files = [file for file in directory.parent.rglob("*") if not {*_SUFFIXES}.isdisjoint(file.suffixes)]
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def compile_ahead(needed: Sequence[str]) -> Compilation | None:
    """Let two processes fill an empty cache; they start at different kernels, since numba compiles one at a time.

    Each process loads from the cache what the other has compiled.

    Parameters
    ----------
    needed : sequence of str
        ``EVERYTHING`` or ``ONE_TARGET``.

    Returns
    -------
    Compilation or None
        What is to be waited for, which another command may have begun; None, and the kernels are compiled at their
        first use, if the cache is not empty or the processes cannot be started.
    """
    directory = kernel_cache()
    if directory is None:
        return None
    if any(file.suffix in _OF_KERNELS for file in directory.rglob("*")):
        return compilation_of_others(directory)
    return compile_in_background(directory, needed)


def compile_for(use: str) -> None:
    """Compile what one function of this module uses; the work of a process."""
    silence_announcement()
    globals()[use]()


def _compile_everything() -> None:
    if compilation := compile_ahead(EVERYTHING):
        compilation.wait()


def _use_everything() -> None:
    _use_every_kernel(_data())


def _sampled() -> Dataset:
    return load_example().sample(_ROWS, seed=1)


def _data() -> Dataset:
    import polars as pl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        # As text, because the cells of files are read as text.
        return Dataset.from_frame(frame(load_example(), _ROWS, seed=1).cast(pl.String))


def _use_every_kernel(data: Dataset) -> None:
    markov_blanket(data, EXAMPLE_TARGET)
    markov_blankets(data, n_jobs=1, progress=False)
    bootstrap(data, "blankets", replicates=1, n_jobs=1, progress=False)
    x, y, *others = data.names
    for name in ("sci", "g2", "x2", "cmi"):
        test(data, x, y, others[:2], name)
    pc(data)
    fges(data)
    for score in ("bdeu", "bic", "fnml", "qnml"):
        fges(data, score)
    log2_regret(3, data.rows)
    numbers = {"x": np.linspace(0, 1, 50), "y": np.linspace(0, 1, 50) ** 2, "z": ["low"] * 25 + ["high"] * 25}
    for rule in ("hartemink:2", "mdlp:z"):
        Discretizer(rule).fit(numbers)
    _read_files()
    _use_kernels_of_large_frames()
    _use_kernels_of_missing_cells()
    _use_kernels_of_long_searches(data)
    Dataset.from_frame({"x": [0, 1] * 10, "y": [0, 1, 1, 0] * 5})  # columns that only joint counts could tell apart
    rows = range(2 * _MANY_LEVELS)
    inspect({"many": [row % _MANY_LEVELS for row in rows], "few": [row % 3 for row in rows]})


def _use_the_last_kernels() -> None:
    """Use the kernels that ``_use_every_kernel`` uses last, without those that it uses first: the neighbor search."""
    data = _data()
    job = SearchJob(
        plan=plan_blanket("climb"), test=SCI(), counting="auto", rows=data.rows, units=data.log_tables.units
    )
    arrays = arrays_of(data)
    two = {x: pack_neighbors(Neighbors((1 - x,), {1 - x: 1.0}, {}), Cost((), 0, data.rows, 0.0)) for x in (0, 1)}
    find_blankets(job, (0, 1), *arrays, *PackedResults.gather(two, data.columns).arrays)
    fges(data)


def _use_the_search() -> None:
    """Use the kernel that takes longest, around no target: for real tables, other kernels would be compiled first."""
    from climbfast_kernels.bits import Bits
    from climbfast_kernels.log_tables import LogTables

    data = _sampled()
    words, table = _unwritable(np.zeros((1, 8), np.uint64)), _unwritable(np.zeros((1, 1), np.int64))
    numbers, none = _unwritable(np.zeros(1, np.int64)), _unwritable(np.full(data.columns, -1))
    arity, incomplete = _unwritable(data.arity.copy()), _unwritable(data.incomplete.copy())
    vars(data)["bits"] = Bits(words, none, arity, numbers, incomplete, data.rows)
    vars(data)["log_tables"] = LogTables(numbers, table, none, 1.0)
    getpcd_each(Tester(data, SCI()), (), numbers, none[:0], np.zeros(0), 3, None)


def _unwritable(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def _use_the_partition_and_files() -> None:
    tester = Tester(_sampled(), SCI())
    tester.sweep(0, (1, 2), ())
    partition(tester, 0, (1, 2, 3))
    tester.sweep(0, (1, 2), (3,))
    _data()
    _read_files()


def _read_files() -> None:
    for text in (b"x,y\r\n\nz,y\n", b'"x",y\n'):
        read_texts(text, width=2)


def _use_kernels_of_large_frames() -> None:
    import polars as pl

    view_numbers(pl.Series(["text"]))
    cells = np.zeros(MANY_ROWS, dtype=np.uint8)
    count_cells(cells, 1)
    count_few(cells, 1, is_complete=False)
    for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64):
        write_as_bytes([np.zeros(1, dtype)], cells[:1])
    rows_if_sound(b"\0", 0)


def _use_kernels_of_missing_cells() -> None:
    """Use the screen, the inspection and FGES on incomplete columns, two of which are nearly copies."""
    kinds = ["a", "b", None, "c"] * 100
    table = {"x": kinds, "y": kinds[1:] + kinds[:1], "z": ["a", "b"] * 200}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        data = Dataset.from_frame(table, missing="test-wise")
    markov_blankets(data, n_jobs=1, progress=False)
    fges(data)
    inspect(table)


def _use_kernels_of_long_searches(data: Dataset) -> None:
    """Use ``refill_slots`` (more families than a search begins with) and ``give_up`` (a search that is ended)."""
    from climbfast_kernels.hill_climbing import refill_slots

    tables = FamilyTables(data, [BDeu()], [np.delete(np.arange(data.columns), x) for x in range(data.columns)])
    refill_slots(tables.arrays, 0)
    iterated_search(tables, score=0, start=PDAG(data.columns), perturbations=0, seed=0, goes_on=lambda: False)


# What two processes use, each one of both.
EVERYTHING = (_use_everything.__name__, _use_the_last_kernels.__name__)
ONE_TARGET = (_use_the_search.__name__, _use_the_partition_and_files.__name__)
