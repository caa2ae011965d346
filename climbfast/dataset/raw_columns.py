"""The columns of a table as they are, before anything is refused: what ``inspect`` looks at.

Each column is encoded by the functions that ``read`` uses, with the same options. Where these refuse a column, their
refusal is kept, and the column is encoded with options that refuse less. Columns of fractional numbers are first
encoded as if they were to be cut, since then their numbers stay in an array.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import frames
from climbfast.dataset.assemble import assemble
from climbfast.dataset.column_encoding import Column, codes_of, encode_objects, smallest_unsigned
from climbfast.dataset.discretization.cells import places_among_values
from climbfast.dataset.discretization.cuts import has_fraction, make_cuts
from climbfast.dataset.discretization.number_texts import ParsedTexts, parse_texts
from climbfast.dataset.discretization.rules import Auto, Refuse, Rules
from climbfast.dataset.discretization.rules import Levels as EachNumber
from climbfast.dataset.files import File, placed, read_tables, with_files
from climbfast.dataset.joining import check_same_columns, join_texts
from climbfast.dataset.levels import MISSING, Levels, arrange, arrange_texts, is_missing, kind_of
from climbfast.dataset.options import Options, is_hashable, is_legal_name
from climbfast.dataset.sources import TEXT_FORMATS
from climbfast.dataset.table import encode_table
from climbfast.dataset.texts import (
    ParseTexts,
    already_parsed,
    categorical,
    encode_text_column,
    encode_texts,
    parse_in_turn,
)
from climbfast.errors import DataError

if TYPE_CHECKING:
    import polars as pl

    from climbfast.dataset.dataset import Dataset
    from climbfast.dataset.delimited import TextTable

__all__ = ["MOST_TEXTS", "RawColumn", "RawTable", "assemble_raw", "kind_of_levels", "raw_file", "raw_frame"]

Arrange = Callable[[Hashable, Sequence[Any], Options], tuple[Levels, list[int]]]
MOST_TEXTS = 20_000  # of one column; of more, as many evenly spaced ones are looked at
_INFINITIES = frozenset({float("inf"), float("-inf"), "inf", "+inf", "-inf", "Infinity", "-Infinity"})


class RawColumn(NamedTuple):
    """One column with its refusal.

    Attributes
    ----------
    name : Hashable
        Its name; with its place behind it where another column has the same name, or where no result could carry it.
    given : Hashable
        Its name in the source.
    kind : str
        "whole", "fractional", "text", "bool", "date", "datetime", "time", "timedelta", "bytes", "categories", "mixed",
        "empty", or "other" for cells that cannot be levels.
    encoded : Column
        As ``read`` encodes it; where that is refused, with its numbers, without its infinite values, or with its cells
        as text.
    refusal : DataError or None
    reason : str
        Why it was refused: "numbers" (they would have to be cut), "infinite", "kinds", or "" if it was not.
    texts : tuple of str
        Distinct texts of its cells in a text file, or of a column of text; of many, as many evenly spaced ones.
    """

    name: Hashable
    given: Hashable
    kind: str
    encoded: Column
    refusal: DataError | None = None
    reason: str = ""
    texts: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of levels."""
        numeric = self.encoded.numeric
        return len(self.encoded.levels) if numeric is None else int(numeric.values.size)

    def level(self, code: int) -> Any:
        """Return the value that a code stands for."""
        numeric = self.encoded.numeric
        if numeric is None:
            return self.encoded.levels[code]
        if numeric.kind == "number":
            value = numeric.values[code].item()
            return int(value) if value == int(value) else value
        return make_cuts(numeric, numeric.values[[code]].astype(np.float64))[0]

    def codes(self) -> NDArray[Any]:
        """Return the cells as positions among the levels; a missing cell is the number of levels."""
        encoded = self.encoded
        if encoded.numeric is not None:
            return places_among_values(encoded, encoded.numeric).astype(smallest_unsigned(self.size + 1), copy=False)
        places = np.where(encoded.places == MISSING, len(encoded.levels), encoded.places)
        return encoded.physical if np.array_equal(places, encoded.keys) else codes_of(encoded)


class RawTable(NamedTuple):
    """The columns to read, and the names of those that the options leave out."""

    columns: list[RawColumn]
    rows: int
    left_out: tuple[Hashable, ...] = ()
    empty_last: str | None = None


def assemble_raw(columns: Sequence[RawColumn], rows: int, options: Options) -> Dataset:
    """Return the Dataset that ``read`` makes of encoded columns."""
    return assemble([column.name for column in columns], [column.encoded for column in columns], rows, options)


# ---- files


