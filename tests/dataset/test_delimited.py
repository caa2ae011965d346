"""Text files: every form gives the same data, and a broken one is refused with the line."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast.dataset import read
from climbfast.dataset.delimited import read_delimited
from climbfast.dataset.sources import open_source
from climbfast.dataset.text_columns import TextColumns
from climbfast.errors import ClimbfastWarning, DataError, OptionError
from tests.dataset.tables import REGULAR, cells, compressed, quiet_read
from tests.factories import EXAMPLES


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (REGULAR, {}),
        ("\ufeff" + REGULAR, {}),
        ('\ufeff"a","b"\n1,x\n2,y\n2,x\n', {}),
        (REGULAR.replace(",", ";"), {}),
        (REGULAR.replace(",", "\t"), {}),
        (REGULAR.replace(",", "|"), {}),
        (REGULAR.replace(",", ":"), {"separator": ":"}),
        (REGULAR.replace("\n", "\r\n"), {}),
        (REGULAR.replace("\n", "\r"), {}),
        (REGULAR.rstrip("\n"), {}),
        (REGULAR + "\n\n", {}),
        (REGULAR.replace("\n2,y", "\n\n2,y"), {}),
        (REGULAR.replace("a,b\n", "a,b\n\n"), {}),
        (REGULAR.replace("a,b\n", '"a","b"\n\n') + "\n", {}),
        (REGULAR.replace("\n", "\r\n") + "\r\n\r\n", {}),
        (REGULAR.encode("utf-16"), {"encoding": "utf-16"}),
        (REGULAR.encode("latin-1"), {"encoding": "latin-1"}),
    ],
)
def test_every_form_of_a_text_file_gives_the_same_data(
    content: str | bytes, options: dict[str, Any], save: Callable[..., Path]
) -> None:
    data = read(save(content), **options)
    assert data.levels == {"a": (1, 2), "b": ("x", "y")}
    assert data.fingerprint == read(save(REGULAR, "regular.csv")).fingerprint
    assert read(save(content, "data.txt"), **options).fingerprint == data.fingerprint


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (b"a\x01b\n1\x012\n3\x014\n", {"separator": "\x01"}),
        (b"a\x01z,b\n1\x01,2\n2,3\n", {}),
        (b'a,b\n"x\r\ny",1\n"x\ny",2\n', {}),
        ("a,b\né,1\nx,2\n".encode("latin-1"), {"encoding": "latin-1"}),
        ("a,b\né,1\nx,2\n".encode("utf-16"), {"encoding": "utf-16"}),
    ],
)
def test_a_compressed_file_is_the_file(content: bytes, options: dict[str, Any], save: Callable[..., Path]) -> None:
    plain = read(save(content), **options)
    assert plain.columns == 2
    for name in ("data.csv.gz", "data.csv.zst"):
        assert read(save(compressed(content, name), name), **options).levels == plain.levels
        with pytest.raises(DataError, match="damaged"):
            read(save(compressed(content, name)[:-3], name), **options)


def test_quotes(save: Callable[..., Path]) -> None:
    data = read(save('"a\nb","c, d",é\n"x\ny","1,5",2\n"q""q",z,2\nr"r,z,3\n'))
    assert data.names == ("a\nb", "c, d", "é")
    assert data.levels["a\nb"] == ('q"q', 'r"r', "x\ny")
    assert data.levels["c, d"] == ("1,5", "z")


@pytest.mark.parametrize("name", ["data.csv", "data.csv.gz", "data.csv.zst"])
@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('a,b\n"x"y,1\n"x"z,2\n', 2),
        ('a,b\n1,2\n1,"5"5\n', 3),
        ('a,b\n""b,1\n"x",2\n', 2),
        ('a,b\n"New York" (NY),1\nz,2\n', 2),
        ('a,b\n"two\nlines",1\n"x" ,2\n', 4),
        ('a,b\n1,high\n2,"hig', 3),
        ('"a","b"\n"1","high"\n"2","hig', 3),
        ('a,b\n1,2\n3,"\n', 3),
    ],
)
def test_quotes_that_would_lose_text(content: str, line: int, name: str, save: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match=f"line {line}: a quoted cell (that does not end|with text after)"):
        read(save(compressed(content.encode(), name), name))


def rows_of(columns: TextColumns) -> list[list[str]]:
    found = [np.array(columns.texts(x), dtype=object)[columns.numbers(x)] for x in range(columns.low.shape[0])]
    return [list(row) for row in zip(*found, strict=True)]


PIECES = ["a", "b", '"', '"', ",", "\n", "\r\n", " ", "x,y\n", '"q",', ",z\n"]


@pytest.mark.parametrize("names", ["h", "h,i"])
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=14))
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_text_file_is_what_the_csv_module_reads_or_refused(names: str, pieces: list[str]) -> None:
    width = names.count(",") + 1
    content = names + "\n" + "".join(pieces)
    try:
        records = list(csv.reader(io.StringIO(content, newline=""), strict=True))[1:]
    except csv.Error:
        records = [[]]
    rows = [record or [""] for record in records if record or width == 1]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        path.write_bytes(content.encode())
        try:
            columns = read_delimited(open_source(path), separator=",", header=True, encoding="utf-8").columns
        except DataError:
            assert not rows or any(len(row) != width for row in rows) or records == [[]]
        else:
            assert rows_of(columns) == rows


def test_a_separator_at_the_end_of_every_line(save: Callable[..., Path]) -> None:
    with pytest.warns(ClimbfastWarning, match="every line ends with a separator; .*'column_3' is left out"):
        data = read(save("a,b,\n1,x,\n2,y,\n1,x,\n"))
    assert data.names == ("a", "b")


def test_a_first_line_of_empty_cells(save: Callable[..., Path]) -> None:
    assert read(save(",,\n1,2,3\n4,5,7\n")).names == ("column_1", "column_2", "column_3")
    data = quiet_read(save(",,\n1,2,3\n"), header=False, missing="level")
    assert cells(data, "column_1") == [None, 1]
    for content in ("\n1\n2\n", '""\n1\n'):
        with pytest.raises(DataError, match="line 1 is empty"):
            read(save(content))


def test_names_of_columns_without_one(save: Callable[..., Path]) -> None:
    assert read(save("1,x\n2,y\n"), header=False).names == ("column_1", "column_2")
    assert read(save(",b\n1,x\n2,y\n")).names == ("column_1", "b")


def test_latin_1_is_named_with_line_and_byte(save: Callable[..., Path]) -> None:
    path = save("a,b\n1,x\n2,é\n1,x\n".encode("latin-1"))
    with pytest.raises(DataError, match=r"data\.csv: line 3, byte 3 is not UTF-8 \(0xe9\).*encoding='latin-1'"):
        read(path)
    assert read(path, encoding="latin-1").levels["b"] == ("x", "é")
    with pytest.raises(OptionError, match="unknown"):
        read(path, encoding="klingon")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("\n\n", "line 1 is empty"),
        ("a,b\n", "a header and no rows"),
        ("a,b\n1,x\n2\n1,y\n", "line 3 has 1 cells where the first line has 2"),
        ("a,b\n1,x\n2,y,z\n", "line 3 has 3 cells where the first line has 2"),
        ('a,b\n"1\n1",x\n2\n1,y\n', "line 4 has 1 cells"),
        ("a,b,c\n1,x\n2,y\n", "line 2 has 2 cells where the first line has 3"),
        ("a\n1\n2,3\n", "line 3 has 2 cells"),
        ('a,b\n1,x\n2,"y\n1,x\n', "line 3: a quoted cell that does not end"),
        ("a,b,a\n1,2,3\n", "more than once: 'a'"),
    ],
)
def test_broken_text_files_are_refused_with_the_line(content: str, message: str, save: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read(save(content))
    assert "\n" not in str(caught.value)
