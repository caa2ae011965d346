"""What a picture of a blanket shows: sides, roles, and why."""

from __future__ import annotations

import climbfast as cf
from climbfast.local.blanket import ColliderEvidence
from climbfast.plots.blanket_picture import picture_of_blanket
from climbfast.plots.layout import layout_of
from climbfast.plots.picture import FULL_MARGIN, MOST_NODES
from tests.plots.graphs import overlaps

BLANKET = cf.Blanket(
    "t", ("p", "q"), ("c", "d"), ("s", "r"), ("u",),
    common_children={"s": ("c", "u")},
    margins={"p": 3.0, "u": 0.5},
    evidence={"c": ColliderEvidence(("s",), 30.0)},
    known=("q", "d"),
    strengths={"p": 10.0, "c": 90.0},
    spouse_strengths={"s": 40.0},
    method="climb",
)  # fmt: skip


def named_lines(picture):
    texts = [node.text for node in picture.nodes]
    return {(texts[line.source], texts[line.target]): line for line in picture.lines}


def test_parents_are_left_children_right_and_spouses_between():
    picture = picture_of_blanket(BLANKET)
    assert {node.text: node.role for node in picture.nodes} == {
        "t": "target", "p": "parent", "q": "parent", "c": "child", "d": "child", "s": "spouse", "r": "spouse",
        "u": "undecided",
    }  # fmt: skip
    place = {node.text: box.x for node, box in zip(picture.nodes, layout_of(picture).boxes, strict=True)}
    assert place["p"] == place["q"] < place["t"] == place["s"] == place["r"] < place["c"] == place["d"] == place["u"]


def test_heads_and_figures():
    picture = picture_of_blanket(BLANKET)
    lines = named_lines(picture)
    assert {ends: line.head for ends, line in lines.items()} == {
        ("p", "t"): "open", ("q", "t"): "filled", ("t", "c"): "filled", ("t", "d"): "filled", ("t", "u"): "none",
        ("s", "c"): "filled", ("s", "u"): "none",
    }  # fmt: skip
    assert lines["s", "c"].width == 40.0
    assert lines["p", "t"].width == 10.0
    assert lines["p", "t"].shade == 3.0
    assert lines["t", "c"].shade == FULL_MARGIN
    assert picture.width.text() == "strength 10 to 90 bits"
    assert picture.shade.text() == "margin of the side 0.5 to 3.0 bits"
    assert picture.heads["filled"] == "direction known or seen by a collider"
    assert picture.notes == ("a spouse without a line: its common child is not known",)


def test_frequencies_are_the_shade():
    shares = {"found": 0.8, "parent": 0.5}
    blanket = cf.Blanket("t", ("p",), margins={"p": 3.0}, frequencies={"p": shares})
    picture = picture_of_blanket(blanket)
    assert picture.shade.text() == "frequency 0.80"
    assert [line.shade for line in picture.lines] == [0.8]


def test_neighbors_of_a_method_without_directions_are_not_undecided():
    picture = picture_of_blanket(cf.Blanket("t", undecided=("a", "b"), method="gs"))
    assert [node.role for node in picture.nodes] == ["target", "neighbor", "neighbor"]
    assert picture.heads == {"none": "direction open"}


def test_of_many_members_the_strongest_are_shown():
    children = tuple(f"child {i}" for i in range(70))
    blanket = cf.Blanket(
        "t", (), children, ("a spouse",), strengths={name: float(i) for i, name in enumerate(children)},
        spouse_strengths={"a spouse": 1000.0}, common_children={"a spouse": ("child 1",)},
    )  # fmt: skip
    picture = picture_of_blanket(blanket)
    assert len(picture.nodes) == MOST_NODES
    assert {node.text for node in picture.nodes} == {"t", *children[11:]}
    assert picture.notes == ("and 12 more members",)
    layout = layout_of(picture)
    assert not overlaps(layout)
    assert not layout.is_turned  # children stay on the right, however many
    assert all(box.left > layout.boxes[0].right for box in layout.boxes[1:])


def test_an_empty_blanket():
    picture = picture_of_blanket(cf.Blanket("t"))
    assert len(picture.nodes) == 1
    assert layout_of(picture).width > 0


def test_a_blanket_that_was_found():
    blanket = cf.markov_blanket(cf.load_example().sample(2000, seed=1), "heart_disease")
    lines = named_lines(picture_of_blanket(blanket))
    assert {x for x, y in lines if y == "heart_disease"} == set(blanket.parents)
    assert {y for x, y in lines if x == "heart_disease"} == set(blanket.children)
    assert {(x, y) for x, y in lines if "heart_disease" not in (x, y)} == {
        (spouse, child) for spouse, by in blanket.common_children.items() for child in by
    }
