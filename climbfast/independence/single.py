"""One test of conditional independence with all its figures."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import Dataset, ReadingOptions, as_dataset
from climbfast.errors import OptionError
from climbfast.independence.tester import Tester, column_array
from climbfast.independence.tests import TestOptions, as_test, options_of_test
from climbfast.interrupts import interruptible

__all__ = ["TestResult", "test"]


@dataclass(frozen=True, repr=False)
class TestResult:
    """The result of one test of conditional independence, with all its figures.

    Attributes
    ----------
    test : str
    options : mapping of str to value
        The options of the test.
    x, y : Hashable
    given : tuple
        Names of the columns.
    rows : int
        The rows in which no cell of the test is missing.
    strength : float
        > 0 dependent, ≤ 0 independent. In bits for SCI; log10 α − log10 p for G² and X²; bits per row minus the cutoff
        for CMI.
    independent : bool
    information : float
        n·I(x; y | given), bits.
    strata, levels_x, levels_y : int
        Size of the table: configurations of ``given`` that occur, levels of x and y in the whole column.
    sci, sc_x, sc_x_given_y, sc_y, sc_y_given_x : float or None
        SCI before any cut-off and the stochastic complexities it is made of, all given ``given``, bits.
    regret_x, regret_x_given_y, regret_y, regret_y_given_x : float or None
        The regrets in them, bits.
    statistic, df, p_value, log10_p : float or None
        Of G² and X². ``log10_p`` does not underflow.
    skipped : bool
        Whether there were too few rows per degree of freedom, or none at all; then independent.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(500, seed=1)
    >>> found = cf.test(data, "smoking", "heart_disease", given=["age"])
    >>> print(found)
    smoking, heart_disease | age: dependent by sci, strength 51.9896
    >>> round(found.sc_x - found.sc_x_given_y, 1), found.strata, found.rows
    (52.0, 3, 500)
    """

    test: str
    x: Hashable
    y: Hashable
    given: tuple[Hashable, ...]
    rows: int
    strength: float
    independent: bool
    information: float
    strata: int
    levels_x: int
    levels_y: int
    sci: float | None = None
    sc_x: float | None = None
    sc_x_given_y: float | None = None
    sc_y: float | None = None
    sc_y_given_x: float | None = None
    regret_x: float | None = None
    regret_x_given_y: float | None = None
    regret_y: float | None = None
    regret_y_given_x: float | None = None
    statistic: float | None = None
    df: float | None = None
    p_value: float | None = None
    log10_p: float | None = None
    skipped: bool = False
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures that belong to this test."""
        return {key: value for key, value in asdict(self).items() if value is not None}

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON."""
        return json.dumps(self.to_dict(), default=str)

    def __str__(self) -> str:
        given = f" | {', '.join(map(str, self.given))}" if self.given else ""
        verdict = "independent" if self.independent else "dependent"
        return f"{self.x}, {self.y}{given}: {verdict} by {self.test}, strength {self.strength:.6g}"

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.single import test_result_html

        return test_result_html(self)

    def __repr__(self) -> str:
        return f"<TestResult: {self}>"


@interruptible
def test(
    data: Dataset | Any,
    x: Hashable,
    y: Hashable,
    given: Iterable[Hashable] | Hashable = (),
    test: str | TestOptions = "sci",
    *,
    min_bits: float | str | None = None,
    counting: str = "auto",
    **reading: Unpack[ReadingOptions],
) -> TestResult:
    """Test whether two columns are independent given others.

    Parameters
    ----------
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    x, y : Hashable
        Column names.
    given : sequence of Hashable
        Names of the columns to condition on, any number; a single name may stand alone.
    test : {"sci", "g2", "x2", "cmi"} or SCI or G2 or X2 or CMI
    min_bits : float, "auto" or None
        Short for ``test=SCI(min_bits=...)``.
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The strategy of counting; the figures are the same.
    **reading
        Options of ``Dataset.from_frame`` for a frame, see ``markov_blanket``.

    Returns
    -------
    TestResult

    Raises
    ------
    DataError
        If a frame cannot be read as discrete data.
    UnknownColumnError
        For a name that the data do not have.
    OptionError
        For an unknown test or strategy of counting, or a column named twice.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> cf.test(data, "cholesterol", "chest_pain").independent
    False
    >>> result = cf.test(data, "cholesterol", "chest_pain", given=["heart_disease"], test="g2")
    >>> result.independent, result.df
    (True, 4.0)
    """
    data = as_dataset(data, **reading)
    tester = Tester(data, as_test(test, min_bits=min_bits), counting=counting)
    columns = [data.index(name) for name in (x, y, *_listed(data, given))]
    names = [data.canonical[column] for column in columns]
    for name, column in zip(names, columns, strict=True):
        if columns.count(column) > 1:
            raise OptionError(f"column {str(name)!r} is named twice; x, y and the given columns have to differ")
    return _examine(tester, columns, names)


def _listed(data: Dataset, given: Any) -> tuple[Hashable, ...]:
    """Return the names: one may stand alone, as people write it, and a tuple may be a name."""
    if given is None:
        return ()
    if isinstance(given, str) or not isinstance(given, Iterable):
        return (given,)
    try:
        return (given,) if isinstance(given, tuple) and given in data.positions else tuple(given)
    except TypeError:  # a tuple of what cannot be a name
        return tuple(given)


test.__test__ = False  # type: ignore[attr-defined]  # pytest collects functions of this name
TestResult.__test__ = False  # type: ignore[attr-defined]  # and classes


def _examine(tester: Tester, columns: list[int], names: Sequence[Hashable]) -> TestResult:
    from climbfast_kernels import independence as kernels
    from climbfast_kernels.patterns import examine

    data, log_tables = tester.data, tester.data.log_tables
    rule = tester.rule if len(columns) > 2 else tester.marginal_rule
    work = tester.workspace(len(columns) - 2)
    given = column_array(tester.without_copies(columns[2:]))
    chi2_unit = examine(
        data.codes, data.bits, log_tables, work, tester.strategy, columns[0], columns[1], given
    )  # fmt: skip
    figures = work.figures
    levels = [int(data.arity[c]) for c in columns]
    nominal = kernels.nominal_df(levels[0], levels[1], kernels.configurations(data.arity, given, len(given)))
    strength, made = kernels.strength(figures, rule, nominal, log_tables.units, chi2_unit, np.inf)
    return TestResult(
        test=tester.test.name,
        x=names[0],
        y=names[1],
        given=tuple(names[2:]),
        rows=int(figures[kernels.ROWS]),
        strength=float(strength),
        independent=not strength > 0,
        information=float(kernels.information(figures) / log_tables.units),
        strata=int(figures[kernels.STRATA]),
        levels_x=levels[0],
        levels_y=levels[1],
        **_complexities(figures, log_tables.units) if rule.kind == kernels.SCI else {},
        **_chi2_figures(tester, figures, nominal, chi2_unit) if rule.kind in (kernels.G2, kernels.X2) else {},
        skipped=not made,
        options={**options_of_test(tester.test), **data.treatment.options(names)},
    )


def _complexities(figures: NDArray[np.int64], units: float) -> dict[str, float]:
    """SCI and its parts in bits; SC(X|·) = n·H(X|·) + Δ(X|·)."""
    from climbfast_kernels import independence as kernels

    z, x, y, xy = (int(figures[f]) for f in (kernels.F_Z, kernels.F_X, kernels.F_Y, kernels.F_XY))
    regrets = [kernels.R_X, kernels.R_X_GIVEN_Y, kernels.R_Y, kernels.R_Y_GIVEN_X]
    names = ["x", "x_given_y", "y", "y_given_x"]
    entropies = [z - x, y - xy, z - y, x - xy]
    result = {"sci": int(kernels.sci(figures)) / units}
    for name, entropy, regret in zip(names, entropies, regrets, strict=True):
        result[f"sc_{name}"] = (entropy + int(figures[regret])) / units
        result[f"regret_{name}"] = int(figures[regret]) / units
    return result


def _chi2_figures(tester: Tester, figures: NDArray[np.int64], nominal: float, chi2_unit: float) -> dict[str, float]:
    from climbfast_kernels import independence as kernels
    from climbfast_kernels.chi2 import chi2_log10_tail

    rule = tester.rule
    statistic = kernels.chi2_statistic(figures, rule.kind, tester.data.log_tables.units, chi2_unit)
    df = float(figures[kernels.DF]) if rule.adjusted else nominal
    log10_p = chi2_log10_tail(float(statistic), df)
    return {"statistic": float(statistic), "df": df, "p_value": 10.0**log10_p, "log10_p": float(log10_p)}
