"""Whole graphs, data loaded."""

from __future__ import annotations

from typing import Any

import pytest

from bench.roofline import Recorder, bare_loop
from climbfast import G2, SCI, Dataset, orient, pc

TESTS = {"g2": G2(alpha=0.01), "sci": SCI()}


@pytest.mark.parametrize("conflicts", ["overwrite", "majority"])
@pytest.mark.parametrize("test", TESTS)
def test_pc_of_alarm(benchmark: Any, report: Any, alarm: Dataset, test: str, conflicts: str) -> None:
    found = benchmark(pc, alarm, TESTS[test], conflicts=conflicts)
    yardstick: dict[str, Any] = {}
    if test == "sci":  # the recorder asks no other
        recorder = Recorder(alarm)
        pc(alarm, recorder, conflicts=conflicts)
        yardstick = {"yardstick": bare_loop(alarm, recorder.pairs)}
    report(found.tests, "tests", **yardstick)


@pytest.mark.parametrize("method", ["climb", "global"])
def test_directions_of_alarm(benchmark: Any, report: Any, alarm: Dataset, method: str) -> None:
    graph = pc(alarm)
    found = benchmark(orient, graph, alarm, method)
    report(len(found.directed), "edges")
