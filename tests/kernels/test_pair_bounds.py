"""The bounds by tables of pairs are below the strengths, and leave out tests that change nothing."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast_kernels import independence, pair_bounds, patterns
from climbfast_kernels._jit import INTERPRETED
from climbfast_kernels.cost_model import AUTO, DENSE
from tests.factories import arrays, draw_codes
from tests.kernels.naive import rules

ROWS = 60 if INTERPRETED else 400
ARITIES = [4, 4, 4, 4, 4, 3, 4]


def are_above(data, rule, candidates, column, known):
    """Which candidates the bound shows to be above ``known``."""
    found = np.zeros(len(candidates), np.bool_)
    pair_bounds.find_surely_above(
        data.bits, data.log_tables, data.workspace(1).table, rule, 0, np.array(candidates), column, np.array(known),
        np.zeros(len(candidates), np.bool_), np.full(len(candidates), pair_bounds.UNKNOWN), found,
    )  # fmt: skip
    return found


def dependent_codes(seed):
    """Column 0 has copies with some cells drawn anew, columns 1 to 4; 5 and 6 are of their own."""
    codes = draw_codes(ARITIES, ROWS, seed)
    rng = np.random.default_rng(seed)
    for column, noise in zip(range(1, 5), (0.05, 0.2, 0.5, 0.8), strict=True):
        codes[column] = np.where(rng.random(ROWS) < noise, codes[column], codes[0])
    return codes


@pytest.mark.parametrize("seed", range(3))
def test_what_is_surely_above_is_above(seed):
    data = arrays(dependent_codes(seed), ARITIES)
    shown = 0
    for rule in rules():
        if rule.kind == independence.X2:
            continue
        for column in (5, 6, 4):
            candidates = [y for y in range(1, 7) if y != column]
            strengths, _ = data.sweep(rule, 0, candidates, [column], AUTO)
            for share in (0.999, 1.001):
                found = are_above(data, rule, candidates, column, share * strengths)
                assert not np.any(found & (strengths <= share * strengths))
                assert not np.any(found & (strengths <= 0))
            shown += are_above(data, rule, candidates, column, strengths / 3).sum()
    assert shown


def test_nothing_is_shown_of_missing_cells():
    codes = dependent_codes(0)
    rule = rules()[0]
    assert are_above(arrays(codes, ARITIES), rule, [1], 5, [1e-9]).all()
    for column in (0, 1, 5):
        with_gaps = codes.copy()
        with_gaps[column, :3] = ARITIES[column]
        assert not are_above(arrays(with_gaps, ARITIES), rule, [1], 5, [1e-9]).any()


@pytest.mark.parametrize("df", [0, 1])
def test_minima_and_counts_are_those_of_all_tests(df):
    data = arrays(dependent_codes(1), ARITIES)
    for rule in rules():
        rule = rule._replace(adjusted=df)
        columns, no = np.arange(1, 7), np.empty(0, np.int64)
        for known in (np.full(6, np.inf), data.sweep(rule, 0, range(1, 7), [], AUTO)[0]):
            found, expected = (
                patterns.weakest_around(
                    data.codes, data.bits, data.log_tables, data.workspace(2), rule, strategy, 0, columns, columns, no,
                    1, 2, known,
                )
                for strategy in (AUTO, DENSE)
            )  # fmt: skip
            for a, b in zip(found, expected, strict=True):
                assert np.array_equal(a, b)
