"""Blankets as JSON Lines: each line is what the command prints."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.blankets.jsonl_format import line_of
from tests.blankets.strategies import HOW, LINE, exactly


def test_a_line_is_what_the_command_prints(blankets, folder):
    blankets.save(folder / "lines.jsonl")
    first, *others = (folder / "lines.jsonl").read_text().splitlines()
    promised = "target parents children spouses method test margins tests rows columns seconds version strengths"
    assert json.loads(first).keys() - {"how"} == json.loads(others[0]).keys() >= {*promised.split()}
    for line, blanket in zip(others, blankets.found[1:], strict=True):
        assert line == blanket.to_json()
    assert json.loads(first)["how"] == HOW


def test_lines_of_the_command_can_be_read(blankets, folder):
    odd = cf.Blanket(("a", 1), parents=(2,), spouses=("x",), margins={2: 0.5}, common_children={"x": (("b", 2),)})
    lines = "".join(f"{blanket.to_json()}\n\n" for blanket in (*blankets.values(), odd))
    (folder / "printed.jsonl").write_text("\ufeff" + lines, encoding="utf-8")
    again = cf.read_blankets(folder / "printed.jsonl")
    assert (len(again), again.how) == (16, {})
    assert exactly(again["sleep"]) == exactly(blankets["sleep"], separating_sets={})
    assert exactly(again["a", 1]) == exactly(odd)


def test_what_a_line_does_not_say_is_not_made_up(folder):
    (folder / "bare.jsonl").write_text('{"target": "x", "parents": ["y"], "children": [], "spouses": [], "more": 1}\n')
    (found,) = cf.read_blankets(folder / "bare.jsonl").found
    assert (found.test, found.version, found.rows, found.parents) == ("", "", 0, ("y",))


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b'{"target": "x", "par', "not JSON: "),
        (b"\xff\xfe\x00", "not JSON: "),
        (b"[" * 100_000, "not JSON: "),
        (b"[1, 2]", "not a JSON object, so not a blanket"),
        (b'{"target": "x", "parents": [], "children": []}', "no field 'spouses'; a blanket has target, parents, "),
        (
            json.dumps(LINE | {"target": "w", "bounded": -1}).encode(),
            "bounded is -1; it has to be a whole number from 0",
        ),
        (json.dumps(LINE | {"target": "v"}).encode(), "the target 'v' has a blanket in line 1 already"),
        (json.dumps(LINE | {"how": {"a": 2}}).encode(), "the first line of another run; a file has one run"),
    ],
)
def test_a_line_that_is_no_blanket(folder, line, fault):
    file = folder / "faulty.jsonl"
    file.write_bytes(line_of(cf.Blanket("v"), {"a": 1}).encode() + line)
    with pytest.raises(cf.DataError, match=rf"faulty\.jsonl, line 2: {fault}"):
        cf.read_blankets(file)


def test_a_file_of_an_earlier_version(blankets, folder):
    """Without evidence, and without what is unexplained."""
    new = ("evidence", "frequencies", "unexplained", "rows_per_stratum", "determined_by")
    blankets.save(folder / "new.jsonl")
    lines = map(json.loads, (folder / "new.jsonl").read_text().splitlines())
    old = [json.dumps({key: value for key, value in fields.items() if key not in new}) for fields in lines]
    (folder / "old.jsonl").write_text("\n".join(old))
    for target, blanket in cf.read_blankets(folder / "old.jsonl").items():
        assert blanket.margins == blankets[target].margins
        assert (blanket.evidence, blanket.unexplained, blanket.rows_per_stratum) == ({}, {}, 0.0)


@pytest.mark.parametrize(
    "evidence",
    [{"y": 3}, {"y": {"columns": "z", "bits": 1}}, {"y": {"bits": 1}}, {"y": {"columns": ["z"]}}, ["y"]],
)
def test_evidence_that_is_none(folder, evidence):
    file = folder / "faulty.jsonl"
    file.write_text(json.dumps({"target": "x", "parents": ["y"], "children": [], "spouses": [], "evidence": evidence}))
    with pytest.raises(cf.DataError, match=r"faulty\.jsonl, line 1: evidence is "):
        cf.read_blankets(file)
