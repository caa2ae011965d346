"""One test on one data set: ``sweep`` and ``weakest`` by the compiled kernels, and the count of the tests made."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from climbfast.activity import count_work
from climbfast.compiling import announce_compilation
from climbfast.counting import COUNTING, WorkspaceCache, check_counting
from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import Option, OptionError
from climbfast.independence.tests import CMI, SCI, Separator, Test, TestOptions, as_test, is_custom
from climbfast.interrupts import raise_if_interrupted

if TYPE_CHECKING:
    from climbfast_kernels.independence import Rule
    from climbfast_kernels.patterns import Queries, Sweeps
    from climbfast_kernels.workspace import Workspace

__all__ = ["Tester", "as_tester", "column_array", "list_bounds", "without_copies"]

CHANCE = 0.01  # probability with which SCI(min_bits="auto") lets a target keep some independent column, per direction


class Tester:
    """One test on one data set, with counters. One object serves one thread.

    Parameters
    ----------
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    test : str or SCI or G2 or X2 or CMI
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The strategy of counting; all give the same integers, "auto" takes the cheapest for each table.

    Attributes
    ----------
    tests_by_size : list of int
        Number of tests made so far, by the number of given columns.
    skipped : int
        Number of tests not made for too few rows per degree of freedom, or for none.
    fewest_rows : int
        Smallest number of rows of a test made; that of the data unless cells are missing.
    has_gaps : bool
        Whether cells are missing.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> tester = cf.Tester(data)
    >>> target, *others = [data.index(name) for name in ("heart_disease", "chest_pain", "cholesterol")]
    >>> tester.sweep(target, others, given=()).round(1).tolist()
    [490.0, 175.5]
    >>> tester
    <Tester: sci, 2,000 rows, 15 columns, 2 tests made>
    """

    def __init__(self, data: Dataset | Any, test: str | TestOptions = "sci", *, counting: str = "auto") -> None:
        self.data = as_dataset(data)
        self.strategy = check_counting(counting)
        self.test = as_test(test)
        self.tests_by_size: list[int] = []
        self.skipped, self.fewest_rows = 0, self.data.rows
        self.has_gaps = bool(self.data.incomplete.any())
        self.workspace = WorkspaceCache(self.data).for_given
        announce_compilation()

    def __repr__(self) -> str:
        size = f"{self.data.rows:,} rows, {self.data.columns:,} columns"
        return f"<Tester: {self.test.name}, {size}, {sum(self.tests_by_size):,} tests made>"

    @cached_property
    def rule(self) -> Rule:
        """The test as the kernels know it."""
        from climbfast_kernels import independence as kernels

        kind = getattr(kernels, self.test.name.upper())
        threshold, min_bits, adjusted, min_rows_per_df = self.test._rule(self.data.rows)
        # numba compiles everything again for a rule that holds an int where others have a float.
        return kernels.Rule(kind, float(threshold), float(min_bits), adjusted, float(min_rows_per_df))

    @cached_property
    def marginal_rule(self) -> Rule:
        """The rule of marginal tests; it differs only for ``SCI(min_bits="auto")``."""
        if getattr(self.test, "min_bits", 0.0) != "auto":
            return self.rule
        bits = math.log2(max(self.data.columns - 1, 1) / CHANCE)
        return self.rule._replace(threshold=bits, min_bits=bits)

    def sweep(self, target: int, candidates: Sequence[int], given: Sequence[int]) -> NDArray[np.float64]:
        """See ``Test.sweep``."""
        from climbfast_kernels.patterns import sweep

        rule = self.rule if len(given) else self.marginal_rule
        counted = self.without_copies(given)
        work = self._count_rows_anew(self.workspace(len(counted)))
        strengths, skipped = sweep(
            self.data.codes, self.data.bits, self.data.log_tables, work, rule, self.strategy, target,
            column_array(candidates), column_array(counted),
        )  # fmt: skip
        if self.has_gaps:
            self._count_rows_in(work)
        skipped = int(skipped)  # a scalar of numpy from interpreted kernels
        self.count(len(given), len(candidates) - skipped)
        self.skipped += skipped
        return np.asarray(strengths)

    def sweep_uncounted(self, target: int, candidates: Sequence[int]) -> NDArray[np.float64]:
        """Return what ``sweep`` does given nothing, without counting the tests and their rows."""
        from climbfast_kernels.patterns import sweep

        columns = column_array(candidates)
        strengths, _ = sweep(
            self.data.codes, self.data.bits, self.data.log_tables, self.workspace(0), self.marginal_rule, self.strategy,
            target, columns, columns[:0],
        )  # fmt: skip
        return np.asarray(strengths)

    def sweep_each(self, sweeps: Sequence[tuple[int, Sequence[int], Sequence[int]]]) -> list[NDArray[np.float64]]:
        """Run many sweeps in one call.

        Parameters
        ----------
        sweeps : sequence of (int, sequence of int, sequence of int)
            Target, candidates, and given columns, at least one in each.

        Returns
        -------
        list of float64 arrays
            What ``sweep`` would return for each.
        """
        many = self.pack_sweeps(sweeps)
        strengths, made, rows, _ = self.make_sweeps(many)
        self.count_sweeps(many, [len(given) for _, _, given in sweeps], made, rows)
        return [strengths[begin:end] for begin, end in pairwise(many.first.tolist())]

    def sweep_all(self, sweeps: Sweeps) -> NDArray[np.float64]:
        """Run many sweeps, given as the kernels take them, with at least one given column in each.

        Returns
        -------
        float64 array, shape (tests,)
            The strength of each test.
        """
        many = sweeps
        if self._first_of_copies:
            given = [self.without_copies(columns) for columns in _lists(sweeps.given, sweeps.first_given)]
            many = sweeps._replace(first_given=list_bounds(given), given=_joined(given))
        strengths, made, rows, _ = self.make_sweeps(many)
        self.count_sweeps(many, np.diff(sweeps.first_given), made, rows)
        return strengths

    def pack_sweeps(self, sweeps: Sequence[tuple[Any, ...]]) -> Sweeps:
        """Return many sweeps as the kernels take them; each begins with a target, candidates and given columns."""
        from climbfast_kernels.patterns import Sweeps

        candidates, given = [each[1] for each in sweeps], [self.without_copies(each[2]) for each in sweeps]
        targets = column_array([each[0] for each in sweeps])
        return Sweeps(targets, list_bounds(candidates), _joined(candidates), list_bounds(given), _joined(given))

    def make_sweeps(self, sweeps: Sweeps, *, only_strongest: bool = False) -> tuple[NDArray[Any], ...]:
        """Make the tests of many sweeps without counting them; the kernel ``sweep_each`` says what is returned."""
        from climbfast_kernels.patterns import sweep_each

        data, work = self.data, self.workspace(int(np.diff(sweeps.first_given).max(initial=0)))
        arrays = sweep_each(
            data.codes, data.bits, data.log_tables, work, self.rule, self.strategy, sweeps, int(only_strongest)
        )
        raise_if_interrupted()
        return tuple(map(np.asarray, arrays))

    def count_sweeps(
        self, sweeps: Sweeps, sizes: Sequence[int] | NDArray[np.int64], made: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> tuple[list[int], list[int]]:
        """Count the tests that ``make_sweeps`` has made, and their rows.

        Parameters
        ----------
        sweeps : Sweeps
        sizes : int array, shape (sweeps,)
            Number of given columns of each sweep, with copies.
        made, rows : int64 arrays, shape (tests,)
            What ``make_sweeps`` returned.

        Returns
        -------
        tests, fewest_rows : list of int
            Of each sweep the number of tests made, and the smallest number of rows of one of them.
        """
        data, first = self.data, sweeps.first
        tests = np.diff(np.append(0, np.cumsum(made))[first])
        for size, of_size in enumerate(np.bincount(sizes, weights=tests).tolist()):
            self.count(size, int(of_size))
        self.skipped += len(made) - int(tests.sum())
        fewest = [data.rows] * len(tests)
        if self.has_gaps:
            varying = (data.arity[sweeps.candidates] > 1) & (np.repeat(data.arity[sweeps.target], np.diff(first)) > 1)
            rows = np.where((made == 1) & varying, rows, data.rows)
            fewest = [int(rows[begin:end].min(initial=data.rows)) for begin, end in pairwise(first.tolist())]
            self.count_rows(min(fewest, default=data.rows))
        return tests.tolist(), fewest

    def weakest(
        self,
        target: int,
        candidates: Sequence[int],
        pool: Sequence[int],
        fixed: Sequence[int],
        sizes: range,
        known: Sequence[float] | NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], list[Separator | None]]:
        """See ``Test.weakest``."""
        from climbfast_kernels.patterns import weakest_around

        minima = np.asarray(known, dtype=np.float64)
        if not len(candidates) or not len(sizes):
            return minima.copy(), [None] * len(candidates)
        if self.marginal_rule is not self.rule and sizes[0] == 0 and not len(fixed):
            return self._weakest_from_marginal(target, candidates, pool, sizes, minima)
        if len(self.without_copies([*fixed, *pool])) < len(fixed) + len(pool):
            return self._weakest_set_by_set(target, candidates, pool, fixed, sizes, minima)
        data, largest = self.data, min(sizes[-1], len(pool))
        work = self._count_rows_anew(self.workspace(len(fixed) + largest))
        strengths, separated, separators, tests, skipped = weakest_around(
            data.codes, data.bits, data.log_tables, work, self.rule, self.strategy, target, column_array(candidates),
            column_array(pool), column_array(fixed), sizes[0], largest, minima,
        )  # fmt: skip
        if self.has_gaps:
            self._count_rows_in(work)
        for size in np.flatnonzero(tests):
            self.count(int(size), int(tests[size]))
        self.skipped += int(skipped)  # a scalar of numpy from interpreted kernels
        return np.asarray(strengths), [
            tuple(sorted([*fixed, *(s for s in row if s >= 0)])) if left else None
            for left, row in zip(separated.tolist(), separators.tolist(), strict=True)
        ]

    def weakest_each(
        self,
        queries: Queries,
        size: int,
        strengths: NDArray[np.float64],
        separated: NDArray[np.bool_],
        separators: NDArray[np.int64],
    ) -> None:
        """Run many queries given sets of one size, at least 1, see the kernel; copies are as other columns.

        Parameters
        ----------
        strengths, separated, separators : arrays, shapes (pairs,), (pairs,) and (pairs, size)
            By number of pair: the minima so far, and what is found, set in place.
        """
        from climbfast_kernels.patterns import weakest_each

        data, work = self.data, self._count_rows_anew(self.workspace(size))
        tests, skipped = weakest_each(
            data.codes, data.bits, data.log_tables, work, self.rule, self.strategy, queries, column_array(()), size,
            size, strengths, separated, separators,
        )  # fmt: skip
        if self.has_gaps:
            self._count_rows_in(work)
        self.count(size, int(tests[size]))
        self.skipped += int(skipped)  # a scalar of numpy from interpreted kernels

    @property
    def counts_copies_once(self) -> bool:
        """Whether given copies would change a figure, so that each counts once."""
        return bool(self._first_of_copies)

    def _weakest_from_marginal(
        self, target: int, candidates: Sequence[int], pool: Sequence[int], sizes: range, known: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], list[Separator | None]]:
        """Make the marginal test by its own rule, then the conditional ones."""
        minima = np.minimum(known, self.sweep(target, candidates, ()))
        separators: list[Separator | None] = [None if strength > 0 else () for strength in minima]
        left = [i for i, separator in enumerate(separators) if separator is None]
        further, found = self.weakest(
            target, [candidates[i] for i in left], pool, (), range(1, sizes.stop), minima[left]
        )
        minima[left] = further
        for i, separator in zip(left, found, strict=True):
            separators[i] = separator
        return minima, separators

    def _weakest_set_by_set(
        self,
        target: int,
        candidates: Sequence[int],
        pool: Sequence[int],
        fixed: Sequence[int],
        sizes: range,
        known: NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], list[Separator | None]]:
        """Sweep given one set after the other, each without its copies."""
        minima = known.copy()
        separators: list[Separator | None] = [None] * len(candidates)
        for given in chain.from_iterable(combinations(pool, size) for size in sizes):
            columns = (*fixed, *given)
            left = [i for i, x in enumerate(candidates) if separators[i] is None and x not in columns]
            strengths = self.sweep(target, [candidates[i] for i in left], columns)
            minima[left] = np.minimum(minima[left], strengths)
            for i, strength in zip(left, strengths, strict=True):
                if strength <= 0:
                    separators[i] = tuple(sorted(columns))
            if None not in separators:
                break
        return minima, separators

    def without_copies(self, given: Sequence[int]) -> Sequence[int]:
        """Return the given columns without the copies of earlier ones, where these would change a figure.

        They make no stratum more, but would multiply nominal degrees of freedom.
        """
        if not self._first_of_copies:
            return given
        kept: dict[int, int] = {}
        for column in given:
            kept.setdefault(self._first_of_copies.get(column, column), column)
        return tuple(kept.values())

    @cached_property
    def _first_of_copies(self) -> dict[int, int]:
        """For each column that is one-to-one with others, the first of them; empty unless df is "nominal"."""
        if getattr(self.test, "df", "adjusted") != "nominal":
            return {}
        groups = ([self.data.index(name) for name in group] for group in self.data.one_to_one)
        return {column: group[0] for group in groups for column in group}

    def rows_per_cell(self, target: int, candidate: int, given: Sequence[int]) -> float:
        """Return the rows that one test can use over the cells of its table, occupied or not."""
        columns = [x for x in (target, candidate, *given) if self.data.incomplete[x]]
        rows = self.data.rows
        if columns:
            rows = self.data.rows_where((self.data.codes[columns] != self.data.arity[columns, None]).all(axis=0))
        return rows / math.prod(float(self.data.arity[x]) for x in (target, candidate, *given))

    @property
    def log10_alpha(self) -> float:
        """Significance level that a search with many tests controls; 0.01 for SCI, which has none."""
        return math.log10(getattr(self.test, "alpha", 0.01))

    def log10_p(self, strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return log10 p for strengths of this test; for SCI the bound 2·2^−bits of no-hypercompression.

        Raises
        ------
        OptionError
            For CMI, which knows no p-value, and for SCI with a bar that depends on what is given.
        """
        if isinstance(self.test, CMI):
            raise OptionError("cmi has no p-value; take sci, g2 or x2")
        if isinstance(self.test, SCI):
            if self.test.min_bits == "auto":
                raise OptionError(
                    "iamb-fdr controls false discoveries itself and takes no ", Option("min_bits", "auto")
                )
            return np.minimum(0.0, (1 - (strengths + self.rule.threshold)) * math.log10(2))
        return self.rule.threshold - strengths

    def forget_rows(self) -> None:
        """Set ``fewest_rows`` to the number of rows of the data again."""
        self.fewest_rows = self.data.rows

    def count_rows(self, rows: int) -> None:
        """Note the number of rows of a test that a kernel has made."""
        self.fewest_rows = min(self.fewest_rows, rows)

    def _count_rows_anew(self, work: Workspace) -> Workspace:
        if self.has_gaps:
            from climbfast_kernels.workspace import S_FEWEST

            work.state[S_FEWEST] = self.data.rows
        return work

    def _count_rows_in(self, work: Workspace) -> None:
        from climbfast_kernels.workspace import S_FEWEST

        self.count_rows(int(work.state[S_FEWEST]))

    def count(self, size: int, tests: int) -> None:
        """Count tests of a size of given columns, which a kernel has made."""
        if tests:
            self.tests_by_size.extend([0] * (size + 1 - len(self.tests_by_size)))
            self.tests_by_size[size] += tests
            count_work("tests", tests)
        raise_if_interrupted()


