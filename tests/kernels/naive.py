"""What kernels are compared with, on the arrays that they take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from climbfast_kernels import independence
from tests import reference
from tests.factories import Arrays

Column = np.ndarray[Any, Any]
EPSILON = 1e-6


def rules(min_rows_per_df: float = 0.0) -> list[independence.Rule]:
    """Every test, χ² with nominal and adjusted degrees of freedom."""
    return [
        independence.Rule(independence.SCI, EPSILON, EPSILON, 0, 0.0),
        independence.Rule(independence.CMI, 0.03, EPSILON, 0, 0.0),
        *(
            independence.Rule(kind, -2.0, EPSILON, adjusted, min_rows_per_df)
            for kind in (independence.G2, independence.X2)
            for adjusted in (0, 1)
        ),
    ]


def rows_of(data: Arrays, columns: Sequence[int]) -> Column:
    """The codes of all columns in the rows that are complete in some, each as often as it occurs."""
    complete = (data.codes[list(columns)] != data.arity[list(columns), None]).all(axis=0)
    weights = np.ones(len(complete), np.int64) if data.weights is None else data.weights
    return np.repeat(data.codes[:, complete], weights[complete], axis=1)


def naive_strength(data: Arrays, rule: independence.Rule) -> reference.Strength:
    """The reference of the test on the rows that are complete in its columns; without such rows nothing depends."""

    def strength(x: int, y: int, given: Sequence[int]) -> float:
        codes = rows_of(data, [x, y, *given])
        if codes.shape[1]:
            return _naive_strength(codes.tolist(), data.arity.tolist(), rule)(x, y, given)
        return rule.threshold if rule.kind in (independence.G2, independence.X2) else -rule.threshold

    return strength


def _naive_strength(columns: list[list[int]], arities: list[int], rule: independence.Rule) -> reference.Strength:
    if rule.kind == independence.SCI:
        return reference.strength_sci(columns, arities)
    if rule.kind == independence.CMI:
        return reference.strength_cmi(columns, cutoff=rule.threshold)
    strength = reference.strength_g2 if rule.kind == independence.G2 else reference.strength_x2
    df = "adjusted" if rule.adjusted else "nominal"
    return strength(columns, arities, df=df, min_rows_per_df=rule.min_rows_per_df)


def joint(columns: Column) -> Column:
    """The configurations of the columns as one column, numbered densely."""
    together = np.zeros(columns.shape[1], np.int64)
    for column in columns:
        together = np.unique(together * 2**20 + column, return_inverse=True)[1]
    return together


def naive_figures(data: Arrays, x: int, y: int, given: Sequence[int]) -> list[int]:
    """The figures of a table that numpy counted."""
    codes = rows_of(data, [x, y, *given])
    z = joint(codes[list(given)])
    kx, ky = int(data.arity[x]), int(data.arity[y])
    strata = int(z.max(initial=0)) + 1
    table = np.zeros((strata, kx, ky), np.int64)
    np.add.at(table, (z, codes[x], codes[y]), 1)
    figures = np.zeros(independence.FIGURES, np.int64)
    independence.measure(
        table.reshape(-1), strata, kx, ky, data.log_tables.regret_row[x], data.log_tables.regret_row[y],
        data.log_tables.clog, data.log_tables.log_regret, data.log_tables.units, independence.EVERYTHING,
        independence.chi2_units(data.bits.n_rows, kx, ky), np.zeros((1, ky), np.int64), figures,
    )  # fmt: skip
    return [int(figure) for figure in figures]