def raw_file(path: Any, **options: Any) -> tuple[RawTable, Options]:
    """Return the columns of a file, or of several with equal columns, and the options; see ``files.read``."""
    return with_files(path, _raw_files, **options)


def _raw_files(files: list[File], options: Options) -> tuple[RawTable, Options]:
    if files[0].format in TEXT_FORMATS:
        return _raw_texts([_text(file) for file in files], files, options), options
    table = read_tables(files)
    raw = encode_table(table._replace(refused={}), files[0].format, options, raw_frame)
    columns = [
        column._replace(refusal=DataError(f"column {column.name!r} {table.refused[column.given]}"), reason="kinds")
        if isinstance(column.given, str) and column.given in table.refused
        else column
        for column in raw.columns
    ]
    return raw._replace(columns=columns), options


def _text(file: File) -> TextTable:
    """Return a text file, also one that has a name twice."""
    with placed(file.path):
        return file.text(_take_any_names)


def _take_any_names(_: Sequence[Hashable]) -> None:
    pass


def _raw_texts(tables: Sequence[TextTable], files: Sequence[File], options: Options) -> RawTable:
    """Return the columns of text files, in the order of the first one."""
    given = tables[0].names
    for table, file in zip(tables, files, strict=True):
        if len(tables) > 1:
            check_same_columns(files[0].path, given, file.path, table.names)
    labels, wanted, left_out = _select(given, options)
    as_if_cut = _as_if_cut(options)
    to_parse = {x: labels[x] for x in wanted if len(tables) == 1 and as_if_cut.cuts(labels[x])}
    parsed = parse_in_turn(tables[0].columns, to_parse, as_if_cut)
    columns = []
    for x in wanted:
        parse: ParseTexts = parse_texts
        if x in to_parse:
            (texts, found), numbers = next(parsed), tables[0].columns.numbers(x)
            parse = already_parsed(found)
        elif len(tables) == 1:
            texts, numbers = tables[0].columns.series([x]), tables[0].columns.numbers(x)
        else:
            places = [(table.columns, table.names.index(given[x])) for table in tables]
            texts, numbers = join_texts([(part.texts(place), part.numbers(place)) for part, place in places])
        columns.append(_raw_text(labels[x], texts, numbers, options, parse)._replace(given=given[x]))
    empty_last = next((table.empty_last for table in tables if table.empty_last), None)
    return RawTable(columns, sum(table.columns.rows for table in tables), left_out, empty_last)


def _raw_text(
    name: Hashable, texts: pl.Series, numbers: NDArray[Any], options: Options, parse: ParseTexts
) -> RawColumn:
    seen = _Arranger(arrange_texts, parse, options)
    encoded = encode_text_column(name, texts, numbers, _as_if_cut(options), seen, seen.parse)
    column = seen.column(name, encoded)
    if encoded.numeric is None or not _refuses_fractions(name, options):
        return column
    refused = seen.refuses(column) if column.kind == "fractional" else None
    return refused or seen.column(name, encode_text_column(name, texts, numbers, options, seen))


# ---- names


def _select(given: Sequence[Hashable], options: Options) -> tuple[list[Hashable], list[int], tuple[Hashable, ...]]:
    """Return a name of its own for every column, the positions of those to read, and the names of the others."""
    if not given:
        raise DataError("the table has no columns")
    labels = _labels(given)
    wanted = options.select(labels)
    left = set(range(len(labels))) - set(wanted)
    return labels, wanted, tuple(labels[i] for i in sorted(left))


def _labels(given: Sequence[Hashable]) -> list[Hashable]:
    plain = [name if is_hashable(name) and is_legal_name(name) else repr(name) for name in given]
    taken, seen = Counter(plain), set[Hashable]()
    labels = []
    for place, name in enumerate(plain, start=1):
        label = name
        while label in seen or (label is not name and label in taken):
            label = f"{name} (column {place})" if label is name else f"{label}'"
        seen.add(label)
        labels.append(label)
    return labels


# ---- options that refuse less


def _as_if_cut(options: Options) -> Options:
    """Return the options with the rule "auto" in the place of "refuse"."""
    rules = options.numbers
    named = {name: rule for name, rule in rules.named.items() if not isinstance(rule, Refuse)}
    default = Auto() if isinstance(rules.default, Refuse) else rules.default
    return replace(options, numbers=Rules(default, named))


def _refuses_fractions(name: Hashable, options: Options) -> bool:
    rule = options.numbers.rule_for(name)
    return isinstance(rule, Refuse) and options.declared_for(name) is None and name != options.weights


