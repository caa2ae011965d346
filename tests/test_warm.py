"""The kernels compiled ahead: by two processes where the cache is empty, and the same ones from either end."""

from __future__ import annotations

import joblib
import pytest

from climbfast import compiling, warm
from climbfast_kernels._jit import INTERPRETED
from climbfast_kernels.climb import climb
from climbfast_kernels.partition import tell_apart
from climbfast_kernels.scores import score_families


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """What joblib is asked to do on two cores, and an empty cache."""
    work = []

    class Parallel:
        def __init__(self, n_jobs):
            assert n_jobs == 2

        def __call__(self, tasks):
            work.extend((function, arguments) for function, arguments, _ in tasks)

    monkeypatch.setattr(joblib, "Parallel", Parallel)
    monkeypatch.setattr(joblib, "cpu_count", lambda: 2)
    monkeypatch.setattr(warm, "kept_in", lambda: tmp_path)
    return work


def test_an_empty_cache_is_filled_from_two_ends(asked):
    warm.compile_in_processes()
    ends = (warm._use_every_kernel,), (warm._use_the_last_kernels,)
    assert asked == [(warm._compile, end) for end in ends]


def test_nothing_is_done_where_it_is_of_no_use(asked, monkeypatch, tmp_path):
    (tmp_path / "kernel.nbi").touch()
    warm.compile_in_processes()
    (tmp_path / "kernel.nbi").unlink()
    monkeypatch.setattr(warm, "kept_in", lambda: None)
    warm.compile_in_processes()
    monkeypatch.setattr(warm, "kept_in", lambda: tmp_path)
    monkeypatch.setattr(joblib, "cpu_count", lambda: 1)
    warm.compile_in_processes()
    assert asked == []


def test_processes_that_fail_leave_it_to_their_parent(asked, monkeypatch):
    def refuse(**options):
        raise OSError("no processes here")

    monkeypatch.setattr(joblib, "Parallel", refuse)
    warm.compile_in_processes()


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_both_ends_compile_the_same():
    """Of a kernel with arguments of other types there would be one more, compiled for nothing."""
    kernels, data = (climb, tell_apart, score_families), warm._data()
    warm._use_every_kernel(data)
    before = [len(kernel.signatures) for kernel in kernels]
    warm._use_the_last_kernels(data)
    assert [len(kernel.signatures) for kernel in kernels] == before
    assert all(before)


def test_what_is_done_ahead(monkeypatch, capsys):
    done = []
    with compiling.compiling_ahead(lambda: done.append(True)):
        compiling._begin()
    assert len(done) == 1
    assert capsys.readouterr().err.startswith("climbfast: compiling kernels (about half a minute, ")
    monkeypatch.setattr(compiling, "_quiet", True)
    compiling._begin()
    assert (len(done), capsys.readouterr().err) == (1, "")
