"""Markov blankets as feature selection in scikit-learn (extra ``sklearn``).

The Markov blanket of a target is the smallest set of columns that makes all others useless for predicting it, if the
tests are right and the levels keep what the numbers say.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.blankets.find import markov_blanket
from climbfast.caller_warnings import warn_caller
from climbfast.dataset import Dataset, Discretizer
from climbfast.dataset.column_encoding import MOST_LEVELS_OF_WHOLE_NUMBERS
from climbfast.dataset.discretization.rules import Mdlp
from climbfast.dataset.frames import encode_frame, native_frame
from climbfast.dataset.options import Numbers, check_options, is_legal_name
from climbfast.errors import ClimbfastWarning, DataError, Option, OptionError
from climbfast.extras import require
from climbfast.independence.tester import Tester
from climbfast.independence.tests import TestOptions, as_test
from climbfast.knowledge import KnowledgeOption
from climbfast.local.blanket import Blanket
from climbfast.local.unexplained import outside, unexplained_each
from climbfast.names import listing
from climbfast.options import flag, whole_number

require("sklearn", "sklearn", "climbfast.sklearn")  # before the imports that need it: its error says what to install

from sklearn.base import BaseEstimator  # noqa: E402  # after the check, as all below
from sklearn.feature_selection import SelectorMixin  # noqa: E402
from sklearn.utils import assert_all_finite, check_array, check_consistent_length, column_or_1d  # noqa: E402
from sklearn.utils._set_output import _get_output_config  # noqa: E402  # scikit-learn's selectors ask it, too
from sklearn.utils.validation import check_is_fitted, validate_data  # noqa: E402

__all__ = ["MarkovBlanketSelector"]

_FEWEST_ROWS = 2
_LIMIT_OF_WEIGHTS = 2.0**63
_OWN_CUTS = "mdlp"  # the rule "mdlp:TARGET" with the target that fit is given


class MarkovBlanketSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Select the columns in the Markov blanket of the target.

    Parameters
    ----------
    method : str
        One that finds blankets; ``climbfast methods`` lists them. "best" reads the blanket off a graph, and predicts
        best on simulated networks, see docs/evidence/selection.md. "climb" finds fewer columns, faster.
    test : {"sci", "g2", "x2", "cmi"} or SCI or G2 or X2 or CMI
    max_given : int, None or "default"
        Largest conditioning set; see ``climbfast.markov_blanket``. "best" has none.
    min_bits : float, "auto" or None
        Short for ``test=SCI(min_bits=...)``.
    numbers : str or mapping from names to rules
        How columns of numbers become levels, in the rows that ``fit`` is given; see ``Dataset.from_frame``. "mdlp" cuts
        them where the levels of the target change.
    target_numbers : None, str or list of cuts
        How a target of numbers becomes levels. None: a target with fractions, or of floats with more than 20 values, is
        cut by the rule "auto"; every other value is a level. A rule or a list of cuts: that is what is done.
    missing : {"level", "test-wise", "drop-rows", "refuse"}
        What is done with missing cells of X; see ``Dataset.from_frame``. The target may have none. With "test-wise" the
        method "best" may take minutes on dozens of columns that are nearly functions of each other.
    missing_markers : collection, or mapping from names to collections, optional
        Values that stand for a missing cell, besides NaN.
    knowledge : Knowledge, path of a file, or None
        What is known beforehand. The target has the name of the Series ``y``, or is "target".
    complete : bool
        Whether to add the columns that the blanket leaves unexplained: those that still depend on the target given all
        that is selected, the strongest first, as long as there are 10 rows for each configuration of the selected.
        Columns that are nearly functions of each other hide each other from a search; this finds them again.
    min_features : int
        With fewer columns selected those that depend on the target most strongly are added, and a warning says so.
        With 0 nothing may be selected.

    Attributes
    ----------
    blanket_ : Blanket
        The blanket of the target. Columns of arrays are named x0, x1, ..., those of frames as they are.
    support_ : ndarray of bool, shape (columns,)
        The columns that are selected: the members of the blanket, a copy of the target if there is one, and what
        ``complete`` and ``min_features`` add.
    added_ : tuple of names
        The selected columns outside of the blanket, in the order in which they were added.
    strengths_ : ndarray of float64, shape (columns,)
        The strength of each column in the marginal test with the target; positive if it depends on it.
    discretizer_ : Discretizer
        The cuts of the columns of numbers, and of the target if it was cut.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (columns,)
        Of a frame whose names are all texts.

    Notes
    -----
    The blanket is found in the rows that ``fit`` is given, and so are the cuts: in a pipeline that is cross-validated
    no test row decides anything. ``transform`` returns the columns as they are, not their levels.

    Constant columns, and identifiers (about as many levels as rows), are never members. Of columns that are copies of
    each other the first by name is selected. ``fit`` does not warn of them, else it would in each fold; call
    ``climbfast.inspect`` to see what is in a table.

    Examples
    --------
    >>> from climbfast.sklearn import MarkovBlanketSelector
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = MarkovBlanketSelector().fit(X, y)
    >>> selector.blanket_
    <Blanket of target: 9 children; best by sci>
    >>> selector.get_feature_names_out().tolist()
    ['alcohol', 'malic_acid', 'ash', 'alcalinity_of_ash', 'magnesium', 'flavanoids',
    'color_intensity', 'hue', 'proline']
    """

    def __init__(
        self,
        *,
        method: str = "best",
        test: str | TestOptions = "sci",
        max_given: int | str | None = "default",
        min_bits: float | str | None = None,
        numbers: Numbers = "auto",
        target_numbers: str | Sequence[Any] | None = None,
        missing: str = "level",
        missing_markers: Any = None,
        knowledge: KnowledgeOption = None,
        complete: bool = True,
        min_features: int = 1,
    ) -> None:
        self.method = method
        self.test = test
        self.max_given = max_given
        self.min_bits = min_bits
        self.numbers = numbers
        self.target_numbers = target_numbers
        self.missing = missing
        self.missing_markers = missing_markers
        self.knowledge = knowledge
        self.complete = complete
        self.min_features = min_features

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MarkovBlanketSelector:  # noqa: N803  # X is scikit-learn's name
        """Find the blanket of the target.

        Parameters
        ----------
        X : frame or array, shape (n_samples, n_features)
            Pandas, polars or arrow frame, or what becomes a NumPy array. Sparse matrices are refused.
        y : array, shape (n_samples,)
            The target: classes, or numbers, which are cut into levels.
        sample_weight : array of whole numbers, shape (n_samples,), optional
            How often each row occurs; the result is that of the rows repeated. Other weights are refused: the tests
            count rows.

        Returns
        -------
        MarkovBlanketSelector
            The same object.

        Raises
        ------
        OptionError
            For a parameter outside its legal values.
        DataError
            For a table that cannot be read as discrete data.
        KnowledgeError, UnknownColumnError
            For knowledge that contradicts itself, or names columns that X does not have.
        ValueError, TypeError
            As scikit-learn raises them for X, y and sample_weight that do not fit.

        Warns
        -----
        ClimbfastWarning
            If the blanket has fewer columns than ``min_features``; if a target of integers is cut; and, where cells
            are missing, for columns that determine each other one to one in the rows where both are observed.
        """
        fewest, is_completed = whole_number("min_features", self.min_features), flag("complete", self.complete)
        table = self._table(X, y, sample_weight)
        if fewest > len(table.names):
            raise OptionError(Option("min_features", fewest), f" is more than the {len(table.names)} columns of X")
        data, test = self._data(table), as_test(self.test, min_bits=self.min_bits)
        self.blanket_ = markov_blanket(
            data, table.target, self.method, test, max_given=self.max_given, knowledge=self.knowledge
        )
        strengths = _marginal_strengths(data, table.target, test)
        self.strengths_ = np.array([strengths[name] for name in table.names])
        # One copy of the target says all about it, and so do the members in other rows, where it may be no copy.
        self.added_ = self.blanket_.copies.get(table.target, ())[:1]
        if is_completed:
            self.added_ += _unexplained_in_turn(self.blanket_, data, test)
        self.added_ += _strongest(self.blanket_, self.added_, data, strengths, fewest)
        selected = {*self.blanket_.members, *self.added_}
        self.support_ = np.array([name in selected for name in table.names])
        self.discretizer_ = data.discretizer
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803  # as in fit
        """Return the selected columns.

        Parameters
        ----------
        X : frame or array, shape (n_samples, n_features)

        Returns
        -------
        array, shape (n_samples, n_selected), or frame
            A frame after ``set_output``.
        """
        wanted = _get_output_config("transform", estimator=self)["dense"]
        if wanted == "polars" and type(X).__module__.split(".")[0] == wanted:  # which keeps the types of its columns
            check_is_fitted(self)
            validate_data(self, X, skip_check_array=True, reset=False)
            return X[:, np.flatnonzero(self.support_).tolist()]
        return super().transform(X)

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = self.missing != "refuse"
        tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def _table(self, X: Any, y: Any, sample_weight: Any) -> _Table:  # noqa: N803  # as in fit
        """Return the columns of X, the target and the weights, checked as scikit-learn checks them."""
        _refuse_missing_classes(y)
        name_of_y = getattr(y, "name", None)
        if hasattr(X, "columns") or hasattr(X, "column_names"):
            frame = native_frame(X)  # which names the columns of a name that occurs twice
            validate_data(self, X, y, skip_check_array=True)
            names, cells = _columns_of(frame)
            y = column_or_1d(y, warn=True)
            assert_all_finite(y, input_name="y")
            check_consistent_length(frame, y)
            if len(y) < _FEWEST_ROWS:
                raise DataError(f"X has {len(y)} sample; at least {_FEWEST_ROWS} are needed")
        else:
            finite: bool | str = True if self.missing == "refuse" else "allow-nan"
            array, y = validate_data(self, X, y, dtype=None, ensure_all_finite=finite, ensure_min_samples=_FEWEST_ROWS)
            names, cells = [f"x{i}" for i in range(array.shape[1])], list(array.T)
        target = _free_name(name_of_y, names)
        weights = None if sample_weight is None else _whole_weights(sample_weight, len(y))
        return _Table(names, cells, target, y, weights)

    def _data(self, table: _Table) -> Dataset:
        """Return the table as levels."""
        columns = dict(zip(table.names, table.cells, strict=True)) | {table.target: table.y}
        of_weights = None
        if table.weights is not None:
            of_weights = _free_name("sample_weight", [*columns])
            columns[of_weights] = table.weights
        options = check_options(
            missing=self.missing, missing_markers=self.missing_markers, declared_levels=None,
            numbers=self._rules(table), weights=of_weights, keep_ids=False, columns=None, leave_out=None,
        )  # fmt: skip
        data = encode_frame(columns, options)
        if groups := data.one_to_one_in_common_rows if data.missing else ():
            pairs = listing(groups, each=lambda group: " = ".join(map(repr, group)))
            _warn(
                "columns that determine each other one to one in the rows where both are observed: ", pairs,
                "; given one of them, every test of the other finds independence: leave one of them out",
            )  # fmt: skip
        return data

    def _rules(self, table: _Table) -> Mapping[Hashable | None, Any]:
        """Return the rules of the columns and of the target by name."""
        if isinstance(self.numbers, Discretizer):
            raise OptionError(Option("numbers"), " is a Discretizer; fit makes the cuts itself, by a rule")
        numbers = self.numbers if isinstance(self.numbers, Mapping) else {None: self.numbers}
        if table.target in numbers:
            raise OptionError(
                Option("numbers"), f" has a rule for the target, {table.target!r}; give it as ",
                Option("target_numbers", ...),
            )  # fmt: skip
        own_cuts = Mdlp(table.target)
        rules = {
            name: own_cuts if isinstance(rule, str) and rule == _OWN_CUTS else rule for name, rule in numbers.items()
        }
        return {**rules, table.target: self._rule_of_target(table)}

    def _rule_of_target(self, table: _Table) -> str | Sequence[Any]:
        if self.target_numbers is not None:
            return self.target_numbers
        if not _is_to_be_cut(table.y):
            return "levels"
        if table.y.dtype.kind in "iu":
            _warn(
                f"the target has integers of more than {MOST_LEVELS_OF_WHOLE_NUMBERS} values, which are cut into "
                "intervals; if they are classes, say so with ", Option("target_numbers", "levels"),
            )  # fmt: skip
        return "auto"


