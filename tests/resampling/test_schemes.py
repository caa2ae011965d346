"""The rows of replicates: which are drawn, how often, and from which random numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from climbfast.resampling.schemes import SCHEMES, draw_rows

rows = st.integers(1, 60)
seeds = st.integers(0, 5)


@given(rows, seeds, st.integers(0, 9))
def test_with_replacement_by_the_child_of_the_seed(rows, seed, replicate):
    child = np.random.SeedSequence(seed).spawn(replicate + 1)[replicate]
    drawn = draw_rows("bootstrap", rows, seed, replicate)
    assert drawn.tolist() == sorted(np.random.default_rng(child).integers(rows, size=rows).tolist())


@given(rows, seeds, st.integers(0, 9))
def test_a_half_has_no_row_twice(rows, seed, replicate):
    drawn = draw_rows("half", rows, seed, replicate).tolist()
    assert len(drawn) == len(set(drawn)) == max(rows // 2, 1)
    assert drawn == sorted(drawn)
    assert set(drawn) <= set(range(rows))


@given(st.integers(2, 60), seeds, st.integers(0, 4))
def test_complementary_halves_have_no_common_row(rows, seed, pair):
    one, other = (set(draw_rows("complementary", rows, seed, 2 * pair + i).tolist()) for i in (0, 1))
    assert len(one) == len(other) == rows // 2
    assert not one & other


def test_pairs_differ_from_each_other():
    drawn = {tuple(draw_rows("complementary", 40, 0, replicate).tolist()) for replicate in range(7)}
    assert len(drawn) == 7  # an odd number: the last half has no partner


@pytest.mark.parametrize("scheme", SCHEMES)
def test_one_row(scheme):
    assert [draw_rows(scheme, 1, 0, replicate).tolist() for replicate in range(3)] == [[0]] * 3


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_row_is_as_likely(scheme):
    drawn = np.concatenate([draw_rows(scheme, 10, 0, replicate) for replicate in range(2000)])
    share = np.bincount(drawn, minlength=10) / 2000
    assert np.abs(share - (1 if scheme == "bootstrap" else 0.5)).max() < 0.1
