"""Blankets of many targets: a mapping, a table, files that come back to the bit."""

from __future__ import annotations

import csv
import json
import math
import os
import pickle
from collections.abc import Mapping
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.blankets.jsonl_format import line_of
from climbfast.blankets.name_encoding import name_encoding_of

SUFFIXES = [".jsonl", ".parquet", ".csv"]
HOW = {"method": "climb", "workers": 2, "seconds": 1.75, "min_bits": None, "tests": 1234}
ODD = [
    "a,b",
    'say "so"',
    "two\nlines",
    "cr\rlf\r\n",
    " sp ",
    "é∧😀",
    "",
    "1",
    "null",
    '["x"]',
    "\x00",
    "x" * 300,
    "A",
    "a",
]


@pytest.fixture(scope="module")
def blankets():
    data = cf.load_example().sample(2_000, seed=1)
    return cf.Blankets([cf.markov_blanket(data, name, symmetry="and") for name in reversed(data.names)], HOW)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("blankets")


def bits(value):
    """A value in which floats are told apart by their bits, and names by their types."""
    if isinstance(value, float):
        return "float", value.hex()
    if isinstance(value, Mapping):
        return [(bits(key), bits(each)) for key, each in value.items()]
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    return type(value).__name__, value


def exactly(blanket, **other):
    return {each.name: bits(getattr(replace(blanket, **other), each.name)) for each in fields(blanket)}


# ---- a mapping


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
    how = {"tests": 3000, "seconds": 1.5, "backend": "loky", "why": "8 cores"}
    assert str(cf.Blankets(found, how)) == "2 targets, 2 edges, 3,000 tests, 1.5 s, loky (8 cores)"
    assert repr(cf.Blankets(found, {"seconds": 2, "backend": "serial"})) == (
        "<Blankets: 2 targets, 2 edges, 1,239 tests, 2 s, serial>"
    )


# ---- a table of edges


def test_frame_has_a_row_per_target_and_member(blankets):
    frame = blankets.to_frame()
    assert frame.columns == ["target", "member", "role", "margin", "strength", "common_children"]
    rows = {(row["target"], row["member"]): row for row in frame.iter_rows(named=True)}
    assert len(rows) == frame.height == sum(len(blanket.members) for blanket in blankets.values())
    for target, blanket in blankets.items():
        for role, names in (("parent", blanket.parents), ("child", blanket.children)):
            for name in names:
                expected = (role, blanket.margins[name], blanket.strengths[name], None)
                assert tuple(rows[target, name].values())[2:] == expected
        for name in blanket.spouses:
            expected = ("spouse", None, blanket.spouse_strengths[name], list(blanket.common_children[name]))
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
    assert (frame.height, frame.width) == (0, 6)


# ---- files


@pytest.mark.parametrize("separating_sets", [False, True])
@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_what_was_found_comes_back_to_the_bit(blankets, folder, suffix, separating_sets):
    blankets.save(folder / f"found{suffix}", separating_sets=separating_sets)
    again = cf.read_blankets(folder / f"found{suffix}")
    assert again.how == HOW
    assert list(again) == list(blankets)
    other = {} if separating_sets else {"separating_sets": {}}
    for target, blanket in blankets.items():
        assert exactly(again[target]) == exactly(blanket, **other)


def test_csv_keeps_the_edges_and_what_all_have_in_common(blankets, folder):
    blankets.save(folder / "found.csv")
    again = cf.read_blankets(folder / "found.csv")
    assert again.how == HOW
    lost = {"tests_by_size": (), "seconds": 0.0, "separating_sets": {}}
    for target, blanket in blankets.items():
        assert exactly(again[target]) == exactly(blanket, **lost)
    assert {blanket.method for blanket in again.values()} == {"climb"}


