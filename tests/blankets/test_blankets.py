"""Blankets of many targets as a mapping, and as a line of text."""

from __future__ import annotations

import pickle

import pytest

import climbfast as cf
from tests.blankets.strategies import HOW


def test_targets_come_in_canonical_order_whatever_the_order_given(blankets):
    assert list(blankets) == sorted(blankets)
    assert len(blankets) == len(blankets.found) == 15
    assert blankets["heart_disease"].target == "heart_disease"
    mixed = cf.Blankets(map(cf.Blanket, [10, "b", 2, ("a", 1), "10"]))
    assert list(mixed) == [("a", 1), 10, "10", 2, "b"]


def test_a_target_that_is_none_names_the_nearest(blankets):
    with pytest.raises(cf.UnknownColumnError, match="no target named 'heart'; the nearest are 'heart_disease'"):
        blankets["heart"]
    assert "heart" not in blankets
    assert blankets.get("heart") is None
    assert blankets.get("sleep") is blankets["sleep"]


def test_two_blankets_of_one_target_are_refused():
    with pytest.raises(cf.OptionError, match="two blankets of 'x'"):
        cf.Blankets([cf.Blanket("x"), cf.Blanket("y"), cf.Blanket("x", parents=("y",))])


def test_how_is_kept_and_read_only(blankets):
    assert blankets.how == HOW
    with pytest.raises(TypeError):
        blankets.how["method"] = "other"
    with pytest.raises(AttributeError):
        blankets.how = {}
    with pytest.raises(TypeError, match="not JSON serializable"):
        cf.Blankets([], {"data": object()})


def test_equal_when_the_blankets_are(blankets):
    assert cf.Blankets(blankets.values()) == blankets
    assert cf.Blankets(blankets.found[1:]) != blankets
    assert pickle.loads(pickle.dumps(blankets)) == blankets
    assert pickle.loads(pickle.dumps(blankets)).how == HOW


def test_get_asks_for_no_nearest_names(blankets, monkeypatch):
    monkeypatch.setattr("difflib.get_close_matches", None)
    assert blankets.get("none of these") is None
    assert blankets.get("none of these", 1) == 1
    assert blankets.get("heart_disease") is blankets["heart_disease"]


def test_names_where_none_is_near():
    few = [cf.Blanket(f"gene{i}") for i in range(7)]
    for many, says in ((0, "there is none"), (2, "there are 'gene0', 'gene1'"), (7, "'gene4' and 2 more")):
        with pytest.raises(cf.UnknownColumnError, match=f"no target named 'xyz'; .*{says}$"):
            cf.Blankets(few[:many])["xyz"]


def test_text_is_one_line():
    found = [
        cf.Blanket("x", parents=("y",), spouses=("v",), tests_by_size=(1000, 234)),
        cf.Blanket("y", children=("x",), undecided=("z",), tests_by_size=(5,)),
    ]
    assert str(cf.Blankets(found)) == "2 targets, 2 edges, 1,239 tests"
    assert str(cf.Blankets(found, {"tests": 0, "seconds": 1.5})) == "2 targets, 2 edges, 1.5 s"
    how = {"tests": 3000, "seconds": 1.5, "backend": "loky", "why": "8 cores"}
    assert str(cf.Blankets(found, how)) == "2 targets, 2 edges, 3,000 tests, 1.5 s, loky (8 cores)"
    assert repr(cf.Blankets(found, {"seconds": 2, "backend": "serial"})) == (
        "<Blankets: 2 targets, 2 edges, 1,239 tests, 2 s, serial>"
    )
    around_a_hub = cf.Blankets([*found, cf.Blanket("z", undecided=("y",), bounded=40)])
    assert str(around_a_hub).endswith(", 1,239 tests, not all sets tried (max_pool): 1 target")
