"""The result of an inspection: every column, and every finding with the option that mends it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from climbfast._version import __version__
from climbfast.errors import Option, UnknownColumnError
from climbfast.names import excerpt, listing

__all__ = ["KINDS", "WEIGHTS", "ColumnReport", "Finding", "Inspection", "leaving_out", "listed", "shown"]

WEIGHTS = ("refused", "check", "note")

# The kinds of findings, in the order in which those of equal weight are listed.
KINDS = (
    "duplicate-names",
    "fractions",
    "odd-numbers",
    "infinite",
    "mixed-kinds",
    "unusable",
    "missing",
    "refused",
    "hidden-numbers",
    "dates",
    "marker",
    "alike-levels",
    "empty",
    "missing-together",
    "missing-depends",
    "many-numbers",
    "many-levels",
    "id",
    "copies",
    "one-to-one",
    "near-copies",
    "function",
    "function-of-two",
    "constant",
    "near-constant",
    "repeated-rows",
    "empty-last",
    "not-searched",
)


_MENDED = {"fractions", "odd-numbers", "infinite", "mixed-kinds", "unusable", "missing"}  # by options


@dataclass(frozen=True)
class Finding:
    """One thing about a table that one should know.

    Attributes
    ----------
    kind : str
        One of ``climbfast.inspection.report.KINDS``.
    weight : {"refused", "check", "note"}
        "refused": the table is not read with these options. "check": results may not mean what one thinks. "note": it
        can stay as it is.
    columns : tuple
        The columns that it is about.
    message : str
        A sentence without its full stop.
    remedy : tuple of str and Option
        What mends it, in parts; ``advice`` is the same as text.
    details : mapping of str to value
        Figures and values, by kind.

    Examples
    --------
    >>> import climbfast as cf
    >>> finding = cf.inspect({"dose": [0.5, 1.0, 1.5, 2.0] * 5, "ill": ["yes", "no"] * 10}).findings[0]
    >>> finding.kind, finding.columns
    ('fractions', ('dose',))
    >>> print(finding.advice)
    cut them into intervals with numbers='auto', or make each number a level with numbers='levels'
    """

    kind: str
    weight: str
    columns: tuple[Hashable, ...]
    message: str
    remedy: tuple[str | Option, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "details", MappingProxyType(dict(self.details)))

    @property
    def advice(self) -> str:
        """What mends it, with options as Python spells them."""
        return "".join(map(str, self.remedy))

    @property
    def options(self) -> tuple[Option, ...]:
        """The options that mend it, each for itself."""
        return tuple(part for part in self.remedy if isinstance(part, Option))

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.inspections import finding_html

        return finding_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as they are written to JSON."""
        options = [
            {"name": option.name, "value": None if option.value is Ellipsis else option.value}
            for option in self.options
        ]
        return {
            "kind": self.kind,
            "weight": self.weight,
            "columns": list(self.columns),
            "message": self.message,
            "advice": self.advice,
            "options": options,
            "details": dict(self.details),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be pickled.
        return Finding, (self.kind, self.weight, self.columns, self.message, self.remedy, dict(self.details))


@dataclass(frozen=True)
class ColumnReport:
    """One column, and what reading will do with it.

    Attributes
    ----------
    name : Hashable
    kind : str
        "whole" or "fractional" numbers, "text", "bool", "date", "datetime", "time", "timedelta", "bytes", "categories",
        "mixed", "empty", or "other" for cells that cannot be levels.
    levels : int
        Number of distinct values, without missing ones.
    missing : int
        Number of missing cells.
    most_frequent : value or None
        The most frequent value, the first of several.
    frequency : int
        Number of its rows.
    outcome : {"levels", "cut", "constant", "id", "weights", "left out", "refused"}
        What reading will do with it.
    becomes : tuple
        The levels that it will have, intervals if it is cut; empty if it is refused, an id, weights or left out.
    why : str
        Why, in a few words.
    findings : tuple of str
        The kinds of the findings that name it.

    Examples
    --------
    >>> import climbfast as cf
    >>> column = cf.inspect({"dose": [0.5, 1.0, 1.5, 2.0] * 5, "ill": ["yes", "no"] * 10}).columns[0]
    >>> column.name, column.kind, column.levels, column.outcome
    ('dose', 'fractional', 4, 'refused')
    >>> column.why
    'fractional numbers (such as 0.5)'
    """

    name: Hashable
    kind: str
    levels: int
    missing: int
    most_frequent: Any
    frequency: int
    outcome: str
    becomes: tuple[Hashable, ...]
    why: str
    findings: tuple[str, ...] = ()

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.inspections import column_report_html

        return column_report_html(self)

    def to_dict(self, most_levels: int | None = 20) -> dict[str, Any]:
        """Return plain values, as they are written to JSON; of the levels the first ``most_levels``."""
        plain = {part.name: getattr(self, part.name) for part in fields(self)}
        return plain | {"becomes": list(self.becomes[:most_levels]), "findings": list(self.findings)}


@dataclass(frozen=True, repr=False)
class Inspection:
    """What is in a table, and what reading will do with it.

    Attributes
    ----------
    rows : int
        Number of rows, each as often as it occurs.
    columns : tuple of ColumnReport
        In the order of the source.
    findings : tuple of Finding
        What is refused first, then what should be checked, then notes.
    memory : int
        Bytes of the table as it is inspected: one code per cell.
    distinct_rows : int
        Number of different rows.
    complete_rows : int
        Number of rows without missing cells.
    options : mapping of str to value
        The options of reading that were given.
    source : str
        The path of the file, or the type of the table.
    seconds : float
    version : str

    Examples
    --------
    >>> import climbfast as cf
    >>> found = cf.inspect({"smoker": ["yes", "no", "Yes"] * 10, "age": [31.5, 40.0, None] * 10})
    >>> found
    <Inspection: 30 rows, 2 columns; 2 findings refused, 2 to check, 1 noted>
    >>> [(finding.kind, finding.columns) for finding in found.findings if finding.weight == "refused"]
    [('fractions', ('age',)), ('missing', ('age',))]
    >>> found.column("age").outcome
    'refused'
    """

    rows: int
    columns: tuple[ColumnReport, ...]
    findings: tuple[Finding, ...]
    memory: int
    distinct_rows: int
    complete_rows: int
    options: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    seconds: float = field(default=0.0, compare=False)
    version: str = __version__

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))

    @property
    def is_refused(self) -> bool:
        """Whether reading with these options is an error."""
        return any(finding.weight == "refused" for finding in self.findings)

    @property
    def mended_by(self) -> tuple[Option, ...]:
        """Options with which reading refuses nothing, in the place of those given; none if no option would do.

        Numbers are cut, missing and infinite cells are left out test by test, and columns that cannot be levels are
        left out.
        """
        refused = [finding for finding in self.findings if finding.weight == "refused"]
        of_kind: dict[str, list[Hashable]] = {finding.kind: list(finding.columns) for finding in refused}
        if not of_kind.keys() <= _MENDED:
            return ()
        options: dict[str, Any] = {}
        if "fractions" in of_kind or "odd-numbers" in of_kind:
            given = _by_column(self.options.get("numbers", "refuse"))
            cut = {None: "auto"} if "fractions" in of_kind else {}
            numbers = given | cut | dict.fromkeys(of_kind.get("odd-numbers", ()), "levels")
            options["numbers"] = "auto" if numbers == {None: "auto"} else numbers
        if "infinite" in of_kind:
            given = _by_column(self.options.get("missing_markers"))
            options["missing_markers"] = given | {name: ["inf", "-inf"] for name in of_kind["infinite"]}
        if "missing" in of_kind:
            options["missing"] = "test-wise"
        lost = [*of_kind.get("mixed-kinds", ()), *of_kind.get("unusable", ())]
        if lost:
            options["leave_out"] = [*(self.options.get("leave_out") or ()), *lost]
        return tuple(Option(name, value) for name, value in options.items())

    def column(self, name: Hashable) -> ColumnReport:
        """Return the report of one column.

        Raises
        ------
        UnknownColumnError
            If there is no such column.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise UnknownColumnError(name, [column.name for column in self.columns])

    def of_kind(self, kind: str) -> tuple[Finding, ...]:
        """Return the findings of one kind."""
        return tuple(finding for finding in self.findings if finding.kind == kind)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as they are written to JSON; of the levels of a column the first 20."""
        return {
            "source": self.source,
            "rows": self.rows,
            "columns": [column.to_dict() for column in self.columns],
            "findings": [finding.to_dict() for finding in self.findings],
            "refused": self.is_refused,
            "mended_by": [option._asdict() for option in self.mended_by],
            "memory": self.memory,
            "distinct_rows": self.distinct_rows,
            "complete_rows": self.complete_rows,
            "options": dict(self.options),
            "seconds": self.seconds,
            "version": self.version,
        }

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON; what JSON does not have is text there."""
        return json.dumps(_plain(self.to_dict()), default=str)

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.inspections import inspection_html

        return inspection_html(self)

    def __repr__(self) -> str:
        counts = Counter(finding.weight for finding in self.findings)
        return (
            f"<Inspection: {self.rows:,} rows, {len(self.columns):,} columns; {counts['refused']} findings refused, "
            f"{counts['check']} to check, {counts['note']} noted>"
        )

    def __str__(self) -> str:
        lines = [f"{self.rows:,} rows, {len(self.columns):,} columns"]
        for finding in self.findings:
            advice = f"; {finding.advice}" if finding.remedy else ""
            lines.append(f"{finding.weight}: {finding.message}{advice}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return Inspection, (
            self.rows, self.columns, self.findings, self.memory, self.distinct_rows, self.complete_rows,
            dict(self.options), self.source, self.seconds, self.version,
        )  # fmt: skip


def _by_column(option: Any) -> dict[Hashable, Any]:
    """Return an option by column, as a mapping whose key None is for all others."""
    if isinstance(option, Mapping):
        return dict(option)
    return {} if option in (None, "refuse") else {None: option}


def _plain(value: Any) -> Any:
    """Return a value with text keys alone, without infinite numbers, which JSON does not have."""
    if isinstance(value, Mapping):
        return {str(key): _plain(of_key) for key, of_key in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(element) for element in value]
    return str(value) if isinstance(value, float) and value - value != 0 else value


def listed(names: tuple[Hashable, ...], *, limit: int = 5) -> str:
    """Return "column 'a'", "columns 'a', 'b'", or "7 columns ('a', 'b' and 5 more)"."""
    if len(names) <= limit:
        return f"{'column' if len(names) == 1 else 'columns'} {listing(names)}"
    return f"{len(names):,} columns ({listing(names, limit=limit)})"


def shown(value: object) -> str:
    """Return a level as it is shown in a message."""
    return excerpt(value, limit=30)


def leaving_out(names: Sequence[Hashable], *, most: int = 3) -> Option:
    """Return the option that leaves out these columns; of many the option alone."""
    return Option("leave_out", list(names) if len(names) <= most else ...)
