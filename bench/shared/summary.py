"""The summary of a run of benchmarks: least time, rate, and the time over that of the yardsticks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass
class SummaryLine:
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


def summary(lines: Sequence[SummaryLine]) -> Iterator[str]:
    """Yield the head of the table, then a text for each benchmark that was timed."""
    width = max(len(line.name) for line in lines)
    yield f"{'':{width}}  {'least':>10}  {'rate':>20}  times its yardsticks"
    for line in lines:
        if line.seconds is None:
            continue
        rate = f"{_short(line.work / line.seconds)} {line.unit}/s"
        ratios = (f"{line.seconds / seconds:6.2f} {name}" for name, seconds in line.yardsticks.items())
        yield f"{line.name:{width}}  {_duration(line.seconds):>10}  {rate:>20}  {' '.join(ratios)}"


def _short(number: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {letter}"
    return f"{number:.3g} "


def _duration(seconds: float) -> str:
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
