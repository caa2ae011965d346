"""The legend below a picture: samples of lines and boxes with words, in rows, and notes."""

from __future__ import annotations

from typing import NamedTuple

from climbfast.plots.labels import text_width
from climbfast.plots.picture import Head, Picture, Role, Scale

__all__ = ["BEHIND_SAMPLE", "BETWEEN_ENTRIES", "LEGEND_SIZE", "ROW", "SAMPLE_WIDTH", "Entry", "legend_rows", "width_of"]

LEGEND_SIZE = 7.5  # points
ROW = 0.19  # inches
SAMPLE_WIDTH = 0.36
BEHIND_SAMPLE = 0.08
BETWEEN_ENTRIES = 0.28

_ROLES: dict[Role, str] = {
    "parent": "parent",
    "child": "child",
    "spouse": "spouse",
    "undecided": "parent or child",
    "neighbor": "neighbor",
    "named": "asked for",
}


class Entry(NamedTuple):
    """Words with one sample: a line with a head, a box, or what width or shade shows; a note has none."""

    text: str
    head: Head | None = None
    role: Role | None = None
    width: Scale | None = None
    shade: Scale | None = None

    @property
    def is_note(self) -> bool:
        """Whether it has no sample."""
        return not any(self[1:])


def width_of(entry: Entry) -> float:
    """Return the width of an entry in inches."""
    return text_width(entry.text, LEGEND_SIZE) + (0.0 if entry.is_note else SAMPLE_WIDTH + BEHIND_SAMPLE)


def legend_rows(picture: Picture, width: float) -> list[list[Entry]]:
    """Return the entries in rows of at most this width, or of one entry."""
    rows: list[list[Entry]] = []
    for group in _groups(picture):
        used = width + 1  # each group begins a row
        for entry in group:
            wide = BETWEEN_ENTRIES + width_of(entry)
            if used + wide > width:
                rows.append([])
                used = -BETWEEN_ENTRIES
            rows[-1].append(entry)
            used += wide
    return rows


def _groups(picture: Picture) -> list[list[Entry]]:
    roles = {node.role for node in picture.nodes}
    boxes = [Entry(text, role=role) for role, text in _ROLES.items() if role in roles]
    lines = [Entry(text, head=head) for head, text in (picture.heads or {}).items()]
    if picture.width is not None:
        lines.append(Entry(picture.width.text(), width=picture.width))
    if picture.shade is not None:
        lines.append(Entry(picture.shade.text(), shade=picture.shade))
    return [group for group in (boxes, lines, list(map(Entry, picture.notes))) if group]
