"""What whole runs take, from made-up results, and the search of a run in this process."""

from __future__ import annotations

import numpy as np

from bench.reports.rates import Rate
from bench.reports.runs import FIRST, LARGEST, RUNS, SEARCHES, Result, Run, measure, sentences, table

RATES = [
    Rate("test_small[alarm]", "20.4", 1810.0, "targets/s", "0.62"),
    Rate("test_screen[ternary-sci]", "590", 2.77e7, "pairs/s", "1.59"),
]


def test_every_run_has_a_search():
    assert {run.name for run in RUNS if run != FIRST} == SEARCHES.keys()
    assert len({*RUNS}) == len(RUNS)


def test_the_table_and_the_sentences():
    results = [Result(RUNS[0], 1.284, 219.4), Result(LARGEST, 31.23, 1702.0)]
    lines = table(results).splitlines()
    assert lines[2] == "| all blankets | genes | 5,716 × 2,577 | 1.3 s | 219 MB |"
    said = sentences(results, RATES)
    assert "2,577 rows take 590 ms" in said and "20,000 rows) 20.4 ms, and" in said
    assert said.endswith('100,000 columns of 500 rows (`min_bits="auto"`)\n31 s and 1,702 MB of memory.')


def test_a_small_run(tmp_path):
    np.save(tmp_path / "codes.npy", np.random.default_rng(1).integers(2, size=(300, 6)))
    for name in ("all blankets", "causal_graph"):
        seconds, megabytes = measure(Run(name, "made up", 6, 300), tmp_path / "codes.npy")
        assert seconds > 0 and megabytes > 10
