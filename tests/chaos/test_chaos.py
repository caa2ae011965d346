"""A few faults of the chaos run; the others on request: ``python -m tests.chaos 200``."""

from __future__ import annotations

import os
import random
from functools import partial

import pytest

from climbfast_kernels._jit import INTERPRETED
from tests.chaos.faults import FAULTS, kill_runs, make_case, stop_runs

pytestmark = [
    pytest.mark.skipif(INTERPRETED, reason="each process takes its time"),
    pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc"),  # noqa: PTH112
]
FEW = {
    "kill processes": partial(kill_runs, kind="processes", times=1),
    "stop serial": partial(stop_runs, kind="serial", times=1),
    **{name: FAULTS[name] for name in ("kill workers, processes", "two runs, threads", "threads")},
}


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    return make_case(tmp_path_factory.mktemp("case"), columns=80)


@pytest.mark.parametrize("name", FEW)
def test_nothing_is_lost_or_left(case, tmp_path, name):
    FEW[name](tmp_path, case, random.Random(5))