def _warn(*parts: str | Option) -> None:
    warn_caller(ClimbfastWarning(*parts))


class _Table(NamedTuple):
    """What ``fit`` was given, checked.

    Attributes
    ----------
    names : list of names
        Of the columns of X.
    cells : list of columns
    target : Hashable
        The name of the target, which no column has.
    y : ndarray, shape (rows,)
    weights : ndarray of int64, shape (rows,), or None
    """

    names: list[Hashable]
    cells: list[Any]
    target: Hashable
    y: NDArray[Any]
    weights: NDArray[np.int64] | None


def _columns_of(frame: Any) -> tuple[list[Hashable], list[Any]]:
    """Return the names and the columns of a frame of pandas or polars."""
    names = list(frame.columns)
    if hasattr(frame, "iloc"):
        return names, [frame.iloc[:, i] for i in range(len(names))]
    return names, frame.get_columns()


def _refuse_missing_classes(y: Any) -> None:
    """Refuse a target with missing cells of which scikit-learn does not say that they are missing."""
    cells = np.asarray(y).ravel() if y is not None else np.empty(0)
    if cells.dtype.kind == "M":
        missing = int(np.isnat(cells).sum())
    else:
        missing = sum(map(_is_missing, cells.tolist())) if cells.dtype.kind in "OU" else 0
    if missing:
        raise DataError(f"y has {missing:,} missing cells; leave out their rows, or give them a class of their own")


