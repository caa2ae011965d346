"""What is said and done when the first kernel of a process is compiled."""

from __future__ import annotations

import threading

import pytest

from climbfast import compiling
from climbfast_kernels import _jit


def test_what_is_done_ahead(monkeypatch, capsys):
    done = []
    with compiling.before_first_compilation(lambda: done.append(True)):
        compiling._begin()
    assert len(done) == 1
    assert capsys.readouterr().err.startswith("climbfast: compiling kernels (less than a minute, ")
    monkeypatch.setattr(compiling, "_silent", True)
    compiling._begin()
    assert (len(done), capsys.readouterr().err) == (1, "")
    monkeypatch.undo()
    monkeypatch.setattr("climbfast.activity.never_shown", True)  # by --quiet
    compiling._begin()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("closed", [True, False])
def test_nobody_reads_that_kernels_are_compiled(monkeypatch, closed):
    class ClosedPipe:
        def write(self, text):
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", None if closed else ClosedPipe())
    compiling._begin()


def test_nothing_is_done_ahead_in_a_thread(capsys):
    """It would hold numba's lock while it waits for other threads, which may wait for that."""
    done = []
    with compiling.before_first_compilation(lambda: done.append(True)):
        thread = threading.Thread(target=compiling._begin)
        thread.start()
        thread.join()
    assert done == []
    assert "compiling kernels" in capsys.readouterr().err


def test_the_clock_stands_still_while_a_kernel_is_compiled(monkeypatch):
    now = 10.0
    monkeypatch.setattr(_jit, "_compilation", (0.0, None))
    monkeypatch.setattr("time.perf_counter", lambda: now)
    seen = [compiling.seconds_of_work()]
    now = 12.0
    with _jit.timed_compilation():
        now = 15.0
        seen.append(compiling.seconds_of_work())  # as another thread sees it
        now = 16.0
    seen.append(compiling.seconds_of_work())
    now = 17.0
    seen.append(compiling.seconds_of_work())
    assert seen == [10.0, 12.0, 12.0, 13.0]
