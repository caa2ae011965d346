"""Blankets as a CSV file: the table of edges, for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any

from climbfast.blankets.blanket_json import FREQUENCIES, MAPPINGS, MEMBER_FIELDS, SIMPLE, blanket_of
from climbfast.blankets.edge_table import ROLES, Edge, edges_of, name_encoding_in
from climbfast.blankets.name_encoding import NAME_ENCODINGS, NameEncoding, json_default
from climbfast.errors import DataError
from climbfast.local.blanket import Blanket
from climbfast.names import canonical_key, excerpt, name_text, quote_formula, unquote_formula

__all__ = ["read_csv", "write_csv"]

COLUMNS = (*Edge._fields, "run")
# Not in the files of earlier versions.
NEWER = ("evidence", "seen_by", "known", "contradicted", "contradicted_by", "frequency", "frequency_role")
SHOWN = {"evidence": "seen_by", "contradicted": "contradicted_by"}
UNEXPLAINED = "unexplained"


def write_csv(
    found: Sequence[Blanket], how: Mapping[str, Any], out: IO[bytes], *, quote_formulas: bool = False
) -> None:
    """Write one row per edge and per column left unexplained, and for a target without any one without member and role.

    The last column is empty except in the first row. There it has, as JSON, ``how``, the fields that all blankets have
    in common, such as the method, the encoding of names (text, integer or json, or quoted if formulas are quoted), and
    the groups of copies. Common children and the columns of evidence are JSON arrays; ``known`` has this word for a
    neighbor whose side was known, and is else empty. Of frequencies only members have theirs, in any role and in
    the role that they have.
    """
    encoding = name_encoding_in(found)
    is_quoted = quote_formulas and encoding.kind == "text"  # JSON is no formula, and numbers cannot do harm
    write = _write_quoted if is_quoted else encoding.write
    kind = "quoted" if is_quoted else encoding.kind
    run: dict[str, Any] = {"how": dict(how), "blankets": _common_fields(found), "names": kind}
    if copies := {name: others for blanket in found for name, others in blanket.copies.items()}:
        run["copies"] = [[write(x) for x in (name, *others)] for name, others in copies.items()]
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for number, edge in enumerate(chain.from_iterable(map(_edges_or_none, found))):
        rows.writerow([*_cells(edge, write), "" if number else json.dumps(run)])
    text.detach()  # flushed, and the file stays open


def _edges_or_none(blanket: Blanket) -> Iterator[Edge]:
    if not (blanket.members or blanket.unexplained):
        yield Edge(blanket.target, "", "", None, None, None)
    yield from edges_of(blanket)
    for name, bits in blanket.unexplained.items():
        yield Edge(blanket.target, name, UNEXPLAINED, None, float(bits), None)


def _write_quoted(name: Hashable) -> str:
    return quote_formula(str(name))


def _cells(edge: Edge, write: Callable[[Hashable], str | int]) -> Iterator[str | int | float | None]:
    yield write(edge.target)
    yield write(edge.member) if edge.role else None
    yield from edge[2:5]
    yield None if edge.common_children is None else json.dumps(edge.common_children, default=json_default)
    yield edge.evidence
    yield None if edge.seen_by is None else json.dumps(edge.seen_by, default=json_default)
    yield "known" if edge.known else None
    yield edge.contradicted
    yield None if edge.contradicted_by is None else json.dumps(edge.contradicted_by, default=json_default)
    yield edge.frequency
    yield edge.frequency_role


def _common_fields(found: Sequence[Blanket]) -> dict[str, Any]:
    first = found[0]
    return {
        key: getattr(first, key)
        for key in SIMPLE
        if key != "seconds" and all(getattr(blanket, key) == getattr(first, key) for blanket in found)
    }


def read_csv(file: Path) -> tuple[list[Blanket], dict[str, Any]]:
    """Read a file of ``write_csv``; without the column ``run``, names are text.

    Raises
    ------
    DataError
        For a row that is not an edge; the message gives its line, or the last of its lines.
    """
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.reader(lines, strict=True)
        try:
            return _read(rows)
        except UnicodeDecodeError as error:  # the file is decoded in blocks, so the line is unknown
            raise DataError(f"not in UTF-8: {error}") from None
        except (DataError, csv.Error) as error:
            raise DataError(f"line {rows.line_num}: {name_text(error)}") from None


def _read(rows: Iterator[list[str]]) -> tuple[list[Blanket], dict[str, Any]]:
    header = next(rows, None)
    if header is None:
        return [], {}
    missing = [column for column in Edge._fields if column not in (*header, *NEWER)]
    if missing:
        raise DataError(f"no column {missing[0]!r}; the columns of edges are {', '.join(COLUMNS)}")
    builder: _BlanketBuilder | None = None
    for row in filter(None, rows):
        if len(row) != len(header):
            raise DataError(f"{len(row)} cells, but {len(header)} columns")
        cells = dict(zip(header, row, strict=True))
        builder = builder or _BlanketBuilder(cells.get("run") or "{}")
        builder.add(cells)
    return ([], {}) if builder is None else (builder.blankets(), builder.how)


class _BlanketBuilder:
    """Collects the blankets of a run row by row.

    Parameters
    ----------
    cell : str
        The cell of the column ``run`` in the first row.
    """

    def __init__(self, cell: str) -> None:
        try:
            run = json.loads(cell)
            names, common_fields, self.how = run.get("names", "text"), run.get("blankets", {}), run.get("how", {})
            if names not in (*NAME_ENCODINGS, "quoted") or not isinstance(self.how, dict):
                raise ValueError
            self._read: Callable[[str], Hashable] = unquote_formula if names == "quoted" else NameEncoding(names).read
            groups = [list(map(self._read, group)) for group in run.get("copies", [])]
            self._copies = {name: tuple(others) for name, *others in groups}
            self._common_fields = {key: value for key, value in common_fields.items() if key in SIMPLE}
        except (ValueError, TypeError, AttributeError, RecursionError, DataError):
            raise DataError(f"run is {excerpt(cell)}; it has to be an object with how, blankets and names") from None
        self._fields: dict[Hashable, dict[str, Any]] = {}
        blanket_of(self._new(""))  # raises DataError now, in the line of the cell, and not at the end

    def _new(self, target: Hashable) -> dict[str, Any]:
        members: dict[str, Any] = {field: [] for field in MEMBER_FIELDS}
        return {
            "target": target,
            **members,
            "known": [],
            "by_name": {key: [] for key in MAPPINGS},
            **self._common_fields,
        }

    def add(self, cells: Mapping[str, str]) -> None:
        """Add one row."""
        target = self._read(cells["target"])
        if target not in self._fields:
            self._fields[target] = self._new(target)
        fields = self._fields[target]
        role = cells["role"]
        if not role and not cells["member"]:
            return
        if role not in (*ROLES, UNEXPLAINED):
            raise DataError(f"role is {role!r}; it is one of {', '.join((*ROLES, UNEXPLAINED))}")
        member = self._read(cells["member"])
        if role == UNEXPLAINED:
            fields["by_name"][UNEXPLAINED].append((member, _parse_cell("strength", cells["strength"], float)))
            return
        if member in fields[ROLES[role]]:
            raise DataError(f"{member!r} is a {role} of {target!r} in an earlier line already")
        fields[ROLES[role]].append(member)
        strengths = "spouse_strengths" if role == "spouse" else "strengths"
        for column, key, kind in (("margin", "margins", float), ("strength", strengths, float), _CHILDREN):
            if cells[column]:
                fields["by_name"][key].append((member, _parse_cell(column, cells[column], kind)))
        for column, shown_by in SHOWN.items():
            if cells.get(column):
                bits, columns = _parse_cell(column, cells[column], float), cells.get(shown_by) or "[]"
                seen = {"columns": _parse_cell(shown_by, columns, json.loads), "bits": bits}
                fields["by_name"][column].append((member, seen))
        shares = {
            name: _parse_cell(column, cells[column], float)
            for name, column in (("found", "frequency"), (role, "frequency_role"))
            if cells.get(column)
        }
        if shares:
            fields["by_name"][FREQUENCIES].append((member, shares))
        if cells.get("known"):
            if cells["known"] != "known":
                raise DataError(f"known is {excerpt(cells['known'])}; it has to be 'known' or empty")
            fields["known"].append(member)

    def blankets(self) -> list[Blanket]:
        """Return the blankets of all rows."""
        for fields in self._fields.values():
            named = [fields["target"], *(name for field in MEMBER_FIELDS for name in fields[field])]
            fields["known"].sort(key=canonical_key)
            fields["by_name"]["copies"] = [(name, self._copies[name]) for name in named if name in self._copies]
            for key, pairs in fields["by_name"].items():
                if key != UNEXPLAINED:
                    pairs.sort(key=lambda pair: canonical_key(pair[0]))  # the order of searches, not that of roles
        return list(map(blanket_of, self._fields.values()))


_CHILDREN = ("common_children", "common_children", json.loads)


def _parse_cell(column: str, cell: str, kind: Callable[[str], Any]) -> Any:
    try:
        return kind(cell)
    except (ValueError, RecursionError):
        right = "a number" if kind is float else "a JSON array of names"
        raise DataError(f"{column} is {excerpt(cell)}; it has to be {right}") from None
