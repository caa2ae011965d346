"""Compiled kernels are kept where a change of any source empties the place, and nobody else's cache moves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from climbfast_kernels import _jit
from climbfast_kernels.distinct import hold_distinct_rows
from tests.factories import STRATEGIES, random_arrays

compiled_only = pytest.mark.skipif(_jit.INTERPRETED, reason="nothing is compiled")

ONE_KERNEL = """
import numba
from climbfast_kernels import _jit
_jit.on_first_compilation(lambda: print("compiling"))
from climbfast_kernels.regret import binomial_regret, log2_regret
print(binomial_regret(10.0) > 1, numba.config.CACHE_DIR)
"""


def run(program: str, cache: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a new process with its own cache."""
    return subprocess.run(
        [sys.executable, *options, "-c", program],
        env={**os.environ, "CLIMBFAST_CACHE_DIR": str(cache), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A folder that stands for the one with the sources of the kernels."""
    monkeypatch.setattr(_jit, "__file__", str(tmp_path / "_jit.py"))
    for name in ("_jit.py", "counts.py", "bits.py"):
        (tmp_path / name).write_text(f"# {name}\n")
    return tmp_path


def test_the_cache_is_keyed_by_every_source(sources):
    seen = [_jit.cache_directory()]
    (sources / "counts.py").write_text("# edited\n")
    seen.append(_jit.cache_directory())
    (sources / "bits.py").rename(sources / "bitmaps.py")
    seen.append(_jit.cache_directory())
    (sources / "scores.py").write_text("# new\n")
    seen.append(_jit.cache_directory())
    assert len(set(seen)) == 4
    assert _jit.cache_directory() == seen[-1]


def test_the_cache_is_keyed_by_the_version_of_numba(sources, monkeypatch):
    before = _jit.cache_directory()
    monkeypatch.setattr(numba, "__version__", "0.0.1")
    assert _jit.cache_directory() != before


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these have a place of their own")
def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.delenv("CLIMBFAST_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert _jit.cache_directory().parent == tmp_path / ".cache" / "climbfast"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert _jit.cache_directory().parent == tmp_path / "xdg" / "climbfast"
    monkeypatch.setenv("CLIMBFAST_CACHE_DIR", str(tmp_path / "chosen"))
    assert _jit.cache_directory().parent == tmp_path / "chosen" / "climbfast"


@compiled_only
def test_compiled_once_then_read_and_the_users_cache_stays(tmp_path):
    mine, users = tmp_path / "mine", tmp_path / "users"
    first = run(ONE_KERNEL, mine, NUMBA_CACHE_DIR=str(users))
    assert first.stderr == ""
    assert first.stdout.splitlines() == ["compiling", f"True {users}"]
    assert [*mine.rglob("*.nbi")]
    assert not users.exists()
    second = run(ONE_KERNEL, mine, NUMBA_CACHE_DIR=str(users))
    assert second.stdout.splitlines() == [f"True {users}"]


@compiled_only
def test_the_users_own_functions_do_not_announce_the_kernels(tmp_path):
    program = """
import numba
from climbfast_kernels import _jit
_jit.on_first_compilation(lambda: print("compiling"))
assert numba.njit(lambda x: x + 1)(1) == 2
"""
    found = run(program, tmp_path)
    assert (found.stdout, found.stderr) == ("", "")


@compiled_only
def test_a_cache_that_cannot_be_written_is_one_warning(tmp_path):
    (tmp_path / "file").write_text("no folder")
    found = run(ONE_KERNEL, tmp_path / "file")
    assert found.returncode == 0
    assert found.stdout.splitlines() == ["compiling", "True "]
    assert found.stderr.count("RuntimeWarning") == 1
    assert "CLIMBFAST_CACHE_DIR" in found.stderr


@compiled_only
def test_leaves_leave_the_references_to_arrays_as_they_are():
    data = random_arrays([2, 3, 2, 2, 2], 500)
    work, columns = data.workspace(), np.arange(1, 5)
    everything = [data.codes, columns, *data.bits[:4], *data.log_tables[:3], *work]
    before = [sys.getrefcount(array) for array in everything]
    for given in ([], [2], [2, 3]):
        for strategy in STRATEGIES:
            data.figures(0, 1, given, strategy, work)
    hold_distinct_rows(data.codes, data.bits, work, columns, 100)
    assert [sys.getrefcount(array) for array in everything] == before


def test_interpreted_kernels_are_plain_functions(tmp_path):
    program = "from climbfast_kernels.regret import log2_regret as f; print(type(f).__name__, f(2, 1))"
    found = run(program, tmp_path, "-W", "error", NUMBA_DISABLE_JIT="1")
    assert (found.stdout, found.stderr) == ("function 1.0\n", "")
    assert not (tmp_path / "climbfast").exists()
