"""How many pairs of bitmaps a search needs at least: the work that the bare loop is given beside it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from bench.shared.roofline import pairs_of_table
from climbfast import Dataset, LocalScores, Tester, test


class PairCountingTest:
    """A test that counts, while a search asks it, the pairs of bitmaps that its tables need at least."""

    def __init__(self, data: Dataset, test: Any = "sci") -> None:
        self.tester = Tester(data, test)
        self.tests_by_size = self.tester.tests_by_size
        self.pairs = 0

    def sweep(self, target: int, candidates: Any, given: Any) -> Any:
        """See ``climbfast.independence.tests.Test``."""
        for y in candidates:
            self._count_pairs(target, y, given)
        return self.tester.sweep(target, candidates, given)

    def weakest(self, target: int, candidates: Any, pool: Any, fixed: Any, sizes: Any, known: Any) -> Any:
        """See ``climbfast.independence.tests.Test``; the sets come one by one, so that each test adds its pairs."""
        minima, separators = [float(s) for s in known], [None] * len(candidates)
        for size in sizes:
            for subset in combinations(pool, size):
                for i, y in enumerate(candidates):
                    if separators[i] is None and y not in subset and y not in fixed:
                        given = (*fixed, *subset)
                        self._count_pairs(target, y, given)
                        minima[i] = min(minima[i], float(self.tester.sweep(target, (y,), given)[0]))
                        separators[i] = tuple(sorted(given)) if minima[i] <= 0 else None
        return np.array(minima), separators

    def _count_pairs(self, x: int, y: int, given: Any) -> None:
        names = self.tester.data.canonical
        strata = test(self.tester.data, names[x], names[y], [names[z] for z in given]).strata
        self.pairs += pairs_of_table(self.tester.data, x, y, strata)


class PairCountingScores(LocalScores):
    """Local scores that count the pairs of bitmaps that their tables need at least."""

    def __init__(self, data: Dataset, score: str) -> None:
        super().__init__(data, score)
        self.pairs = 0

    def _count(self, x: int, parents: tuple[int, ...], candidates: Any) -> Any:
        strata = len(np.unique(self.data.codes[list(parents)], axis=1).T) if parents else 1
        self.pairs += sum(pairs_of_table(self.data, x, y, strata) for y in candidates)
        return super()._count(x, parents, candidates)