def test_csv_loses_what_differs(folder):
    found = [cf.Blanket("x", exact=False, gap=1.5, method="climb"), cf.Blanket("y", method="climb", skipped=3)]
    cf.Blankets(found).save(folder / "differs.csv")
    again = cf.read_blankets(folder / "differs.csv")
    assert [(b.exact, b.gap, b.skipped, b.method) for b in again.values()] == [(True, 0.0, 0, "climb")] * 2


_texts = st.text(max_size=6) | st.sampled_from(ODD)
_names = st.one_of(
    st.lists(_texts, min_size=3, max_size=8, unique=True),
    st.lists(st.integers(-5, 5) | st.integers(), min_size=3, max_size=8, unique=True),
    st.lists(
        st.recursive(_texts | st.integers(2) | st.booleans() | st.none(), lambda e: st.tuples(e, e), max_leaves=4),
        min_size=3,
        max_size=8,
        unique=True,
    ),
)
_floats = st.floats(allow_nan=False) | st.sampled_from([-0.0, 5e-324, 0.1 + 0.2, 1e300])


@st.composite
def _found(draw):
    """Blankets with anything in them that a search could return, and more."""
    names = draw(_names)

    def some(among):
        return tuple(draw(st.lists(st.sampled_from(among), unique=True))) if among else ()

    def figures(among):
        return {name: draw(_floats) for name in some(among)}

    def one(target):
        roles = {name: draw(st.sampled_from(["parents", "children", "spouses", "undecided", "none"])) for name in names}
        sides = {
            side: tuple(name for name, role in roles.items() if role == side and name != target)
            for side in ("parents", "children", "spouses", "undecided")
        }
        neighbors = [name for side in ("parents", "children", "undecided") for name in sides[side]]
        return cf.Blanket(
            target,
            **sides,
            common_children={name: some(neighbors) for name in some(sides["spouses"])},
            margins=figures(neighbors),
            strengths=figures(neighbors),
            spouse_strengths=figures(sides["spouses"]),
            separating_sets={name: some(names) for name in some(names)},
            exact=draw(st.booleans()),
            gap=draw(_floats),
            method=draw(_texts),
            search=draw(_texts),
            symmetry=draw(_texts),
            max_given=draw(st.none() | st.integers(0, 9) | st.just("default")),
            test=draw(_texts),
            tests_by_size=tuple(draw(st.lists(st.integers(0, 2**50)))),
            skipped=draw(st.integers(0, 9)),
            rows=draw(st.integers(0, 2**62)),
            columns=len(names),
            seconds=draw(_floats),
            version=draw(_texts),
        )

    return [one(target) for target in draw(st.lists(st.sampled_from(names), min_size=1, unique=True))]


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda each: st.lists(each) | st.dictionaries(st.text(), each),
    max_leaves=5,
)


@given(found=_found(), how=st.dictionaries(st.text(), _json), separating_sets=st.booleans())
@settings(max_examples=50)
@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_every_field_comes_back(folder, suffix, found, how, separating_sets):
    blankets = cf.Blankets(found, how)
    blankets.save(folder / f"any{suffix}", separating_sets=separating_sets)
    again = cf.read_blankets(folder / f"any{suffix}")
    assert again.how == how
    other = {} if separating_sets else {"separating_sets": {}}
    assert [exactly(blanket) for blanket in again.found] == [exactly(blanket, **other) for blanket in blankets.found]