def _is_missing(cell: Any) -> bool:
    return cell is None or type(cell).__name__ == "NAType" or (isinstance(cell, str) and cell == "")


def _free_name(wanted: Any, names: Sequence[Hashable]) -> Any:
    """Return a name that no column has: the one that is wanted, or "target", or "target_1", and so on."""
    taken = set(names)
    if is_legal_name(wanted) and wanted != "" and wanted not in taken:
        return wanted
    tried, number = "target", 0
    while tried in taken:
        number += 1
        tried = f"target_{number}"
    return tried


def _whole_weights(sample_weight: Any, rows: int) -> NDArray[np.int64]:
    """Return the weights as whole numbers."""
    weights = check_array(sample_weight, ensure_2d=False, dtype=None, input_name="sample_weight")
    if weights.shape != (rows,):
        raise DataError(f"sample_weight has the shape {weights.shape}; it has to be that of y, ({rows},)")
    if weights.dtype.kind not in "iufb":
        raise DataError(f"sample_weight has cells of type {weights.dtype}; they have to be whole numbers")
    odd = np.flatnonzero((weights < 0) | (np.mod(weights, 1) != 0) | (weights >= _LIMIT_OF_WEIGHTS))
    if odd.size:
        raise DataError(
            f"sample_weight has {weights[odd[0]]}; the tests count rows, so that each weight has to be a whole number, "
            "0 or more and below 2^63: how often its row occurs"
        )
    if not weights.any():
        raise DataError("the weights of all samples are zero: no row is left")
    whole: NDArray[np.int64] = weights.astype(np.int64)
    return whole


