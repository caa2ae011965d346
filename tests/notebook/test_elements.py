"""Lines, tables and pictures in HTML."""

from __future__ import annotations

import base64
from itertools import pairwise

import climbfast as cf
from climbfast.notebook import elements
from climbfast.notebook.elements import heading, line, lines_of, picture, seconds_text, shown, table
from tests.notebook.results import elements_of


def test_a_table_without_empty_columns():
    html = table(("name", "nothing", ">number"), [("a <b>", "", 1), ("b", "", 2)])
    found = elements_of(html)
    assert found.text.split(" ") == ["name", "number", "a", "<b>", "1", "b", "2"]
    assert ["right" in each["style"] for each in found.of("th")] == [False, True]


def test_a_long_table_is_cut():
    html = table(("number",), [(i,) for i in range(1, 1235)])
    assert len(elements_of(html).of("tr")) == 1 + 20
    assert elements_of(html).text.endswith("19 20 and 1,214 more")
    assert "more" not in table(("number",), [(i,) for i in range(20)])
    assert elements_of(table(("number",), [(1,)], 3000)).text == "number 1 and 2,980 more"


def test_long_text_is_cut():
    assert len(elements_of(table(("a",), [("x" * 10_000,)])).text) < 310
    assert len(elements_of(line("x" * 10_000)).text) == 2000
    assert len(elements_of(heading("x" * 10_000, "y" * 10_000)).text) < 810


def test_lines():
    assert line("") == ""
    assert elements_of(lines_of(["<i>", "b"])).text == "<i> b"
    assert elements_of(lines_of(["a"] * 25)).text.endswith("a and 5 more")
    assert elements_of(heading("Graph")).text == "Graph"
    assert elements_of(heading("Graph", "3 nodes")).text == "Graph : 3 nodes"
    assert seconds_text(0.12345) == "0.123 s"
    assert seconds_text(0.0) == ""


def test_a_picture_is_an_image():
    [found] = elements_of(picture(cf.Graph(("a", "b"), [("a", "b")]), 'a "b"')).of("img")
    assert found["alt"] == 'a "b"'
    content = base64.b64decode(found["src"].partition("base64,")[2]).decode()
    assert content.startswith("<svg ")
    assert "http://www.w3.org/2000/svg" in content
    assert "background: white" in found["style"]


def test_no_picture_of_what_cannot_be_drawn():
    names = [str(i) for i in range(elements.MOST_NODES + 1)]
    assert picture(cf.Graph(names[:-1], pairwise(names[:-1])), "large") != ""
    assert picture(cf.Graph(names, pairwise(names)), "too large") == ""


def test_half_of_a_character_is_shown():
    """Such text comes from file names and broken files; it cannot be sent to a browser."""

    @shown
    def html(_: object) -> list[str]:
        return ["\ud800"]

    text = html(None)
    assert text is not None
    assert "&#55296;" in text
