"""Every strategy of counting gives the figures of the table, to the last bit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels import cost_model, independence, workspace
from climbfast_kernels._jit import INTERPRETED
from climbfast_kernels.counts import count_table
from climbfast_kernels.counts_by_sorting import measure_sorted_rows
from tests.factories import (
    EXAMPLES,
    STRATEGIES,
    Arrays,
    arrays,
    as_codes,
    codes_with_gaps,
    draw_codes,
    random_arrays,
    small_codes,
    weights_of,
)
from tests.kernels.naive import joint, naive_figures, rows_of
from tests.reference import information, log2_regret

FORCED = STRATEGIES[1:]
ROWS = 150 if INTERPRETED else 2000
compiled_only = pytest.mark.skipif(INTERPRETED, reason="too many rows to interpret")


def figures_of(data: Arrays, x: int, y: int, given: Sequence[int], strategy: int = cost_model.AUTO) -> list[int]:
    """The figures of one table; those of codes of four bytes are counted and measured without a sweep around it.

    To compile a sweep for a type of codes takes four times as long as what counts and measures in it.
    """
    if data.codes.itemsize < 4:
        return data.figures(x, y, given, strategy)
    work, columns, tables = data.workspace(len(given)), np.array(given, np.int64), data.log_tables
    workspace.open_strata(work, columns, len(columns))
    unit = independence.chi2_units(data.bits.n_rows, data.arity[x], data.arity[y])
    kind = np.int64(independence.EVERYTHING)
    n_strata = count_table(data.codes, data.bits, work, x, y, strategy, 1)
    if n_strata == 0:
        measure_sorted_rows(data.codes, data.bits, tables, work, x, y, kind, unit)
    else:
        independence.measure(
            work.table, n_strata, data.arity[x], data.arity[y], tables.regret_row[x], tables.regret_row[y], tables.clog,
            tables.log_regret, tables.units, kind, unit, work.by_level, work.figures,
        )  # fmt: skip
    return [int(figure) for figure in work.figures]


@given(small_codes(), st.data())
@settings(max_examples=2 * EXAMPLES)
def test_all_strategies_agree_with_a_table_counted_by_numpy(drawn, draw):
    data = arrays(*drawn)
    x, y, *others = draw.draw(st.permutations(range(len(data.codes))))
    given = others[: draw.draw(st.integers(0, len(others)))]
    expected = naive_figures(data, x, y, given)
    for strategy in STRATEGIES:
        assert data.figures(x, y, given, strategy) == expected


@pytest.mark.parametrize("arity", [1, 2, 3, 63, 64, 65, 128, 129, 255, 256, 257, 65_535, 65_536, 65_537, 70_000])
def test_levels_at_the_edges_of_storage_types(arity):
    """Counted right as x, as y and as given: no wrap-round, and figures as the reference has them."""
    rng = np.random.default_rng(arity)
    edges = np.unique([0, arity // 2, max(arity - 2, 0), arity - 1])
    wide = rng.choice(edges, 90)
    x, y = rng.integers(0, 3, 90), (wide + rng.integers(0, 2, 90)) % 2
    data = arrays(as_codes([x, wide, y], arity), [3, arity, 2])
    for a, b, given in [(0, 1, []), (1, 0, []), (1, 2, [0]), (0, 2, [1])]:
        figures = figures_of(data, a, b, given)
        assert all(figures_of(data, a, b, given, strategy) == figures for strategy in FORCED)
        columns = [data.codes[c].tolist() for c in (a, b, *given)]
        bits = independence.information(np.array(figures)) / data.log_tables.units
        assert bits == pytest.approx(information(columns[0], columns[1], columns[2:]), abs=1e-9)
        assert figures[independence.STRATA] == len({*zip(*columns[2:], strict=True)} or [()])
    regret = figures_of(data, 1, 0, [])[independence.R_X] / data.log_tables.units
    assert regret == pytest.approx(log2_regret(arity, 90), abs=1e-8)


@compiled_only
@pytest.mark.parametrize("arity", [200, 300, 65_535, 70_000])
def test_columns_in_which_every_level_occurs(arity):
    data = random_arrays([arity, 3, 4], 100_000)
    for x, y, given in [(0, 1, [2]), (1, 0, []), (1, 2, [0])]:
        figures = figures_of(data, x, y, given)
        assert all(figures_of(data, x, y, given, strategy) == figures for strategy in FORCED)
    assert figures_of(data, 1, 2, [0])[independence.STRATA] == arity


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("size", [2, 3, 17, 33, 40, 65])
def test_redundant_given_columns_change_nothing(size, strategy):
    """Copies, other names of the levels and functions of the first two columns."""
    x, y, a, b = draw_codes([3, 2, 3, 4], ROWS, seed=size)
    functions = [a, 2 - a, b, (b + 1) % 4, a + 3 * b, (a == b).astype(np.uint8)]
    redundant = [functions[i % 6] for i in range(size - 2)]
    arities = [3, 2, 3, 4, *([3, 3, 4, 4, 12, 2][i % 6] for i in range(size - 2))]
    data = arrays(np.array([x, y, a, b, *redundant]), arities)
    given = np.random.default_rng(size).permutation(np.arange(2, size + 2)).tolist()
    assert data.figures(0, 1, given, strategy) == data.figures(0, 1, [2, 3])


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("arities", [[2] * 17, [2] * 33, [4] * 40, [3] * 65, [20] * 7, [70_000] * 5, [5_000] * 90])
def test_many_given_columns_are_their_configurations_in_one(arities, strategy):
    """Products of arities past 2^31, 2^63, 2^64 and the largest float."""
    rng = np.random.default_rng(len(arities))
    rows = 60 if INTERPRETED else ROWS
    drawn = rng.integers(0, np.array(arities)[:, None], (len(arities), rows))
    drawn[:, rows // 2 :] = drawn[:, : rows - rows // 2]  # every stratum has two rows
    x, y = draw_codes([3, 2], rows)
    together = joint(drawn)
    most_levels = max(*arities, rows)
    data = arrays(as_codes([x, y, together, *drawn], most_levels), [3, 2, int(together.max()) + 1, *arities])
    assert figures_of(data, 0, 1, range(3, 3 + len(arities)), strategy) == figures_of(data, 0, 1, [2])


@given(small_codes(least=3), st.data())
@settings(max_examples=EXAMPLES)
def test_order_and_names_change_nothing(drawn, draw):
    """Order of rows, names of levels, order of the given columns: the same figures to the last bit."""
    codes, arities = drawn
    x, y, *given = range(len(codes))
    figures = arrays(codes, arities).figures(x, y, given)
    names = [np.array(draw.draw(st.permutations(range(k))), np.uint8) for k in arities]
    other = np.array([new[row] for new, row in zip(names, codes, strict=True)])
    other = np.ascontiguousarray(other[:, draw.draw(st.permutations(range(codes.shape[1])))])
    shuffled = arrays(other, arities)
    for strategy in STRATEGIES:
        assert shuffled.figures(x, y, draw.draw(st.permutations(given)), strategy) == figures


@given(small_codes())
@settings(max_examples=EXAMPLES)
def test_symmetry(drawn):
    data = arrays(*drawn)
    _, _, *given = range(len(data.codes))
    straight, mirrored = data.figures(0, 1, given), data.figures(1, 0, given)
    e = independence
    for one, other in [(e.F_X, e.F_Y), (e.R_X, e.R_Y), (e.R_X_GIVEN_Y, e.R_Y_GIVEN_X)]:
        assert (straight[one], straight[other]) == (mirrored[other], mirrored[one])
    for same in (e.F_Z, e.F_XY, e.CHI2, e.DF, e.STRATA):
        assert straight[same] == mirrored[same]


@given(small_codes(least=4, most=4))
@settings(max_examples=EXAMPLES)
def test_chain_rule(drawn):
    """I(X; Y, W | Z) = I(X; Y | Z) + I(X; W | Z, Y), exactly."""
    codes, arities = drawn
    y_and_w = codes[1] * arities[2] + codes[2]
    data = arrays(np.vstack([codes, y_and_w[None]]), [*arities, arities[1] * arities[2]])

    def information(x, y, given):
        return independence.information(np.array(data.figures(x, y, given)))

    assert information(0, 4, [3]) == information(0, 1, [3]) + information(0, 2, [3, 1])


@given(small_codes(least=3))
@settings(max_examples=EXAMPLES)
def test_what_is_a_function_of_the_given_is_independent_by_exactly_0(drawn):
    codes, arities = drawn
    determined = (codes[1] * arities[2] + codes[2]) % 7
    data = arrays(np.vstack([codes, determined[None]]), [*arities, 7])
    for strategy in STRATEGIES:
        figures = np.array(data.figures(0, len(codes), [1, 2], strategy))
        assert independence.information(figures) == 0
        assert independence.sci(figures) <= 0


@pytest.mark.parametrize("rows", [1, 2, 63, 64, 65, 511, 512, 513, 1025])
def test_every_number_of_rows(rows):
    data = random_arrays([2, 3, 2, 2], rows)
    for given in ([], [2], [2, 3]):
        assert all(data.figures(0, 1, given, strategy) == naive_figures(data, 0, 1, given) for strategy in STRATEGIES)


@compiled_only
def test_a_million_rows():
    data = random_arrays([3, 4, 5, 2, 70], 10**6)
    for x, y, given in [(0, 1, []), (0, 1, [2]), (1, 0, [2, 3]), (0, 3, [4, 2]), (4, 0, [1])]:
        expected = naive_figures(data, x, y, given)
        assert all(data.figures(x, y, given, strategy) == expected for strategy in STRATEGIES)


@compiled_only
def test_a_million_different_levels():
    """Every row its own level and stratum: regret and entropy stay inside their integers."""
    rows = 10**6
    x, y = draw_codes([2, 2], rows)
    data = arrays(as_codes([x, y, np.arange(rows)], rows), [2, 2, rows])
    figures = np.array(figures_of(data, 0, 2, []))
    assert independence.information(figures) / data.log_tables.units == pytest.approx(rows, rel=0.01)
    assert figures[independence.R_X_GIVEN_Y] / data.log_tables.units == pytest.approx(rows)
    assert independence.information(np.array(figures_of(data, 0, 1, [2]))) == 0


@given(codes_with_gaps(), st.data())
@settings(max_examples=EXAMPLES)
def test_only_rows_without_missing_cells_are_counted(drawn, draw):
    data = arrays(*drawn)
    x, y, *others = draw.draw(st.permutations(range(len(data.codes))))
    given = others[: draw.draw(st.integers(0, len(others)))]
    expected = naive_figures(data, x, y, given)
    assert expected[independence.ROWS] == rows_of(data, [x, y, *given]).shape[1]
    for strategy in STRATEGIES:
        assert data.figures(x, y, given, strategy) == expected


@given(codes_with_gaps(), st.data())
@settings(max_examples=EXAMPLES // 2)
def test_rows_count_as_often_as_they_occur(drawn, draw):
    codes, arities = drawn
    weights = draw.draw(weights_of(codes.shape[1]))
    x, y, *given = draw.draw(st.permutations(range(len(codes))))
    repeated = arrays(np.repeat(codes, weights, axis=1), arities).figures(x, y, given)
    for strategy in STRATEGIES:
        assert arrays(codes, arities, weights).figures(x, y, given, strategy) == repeated


@pytest.mark.parametrize("arity", [63, 64, 65, 255, 256, 257, 65_535, 65_536])
def test_missing_cells_at_the_edges_of_storage_types(arity):
    """The code of a missing cell is one more than the last level's."""
    wide = np.random.default_rng(arity).choice([0, 1, arity - 1, arity], 90)
    x, y = wide % 3, (wide + np.arange(90) % 2) % 2
    data = arrays(as_codes([x, wide, y], arity + 1), [3, arity, 2])
    for a, b, given in [(0, 1, []), (1, 0, []), (1, 2, [0]), (0, 2, [1])]:
        figures = figures_of(data, a, b, given)
        assert figures[independence.ROWS] == np.sum(wide != arity)
        assert all(figures_of(data, a, b, given, strategy) == figures for strategy in FORCED)
        columns = [column.tolist() for column in rows_of(data, [1])[[a, b, *given]]]
        bits = independence.information(np.array(figures)) / data.log_tables.units
        assert bits == pytest.approx(information(columns[0], columns[1], columns[2:]), abs=1e-9)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("arities", [[2] * 17, [2] * 33, [4] * 40, [3] * 65, [20] * 7])
def test_many_given_columns_with_missing_cells(arities, strategy):
    rng = np.random.default_rng(len(arities))
    rows = 60 if INTERPRETED else 600
    drawn = rng.integers(0, np.array(arities)[:, None], (len(arities), rows))
    drawn[:, rows // 2 :] = drawn[:, : rows - rows // 2]  # every stratum has two rows
    drawn[::5, ::7] = np.array(arities)[::5, None]
    drawn[3, 1::9] = arities[3]
    x, y = draw_codes([3, 2], rows)
    data = arrays(as_codes([x, y, *drawn], max(arities) + 1), [3, 2, *arities])
    given = range(2, 2 + len(arities))
    assert data.figures(0, 1, given, strategy) == naive_figures(data, 0, 1, given)
