"""What a picture of a blanket shows: parents, the target with the spouses, and children, from left to right."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from climbfast.local.blanket import Blanket
from climbfast.local.methods import BEST
from climbfast.names import sorted_by_name
from climbfast.plots.picture import (
    FULL_MARGIN,
    MOST_NODES,
    Head,
    Line,
    Node,
    Picture,
    Role,
    any_of,
    scale_of,
    scale_of_frequency,
    shown_names,
    unit_of_strength,
)

__all__ = ["picture_of_blanket"]

_LAYER: Mapping[str, int] = {"parent": 0, "target": 1, "spouse": 1, "child": 2, "undecided": 2, "neighbor": 2}


def picture_of_blanket(blanket: Blanket) -> Picture:
    """Return what a picture of a blanket shows, see ``Blanket.plot``."""
    roles = _roles(blanket)
    kept, left = _strongest(blanket, roles)
    names = [blanket.target, *kept]
    place = {name: i for i, name in enumerate(names)}
    lines = [_neighbor_line(blanket, name, place) for name in kept if roles[name] != "spouse"]
    lines += [
        Line(
            place[spouse],
            place[child],
            "filled" if roles.get(child) == "child" else "none",
            blanket.spouse_strengths.get(spouse),
            _frequency(blanket, spouse) if blanket.frequencies else None,
        )
        for spouse in kept
        if roles[spouse] == "spouse"
        for child in blanket.common_children.get(spouse, ())
        if roles.get(child) not in (None, "parent", "spouse") and child in place
    ]
    notes = [f"and {left:,} more member{'s' if left > 1 else ''}"] if left else []
    if any(role == "spouse" and not blanket.common_children.get(name) for name, role in roles.items()):
        notes.append("a spouse without a line: its common child is not known")
    of_nodes: list[Role] = ["target", *(roles[name] for name in kept)]
    shades = [_frequency(blanket, name) for name in kept] if blanket.frequencies else list(blanket.margins.values())
    return Picture(
        nodes=tuple(map(Node, shown_names(names), of_nodes)),
        lines=tuple(lines),
        layers=tuple(_LAYER[role] for role in of_nodes),
        heads=_heads(blanket, lines),
        width=scale_of("strength", unit_of_strength(blanket.test), (line.width for line in lines)),
        shade=(
            scale_of_frequency(shades)
            if blanket.frequencies
            else scale_of("margin of the side", "bits", shades, FULL_MARGIN)
        ),
        notes=tuple(notes),
    )


def _roles(blanket: Blanket) -> dict[Hashable, Role]:
    """Return the role of each member; of a method without directions neighbors are not undecided, but neighbors."""
    left_open: Role = "undecided" if blanket.margins or blanket.evidence or blanket.method == BEST else "neighbor"
    of_fields: dict[Role, tuple[Hashable, ...]] = {
        "parent": blanket.parents,
        "spouse": blanket.spouses,
        "child": blanket.children,
        left_open: blanket.undecided,
    }
    return {name: role for role, names in of_fields.items() for name in sorted_by_name(names)}


def _strongest(blanket: Blanket, roles: Mapping[Hashable, Role]) -> tuple[list[Hashable], int]:
    """Return the members that are shown, neighbors before spouses and strong before weak; and how many are not."""
    most = MOST_NODES - 1

    def rank(name: Hashable) -> tuple[bool, float]:
        strength = blanket.strengths.get(name, blanket.spouse_strengths.get(name, 0.0))
        return roles[name] == "spouse", -strength

    kept = set(sorted(sorted_by_name(roles), key=rank)[:most])
    return [name for name in roles if name in kept], len(roles) - len(kept)


def _neighbor_line(blanket: Blanket, name: Hashable, place: Mapping[Hashable, int]) -> Line:
    head = _head(blanket, name)
    ends = (place[name], place[blanket.target])
    shade = _frequency(blanket, name) if blanket.frequencies else blanket.margins.get(name)
    if shade is None and head == "filled" and blanket.margins and not blanket.frequencies:
        shade = FULL_MARGIN  # a side that needs no margin is as sure as the surest
    if name not in blanket.parents:
        ends = ends[::-1]
    return Line(ends[0], ends[1], head, blanket.strengths.get(name), shade)


def _frequency(blanket: Blanket, name: Hashable) -> float | None:
    shares = blanket.frequencies.get(name)
    return None if shares is None else shares["found"]


def _head(blanket: Blanket, name: Hashable) -> Head:
    if name not in (*blanket.parents, *blanket.children):
        return "none"
    if name in blanket.known or name in blanket.evidence:
        return "filled"
    return "open" if name in blanket.margins else "filled"


def _heads(blanket: Blanket, lines: list[Line]) -> dict[Head, str]:
    """Return what each head that occurs says; that of a spouse, whose line does not meet the target, is a collider."""
    sure = [
        text
        for text, is_there in (
            ("known", blanket.known),
            ("seen by a collider", blanket.evidence or any(line.source != 0 != line.target for line in lines)),
            ("compelled", blanket.method == BEST),
        )
        if is_there
    ]
    texts: dict[Head, str] = {
        "filled": f"direction {any_of(sure)}" if sure else "directed",
        "open": "direction chosen by a score",
        "none": "direction open",
    }
    heads = {line.head for line in lines}
    return {head: text for head, text in texts.items() if head in heads}
