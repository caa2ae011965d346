"""Discrete data as integer codes, with the names and levels that they stand for."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import diagnostics
from climbfast.dataset.options import DeclaredLevels, ReadingOptions
from climbfast.errors import Option, OptionError, UnknownColumnError

if TYPE_CHECKING:
    from climbfast_kernels.bits import Bits
    from climbfast_kernels.log_tables import LogTables

__all__ = ["Dataset", "as_dataset"]


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Discrete data: every column as integer codes, and the levels that they stand for.

    Use `climbfast.read` or `Dataset.from_frame`, which check the data; the constructor does not.

    Attributes
    ----------
    names : tuple
        The column names in the order of the source: strings, integers or tuples.
    levels : mapping from name to tuple
        The distinct values of each column, ascending (ordered categories: in their own order). With
        ``missing="level"`` the last level can be None.
    codes : ndarray of uint8, uint16 or uint32, shape (columns, rows)
        ``codes[i]`` is the i-th column in canonical order; a code is a position in the levels of its column.
        Read-only.
    canonical : tuple
        The names in canonical order, by text, then by type. Searches see the columns in this order, so
        results do not depend on the order of the source.
    arity : ndarray of int64, shape (columns,)
        The number of levels, in canonical order; 1 for an id column. Read-only.
    id_digests : mapping from name to bytes
        For every id column, whose codes are all 0, a digest of its cells.

    Notes
    -----
    The fields are read-only, and so is everything derived from them. Two datasets have the same data if their
    fingerprints are equal.
    """

    names: tuple[Hashable, ...]
    levels: Mapping[Hashable, tuple[Hashable, ...]]
    codes: NDArray[Any]
    canonical: tuple[Hashable, ...]
    arity: NDArray[np.int64]
    id_digests: Mapping[Hashable, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", MappingProxyType(dict(self.levels)))
        object.__setattr__(self, "id_digests", MappingProxyType(dict(self.id_digests)))
        self.codes.setflags(write=False)
        self.arity.setflags(write=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be pickled, and unpickled arrays would be writable.
        return Dataset, (
            self.names, dict(self.levels), self.codes, self.canonical, self.arity, dict(self.id_digests),
        )  # fmt: skip

    def __repr__(self) -> str:
        largest = max(self.arity.tolist())
        return f"<Dataset: {self.rows:,} rows, {self.columns:,} columns, up to {largest:,} levels>"

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    @property
    def columns(self) -> int:
        """Number of columns."""
        return int(self.codes.shape[0])

    @cached_property
    def bits(self) -> Bits:
        """One bitmap of the rows per level of each column, made at the first use."""
        from climbfast_kernels.bits import pack

        return pack(self.codes, self.arity)

    @cached_property
    def log_tables(self) -> LogTables:
        """Tables of c·log2 c and log2 R(k, c) for the arities of these columns, made at the first use."""
        from climbfast_kernels.log_tables import tabulate

        return tabulate(self.rows, self.arity)

    @cached_property
    def fingerprint(self) -> str:
        """Hexadecimal hash of every cell, name, level and type; it is the same for any order of the columns."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(f"{self.codes.dtype.name} {self.codes.shape}".encode())
        for name in self.canonical:
            labels = [f"{type(value).__name__} {value!r}" for value in (name, *self.levels[name])]
            digest.update(f"{len(labels)} {labels!r}".encode("utf-8", "backslashreplace"))
            digest.update(self.id_digests.get(name, b""))
        digest.update(self.codes.data)
        return digest.hexdigest()

    @cached_property
    def constant(self) -> tuple[Hashable, ...]:
        """Columns with one value in all rows, in canonical order; ids are not among them."""
        found = (self.canonical[i] for i in diagnostics.constant(self._level_counts))
        return tuple(name for name in found if name not in self.id_digests)

    @property
    def ids(self) -> tuple[Hashable, ...]:
        """Columns with about as many levels as rows, in canonical order; independent of everything."""
        return tuple(self.id_digests)

    @cached_property
    def nearly_unique(self) -> tuple[Hashable, ...]:
        """Columns with more levels than rows / 5 (and more than 10), in canonical order."""
        return tuple(self.canonical[i] for i in diagnostics.nearly_unique(self.arity, self.rows))

    @cached_property
    def one_to_one(self) -> tuple[tuple[Hashable, ...], ...]:
        """Groups of columns that determine each other: duplicates and recodings, but not constants."""
        groups = diagnostics.one_to_one(self.codes, self._level_counts)
        return tuple(tuple(self.canonical[i] for i in group) for group in groups)

    @cached_property
    def _level_counts(self) -> list[NDArray[np.int64]]:
        return diagnostics.level_counts(self.codes, self.arity)

    @cached_property
    def positions(self) -> Mapping[Hashable, int]:
        """Canonical position of every column by name."""
        return {name: position for position, name in enumerate(self.canonical)}

    def index(self, name: Hashable) -> int:
        """Canonical position of a column.

        Raises
        ------
        UnknownColumnError
            If there is no column of this name; the message gives the nearest ones.
        """
        try:
            return self.positions[name]
        except (KeyError, TypeError):  # TypeError: not hashable, such as a list
            raise UnknownColumnError(name, self.names) from None

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        missing: str = "refuse",
        missing_markers: Collection[Hashable] | None = None,
        declared_levels: DeclaredLevels = None,
        treat_floats_as_levels: bool = False,
        keep_ids: bool = False,
        columns: Iterable[Hashable] | None = None,
        leave_out: Iterable[Hashable] | None = None,
    ) -> Dataset:
        """Encode a table that is in memory.

        Parameters
        ----------
        frame : pandas, polars, arrow or other frame, ndarray, dict of columns, or Dataset
            Any frame that narwhals supports, also a lazy one; a two-dimensional array (its columns are named
            0, 1, 2, ...); a structured array (its columns are the fields); a dict from names to columns. The
            index of a frame is ignored. A Dataset is returned unchanged.
        missing : {"refuse", "drop-rows", "level"}
            "refuse": missing cells are an error, which counts them by column. "drop-rows": rows with missing cells
            are omitted. "level": in columns with missing cells, missing is one more level, None.
        missing_markers : collection, optional
            Values that stand for a missing cell, in addition to null, NaN, NaT and "". In columns of numbers, a
            number and its text are the same marker.
        declared_levels : None, True, or mapping from names to lists of levels
            None: only the values that occur are levels. True: all categories of categorical columns are levels.
            A mapping: exactly these levels, in this order, for the columns that it names.
        treat_floats_as_levels : bool
            Accept columns of fractional numbers, where each number is a level, instead of refusing them.
        keep_ids : bool
            Whether to take columns with about as many levels as rows (more than 0.9 times as many, and more than 10) as
            they are. By default such a column, an identifier, is kept but independent of everything, as a constant one
            is, and named in a warning.
        columns, leave_out : iterable of names, optional
            Columns to read (default: all), and columns to omit.

        Returns
        -------
        Dataset

        Raises
        ------
        DataError
            If the table cannot be read as discrete data.
        OptionError
            If an option is outside its legal values.
        UnknownColumnError
            If an option names a column that does not exist.

        Warns
        -----
        ClimbfastWarning
            For constant columns, columns with more levels than rows / 5 (and more than 10), and columns that
            determine each other one to one (in tables of 10 rows and more).

        Examples
        --------
        >>> import climbfast as cf
        >>> data = cf.Dataset.from_frame({"smoker": ["no", "yes", "no", "yes"], "cough": [0, 1, 1, 1]})
        >>> data
        <Dataset: 4 rows, 2 columns, up to 2 levels>
        >>> data.levels["smoker"], data.levels["cough"]
        (('no', 'yes'), (0, 1))
        >>> data.codes[data.index("smoker")].tolist()
        [0, 1, 0, 1]
        """
        from climbfast.dataset.frames import encode_frame
        from climbfast.dataset.options import check_options

        if isinstance(frame, Dataset):
            return frame
        options = check_options(
            missing=missing,
            missing_markers=missing_markers,
            declared_levels=declared_levels,
            treat_floats_as_levels=treat_floats_as_levels,
            keep_ids=keep_ids,
            columns=columns,
            leave_out=leave_out,
        )
        dataset = encode_frame(frame, options)
        diagnostics.warn_about(dataset)
        return dataset


def as_dataset(data: Dataset | Any, **reading: Unpack[ReadingOptions]) -> Dataset:
    """Return a Dataset unchanged, and encode any other table by ``Dataset.from_frame`` with these options.

    Raises
    ------
    OptionError
        For options of reading together with a Dataset, which is encoded already.
    """
    if not isinstance(data, Dataset):
        return Dataset.from_frame(data, **reading)
    if reading:
        raise OptionError(Option(next(iter(reading))), " is for a frame; this Dataset is read already")
    return data
