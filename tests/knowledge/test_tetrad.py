"""The knowledge files of Tetrad: written, read and refused."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import climbfast as cf
from climbfast.errors import KnowledgeError
from climbfast.knowledge.tetrad import from_tetrad, tetrad_text

FILE = """\
/knowledge
addtemporal
1* age sex
2 smoking
3

forbiddirect
disease age

requiredirect
smoking disease
"""


def test_a_file_of_tetrad():
    known = from_tetrad(FILE)
    assert known == cf.Knowledge(
        tiers=[["age", "sex"], ["smoking"]],
        closed=[0],
        forbidden=[("disease", "age")],
        required=[("smoking", "disease")],
    )
    assert from_tetrad(tetrad_text(known)) == known


def test_the_text():
    known = cf.Knowledge(tiers=[["b", "a"], [1]], closed=[1], required=[("a", "c")])
    assert tetrad_text(known) == "/knowledge\naddtemporal\n1 a b\n2* 1\n\nforbiddirect\n\nrequiredirect\na c\n"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("/Knowledge\n\nADDTEMPORAL\n0\ta\tb\n1\tc\n", cf.Knowledge(tiers=[["a", "b"], ["c"]])),
        ("addtemporal\n10 b\n9 a\n9 c", cf.Knowledge(tiers=[["a", "c"], ["b"]])),
        ("/knowledge\n// a comment\n# another\nforbiddirect\r\na b", cf.Knowledge(forbidden=[("a", "b")])),
        ('/knowledge\nforbiddirect\n"a b" "c"', cf.Knowledge(forbidden=[("a b", "c")])),
        ("/knowledge\nforbiddengroup\na b\nc a", cf.Knowledge(forbidden=[("a", "c"), ("b", "a"), ("b", "c")])),
        ("/knowledge\nrequiredgroup\na b\nc d", cf.Knowledge(required=[(x, y) for x in "ab" for y in "cd"])),
        ("/knowledge\nforbiddirect\nX* Y", cf.Knowledge(forbidden=[("X*", "Y")])),
        ("/knowledge", cf.Knowledge()),
    ],
)
def test_read(text, known):
    assert from_tetrad(text) == known


SECTIONS = "addtemporal, forbiddirect, requiredirect, forbiddengroup, requiredgroup"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a knowledge file of Tetrad begins with /knowledge; others end in .toml or .json"),
        ("age sex", "a knowledge file of Tetrad begins with /knowledge; others end in .toml or .json"),
        ("/knowledge\n\nforbidgroup\na b", f"line 3: 'forbidgroup' is not a section; the sections are {SECTIONS}"),
        (
            "/knowledge\naddtemporal\n1 a\nrequiregroup\n",
            f"line 4: 'requiregroup' is neither a tier, which {{}}{SECTIONS}",
        ),
        ("/knowledge\nforbiddirect\na b c", "line 3: 'a b c' is not an edge, which has two names"),
        ("/knowledge\nrequiredirect\na", "line 3: 'a' is not an edge, which has two names"),
        ("/knowledge\naddtemporal\n1*- a", "line 3: '1*- a' is a tier that has edges to the next one alone"),
        ("/knowledge\naddtemporal\n-1 a", "line 3: '-1 a' is neither a tier"),
        ("/knowledge\nforbiddengroup\na b", "line 3: 'a b' is a group without targets"),
        ("/knowledge\naddtemporal\n1 a\n2 a", "'a' is in two tiers, 1 and 2"),
        ("/knowledge\nforbiddirect\na a", "forbidden has a -> a, an edge of a column to itself"),
    ],
)
def test_refused(tmp_path, text, message):
    file = tmp_path / "known.txt"
    file.write_text(text)
    begins = "begins with its number, nor a section; the sections are "
    with pytest.raises(KnowledgeError, match=f"^{re.escape(f'{file}: ' + message.replace('{}', begins))}"):
        cf.read_knowledge(file)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"roots": ["a"], "leaves": ["b"]}, "the format of Tetrad has no roots and leaves; save it as .toml or .json"),
        ({"required": [("a b", "c")]}, "the name 'a b' has blanks"),
        ({"required": [("", "c")]}, "the name '' has blanks"),
        ({"tiers": [["#a"]]}, "the name '#a' has a double quote, or begins like a comment (//, #)"),
        ({"tiers": [['a"b']]}, "the name 'a\"b' has a double quote"),
    ],
)
def test_what_cannot_be_written(tmp_path, given, message):
    with pytest.raises(KnowledgeError, match=re.escape(message)):
        cf.Knowledge(**given).save(tmp_path / "known.txt")
    assert not (tmp_path / "known.txt").exists()


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6), unique=True, min_size=4))
def test_what_is_written_is_read_again(names):
    known = cf.Knowledge(
        tiers=[names[:2], names[2:]], closed=[1], required=[(names[0], names[3])], forbidden=[(names[3], names[0])]
    )
    try:
        text = tetrad_text(known)
    except KnowledgeError:
        assert any(len(name.split()) != 1 or name != name.strip() or name[0] in "#/" or '"' in name for name in names)
    else:
        assert from_tetrad(text) == known
