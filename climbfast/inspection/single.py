"""Columns that are odd each for itself: constants, ids, too many levels."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from climbfast.dataset.column_encoding import MOST_LEVELS_OF_WHOLE_NUMBERS
from climbfast.dataset.dataset import Dataset
from climbfast.errors import ClimbfastError, Option
from climbfast.inspection.inspected_table import InspectedTable
from climbfast.inspection.report import Finding, leaving_out, listed

__all__ = ["find_single", "near_constants"]

NEAR_CONSTANT = Fraction(99, 100)  # of the rows where it is observed have the most frequent level


def near_constants(table: InspectedTable) -> list[int]:
    """Return the columns of several levels of which one is in 99 % of the rows."""
    return [
        i for i in table.varying if table.largest[i] >= NEAR_CONSTANT * (table.rows - table.missing[i])
    ]  # fmt: skip


def find_single(table: InspectedTable, read: Dataset | ClimbfastError | None) -> Iterator[Finding]:
    """Yield what is odd about single columns."""
    observed = [table.rows - missing for missing in table.missing]
    empty = [i for i, levels in enumerate(table.occurring) if levels == 0]
    if empty:
        yield Finding(
            "empty", "check", table.names(empty), f"no value at all in {listed(table.names(empty))}",
            ("leave out with ", leaving_out(table.names(empty))),
        )  # fmt: skip
    constant = [i for i, levels in enumerate(table.occurring) if levels == 1 and i not in table.unknown]
    if constant and table.rows > 1:
        yield Finding(
            "constant", "note", table.names(constant),
            f"one value alone in {listed(table.names(constant))}: independent of everything",
            ("leave out with ", leaving_out(table.names(constant))),
        )  # fmt: skip
    near = near_constants(table)
    if near:
        yield Finding(
            "near-constant", "note", table.names(near),
            f"one value in 99 % of the rows of {listed(table.names(near))}: few rows can show a dependence",
            ("leave out with ", leaving_out(table.names(near))),
            {"other_rows": {str(table.columns[i].name): observed[i] - table.largest[i] for i in near}},
        )  # fmt: skip
    yield from _many_levels(table, read)


def _many_levels(table: InspectedTable, read: Dataset | ClimbfastError | None) -> Iterator[Finding]:
    if not isinstance(read, Dataset):
        return
    ids_read = set(read.ids)
    read_otherwise = ids_read | set(read.cuts)
    position = {column.name: i for i, column in enumerate(table.columns)}
    ids = [name for name in table.names(range(len(position))) if name in ids_read]
    if ids:
        yield Finding(
            "id", "note", tuple(ids),
            f"about as many values as rows in {listed(tuple(ids))}: taken for ids, independent of everything",
            ("take them as they are with ", Option("keep_ids", value=True), ", or leave out with ", leaving_out(ids)),
        )  # fmt: skip
    others = [column for column in table.columns if column.name in position and column.refusal is None]
    others = [column for column in others if column.name not in read_otherwise]
    numbers = tuple(
        column.name for column in others
        if column.kind == "whole" and table.occurring[position[column.name]] > MOST_LEVELS_OF_WHOLE_NUMBERS
    )  # fmt: skip
    if numbers:
        yield Finding(
            "many-numbers", "check", numbers,
            f"whole numbers of more than {MOST_LEVELS_OF_WHOLE_NUMBERS} levels, their order unused: {listed(numbers)}",
            ("cut them into intervals with ", Option("numbers", "auto")),
            {"levels": {str(name): table.occurring[position[name]] for name in numbers}},
        )  # fmt: skip
    nearly_unique = set(read.nearly_unique) - set(numbers)
    many = tuple(column.name for column in others if column.name in nearly_unique)
    if many:
        yield Finding(
            "many-levels", "check", many,
            f"more levels than rows / 5, too many for a reliable test: {listed(many)}",
            ("make fewer levels of them, or leave out with ", leaving_out(many)),
            {"levels": {str(name): table.occurring[position[name]] for name in many}},
        )  # fmt: skip
