"""Pictures as files: the same bytes each time, text as text, and nothing that could harm a page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import matplotlib as mpl
import pytest

import climbfast as cf
from climbfast.plots.graph_picture import picture_of_graph
from climbfast.plots.saving import content_of, svg_of
from tests.plots.graphs import CASES, HARD_NAMES

BEGINS = {"svg": b"<?xml", "png": b"\x89PNG\r\n", "pdf": b"%PDF-"}
TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.fixture(scope="module")
def svg_of_names():
    return content_of(picture_of_graph(CASES["names"]), "svg")


@pytest.mark.parametrize("form", BEGINS)
def test_the_same_picture_has_the_same_bytes(form):
    picture = picture_of_graph(CASES["8"])
    first = content_of(picture, form)
    assert first.startswith(BEGINS[form])
    with mpl.rc_context({"font.size": 20, "lines.linewidth": 7, "svg.fonttype": "path", "savefig.dpi": 30}):
        assert content_of(picture, form) == first
    for word in (b"Matplotlib v", b"CreationDate", b"dc:date"):
        assert word not in first


def test_settings_of_the_user_are_left_alone():
    with mpl.rc_context({"svg.fonttype": "path", "lines.linewidth": 7}):
        content_of(picture_of_graph(CASES["3"]), "svg")
        assert mpl.rcParams["svg.fonttype"] == "path"
        assert mpl.rcParams["lines.linewidth"] == 7


def test_text_is_text(svg_of_names):
    texts = [element.text for element in ET.fromstring(svg_of_names).iter(TEXT)]
    for text in ("Größe", "年齢", 'a "b" c', "'a\\nb'", "$x^2$ & \\alpha_{", "1", "'1'"):
        assert text in texts
    assert "<script>alert(1)</" in texts


def test_a_shortened_name_has_a_title(svg_of_names):
    root = ET.fromstring(svg_of_names)
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert set(titles) == {"W" * 60, "i" * 300}


def test_an_element_for_a_page():
    svg = svg_of(picture_of_graph(CASES["names"]))
    assert svg.startswith('<svg width="')
    root = ET.fromstring(svg)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "g", "path", "text", "title"}
    attributes = {name.rpartition("}")[2] for element in root.iter() for name in element.attrib}
    assert attributes <= {"width", "height", "viewBox", "style", "d", "x", "y", "transform"}
    assert "<script" not in svg


def test_its_width_can_be_given():
    svg = svg_of(picture_of_graph(CASES["3"]), '100%" onload="x')
    root = ET.fromstring(svg)
    assert root.attrib["width"] == '100%" onload="x'
    assert "height" not in root.attrib
    assert "viewBox" in root.attrib


def test_what_looks_like_our_own_marks_stays_in_a_name():
    names = (' font-family: x;" transform="rotate(-0 1)', '<g id="box-0">', "<metadata></metadata>")
    texts = [element.text for element in ET.fromstring(svg_of(picture_of_graph(cf.Graph(names)))).iter(TEXT)]
    assert {"".join(texts).replace(" ", "")} == {"".join(sorted(names)).replace(" ", "")}


def test_the_size_of_a_file_is_that_of_the_picture():
    svg = svg_of(picture_of_graph(CASES["3"]))
    width, height = map(float, re.findall(r'(?:width|height)="([\d.]+)pt"', svg))
    assert 100 < width < 400
    assert 20 < height < 200


def test_hard_names_are_saved_in_every_format(recwarn):
    picture = picture_of_graph(cf.Graph(HARD_NAMES))
    for form in BEGINS:
        assert content_of(picture, form)
    assert not recwarn.list
