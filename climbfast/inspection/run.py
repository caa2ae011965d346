"""``inspect``: what is in a table, and what reading it will do."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.compiling import announce_compilation
from climbfast.dataset.column_encoding import make_column
from climbfast.dataset.dataset import Dataset
from climbfast.dataset.levels import MISSING
from climbfast.dataset.options import DeclaredLevels, Markers, Numbers, Options, check_options
from climbfast.dataset.raw_columns import RawColumn, RawTable, kind_of_levels, raw_file, raw_frame
from climbfast.dataset.weights import split_weights
from climbfast.errors import ClimbfastError, DataError, Option, OptionError
from climbfast.inspection.absence import complete_rows, find_dependence, find_missing_together
from climbfast.inspection.copies import copy_groups, find_copies
from climbfast.inspection.functions import determined_columns, find_functions, find_functions_of_two
from climbfast.inspection.inspected_table import InspectedTable
from climbfast.inspection.near_copies import find_near_copies, near_copies_in
from climbfast.inspection.number_words import find_dates, find_hidden_numbers, find_markers
from climbfast.inspection.outcomes import Outcome, find_refusals, outcomes, preview
from climbfast.inspection.repetition import find_repeated_rows
from climbfast.inspection.report import KINDS, WEIGHTS, ColumnReport, Finding, Inspection
from climbfast.inspection.single import find_single
from climbfast.inspection.spellings import find_spellings
from climbfast.names import canonical_key

__all__ = ["inspect"]


def inspect(
    data: Any,
    *,
    format: str | None = None,  # noqa: A002  # the name of the option elsewhere
    missing: str = "refuse",
    missing_markers: Markers = None,
    declared_levels: DeclaredLevels = None,
    numbers: Numbers = "refuse",
    weights: Hashable | None = None,
    keep_ids: bool = False,
    separator: str | None = None,
    header: bool = True,
    encoding: str = "utf-8",
    columns: Iterable[Hashable] | None = None,
    leave_out: Iterable[Hashable] | None = None,
) -> Inspection:
    """Look at a table before it is read: what is in it, what reading will do with it, and what should be mended.

    What ``climbfast.read`` refuses is a finding here, with the option that mends it. Nothing is changed.

    Parameters
    ----------
    data : path, or any table that ``Dataset.from_frame`` takes
        A text is a path. Of a Dataset only what it still has can be seen.
    format, separator, header, encoding
        As ``climbfast.read`` has them, for files.
    missing, missing_markers, declared_levels, numbers, weights, keep_ids, columns, leave_out
        As ``climbfast.read`` has them. The report says what reading with these options does.

    Returns
    -------
    Inspection

    Raises
    ------
    DataError
        If the file cannot be read at all, or has no rows.
    OptionError
        If an option is outside its legal values, or is one of files and the data are no file.
    UnknownColumnError
        If an option names a column that does not exist.

    Notes
    -----
    Found are: what is refused (fractional, infinite and mixed values, missing cells, names that occur twice);
    numbers hidden in text; dates that are text; values that seem to mean a missing cell; levels that differ by
    case, blanks or Unicode form; missing cells that occur together (in the same rows, in nearly the same, or more
    often than by chance), and on what they depend; ids, columns of many levels, constants and near-constants (one
    value in 99 % of the rows); copies, one-to-one relations, functions of one and of two columns, columns that are
    equal in 99 % of the rows up to the names of their levels; rows that occur twice, but not with ``weights``, with
    which figures are those of the table with its rows repeated.

    A relation needs 10 rows, 10 of them outside the most frequent level, and 5 to each level of the columns that
    determine another, because fewer agree by chance. The work is bounded: at most 10^9 cells are read for functions,
    and 5 * 10^8 for near-copies; functions of two columns are looked for among up to 200 columns, near-copies among
    those of up to 255 levels. A finding "not-searched" says where a bound was met.

    Examples
    --------
    >>> import climbfast as cf
    >>> table = {"smoker": ["yes", "no", "Yes"] * 10, "age": [31.5, 40.0, None] * 10}
    >>> found = cf.inspect(table)
    >>> for finding in found.findings[:3]:
    ...     print(finding.weight, finding.kind, finding.columns)
    refused fractions ('age',)
    refused missing ('age',)
    check alike-levels ('smoker',)
    >>> [str(option) for option in found.findings[1].options]
    ["missing='test-wise'", "missing='drop-rows'", "missing='level'"]
    >>> cf.inspect(table, numbers="auto", missing="test-wise").is_refused
    False
    """
    begun = time.perf_counter()
    announce_compilation()
    given = {
        "format": format, "missing": missing, "missing_markers": missing_markers, "declared_levels": declared_levels,
        "numbers": numbers, "weights": weights, "keep_ids": keep_ids, "separator": separator, "header": header,
        "encoding": encoding, "columns": columns, "leave_out": leave_out,
    }  # fmt: skip
    reading: dict[str, Any] = {
        "missing": missing, "missing_markers": missing_markers, "declared_levels": declared_levels, "numbers": numbers,
        "weights": weights, "keep_ids": keep_ids, "columns": columns, "leave_out": leave_out,
    }  # fmt: skip
    of_file: dict[str, Any] = {"format": format, "separator": separator, "header": header, "encoding": encoding}
    changed = {name: value for name, value in given.items() if value != _DEFAULTS[name]}
    if isinstance(data, Dataset):
        _refuse_options(changed, _DEFAULTS, "reading, and these data are already a Dataset")
        options = check_options(**{**reading, "missing": "test-wise"})
        raw, source = _raw_of(data), "Dataset"
    elif _is_path(data):
        raw, options = raw_file(data, **of_file, **reading)
        source = str(data)
    else:
        _refuse_options(changed, of_file, "files, and these data are a table in memory")
        options = check_options(**reading)
        raw, source = raw_frame(data, options), type(data).__name__
    return _report(raw, options, data, changed, source, begun)


_DEFAULTS: dict[str, Any] = dict(inspect.__kwdefaults__ or {})


def _is_path(data: Any) -> bool:
    if isinstance(data, (list, tuple)):
        return bool(data) and all(isinstance(each, (str, os.PathLike)) for each in data)
    return isinstance(data, (str, os.PathLike))


def _refuse_options(changed: Collection[str], others: Collection[str], of_what: str) -> None:
    for name in changed:
        if name in others:
            raise OptionError(Option(name), f" is an option of {of_what}")


def _raw_of(data: Dataset) -> RawTable:
    columns = []
    for name in data.names:
        levels = tuple(level for level in data.levels[name] if level is not None)
        # A missing cell, or the level None, has the code behind those of all other levels.
        column = make_column(levels, [*range(len(levels)), MISSING], data.codes[data.index(name)])
        columns.append(RawColumn(name, name, kind_of_levels(levels), column))
    return RawTable(columns, data.codes.shape[1])


def _report(
    raw: RawTable, options: Options, data: Any, changed: dict[str, Any], source: str, begun: float
) -> Inspection:
    raw, counts = (raw, data.weights) if isinstance(data, Dataset) else _rows_that_occur(raw, options)
    weights = next(
        (column for column in raw.columns if options.weights is not None and column.name == options.weights), None
    )
    looked_at = [column for column in raw.columns if column is not weights]
    unknown = frozenset(i for i, c in enumerate(looked_at) if isinstance(data, Dataset) and c.name in data.ids)
    table = InspectedTable(looked_at, raw.rows, unknown, counts)
    read = data if isinstance(data, Dataset) else preview(table, weights, options)
    findings = _findings(raw, table, read, options)
    return Inspection(
        rows=table.rows,
        columns=tuple(_columns(raw, table, outcomes(table, read, options), findings, weights)),
        findings=tuple(findings),
        memory=sum(codes.nbytes for codes in table.codes),
        distinct_rows=table.distinct_rows,
        complete_rows=complete_rows(table),
        options=changed,
        source=source,
        seconds=time.perf_counter() - begun,
    )


def _rows_that_occur(raw: RawTable, options: Options) -> tuple[RawTable, NDArray[np.int64] | None]:
    """Return the table without rows of count 0, and how often each other row occurs; None if each occurs once."""
    weights = next((column.encoded for column in raw.columns if column.name == options.weights), None)
    if options.weights is None or weights is None:
        return raw, None
    names, encoded = [column.name for column in raw.columns], [column.encoded for column in raw.columns]
    try:  # their column once more, which is split from the others
        _, encoded, counts = split_weights([options.weights, *names], [weights, *encoded], options.weights)
    except DataError:  # which is a finding: `preview` has it
        return raw, None
    columns = [column._replace(encoded=kept) for column, kept in zip(raw.columns, encoded, strict=True)]
    return raw._replace(columns=columns, rows=columns[0].encoded.physical.size), counts


def _findings(
    raw: RawTable, table: InspectedTable, read: Dataset | ClimbfastError | None, options: Options
) -> list[Finding]:
    found = list(_each_finding(raw, table, read, options))
    return sorted(found, key=lambda finding: (WEIGHTS.index(finding.weight), KINDS.index(finding.kind)))


def _each_finding(
    raw: RawTable, table: InspectedTable, read: Dataset | ClimbfastError | None, options: Options
) -> Iterator[Finding]:
    yield from find_refusals(table, [column.given for column in raw.columns], read, options)
    yield from find_hidden_numbers(table)
    yield from find_dates(table)
    yield from find_markers(table)
    yield from find_spellings(table)
    yield from find_missing_together(table, read)
    yield from find_dependence(read)
    yield from find_single(table, read)
    groups = copy_groups(table)
    yield from find_copies(table, groups)
    # By name, so that the order of the columns does not matter.
    first = {min(group, key=lambda i: canonical_key(table.columns[i].name)) for group in groups}
    copies = {i for group in groups for i in group if i not in first}
    single = [i for i in table.varying if i not in copies]
    near = near_copies_in(table, single)
    yield from find_near_copies(table, near)
    determined, is_complete = determined_columns(table, single)
    yield from find_functions(table, determined, is_complete=is_complete)
    yield from find_functions_of_two(table, single, determined, near.pairs)
    yield from find_repeated_rows(table)
    if raw.empty_last is not None:
        yield Finding(
            "empty-last", "note", (), f"every line ends with a separator; the empty last column {raw.empty_last!r} is "
            "left out",
        )  # fmt: skip


def _columns(
    raw: RawTable, table: InspectedTable, of_columns: list[Outcome], findings: list[Finding], weights: RawColumn | None
) -> Iterator[ColumnReport]:
    kinds: dict[Hashable, dict[str, None]] = {}
    for finding in findings:
        for name in finding.columns:
            kinds.setdefault(name, {})[finding.kind] = None
    for i, (column, outcome) in enumerate(zip(table.columns, of_columns, strict=True)):
        counts = table.counts[i][:-1]
        most = int(np.argmax(counts)) if counts.size else None
        yield ColumnReport(
            name=column.name,
            kind=column.kind,
            levels=table.occurring[i],
            missing=table.missing[i],
            most_frequent=None if most is None else column.level(most),
            frequency=0 if most is None or i in table.unknown else int(counts[most]),
            outcome=outcome.name,
            becomes=outcome.becomes,
            why=outcome.why,
            findings=tuple(kinds.get(column.name, ())),
        )
    if weights is not None:
        yield ColumnReport(
            weights.name,
            weights.kind,
            weights.size,
            0,
            None,
            0,
            "weights",
            (),
            "says how often a row occurs",
        )
    for name in raw.left_out:
        yield ColumnReport(name, "", 0, 0, None, 0, "left out", (), "not looked at")
