"""ARFF files: all that their headers declare, read as scipy reads it where that can; and the line of every error."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scipy.io import arff

from climbfast.errors import DataError, OptionError
from tests.dataset.tables import cells, compressed, quiet_read

Save = Callable[..., Path]

HEADER = """% a comment
@RELATION "a name"

@attribute 'first name' {yes, 'no, \\'never\\'', "50%"}   % a comment
@ATTRIBUTE size\tNumeric
@attribute note string
@attribute day date "yyyy-MM-dd"
@attribute kind{u,v,w}
@data
"""
ROWS = """yes, 1, 'it, is', 2020-01-01, u
  % a comment
"no, 'never'", 2.0, ?, '2020-01-02', v % a comment
50%,3,?,?,?

?, -1e1, '?', 2020-01-01, u
"""


def test_everything_that_a_header_declares(save: Save) -> None:
    data = quiet_read(save(HEADER + ROWS, "data.arff"), missing="level")
    assert data.names == ("first name", "size", "note", "day", "kind")
    assert cells(data, "first name") == ["yes", "no, 'never'", "50%", None]
    assert cells(data, "size") == [1, 2, 3, -10]
    assert cells(data, "note") == ["it, is", None, None, "?"]
    assert cells(data, "day") == [dt.date(2020, 1, 1), dt.date(2020, 1, 2), None, dt.date(2020, 1, 1)]
    assert cells(data, "kind") == ["u", "v", None, "u"]


def test_declared_levels_count_and_keep_their_order(save: Save) -> None:
    path = save("@relation r\n@attribute a {w, u, v}\n@attribute b {1,0}\n@data\nu,0\nw,1\nu,1\n", "data.arff")
    assert quiet_read(path).levels == {"a": ("w", "u", "v"), "b": ("1", "0")}
    assert quiet_read(path, declared_levels=True).levels["a"] == ("w", "u", "v")
    assert quiet_read(path, declared_levels={"b": ("0", "1", "2")}).levels == {
        "a": ("w", "u", "v"),
        "b": ("0", "1", "2"),
    }


def test_words_that_mean_missing_elsewhere_are_levels(save: Save) -> None:
    path = save("@relation r\n@attribute a {NA, low, 'null'}\n@data\nNA\nlow\nnull\n", "data.arff")
    assert cells(quiet_read(path), "a") == ["NA", "low", "null"]


def test_sparse_rows(save: Save) -> None:
    header = "@relation r\n@attribute a {x, 'y z'}\n@attribute n real\n@attribute s string\n@data\n"
    path = save(header + "{1 2, 2 'it, is'}\n{0 'y z', 2 b}\n{ 0 ?,  1 0.0, 2 \"{}\" } % a comment\n", "data.arff")
    data = quiet_read(path, missing="level")
    assert cells(data, "a") == ["x", "y z", None]
    assert cells(data, "n") == [2, 0, 0]
    assert cells(data, "s") == ["it, is", "b", "{}"]


def test_cells_between_blanks(save: Save) -> None:
    path = save("@relation r\n@attribute a {x,y}\n@attribute n integer\n@data\nx 1\ny\t2\n?  1\n", "data.arff")
    data = quiet_read(path, missing="level")
    assert (cells(data, "a"), cells(data, "n")) == (["x", "y", None], [1, 2, 1])


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("", "2001-04-03T12:13:14", dt.datetime(2001, 4, 3, 12, 13, 14)),
        ("'dd/MM/yy HH:mm'", "03/04/01 12:13", dt.datetime(2001, 4, 3, 12, 13)),
        ("\"yyyy'年'MM\"", "2001年04", dt.date(2001, 4, 1)),
        ("MM%yyyy", "04%2001", dt.date(2001, 4, 1)),
    ],
)
def test_formats_of_dates(form: str, text: str, expected: Any, save: Save) -> None:
    path = save(f"@relation r\n@attribute d date {form}\n@data\n'{text}'\n?\n", "data.arff")
    assert cells(quiet_read(path, missing="level"), "d") == [expected, None]


def test_compressed_and_encoded(save: Save) -> None:
    text = "@relation r\n@attribute a {é, ü}\n@data\né\nü\n"
    for content in (text.encode(), b"\xef\xbb\xbf" + text.encode()):
        path = save(compressed(content, "data.arff.gz"), "data.arff.gz")
        assert quiet_read(path).levels["a"] == ("é", "ü")
    path = save(text.encode("latin-1"), "data.arff")
    assert quiet_read(path, encoding="latin-1").levels["a"] == ("é", "ü")
    with pytest.raises(DataError, match=r"data\.arff: not in the encoding 'utf-8'; name .* encoding='latin-1'"):
        quiet_read(path)
    with pytest.raises(OptionError, match="encoding='klingon' is unknown"):
        quiet_read(path, encoding="klingon")


def test_many_rows_in_blocks(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("climbfast.dataset.arff._ROWS_A_BLOCK", 3)
    rows = [("xyz"[i % 3], i % 4 if i < 5 else i / 2) for i in range(20)]
    lines = [f"{level},{number}\n" for level, number in rows]
    path = save("@relation r\n@attribute a {x,y,z}\n@attribute n real\n@data\n" + "".join(lines), "data.arff")
    data = quiet_read(path, numbers="levels", keep_ids=True)
    assert list(zip(cells(data, "a"), cells(data, "n"), strict=True)) == rows
    path.write_text(path.read_text() + "x,one\n")
    with pytest.raises(DataError, match=r"line 25: 'one' is not a number, as 'n' is declared"):
        quiet_read(path, numbers="levels")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("@relation r\n@attribute a real\n", "line 2: the file ends before @data"),
        ("@relation r\n@data\n1\n", "line 2: @data without an @attribute before it"),
        ("@relation r\n@attribute a real\n@data\n% nothing\n", "the file has a header and no rows"),
        ("a,b\n1,2\n", "line 1: 'a,b' where an ARFF file has @relation, @attribute or @data"),
        ("@attribute a\n@data\n1\n", "line 1: attribute 'a' has the type '';"),
        ("@attribute a relational\n@data\n1\n", "line 1: attribute 'a' has the type 'relational'; legal are numeric"),
        ("@attribute\n@data\n1\n", "line 1: an @attribute has a name"),
        ("@attribute a {x\n@data\n1\n", r"line 1, attribute 'a': a list of levels begins with { and ends with }"),
        ("@attribute a {x,,y}\n@data\n1\n", "line 1, attribute 'a': a level without text"),
        ("@attribute a {x,y,x}\n@data\n1\n", "line 1, attribute 'a': levels that occur more than once: 'x'"),
        ("@attribute a real\n@attribute a real\n@data\n1,2\n", "column names that occur more than once: 'a'"),
        ("@attribute a date 'QQ'\n@data\n1\n", "line 1: attribute 'a' has a date format with 'QQ', which is not known"),
        ("@attribute a real\n@attribute b real\n@data\n1,2\n1,2,3\n", "line 5 has 3 cells where the header has 2"),
        ("@attribute a {x,y}\n@data\nx\nz\n", "line 4: 'z' is not a declared level of 'a'; it has 'x', 'y'"),
        ("@attribute a date yyyy\n@data\nx\n", "line 3: 'x' is not a date of the format yyyy, as 'a' is declared"),
        ("@attribute a string\n@data\n'it's'\n", "line 3: a quote or a brace that is not regular"),
        ("@attribute a string\n@data\n'it\n", "line 3: a quote or a brace that is not regular"),
        ("@attribute a real\n@attribute b real\n@data\n1,2,{3}\n", "line 4: a row with a weight in braces"),
        (
            "@attribute a real\n@data\n{0 1}, {3}\n",
            "line 3: a sparse row begins with {, ends with }, and has no weight",
        ),
        ("@attribute a real\n@data\n{1 1}\n", "line 3: attribute 1 of a sparse row does not exist"),
        ("@attribute a real\n@data\n{0 1, 0 2}\n", "line 3: attribute 0 of a sparse row does not exist, or occurs"),
        ("@attribute a real\n@data\n{a 1}\n", "line 3: 'a 1' where a sparse row has a number and a value"),
        ("@attribute a string\n@data\n{}\n", "line 3: a sparse row without 'a', whose kind has no zero"),
    ],
)
def test_the_line_of_an_error(text: str, message: str, save: Save) -> None:
    with pytest.raises(DataError) as caught:
        quiet_read(save(text, "data.arff"))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_as_scipy_reads_it(save: Save) -> None:
    """scipy reads no strings, and takes quotes within a row for text."""
    text = (
        "@relation r\n@attribute 'first name' {yes, 'no way', maybe}\n@attribute size real\n@attribute n integer\n"
        "% a comment\n@data\nyes, 1.5, 2\nno way, -1e3, 0\n?, ?, 1\nmaybe, 0, 3\n"
    )
    rows, about = arff.loadarff(io.StringIO(text))
    data = quiet_read(save(text, "data.arff"), missing="level", numbers="levels")
    assert list(data.names) == about.names()
    assert data.levels["first name"] == (*about["first name"][1], None)
    expected = [None if level == b"?" else level.decode() for level in rows["first name"]]
    assert cells(data, "first name") == expected
    for name in ("size", "n"):
        assert cells(data, name) == [None if value != value else value for value in rows[name].tolist()]


def test_a_name_is_no_pattern(save: Save) -> None:
    header = "@relation r\n@attribute '^a.*$' date 'yyyy-MM-dd'\n@attribute '^b.*$' numeric\n@data\n"
    text = header + "2020-01-01,%s\n?,2\n"
    data = quiet_read(save(text % 1, "data.arff"), missing="level")
    assert cells(data, "^a.*$") == [dt.date(2020, 1, 1), None]
    with pytest.raises(DataError, match=r"line 5: 'x' is not a number"):
        quiet_read(save(text % "x", "data.arff"), missing="level")
