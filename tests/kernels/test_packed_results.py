"""Kernels pack what they found as Python does."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast.batch.packed_results import (
    PackedResults,
    pack_neighbors,
    unpack_neighbors,
)
from climbfast.independence.tester import Tester
from climbfast.local.compiled import getpcd_each
from climbfast.local.getpcd import getpcd
from climbfast_kernels import packed_results
from climbfast_kernels.getpcd import SEPARATED
from tests.factories import draw_net, quiet_codes


@pytest.mark.parametrize("most_given", [0, 1, 3])
def test_neighbors_of_getpcd(most_given):
    data = quiet_codes(draw_net(5))
    tester, alone = Tester(data, "g2"), Tester(data, "g2")
    first, candidates, strengths = [0], [], []
    for x in range(data.columns):
        others = [y for y in range(data.columns) if y != x]
        for y, strength in zip(others, alone.sweep(x, others, ()), strict=True):
            if strength > 0:
                candidates.append(y)
                strengths.append(strength)
        first.append(len(candidates))
    lists = np.array(first), np.array(candidates), np.array(strengths)
    grown = getpcd_each(tester, range(data.columns), *lists, most_given)
    written = packed_results.pack_getpcd(
        *lists[:2], grown.state, grown.strengths, grown.separators, grown.tests, grown.skipped, grown.fewest_rows
    )
    for x, packed in enumerate(PackedResults.with_seconds(written, data.columns * 0.5)):
        others = [y for y in range(data.columns) if y != x]
        expected = getpcd(alone, x, others, most_given)
        found, cost = unpack_neighbors(packed)
        nonempty = {y: s for y, s in expected.separators.items() if s}
        assert (found.members, found.strengths) == (expected.members, expected.strengths)
        assert {y: s for y, s in found.separators.items() if s} == nonempty
        assert cost.seconds == 0.5
        again = pack_neighbors(found, cost)
        assert [array.tolist() for array in again] == [array.tolist() for array in packed]
    assert SEPARATED in grown.state or most_given == 0
