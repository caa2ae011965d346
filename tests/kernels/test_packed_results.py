"""Kernels pack what they found as Python does."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast.batch.packed_results import Cost, PackedResults, pack_neighbors, pack_result, unpack_neighbors
from climbfast.independence.tester import Tester
from climbfast.local.compiled import getpcd_each
from climbfast.local.getpcd import getpcd
from climbfast.local.target_search import TargetResult
from climbfast_kernels import packed_results
from climbfast_kernels.getpcd import SEPARATED
from tests.factories import draw_net, quiet_codes


def test_members_of_blankets():
    """Of targets in any order, and with figures that some members do not have."""
    results = {
        0: TargetResult(
            parents=(1,), children=(3, 4), undecided=(2,), spouses={6: {3: 1.5, 4: 7.5}, 5: {}},
            strengths={1: 0.25, 2: 0.5, 3: 0.75, 4: 1.0}, margins={4: 8.0, 1: 9.0, 2: 0.5}, separators={7: (1, 3)},
        ),
        2: TargetResult(),
        5: TargetResult(children=(0,), strengths={0: 2.0}, whole_blanket=True),
    }  # fmt: skip
    packed = {x: pack_result(result, Cost((3, x), 1, 9, 0.5)) for x, result in results.items()}
    gathered = PackedResults.gather(packed, 8).arrays
    for array in gathered:
        array.flags.writeable = False
    found = packed_results.members_of_blankets(packed_results.PackedArrays(*gathered), np.array([5, 0, 2, 0]))
    nan = float("nan")
    of_first = [(1, 0, 9.0, 0.25), (3, 1, nan, 0.75), (4, 1, 8.0, 1.0), (2, 2, 0.5, 0.5), (6, 3, nan, 7.5),
                (5, 3, nan, nan)]  # fmt: skip
    expected = [(0, 0, 1, nan, 2.0), *((1, *each) for each in of_first), *((3, *each) for each in of_first)]
    assert len(found.column) == len(expected)
    for array, values in zip(found, zip(*expected, strict=True), strict=True):
        np.testing.assert_array_equal(array, values)


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
    grown = getpcd_each(tester, range(data.columns), *lists, most_given, None)
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
