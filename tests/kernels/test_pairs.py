"""Marginal tests of two columns, by bitmaps alone, have the figures of a table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from climbfast_kernels import cost_model, independence, pairs
from tests import reference
from tests.factories import EXAMPLES, Arrays, arrays, random_arrays, random_gaps, small_codes
from tests.kernels.naive import naive_figures, rules

NOTHING = -99.0
SUMS = (
    independence.F_Z,
    independence.F_X,
    independence.F_Y,
    independence.F_XY,
    independence.DF,
    independence.STRATA,
    independence.ROWS,
)
REGRETS = (independence.R_X, independence.R_X_GIVEN_Y, independence.R_Y, independence.R_Y_GIVEN_X)


def swept(data: Arrays, rule: independence.Rule, target: int, candidates: list[int]) -> tuple[list[float], int]:
    """Strengths, NOTHING where bitmaps do not count cheapest, and the number of tests skipped."""
    bits, logs, work = data.bits, data.log_tables, data.workspace()
    strengths = np.full(len(candidates), NOTHING)
    skipped = pairs.sweep_pairs(
        bits.words, bits.offset, bits.arity, bits.count, bits.incomplete, bits.n_rows, logs.regret_row, logs.clog,
        logs.log_regret, logs.units, rule, target, np.array(candidates), work.table, work.figures, work.stop, strengths,
    )  # fmt: skip
    return strengths.tolist(), int(skipped)


@given(small_codes())
@settings(max_examples=EXAMPLES)
def test_sweep_pairs(drawn):
    """The same to the bit as by sorting."""
    data = arrays(*drawn)
    candidates = list(range(1, len(data.codes)))
    for rule in rules(min_rows_per_df=5.0):
        strengths, skipped = data.sweep(rule, 0, candidates, [], cost_model.SPARSE)
        assert swept(data, rule, 0, candidates) == (strengths.tolist(), skipped)


def test_columns_that_bitmaps_do_not_count_best_are_left_alone():
    data = random_arrays([3, 40, 300, 40], 400)
    strengths, skipped = swept(data, rules()[0], 1, [0, 2, 3])
    assert [strength == NOTHING for strength in strengths] == [False, True, True]
    assert skipped == 0


@given(small_codes(least=3))
@settings(max_examples=EXAMPLES)
def test_measure_pairs(drawn):
    data = arrays(*drawn)
    bits, logs, work = data.bits, data.log_tables, data.workspace()
    columns, others = np.array([0, 1, 2]), np.array([1, 2, 0])
    figures = np.zeros((3, independence.FIGURES), np.int64)
    pairs.measure_pairs(
        bits.words, bits.offset, bits.arity, bits.count, bits.incomplete, logs.regret_row, logs.clog, logs.log_regret,
        logs.units, columns, others, work.table, work.by_level[:1], figures,
    )  # fmt: skip
    for found, x, y in zip(figures, columns, others, strict=True):
        expected = naive_figures(data, x, y, [])
        assert [found[figure] for figure in (*SUMS, *REGRETS)] == [expected[figure] for figure in (*SUMS, *REGRETS)]


@given(small_codes())
@settings(max_examples=EXAMPLES)
def test_parts(drawn):
    data = arrays(*drawn)
    bits, logs = data.bits, data.log_tables
    x, y, *_ = data.codes.tolist()
    kx, ky = data.arity[:2].tolist()
    first_x, first_y = bits.offset[:2].tolist()
    rows, units = len(x), logs.units
    entropy, occurring = pairs.entropy_of_margin(bits.count, first_x, kx, logs.clog, units)
    assert occurring == len({*x})
    assert entropy / units == pytest.approx(rows * np.log2(rows) - reference.entropy_bits(x, []), abs=1e-9)
    regret = pairs.regret_of_margin(bits.count, first_x, kx, logs.log_regret, units, logs.regret_row[1], ky)
    assert regret / units == pytest.approx(reference.conditional_regret(ky, [x], rows), abs=1e-9)
    table, unit = np.zeros((kx, ky), np.int64), independence.chi2_units(rows, kx, ky)
    np.add.at(table, (x, y), 1)
    chi2 = pairs.chi2_of_pair(table.reshape(-1), bits.count, first_x, kx, first_y, ky, rows, unit)
    assert chi2 / unit - rows == pytest.approx(reference.x2(x, kx, y, ky, [], []).statistic, abs=1e-9)


def test_columns_with_missing_cells_are_left_alone():
    arities = [2, 3, 2, 2]
    data = arrays(random_gaps(arities, 50), arities)
    bits, logs, work = data.bits, data.log_tables, data.workspace()
    strengths, skipped = swept(data, rules()[0], 1, [0, 2, 3])
    assert [strength == NOTHING for strength in strengths] == [True, True, False]
    assert skipped == 0
    figures = np.full((3, independence.FIGURES), -1, np.int64)
    pairs.measure_pairs(
        bits.words, bits.offset, bits.arity, bits.count, bits.incomplete, logs.regret_row, logs.clog, logs.log_regret,
        logs.units, np.array([1, 0, 1]), np.array([0, 3, 3]), work.table, work.by_level[:1], figures,
    )  # fmt: skip
    assert [(row == -1).all() for row in figures] == [True, True, False]
