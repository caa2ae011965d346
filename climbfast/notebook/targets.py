"""Results around targets in a notebook: blankets, neighbors, and the blankets of many targets."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice

from climbfast.blankets.blankets import Blankets
from climbfast.local.blanket import Blanket, NeighborSet, unexplained_text
from climbfast.names import copies_text, name_text
from climbfast.notebook.elements import MOST_NODES, MOST_ROWS, heading, line, picture, seconds_text, shown, table
from climbfast.provenance import bounded_text
from climbfast.report.labels import Labels, counted
from climbfast.report.members import members_of
from climbfast.report.strengths import strength_text

__all__ = ["blanket_html", "blankets_html", "neighbor_set_html"]

_MOST_NAMES = 5  # of members in a cell


@shown
def blanket_html(blanket: Blanket) -> Iterator[str]:
    """Show the picture, the members with what speaks for each, and what is open."""
    yield heading(f"Markov blanket of {name_text(blanket.target)}", _counts(blanket))
    if 0 < len(blanket.members) < MOST_NODES:
        yield picture(blanket, f"The Markov blanket of {name_text(blanket.target)}")
    if blanket.members:
        yield _members(blanket)
    if blanket.unexplained:
        yield line(f"Incomplete: {unexplained_text(blanket)} still depend on the target.")
    if blanket.copies:
        yield line(f"Copies: {copies_text(blanket.copies)}; one of each stands for the others.")
    yield line(_how_found(blanket))


def _counts(blanket: Blanket) -> str:
    counts = (
        counted(len(blanket.parents), "parent"),
        counted(len(blanket.children), "child", "children"),
        f"{len(blanket.undecided):,} undecided",
        counted(len(blanket.spouses), "spouse"),
    )
    return ", ".join(text for text in counts if not text.startswith("0 ")) or "empty"


def _members(blanket: Blanket) -> str:
    members = members_of(blanket, Labels((blanket.target, *blanket.members)))
    head, cells = (
        ["member", "role", ">strength", "direction"],
        [[each.name, each.role, each.strength, each.direction] for each in members],
    )
    if blanket.frequencies:
        head.append(">replicates with it")
        for row, each in zip(cells, members, strict=True):
            row.append(each.found)
    return table(head, cells)


@shown
def neighbor_set_html(found: NeighborSet) -> Iterator[str]:
    """Show the neighbors, the strongest first."""
    yield heading(f"Neighbors of {name_text(found.target)}", counted(len(found.members), "neighbor"))
    labels = Labels(found.members)
    place = {name: i for i, name in enumerate(found.members)}
    alpha = float(found.options.get("alpha", 0.01))
    strengths = found.strengths
    rows = [
        (labels.name(name), strength_text(found.test, strengths[name], alpha) if name in strengths else "")
        for name in sorted(found.members, key=lambda name: (-strengths.get(name, 0.0), place[name]))
    ]
    if rows:
        yield table(("neighbor", ">strength"), rows)
    if found.copies:
        yield line(f"Copies: {copies_text(found.copies)}; one of each stands for the others.")
    yield line(_how_found(found))


def _how_found(found: Blanket | NeighborSet) -> str:
    if not found.method:
        return ""
    parts = [
        f"{found.method} by {found.test}",
        f"{counted(found.rows, 'row')}, {counted(found.columns, 'column')}",
        counted(found.tests, "test"),
        seconds_text(found.seconds),
        bounded_text(found.bounded, "neighbor"),
    ]
    return "; ".join(filter(None, parts))


@shown
def blankets_html(blankets: Blankets) -> Iterator[str]:
    """Show the graph of few targets, and the first blankets; of many targets no other one is made."""
    yield heading("Markov blankets", counted(len(blankets), "target"))
    if len(blankets) < MOST_NODES and _is_small(blankets):
        yield picture(blankets, "The edges that the blankets of both ends have")
    first = {target: blankets[target] for target in islice(blankets, MOST_ROWS)}
    labels = Labels(set(blankets).union(*(blanket.members for blanket in first.values())))
    rows = [
        (labels.name(target), *(_some(names, labels) for names in _by_role(blanket)))
        for target, blanket in first.items()
    ]
    if rows:
        yield table(("target", "parents", "children", "undecided", "spouses"), rows, len(blankets))
    yield line(_how_run(blankets))


def _is_small(blankets: Blankets) -> bool:
    """Whether the targets and their neighbors can be drawn, and there is an edge."""
    neighbors = {name for target in blankets for name in blankets[target].neighbors}
    return bool(neighbors) and len(neighbors.union(blankets)) <= MOST_NODES


def _by_role(blanket: Blanket) -> tuple[tuple[Hashable, ...], ...]:
    return blanket.parents, blanket.children, blanket.undecided, blanket.spouses


def _some(names: tuple[Hashable, ...], labels: Labels) -> str:
    return labels.listed(names, limit=_MOST_NAMES)


def _how_run(blankets: Blankets) -> str:
    how = blankets.how
    parts = [f"{how['tests']:,} tests" if how.get("tests") else "", seconds_text(how.get("seconds", 0.0))]
    if len(blankets) > MOST_ROWS:
        parts.append("blankets[name] is the blanket of a target, and blankets.plot(name) draws it with its neighbors")
    return "; ".join(filter(None, parts))
