"""The blankets of a run by name, each unpacked at its first access."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from climbfast.batch.packed_results import PackedResult, PackedResults, unpack_cost, unpack_result
from climbfast.dataset import Dataset
from climbfast.local.blanket import Blanket
from climbfast.local.find import ColumnNames, name_blanket

__all__ = ["LazyBlankets"]


class LazyBlankets(Mapping[Hashable, Blanket]):
    """Blankets that stay packed until their first access: thousands of them are ready sooner, and take less memory.

    Parameters
    ----------
    data : Dataset
        Only the names of its columns are kept.
    targets : sequence of int
    blankets : PackedResults
        Of every target, see ``pack_result``.
    neighbors : PackedResults or None
        The neighbors of every target if they were searched in a pass of their own, whose cost is added.
    shared_fields : mapping
        The fields that all blankets have in common.
    """

    def __init__(
        self, data: Dataset, targets: Sequence[int], blankets: PackedResults, neighbors: PackedResults | None,
        shared_fields: Mapping[str, Any],
    ) -> None:  # fmt: skip
        self._names = ColumnNames(data.canonical, data.positions)
        self._columns = {data.canonical[x]: x for x in targets}
        self._blankets, self._neighbors, self._shared_fields = blankets, neighbors, shared_fields
        self._unpacked: dict[Hashable, Blanket] = {}

    def __getitem__(self, target: Hashable) -> Blanket:
        if target not in self._unpacked:
            self._unpacked[target] = self._unpack(self._columns[target])
        return self._unpacked[target]

    def __contains__(self, target: object) -> bool:
        return target in self._columns

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def _unpack(self, x: int) -> Blanket:
        ints, floats = self._blankets[x]
        # A copy: a view would keep the packed results of all columns in memory.
        result, cost = unpack_result(PackedResult(ints.copy(), floats))
        costs = [cost] if self._neighbors is None else [unpack_cost(self._neighbors[x]), cost]
        tests, skipped, seconds = zip(*costs, strict=True)
        how = {
            **self._shared_fields,
            "tests_by_size": tuple(map(sum, zip_longest(*tests, fillvalue=0))),
            "skipped": sum(skipped),
            "seconds": sum(seconds),
        }
        return name_blanket(self._names, x, result, how)