def _milder(name: Hashable, options: Options) -> Iterator[tuple[str, Options]]:
    """Yield the options with every number a level, then with infinite values as missing, each with its reason."""
    numbers = replace(options, numbers=Rules(EachNumber()))
    yield "numbers", numbers
    yield "infinite", replace(numbers, markers=options.markers_for(name) | _INFINITIES, markers_by_column={})


# ---- columns of text


class _Arranger:
    """Arranges the values of columns as another function does; what that one refuses, in any order.

    Parameters
    ----------
    strictly : callable
    options : Options
        Those of the user.
    """

    def __init__(self, strictly: Arrange, parse: ParseTexts | None, options: Options) -> None:
        self._strictly, self._parse, self._options = strictly, parse, options
        self.refusals: dict[Hashable, tuple[DataError, str]] = {}
        self.texts: dict[Hashable, tuple[str, ...]] = {}

    def parse(self, name: Hashable, texts: pl.Series, markers: frozenset[Hashable]) -> ParsedTexts | None:
        """Find the numbers in texts as ``read`` does where they are to be cut."""
        assert self._parse is not None
        self.texts[name] = _some(texts)
        try:
            return self._parse(name, texts, markers)
        except DataError as error:
            if not _refuses_fractions(name, self._options):
                self.refusals[name] = error, "numbers"
            return None

    def __call__(self, name: Hashable, values: Sequence[Any], _: Options) -> tuple[Levels, list[int]]:
        texts = [value for value in values if isinstance(value, str)]
        self.texts[name] = tuple(texts[:: 1 + len(texts) // MOST_TEXTS])
        try:
            return self._strictly(name, values, self._options)
        except DataError as error:
            refusal = error
        for reason, milder in _milder(name, self._options):
            self.refusals[name] = refusal, reason
            try:
                return self._strictly(name, values, milder)
            except DataError:
                continue
        self.refusals[name] = refusal, "kinds"
        return _arrange_anything(values, self._options.markers_for(name))

    def column(self, name: Hashable, encoded: Column) -> RawColumn:
        """Return what was arranged or parsed last under a name."""
        refusal, reason = self.refusals.get(name, (None, ""))
        return RawColumn(name, name, _kind(encoded), encoded, refusal, reason, self.texts.get(name, ()))

    def refuses(self, column: RawColumn) -> RawColumn | None:
        """Return a column of fractional numbers with its refusal; None if it is not refused."""
        values = column.encoded.numeric.values if column.encoded.numeric else np.empty(0)
        fraction = str(values[np.flatnonzero(np.mod(values, 1))[0]].item())
        try:
            self._strictly(
                column.name, [min((text for text in column.texts if "," in text), default=fraction)], self._options
            )
        except DataError as error:
            return column._replace(refusal=error, reason="numbers")
        return None


def _some(texts: pl.Series) -> tuple[str, ...]:
    spaced = texts.gather_every(1 + len(texts) // MOST_TEXTS)
    return tuple(text for text in spaced.to_list() if text is not None)


def _arrange_anything(values: Sequence[Any], markers: frozenset[Hashable]) -> tuple[Levels, list[int]]:
    """Arrange values of any kinds, by the name of their type and their text."""
    keys = [None if is_missing(value, markers) else (type(value).__name__, str(value)) for value in values]
    position = {key: place for place, key in enumerate(sorted({key for key in keys if key is not None}))}
    value_of = {key: value for key, value in zip(keys, values, strict=True) if key is not None}
    return tuple(value_of[key] for key in position), [MISSING if key is None else position[key] for key in keys]


def _kind(encoded: Column) -> str:
    numeric = encoded.numeric
    if numeric is None:
        return kind_of_levels(encoded.levels)
    if not numeric.values.size:
        return "empty"
    if numeric.kind == "number":
        return "fractional" if has_fraction(numeric) else "whole"
    return "datetime" if numeric.kind == "instant" else numeric.kind


def kind_of_levels(levels: Levels) -> str:
    """Return the kind of a column by its levels."""
    kinds = {kind_of(of_level) for of_level in set(map(type, levels))}
    if len(kinds) != 1:
        return "mixed" if kinds else "empty"
    kind = kinds.pop()
    if kind == "number":
        return "whole" if all(map(_is_whole, levels)) else "fractional"
    return kind or "other"


def _is_whole(level: Any) -> bool:
    return isinstance(level, int | np.integer) or level == int(level)


# ---- tables in memory


def raw_frame(frame: Any, options: Options) -> RawTable:
    """Return the columns of a table in memory."""
    given, cells = _columns_of(frame)
    labels, wanted, left_out = _select(given, options)
    chosen = {labels[i]: cells[i] for i in wanted}
    of_text = _encode_series({name: column for name, column in chosen.items() if _is_text(column)}, options)
    columns = [
        (of_text.get(name) or _encode(name, column, options))._replace(given=given[i])
        for i, (name, column) in zip(wanted, chosen.items(), strict=True)
    ]
    rows = columns[0].encoded.physical.size
    for raw in columns:
        if raw.encoded.physical.size != rows:
            raise DataError(f"column {raw.name!r} has {raw.encoded.physical.size} rows where others have {rows}")
    if rows == 0:
        raise DataError("the table has no rows")
    return RawTable(columns, rows, left_out)


def _columns_of(frame: Any) -> tuple[list[Hashable], list[Any]]:
    """Return the names and the columns of a table in memory, also of one that has a name twice."""
    if isinstance(frame, np.ndarray):
        names, columns = frames.columns_of_array(frame)
        return list(names), list(columns)
    if isinstance(frame, Mapping):
        return list(frame), list(frame.values())
    if hasattr(frame, "rename_columns") and hasattr(frame, "column_names"):  # an Arrow table
        given = list(frame.column_names)
        return given, frames.native_frame(frame.rename_columns([str(i) for i in range(len(given))])).get_columns()
    native = frame if hasattr(frame, "iloc") else frames.native_frame(frame)
    if hasattr(native, "iloc"):
        return list(native.columns), [native.iloc[:, i] for i in range(native.shape[1])]
    return native.columns, native.get_columns()


def _is_text(column: Any) -> bool:
    if not hasattr(column, "to_physical"):
        return False
    import polars as pl

    return column.dtype in (pl.String, pl.Categorical)


def _encode_series(chosen: Mapping[Hashable, pl.Series], options: Options) -> dict[Hashable, RawColumn]:
    """Encode text columns of polars, all at once."""
    import polars as pl

    if not chosen:
        return {}
    frame = pl.DataFrame([series.alias(str(i)) for i, series in enumerate(chosen.values())])
    frame = frame.select(pl.all().cast(pl.String).cast(categorical())).rechunk()
    seen = _Arranger(arrange, None, options)
    encoded = encode_texts(frame, list(chosen), options, seen)
    return {name: seen.column(name, column) for name, column in zip(chosen, encoded, strict=True)}


def _encode(name: Hashable, column: Any, options: Options) -> RawColumn:
    """Encode one column; what is refused, with milder options, and at last its cells as text."""
    if _refuses_fractions(name, options) and (found := _encode_as_if_cut(name, column, options)):
        return found
    try:
        return _raw(name, column, frames.encode_column(name, column, options))
    except DataError as error:
        refusal = error
    for reason, milder in _milder(name, options):
        try:
            encoded = frames.encode_column(name, column, milder)
        except DataError:
            continue
        return _raw(name, column, encoded)._replace(refusal=refusal, reason=reason)
    cells, markers = _cells(column), options.markers_for(name)
    texts = [None if is_hashable(cell) and is_missing(cell, markers) else str(cell) for cell in cells]
    kinds = {kind_of(of_cell) for text, of_cell in zip(texts, map(type, cells), strict=True) if text is not None}
    plain = replace(options, markers=frozenset({""}), markers_by_column={})
    encoded = encode_objects(name, texts, plain)
    return RawColumn(name, name, "other" if None in kinds else "mixed", encoded, refusal, "kinds")


def _encode_as_if_cut(name: Hashable, column: Any, options: Options) -> RawColumn | None:
    """Return a column that is no different if it is to be cut, or is refused for its fractions; None for others."""
    try:
        encoded = frames.encode_column(name, column, _as_if_cut(options))
    except DataError:
        return None
    if encoded.numeric is None:
        return _raw(name, column, encoded)
    if not has_fraction(encoded.numeric):
        return None
    values = encoded.numeric.values
    try:
        arrange(name, [values[np.flatnonzero(np.mod(values, 1))[0]].item()], options)
    except DataError as refusal:
        return _raw(name, column, encoded)._replace(refusal=refusal, reason="numbers")
    return None


def _raw(name: Hashable, column: Any, encoded: Column) -> RawColumn:
    has_categories = getattr(getattr(column, "dtype", None), "categories", None) is not None
    kind = "categories" if has_categories and encoded.levels else _kind(encoded)
    return RawColumn(name, name, kind, encoded)


def _cells(column: Any) -> list[Any]:
    if isinstance(column, str | bytes) or not isinstance(column, Iterable):
        raise DataError(f"the table has one {type(column).__name__} where a column should be a list or an array")
    return list(column.tolist() if hasattr(column, "tolist") else column)
