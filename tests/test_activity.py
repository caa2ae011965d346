"""A search that lasts says so on standard error."""

from __future__ import annotations

import time

import pytest

import climbfast as cf
from climbfast import activity
from climbfast.activity import count_work, show_activity


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.delenv("CLIMBFAST_PROGRESS", raising=False)
    monkeypatch.setattr(activity, "SECONDS_TO_FIRST_LINE", 0.05)
    monkeypatch.setattr(activity, "SECONDS_BETWEEN_LOOKS", 0.01)
    monkeypatch.setattr(activity, "always_shown", True)


def lines_of(capsys, *, enough):
    """The lines on standard error, as soon as there are enough."""
    text, end = "", time.monotonic() + 30
    while text.count("\n") < enough and time.monotonic() < end:
        time.sleep(0.01)
        text += capsys.readouterr().err
    return text.splitlines()


def test_a_line_after_a_while_and_again(capsys):
    with show_activity("pc"):
        count_work("tests", 1_000)
        count_work("tests", 234)
        with show_activity("orient"):
            found = lines_of(capsys, enough=2)
    assert set(found) == {"climbfast: searching a graph by pc: 0 s, 1,234 tests"}
    count_work("tests", 1)
    with show_activity("fges"):
        assert lines_of(capsys, enough=1)[0] == "climbfast: searching a graph by fges: 0 s"


def test_every_search_says_what_it_does():
    searches = (
        cf.causal_graph,
        cf.fges,
        cf.markov_blanket,
        cf.markov_blankets,
        cf.neighbors,
        cf.orient,
        cf.pc,
        cf.test,
    )
    assert {search.__name__ for search in searches} <= activity.DONE_BY.keys()


def test_nothing_for_a_quick_search(capsys):
    for _ in range(100):
        with show_activity("pc"):
            pass
    time.sleep(0.2)
    assert capsys.readouterr().err == ""


def test_it_can_be_turned_off(capsys, monkeypatch):
    monkeypatch.setenv("CLIMBFAST_PROGRESS", "0")
    with show_activity("pc"):
        time.sleep(0.3)
    monkeypatch.delenv("CLIMBFAST_PROGRESS")
    monkeypatch.setattr(activity, "always_shown", False)  # and this standard error is no terminal
    with show_activity("pc"):
        time.sleep(0.3)
    assert capsys.readouterr().err == ""


def test_quiet_is_stronger_than_always(monkeypatch):
    assert activity.is_shown()
    monkeypatch.setattr(activity, "never_shown", True)
    assert not activity.is_shown()
