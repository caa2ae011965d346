"""All pairs at once are what every pair by itself is, and a bound never hides a dependent pair."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings

from climbfast_kernels import independence, patterns, screen
from climbfast_kernels._jit import INTERPRETED
from tests import reference
from tests.factories import EXAMPLES, Arrays, arrays, codes_with_gaps, random_arrays, random_gaps, small_codes
from tests.kernels.naive import rows_of, rules

ROWS = 70 if INTERPRETED else 600


def blocks_of(data: Arrays, size: int) -> list[screen.Block]:
    """Columns of one arity that are all complete or all incomplete, a few at a time."""
    blocks = []
    for arity, incomplete in product(sorted({*data.arity.tolist()} - {1}), (False, True)):
        columns = np.flatnonzero((data.arity == arity) & (data.bits.incomplete == incomplete))
        blocks.extend(
            screen.block(data.bits, data.log_tables, columns[i : i + size]) for i in range(0, len(columns), size)
        )
    return blocks


def screened(data: Arrays, rule: independence.Rule, size: int = 3) -> dict[tuple[int, int], float]:
    most_levels = int(data.arity.max())
    critical = screen.critical_statistics(rule, most_levels)
    work = screen.screen_workspace(size * most_levels + 1, most_levels)
    blocks, found = blocks_of(data, size), {}
    for i, a in enumerate(blocks):
        for b in blocks[i:]:
            screen.intersection_sizes(data.bits.words, a.bitmaps, b.bitmaps, work.sizes)
            if data.bits.incomplete[[a.columns[0], b.columns[0]]].any():
                many, made, fewest = screen.screen_incomplete_blocks(data.bits, data.log_tables, rule, a, b, work)
                assert (made, fewest) == made_one_by_one(data, rule, a, b)
            else:
                many = screen.screen_blocks(data.bits, data.log_tables, rule, critical, a, b, work)
            for x, y, strength in zip(*(array[:many].tolist() for array in work.pairs), strict=True):
                assert (x, y) not in found
                found[x, y] = strength
    return found


def made_one_by_one(data: Arrays, rule: independence.Rule, a: screen.Block, b: screen.Block) -> tuple[int, int]:
    """The number of tests made of the pairs of two blocks, and the fewest rows of these."""
    same = a.columns[0] == b.columns[0]
    pairs = list(combinations(a.columns, 2) if same else product(a.columns, b.columns))
    made = [(x, y) for x, y in pairs if not data.sweep(rule, x, [y], [])[1]]
    return len(made), min((rows_of(data, pair).shape[1] for pair in made), default=data.bits.n_rows)


def swept(data: Arrays, rule: independence.Rule) -> dict[tuple[int, int], float]:
    found = {}
    for x in range(len(data.arity)):
        others = np.arange(x + 1, len(data.arity))
        strengths, _ = patterns.sweep(
            data.codes, data.bits, data.log_tables, data.workspace(), rule, 0, x, others, np.empty(0, np.int64)
        )
        found |= {(x, int(y)): float(s) for y, s in zip(others, strengths, strict=True) if s > 0}
    return found


@pytest.mark.parametrize("rule", rules(10.0), ids=lambda rule: f"{rule.kind}-{rule.adjusted}")
def test_the_same_to_the_bit_as_sweeps(rule):
    data = random_arrays([3, 2, 4, 2, 1, 3, 2, 2, 3, 5, 2], ROWS)
    found = screened(data, rule)
    assert found == swept(data, rule)
    assert 0 < len(found) < 55


@settings(max_examples=EXAMPLES // 3)
@given(small_codes())
def test_any_columns(columns):
    data = arrays(*columns)
    if data.arity.max() > 1:
        for rule in rules():
            assert screened(data, rule) == swept(data, rule)


def test_levels_that_do_not_occur():
    data = random_arrays([3, 2, 3, 2], ROWS)
    declared = arrays(data.codes, (data.arity + 1).tolist())
    for rule in rules():
        assert screened(declared, rule) == swept(declared, rule)


@pytest.mark.parametrize("words", [1, 8, screen.WORDS_PER_STRIP + 3])
def test_intersection_sizes(words):
    rng = np.random.default_rng(words)
    bitmaps = rng.integers(0, 2**63, (9, words)).astype(np.uint64)
    bitmaps.flags.writeable = False
    a, b = np.array([0, 1, 2, 3, 4, 4, 4, 4]), np.array([5, 6, 7, 8])
    sizes = np.full((9, 6), -7, np.int32)
    screen.intersection_sizes(bitmaps, a, b, sizes)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            assert sizes[i, j] == sum(int(v & w).bit_count() for v, w in zip(bitmaps[x], bitmaps[y], strict=True))
    assert (sizes[8] == -7).all()


def test_chi2_of_row_is_that_of_the_textbook():
    data = random_arrays([3, 3, 3, 3], ROWS)
    block = blocks_of(data, 4)[0]
    sizes, chi2 = np.zeros((8, 8), np.int32), np.empty(4)
    screen.intersection_sizes(data.bits.words, block.bitmaps, block.bitmaps, sizes)
    columns = data.codes.tolist()
    for i in range(4):
        screen.chi2_of_row(
            sizes, i, 4, block.rows[:, i], block.inverse[:, i], 4, block.rows, block.inverse, ROWS,
            np.empty((4, 4)), chi2,
        )  # fmt: skip
        for j in range(4):
            assert chi2[j] == pytest.approx(reference.x2(columns[i], 3, columns[j], 3, [], []).statistic, abs=1e-9)


@pytest.mark.parametrize("log10_alpha", [-1.0, -2.0, -9.0, -300.0])
def test_critical_statistics(log10_alpha):
    rule = independence.Rule(independence.G2, log10_alpha, 1e-6, 0, 0.0)
    critical = screen.critical_statistics(rule, 4)
    assert critical[0] == math.inf
    for df in range(1, 10):
        assert screen.chi2_log10_tail(critical[df] * (1 - 1e-9), float(df)) > log10_alpha
        assert screen.chi2_log10_tail(critical[df] * (1 + 1e-9), float(df)) <= log10_alpha


@pytest.mark.parametrize("rule", rules(10.0), ids=lambda rule: f"{rule.kind}-{rule.adjusted}")
def test_blocks_with_missing_cells_are_the_same_to_the_bit_as_sweeps(rule):
    """Complete and incomplete columns of two to nine levels, beside each other and by themselves."""
    arities = [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 7, 7, 8, 9, 9, 1]
    data = arrays(random_gaps(arities, ROWS), arities)
    found = screened(data, rule)
    assert found == swept(data, rule)
    assert 0 < len(found) < 140


@settings(max_examples=EXAMPLES // 3)
@given(codes_with_gaps())
def test_any_columns_with_missing_cells(columns):
    data = arrays(*columns)
    if data.arity.max() > 1:
        for rule in rules(5.0):
            assert screened(data, rule) == swept(data, rule)
