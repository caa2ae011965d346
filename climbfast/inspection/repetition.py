"""Rows that occur twice."""

from __future__ import annotations

from collections.abc import Iterator

from climbfast.inspection.inspected_table import InspectedTable
from climbfast.inspection.report import Finding, listed

__all__ = ["find_repeated_rows"]


def find_repeated_rows(table: InspectedTable) -> Iterator[Finding]:
    """Yield rows that occur more than once, where chance would hardly repeat them.

    In a table of few levels rows repeat each other; not where a column has a number for each row. A table with weights
    says itself how often its rows occur.
    """
    if table.unknown or table.weights is not None or not table.columns:
        return
    distinct = table.distinct_rows
    repeated = table.rows - distinct
    with_ids = sorted(table.ids)
    if repeated and table.rows > 1:
        names = table.names(with_ids)
        by_chance = not with_ids
        also = "" if by_chance else f", with the same id in {listed(names)}"
        yield Finding(
            "repeated-rows", "note" if by_chance else "check", names,
            f"{repeated:,} of {table.rows:,} rows are equal to an earlier one{also}",
            ("as it has to be in a table of few levels; if it is an error, leave them out of the table",)
            if by_chance else ("the same row twice looks like more evidence than there is: leave it out of the table",),
            {"repeated": repeated, "distinct": distinct},
        )  # fmt: skip
