"""Discrete data as integer codes, with the names and levels that they stand for."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import common_rows, diagnostics
from climbfast.dataset.discretization import Discretizer
from climbfast.dataset.discretization.rules import Cut
from climbfast.dataset.missingness import Missingness, describe_missingness, fewest_rows_of_pairs
from climbfast.dataset.options import DeclaredLevels, Markers, Numbers, ReadingOptions
from climbfast.dataset.representatives import Choice, Representative, check_representative, represented
from climbfast.dataset.treatment import Treatment
from climbfast.errors import Option, OptionError, UnknownColumnError
from climbfast.names import canonical_key, sorted_by_name
from climbfast.options import refuse_unknown_options

if TYPE_CHECKING:
    import polars as pl

    from climbfast_kernels.bits import Bits
    from climbfast_kernels.log_tables import LogTables

__all__ = ["Dataset", "as_dataset"]


_SAME_FOR_ANY_REPRESENTATIVE = ("level_counts", "one_to_one", "bits", "fingerprint")
_WITHOUT_CUTS = Discretizer("refuse", {})


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
        The names in canonical order, in which searches see the columns: a rank from the data, so that names and the
        order of the source decide nothing. Copies are side by side; among them, and among columns that the data do not
        tell apart, the order is that of ``sorted_names``.
    arity : ndarray of int64, shape (columns,)
        The number of levels, in canonical order; 1 for an id column. Read-only.
    id_digests : mapping from name to bytes
        For every id column, whose codes are all 0, a digest of its cells.
    incomplete : ndarray of bool, shape (columns,)
        Whether a column has missing cells, in canonical order; the code of a missing cell is the arity of its column.
        All False unless ``missing="test-wise"``. Read-only.
    weights : ndarray of int64, shape (stored rows,), or None
        How often each row of ``codes`` occurs; None if each occurs once. Read-only.
    discretizer : Discretizer
        The cuts of the columns of numbers, which can be applied to new rows.
    uncut : tuple of names
        Columns of whole numbers of more than 20 levels that were taken as they are, without being asked to be.
    possible_ids : tuple of names
        Columns of whole numbers that are all different, and were cut by a rule for the whole table.
    representative : None, "first" or tuple of names
        Which of several copies stands for them, see ``represented_by``.

    Notes
    -----
    The fields are read-only, and so is everything derived from them. Two datasets have the same data if their
    fingerprints are equal.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.Dataset.from_frame({"age": [17, 25, 40, 70], "ill": [0, 0, 1, 1]}, numbers={"age": [18, 65]})
    >>> data.rows, data.names
    (4, ('age', 'ill'))
    >>> data.levels["age"]
    ('(-inf, 18)', '[18, 65)', '[65, inf)')
    """

    names: tuple[Hashable, ...]
    levels: Mapping[Hashable, tuple[Hashable, ...]]
    codes: NDArray[Any]
    canonical: tuple[Hashable, ...]
    arity: NDArray[np.int64]
    id_digests: Mapping[Hashable, bytes] = field(default_factory=dict)
    incomplete: NDArray[np.bool_] = None  # type: ignore[assignment]  # no column, as its default
    weights: NDArray[np.int64] | None = None
    discretizer: Discretizer = _WITHOUT_CUTS
    uncut: tuple[Hashable, ...] = ()
    possible_ids: tuple[Hashable, ...] = ()
    representative: Choice = None

    def __post_init__(self) -> None:
        if self.incomplete is None:
            object.__setattr__(self, "incomplete", np.zeros(len(self.arity), dtype=np.bool_))
        self.incomplete.setflags(write=False)
        if self.weights is not None:
            self.weights.setflags(write=False)
        object.__setattr__(self, "levels", MappingProxyType(dict(self.levels)))
        object.__setattr__(self, "id_digests", MappingProxyType(dict(self.id_digests)))
        self.codes.setflags(write=False)
        self.arity.setflags(write=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be pickled, and unpickled arrays would be writable.
        return Dataset, (
            self.names, dict(self.levels), self.codes, self.canonical, self.arity, dict(self.id_digests),
            self.incomplete, self.weights, self.discretizer, self.uncut, self.possible_ids, self.representative,
        )  # fmt: skip

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.data import dataset_html

        return dataset_html(self)

    def __repr__(self) -> str:
        largest = max(self.arity.tolist())
        return f"<Dataset: {self.rows:,} rows, {self.columns:,} columns, up to {largest:,} levels>"

    @cached_property
    def sorted_names(self) -> tuple[Hashable, ...]:
        """The names in the order in which results have them: by text, then by type."""
        return sorted_by_name(self.names)

    @cached_property
    def rows(self) -> int:
        """Number of rows, each as often as it occurs."""
        return int(self.codes.shape[1]) if self.weights is None else int(self.weights.sum())

    @property
    def columns(self) -> int:
        """Number of columns."""
        return int(self.codes.shape[0])

    @cached_property
    def cuts(self) -> Mapping[Hashable, tuple[Cut, ...]]:
        """The cuts of every column of numbers that was cut into levels, ascending; none if all rows have one level."""
        cuts = self.discretizer.cuts or {}
        return MappingProxyType({name: cuts[name] for name in self.names if name in cuts})

    @cached_property
    def treatment(self) -> Treatment:
        """What was done to the table, which results name among their options."""
        return Treatment(bool(self.incomplete.any()), self.cuts, self.representative)

    @cached_property
    def missing(self) -> Mapping[Hashable, int]:
        """Number of missing cells of every column that has some, with ``missing="test-wise"``."""
        counts = {i: self.rows_where(self.missing_cells(i)) for i in np.flatnonzero(self.incomplete).tolist()}
        by_name = {self.canonical[i]: count for i, count in counts.items()}
        return MappingProxyType({name: by_name[name] for name in sorted_by_name(by_name)})

    def missing_cells(self, column: int) -> NDArray[np.bool_]:
        """Return which cells of a column, given by its position in canonical order, are missing."""
        # A Python integer: with one of NumPy's, all codes would become integers of 64 bits first.
        missing: NDArray[np.bool_] = self.codes[column] == int(self.arity[column])
        return missing

    def rows_where(self, holds: NDArray[np.bool_]) -> int:
        """Return the number of rows, each as often as it occurs, for which `holds` is True."""
        return int(np.count_nonzero(holds) if self.weights is None else self.weights[holds].sum())

    @cached_property
    def bits(self) -> Bits:
        """One bitmap of the rows per level of each column, made at the first use."""
        from climbfast_kernels.bits import pack

        return pack(self.codes, self.arity, self.incomplete, self.rows)

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
        if self.weights is not None:
            digest.update(self.weights.data)
        return digest.hexdigest()

    @cached_property
    def constant(self) -> tuple[Hashable, ...]:
        """Columns with one value in all rows, by name; ids are not among them."""
        found = (self.canonical[i] for i in diagnostics.constant(self.level_counts))
        return sorted_by_name(name for name in found if name not in self.id_digests)

    @property
    def ids(self) -> tuple[Hashable, ...]:
        """Columns with about as many levels as rows, by name; independent of everything."""
        return sorted_by_name(self.id_digests)

    @cached_property
    def nearly_unique(self) -> tuple[Hashable, ...]:
        """Columns with more levels than rows / 5 (and more than 10), by name."""
        return sorted_by_name(self.canonical[i] for i in diagnostics.nearly_unique(self.arity, self.rows))

    @cached_property
    def one_to_one(self) -> tuple[tuple[Hashable, ...], ...]:
        """Groups of columns that determine each other: duplicates and recodings, but not constants."""
        return self._by_name(diagnostics.one_to_one(self.codes, self.level_counts))

    @cached_property
    def one_to_one_in_common_rows(self) -> tuple[tuple[Hashable, ...], ...]:
        """Groups of columns, two and two of which determine each other in the rows where both are observed.

        Columns that also are missing in the same rows are in ``one_to_one``, and here only the first of them. Few
        pairs of a very wide table may not be looked at: 4 * 10^8 cells are read at most.
        """
        return self._by_name(common_rows.one_to_one_in_common_rows(self))

    def _by_name(self, groups: Iterable[Iterable[int]]) -> tuple[tuple[Hashable, ...], ...]:
        """Return groups of columns by name, and sorted by it."""
        found = (sorted_by_name(self.canonical[i] for i in group) for group in groups)
        return tuple(sorted(found, key=lambda group: canonical_key(group[0])))

    @cached_property
    def copies(self) -> Mapping[Hashable, tuple[Hashable, ...]]:
        """For every column of a group in ``one_to_one`` the other columns of its group; none in tables of few rows."""
        groups = self.one_to_one if self.rows >= diagnostics.FEWEST_ROWS_OF_ONE_TO_ONE else ()
        return MappingProxyType({x: tuple(y for y in group if y != x) for group in groups for x in group})

    def represented_by(self, representative: Representative) -> Dataset:
        """Return the data in which a user says which of several copies stands for them in searches.

        Parameters
        ----------
        representative : None, "first", name, or collection of names
            None: as chosen before; else the first in canonical order, which is the first by name. "first": the first
            in the order of the source. Columns by name stand for their copies; of all others the first by name. A
            column whose name is "first" is ``["first"]``.

        Returns
        -------
        Dataset
            It shares the codes.

        Raises
        ------
        UnknownColumnError
            For a name that is not a column.
        OptionError
            For two names of columns that are copies of each other.
        """
        chosen = check_representative(self, representative)
        if chosen is None or chosen == self.representative:
            return self
        if chosen not in self._represented:
            new = replace(self, representative=chosen)
            known = {name: value for name, value in vars(self).items() if name in _SAME_FOR_ANY_REPRESENTATIVE}
            vars(new).update(known, _represented=self._represented)
            self._represented[chosen] = new
        return self._represented[chosen]

    @cached_property
    def _represented(self) -> dict[Choice, Dataset]:
        """The same data with other representatives: a search around each column in turn copies the codes once."""
        return {}

    @cached_property
    def represented(self) -> Mapping[Hashable, Hashable]:
        """For every column that has copies the one that stands for them."""
        return MappingProxyType(represented(self))

    @cached_property
    def without_copies(self) -> Dataset:
        """The data with one column of every group of copies, which stands for the others; see ``represented_by``.

        Copies separate each other from all other columns, so that a search among all of them finds nothing.
        """
        if not self.copies:
            return self
        return self.restricted_to(
            [i for i, name in enumerate(self.canonical) if self.represented.get(name, name) == name]
        )

    def restricted_to(self, columns: Sequence[int]) -> Dataset:
        """Return the data of some columns, which are given by their canonical positions, ascending."""
        names = {self.canonical[i] for i in columns}
        return Dataset(
            tuple(name for name in self.names if name in names),
            {name: self.levels[name] for name in self.names if name in names},
            self.codes[columns],
            tuple(self.canonical[i] for i in columns),
            self.arity[columns],
            {name: digest for name, digest in self.id_digests.items() if name in names},
            self.incomplete[columns],
            self.weights,
            self.discretizer,
            tuple(name for name in self.uncut if name in names),
            tuple(name for name in self.possible_ids if name in names),
            self.representative,
        )

    def resampled(self, rows: NDArray[np.int64]) -> Dataset:
        """Return the table of some rows, with the levels of this one, whether they occur or not.

        Parameters
        ----------
        rows : int64 array
            Positions from 0 to ``rows - 1``, each as often as the row shall occur. With weights a stored row has as
            many positions as its weight says.
        """
        from climbfast.dataset.resampled import resampled_fields

        fields, computed = resampled_fields(self, rows)
        drawn = replace(self, **fields)
        vars(drawn).update(computed)
        return drawn

    @cached_property
    def level_counts(self) -> list[NDArray[np.int64]]:
        """Number of rows of each level of each column, in canonical order; missing cells are not counted."""
        return diagnostics.level_counts(self.codes, self.arity, self.weights, self.incomplete)

    @cached_property
    def fewest_rows_of_pairs(self) -> NDArray[np.int64]:
        """For every column the fewest rows, but not none, in which it and another column are not missing."""
        return fewest_rows_of_pairs(self)

    @cached_property
    def missingness(self) -> Missingness:
        """Which cells are missing together, and on which columns it depends what is missing."""
        return describe_missingness(self)

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
        missing_markers: Markers = None,
        declared_levels: DeclaredLevels = None,
        numbers: Numbers = "refuse",
        weights: Hashable | None = None,
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
        missing : {"refuse", "test-wise", "drop-rows", "level"}
            "refuse": missing cells are an error, which counts them by column. "test-wise": every test and score uses
            the rows that are complete in its own columns. "drop-rows": rows with missing cells are omitted. "level":
            in columns with missing cells, missing is one more level, None.
        missing_markers : collection, or mapping from names to collections, optional
            Values that stand for a missing cell, in addition to null, NaN, NaT and "". In columns of numbers, a
            number and its text are the same marker. A mapping: further markers of single columns; the
            key None is for all columns.
        declared_levels : None, True, or mapping from names to lists of levels
            None: only the values that occur are levels. True: all categories of categorical columns are levels.
            A mapping: exactly these levels, in this order, for the columns that it names.
        numbers : str, mapping from names to rules, or Discretizer
            How columns of numbers become levels: columns with fractions, of whole numbers with more than 20 levels, and
            of dates and times. "refuse": fractions are an error, and each whole number or date is a level. "levels":
            each number is a level. "auto": 3 to 5 intervals, more with more rows, that keep what the columns say about
            each other. "quantile:4": 4 intervals of about equal numbers of rows. "width:5": 5 of equal width.
            "hartemink:3": quantiles merged into 3 levels, at the least loss of information about the other columns.
            "mdlp:TARGET": cuts that tell the levels of this column apart; they look at it, so that the same rows cannot
            test what follows. In a mapping, columns by name have a rule or a list of cuts, such as ``[18, 35, 65]``,
            whatever their number of levels; the key None is for all others (default: "refuse"). Intervals are ordered
            and named ``[18, 35)``. Text, boolean columns and numbers of the rows are never cut. A Discretizer: the cuts
            of another table.
        weights : name, optional
            A column of whole numbers that says how often each row occurs, as in a table of counts. Results are those of
            the table with its rows repeated; the column itself is not among the columns of the data.
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
            For constant columns, id columns, columns with more levels than rows / 5 (and more than 10), and columns
            that determine each other one to one (in tables of 10 rows and more; with ``missing="test-wise"`` also in
            the rows where both are observed, for which 4 * 10^8 cells are read at most); for columns of whole numbers
            of more than 20 levels that are taken as they are, columns with fewer intervals than ``numbers`` asks for,
            columns of text that are nearly numbers, of durations, and of whole numbers that are all different, where a
            rule cuts the others, and cuts that look at a target; for levels that differ only by blanks around them;
            with ``missing="test-wise"`` for the columns with missing cells and those whose cells are missing together,
            columns without any value, and columns on which it depends what is missing.

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
            numbers=numbers,
            weights=weights,
            keep_ids=keep_ids,
            columns=columns,
            leave_out=leave_out,
        )
        dataset = encode_frame(frame, options)
        diagnostics.warn_about(dataset)
        return dataset

    def to_frame(self, *, weights: str = "weight") -> pl.DataFrame:
        """Return the data with their levels, as a frame of polars.

        Parameters
        ----------
        weights : str
            What the last column is called, which says how often each row occurs, if the data have weights.

        Returns
        -------
        polars.DataFrame, shape (stored rows, columns)
            The columns in the order of `names`; ``to_pandas()`` makes a frame of pandas of it. Levels of text are
            categories (``Enum``), others have the type of their values; missing cells are null. The names are text:
            1 is "1". Id columns, whose cells are not kept, are left out.

        Raises
        ------
        DataError
            For names that cannot be told apart as text.
        OptionError
            If a column is called as the weights are.

        Notes
        -----
        ``Dataset.from_frame`` makes equal data of it, given the options that need be: ``missing`` for missing cells,
        ``numbers="levels"`` for fractions, ``weights``, and ``declared_levels=data.levels`` for ordered categories that
        are not text and for levels that occur in no row.

        Examples
        --------
        >>> import climbfast as cf
        >>> data = cf.Dataset.from_frame({"smoker": ["no", "yes", "no", "yes"], "cough": [0, 1, 1, 1]})
        >>> data.to_frame().rows()
        [('no', 0), ('yes', 1), ('no', 1), ('yes', 1)]
        >>> cf.Dataset.from_frame(data.to_frame()).fingerprint == data.fingerprint
        True
        """
        from climbfast.dataset.labels import labelled_frame

        return labelled_frame(self, weights)

    def to_numpy(self) -> NDArray[np.signedinteger[Any]]:
        """Return the data as codes: for every cell the position in the levels of its column.

        Returns
        -------
        ndarray of int8, int16 or int32, shape (stored rows, columns)
            A new array with the columns in the order of `names`. The code of a missing cell is -1; all cells of an id
            column are 0. Row i occurs ``weights[i]`` times if the data have weights.

        Examples
        --------
        >>> import climbfast as cf
        >>> data = cf.Dataset.from_frame({"smoker": ["no", "yes", "no", "yes"], "cough": [0, 1, 1, 1]})
        >>> data.to_numpy().tolist()
        [[0, 0], [1, 1], [0, 1], [1, 1]]
        """
        from climbfast.dataset.labels import code_matrix

        return code_matrix(self)


def as_dataset(data: Dataset | Any, **reading: Unpack[ReadingOptions]) -> Dataset:
    """Return a Dataset unchanged, and encode any other table by ``Dataset.from_frame`` with these options.

    Raises
    ------
    OptionError
        For an unknown option, and for options of reading together with a Dataset, which is encoded already.
    """
    refuse_unknown_options(reading, ReadingOptions.__annotations__)
    if not isinstance(data, Dataset):
        return Dataset.from_frame(data, **reading)
    if reading:
        raise OptionError(
            Option(next(iter(reading))), " is an option for reading a frame; these data are already a Dataset"
        )
    return data