def _is_to_be_cut(y: NDArray[Any]) -> bool:
    """Whether a target has fractions, or more whole numbers than classes have."""
    if y.dtype.kind not in "iuf":
        return False
    return bool(np.mod(y, 1).any()) or np.unique(y).size > MOST_LEVELS_OF_WHOLE_NUMBERS


def _marginal_strengths(data: Dataset, target: Hashable, test: TestOptions) -> dict[Hashable, float]:
    """Return the strength of each column in the marginal test with the target, in canonical order."""
    column = data.index(target)
    others = [i for i in range(data.columns) if i != column]
    strengths = Tester(data, test).sweep(column, others, ()).tolist()
    return {data.canonical[i]: strength for i, strength in zip(others, strengths, strict=True)}


def _unexplained_in_turn(blanket: Blanket, data: Dataset, test: TestOptions) -> tuple[Hashable, ...]:
    """Return the columns that a blanket leaves unexplained, without those that the ones before them explain."""
    if not blanket.unexplained:
        return ()
    searched = data.without_copies
    tester, name = Tester(searched, test), searched.canonical
    target = searched.index(data.represented.get(blanket.target, blanket.target))
    left = [searched.index(each) for each in blanket.unexplained]
    members = [searched.index(each) for each in blanket.members]
    added: list[int] = []
    while bits := unexplained_each(tester, [outside(target, [*members, *added], left)])[0].bits:
        added.append(next(iter(bits)))
    return tuple(name[x] for x in added)


def _strongest(
    blanket: Blanket, added: Sequence[Hashable], data: Dataset, strengths: Mapping[Hashable, float], fewest: int
) -> tuple[Hashable, ...]:
    """Return the columns that depend on the target most strongly, as many as are missing, and warn of them."""
    selected = {*blanket.members, *added}
    if len(selected) >= fewest:
        return ()
    copies = {copy for name in selected for copy in data.copies.get(name, ())}
    copies.update(name for name, first in data.represented.items() if name != first)
    others = [name for name in strengths if name not in selected]
    others.sort(key=lambda name: (name in copies, -strengths[name]))  # stable: ties in canonical order
    filling = tuple(others[: fewest - len(selected)])
    _warn(
        f"the blanket of {blanket.target!r} has {len(blanket.members)} columns, and {len(selected)} are selected, "
        "fewer than ", Option("min_features", fewest), f"; added are the strongest others: {listing(filling)}",
    )  # fmt: skip
    return filling
