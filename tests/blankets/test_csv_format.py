"""Blankets as CSV: the edges come back, and what all blankets have in common."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from tests.blankets.strategies import HEADER, HOW, any_blankets, bits, exactly, json_values


def test_csv_keeps_the_edges_and_what_all_have_in_common(blankets, folder):
    blankets.save(folder / "found.csv")
    again = cf.read_blankets(folder / "found.csv")
    assert again.how == HOW
    lost = {"tests_by_size": (), "seconds": 0.0, "separating_sets": {}, "rows_per_stratum": 0.0, "determined_by": ()}
    for target, blanket in blankets.items():
        assert exactly(again[target]) == exactly(blanket, **lost)
    assert {blanket.method for blanket in again.values()} == {"climb"}


def test_csv_loses_what_differs(folder):
    found = [
        cf.Blanket("x", exact=False, gap=1.5, method="climb"),
        cf.Blanket("y", method="climb", skipped=3, bounded=17),
    ]
    cf.Blankets(found).save(folder / "differs.csv")
    again = cf.read_blankets(folder / "differs.csv")
    kept = [(b.exact, b.gap, b.skipped, b.bounded, b.method) for b in again.values()]
    assert kept == [(True, 0.0, 0, 0, "climb")] * 2


@given(found=any_blankets(), how=st.dictionaries(st.text(), json_values), alike=st.booleans())
@settings(max_examples=25)
def test_csv_brings_the_edges_back(folder, found, how, alike):
    shared = (
        "exact",
        "gap",
        "rows_per_stratum",
        "method",
        "search",
        "symmetry",
        "max_given",
        "test",
        "skipped",
        "bounded",
        "rows",
        "version",
    )
    if alike:
        found = [replace(blanket, **{key: getattr(found[0], key) for key in shared}) for blanket in found]
    blankets = cf.Blankets(found, how)
    blankets.save(folder / "any.csv")
    again = cf.read_blankets(folder / "any.csv")
    assert again.how == how
    sides = ("target", "parents", "children", "spouses", "undecided", "columns")
    figures = ("margins", "strengths", "spouse_strengths", "common_children", "evidence", "unexplained")
    for was, now in zip(blankets.found, again.found, strict=True):
        kept = (*sides, *(shared if alike else ()))
        assert [bits(getattr(now, key)) for key in kept] == [bits(getattr(was, key)) for key in kept]
        # These come in the order of the edges.
        assert now.frequencies == {
            name: {share: was.frequencies[name][share] for share in ("found", role)}
            for role, members in zip(("parent", "child", "undecided", "spouse"), members_of(was), strict=True)
            for name in members
            if name in was.frequencies
        }
        for key in figures:
            assert sorted(bits(getattr(now, key)), key=repr) == sorted(bits(getattr(was, key)), key=repr)


def members_of(blanket):
    return blanket.parents, blanket.children, blanket.undecided, blanket.spouses


def test_csv_opens_in_other_libraries(folder):
    found = [cf.Blanket("x", parents=("y,z",), margins={"y,z": 0.5}), cf.Blanket("y,z"), cf.Blanket("v", spouses=("",))]
    cf.Blankets(found, HOW).save(folder / "small.csv")
    with (folder / "small.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [(row["target"], row["member"], row["role"], row["margin"]) for row in rows] == [
        ("v", "", "spouse", ""),
        ("x", "y,z", "parent", "0.5"),
        ("y,z", "", "", ""),
    ]
    assert [bool(row["run"]) for row in rows] == [True, False, False]
    assert json.loads(rows[0]["run"])["how"] == HOW
    assert pd.read_csv(folder / "small.csv").shape == (3, 14)


def test_csv_without_the_run_is_a_table_of_edges_by_text(folder):
    text = 'role,strength,margin,target,common_children,member\nparent,2.5,,1,,2\nspouse,,,1,"[""2""]",3\n,,,4,,\n'
    (folder / "by_hand.csv").write_text(text)
    again = cf.read_blankets(folder / "by_hand.csv")
    assert list(again) == ["1", "4"]
    assert (again["1"].parents, again["1"].spouses, again["1"].strengths) == (("2",), ("3",), {"2": 2.5})
    assert again["1"].common_children == {"3": ("2",)}
    assert again["4"].members == ()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("target,member,role\n", "line 1: no column 'margin'; the columns of edges are target, member, "),
        ("\n", "line 1: no column 'target'"),
        (f"{HEADER}\nx,y,parent,1,2,\nx,z\n", "line 3: 2 cells, but 6 columns"),
        (f"{HEADER}\nx,y,father,1,2,\n", "line 2: role is 'father'; it is one of parent, child, undecided, spouse"),
        (f"{HEADER}\nx,y,,1,2,\n", "line 2: role is ''"),
        (f"{HEADER}\nx,y,parent,big,2,\n", "line 2: margin is 'big'; it has to be a number"),
        (f"{HEADER}\nx,y,spouse,,2,[1\n", r"line 2: common_children is '\[1'; it has to be a JSON array of names"),
        (f"{HEADER}\nx,y,parent,1,2,\nx,y,parent,1,2,\n", "line 3: 'y' is a parent of 'x' in an earlier line already"),
        (f"{HEADER},frequency\nx,y,parent,1,2,,often\n", "line 2: frequency is 'often'; it has to be a number"),
        (f'{HEADER}\nx,"y,parent,1,2,\n', "line 2: unexpected end of data"),
        (
            f"{HEADER},run\nx,y,parent,1,2,,7\n",
            "line 2: run is '7'; it has to be an object with how, blankets and names",
        ),
        (f'{HEADER},run\nx,y,parent,1,2,,"{{""names"": ""x""}}"\n', "line 2: run is "),
        (
            f'{HEADER},run\nx,y,parent,1,2,,"{{""names"": ""integer""}}"\n',
            "line 2: 'x' is not a name encoded as integer",
        ),
        (f'{HEADER},run\nx,y,parent,1,2,,"{{""names"": ""json""}}"\n', "line 2: 'x' is not a name encoded as json"),
        (f'{HEADER},run\nx,y,parent,1,2,,"{{""blankets"": {{""rows"": ""x""}}}}"\n', "line 2: rows is 'x'; "),
    ],
)
def test_a_row_that_is_no_edge(folder, text, fault):
    (folder / "faulty.csv").write_text(text)
    with pytest.raises(cf.DataError, match=rf"faulty\.csv, {fault}"):
        cf.read_blankets(folder / "faulty.csv")


def test_csv_of_another_encoding(folder):
    (folder / "latin.csv").write_bytes(f"{HEADER}\né,y,parent,1,2,\n".encode("latin-1"))
    with pytest.raises(cf.DataError, match=r"latin\.csv, not in UTF-8: "):
        cf.read_blankets(folder / "latin.csv")


def test_formulas_are_quoted_if_asked_for(folder):
    names = ("=1+1", "+a", "-b", "@c", "\td", "\re", "'f", "g")
    found = cf.Blankets([cf.Blanket("=1+1", parents=names[1:3], spouses=names[6:]), cf.Blanket("@c"), cf.Blanket("'f")])
    file = folder / "formulas.csv"
    found.save(file, quote_formulas=True)
    assert cf.read_blankets(file) == found
    lines = file.read_text().splitlines()
    assert [line[:14] for line in lines[1:3]] == ["''f,,,,,,,,,,,", "'=1+1,'+a,pare"]
    cells = [cell for row in csv.reader(lines[1:]) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    found.save(file)
    assert "\n=1+1,+a,parent," in file.read_text()
    assert cf.read_blankets(file) == found


@pytest.mark.parametrize("names", [(1, -2), ("\re", "=x"), (("=x", 1), "y")])
def test_names_of_all_types_come_back_with_quoted_formulas(folder, names):
    found = cf.Blankets([cf.Blanket(names[0], parents=names[1:])])
    found.save(folder / "typed.csv", quote_formulas=True)
    assert cf.read_blankets(folder / "typed.csv") == found


def test_messages_escape_what_the_file_says(folder):
    file = folder / "bad\x1b\udcff.csv"
    for text in (f'{HEADER}\nx,"y"\x1b,parent,1,2,\n', f"{HEADER},run\nx,y,parent,1,2,,\x1b[2J\n"):
        file.write_text(text)
        with pytest.raises(cf.DataError) as refused:
            cf.read_blankets(file)
        assert str(refused.value).isprintable()


def test_evidence_and_what_is_unexplained(folder):
    """Largest first, as they were found; a blanket without a member has no further row."""
    seen = {"y": cf.ColliderEvidence(("z", "u,v"), 12.5)}
    found = [
        cf.Blanket("x", children=("y",), evidence=seen, unexplained={"b": 9.25, "a": 0.1}),
        cf.Blanket("z", unexplained={"x": 3.0}),
    ]
    file = folder / "seen.csv"
    cf.Blankets(found).save(file)
    again = cf.read_blankets(file)
    assert list(again.found) == found
    assert list(again["x"].unexplained) == ["b", "a"]
    with file.open(newline="") as lines:
        rows = [(row["target"], row["member"], row["role"], row["evidence"]) for row in csv.DictReader(lines)]
    assert rows == [
        ("x", "y", "child", "12.5"),
        ("x", "b", "unexplained", ""),
        ("x", "a", "unexplained", ""),
        ("z", "x", "unexplained", ""),
    ]
