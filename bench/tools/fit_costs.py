"""Fit the constants of the cost model of ``climbfast_kernels.cost_model`` on this machine, and say how well it picks.

``python -m bench.tools.fit_costs``. Every table is timed alone, as the difference between many and one of them in the
same strata; what is left of the one, less an empty call, is the preparation of the strata. The constants are least
squares of the logarithm of model over measurement. Then the time of ``auto`` is set beside that of the best strategy.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.shared.count_tables import count_tables
from bench.shared.factories import uniform
from bench.shared.roofline import least_seconds
from climbfast import ClimbfastWarning, Dataset
from climbfast_kernels import cost_model, workspace

ROWS = (300, 1_000, 3_000, 20_000, 100_000, 500_000)
ARITIES = (2, 3, 4, 8, 16, 32, 64)
GIVEN = range(5)
MANY = 9
SHARING = (1, 6, 30)
TOLERANCE = 1.3
MOST_SECONDS = 0.05  # a table that bitmaps take longer for is never chosen
PER_TEST = "ns per test"  # the same for every strategy, so the model need not have it
CONSTANTS = (
    "NS_PER_WORD", "NS_PER_BITMAP", "NS_PER_CELL", "NS_PER_ROW_DENSE", "NS_PER_ROW_SPARSE",
    "NS_PER_CODE_DENSE", "NS_PER_CODE_SPARSE", PER_TEST,
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """Tables of one shape: ``n_given`` columns of ``arity`` levels, as many for the two that are tested."""

    rows: int
    arity: int
    n_given: int

    @property
    def data(self) -> Dataset:
        return uniform(self.rows, GIVEN[-1] + 2, self.arity)

    @property
    def strata(self) -> float:
        """Those that occur, in uniform data."""
        product = float(self.arity) ** self.n_given
        return product * -np.expm1(-self.rows / product)

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


def equation(case: Case, strategy: str, part: str) -> dict[str, float]:
    """Return how often each constant counts: in one table, or in the preparation of its strata."""
    k, strata, codes = case.arity, case.strata, case.rows * (case.n_given + 1)
    if strategy == "bitmaps":
        bitmaps, cells = strata * k * (k - 1), strata * k * k
        counted = {"NS_PER_WORD": bitmaps * case.words, "NS_PER_BITMAP": bitmaps, "NS_PER_CELL": cells}
    elif strategy == "dense":
        counted = {"NS_PER_ROW_DENSE": case.rows, "NS_PER_CELL": case.cells}
    else:
        counted = {"NS_PER_ROW_SPARSE": case.rows}
    if part == "table":
        return counted | {PER_TEST: 1}
    return {f"NS_PER_CODE_{strategy.upper()}": codes}


def measure(cases: list[Case]) -> tuple[Any, Any]:
    """Return the equations and the nanoseconds of all tables and preparations of 0.2 µs and more."""
    equations, nanoseconds = [], []
    for case in cases:
        for strategy in case.strategies():
            none, one, many = (case.seconds(strategy, tables) for tables in (0, 1, MANY))
            table = (many - one) / (MANY - 1)
            # The preparation of bitmaps stays from call to call; unconditional tables are left out of the fit.
            parts = {"table": table, "preparation": one - none - table} if strategy != "bitmaps" else {"table": table}
            for part, seconds in parts.items():
                if seconds > 2e-7 and case.n_given:
                    counted = equation(case, strategy, part)
                    equations.append([counted.get(name, 0.0) for name in CONSTANTS])
                    nanoseconds.append(seconds * 1e9)
    return np.array(equations), np.array(nanoseconds)


def fit(equations: Any, nanoseconds: Any) -> Any:
    """Minimise Σ log²(model/measured) by Gauss-Newton on the logarithms of the constants, which stay positive."""
    constants = np.array([getattr(cost_model, name, 100.0) for name in CONSTANTS])
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


def main() -> None:
    warnings.simplefilter("ignore", ClimbfastWarning)
    cases = [Case(*shape) for shape in np.array(np.meshgrid(ROWS, ARITIES, GIVEN)).reshape(3, -1).T.tolist()]
    equations, nanoseconds = measure(cases)
    constants = fit(equations, nanoseconds)
    print("fitted, and in use:")
    for name, value in zip(CONSTANTS, constants, strict=True):
        print(f"  {name:18} = {value:6.3f}   {getattr(cost_model, name, np.nan):6.3f}")
    error = np.exp(np.abs(np.log(equations @ constants / nanoseconds)))
    print(f"model and measurement differ by a factor of {np.median(error):.2f} (median)", end="")
    print(f", {np.quantile(error, 0.9):.2f} (9 of 10)")
    picked = slowdowns(cases)
    missed = [each for each in picked if each[0] > TOLERANCE]
    print(f"auto is over {TOLERANCE} times the best strategy in {len(missed)} of {len(picked)} cases:")
    for ratio, name in missed:
        print(f"  {ratio:5.2f}  {name}")


if __name__ == "__main__":
    main()
