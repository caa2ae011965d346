"""What an experiment is, and what was measured in one."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Protocol

from bench.paper.claims import Claim
from bench.paper.plots import Curve, Figure

__all__ = ["Experiment", "Measurements", "Method", "Row", "Setting", "spread"]

Setting = Mapping[str, str | int | float]
"""What makes one data set: network, rows, seed, ...; the last one is always the seed."""
Row = dict[str, str | int | float]
Method = Callable[[Any], Mapping[str, float]]
"""A frozen dataclass that measures a sample when called; results are stored by its repr, which has all its options."""


class Experiment(Protocol):
    """A module in ``bench.paper.experiments``."""

    TITLE: str
    SETTINGS: str

    @property
    def METHODS(self) -> Mapping[str, Method]:  # noqa: N802  # a constant of the module
        """The methods by their names in tables and figures."""

    def data_sets(self, *, quick: bool) -> Iterable[Setting]:
        """Yield the settings of all data sets."""

    def draw(self, setting: Setting) -> Any:
        """Make one data set."""

    def claims(self, measured: Measurements) -> list[Claim]:
        """Return what the paper says, each beside our number."""

    def figures(self, measured: Measurements) -> list[Figure]:
        """Return what to draw."""


@dataclass(frozen=True)
class Measurements:
    """The rows of one experiment: a data set and a method each, with everything that was measured."""

    rows: tuple[Row, ...]

    def select(self, **where: Any) -> Measurements:
        """Return the rows with these settings; a setting may be a value or a collection of them."""
        rows = self.rows
        for key, value in where.items():
            wanted = value if isinstance(value, list | tuple | range) else (value,)
            rows = tuple(row for row in rows if row[key] in wanted)
        return Measurements(rows)

    def values(self, measure: str, **where: Any) -> list[float]:
        """Return a measure in the rows with these settings."""
        return [float(row[measure]) for row in self.select(**where).rows]

    def mean(self, measure: str, **where: Any) -> float:
        """Return the mean of a measure in the rows with these settings."""
        return mean(self.values(measure, **where))

    def distinct(self, key: str) -> list[Any]:
        """Return the values of a setting, as they come in the rows."""
        return list(dict.fromkeys(row[key] for row in self.rows))

    def curve(self, measure: str, along: str, scale: float = 1.0, **where: Any) -> Curve:
        """Return means and standard deviations of a measure along a setting."""
        chosen = self.select(**where)
        places = chosen.distinct(along)
        groups = [[scale * value for value in chosen.values(measure, **{along: place})] for place in places]
        return Curve(places, [mean(group) for group in groups], [spread(group) for group in groups])

    def save(self, path: Path) -> None:
        """Write the rows as CSV."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="", encoding="utf-8") as out:
            table = csv.DictWriter(out, list(self.rows[0]), lineterminator="\n")
            table.writeheader()
            table.writerows(self.rows)

    @classmethod
    def read(cls, path: Path) -> Measurements:
        """Read what ``save`` wrote."""
        with path.open(newline="", encoding="utf-8") as source:
            return cls(tuple({key: _plain(text) for key, text in line.items()} for line in csv.DictReader(source)))


def spread(values: Sequence[float]) -> float:
    """Return the standard deviation of a sample; 0 of a single value."""
    return stdev(values) if len(values) > 1 else 0.0


def _plain(text: str) -> str | int | float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
