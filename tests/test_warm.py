"""The kernels compiled ahead: by two processes where the cache is empty, and the same ones from either end."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from climbfast import warm
from climbfast.dataset import Discretizer
from climbfast.networks.examples import load_example
from climbfast.networks.saving import save_sample
from climbfast_kernels._jit import INTERPRETED
from climbfast_kernels.climb import write_blankets
from climbfast_kernels.getpcd import getpcd
from climbfast_kernels.hartemink import count_pairs, merge_once
from climbfast_kernels.mdlp import find_cuts
from climbfast_kernels.partition import partition_neighbors
from climbfast_kernels.patterns import sweep_each
from climbfast_kernels.scores import score_families


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """What processes are asked to do, with an empty cache."""
    work = []
    monkeypatch.setattr(warm, "compile_in_background", lambda *arguments: work.append(arguments))
    monkeypatch.setattr(warm, "kernel_cache", lambda: tmp_path)
    return work


def test_an_empty_cache_is_filled_from_two_ends(asked, tmp_path):
    for needed in (warm.EVERYTHING, warm.ONE_TARGET):
        warm.compile_ahead(needed)
        assert asked.pop() == (tmp_path, needed)


def test_nothing_is_done_where_it_is_of_no_use(asked, monkeypatch, tmp_path):
    for name in ("a.kernel", "a.nbi"):
        (tmp_path / name).touch()
        assert warm.compile_ahead(warm.EVERYTHING) is None
        (tmp_path / name).unlink()
    monkeypatch.setattr(warm, "kernel_cache", lambda: None)
    assert warm.compile_ahead(warm.EVERYTHING) is None
    assert asked == []


def test_what_another_command_compiles_is_waited_for(asked, monkeypatch, tmp_path):
    class Others:
        waited = False

        def wait(self):
            self.waited = True

    others = Others()
    (tmp_path / "a.kernel").touch()
    monkeypatch.setattr(warm, "compilation_of_others", lambda cache: others)
    assert warm.compile_ahead(warm.EVERYTHING) is others
    warm._compile_everything()
    assert others.waited
    assert asked == []


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_both_ends_compile_the_same():
    """Of a kernel with arguments of other types there would be one more, compiled for nothing."""
    kernels = (write_blankets, partition_neighbors, score_families, getpcd, sweep_each)
    warm._use_every_kernel(warm._data())
    before = [len(kernel.signatures) for kernel in kernels]
    for use in {*warm.EVERYTHING, *warm.ONE_TARGET}:
        warm.compile_for(use)
    assert [len(kernel.signatures) for kernel in kernels] == before
    assert all(before)


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_no_kernel_is_left_out():
    """Every kernel that Python calls, for some types of its arguments, in a process that has used no other.

    Those of climbfast are imported by name or with their module, those of climbfast_kernels called by its functions.
    """
    program = """
import ast, importlib, pkgutil
from pathlib import Path
from types import FunctionType, ModuleType
import climbfast_kernels
from climbfast import warm
from climbfast_kernels._machine_code import Kernel

def show(value, place):
    if isinstance(value, Kernel):
        print("used" if value.signatures else "not used", value.__name__, "in", place)

warm.warm_up()
for file in Path(warm.__file__).parent.rglob("*.py"):
    nodes, modules = [*ast.walk(ast.parse(file.read_text(encoding="utf-8")))], {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("climbfast_kernels"):
            for name in node.names:
                value = getattr(importlib.import_module(node.module), name.name)
                show(value, file.name)
                if isinstance(value, ModuleType):
                    modules[name.asname or name.name] = value
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            show(getattr(modules[node.value.id], node.attr), file.name)
for _, name, _ in pkgutil.iter_modules(climbfast_kernels.__path__, "climbfast_kernels."):
    module = importlib.import_module(name)
    for function in vars(module).values():
        if isinstance(function, FunctionType) and function.__module__ == name:
            for called in function.__code__.co_names:
                show(getattr(module, called, None), name)
"""
    run = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    lines = run.stdout.splitlines()
    assert {f"used {name}" for name in ("getpcd in compiled.py", "strength in single.py")} < {*lines}
    assert "used sweep_pairs in climbfast_kernels.patterns" in lines
    of_wide_codes = "not used _set_bits in climbfast_kernels.bits"  # of codes wider than a byte
    assert [line for line in lines if line.startswith("not") and line != of_wide_codes] == []


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_one_target_finds_all_kernels_compiled(tmp_path):
    """In a process that has used no other kernel, a search needs none that is not compiled for one target."""
    program = """
import sys
from climbfast import warm
from climbfast.cli.main import main
from climbfast_kernels._machine_code import Kernel

def used():
    modules = [module for name, module in sys.modules.items() if name.startswith("climbfast_kernels.")]
    kernels = [kernel for module in modules for kernel in vars(module).values() if isinstance(kernel, Kernel)]
    return {(kernel.py_func.__qualname__, types) for kernel in kernels for types in kernel.signatures}

for use in warm.ONE_TARGET:
    warm.compile_for(use)
compiled = used()
assert "getpcd" in {name for name, _ in compiled}
assert main(["blanket", sys.argv[1], "--target", "heart_disease", "--quiet"]) == 0
sys.exit(", ".join(map(str, used() - compiled)))
"""
    file = tmp_path / "table.csv"
    save_sample(load_example(), 2000, 1, file)
    ran = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=False)
    assert ran.stderr.strip() == ""
    assert "chest_pain" in ran.stdout


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_the_kernels_of_discretization_are_compiled():
    warm._use_every_kernel(warm._data())
    before = [len(kernel.signatures) for kernel in (count_pairs, merge_once, find_cuts)]
    data = {"a": np.arange(99.0), "b": np.arange(99.0) ** 2 % 7, "c": np.arange(99) % 3}
    Discretizer("auto").fit(data)
    Discretizer("mdlp:c").fit(data)
    assert [len(kernel.signatures) for kernel in (count_pairs, merge_once, find_cuts)] == before == [1, 1, 1]


def test_the_cache_is_cleared_of_kernels_and_nothing_else(monkeypatch, tmp_path):
    monkeypatch.setattr(warm, "kernel_cache", lambda: tmp_path / "climbfast" / "new")
    files = [
        tmp_path / "climbfast" / "old" / "sub" / "a.nbi",
        tmp_path / "climbfast" / "old" / "sub" / "a.nbc",
        tmp_path / "climbfast" / "old" / "a.kernel",
        tmp_path / "climbfast" / "new" / "a.kernel",
        tmp_path / "climbfast" / "new" / "a.b-1.linked.0f",
    ]
    other = tmp_path / "climbfast" / "new" / "notes.txt"
    for file in (*files, other, tmp_path / "b.kernel"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
    assert warm.clear_kernel_cache() == 5
    assert [file.exists() for file in (*files, other, tmp_path / "b.kernel")] == [False] * 5 + [True] * 2
