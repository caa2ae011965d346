"""The examples in the pages of documentation run, and print what they say."""

import doctest
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parents[1] / "docs").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an empty folder, since an example may write a file."""
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    is_written = "Written by\n`python -m bench" in page.read_text("utf-8")  # a page of figures
    assert found.attempted or is_written, "the page has no example"
    assert not found.failed