Tester.__test__ = False  # type: ignore[attr-defined]  # pytest collects classes whose names begin with Test


def as_tester(
    data: Dataset, test: str | TestOptions | Test, *, counting: str = "auto", min_bits: float | str | None = None
) -> Test:
    """Return a test on these data: a custom test as it is, or a ``Tester``.

    Raises
    ------
    OptionError
        For an option outside its legal values, one that a custom test has no use for, and a tester of other data.
    """
    if not is_custom(test):
        return Tester(data, as_test(cast("str | TestOptions", test), min_bits=min_bits), counting=counting)
    if isinstance(test, Tester) and test.data is not data and test.data.fingerprint != data.fingerprint:
        raise OptionError("the Tester given as test is of other data")
    if counting != "auto":
        raise OptionError("a custom test does not take ", Option("counting"))
    if min_bits is not None:
        raise OptionError("a custom test does not take ", Option("min_bits"))
    return cast(Test, test)


def without_copies(data: Dataset, test: str | TestOptions | Test) -> tuple[Dataset, str | TestOptions | Test]:
    """Return the data of which one of several copies is left, and the test on them.

    A custom test knows the columns as they are, so for it they stay; a ``Tester`` is made anew.
    """
    if isinstance(test, Tester):
        if test.data is not data and test.data.fingerprint != data.fingerprint:
            return data, test  # which ``as_tester`` refuses
        searched = data.without_copies
        return searched, test if searched is data else Tester(searched, test.test, counting=COUNTING[test.strategy])
    return (data if is_custom(test) else data.without_copies), test


def column_array(columns: Sequence[int]) -> NDArray[np.int64]:
    """Return columns as the kernels take them."""
    return np.array(columns, dtype=np.int64)


def list_bounds(lists: Iterable[Sequence[int]]) -> NDArray[np.int64]:
    """Return where each list begins when they are joined, and the end."""
    return np.cumsum([0, *map(len, lists)], dtype=np.int64)


def _joined(lists: Iterable[Sequence[int]]) -> NDArray[np.int64]:
    return column_array(list(chain(*lists)))


def _lists(joined: NDArray[np.int64], first: NDArray[np.int64]) -> list[list[int]]:
    """Return the lists that were joined, of which ``first`` says where each begins."""
    return [joined[begin:end].tolist() for begin, end in pairwise(first.tolist())]
