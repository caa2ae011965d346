"""Pages in tests: their elements, and tables whose names and levels are code of other languages."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np

EVIL = "<script>alert(1)</script>"
EVIL_LEVEL = '"><img src=x onerror=alert(2)>'
ODD_NAMES = (EVIL, 'a "b" c', "x,y", "a\nb", "Größe", "年齢", 1, "1", "{{ 7 * 7 }}", "n" * 60)


class Elements(HTMLParser):
    """The elements of a page: tags with their attributes, and the text outside of styles and pictures."""

    EMPTY = frozenset({"meta", "br", "img", "path", "link"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if not {"style", "svg"} & set(self._open):
            self.text += f" {data.strip()}" if data.strip() else ""

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def check_page(page: str) -> Elements:
    """Check that a page loads nothing, runs nothing, and that its links and headings lead somewhere."""
    elements = Elements(page)
    assert {tag for tag, _ in elements.tags}.isdisjoint({"script", "img", "iframe", "link", "object", "form", "base"})
    for tag, attributes in elements.tags:
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)
        for name in ("src", "href", "xlink:href"):
            value = attributes.get(name) or "#"
            assert value.startswith("#"), (tag, attributes)
    ids = [attributes["id"] for _, attributes in elements.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for name in ("href", "aria-labelledby"):
        for _, attributes in elements.tags:
            if name in attributes and attributes[name] != "#":
                assert (attributes[name] or "").lstrip("#") in ids
    assert len(elements.of("h1")) == 1
    assert all("scope" in attributes for attributes in elements.of("th"))
    return elements


def in_another_order(columns: dict[object, list[str]]) -> dict[object, list[str]]:
    """Return the same table with its columns and its rows in another order."""
    order = np.random.default_rng(1).permutation(len(next(iter(columns.values()))))
    return {name: [columns[name][row] for row in order] for name in reversed(columns)}


def odd_columns(rows: int = 400, seed: int = 0) -> dict[object, list[str]]:
    """Return a chain of columns with odd names, each of which depends on the one before."""
    random = np.random.default_rng(seed)
    levels = [EVIL_LEVEL, "&amp;", "{% raw %}"]
    columns: dict[object, list[str]] = {}
    codes = random.integers(0, 3, rows)
    for name in ODD_NAMES:
        columns[name] = [levels[code] for code in codes]
        codes = np.where(random.random(rows) < 0.8, codes, random.integers(0, 3, rows))
    return columns
