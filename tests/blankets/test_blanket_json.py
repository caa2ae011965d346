"""A blanket as plain fields: one of the wrong kind is named."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.blankets.jsonl_format import line_of
from tests.blankets.strategies import LINE


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"target": {}}, r"\{\} is not a name"),
        ({"parents": "y"}, "parents is 'y'; it has to be a list"),
        ({"parents": None}, "parents is None; it has to be a list"),
        ({"undecided": [{"a": 1}]}, "'a': 1} is not a name"),
        ({"margins": []}, r"margins is \[\]; it has to be an object"),
        ({"margins": {"y": "much"}}, "margins is 'much'; it has to be a number"),
        ({"strengths": {"y": True}}, "strengths is True; it has to be a number"),
        ({"by_name": {"margins": [["y"]]}}, r"margins has \['y'\] instead of a name and its value"),
        ({"common_children": {"y": "z"}}, "common_children is 'z'; it has to be a list"),
        ({"exact": 1}, "exact is 1; it has to be true or false"),
        ({"rows": 1.5}, "rows is 1.5; it has to be a whole number"),
        ({"rows": True}, "rows is True; it has to be a whole number"),
        ({"max_given": []}, r"max_given is \[\]; it has to be a whole number or text or null"),
        ({"tests_by_size": [None]}, "tests_by_size is None; it has to be a whole number"),
        ({"how": []}, "how is"),
        ({"version": 7}, "version is 7; it has to be text"),
        ({"parents": ["y", "x"]}, "'x' is the target, and among its parents"),
        ({"children": ["y"]}, "'y' is among the parents and again among the children"),
        ({"spouses": ["z", "z"]}, "'z' is among the spouses and again among the spouses"),
        ({"rows": 10**30}, "rows has a number above 2.63"),
        ({"margins": {"y": 10**400}}, "margins has a number above 2.63"),
        ({"frequencies": []}, r"frequencies is \[\]; it has to be an object"),
        ({"frequencies": {"y": 1.0}}, "frequencies is 1.0; it has to be an object"),
        ({"frequencies": {"y": {"parent": 1.0}}}, "frequencies has .*; it has to be an object with found, and roles"),
        ({"frequencies": {"y": {"found": 1, "aunt": 1}}}, "frequencies has .*; it has to be an object with found, and"),
        ({"frequencies": {"y": {"found": "1"}}}, "frequencies is '1'; it has to be a number"),
        ({"frequencies": {"y": {"found": 1.5}}}, "frequencies has .*; shares are from 0 to 1"),
        ({"frequencies": {"y": {"found": 0.5, "child": 0.6}}}, "frequencies has .*; shares are from 0 to 1, and those"),
        ({"by_name": {"frequencies": [["y", 1]]}}, "frequencies is 1; it has to be an object"),
        ({"bounded": -1}, "bounded is -1; it has to be a whole number from 0 up"),
        ({"max_given": -2}, "max_given is -2; it has to be a whole number from 0 up"),
        ({"tests_by_size": [3, -1]}, "tests_by_size is -1; it has to be a whole number from 0 up"),
        ({"method": ["x" * 100]}, r"method is \['x{55}\.\.\.; it has to be text"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named_with_its_line(folder, change, fault):
    file = folder / "wrong.jsonl"
    file.write_text(line_of(cf.Blanket("v")) + "\n" + json.dumps(LINE | change))
    with pytest.raises(cf.DataError, match=rf"wrong\.jsonl, line 3: .*{fault}"):
        cf.read_blankets(file)


@pytest.mark.parametrize("names", [("p", "s", "o"), (1, 2, 3), (1, "1", ("1", 2))])
@pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".csv"])
def test_frequencies_of_members_and_of_others(names, suffix, folder):
    p, s, o = names
    shares = {
        p: {"found": 0.75, "parent": 0.5, "child": 0.25, "undecided": 0.0, "spouse": 0.0},
        s: {"found": 0.0, "parent": 0.0, "child": 0.0, "undecided": 0.0, "spouse": 0.0},
        o: {"found": 1 / 3, "parent": 0.0, "child": 0.0, "undecided": 1 / 3, "spouse": 0.0},
    }
    found = cf.Blankets([cf.Blanket("x", parents=(p,), spouses=(s,), frequencies=shares)])
    found.save(folder / f"often{suffix}")
    kept = cf.read_blankets(folder / f"often{suffix}")["x"].frequencies
    # CSV is a table of members with their roles.
    assert kept == (
        shares if suffix != ".csv" else {p: {"found": 0.75, "parent": 0.5}, s: {"found": 0.0, "spouse": 0.0}}
    )
