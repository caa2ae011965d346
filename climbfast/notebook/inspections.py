"""Inspections of tables, their findings and their columns, in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from climbfast.inspection import ColumnReport, Finding, Inspection
from climbfast.names import escaped, excerpt, listing, name_text
from climbfast.notebook.elements import heading, shown, table
from climbfast.report.labels import counted, level_text

__all__ = ["column_report_html", "finding_html", "inspection_html"]

_MOST_LEVELS = 6
_WEIGHTS = {"refused": "refused", "check": "to check", "note": "noted"}


@shown
def inspection_html(found: Inspection) -> Iterator[str]:
    """Show the gravest findings, and the first columns."""
    yield heading("Inspection", f"{counted(found.rows, 'row')}, {counted(len(found.columns), 'column')}")
    if found.findings:
        yield _findings(found.findings)
    yield _columns(found.columns)


@shown
def finding_html(finding: Finding) -> Iterator[str]:
    """Show one finding."""
    yield _findings([finding])


@shown
def column_report_html(column: ColumnReport) -> Iterator[str]:
    """Show one column."""
    yield _columns([column])


def _findings(findings: Sequence[Finding]) -> str:
    rows = [
        (_WEIGHTS.get(each.weight, each.weight), escaped(each.message), escaped(each.advice) if each.remedy else "")
        for each in findings
    ]
    return table(("", "finding", "what mends it"), rows)


def _columns(columns: Sequence[ColumnReport]) -> str:
    rows = [
        (
            name_text(each.name),
            each.kind,
            f"{each.levels:,}",
            f"{each.missing:,}",
            excerpt(each.most_frequent, limit=30) if each.frequency else "",
            _becomes(each),
        )
        for each in columns
    ]
    return table(("column", "kind", ">values", ">missing cells", "most frequent", "becomes"), rows)


def _becomes(column: ColumnReport) -> str:
    """Return what reading makes of a column, and the first levels."""
    if not column.becomes:
        return f"{column.outcome}: {escaped(column.why)}" if column.why else column.outcome
    what = "interval" if column.outcome == "cut" else "level"
    levels = listing(column.becomes, limit=_MOST_LEVELS, each=level_text)
    return f"{counted(len(column.becomes), what)}: {levels}"
