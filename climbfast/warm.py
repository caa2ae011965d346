"""Compiling every kernel ahead of the first use."""

from __future__ import annotations

import time
import warnings
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from climbfast.dataset import Dataset
from climbfast.errors import ClimbfastWarning
from climbfast.evidence import log2_regret, test
from climbfast.local.find import markov_blanket
from climbfast.networks.examples import EXAMPLE_TARGET, load_example
from climbfast.networks.sampling import frame

__all__ = ["Warmed", "kept_in", "warm_up"]

_ROWS = 500  # enough for the target to have neighbors, so that their partition is searched for
# One column of so many levels decides the type of all codes, and numba compiles every kernel once for each
# type. The third, uint32, asks for a column of 65,537 levels, which no test can say anything about.
_MOST_LEVELS = {"uint8": 3, "uint16": 257}


class Warmed(NamedTuple):
    """The kernels for one type of codes, ready: how long that took, and whether they had to be compiled."""

    codes: str
    seconds: float
    compiled: bool


def warm_up() -> Iterator[Warmed]:
    """Make every kernel ready, for one type of codes after the other; those in the cache are loaded."""
    from climbfast_kernels._jit import on_first_compilation

    for codes, most_levels in _MOST_LEVELS.items():
        begun = time.perf_counter()
        compiled: list[bool] = []
        on_first_compilation(lambda seen=compiled: seen.append(True))  # type: ignore[misc]
        _use_every_kernel(_data(most_levels))
        yield Warmed(codes, time.perf_counter() - begun, bool(compiled))


def kept_in() -> Path | None:
    """Return the folder of the compiled kernels; None where they are not kept."""
    from climbfast_kernels._jit import CACHE

    return CACHE


def _data(most_levels: int) -> Dataset:
    """Rows of the example network, with levels that do not occur declared for one column."""
    network = load_example()
    node = network.nodes[0]
    states = network.states[node]
    declared: dict[Hashable, Sequence[Hashable]] = {
        node: [*states, *(f"never {i}" for i in range(len(states), most_levels))]
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        return Dataset.from_frame(frame(network, _ROWS, seed=1), declared_levels=declared)


def _use_every_kernel(data: Dataset) -> None:
    markov_blanket(data, EXAMPLE_TARGET)
    x, y, *others = data.names
    for name in ("sci", "g2", "x2", "cmi"):
        test(data, x, y, others[:2], name)
    log2_regret(3, data.rows)