@given(found=_found(), how=st.dictionaries(st.text(), _json), alike=st.booleans())
@settings(max_examples=50)
def test_csv_brings_the_edges_back(folder, found, how, alike):
    shared = ("exact", "gap", "method", "search", "symmetry", "max_given", "test", "skipped", "rows", "version")
    if alike:
        found = [replace(blanket, **{key: getattr(found[0], key) for key in shared}) for blanket in found]
    blankets = cf.Blankets(found, how)
    blankets.save(folder / "any.csv")
    again = cf.read_blankets(folder / "any.csv")
    assert again.how == how
    sides = ("target", "parents", "children", "spouses", "undecided", "columns")
    figures = ("margins", "strengths", "spouse_strengths", "common_children")
    for was, now in zip(blankets.found, again.found, strict=True):
        kept = (*sides, *(shared if alike else ()))
        assert [bits(getattr(now, key)) for key in kept] == [bits(getattr(was, key)) for key in kept]
        # These come in the order of the edges.
        for key in figures:
            assert sorted(bits(getattr(now, key)), key=repr) == sorted(bits(getattr(was, key)), key=repr)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_names_from_numpy(folder, suffix):
    x, y = np.int64(7), (np.str_("a"), np.int64(2))
    cf.Blankets([cf.Blanket(x, parents=(y,), margins={y: np.float64(0.1)})]).save(folder / f"numpy{suffix}")
    (again,) = cf.read_blankets(folder / f"numpy{suffix}").found
    assert (again.target, again.parents, again.margins) == (7, (("a", 2),), {("a", 2): 0.1})


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_name_that_no_file_holds_is_refused(folder, suffix):
    day = pd.Timestamp("2020-01-01")
    with pytest.raises(cf.OptionError, match=r"Timestamp\('2020-01-01 00:00:00'\) is of type Timestamp; .*: rename it"):
        cf.Blankets([cf.Blanket("x", parents=(day,))]).save(folder / f"day{suffix}")
    assert not (folder / f"day{suffix}").exists()


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


def test_parquet_opens_in_other_libraries(blankets, folder):
    blankets.save(folder / "found.parquet")
    frame = pl.read_parquet(folder / "found.parquet")
    assert frame.columns[:5] == ["target", "parents", "children", "spouses", "undecided"]
    assert frame["parents"].to_list() == [list(blanket.parents) for blanket in blankets.values()]
    assert frame["names"].unique().to_list() == ["text"]
    assert "separating_sets" not in frame.columns
    # What pandas rewrites reads back, and so do selected rows in another order.
    pd.read_parquet(folder / "found.parquet").iloc[[3, 1]].to_parquet(folder / "rewritten.parquet")
    again = cf.read_blankets(folder / "rewritten.parquet")
    assert again.how == HOW
    for target in again:
        assert exactly(again[target]) == exactly(blankets[target], separating_sets={})


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
    assert pd.read_csv(folder / "small.csv").shape == (3, 7)


def test_csv_without_the_run_is_a_table_of_edges_by_text(folder):
    text = 'role,strength,margin,target,common_children,member\nparent,2.5,,1,,2\nspouse,,,1,"[""2""]",3\n,,,4,,\n'
    (folder / "by_hand.csv").write_text(text)
    again = cf.read_blankets(folder / "by_hand.csv")
    assert list(again) == ["1", "4"]
    assert (again["1"].parents, again["1"].spouses, again["1"].strengths) == (("2",), ("3",), {"2": 2.5})
    assert again["1"].common_children == {"3": ("2",)}
    assert again["4"].members == ()


def test_names_stand_as_they_are_where_they_can():
    assert name_encoding_of(["a", "1", "two\nlines", '"']).kind == "text"
    assert name_encoding_of([1, -5, 2**63 - 1]).kind == "integer"
    for names in (["a", 1], [True], [1.5], [("a",)], [2**63], [-(2**63) - 1], ["cr\r"], ["\ud800"], [None]):
        assert name_encoding_of(names).kind == "json", names


# ---- files that are none


