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
        ({"method": ["x" * 100]}, r"method is \['x{55}\.\.\.; it has to be text"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named_with_its_line(folder, change, fault):
    file = folder / "wrong.jsonl"
    file.write_text(line_of(cf.Blanket("v")) + "\n" + json.dumps(LINE | change))
    with pytest.raises(cf.DataError, match=rf"wrong\.jsonl, line 3: .*{fault}"):
        cf.read_blankets(file)
