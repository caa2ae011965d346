"""The legend: what it has, and rows that are as wide as the picture."""

from __future__ import annotations

from climbfast.plots.legend import BETWEEN_ENTRIES, Entry, legend_rows, width_of
from climbfast.plots.picture import Node, Picture, Scale

PICTURE = Picture(
    (Node("t", "target"), Node("p", "parent"), Node("s", "spouse")),
    heads={"filled": "directed", "none": "direction open"},
    width=Scale("strength", "bits", 1.0, 20.0, 20.0),
    shade=Scale("frequency", "", 0.5, 0.75, 1.0, is_share=True),
    notes=("and 12 columns without edges",),
)


def test_it_has_what_occurs():
    entries = [entry for row in legend_rows(PICTURE, 3.0) for entry in row]
    assert [entry.text for entry in entries] == [
        "parent", "spouse", "directed", "direction open", "strength 1.0 to 20 bits", "frequency 0.50 to 0.75",
        "and 12 columns without edges",
    ]  # fmt: skip
    assert [entry.is_note for entry in entries] == [False] * 6 + [True]


def test_rows_are_not_wider_than_the_picture():
    for width in (2.5, 4.0, 20.0):
        rows = legend_rows(PICTURE, width)
        for row in rows:
            wide = sum(map(width_of, row)) + BETWEEN_ENTRIES * (len(row) - 1)
            assert wide <= width or len(row) == 1
    assert len(rows) == 3  # boxes, lines, notes


def test_a_picture_of_plain_nodes_needs_none():
    assert legend_rows(Picture((Node("a"),)), 3.0) == []
    assert width_of(Entry("", head="open")) > width_of(Entry("")) == 0.0
