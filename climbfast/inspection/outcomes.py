"""What reading will do with each column, and what it refuses.

The table is read as ``read`` does it, without the columns that it would refuse: what is said here is what happens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from climbfast.dataset.dataset import Dataset
from climbfast.dataset.options import Options
from climbfast.dataset.raw_columns import RawColumn, assemble_raw
from climbfast.errors import ClimbfastError, Option
from climbfast.inspection.inspected_table import InspectedTable
from climbfast.inspection.report import Finding, leaving_out, listed
from climbfast.names import listing

__all__ = ["Outcome", "find_refusals", "outcomes", "preview"]

_ONE_VALUE = "independent of everything (one value)"
_MISSING = {
    "refuse": "refused",
    "drop-rows": "their rows are left out",
    "level": "one more level",
    "test-wise": "left out of the tests of this column",
}


class Outcome(NamedTuple):
    """What happens to a column, the levels that it gets, and why."""

    name: str
    becomes: tuple[Hashable, ...]
    why: str


def preview(table: InspectedTable, weights: RawColumn | None, options: Options) -> Dataset | ClimbfastError | None:
    """Return the table as it is read without the columns that are refused; the error of that; None if all are."""
    kept = [column for column in table.columns if column.refusal is None]
    if not kept:
        return None
    if options.missing == "refuse":
        options = replace(options, missing="test-wise")
    try:
        return assemble_raw([*kept, *([] if weights is None else [weights])], table.stored_rows, options)
    except ClimbfastError as error:
        return error


def outcomes(table: InspectedTable, read: Dataset | ClimbfastError | None, options: Options) -> list[Outcome]:
    """Return what happens to each column."""
    facts = _facts(read) if isinstance(read, Dataset) else None
    return [_outcome(table, i, column, facts, options) for i, column in enumerate(table.columns)]


class _Facts(NamedTuple):
    """What is known of the columns that were read."""

    data: Dataset
    cuts: Mapping[Hashable, tuple[Any, ...]]
    ids: frozenset[Hashable]
    constant: frozenset[Hashable]


def _facts(read: Dataset) -> _Facts:
    return _Facts(read, read.cuts, frozenset(read.ids), frozenset(read.constant))


def _outcome(table: InspectedTable, i: int, column: RawColumn, read: _Facts | None, options: Options) -> Outcome:
    missing = table.missing[i]
    cells = f"{missing:,} missing {'cell' if missing == 1 else 'cells'}"
    gaps = f"; {cells}: {_MISSING[options.missing]}" if missing else ""
    if column.refusal is not None:
        return Outcome("refused", (), _reason(column) + gaps)
    levels = column.encoded.levels
    name, becomes, why = "levels", tuple(levels), "each value is a level"
    if read is not None:
        name, becomes, why = _as_read(read, column, why, options, table.rows)
    elif i in table.ids and not options.keep_ids:
        name, becomes, why = "id", (), _id(column.size, table.rows)
    elif table.occurring[i] == 1:
        name, why = "constant", _ONE_VALUE
    if missing and options.missing == "refuse":
        return Outcome("refused", becomes, f"{cells}; else {why}")
    return Outcome(name, becomes, why + gaps)


def _as_read(read: _Facts, column: RawColumn, why: str, options: Options, rows: int) -> Outcome:
    name = column.name
    if name in read.ids:
        return Outcome("id", (), _id(column.size, rows))
    becomes = tuple(level for level in read.data.levels[name] if level is not None or options.missing == "level")
    if name in read.cuts:
        return Outcome(
            "cut", becomes, f"cut at {listing(read.cuts[name], limit=10, each=str)}" if read.cuts[name] else "not cut"
        )
    if not column.size:
        return Outcome("constant", becomes, "independent of everything (no value)")
    if name in read.constant:
        return Outcome("constant", becomes, _ONE_VALUE)
    return Outcome("levels", becomes, why)


def _id(levels: int, rows: int) -> str:
    return f"independent of everything ({levels:,} values in {rows:,} rows)"


def _reason(column: RawColumn) -> str:
    """Return a refusal without the name of its column."""
    message = str(column.refusal).removeprefix(f"column {column.name!r} ").removeprefix("has ")
    return message.partition("; ")[0]


# ---- findings


def find_refusals(
    table: InspectedTable, given: Sequence[Hashable], read: Dataset | ClimbfastError | None, options: Options
) -> Iterator[Finding]:
    """Yield what ``read`` refuses, and the missing cells in any case."""
    yield from _names(table, given)
    yield from _refused_columns(table, options)
    gaps = [i for i, missing in enumerate(table.missing) if missing]
    if gaps:
        yield _missing(table, gaps, options)
    if isinstance(read, ClimbfastError):
        yield Finding("refused", "refused", (), str(read), _advice_in(read))


def _names(table: InspectedTable, given: Sequence[Hashable]) -> Iterator[Finding]:
    times = Counter(map(repr, given))
    twice = [i for i, column in enumerate(table.columns) if times[repr(column.given)] > 1]
    if twice:
        repeated = dict.fromkeys(repr(table.columns[i].given) for i in twice)
        yield Finding(
            "duplicate-names", "refused", table.names(twice),
            f"names that occur more than once: {listing(repeated, limit=5, each=str)}",
            ("give every column a name of its own",),
        )  # fmt: skip
    odd = [i for i, column in enumerate(table.columns) if column.name != column.given and i not in set(twice)]
    if odd:
        yield Finding(
            "refused", "refused", table.names(odd), f"names that results cannot carry: {listed(table.names(odd))}",
            ("rename these columns: names are text, finite numbers and tuples of these",),
        )  # fmt: skip


def _refused_columns(table: InspectedTable, options: Options) -> Iterator[Finding]:
    def of(reason: str) -> list[RawColumn]:
        return [column for column in table.columns if column.refusal is not None and column.reason == reason]

    fractions = [column for column in of("numbers") if column.encoded.numeric is not None]
    fractions += [column for column in of("infinite") if column.kind == "fractional" and _refuses(column, options)]
    if fractions:
        names = tuple(column.name for column in fractions)
        yield Finding(
            "fractions", "refused", names, f"fractional numbers in {listed(names)}",
            ("cut them into intervals with ", Option("numbers", "auto"), ", or make each number a level with ",
             Option("numbers", "levels")),
        )  # fmt: skip
    odd = [column for column in of("numbers") if column.encoded.numeric is None]
    if odd:
        names = tuple(column.name for column in odd)
        yield Finding(
            "odd-numbers", "refused", names, f"{_reason(odd[0])} in {listed(names)}",
            ("write plain numbers into the table, or make each a level with ",
             Option("numbers", dict.fromkeys(names, "levels"))),
        )  # fmt: skip
    infinite = of("infinite")
    if infinite:
        names = tuple(column.name for column in infinite)
        yield Finding(
            "infinite", "refused", names, f"infinite numbers in {listed(names)}",
            ("mark them as missing with ", Option("missing_markers", {name: ["inf", "-inf"] for name in names[:3]})),
        )  # fmt: skip
    for kind, advice in (("mixed-kinds", "convert them to one kind"), ("unusable", "convert them to text")):
        columns = [column for column in of("kinds") if (column.kind == "other") == (kind == "unusable")]
        if columns:
            names = tuple(column.name for column in columns)
            what = _reason(columns[0]).removeprefix("mixes ")
            yield Finding(
                kind,
                "refused",
                names,
                f"{what} in {listed(names)}",
                (f"{advice}, or leave out with ", leaving_out(names)),
            )


def _refuses(column: RawColumn, options: Options) -> bool:
    """Whether fractional numbers of a column would be refused."""
    return not (options.cuts(column.name) or options.takes_fractions(column.name))


def _missing(table: InspectedTable, gaps: Sequence[int], options: Options) -> Finding:
    names = table.names(gaps)
    cells = sum(table.missing)
    counts = {str(table.columns[i].name): table.missing[i] for i in gaps}
    share = cells / (table.rows * len(table.columns))
    message = f"{cells:,} missing cells ({share:.1%} of all) in {listed(names)}"
    if options.missing != "refuse":
        return Finding("missing", "note", names, f"{message}: {_MISSING[options.missing]}", (), {"cells": counts})
    return Finding(
        "missing", "refused", names, message,
        ("use all rows that a test can use with ", Option("missing", "test-wise"), ", leave rows out with ",
         Option("missing", "drop-rows"), ", or make missing a level with ", Option("missing", "level")),
        {"cells": counts},
    )  # fmt: skip


def _advice_in(error: ClimbfastError) -> tuple[str | Option, ...]:
    options = [part for part in error.parts if isinstance(part, Option)]
    return ("see ", options[0]) if options else ()
