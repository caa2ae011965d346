"""The rules for numbers, applied to the encoded columns of a table.

Columns are cut one by one where their rule looks at them alone. The columns of "hartemink" and "auto" follow together,
beside all columns that are discrete by then; those of "mdlp" come last, since their target may be one of the others.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.column_encoding import (
    MOST_LEVELS_OF_WHOLE_NUMBERS,
    Column,
    codes_of,
    make_column,
    smallest_unsigned,
)
from climbfast.dataset.diagnostics import is_id
from climbfast.dataset.discretization.automatic import FEWEST_ROWS_OF_MERGING, MOST_CELLS_COUNTED, levels_for
from climbfast.dataset.discretization.cells import counts_of, is_missing_cell, levels_of, places_among_values
from climbfast.dataset.discretization.cuts import (
    NumericValues,
    chosen_cuts,
    even_cuts,
    has_fraction,
    interval_names,
    places_of,
    quantile_cuts,
    texts_of_cuts,
    width_cuts,
)
from climbfast.dataset.discretization.discretizer import Discretizer
from climbfast.dataset.discretization.hartemink import (
    MOST_BYTES_OF_TABLES,
    MOST_LEVELS_OF_PARTNER,
    Partner,
    bytes_of_tables,
    merge_levels,
    start_levels,
)
from climbfast.dataset.discretization.mdlp import mdlp_cuts
from climbfast.dataset.discretization.rules import Auto, Cut, Cuts, Hartemink, Mdlp, Quantile, Refuse, Rule, Width
from climbfast.dataset.levels import MISSING
from climbfast.dataset.numbers import read_numbers
from climbfast.dataset.options import Options
from climbfast.errors import DataError, Option, OptionError

_MOST_ROWS_WITHOUT_IDS = 50  # in so few rows whole numbers may be all different by chance

__all__ = ["cut_columns", "uncut_columns"]


def cut_columns(
    names: Sequence[Hashable], columns: Sequence[Column], options: Options, weights: NDArray[np.int64] | None = None
) -> tuple[list[Column], Discretizer, tuple[Hashable, ...]]:
    """Cut the columns of numbers that the rules are for.

    Parameters
    ----------
    names, columns
        In any order: it does not matter.
    options : Options
    weights : ndarray of int64, shape (rows,), optional
        How often each row occurs.

    Returns
    -------
    columns : list of Column
        Those that are cut have the names of their intervals as levels.
    discretizer : Discretizer
    possible_ids : tuple of names
        Columns of whole numbers that are all different, and were cut though nobody asked for it by their name.
    """
    _refuse_text(names, columns, options)
    if options.fitted is not None:
        columns = [_as_kept(name, column, options.fitted) for name, column in zip(names, columns, strict=True)]
    if all(column.numeric is None for column in columns):
        fitted = options.fitted
        return list(columns), Discretizer(options.numbers, {}) if fitted is None else fitted.chosen(), ()
    table = _Table(names, columns, options, weights)
    table.cut_one_by_one()
    table.cut_together()
    table.cut_by_targets()
    return table.columns, table.discretizer(), table.possible_ids()


def _as_kept(name: Hashable, column: Column, fitted: Discretizer) -> Column:
    """Return a column without any value as one of numbers, if there are cuts for it: so it has all intervals."""
    if column.numeric is not None or column.levels or name not in (fitted.cuts or {}):
        return column
    numeric = NumericValues(fitted.kinds[name], np.empty(0, dtype=np.int64))
    return column._replace(
        physical=np.zeros(column.physical.size, dtype=np.uint8), has_gaps=True, numeric=numeric, counts=None
    )


def uncut_columns(names: Sequence[Hashable], columns: Sequence[Column], options: Options) -> tuple[Hashable, ...]:
    """Return the columns of many whole numbers that are taken as they are, though nobody asked for it."""
    return tuple(
        name
        for name, column in zip(names, columns, strict=True)
        if len(column.levels) > MOST_LEVELS_OF_WHOLE_NUMBERS
        and type(column.levels[0]) is int
        and not column.chosen
        and name != options.weights
        and isinstance(options.numbers.rule_for(name), Refuse)
    )


def _refuse_text(names: Sequence[Hashable], columns: Sequence[Column], options: Options) -> None:
    """Refuse a rule for a column by its name that has no numbers."""
    for name, column in zip(names, columns, strict=True):
        if column.numeric is None and column.levels and options.numbers.forces(name):
            if options.declared_for(name) is not None:
                raise OptionError(
                    f"column {name!r} has levels by ", Option("declared_levels"), " and a rule by ", Option("numbers"),
                    "; keep one of them",
                )  # fmt: skip
            raise DataError(
                f"column {name!r} has {_what(column)}, and only numbers, dates and times can be cut; leave it out of ",
                Option("numbers"), ", or give it the rule 'levels'",
            )  # fmt: skip


def _what(column: Column) -> str:
    if column.chosen:
        return "categories"
    if not isinstance(column.levels[0], str):
        kind = type(column.levels[0]).__name__
        return "True and False" if kind == "bool" else f"cells of type {kind}"
    odd = next((level for level in column.levels if read_numbers([str(level)]) is None), column.levels[0])
    return f"text (such as {odd!r})"


class _Table:
    """The columns while they are cut.

    Attributes
    ----------
    columns : list of Column
    cuts, texts : dict of name to tuple
        Of the columns that are cut already.
    """

    def __init__(
        self, names: Sequence[Hashable], columns: Sequence[Column], options: Options, weights: NDArray[np.int64] | None
    ) -> None:
        self._names, self._options = names, options
        self._rules = options.numbers.for_names(names)
        self._weights = _of_complete_rows(columns, weights) if options.missing == "drop-rows" else weights
        self._rows = columns[0].physical.size if self._weights is None else int(self._weights.sum())
        self._before = [self._without_id(name, column) for name, column in zip(names, columns, strict=True)]
        self.columns = list(self._before)
        self.cuts: dict[Hashable, tuple[Cut, ...]] = {}
        self.texts: dict[Hashable, tuple[str, ...]] = {}

    def _without_id(self, name: Hashable, column: Column) -> Column:
        """Return a column of whole numbers that looks like an identifier as its levels, unless its name has a rule."""
        numeric = column.numeric
        if numeric is None or numeric.kind != "number" or numeric.values.dtype.kind == "f":
            return column
        if self._rules.forces(name) or self._options.keep_ids or not is_id(numeric.values.size, self._rows):
            return column
        if int(numeric.values[-1]) - int(numeric.values[0]) > 2 * self._rows:
            return column
        places = [*range(numeric.values.size), *[MISSING] * column.has_gaps]
        physical = places_among_values(column, numeric).astype(smallest_unsigned(len(places)), copy=False)
        return make_column(tuple(numeric.values.tolist()), places, physical)

    def cut_one_by_one(self) -> None:
        for i, rule in self._left():
            if isinstance(rule, Cuts | Quantile | Width):
                self._cut(i, self._alone(i, rule))

    def _alone(self, i: int, rule: Cuts | Quantile | Width) -> tuple[Cut, ...]:
        numeric = self._numeric(i)
        if kept := self._kept(self._names[i]):
            return chosen_cuts(self._names[i], numeric.kind, kept[0]) if numeric.values.size else kept[0]
        if isinstance(rule, Cuts):
            return chosen_cuts(self._names[i], numeric.kind, rule.cuts)
        make = quantile_cuts if isinstance(rule, Quantile) else width_cuts
        return make(numeric, self._counts(i), rule.levels)

    def cut_together(self) -> None:
        wanted = {i: self._levels_wanted(i, rule) for i, rule in self._left() if isinstance(rule, Hartemink | Auto)}
        if not wanted:
            return
        starts = {i: even_cuts(self._numeric(i), self._counts(i), start_levels(k)) for i, k in wanted.items()}
        others = [i for i in range(len(self.columns)) if self._is_partner(i)]
        automatic = [i for i, rule in self._left() if isinstance(rule, Auto)]
        if automatic and (self._rows < FEWEST_ROWS_OF_MERGING or self._is_too_wide(starts, others)):
            for i in automatic:
                self._cut(i, even_cuts(self._numeric(i), self._counts(i), wanted.pop(i)))
                del starts[i]
            others = sorted([*others, *automatic])
        self._merge(wanted, starts, others)

    def _merge(self, wanted: dict[int, int], starts: dict[int, tuple[Cut, ...]], others: Sequence[int]) -> None:
        if not wanted:
            return
        if bytes_of_tables([len(cuts) + 1 for cuts in starts.values()], self._levels_of(others)) > MOST_BYTES_OF_TABLES:
            raise DataError(
                f"the tables of all pairs of {len(starts) + len(others):,} columns do not fit into 1 GB; cut them by ",
                Option("numbers", f"quantile:{max(wanted.values())}"),
            )
        if len(wanted) + len(others) < 2:  # nothing to lose
            for i, levels in wanted.items():
                self._cut(i, even_cuts(self._numeric(i), self._counts(i), levels))
            return
        merged = merge_levels(
            [self._partner_of_cuts(i, cuts) for i, cuts in starts.items()],
            list(wanted.values()),
            [Partner(codes_of(self.columns[i]), len(self.columns[i].levels)) for i in others],
            self._weights,
        )
        for (i, cuts), kept in zip(starts.items(), merged, strict=True):
            self._cut(i, tuple(cuts[level - 1] for level in kept))

    def _is_too_wide(self, starts: dict[int, tuple[Cut, ...]], others: Sequence[int]) -> bool:
        pairs = len(starts) * (len(starts) + 2 * len(others)) // 2
        levels = [len(cuts) + 1 for cuts in starts.values()]
        return (
            pairs * self.columns[0].physical.size > MOST_CELLS_COUNTED
            or bytes_of_tables(levels, self._levels_of(others)) > MOST_BYTES_OF_TABLES
        )

    def _levels_of(self, columns: Sequence[int]) -> list[int]:
        return [len(self.columns[i].levels) for i in columns]

    def _is_partner(self, i: int) -> bool:
        """Whether a column is discrete by now, with few levels."""
        column = self.columns[i]
        return (
            column.numeric is None
            and 1 < len(column.levels) <= MOST_LEVELS_OF_PARTNER
            and not is_id(len(column.levels), self._rows)
        )

    def _partner_of_cuts(self, i: int, cuts: Sequence[Cut]) -> Partner:
        return Partner(levels_of(self.columns[i], self._numeric(i), cuts), len(cuts) + 1)

    def _kept(self, name: Hashable) -> tuple[tuple[Cut, ...], tuple[str, ...]] | None:
        """Return the cuts of a column, and their texts, that were made from another table."""
        fitted = self._options.fitted
        if fitted is None or name not in (fitted.cuts or {}):
            return None
        return fitted.cuts[name], fitted.texts_of(name)  # type: ignore[index]  # fitted

    def _levels_wanted(self, i: int, rule: Hartemink | Auto) -> int:
        return rule.levels if isinstance(rule, Hartemink) else levels_for(int(self._counts(i).sum()))

    def cut_by_targets(self) -> None:
        left = [(i, rule) for i, rule in self._left() if isinstance(rule, Mdlp)]
        position = {name: i for i, name in enumerate(self._names)}
        for _, rule in left:
            if self.columns[position[rule.target]].numeric is not None:
                raise OptionError(
                    f"column {rule.target!r}, the target of mdlp, has numbers of its own; give it a rule, such as ",
                    Option("numbers", {rule.target: "quantile:3"}),
                )
            levels = len(self.columns[position[rule.target]].levels)
            if is_id(levels, self._rows) and not self._options.keep_ids:
                raise OptionError(
                    f"column {rule.target!r}, the target of mdlp, has about as many levels as rows; a target has few: "
                    "name another one in ", Option("numbers"),
                )  # fmt: skip
        for i, rule in left:
            target = self.columns[position[rule.target]]
            places = places_among_values(self.columns[i], self._numeric(i))
            cuts = mdlp_cuts(self._numeric(i), places, codes_of(target), len(target.levels), self._weights)
            self._cut(i, cuts)

    def _left(self) -> list[tuple[int, Rule]]:
        """Return the columns that are not cut yet, with their rules."""
        return [
            (i, self._rules.rule_for(name)) for i, name in enumerate(self._names) if self.columns[i].numeric is not None
        ]

    def _numeric(self, i: int) -> NumericValues:
        numeric = self.columns[i].numeric
        assert numeric is not None
        return numeric

    def _counts(self, i: int) -> NDArray[np.int64]:
        return counts_of(self.columns[i], self._numeric(i), self._weights)

    def _cut(self, i: int, cuts: tuple[Cut, ...]) -> None:
        column, numeric = self.columns[i], self._numeric(i)
        if not numeric.values.size and self._kept(self._names[i]) is None:  # all cells are missing
            self.columns[i] = make_column((), [MISSING], np.zeros(column.physical.size, dtype=np.uint8))
            return
        name = self._names[i]
        in_full = isinstance(self._rules.rule_for(name), Cuts)
        texts = kept[1] if (kept := self._kept(name)) else texts_of_cuts(cuts, numeric, in_full=in_full)
        self.cuts[name], self.texts[name] = cuts, texts
        names = interval_names(texts)
        physical = levels_of(column, numeric, cuts)
        every = self._options.declares_categories or kept is not None
        occur = range(len(names)) if every else np.unique(places_of(numeric, cuts)).tolist()
        keys = [*occur, *[len(names)] * column.has_gaps]
        places = [*range(len(occur)), *[MISSING] * column.has_gaps]
        cut = make_column(tuple(names[level] for level in occur), places, physical, keys)
        self.columns[i] = cut._replace(declared=every)

    def possible_ids(self) -> tuple[Hashable, ...]:
        """Return the columns of whole numbers that are all different, and were cut by a rule for the whole table."""
        if self._weights is not None or self._options.keep_ids:
            return ()
        return tuple(
            name
            for name, column in zip(self._names, self._before, strict=True)
            if name in self.cuts and not self._rules.forces(name) and _is_all_different(column)
        )

    def discretizer(self) -> Discretizer:
        if self._options.fitted is not None:
            return self._options.fitted.chosen()
        kinds = {
            name: column.numeric.kind
            for name, column in zip(self._names, self._before, strict=True)
            if name in self.cuts and column.numeric is not None
        }
        markers = {name: tuple(sorted(set(map(str, self._options.markers_for(name))))) for name in self.cuts}
        return Discretizer(self._options.numbers, self.cuts, kinds, markers, self.texts)


def _is_all_different(column: Column) -> bool:
    numeric = column.numeric
    if numeric is None or numeric.kind != "number" or has_fraction(numeric):
        return False
    if numeric.values.size <= _MOST_ROWS_WITHOUT_IDS or numeric.values.size < column.physical.size // 2:
        return False
    return bool(numeric.values.size + np.count_nonzero(is_missing_cell(column, numeric)) == column.physical.size)


def _of_complete_rows(columns: Sequence[Column], weights: NDArray[np.int64] | None) -> NDArray[np.int64] | None:
    """Return the weights, 0 for rows that will be dropped for a missing cell."""
    gaps = [column for column in columns if column.has_gaps]
    if not gaps:
        return weights
    complete = np.ones(columns[0].physical.size, dtype=np.bool_)
    for column in gaps:
        if column.numeric is None:
            complete &= codes_of(column) != len(column.levels)
        else:
            complete &= ~is_missing_cell(column, column.numeric)
    return complete.astype(np.int64) if weights is None else np.where(complete, weights, 0)
