"""No search depends on names, or on the order of rows, columns and levels; ``tests.invariance`` compares more data."""

from __future__ import annotations

import pytest

from tests.invariance import differing, draw_codes, named


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_every_search_finds_the_same(seed):
    assert differing(seed, namings=1) == []


def test_the_data_have_ties_and_copies():
    for seed in range(4):
        data = named(draw_codes(seed), None).data
        counts = [tuple(sorted(of_one.tolist())) for of_one in data.without_copies.level_counts]
        assert len(set(counts)) < len(counts)
        assert data.copies
        assert bool(data.missing) == (seed == 3)