LINE = cf.Blanket("x", parents=("y",), margins={"y": 1.0}).to_dict()


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
        ({"method": ["x" * 100]}, r"method is \['x{58}\.\.\.; it has to be text"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named_with_its_line(folder, change, fault):
    file = folder / "wrong.jsonl"
    file.write_text(line_of(cf.Blanket("v")) + "\n" + json.dumps(LINE | change))
    with pytest.raises(cf.DataError, match=rf"wrong\.jsonl, line 3: .*{fault}"):
        cf.read_blankets(file)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b'{"target": "x", "par', "not JSON: "),
        (b"\xff\xfe\x00", "not JSON: "),
        (b"[" * 100_000, "not JSON: "),
        (b"[1, 2]", "not a JSON object, so not a blanket"),
        (b'{"target": "x", "parents": [], "children": []}', "no field 'spouses'; a blanket has target, parents, "),
        (json.dumps(LINE | {"target": "v"}).encode(), "the target 'v' has a blanket in line 1 already"),
        (json.dumps(LINE | {"how": {"a": 2}}).encode(), "the first line of another run; a file has one run"),
    ],
)
def test_a_line_that_is_no_blanket(folder, line, fault):
    file = folder / "faulty.jsonl"
    file.write_bytes(line_of(cf.Blanket("v"), {"a": 1}).encode() + line)
    with pytest.raises(cf.DataError, match=rf"faulty\.jsonl, line 2: {fault}"):
        cf.read_blankets(file)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_blankets_that_are_not_there(folder, suffix):
    file = folder / f"fewer{suffix}"
    cf.Blankets([cf.Blanket("x", parents=("y",)), cf.Blanket("y")], {"targets": 3}).save(file)
    with pytest.warns(cf.ClimbfastWarning, match=f"fewer{suffix}: 2 blankets of a run over 3 targets"):
        assert len(cf.read_blankets(file)) == 2


def test_a_panic_of_polars_is_a_damaged_file(folder, monkeypatch):
    file = folder / "panic.parquet"
    cf.Blankets([cf.Blanket("x")]).save(file)

    def panic(*arguments, **options):
        raise pl.exceptions.PanicException("out of range")

    monkeypatch.setattr(pl, "read_parquet", panic)
    for read, says in (
        (cf.read_blankets, "not a table of blankets: out of range"),
        (cf.read, "not a readable .parquet"),
    ):
        with pytest.raises(cf.DataError, match=says):
            read(file)


HEADER = "target,member,role,margin,strength,common_children"


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
        (f'{HEADER}\nx,"y,parent,1,2,\n', "line 2: unexpected end of data"),
        (f"{HEADER},run\nx,y,parent,1,2,,7\n", "line 2: run is 7; it has to be an object with how, blankets and names"),
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


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"how": "no"}, "the column 'how' has 'no'; it has to be a JSON object"),
        ({"how": None}, "the column 'how' has None"),
        ({"names": "other"}, "the column 'names' has 'other'; it is one of text, integer, json"),
        ({"names": "integer"}, "not a table of blankets: .*conversion"),
        ({"margins": "much"}, "not a table of blankets: "),
        ({"version": None}, "row 1: version is None; it has to be text"),
        ({"target": "v"}, "row 2: the target 'v' has a blanket in row 1 already"),
    ],
)
def test_a_parquet_file_that_is_no_table_of_blankets(folder, change, fault):
    file = folder / "faulty.parquet"
    cf.Blankets([cf.Blanket("v"), cf.Blanket("x")]).save(file)
    pl.read_parquet(file).with_columns(**{key: pl.lit(value) for key, value in change.items()}).write_parquet(file)
    with pytest.raises(cf.DataError, match=rf"faulty\.parquet, {fault}"):
        cf.read_blankets(file)


def test_a_parquet_file_of_two_runs_or_of_other_data(folder):
    first, second, file = (folder / f"{name}.parquet" for name in ("first", "second", "faulty"))
    cf.Blankets([cf.Blanket("v")], {"a": 1}).save(first)
    cf.Blankets([cf.Blanket("x")], {"a": 2}).save(second)
    pl.concat([pl.read_parquet(first), pl.read_parquet(second)]).write_parquet(file)
    with pytest.raises(cf.DataError, match="the column 'how' has two values: rows of several runs; a file has one run"):
        cf.read_blankets(file)
    pl.DataFrame({"x": [1, 2]}).write_parquet(file)
    with pytest.raises(cf.DataError, match=r"faulty\.parquet, no column 'target', so not a table of blankets"):
        cf.read_blankets(file)
    file.write_bytes(b"not parquet")
    with pytest.raises(cf.DataError, match=r"faulty\.parquet, not a table of blankets: "):
        cf.read_blankets(file)


