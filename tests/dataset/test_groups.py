"""Connected components against a search from each member."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from climbfast.dataset.groups import linked_groups


def component(start: int, pairs: list[tuple[int, int]]) -> set[int]:
    found = {start}
    while more := {b for pair in pairs for a, b in (pair, pair[::-1]) if a in found} - found:
        found |= more
    return found


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12))
def test_groups(pairs):
    groups = linked_groups(8, pairs)
    assert sorted(i for group in groups for i in group) == list(range(8))
    assert groups == sorted(groups)
    for group in groups:
        assert group == sorted(component(group[0], pairs))
