"""The frozen result of reading: names outside, integers inside."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
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
    """Discrete data: every column as integer codes, and the levels these stand for.

    Made by `climbfast.read` and `Dataset.from_frame`, which check what they are given; the constructor
    trusts.

    Attributes
    ----------
    names : tuple
        The column names in the order of the source: strings, integers or tuples.
    levels : mapping from name to tuple
        The distinct values of each column, ascending (categories: in their own order if they have one). With
        ``missing="level"`` the last one may be None.
    codes : ndarray of uint8, uint16 or uint32, shape (columns, rows)
        Row i is the i-th column in canonical order; a cell is a position in the levels of its column.
        Read-only.
    canonical : tuple
        The names in canonical order, by text, then by type. Searches see the columns in this order, so
        results do not depend on the order of the source.
    arity : ndarray of int64, shape (columns,)
        The number of levels, in canonical order. Read-only.

    Notes
    -----
    The fields are read-only, and so is everything derived from them. Two datasets are the same data if their
    fingerprints are.
    """

    names: tuple[Hashable, ...]
    levels: Mapping[Hashable, tuple[Hashable, ...]]
    codes: NDArray[Any]
    canonical: tuple[Hashable, ...]
    arity: NDArray[np.int64]

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", MappingProxyType(dict(self.levels)))
        self.codes.setflags(write=False)
        self.arity.setflags(write=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be pickled, and unpickled arrays are writable again.
        return Dataset, (self.names, dict(self.levels), self.codes, self.canonical, self.arity)

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
        """One bitmap of the rows per level of each column, made on first use."""
        from climbfast_kernels.bits import pack

        return pack(self.codes, self.arity)

    @cached_property
    def log_tables(self) -> LogTables:
        """Entropy terms and regrets by count, for the arities of these columns, made on first use."""
        from climbfast_kernels.log_tables import tabulate

        return tabulate(self.rows, self.arity)

    @cached_property
    def fingerprint(self) -> str:
        """Hash over every cell, name, level and type: hexadecimal, the same for any order of the columns."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(f"{self.codes.dtype.name} {self.codes.shape}".encode())
        for name in self.canonical:
            labels = [f"{type(value).__name__} {value!r}" for value in (name, *self.levels[name])]
            digest.update(f"{len(labels)} {labels!r}".encode("utf-8", "backslashreplace"))
        digest.update(self.codes.data)
        return digest.hexdigest()

    @cached_property
    def constant(self) -> tuple[Hashable, ...]:
        """Columns with one value in all rows, in canonical order."""
        return tuple(self.canonical[i] for i in diagnostics.constant(self._level_counts))

    @cached_property
    def nearly_unique(self) -> tuple[Hashable, ...]:
        """Columns with more levels than rows / 5 (and more than 10), in canonical order."""
        return tuple(self.canonical[i] for i in diagnostics.nearly_unique(self.arity, self.rows))

    @cached_property
    def one_to_one(self) -> tuple[tuple[Hashable, ...], ...]:
        """Groups of columns of which each tells all others: duplicates and recodings, no constants."""
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
        except (KeyError, TypeError):  # TypeError: a list, which is nobody's name
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
        columns: Iterable[Hashable] | None = None,
        leave_out: Iterable[Hashable] | None = None,
    ) -> Dataset:
        """Encode a table that is in memory.

        Parameters
        ----------
        frame : pandas, polars, arrow or other frame, ndarray, dict of columns, or Dataset
            Anything narwhals understands, lazy frames included; a two-dimensional array (columns are named
            0, 1, 2, ...), a structured array (columns are the fields); a dict from names to columns. The
            index of a frame is ignored. A Dataset comes back as it is.
        missing : {"refuse", "drop-rows", "level"}
            What becomes of missing cells: an error that counts them by column; rows with any are left out; or
            missing is one more level, None, of the columns that have some.
        missing_markers : collection, optional
            Values that stand for a missing cell, besides null, NaN, NaT and ""; among numbers a
            number and its text are one.
        declared_levels : None, True, or mapping from names to lists of levels
            By default only the values that occur are levels. True: all categories of categorical columns are.
            A mapping: exactly these levels, in this order, for the columns it names.
        treat_floats_as_levels : bool
            Accept columns of fractional numbers, each number a level, instead of refusing them.
        columns, leave_out : iterable of names, optional
            Columns to read (default: all), and columns not to.

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
            columns=columns,
            leave_out=leave_out,
        )
        dataset = encode_frame(frame, options)
        diagnostics.warn_about(dataset, stacklevel=2)
        return dataset


def as_dataset(data: Dataset | Any, **reading: Unpack[ReadingOptions]) -> Dataset:
    """Return a Dataset as it is, and any other table through ``Dataset.from_frame`` with these options.

    Raises
    ------
    OptionError
        For options of reading beside a Dataset, which is read already.
    """
    if not isinstance(data, Dataset):
        return Dataset.from_frame(data, **reading)
    if reading:
        raise OptionError(Option(next(iter(reading))), " is for a frame; this Dataset is read already")
    return data
