"""The parts of pages that scripts write."""

from __future__ import annotations

import pytest

from bench.shared.marked_text import fill

PAGE = "# A page\n\n<!-- one -->\nold\n<!-- /one -->\n\nbetween\n\n<!-- two --><!-- /two -->\nend"


@pytest.fixture
def page(tmp_path):
    file = tmp_path / "page.md"
    file.write_text(PAGE)
    return file


def test_only_what_stands_between_the_markers_changes(page):
    fill("one", "| new |\n", page)
    fill("two", "µ", page)
    expected = PAGE.replace("old", "| new |").replace("--><!-- /two", "-->\nµ\n<!-- /two")
    assert page.read_text(encoding="utf-8") == expected
    fill("one", "| new |", page)
    assert page.read_text(encoding="utf-8") == expected


@pytest.mark.parametrize(
    "text", ["", "<!-- one -->", "<!-- /one -->\n<!-- one -->", PAGE + "\n<!-- one -->\n<!-- /one -->"]
)
def test_markers_that_are_missing_or_ambiguous_are_refused_by_name(page, text):
    page.write_text(text)
    with pytest.raises(ValueError, match="<!-- one -->"):
        fill("one", "new", page)
    assert page.read_text() == text