def test_no_blankets(folder):
    (folder / "none.jsonl").write_text("\n")
    (folder / "none.csv").write_text(f"{HEADER}\n")
    (folder / "empty.csv").write_text("")
    with pytest.raises(cf.DataError, match=r"empty\.csv contains no blankets"):
        cf.read_blankets(folder / "empty.csv")
    cf.Blankets([cf.Blanket("v")]).save(folder / "none.parquet")
    pl.read_parquet(folder / "none.parquet").clear().write_parquet(folder / "none.parquet")
    for suffix in SUFFIXES:
        with pytest.raises(cf.DataError, match=rf"none\{suffix} contains no blankets"):
            cf.read_blankets(folder / f"none{suffix}")
        with pytest.raises(cf.OptionError, match="there are no blankets to write"):
            cf.Blankets([]).save(folder / f"empty{suffix}")


def test_places_that_are_no_file(blankets, tmp_path):
    for suffix in SUFFIXES:
        with pytest.raises(cf.DataError, match=rf"none\{suffix} cannot be read: No such file"):
            cf.read_blankets(tmp_path / f"none{suffix}")
        (tmp_path / f"folder{suffix}").mkdir()
        with pytest.raises(cf.DataError, match="it is a directory"):
            cf.read_blankets(tmp_path / f"folder{suffix}")
        with pytest.raises(cf.OptionError, match="it is a directory"):
            blankets.save(tmp_path / f"folder{suffix}")
        with pytest.raises(cf.OptionError, match=rf"file\{suffix} cannot be written: No such file"):
            blankets.save(tmp_path / "no" / f"file{suffix}")
    for door in (blankets.save, cf.read_blankets):
        with pytest.raises(
            cf.OptionError, match=r"x\.txt: unknown suffix; blankets are in \.jsonl, \.parquet or \.csv"
        ):
            door(tmp_path / "x.txt")
    with pytest.raises(cf.OptionError, match="cannot contain separating sets"):
        blankets.save(tmp_path / "x.csv", separating_sets=True)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, suffix):
    file = tmp_path / f"found{suffix}"
    file.write_text("old")
    day = pd.Timestamp("2020-01-01")
    found = [cf.Blanket("x", parents=("y",)), cf.Blanket("z", spouses=("y",), common_children={"y": (day,)})]
    with pytest.raises(cf.OptionError, match="rename it"):
        cf.Blankets(found).save(file)
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == [file.name]  # noqa: PTH208


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_who_reads_the_old_file_goes_on_with_it(blankets, tmp_path, suffix):
    file = tmp_path / f"found{suffix}"
    file.write_text("old")
    with file.open() as reader:
        blankets.save(file)
        assert reader.read() == "old"
    assert cf.read_blankets(file).how == HOW


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_figures_of_columns_that_are_no_members(folder, suffix):
    found = cf.Blanket("x", margins={7: 1.0}, strengths={("a", 1): 2.0})
    cf.Blankets([found]).save(folder / f"more{suffix}")
    assert exactly(cf.read_blankets(folder / f"more{suffix}")["x"]) == exactly(found)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_suffixes_in_capitals(folder, suffix):
    cf.Blankets([cf.Blanket("x")]).save(folder / f"CAPITAL{suffix.upper()}")
    assert list(cf.read_blankets(folder / f"CAPITAL{suffix.upper()}")) == ["x"]


def test_figures_that_are_not_finite(folder):
    found = cf.Blanket("x", parents=("y",), margins={"y": math.nan}, strengths={"y": math.inf}, gap=-math.inf)
    for suffix in SUFFIXES:
        cf.Blankets([found]).save(folder / f"infinite{suffix}")
        (again,) = cf.read_blankets(folder / f"infinite{suffix}").found
        assert math.isnan(again.margins["y"])
        assert (again.strengths["y"], again.gap) == (math.inf, -math.inf)
