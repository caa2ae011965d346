"""Fit the constants of the cost model of ``climbfast_kernels.cost_model`` on this machine, and say how well it picks.

``python -m bench.tools.fit_costs``. Every table is timed alone, as the difference between many and one of them in the
same strata; what is left of the one, less an empty call, is the preparation of the strata. So are tables of distinct
rows that are held (``distinct``), and of groups that many candidates share (``shared_strata``). The constants are least
squares of the logarithm of model over measurement. Then the time of ``auto`` is set beside that of the best strategy,
and the two ways that a threshold chooses between are set beside each other.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.shared.count_tables import count_tables
from bench.shared.factories import uniform
from bench.shared.roofline import least_seconds
from climbfast import ClimbfastWarning, Dataset, Tester
from climbfast_kernels import cost_model, counts_by_bitmaps, distinct, pair_bounds, shared_strata, workspace
from climbfast_kernels.bits import ROWS_AT_ONCE
from climbfast_kernels.independence import SCI

ROWS = (300, 1_000, 3_000, 20_000, 100_000, 500_000)
ARITIES = (2, 3, 4, 8, 16, 32, 64)
GIVEN = range(5)
MANY = 9
SHARING = (1, 6, 30)
TOLERANCE = 1.3
MOST_SECONDS = 0.05  # a table that bitmaps take longer for is never chosen
HELD = np.arange(6)  # columns of which the distinct rows are held
ROWS_PER_DISTINCT_ROW = 30  # with more of them, holding these takes so long that the tables are lost in its noise
FEW = shared_strata.FEWEST_SHARING  # candidates with which strata are shared for sure, and few
PER_TEST = "ns per test"  # the same for every strategy, so the model need not have it
CONSTANTS = (
    "NS_PER_WORD", "NS_PER_BITMAP", "NS_PER_CELL", "NS_PER_COUNT", "NS_PER_ROW_DENSE", "NS_PER_ROW_HELD",
    "NS_PER_ROW_SPARSE", "NS_PER_CODE_DENSE", "NS_PER_CODE_SPARSE", "NS_PER_ROW_DISTINCT", "NS_PER_ROW_SHARED",
    "NS_PER_WORD_SHARED", PER_TEST,
)  # fmt: skip
Part = tuple[dict[str, float], float]  # how often each constant counts, and the seconds


@dataclass(frozen=True)
class Case:
    """Tables of one shape: ``n_given`` columns of ``arity`` levels, as many for the two that are tested."""

    rows: int
    arity: int
    n_given: int

    @property
    def data(self) -> Dataset:
        return uniform(self.rows, GIVEN[-1] + 1 + shared_strata.CANDIDATES_AT_ONCE, self.arity)

    @property
    def strata(self) -> float:
        return self.occurring(self.n_given)

    def occurring(self, columns: int) -> float:
        """Return the configurations of some columns that occur, in uniform data."""
        product = float(self.arity) ** columns
        return float(product * -np.expm1(-self.rows / product))

    @property
    def cells(self) -> int:
        return int(self.arity ** (self.n_given + 2))

    @property
    def words(self) -> int:
        return int(self.data.bits.words.shape[1])

    def strategies(self) -> list[str]:
        """Return the strategies that count such a table in reasonable time and memory."""
        strategies = ["sparse"]
        if self.cells <= min(max(4096, 2 * self.rows), workspace.MOST_CELLS):
            strategies.append("dense")
            if self.strata * self.arity**2 * self.words * 1e-9 < MOST_SECONDS:
                strategies.append("bitmaps")
        return strategies

    def seconds(self, strategy: str, n_tables: int) -> float:
        return least_seconds(count_tables(self.data, strategy, self.n_given, n_tables), rounds=5)

    def parts(self) -> Iterator[Part]:
        """Measure all tables and preparations; unconditional ones are left out of the fit."""
        for strategy in self.strategies() if self.n_given else ():
            none, one, many = (self.seconds(strategy, tables) for tables in (0, 1, MANY))
            table = (many - one) / (MANY - 1)
            yield equation(self, strategy) | {PER_TEST: 1}, table
            if strategy != "bitmaps":  # whose preparation stays from call to call
                yield {f"NS_PER_CODE_{strategy.upper()}": self.rows * (self.n_given + 1)}, one - none - table
            if strategy == "bitmaps":
                yield from shared_parts(self)
            most = self.rows // workspace.LEAST_ROWS_PER_DISTINCT_ROW
            if strategy == "dense" and self.occurring(len(HELD)) <= most:
                yield from held_parts(self)


def equation(case: Case, strategy: str) -> dict[str, float]:
    """Return how often each constant counts in one table."""
    k, filled = case.arity, case.occurring(case.n_given + 1)
    if strategy == "bitmaps":
        bitmaps = filled * (k - 1)
        return {"NS_PER_WORD": bitmaps * case.words, "NS_PER_BITMAP": bitmaps, "NS_PER_COUNT": filled * k}
    if strategy == "dense":
        return {"NS_PER_ROW_DENSE": case.rows, "NS_PER_CELL": case.cells}
    return {"NS_PER_ROW_SPARSE": case.rows}


def held_parts(case: Case) -> Iterator[Part]:
    """Hold the distinct rows, and count tables of them."""
    data, work = case.data, Tester(case.data).workspace(case.n_given)
    most, rows = len(work.weight), case.occurring(len(HELD))

    def hold() -> None:
        distinct.hold_distinct_rows(data.codes, data.bits, work, HELD, most)

    def hold_and_count(n_tables: int) -> float:
        count = count_tables(data, "dense", case.n_given, n_tables, work)

        def both() -> None:
            hold()
            count()

        return least_seconds(both, rounds=15)

    yield {"NS_PER_ROW_DISTINCT": case.rows, "NS_PER_CODE_DENSE": case.rows * len(HELD)}, least_seconds(hold)
    if case.rows <= ROWS_PER_DISTINCT_ROW * rows:
        counted = {"NS_PER_ROW_HELD": rows, "NS_PER_CELL": case.cells, PER_TEST: 1.0}
        yield counted, (hold_and_count(MANY) - hold_and_count(1)) / (MANY - 1)


def shared_parts(case: Case) -> Iterator[Part]:
    """Count the groups of one (target, given), row by row and by bitmaps."""
    data, work, given = case.data, Tester(case.data).workspace(case.n_given), np.arange(1, case.n_given + 1)
    shared, table, kind = work.by_stratum, work.table, np.int64(SCI)
    workspace.open_strata(work, given, case.n_given)
    _, strata, groups, *_ = shared_strata._divide_rows(data.codes, data.bits, work, 0, kind)

    def count_rows(n_strata: int) -> None:
        level, end = data.codes[case.n_given + 1], np.int64(n_strata)
        shared_strata._count_rows(level, shared, case.arity, np.int64(0), end, table)

    if groups * case.arity <= len(table):
        seconds = least_seconds(lambda: count_rows(strata)) - least_seconds(lambda: count_rows(0))
        yield {"NS_PER_ROW_SHARED": float(shared[workspace.FIRST_ROW, strata])}, seconds
    if not counts_by_bitmaps.prepare_bitmaps(data.bits, work, 0):
        return
    _, _, groups = shared_strata._list_groups(work, kind)
    n = min(len(table) // (groups * case.arity), shared_strata.CANDIDATES_AT_ONCE)

    def count_bitmaps(n_candidates: int) -> None:
        candidates = np.arange(n_candidates) + case.n_given + 1
        shared_strata._count_by_bitmaps(data.bits, work, candidates, case.arity, groups)

    # A block of longer bitmaps leaves the nearest cache, and then by rows is faster in most strata.
    if n > 1 and case.words * ROWS_AT_ONCE <= shared_strata.WORDS_AT_ONCE:
        seconds = least_seconds(lambda: count_bitmaps(n)) - least_seconds(lambda: count_bitmaps(1))
        bitmaps = float(groups * (case.arity - 1))
        yield {"NS_PER_WORD_SHARED": bitmaps * case.words, "NS_PER_BITMAP": bitmaps}, seconds / (n - 1)


def measure(cases: list[Case]) -> tuple[Any, Any]:
    """Return the equations and the nanoseconds of all tables and preparations of 0.2 µs and more."""
    parts = [part for case in cases for part in case.parts() if part[1] > 2e-7]
    equations = [[counted.get(name, 0.0) for name in CONSTANTS] for counted, _ in parts]
    return np.array(equations), np.array([1e9 * seconds for _, seconds in parts])


def in_use(name: str) -> float:
    """Return the value that a constant has in the kernels."""
    values = [getattr(module, name, None) for module in (cost_model, distinct, shared_strata)]
    return next((float(value) for value in values if value is not None), 100.0)


def fit(equations: Any, nanoseconds: Any) -> Any:
    """Minimise Σ log²(model/measured) by Gauss-Newton on the logarithms of the constants, which stay positive."""
    constants = np.array([in_use(name) for name in CONSTANTS])
    for _ in range(100):
        terms = equations * constants
        model = terms.sum(axis=1)
        step, *_ = np.linalg.lstsq(terms / model[:, None], np.log(nanoseconds / model), rcond=None)
        constants *= np.exp(np.clip(step, -0.5, 0.5))
    return constants


def slowdowns(cases: list[Case]) -> list[tuple[float, str]]:
    """Return the time of auto over that of the best strategy, and a line about it, the largest first."""
    found = []
    for case in cases:
        if len(case.strategies()) == 1:
            continue
        for sharing in SHARING:
            forced = {strategy: case.seconds(strategy, sharing) for strategy in case.strategies()}
            auto = case.seconds("auto", sharing)
            best = min(forced, key=lambda strategy: forced[strategy])
            name = f"{case.rows:7} rows, arity {case.arity:2}, {case.n_given} given, {sharing:2} sharing"
            each = ", ".join(f"{strategy} {1e6 * seconds:.1f}" for strategy, seconds in forced.items())
            found.append((auto / forced[best], f"{name}: auto {1e6 * auto:.1f} µs; {each}"))
    return sorted(found, reverse=True)


def fewest_sharing(case: Case) -> float:
    """Return the number of candidates from which they take less time in shared strata than one by one."""
    tester, given = Tester(case.data), range(1, case.n_given + 1)

    def share(n: int) -> float:
        sweeps = tester.pack_sweeps([(0, [case.n_given + 1] * n, given)] if n else [])
        return least_seconds(lambda: tester.make_sweeps(sweeps))

    none, some, many = (share(n) for n in (0, FEW, MANY))
    shared = (many - some) / (MANY - FEW)
    alone = (case.seconds("auto", MANY) - case.seconds("auto", 1)) / (MANY - 1)
    before = some - none - FEW * shared  # the preparation
    before_alone = case.seconds("auto", 1) - case.seconds("auto", 0) - alone
    return max(1.0, (before - before_alone) / (alone - shared)) if alone > shared else np.inf


def seconds_of_bound(case: Case) -> float:
    """Return the time of a bound of ``pair_bounds`` that is not cut short."""
    data, tester = case.data, Tester(case.data)
    table = tester.workspace(1).table

    def bound(n: int) -> float:
        known, flags, information = np.ones(n), np.zeros((2, n), np.bool_), np.full(n, np.int64(1) << 50)
        arguments = tester.rule, 0, np.arange(2, n + 2), 1, known, flags[0], information, flags[1]
        return least_seconds(lambda: pair_bounds.find_surely_above(data.bits, data.log_tables, table, *arguments))

    return (bound(MANY) - bound(1)) / (MANY - 1)


def show_thresholds() -> None:
    """Print the times between which FEWEST_SHARING and FEWEST_BITMAPS choose."""
    print(f"candidates from which sharing strata takes less time, FEWEST_SHARING = {shared_strata.FEWEST_SHARING}:")
    for given in GIVEN[1:]:
        fewest = [fewest_sharing(Case(rows, k, given)) for rows in ROWS[1:4] for k in ARITIES[:3]]
        print(f"  {given} given: {np.median(fewest):.1f} (median), {min(fewest):.1f} to {max(fewest):.1f}")
    print(f"a bound and a table given one column, in ns, FEWEST_BITMAPS = {pair_bounds.FEWEST_BITMAPS}:")
    for case in (Case(rows, k, 1) for rows in ROWS[1:4] for k in ARITIES[:4]):
        table = (case.seconds("auto", MANY) - case.seconds("auto", 1)) / (MANY - 1)
        bound = seconds_of_bound(case)
        print(f"  {case.rows:7} rows, {case.arity**2:2} bitmaps: {1e9 * bound:6.0f} {1e9 * table:6.0f}")


def main() -> None:
    warnings.simplefilter("ignore", ClimbfastWarning)
    cases = [Case(*shape) for shape in np.array(np.meshgrid(ROWS, ARITIES, GIVEN)).reshape(3, -1).T.tolist()]
    equations, nanoseconds = measure(cases)
    constants = fit(equations, nanoseconds)
    print("fitted, and in use:")
    for name, value in zip(CONSTANTS, constants, strict=True):
        print(f"  {name:19} = {value:6.3f}   {in_use(name):6.3f}")
    error = np.exp(np.abs(np.log(equations @ constants / nanoseconds)))
    print(f"model and measurement differ by a factor of {np.median(error):.2f} (median)", end="")
    print(f", {np.quantile(error, 0.9):.2f} (9 of 10)")
    picked = slowdowns(cases)
    missed = [each for each in picked if each[0] > TOLERANCE]
    print(f"auto is over {TOLERANCE} times the best strategy in {len(missed)} of {len(picked)} cases:")
    for ratio, name in missed:
        print(f"  {ratio:5.2f}  {name}")
    show_thresholds()


if __name__ == "__main__":
    main()
