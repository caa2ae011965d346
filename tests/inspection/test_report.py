"""The result: what it holds, as text, as JSON, and in a pickle."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError

import pytest

import climbfast as cf
from climbfast.errors import Option, UnknownColumnError
from climbfast.inspection.report import KINDS, leaving_out, listed

TABLE = {
    "smoker": ["yes", "no", "Yes"] * 10, "age": [31.5, 40.0, None] * 10, "k": [1] * 30, (1, "t"): ["u", "v", "?"] * 10,
}  # fmt: skip


@pytest.fixture(scope="module")
def found():
    return cf.inspect(TABLE, keep_ids=True)


def test_what_is_refused_comes_first(found):
    weights = [finding.weight for finding in found.findings]
    assert weights == sorted(weights, key=["refused", "check", "note"].index)
    assert {finding.kind for finding in found.findings} <= set(KINDS)
    assert found.is_refused
    assert not cf.inspect({"x": [0, 1, 1]}).is_refused


def test_columns(found):
    assert [column.name for column in found.columns] == list(TABLE)
    smoker = found.column("smoker")
    assert (smoker.kind, smoker.levels, smoker.missing, smoker.most_frequent, smoker.frequency) == (
        "text",
        3,
        0,
        "Yes",
        10,
    )
    assert smoker.becomes == ("Yes", "no", "yes")
    assert "alike-levels" in smoker.findings
    with pytest.raises(UnknownColumnError, match="no column named 'smokr'; the nearest are 'smoker'"):
        found.column("smokr")


def test_figures(found):
    assert (found.rows, found.distinct_rows, found.complete_rows, found.memory) == (30, 3, 20, 120)
    assert (found.source, found.options, found.version) == ("dict", {"keep_ids": True}, cf.__version__)


def test_it_is_frozen(found):
    with pytest.raises(FrozenInstanceError):
        found.rows = 1
    with pytest.raises(TypeError):
        found.options["x"] = 1
    with pytest.raises(TypeError):
        found.findings[0].details["x"] = 1


def test_repr_and_text(found):
    assert repr(found) == "<Inspection: 30 rows, 4 columns; 2 findings refused, 4 to check, 2 noted>"
    lines = str(found).splitlines()
    assert lines[0] == "30 rows, 4 columns"
    assert lines[1].startswith(
        "refused: fractional numbers in column 'age'; cut them into intervals with numbers='auto'"
    )
    assert len(lines) == 1 + len(found.findings)


def test_json_round_trip(found):
    plain = json.loads(found.to_json())
    assert list(plain) == [
        "source", "rows", "columns", "findings", "refused", "mended_by", "memory", "distinct_rows", "complete_rows",
        "options", "seconds", "version",
    ]  # fmt: skip
    assert list(plain["columns"][0]) == [
        "name", "kind", "levels", "missing", "most_frequent", "frequency", "outcome", "becomes", "why", "findings",
    ]  # fmt: skip
    assert list(plain["findings"][0]) == ["kind", "weight", "columns", "message", "advice", "options", "details"]
    assert plain["columns"][3]["name"] == [1, "t"]
    assert plain["findings"][0]["options"] == [
        {"name": "numbers", "value": "auto"},
        {"name": "numbers", "value": "levels"},
    ]
    assert json.dumps(plain) == found.to_json()


def test_json_has_no_more_than_twenty_levels_of_a_column():
    found = cf.inspect({"x": [f"w{i % 30}" for i in range(90)]})
    assert len(found.to_dict()["columns"][0]["becomes"]) == 20
    assert len(found.columns[0].to_dict(None)["becomes"]) == 30


def test_json_of_infinite_numbers_and_dates():
    import datetime as dt

    table = {"x": [float("inf"), 1.5, 2.5] * 5, "day": [dt.date(2024, 1, 1), dt.date(2024, 1, 2), None] * 5}
    plain = json.loads(cf.inspect(table).to_json())
    assert plain["columns"][1]["most_frequent"] == "2024-01-01"


def test_pickle(found):
    copy = pickle.loads(pickle.dumps(found))
    assert copy == found
    assert copy.findings == found.findings


def test_kinds_can_be_asked_for(found):
    assert [finding.columns for finding in found.of_kind("marker")] == [((1, "t"),)]
    assert not found.of_kind("copies")


def test_words():
    assert listed(("a",)) == "column 'a'"
    assert listed(("a", "b")) == "columns 'a', 'b'"
    assert listed(tuple("abcdefg"), limit=2) == "7 columns ('a', 'b' and 5 more)"
    assert leaving_out(["a", "b"]) == Option("leave_out", ["a", "b"])
    assert leaving_out(list("abcd")) == Option("leave_out", ...)
