"""Blankets as a table of edges, a row per target and member."""

from __future__ import annotations

import polars as pl
import pytest

import climbfast as cf

OF_SIDES = ("evidence", "seen_by", "known", "contradicted", "contradicted_by")
SHARES = ("frequency", "frequency_role")


def test_frame_has_a_row_per_target_and_member(blankets):
    frame = blankets.to_frame()
    assert frame.columns == ["target", "member", "role", "margin", "strength", "common_children", *OF_SIDES, *SHARES]
    rows = {(row["target"], row["member"]): row for row in frame.iter_rows(named=True)}
    assert len(rows) == frame.height == sum(len(blanket.members) for blanket in blankets.values())
    for target, blanket in blankets.items():
        for role, names in (("parent", blanket.parents), ("child", blanket.children)):
            for name in names:
                seen = blanket.evidence.get(name)
                shown = (None, None) if seen is None else (seen.bits, list(seen.columns))
                expected = (role, blanket.margins.get(name), blanket.strengths[name], None, *shown, False, *[None] * 4)
                assert tuple(rows[target, name].values())[2:] == expected
        for name in blanket.spouses:
            children = list(blanket.common_children[name])
            expected = ("spouse", None, blanket.spouse_strengths[name], children, *[None] * 7)
            assert tuple(rows[target, name].values())[2:] == expected


@pytest.mark.parametrize(
    ("names", "dtype", "cells"),
    [
        (["a", "b"], pl.String, ["a", "b"]),
        ([3, 20], pl.Int64, [20, 3]),
        ([1, "1"], pl.String, ["1", '"1"']),
        ([("a", 1), True], pl.String, ['["a", 1]', "true"]),
        ([2**63, 1], pl.String, ["1", str(2**63)]),
    ],
)
def test_frame_of_names_of_any_kind(names, dtype, cells):
    x, y = names
    found = [cf.Blanket(x, undecided=(y,)), cf.Blanket(y, spouses=(x,), common_children={x: (x,)})]
    frame = cf.Blankets(found).to_frame()
    assert frame.schema["target"] == frame.schema["member"] == dtype
    assert frame.schema["common_children"] == pl.List(dtype)
    assert frame["target"].to_list() == cells
    assert sorted(frame["role"]) == ["spouse", "undecided"]


def test_frame_without_a_member_has_its_columns():
    frame = cf.Blankets([cf.Blanket("x")]).to_frame()
    assert (frame.height, frame.width) == (0, 13)


def test_frame_of_known_sides():
    against = {"y": cf.ColliderEvidence(("z",), -1.5)}
    blanket = cf.Blanket("x", parents=("y",), children=("z",), known=("y",), contradicted=against, margins={"z": 2.0})
    rows = cf.Blankets([blanket]).to_frame().rows(named=True)
    assert [tuple(row[key] for key in OF_SIDES) for row in rows] == [
        (None, None, True, -1.5, ["z"]),
        (None, None, False, None, None),
    ]


def test_frame_has_the_frequencies_of_members():
    shares = {
        "p": {"found": 0.75, "parent": 0.5, "child": 0.25},
        "s": {"found": 0.5, "spouse": 0.5},
        "o": {"found": 0.25},
    }
    found = cf.Blankets([cf.Blanket("x", parents=("p",), spouses=("s",), undecided=("u",), frequencies=shares)])
    frame = found.to_frame().select("member", "role", *SHARES)
    assert frame.rows() == [("p", "parent", 0.75, 0.5), ("u", "undecided", None, None), ("s", "spouse", 0.5, 0.5)]
