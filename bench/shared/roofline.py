"""The yardstick: a bare AND + popcount over bitmaps."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from climbfast import Dataset
from climbfast_kernels.bits import popcount

ROUNDS = 7
LEAST_WORDS, MOST_WORDS = 1 << 18, 1 << 24  # what is run; from there to the pairs asked for in proportion


@numba.njit(nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def and_popcount(words: Any, left: Any, right: Any, ones: Any) -> None:
    """ones[i] = |words[left[i]] ∧ words[right[i]]|, one pair at a time, no score."""
    for i in range(left.shape[0]):
        total = 0
        for w in range(words.shape[1]):
            total += popcount(words[left[i], w] & words[right[i], w])
        ones[i] = total


def _aligned(shape: tuple[int, int]) -> Any:
    """Return random words that begin with a line of the cache: a vector that lies across two takes a third longer."""
    size = shape[0] * shape[1]
    room = _rng.integers(1 << 62, size=size + 8, dtype=np.uint64)
    begin = -room.ctypes.data % 64 // 8
    return room[begin : begin + size].reshape(shape)


_rng = np.random.default_rng(1)
_WORDS = _aligned((32, 128))  # 32 KiB, which first-level caches hold
_LEFT, _RIGHT = _rng.integers(len(_WORDS), size=(2, 4_000))
_ONES = np.empty(len(_LEFT), np.int64)


def compute() -> None:
    """Run the bare loop over half a million pairs of words in the first-level cache."""
    and_popcount(_WORDS, _LEFT, _RIGHT, _ONES)


def bare_words(words: float) -> float:
    """Return the seconds of ``compute`` for a number of pairs of words: the yardstick of what reads no bitmaps."""
    return least_seconds(compute) * words / (len(_LEFT) * _WORDS.shape[1])


def least_seconds(function: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the least seconds of several calls, after one that does not count."""
    function()
    least = np.inf
    for _ in range(rounds):
        begun = time.perf_counter()
        function()
        least = min(least, time.perf_counter() - begun)
    return float(least)


def bare_loop(data: Dataset, pairs: float, right: Any = None) -> float:
    """Return the seconds of the bare loop over ``pairs`` pairs of bitmaps of these data.

    ``right`` are the bitmaps that pass by, by default all; the left one stays for one round of them, as the
    target does in a sweep.
    """
    words = data.bits.words
    right = np.arange(len(words)) if right is None else np.asarray(right)
    width = words.shape[1]
    run = 1 + int(min(max(pairs, LEAST_WORDS // width), MOST_WORDS // width))
    passing = np.resize(right, run)
    staying = np.arange(run) // len(right) % len(words)
    ones = np.empty(run, np.int64)
    return least_seconds(lambda: and_popcount(words, staying, passing, ones)) * pairs / run


def bare_tables(data: Dataset, x: int, candidates: Any, strata: int) -> float:
    """Return the seconds of the bare loop over what the tables of x and each candidate need."""
    passing = np.concatenate([data.bits.offset[y] + np.arange(data.arity[y] - 1) for y in candidates])
    return bare_loop(data, sum(pairs_of_table(data, x, y, strata) for y in candidates), passing)


def pairs_of_table(data: Dataset, x: int, y: int, strata: int) -> int:
    """Bitmaps to AND for one table: (kx − 1)(ky − 1) a stratum, the rest follows from the margins."""
    return strata * int(data.arity[x] - 1) * int(data.arity[y] - 1)
