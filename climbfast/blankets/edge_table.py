"""Blankets as a table of edges: one row per target and member."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from climbfast.blankets.blanket_json import names_in
from climbfast.blankets.name_encoding import NameEncoding, name_encoding_of
from climbfast.forks import refuse_in_forked_child
from climbfast.local.blanket import ROLES as ROLE_OF_FIELD
from climbfast.local.blanket import Blanket

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ROLES", "Edge", "edge_frame", "edges_of", "name_encoding_in"]

ROLES = {role: field for field, role in ROLE_OF_FIELD.items()}


class Edge(NamedTuple):
    """One member of one blanket.

    Attributes
    ----------
    target, member : Hashable
    role : {"parent", "child", "undecided", "spouse"}
    margin : float or None
        Bits by which the score increases when only this neighbor changes from parent to child or from child to parent;
        None without directions and for spouses.
    strength : float or None
        The weakest strength of a neighbor over the sets that were tried; the largest strength of a spouse given a
        common child.
    common_children : tuple or None
        The common children by which a spouse was found; None if the method does not return them, and for neighbors.
    evidence : float or None
        Bits by which collider evidence shows the side of a neighbor; None for a neighbor whose side was weighed, and
        for spouses.
    seen_by : tuple or None
        The columns that show it.
    known : bool or None
        Whether the side of a neighbor was known beforehand; None for spouses.
    contradicted : float or None
        Bits of the tests against a known side.
    contradicted_by : tuple or None
        The columns of these tests, see ``Blanket.contradicted``.
    frequency : float or None
        From a bootstrap, the share of the replicates in which the column is a member; None without one.
    frequency_role : float or None
        The share in which it has this role.
    """

    target: Hashable
    member: Hashable
    role: str
    margin: float | None
    strength: float | None
    common_children: tuple[Hashable, ...] | None
    evidence: float | None = None
    seen_by: tuple[Hashable, ...] | None = None
    known: bool | None = None
    contradicted: float | None = None
    contradicted_by: tuple[Hashable, ...] | None = None
    frequency: float | None = None
    frequency_role: float | None = None


def edges_of(blanket: Blanket) -> Iterator[Edge]:
    """Yield the members of a blanket: parents, children, undecided neighbors, spouses."""
    for role, field in ROLES.items():
        spouse = role == "spouse"
        strengths = blanket.spouse_strengths if spouse else blanket.strengths
        for member in getattr(blanket, field):
            seen = None if spouse else blanket.evidence.get(member)
            against = None if spouse else blanket.contradicted.get(member)
            shares = blanket.frequencies.get(member, {})
            yield Edge(
                blanket.target,
                member,
                role,
                None if spouse else _float(blanket.margins.get(member)),
                _float(strengths.get(member)),
                blanket.common_children.get(member) if spouse else None,
                None if seen is None else _float(seen.bits),
                None if seen is None else seen.columns,
                None if spouse else member in blanket.known,
                None if against is None else _float(against.bits),
                None if against is None else against.columns,
                _float(shares.get("found")),
                _float(shares.get(role)),
            )


def name_encoding_in(found: Sequence[Blanket], *, separating_sets: bool = False) -> NameEncoding:
    """Return the simplest encoding for all names in some blankets."""
    return name_encoding_of(name for blanket in found for name in names_in(blanket, separating_sets=separating_sets))


def edge_frame(found: Sequence[Blanket]) -> pl.DataFrame:
    """Return the edges as a polars frame, see ``Blankets.to_frame``."""
    import polars as pl

    refuse_in_forked_child("a polars frame")
    encoding = name_encoding_in(found)
    name = pl.Int64 if encoding.kind == "integer" else pl.String
    schema = {
        "target": name,
        "member": name,
        "role": pl.String,
        "margin": pl.Float64,
        "strength": pl.Float64,
        "common_children": pl.List(name),
        "evidence": pl.Float64,
        "seen_by": pl.List(name),
        "known": pl.Boolean,
        "contradicted": pl.Float64,
        "contradicted_by": pl.List(name),
        "frequency": pl.Float64,
        "frequency_role": pl.Float64,
    }

    def write(names: Sequence[Hashable] | None) -> list[str | int] | None:
        return None if names is None else [encoding.write(x) for x in names]

    rows = [
        (
            encoding.write(edge.target),
            encoding.write(edge.member),
            *edge[2:5],
            write(edge.common_children),
            edge.evidence,
            write(edge.seen_by),
            edge.known,
            edge.contradicted,
            write(edge.contradicted_by),
            edge.frequency,
            edge.frequency_role,
        )
        for blanket in found
        for edge in edges_of(blanket)
    ]
    columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
    # By column: for rows polars would infer the types from the first hundred.
    return pl.DataFrame({key: list(cells) for key, cells in zip(schema, columns, strict=True)}, schema=schema)


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)
