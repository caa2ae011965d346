"""The parts of pages that scripts write: what stands between ``<!-- name -->`` and ``<!-- /name -->``."""

from __future__ import annotations

from pathlib import Path

EVIDENCE = Path(__file__).parents[2] / "docs" / "evidence"
"""The folder of the pages with figures."""


def fill(name: str, text: str, file: Path) -> None:
    """Put ``text`` between the markers of that name; everything else in the file stays as it is.

    Raises
    ------
    ValueError
        When the file has not each of the two markers once, in order; it is left as it is.
    """
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    whole = file.read_text(encoding="utf-8")
    before, found, rest = whole.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed) or whole.count(begin) + whole.count(end) != 2:
        raise ValueError(f"{file.name} has to have the markers {begin} and {end} once each, in this order")
    file.write_text(f"{before}{begin}\n{text.strip()}\n{end}{after}", encoding="utf-8")
