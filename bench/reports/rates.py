"""The rates in docs/evidence/speed.md, from a run of the benchmarks: ``python -m bench.reports.rates F.json``.

The run is ``python -m pytest bench --benchmark-timer=time.process_time --benchmark-json F.json``, by the clock of the
processor, so that other work on the machine does not count. ``rates.csv`` keeps what of it is shown; without a file the
table is made of that.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bench.shared.marked_text import EVIDENCE, fill

FILE = Path(__file__).with_suffix(".csv")
SHOWN = {
    "test_screen[binary-sci]": "screen, 2,000 binary columns × 10,000 rows",
    "test_screen[ternary-sci]": "screen, 5,716 ternary columns × 2,577 rows",
    "test_sweep[binary-sci]": "one column against 1,999, binary, 10,000 rows",
    "test_sweep_given[binary-1]": "the same, one column given",
    "test_weakest[3-1-6]": "6 candidates, 6 sets of two given columns, ternary, 20,000 rows",
    "test_small[alarm]": "all blankets of Alarm, 20,000 rows",
    "test_pc[alarm-g2-overwrite]": "stable PC of Alarm with G²",
    "test_fges[alarm-bdeu]": "FGES of Alarm with BDeu",
}


class Rate(NamedTuple):
    """A benchmark that is shown: its least time, its rate, and its speed where that of the bare loop is 1."""

    benchmark: str
    ms: str
    rate: float
    unit: str
    speed: str


def rates_of(benchmarks: Iterable[Mapping[str, Any]]) -> list[Rate]:
    """Return the rates of those shown that there are, in the order of ``SHOWN``.

    Raises
    ------
    ValueError
        When there is none of them.
    """
    found = {each["name"]: each for each in benchmarks}
    rates = [_rate(name, found[name]) for name in SHOWN if name in found]
    if not rates:
        raise ValueError(f"the run has none of {', '.join(SHOWN)}")
    return rates


def _rate(name: str, benchmark: Mapping[str, Any]) -> Rate:
    info = benchmark["extra_info"]
    unit = next(name for name in info if name.endswith("/s"))
    ms, rate = 1e3 * benchmark["stats"]["min"], float(f"{info[unit]:.3g}")
    return Rate(name, f"{ms:.3g}", rate, unit, f"{info['share of roofline']:.2f}")


def read() -> list[Rate]:
    """Return the rates that are kept."""
    with FILE.open(newline="", encoding="utf-8") as lines:
        return [Rate(**{**row, "rate": float(row["rate"])}) for row in csv.DictReader(lines)]


def table(rates: Iterable[Rate]) -> str:
    """Return a Markdown table."""
    rows = [
        f"| {SHOWN[each.benchmark]} | {each.ms} ms | {each.rate:,.0f} {each.unit} | {each.speed} |" for each in rates
    ]
    return "\n".join(["| task | least time | rate | speed, the bare loop's being 1 |", "|---|---|---|---|", *rows])


def main() -> None:
    """Keep the rates of a run, if one is named, and fill the page."""
    if len(sys.argv) > 1:
        run = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
        with FILE.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out, lineterminator="\n").writerows([Rate._fields, *rates_of(run["benchmarks"])])
    fill("rates", table(read()), EVIDENCE / "speed.md")


if __name__ == "__main__":
    main()
