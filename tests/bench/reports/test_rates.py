"""The rates in docs/evidence/speed.md, from a made-up run."""

from __future__ import annotations

import pytest

from bench.reports.rates import rates_of, table


def benchmark(name, seconds, info):
    return {"name": name, "stats": {"min": seconds}, "extra_info": info}


def test_shows_what_there_is_in_one_order():
    fges = benchmark("test_fges[alarm-bdeu]", 0.05, {"families/s": 57_000.0, "share of roofline": 0.1})
    info = {"share of one worker": 3.0, "share of roofline": 1.25, "pairs/s": 12_345_678.0}
    screen = benchmark("test_screen[binary-sci]", 0.1619, info)
    other = benchmark("test_other", 1.0, {})
    assert table(rates_of([fges, other, screen])).splitlines()[2:] == [
        "| screen, 2,000 binary columns × 10,000 rows | 162 ms | 12,300,000 pairs/s | 1.25 |",
        "| FGES of Alarm with BDeu | 50 ms | 57,000 families/s | 0.10 |",
    ]


def test_a_run_of_something_else_is_refused():
    with pytest.raises(ValueError, match=r"test_screen\[binary-sci\]"):
        rates_of([benchmark("test_other", 1.0, {})])
