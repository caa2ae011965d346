"""The yardstick: a bare AND + popcount over bitmaps, and how a benchmark is set beside it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from climbfast import Dataset, LocalScores, Tester, test
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
    """Return the seconds of ``compute`` for so many pairs of words: the yardstick of what reads no bitmaps."""
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


class Recorder:
    """A test that counts, while a search asks it, the pairs of bitmaps that its tables need at least."""

    def __init__(self, data: Dataset, test: Any = "sci") -> None:
        self.tester = Tester(data, test)
        self.tests_by_size = self.tester.tests_by_size
        self.pairs = 0

    def sweep(self, target: int, candidates: Any, given: Any) -> Any:
        """See ``climbfast.independence.tester.Test``."""
        for y in candidates:
            self._record(target, y, given)
        return self.tester.sweep(target, candidates, given)

    def weakest(self, target: int, candidates: Any, pool: Any, fixed: Any, sizes: Any, known: Any) -> Any:
        """See ``climbfast.independence.tester.Test``: the sets one by one, so that each test made can be recorded."""
        from itertools import combinations

        minima, separators = [float(s) for s in known], [None] * len(candidates)
        for size in sizes:
            for subset in combinations(pool, size):
                for i, y in enumerate(candidates):
                    if separators[i] is None and y not in subset and y not in fixed:
                        given = (*fixed, *subset)
                        self._record(target, y, given)
                        minima[i] = min(minima[i], float(self.tester.sweep(target, (y,), given)[0]))
                        separators[i] = tuple(sorted(given)) if minima[i] <= 0 else None
        return np.array(minima), separators

    def _record(self, x: int, y: int, given: Any) -> None:
        names = self.tester.data.canonical
        strata = test(self.tester.data, names[x], names[y], [names[z] for z in given]).strata
        self.pairs += pairs_of_table(self.tester.data, x, y, strata)


class RecordedScores(LocalScores):
    """Local scores that count the pairs of bitmaps that their tables need at least."""

    def __init__(self, data: Dataset, score: str) -> None:
        super().__init__(data, score)
        self.pairs = 0

    def _count(self, x: int, parents: tuple[int, ...], candidates: Any) -> Any:
        strata = len(np.unique(self.data.codes[list(parents)], axis=1).T) if parents else 1
        self.pairs += sum(pairs_of_table(self.data, x, y, strata) for y in candidates)
        return super()._count(x, parents, candidates)


@dataclass
class Line:
    """One line of the summary: ``work`` units a call, and the seconds of its yardsticks by name."""

    name: str
    benchmark: Any
    work: float
    unit: str
    yardsticks: dict[str, float]

    @property
    def seconds(self) -> float | None:
        """Least seconds of a call, None when benchmarks are disabled."""
        return self.benchmark.stats.stats.min if self.benchmark.stats else None

    def attach(self) -> None:
        """Put rate and shares into the benchmark's ``extra_info``, hence into its JSON."""
        if self.seconds is None:
            return
        self.benchmark.extra_info[f"{self.unit}/s"] = self.work / self.seconds
        for name, seconds in self.yardsticks.items():
            self.benchmark.extra_info[f"share of {name}"] = seconds / self.seconds
