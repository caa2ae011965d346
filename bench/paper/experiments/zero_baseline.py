"""The share of one column that an independent one seems to explain, by entropy and by stochastic complexity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import climbfast as cf
from bench.paper.claims import Claim
from bench.paper.experiment import Measurements, Setting
from bench.paper.plots import Figure, Panel

TITLE = "Zero baseline"
SETTINGS = """X with 4 levels and Y with 4⁰ to 4⁵, uniform and independent, 1,000 rows, 100 data sets (quick: 4).
Shown is I/H(X), with I by entropy and by SCI, by the latter in both directions, (SC(X) − SC(X|Y))/H(X) and (SC(Y) −
SC(Y|X))/H(X), and the larger of the two, which is the test; also with all levels of Y declared, those that do not
occur included. A row of the CSV is 10 data sets (quick: 2)."""
ROWS = 1_000
SETS = 10
LEVELS = tuple(4**power for power in range(6))


class Pair(NamedTuple):
    """Two independent columns, and how many levels the second is drawn from."""

    x: NDArray[np.int64]
    y: NDArray[np.int64]
    levels: int

    def data(self, *, declared: bool = False) -> cf.Dataset:
        """Return the columns with the levels that occur, or with all of them."""
        return cf.Dataset.from_frame(
            {"X": self.x, "Y": self.y}, declared_levels={"Y": range(self.levels)} if declared else None
        )


@dataclass(frozen=True)
class ExplainedShare:
    """Stochastic complexity, in one direction or the larger of both, or entropy."""

    of: str
    declared: bool = False

    def __call__(self, pairs: Sequence[Pair]) -> Mapping[str, float]:
        """Return the share of H(X) that is explained, and how often it is above 0, in percent."""
        shares = np.array([self._share(cf.test(pair.data(declared=self.declared), "X", "Y")) for pair in pairs])
        above = 100.0 * float(np.mean(shares > 1e-9))
        return {"share": 100.0 * float(np.mean(shares)), "above_zero": above, "tests": len(pairs)}

    def _share(self, result: cf.TestResult) -> float:
        assert result.sc_x is not None and result.regret_x is not None and result.sc_x_given_y is not None
        assert result.sc_y is not None and result.sc_y_given_x is not None
        gains = {
            "entropy": result.information,
            "SC of X": result.sc_x - result.sc_x_given_y,
            "SC of Y": result.sc_y - result.sc_y_given_x,
        }
        gains["SCI"] = max(gains["SC of X"], gains["SC of Y"])
        return gains[self.of] / (result.sc_x - result.regret_x)


METHODS = {
    "entropy": ExplainedShare("entropy"),
    "SC of X": ExplainedShare("SC of X"),
    "SC of Y": ExplainedShare("SC of Y"),
    "SCI": ExplainedShare("SCI"),
    "SCI, declared levels": ExplainedShare("SCI", declared=True),
}


def data_sets(*, quick: bool) -> Iterator[Setting]:
    """Yield levels of Y, data sets at once and seed."""
    for levels in LEVELS:
        for seed in range(1, 3 if quick else 11):
            yield {"levels": levels, "sets": 2 if quick else SETS, "seed": seed}


def draw(setting: Setting) -> list[Pair]:
    """Draw some data sets."""
    levels, sets, seed = (int(setting[key]) for key in ("levels", "sets", "seed"))
    rng = np.random.default_rng([seed, levels])
    return [Pair(rng.integers(4, size=ROWS), rng.integers(levels, size=ROWS), levels) for _ in range(sets)]


def claims(measured: Measurements) -> list[Claim]:
    """See ``Experiment.claims``."""
    few = [levels for levels in measured.distinct("levels") if levels < ROWS]
    most, least = max(LEVELS), 4
    entropy = {levels: measured.mean("share", method="entropy", levels=levels) for levels in (least, most)}
    above = measured.mean("share", method="SCI", levels=most)
    declared = measured.mean("share", method="SCI, declared levels", levels=most)
    return [
        Claim(
            "SCI of independent columns is at most 0 with fewer levels than rows (data sets above 0)",
            measured.mean("above_zero", method="SCI", levels=few), 0, "<=",
        ),
        Claim(
            f"SCI of independent columns is at most 0 with {most:,} levels, more than rows (data sets above 0)",
            measured.mean("above_zero", method="SCI", levels=most), 0, "<=", order=above < entropy[most],
            compared="SCI below entropy",
            why=f"nearly every row has a different level, and given X the regret of Y shrinks: {above:.1f} % of H(X) "
            f"remain, {declared:.1f} % with levels declared that do not occur; climbfast warns of such columns.",
        ),
        Claim(
            f"By entropy an independent column explains more, the more levels it has ({most:,} levels)", entropy[most],
            order=entropy[most] > entropy[least], compared=f"{most:,} levels above {least}",
        ),
    ]  # fmt: skip


def figures(measured: Measurements) -> list[Figure]:
    """See ``Experiment.figures``."""
    curves = {name: measured.curve("share", "levels", method=name) for name in METHODS}
    panel = Panel("X and Y independent, 1,000 rows", "levels of Y", "I / H(X), %", curves, logarithmic="x")
    return [Figure("zero_baseline", "What an independent column seems to explain; 0 would be right.", [panel], 4.6)]
