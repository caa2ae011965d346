"""``climbfast inspect``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from shutil import get_terminal_size

from climbfast.cli.option_names import as_typed
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.reading import Data, ReadingArguments, files_of
from climbfast.cli.output import AsJson
from climbfast.cli.render import new_table, render_table, texts
from climbfast.cli.result_files import ResultOut, check_result_file, give_result
from climbfast.errors import ClimbfastWarning
from climbfast.inspection import ColumnReport, Finding, Inspection
from climbfast.inspection import inspect as inspect_table
from climbfast.inspection.report import WEIGHTS
from climbfast.names import escaped, excerpt, listing, name_text

__all__ = ["inspect"]

_MOST_OF_A_KIND = 8
_MOST_COLUMNS = 40
_WIDTH_OF_ONE_LINE = 120
_HEADINGS = {
    "refused": "Reading refuses the table for",
    "check": "To check",
    "note": "To know",
}


@with_groups
def inspect(data: Data, *, out: ResultOut = None, reading: ReadingArguments, as_json: AsJson = False) -> None:
    """Show what is in a table, what reading it will do, and which option mends what; nothing is changed."""
    check_result_file(out, {"DATA": files_of(data)})
    found = reading.read_by(inspect_table, data)
    give_result(lambda: _page(found), found.to_json, out, as_json=as_json)


def _page(found: Inspection) -> str:
    size = f"{found.rows:,} rows, {len(found.columns):,} columns, {_bytes(found.memory)} as codes"
    rows = f"{found.distinct_rows:,} different rows, {found.complete_rows:,} without missing cells"
    parts = [f"{name_text(found.source)}: {size}; {rows}"]
    for weight, heading in _HEADINGS.items():
        findings = [finding for finding in found.findings if finding.weight == weight]
        if findings:
            parts.append(f"{heading}\n{_findings(findings)}")
        if weight == "refused" and found.mended_by:
            options = "".join(f" {as_typed(ClimbfastWarning(option))}" for option in found.mended_by)
            parts.append(f"Reading takes the table with{escaped(options)}")
    if not found.is_refused:
        parts.append("Reading takes the table with these options.")
    parts.append(_columns(found))
    return "\n\n".join(parts)


def _bytes(size: int) -> str:
    for unit, of_unit in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= of_unit:
            return f"{size / of_unit:.1f} {unit}"
    return f"{size} bytes"


def _findings(findings: Sequence[Finding]) -> str:
    table = new_table(["finding", "what mends it"])
    if get_terminal_size().columns < _WIDTH_OF_ONE_LINE and sys.stdout.isatty():
        table.leading = 1  # a blank line between findings of several lines
    for finding in _first_of_each_kind(findings):
        table.add_row(*texts([escaped(finding.message), escaped(_advice(finding))]))
    times = Counter(finding.kind for finding in findings)
    more = {kind: count - _MOST_OF_A_KIND for kind, count in times.items() if count > _MOST_OF_A_KIND}
    rest = listing([f"{count:,} of kind {kind}" for kind, count in more.items()], each=str)
    return render_table(table) + (f"\n... and {rest} more; --json gives all" if more else "")


def _first_of_each_kind(findings: Iterable[Finding]) -> Iterable[Finding]:
    seen: Counter[str] = Counter()
    for finding in findings:
        seen[finding.kind] += 1
        if seen[finding.kind] <= _MOST_OF_A_KIND:
            yield finding


def _advice(finding: Finding) -> str:
    return as_typed(ClimbfastWarning(*finding.remedy))


def _columns(found: Inspection) -> str:
    columns = found.columns
    shown = columns if len(columns) <= _MOST_COLUMNS else _to_look_at(found)
    table = new_table(["column", "kind", ">values", ">missing", "most frequent", "becomes"])
    for column in shown:
        most = excerpt(column.most_frequent, limit=20) if column.frequency else ""
        table.add_row(
            *texts([
                name_text(column.name), column.kind, f"{column.levels:,}", f"{column.missing:,}", most, _becomes(column)
            ])
        )  # fmt: skip
    left = len(columns) - len(shown)
    more = f"\n... and {left:,} more columns: {_summary(columns, shown)}; --json gives all"
    return render_table(table) + (more if left else "")


def _to_look_at(found: Inspection) -> list[ColumnReport]:
    """Return the columns with the gravest findings, and of those that are alike the first few."""
    gravest: dict[Hashable, int] = {}
    for finding in found.findings:
        for name in finding.columns:
            gravest.setdefault(name, WEIGHTS.index(finding.weight))
    seen: Counter[tuple[object, ...]] = Counter()
    chosen: list[ColumnReport] = []
    for column in sorted(found.columns, key=lambda column: gravest.get(column.name, len(WEIGHTS))):
        alike = column.kind, column.outcome, column.findings
        seen[alike] += 1
        if seen[alike] <= _MOST_OF_A_KIND and len(chosen) < _MOST_COLUMNS:
            chosen.append(column)
    return chosen


def _becomes(column: ColumnReport) -> str:
    """Return what reading makes of a column, in short."""
    count = len(column.becomes)
    if column.outcome == "levels":
        return f"{count:,} {'level' if count == 1 else 'levels'}"
    if column.outcome == "cut":
        return f"{count:,} intervals: {escaped(column.why).partition('; ')[0]}"
    return f"refused: {escaped(column.why).partition('; ')[0]}" if column.outcome == "refused" else column.outcome


def _summary(columns: Sequence[ColumnReport], shown: Sequence[ColumnReport]) -> str:
    names = {column.name for column in shown}
    counts = Counter(f"{column.kind} ({column.outcome})" for column in columns if column.name not in names)
    return listing([f"{count:,} {what}" for what, count in counts.most_common()], each=str)
