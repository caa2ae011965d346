"""What a user waits for before anything is counted; each round is a new process."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import llvmlite.binding
import pytest

from bench.shared.roofline import least_seconds
from climbfast import load_example
from climbfast.networks.examples import EXAMPLE_TARGET
from climbfast.networks.sampling import frame
from climbfast_kernels import _shipped


def python(*arguments: str, **environment: str) -> None:
    # Without bytecode every start would compile the sources that the ones before it compiled.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=inherited | environment)


def bare_interpreter() -> float:
    return least_seconds(lambda: python("-c", "pass"), rounds=10)


def compiling_in(cache: Path) -> dict[str, str]:
    """Return what makes a program compile: an empty cache, and a processor for which no kernels are shipped."""
    return {"CLIMBFAST_CACHE_DIR": str(cache), "NUMBA_CPU_NAME": str(llvmlite.binding.get_host_cpu_name())}


def test_import(benchmark: Any, report: Any) -> None:
    """``import climbfast``; the yardstick is the interpreter without it."""
    benchmark.pedantic(python, ("-c", "import climbfast"), rounds=10, warmup_rounds=1)
    bare = bare_interpreter()
    if benchmark.stats:
        benchmark.extra_info["seconds without the interpreter"] = benchmark.stats.stats.min - bare
    report(1, "starts", bare_interpreter=bare)


def test_help(benchmark: Any, report: Any) -> None:
    benchmark.pedantic(python, ("-m", "climbfast", "--help"), rounds=7, warmup_rounds=1)
    report(1, "starts", bare_interpreter=bare_interpreter())


@pytest.mark.parametrize(("name", "target"), [("example", EXAMPLE_TARGET), ("alarm", "HR")])
def test_blanket_command(benchmark: Any, report: Any, published: Any, tmp_path: Path, name: str, target: str) -> None:
    """``climbfast blanket`` on a CSV file of 20,000 rows, kernels in the cache."""
    file = tmp_path / f"{name}.csv"
    sampled = load_example() if name == "example" else published(name)
    frame(sampled, 20_000, seed=1).write_csv(file)
    command = ("-m", "climbfast", "blanket", str(file), "--target", target, "--json")
    benchmark.pedantic(python, command, rounds=7, warmup_rounds=1)
    report(20_000 * len(sampled.nodes), "cells", bare_interpreter=bare_interpreter())


def test_compile(benchmark: Any, report: Any, tmp_path: Path) -> None:
    """``climbfast warm`` with an empty cache."""
    command, caches = ("-m", "climbfast", "warm"), (tmp_path / str(number) for number in count())
    benchmark.pedantic(python, setup=lambda: (command, compiling_in(next(caches))), rounds=1)
    report(1, "compilations", bare_interpreter=bare_interpreter())


@pytest.mark.parametrize("kernels", ["interpreted", "compiled"])
def test_first_answer(benchmark: Any, report: Any, tmp_path: Path, kernels: str) -> None:
    """``climbfast demo`` with an empty cache: by interpreted kernels, or by those of one target, which are compiled."""
    command, waits = ("-m", "climbfast", "demo"), {"CLIMBFAST_BACKGROUND": "0"}
    caches = (compiling_in(tmp_path / str(number)) for number in count())
    used: dict[str, str] = {}

    def empty_cache() -> tuple[tuple[str, ...], dict[str, str]]:
        if used:
            python(*command, **used | waits)  # which waits for what goes on in the background
        used.update(next(caches))
        return command, used | (waits if kernels == "compiled" else {})

    benchmark.pedantic(python, setup=empty_cache, rounds=1)
    python(*command, **used | waits)
    report(1, "answers", bare_interpreter=bare_interpreter())


def test_first_answer_with_shipped_kernels(benchmark: Any, report: Any, tmp_path: Path) -> None:
    """The same where the package carries compiled kernels for this processor, Python and numba."""
    if _shipped._archive() is None:
        pytest.skip("no compiled kernels are shipped: python3 run.py wheel makes them")
    caches = (str(tmp_path / str(number)) for number in count())
    benchmark.pedantic(
        python,
        setup=lambda: (("-m", "climbfast", "demo"), {"CLIMBFAST_CACHE_DIR": next(caches)}),
        rounds=5,
        warmup_rounds=1,
    )
    report(1, "answers", bare_interpreter=bare_interpreter())
