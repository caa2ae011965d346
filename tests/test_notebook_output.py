"""Progress in a notebook: an output that changes in place, and is empty in the end."""

from __future__ import annotations

import sys
import threading
import time
from types import ModuleType

import pytest

from climbfast import activity, notebook_output
from climbfast.activity import count_work, show_activity
from climbfast.notebook_output import NotebookOutput, ProgressLine, WatchedOutput, in_notebook
from tests.notebook.kernels import fake_kernel, wait_until


def test_where_a_notebook_is(monkeypatch):
    assert not in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", None)
    assert not in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", ModuleType("IPython"))  # not yet imported as a whole
    assert not in_notebook()
    fake_kernel(monkeypatch, shell="TerminalInteractiveShell")
    assert not in_notebook()
    fake_kernel(monkeypatch)
    assert in_notebook()


def test_an_output_is_replaced_and_then_empty(monkeypatch):
    outputs = fake_kernel(monkeypatch)
    output = NotebookOutput()
    assert outputs == []
    output.show([ProgressLine("screen", 0.5, "5 of 10")])
    output.show([ProgressLine("screen", 0.5, "5 of 10")])  # nothing new
    output.show([ProgressLine("screen", 1.0, "10 of 10"), ProgressLine("blankets <b>")])
    output.remove()
    output.show([ProgressLine("too late")])
    [versions] = outputs
    assert [version["text/plain"] for version in versions] == [
        "screen 50 %, 5 of 10", "screen 100 %, 10 of 10\nblankets <b>", "",
    ]  # fmt: skip
    assert "width: 50.0%" in versions[0]["text/html"]
    assert "blankets &lt;b&gt;" in versions[1]["text/html"]
    assert versions[2]["text/html"] == ""


def test_what_was_never_shown_leaves_no_output(monkeypatch):
    outputs = fake_kernel(monkeypatch)
    NotebookOutput().remove()
    quick = WatchedOutput(lambda: [ProgressLine("quick")], silence=30.0)
    quick.end()
    assert outputs == []


def test_a_thread_keeps_it_up_to_date(monkeypatch):
    monkeypatch.setattr(notebook_output, "seconds_between_looks", 0.01)
    outputs = fake_kernel(monkeypatch)
    done = [1]
    output = WatchedOutput(lambda: [ProgressLine("reading", done[0] / 4)], silence=0.0)
    wait_until(lambda: outputs)
    done[0] = 3
    wait_until(lambda: outputs[0][-1]["text/plain"] == "reading 75 %")
    output.end()
    assert outputs[0][-1]["text/plain"] == ""
    wait_until(lambda: not any(thread.name == "climbfast-notebook" for thread in threading.enumerate()))


def test_a_search_that_lasts(monkeypatch, capsys):
    monkeypatch.delenv("CLIMBFAST_PROGRESS", raising=False)
    monkeypatch.setattr(activity, "SECONDS_TO_FIRST_LINE", 0.05)
    monkeypatch.setattr(activity, "SECONDS_BETWEEN_LOOKS", 0.01)
    outputs = fake_kernel(monkeypatch)
    for name in ("pc", "fges"):
        with show_activity(name):
            count_work("tests", 1_234)
            wait_until(lambda: outputs)
        assert outputs.pop()[0]["text/plain"] == f"searching a graph by {name}, 0 s, 1,234 tests"
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("CLIMBFAST_PROGRESS", "0")
    with show_activity("pc"):
        time.sleep(0.2)
    assert outputs == []


@pytest.mark.parametrize(("share", "width"), [(-1.0, "0.0%"), (2.0, "100.0%")])
def test_a_bar_is_not_longer_than_its_frame(share, width):
    assert f"width: {width}" in notebook_output._html([ProgressLine("a", share)])
