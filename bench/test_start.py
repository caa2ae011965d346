"""What a user waits for before anything is counted; each round is a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bench.conftest import network
from bench.roofline import least_seconds

needs_command = pytest.mark.skipif(find_spec("climbfast.__main__") is None, reason="no command line yet")


def python(*arguments: str, **environment: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env={**os.environ, **environment})


@pytest.fixture(scope="module")
def alarm_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """20,000 rows of Alarm as a CSV file."""
    from climbfast.networks.sampling import frame

    path = tmp_path_factory.mktemp("alarm") / "alarm.csv"
    frame(network("alarm"), 20_000, seed=1).write_csv(path)
    return path


def test_import(benchmark: Any, report: Any) -> None:
    """``import climbfast``; the yardstick is the interpreter without it."""
    benchmark.pedantic(python, ("-c", "import climbfast"), rounds=10, warmup_rounds=1)
    bare = least_seconds(lambda: python("-c", "pass"), rounds=10)
    if benchmark.stats:
        benchmark.extra_info["seconds without the interpreter"] = benchmark.stats.stats.min - bare
    report(yardstick=bare, yardstick_name="bare interpreter")


@needs_command
def test_help(benchmark: Any, report: Any) -> None:
    benchmark.pedantic(python, ("-m", "climbfast", "--help"), rounds=7, warmup_rounds=1)
    report()


@needs_command
def test_blanket_command(benchmark: Any, report: Any, alarm_file: Path) -> None:
    """``climbfast blanket`` on 20,000 rows of Alarm, kernels in the cache."""
    command = ("-m", "climbfast", "blanket", str(alarm_file), "--target", "HR", "--json")
    benchmark.pedantic(python, command, rounds=7, warmup_rounds=1)
    report()


@needs_command
def test_compile(benchmark: Any, report: Any, tmp_path: Path) -> None:
    """``climbfast warm`` with an empty cache."""
    benchmark.pedantic(python, ("-m", "climbfast", "warm"), {"CLIMBFAST_CACHE_DIR": str(tmp_path)}, rounds=1)
    report()
