"""Knowledge in TOML and JSON: written, read and refused."""

import json
import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import climbfast as cf
from climbfast.errors import KnowledgeError

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.integers(-(2**62), 2**62)
SPECIAL = [
    "",
    " ",
    "a b",
    'a"b',
    "a'b",
    "a\\b",
    "a\nb",
    "a\tb",
    "\x00",
    "\x1f",
    "\x7f",
    "\u2028",
    "é",
    "😀",
    "#",
    "a,b",
]


@pytest.mark.parametrize("suffix", [".toml", ".json", ".TOML"])
@given(st.lists(NAMES | st.sampled_from(SPECIAL), unique_by=str, min_size=4))
def test_round_trip(tmp_path_factory, suffix, names):
    known = cf.Knowledge(
        tiers=[names[1:3], names[3:]],
        required=[names[1:4:2]],
        forbidden=[(names[-1], names[0]), (names[0], names[1])],
        roots=names[:1],
        leaves=names[3:4],
        closed=[0],
    )
    file = tmp_path_factory.mktemp("known") / f"known{suffix}"
    known.save(file)
    assert cf.read_knowledge(file) == known


def test_the_files(tmp_path):
    known = cf.Knowledge(tiers=[["age", "sex"], ["disease"]], required=[("age", "disease")], closed=[0])
    known.save(tmp_path / "known.toml")
    text = (tmp_path / "known.toml").read_text()
    assert text == (
        'tiers = [\n  ["age", "sex"],\n  ["disease"]\n]\nrequired = [\n  ["age", "disease"]\n]\nclosed = [0]\n'
    )
    known.save(tmp_path / "known.json")
    assert json.loads((tmp_path / "known.json").read_text()) == tomllib.loads(text) == known.to_dict()


def test_nothing_is_a_file_too(tmp_path):
    for suffix in (".toml", ".json", ".txt"):
        cf.Knowledge().save(tmp_path / f"known{suffix}")
        assert cf.read_knowledge(tmp_path / f"known{suffix}") == cf.Knowledge()


def test_a_file_with_a_byte_order_mark_and_other_ends_of_lines(tmp_path):
    file = tmp_path / "known.toml"
    file.write_bytes(b'\xef\xbb\xbftiers = [["a"],\r\n["b"]]\r\nclosed = true\r\n')
    assert cf.read_knowledge(file) == cf.Knowledge(tiers=[["a"], ["b"]], closed=True)


REFUSED = [
    ("toml", "tiers = [[", "it is not TOML: "),
    ("toml", 'tier = [["a"]]', "there is no field 'tier'; the fields are tiers, required, forbidden, roots, leaves"),
    ("toml", "tiers = 5", "tiers is 5; it is a list"),
    ("toml", 'tiers = [["a"], []]', "tiers: tier 2 is empty"),
    ("toml", 'tiers = [["a"], [2026-01-01]]', "the name 2026-01-01 is neither text nor a whole number"),
    ("toml", 'roots = ["a", true]', "the name True is neither text nor a whole number"),
    ("toml", 'required = [["a", "b"]]\nforbidden = [["a", "b"]]', "the required edge a -> b is forbidden as well"),
    ("json", '{\n"tiers": [,]}', "line 2: Expecting value"),
    ("json", "[]", "knowledge is an object with any of the fields tiers, required"),
    ("json", '{"required": [["a"]]}', "required has ['a']; an edge is a pair, (source, target)"),
    ("json", '{"required": "a"}', "required is 'a'; it is a list"),
    ("json", '{"tiers": [["a", ["b"]]]}', "tiers, tier 1 has ['b'], which is not a name"),
    ("json", '{"tiers": [[{"a": 1}]]}', "tiers, tier 1 has {'a': 1}, which is not a name"),
    ("json", '{"tiers": [[null]]}', "the name None is neither text nor a whole number"),
    ("json", '{"tiers": [[1.5]]}', "the name 1.5 is neither text nor a whole number"),
    ("json", '{"tiers": [["a"]], "tiers": [["b"]]}', "'tiers' occurs twice"),
    ("json", '{"tiers": [["a"]], "closed": 0}', "closed is 0; it is a list"),
    ("json", "[" * 100_000, "it is nested too deeply"),
    ("json", '{"a\nb": 1}', "line 1: Invalid control character at"),
]


@pytest.mark.parametrize(("suffix", "text", "message"), REFUSED)
def test_refused(tmp_path, suffix, text, message):
    file = tmp_path / f"known.{suffix}"
    file.write_text(text, newline="")
    with pytest.raises(KnowledgeError, match=f"^{re.escape(f'{file}: {message}')}") as raised:
        cf.read_knowledge(file)
    assert str(raised.value).count("\n") == 0
    assert raised.value.option is None  # what is a field here must not become an option of the command line


def test_what_is_no_file(tmp_path):
    for path, reason in [
        (tmp_path / "no.toml", "No such file or directory"),
        (tmp_path, "Is a directory"),
        ("a\0.toml", "embedded null"),
    ]:
        with pytest.raises(KnowledgeError, match=reason):
            cf.read_knowledge(path)


def test_what_is_no_text(tmp_path):
    (tmp_path / "known.toml").write_bytes(b"tiers = []\nroots = ['\xff']")
    with pytest.raises(KnowledgeError, match="line 2: byte 0xff is not UTF-8 text"):
        cf.read_knowledge(tmp_path / "known.toml")


@pytest.mark.parametrize("suffix", ["toml", "json"])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        (1.5, "the name 1.5 is neither text nor a whole number"),
        (("a", 1), "the name ('a', 1) is neither"),
        ("\ud800", "'\\ud800' cannot be encoded in UTF-8"),
    ],
)
def test_what_cannot_be_written(tmp_path, suffix, name, message):
    file = tmp_path / f"known.{suffix}"
    with pytest.raises(KnowledgeError, match=re.escape(f"{file} cannot be written: {message}")):
        cf.Knowledge(roots=[name]).save(file)
    assert not file.exists()


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(KnowledgeError, match=r"cannot be written: No such file or directory"):
        cf.Knowledge(roots=["a"]).save(tmp_path / "no" / "known.toml")
