"""How the members of a blanket are shown, and what the search of it took."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from climbfast.cli.render.tables import texts
from climbfast.local.blanket import Blanket, NeighborSet
from climbfast.names import listing, quoted, shown

__all__ = ["roles_in", "row_of_member", "summary"]


def roles_in(found: Blanket) -> dict[Hashable, str]:
    """Return what each member is to the target."""
    sides = {
        "parent": found.parents,
        "child": found.children,
        "neighbor" if not found.margins else "undecided": found.undecided,
        "spouse": found.spouses,
    }
    return {name: role for role, names in sides.items() for name in names}


def row_of_member(found: Blanket, name: Hashable, role: str) -> list[Any]:
    """Return the cells of a member: its name, role and margin, and the common children of a spouse."""
    margin = f"{found.margins[name]:,.1f}" if name in found.margins else ""
    return texts([shown(name), role, margin, listing(found.common_children.get(name, ()), limit=None, each=quoted)])


def summary(found: Blanket | NeighborSet) -> str:
    """Return what the search looked at and took, in one line; in a second one what it could not prove."""
    skipped = f", {found.skipped:,} skipped for want of rows" if found.skipped else ""
    line = (
        f"{found.rows:,} rows, {found.columns:,} columns, {found.tests:,} tests by {found.test} for {found.method}"
        f"{skipped}, {found.seconds:.3f} s"
    )
    if isinstance(found, NeighborSet) or found.exact:
        return line
    return (
        f"{line}\nNot proved: another division into parents and children may be up to {found.gap:,.1f} bits "
        "better; a larger --node-budget searches longer."
    )
