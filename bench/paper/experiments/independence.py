"""Tests of independence on a graph whose d-separations are known, over sample size and noise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import climbfast as cf
from bench.paper.claims import Claim
from bench.paper.experiment import Measurements, Setting
from bench.paper.plots import Figure, Panel

TITLE = "Independence"
SETTINGS = """F → D, F → E, (D, E) → T; four levels each; D and E are bijections of F, T = (D + E) mod 4, and in D, E
and T a value is replaced by a uniform draw with the probability that is called noise. Accuracy is the mean of "F ⫫ T
given D, E is found" and "neither D ⫫ T given E, F nor E ⫫ T given D, F is found". G² with α = 0.01 and ten rows per
degree of freedom, CMI with the cut-off 0; 200 data sets of each size and noise, 20 in a row of the CSV (quick: 10,
and 5)."""
LEVELS = 4
SETS = 20
ROWS = (100, 250, 500, 1_000, 1_500, 2_000, 2_500)
NOISE = tuple(tenth / 10 for tenth in range(11))


@dataclass(frozen=True)
class Verdicts:
    """A test, asked for the three independences of the graph."""

    test: cf.SCI | cf.G2 | cf.CMI

    def __call__(self, data_sets: Sequence[cf.Dataset]) -> Mapping[str, float]:
        """Return percentages of the data sets, and the information of the independent pair in bits per row."""
        found = [
            [cf.test(data, x, "T", tuple(given), self.test) for x, given in (("F", "DE"), ("D", "EF"), ("E", "DF"))]
            for data in data_sets
        ]
        true = [f.independent for f, _, _ in found]
        none_false = [not d.independent and not e.independent for _, d, e in found]
        return {
            "accuracy": 50.0 * float(np.mean(true) + np.mean(none_false)),
            "independent": 100.0 * float(np.mean([result.independent for three in found for result in three])),
            "information": float(np.mean([f.information / f.rows for f, _, _ in found])),
            "tests": 3 * len(data_sets),
        }


METHODS = {
    "SCI": Verdicts(cf.SCI()),
    "G²": Verdicts(cf.G2(alpha=0.01, df="nominal", min_rows_per_df=10)),
    "CMI": Verdicts(cf.CMI(cutoff=0)),
}


def data_sets(*, quick: bool) -> Iterator[Setting]:
    """Yield rows, noise, data sets at once and seed."""
    for rows in (100, 1_000, 2_500) if quick else ROWS:
        for noise in NOISE[::2] if quick else NOISE:
            for seed in range(1, 3 if quick else 11):
                yield {"rows": rows, "noise": noise, "sets": 5 if quick else SETS, "seed": seed}


def draw(setting: Setting) -> list[cf.Dataset]:
    """Draw some data sets of one size and noise."""
    rows, noise, sets, seed = (setting[key] for key in ("rows", "noise", "sets", "seed"))
    rng = np.random.default_rng([int(seed), int(rows), round(10 * float(noise))])
    return [_data_set(rng, int(rows), float(noise)) for _ in range(int(sets))]


def _data_set(rng: np.random.Generator, rows: int, noise: float) -> cf.Dataset:
    def noisy(values: np.ndarray) -> np.ndarray:
        return np.where(rng.random(rows) < noise, rng.integers(LEVELS, size=rows), values)

    f = rng.integers(LEVELS, size=rows)
    d, e = (noisy(rng.permutation(LEVELS)[f]) for _ in "DE")
    return cf.Dataset.from_frame({"F": f, "D": d, "E": e, "T": noisy((d + e) % LEVELS)})


def claims(measured: Measurements) -> list[Claim]:
    """See ``Experiment.claims``."""
    most, some = max(measured.distinct("rows")), [noise for noise in measured.distinct("noise") if 0 < noise < 0.7]
    few = [rows for rows in measured.distinct("rows") if rows < 1_500]
    noisy = [noise for noise in measured.distinct("noise") if noise > 0]
    sci, g2, cmi = (measured.mean("accuracy", method=name, rows=most, noise=some) for name in METHODS)
    least = min(measured.mean("accuracy", method="SCI", rows=most, noise=noise) for noise in some)
    information = min(measured.mean("information", method="CMI", noise=noise) for noise in noisy)
    return [
        Claim(
            f"SCI is near 100 % below 70 % noise (at {most:,} rows, the mean over the noise)", sci, 100,
            order=sci > g2, compared="SCI above G²",
            why=f"it falls off with the noise, to {least:.1f} % at {100 * max(some):.0f} %.",
        ),
        Claim(
            "Without noise SCI has 50 %", measured.mean("accuracy", method="SCI", noise=0), 50,
            why="D and E determine each other.",
        ),
        Claim(
            "G² with ten rows per degree of freedom says independent below 1,500 rows",
            measured.mean("independent", method="G²", rows=few), 100,
            why="A test here has 144 degrees of freedom, and takes 1,440 rows.",
        ),
        Claim(
            f"CMI with the cut-off 0 is near random (at {most:,} rows)",
            cmi, 50, order=cmi < min(sci, g2), compared="CMI below SCI and G²",
            why="it calls all pairs dependent but where the noise is 0.",
        ),
        Claim(
            "CMI is above 0 under independence (the smallest mean over the noise)", information,
            order=information > 0, compared="CMI above 0", unit="bits a row",
        ),
    ]  # fmt: skip


def figures(measured: Measurements) -> list[Figure]:
    """See ``Experiment.figures``."""
    shown = [rows for rows in (100, 500, 1_000, 2_500) if rows in measured.distinct("rows")]
    panels = [
        Panel(
            f"{rows:,} rows", "noise", "accuracy, %",
            {name: measured.curve("accuracy", "noise", method=name, rows=rows) for name in METHODS},
        )
        for rows in shown
    ]  # fmt: skip
    information = Panel(
        "F and T given D, E: independent", "noise", "CMI, bits a row",
        {f"{rows:,} rows": measured.curve("information", "noise", method="CMI", rows=rows) for rows in shown},
    )  # fmt: skip
    return [
        Figure("independence", "Accuracy of the three tests; bars are standard deviations.", panels),
        Figure("cmi", "Conditional mutual information of the pair that is independent.", [information], 4.6),
    ]
