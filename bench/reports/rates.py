"""The rates in docs/evidence/speed.md, from a run of the benchmarks: ``python -m bench.reports.rates F.json``.

The run is ``python -m pytest bench --benchmark-timer=time.process_time --benchmark-json F.json``, by the clock of the
processor, so that other work on the machine does not count.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bench.shared.marked_text import EVIDENCE, fill

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


def table(benchmarks: Iterable[Mapping[str, Any]]) -> str:
    """Return a Markdown table of those shown that there are, in the order of ``SHOWN``.

    Raises
    ------
    ValueError
        When there is none of them.
    """
    found = {each["name"]: each for each in benchmarks}
    rows = [_row(text, found[name]) for name, text in SHOWN.items() if name in found]
    if not rows:
        raise ValueError(f"the run has none of {', '.join(SHOWN)}")
    return "\n".join(["| task | least time | rate | speed, the bare loop's being 1 |", "|---|---|---|---|", *rows])


def _row(text: str, benchmark: Mapping[str, Any]) -> str:
    info = benchmark["extra_info"]
    unit = next(name for name in info if name.endswith("/s"))
    ms, rate = 1e3 * benchmark["stats"]["min"], float(f"{info[unit]:.3g}")
    return f"| {text} | {ms:.3g} ms | {rate:,.0f} {unit} | {info['share of roofline']:.2f} |"


def main() -> None:
    run = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    fill("rates", table(run["benchmarks"]), EVIDENCE / "speed.md")


if __name__ == "__main__":
    main()
