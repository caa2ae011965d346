"""Compiled kernels in files: loaded without the compiler, linked when another kernel needs them, refused if damaged."""

from __future__ import annotations

import pickle

import cloudpickle
import numpy as np
import pytest

from climbfast_kernels import _machine_code
from climbfast_kernels._jit import INTERPRETED, kernel
from climbfast_kernels.regret import log2_regret
from tests.kernels.compiling_processes import printed

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

REGRET = "from climbfast_kernels.regret import log2_regret\nprint(log2_regret(3, 1000))\n"
COMPILED = ["compiles log2_regret", "compiles _by_rows", "compiles _by_levels", "compiles binomial_regret"]


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A cache with one kernel and those that it calls, and what the kernel returned."""
    cache = tmp_path_factory.mktemp("cache")
    *compiled, value = printed(REGRET, cache)
    assert compiled == COMPILED
    return cache, value


@pytest.fixture(scope="module")
def parts(filled):
    """What a process prints that loads the kernel, then compiles a function of the user, then uses other kernels."""
    cache, _ = filled
    program = f"""{REGRET}
import sys
print([name for name in ('numba.np.linalg', 'numba.np.arraymath', 'scipy.linalg') if name in sys.modules])
print('---')
import numba, numpy as np
@numba.njit
def trace(a):
    return np.trace(a)
print(trace(np.eye(2)))
print('numba.np.linalg' in sys.modules)
print('---')
from climbfast_kernels.regret import binomial_regret, tabulate_log2_regret
table = np.zeros((1, 5))
tabulate_log2_regret(table, np.array([2]), 1.0)
print(table[0, 1])
print(binomial_regret(1.0))
"""
    return [part.split("\n") for part in "\n".join(printed(program, cache)).split("\n---\n")]


def test_a_kernel_is_loaded_without_what_only_the_compiler_needs_which_functions_of_the_user_load(filled, parts):
    _, value = filled
    assert parts[0] == [value, "[]"]
    assert [line for line in parts[1] if not line.startswith("compiles")] == ["2.0", "True"]


def test_a_loaded_kernel_is_linked_into_others_and_compiled_for_python_where_python_calls_it(parts):
    *compiled, bits, for_python, regret = parts[2]
    assert "compiles tabulate_log2_regret" in compiled
    assert "compiles binomial_regret" not in compiled
    assert bits == "1.0"  # log2 R(2, 1)
    assert (for_python, regret) == ("compiles binomial_regret", "2.0")


DAMAGES = {
    "log2_regret": lambda content: content[:-100],
    "_by_rows": lambda content: b"x" + content[1:],
    "_by_levels": lambda content: b"",
}
"""Of three of the files that one call reads."""


def test_damaged_files_are_compiled_anew_and_the_other_is_read(filled, tmp_path):
    cache, value = filled
    copied = tmp_path / "cache"
    for file in cache.rglob("*.*"):
        copy = copied / file.relative_to(cache)
        copy.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        damage = DAMAGES.get(file.name.split("-")[0].removeprefix("regret."), bytes)
        copy.write_bytes(damage(file.read_bytes()))
    assert printed(REGRET, copied) == [line for line in COMPILED if line.split()[1] in DAMAGES] + [value]
    assert printed(REGRET, copied) == [value]


def test_a_kernel_for_other_features_of_the_processor_is_compiled_anew(filled):
    cache, value = filled
    compiled = printed(REGRET, cache, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="+sse2")
    assert compiled[:-1] == COMPILED
    assert float(compiled[-1]) == pytest.approx(float(value))


LARGE = np.arange(200_000)  # numba does not copy so much into the code


def next_index(index):
    return index + 1


def test_a_kernel_that_holds_addresses_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(_machine_code, "private_cache", lambda: tmp_path)

    @kernel
    def element(index):
        return LARGE[index]

    @kernel
    def element_of_other(index):
        return element(index)

    eight = np.int64(8)
    assert (element(eight), element_of_other(eight), kernel(next_index)(eight)) == (8, 8, 9)
    assert [file.name.split("-")[0] for file in tmp_path.iterdir()] == ["test_machine_code.next_index"]


def test_a_kernel_is_pickled_by_its_name():
    for dumps in (pickle.dumps, cloudpickle.dumps):
        content = dumps(log2_regret)
        assert len(content) < 200
        assert pickle.loads(content) is log2_regret


def test_threads_load_and_compile_at_the_same_time(filled, tmp_path):
    cache, _ = filled
    program = """
import threading
import numba, numpy as np
from climbfast_kernels.regret import binomial_regret, log2_regret, tabulate_log2_regret
table = np.zeros((1, 5))
found = {}

def of_user(i):
    # The first one needs what numba loads for few functions; to compile it for each would take seconds.
    trace = lambda x: np.trace(np.eye(2) * x / 4)
    found[i] = numba.njit(trace if i == 0 else lambda x: x / 2 + i)(2.0)

def ours(i):
    found[i] = round(log2_regret(3, 1000) - log2_regret(3, 1000) + binomial_regret(1.0) + i - 1)
    tabulate_log2_regret(table, np.array([2]), 1.0)

threads = [threading.Thread(target=(of_user, ours)[i % 2], args=(i,)) for i in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(found.items()))
"""
    last = printed(program, cache)[-1]
    assert last == str([(i, i + 1.0 if i % 2 == 0 else i + 1) for i in range(6)])
