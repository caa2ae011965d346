"""Tables that are counted block of rows by block of rows."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast_kernels import bits, cost_model, counts_by_blocks, patterns, set_sums, workspace
from climbfast_kernels._jit import INTERPRETED
from tests.factories import arrays, draw_codes
from tests.kernels.naive import rules

WORDS = 2 * bits.WORDS_PER_BLOCK if INTERPRETED else bits.WORDS_OF_ROW_BLOCK
ROWS_OF_BLOCK = 64 * WORDS
ARITIES = [3, 2, 4, 3, 2, 3, 1]
GIVEN = [[1], [3, 1], [1, 2, 3]]


@pytest.fixture(autouse=True)
def few_words(monkeypatch):
    if INTERPRETED:  # blocks of few rows, which are then counted so, too
        monkeypatch.setattr(counts_by_blocks, "WORDS_OF_ROW_BLOCK", WORDS)
        monkeypatch.setattr(counts_by_blocks, "NS_PER_WORD_OF_BLOCK", 0.0)
        monkeypatch.setattr(set_sums, "FEWEST_WORDS", 0)


def data_of(blocks, *, gaps=()):
    """Columns of which some combinations do not occur, in whole blocks of which the last one is not full."""
    codes = draw_codes(ARITIES, blocks * ROWS_OF_BLOCK - 50, seed=1)
    codes[3] = np.where(codes[1] == 1, 0, codes[3])
    missing = np.random.default_rng(0).random((len(gaps), codes.shape[1])) < 0.2
    codes[list(gaps)] = np.where(missing, np.array(ARITIES)[list(gaps), None], codes[list(gaps)])
    return arrays(codes, ARITIES)


def open_strata(data, given):
    work = data.workspace(3)
    workspace.open_strata(work, np.array(given), len(given))
    return work


def naive_table(data, target, candidate, given):
    """Counts of the complete rows by (given, target, candidate)."""
    columns = [*given, target, candidate]
    complete = (data.codes[columns] < data.arity[columns, None]).all(axis=0)
    shape = data.arity[columns]
    cells = np.ravel_multi_index(data.codes[columns][:, complete].astype(np.int64), shape)
    return np.bincount(cells, minlength=int(shape.prod()))


@pytest.mark.parametrize("gaps", [(), (0,), (1, 5), (4,)], ids=str)
@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_tables(given, gaps):
    data = data_of(2, gaps=gaps)
    work, candidates = open_strata(data, given), np.array([4, 5, 6])
    n_strata = counts_by_blocks.count_by_blocks(data.bits, work, 0, candidates)
    assert n_strata == data.arity[given].prod()
    expected = np.concatenate([naive_table(data, 0, y, given) for y in candidates])
    assert work.table[: len(expected)].tolist() == expected.tolist()


@pytest.mark.parametrize("few_rows", [False, True])
@pytest.mark.parametrize("gaps", [(), (1, 5)], ids=str)
def test_strengths_are_those_of_other_ways(gaps, few_rows):
    """Sweeps and weakest strengths of every test; one of three given columns is counted so.

    With few rows per degree of freedom, tests of candidates of three levels are skipped, which lie between others.
    """
    data = data_of(3 if INTERPRETED else 9, gaps=gaps)
    work = open_strata(data, GIVEN[-1])
    assert counts_by_blocks.are_counted_by_blocks(data.bits, work, cost_model.AUTO, 0, np.array([4, 5]), 0, 2)
    assert not counts_by_blocks.are_counted_by_blocks(data.bits, work, cost_model.DENSE, 0, np.array([4, 5]), 0, 2)
    columns = np.arange(1, 7)
    nominal = 3 * int(data.arity[GIVEN[-1]].prod())  # between those of candidates of two and of three levels
    for rule in rules(data.bits.n_rows / nominal if few_rows else 0.0):
        for given in GIVEN:
            candidates = [x for x in (5, 4, 6, 1, 2, 3) if x not in given]
            found = data.sweep(rule, 0, candidates, given)
            assert found[0].tolist() == data.sweep(rule, 0, candidates, given, cost_model.DENSE)[0].tolist()
        found, expected = (
            patterns.weakest_around(
                data.codes, data.bits, data.log_tables, data.workspace(3), rule, strategy, 0, columns, columns,
                np.empty(0, np.int64), 1, 3, np.full(6, np.inf),
            )
            for strategy in (cost_model.AUTO, cost_model.DENSE)
        )  # fmt: skip
        for one, other in zip(found, expected, strict=True):
            assert np.array_equal(one, other)


def test_what_cannot_be_counted_so():
    few_rows = arrays(draw_codes(ARITIES, 500), ARITIES)
    assert not counts_by_blocks.are_counted_by_blocks(
        few_rows.bits, open_strata(few_rows, [1, 2]), cost_model.AUTO, 0, np.array([4]), 0, 1
    )
    many_levels = [3, 2, 4, 70]
    data = arrays(draw_codes(many_levels, ROWS_OF_BLOCK - 50), many_levels)
    for target, given, candidate in ((3, [1], 2), (0, [3], 2), (0, [1], 3), (0, [], 2)):
        work = open_strata(data, given) if given else data.workspace(1)
        assert not counts_by_blocks.are_counted_by_blocks(
            data.bits, work, cost_model.AUTO, target, np.array([candidate]), 0, 1
        )


def test_bitmaps_made_before_are_not_taken_for_those_of_blocks():
    data = data_of(1)
    work = open_strata(data, [1, 2])
    before = data.figures(0, 4, [1, 2], cost_model.BITMAPS, work)
    counts_by_blocks.count_by_blocks(data.bits, work, 0, np.array([4]))
    assert data.figures(0, 4, [1, 2], cost_model.BITMAPS, work) == before


def test_it_stops():
    data = data_of(1)
    work = open_strata(data, [1])
    work.stop[0] = 1
    assert counts_by_blocks.count_by_blocks(data.bits, work, 0, np.array([4])) == 0
