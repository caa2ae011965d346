"""Every picture of the pages can be drawn, the same each time, and every page that shows one has it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.generators.examples import WRITES
from docs.generators.pictures import PICTURES

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", PICTURES)
def test_can_be_drawn(name: str, tmp_path: Path) -> None:
    for file in ("first.svg", "second.svg"):
        PICTURES[name](tmp_path / file)
    first = (tmp_path / "first.svg").read_bytes()
    assert b"<svg" in first and first == (tmp_path / "second.svg").read_bytes()


def test_pages_show_pictures_that_are_made() -> None:
    shown = {
        picture
        for page in DOCS.rglob("*.md")
        for picture in re.findall(r"generated/pictures/([\w.]+)", page.read_text("utf-8"))
    }
    made = {f"{name}.svg" for name in PICTURES} | {file for files in WRITES.values() for file in files}
    assert shown <= made
    assert {f"{name}.svg" for name in PICTURES} <= shown
