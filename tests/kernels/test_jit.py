"""Kernels are compiled once, and nobody else's cache moves."""

from __future__ import annotations

import sys

import numba
import numpy as np
import pytest
from numba.core import event

from climbfast_kernels import _cache_folder, _jit
from climbfast_kernels.distinct import hold_distinct_rows
from tests.factories import STRATEGIES, random_arrays
from tests.kernels.compiling_processes import printed, run

compiled_only = pytest.mark.skipif(_jit.INTERPRETED, reason="nothing is compiled")

ONE_KERNEL = """
import numba
from climbfast_kernels import _jit
_jit.on_first_compilation(lambda: print("compiling"))
from climbfast_kernels.regret import binomial_regret, log2_regret
print(binomial_regret(10.0), numba.config.CACHE_DIR)
"""


UNKNOWN = """
import sys, numba
numba.version_info = numba.version_info._replace(minor=999)
from climbfast_kernels.regret import binomial_regret
print(binomial_regret(10.0), numba.config.CACHE_DIR, "climbfast_kernels._machine_code" in sys.modules)
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """The folder of a cache, which an unknown numba uses first, and a known one later."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def by_unknown(cache):
    """What an unknown numba prints."""
    return printed(UNKNOWN, cache, NUMBA_CACHE_DIR=str(cache / "users"))


@pytest.fixture(scope="module")
def by_known(cache, by_unknown):
    """What a known numba prints, in the cache that an unknown one has filled."""
    return run(ONE_KERNEL, cache, NUMBA_CACHE_DIR=str(cache / "users"))


@compiled_only
def test_an_unknown_numba_keeps_kernels_in_its_own_files(cache, by_unknown):
    *compiled, last = by_unknown
    assert compiled
    assert last.endswith(f" {cache / 'users'} False")
    assert [*cache.rglob("*.nbi")]
    assert printed(UNKNOWN, cache) == [last.replace(f" {cache / 'users'} ", "  ")]


@compiled_only
def test_compiled_once_then_read_and_the_users_cache_stays(cache, by_unknown, by_known):
    shown = f"{by_unknown[-1].split()[0]} {cache / 'users'}"
    assert by_known.stderr == ""
    assert by_known.stdout.splitlines() == ["compiling", shown]
    assert [*cache.rglob("*.kernel")]
    assert not (cache / "users").exists()
    second = run(ONE_KERNEL, cache, NUMBA_CACHE_DIR=str(cache / "users"))
    assert second.stdout.splitlines() == [shown]


@compiled_only
def test_what_was_compiled_elsewhere_when_it_was_said_is_loaded(cache, by_known, tmp_path):
    program = f"""
import shutil
from climbfast_kernels import _jit
compiled = {str(cache / "climbfast" / _cache_folder.cache_directory().name)!r}
_jit.on_first_compilation(lambda: shutil.copytree(compiled, _jit.CACHE, dirs_exist_ok=True))
from climbfast_kernels.regret import binomial_regret
print(binomial_regret(10.0), len(binomial_regret.signatures), 0 < _jit._compilation[0])
"""
    assert printed(program, tmp_path) == [f"{by_known.stdout.split()[1]} 1 True"]


@compiled_only
def test_the_users_own_functions_do_not_announce_the_kernels(monkeypatch):
    monkeypatch.setattr(_jit, "_listeners", [])
    told = []
    _jit.on_first_compilation(lambda: told.append(True))
    try:
        assert numba.njit(lambda x: x + 1)(1) == 2
        assert told == []
    finally:
        event.unregister("numba:compile", *_jit._listeners)
    assert _jit.tell_of_compilation()
    assert told == [True]


@compiled_only
def test_a_cache_that_cannot_be_written_is_one_warning(by_known, tmp_path):
    (tmp_path / "file").write_text("no folder")
    found = run(ONE_KERNEL, tmp_path / "file")
    assert found.returncode == 0
    assert found.stdout.splitlines() == ["compiling", f"{by_known.stdout.split()[1]} "]
    assert found.stderr.count("RuntimeWarning") == 1
    assert "CLIMBFAST_CACHE_DIR" in found.stderr


def test_the_installed_numba_is_known():
    """Of a newer numba, first try tests/kernels with it, then add its version to those known."""
    assert _jit.KNOWN_NUMBA


@compiled_only
def test_an_unknown_numba_compiles_where_nothing_can_be_kept(by_known, tmp_path):
    (tmp_path / "file").write_text("no folder")
    unknown = "import numba\nnumba.version_info = numba.version_info._replace(minor=999)"
    found = run(unknown + ONE_KERNEL, tmp_path / "file")
    assert (found.returncode, found.stdout.splitlines()) == (0, ["compiling", f"{by_known.stdout.split()[1]} "])


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
