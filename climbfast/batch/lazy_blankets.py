"""The blankets of a run by name, each put together when it is first asked for."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from climbfast.batch.packed_results import PackedResult, PackedResults, unpack_cost, unpack_result
from climbfast.dataset import Dataset
from climbfast.local.blanket import Blanket
from climbfast.local.find import ColumnNames, named_blanket

__all__ = ["LazyBlankets"]


class LazyBlankets(Mapping[Hashable, Blanket]):
    """What a run found, as records until a blanket is asked for: a result of thousands is there sooner, and smaller.

    Parameters
    ----------
    data : Dataset
        The names of its columns are kept, not the columns.
    targets : sequence of int
    blankets : PackedResults
        Of every target, see ``pack_result``.
    searches : PackedResults or None
        Of the neighbors of every target, if they were searched by themselves: they cost something too.
    in_common : mapping
        The fields that say how all were found.
    """

    def __init__(
        self, data: Dataset, targets: Sequence[int], blankets: PackedResults, searches: PackedResults | None,
        in_common: Mapping[str, Any],
    ) -> None:  # fmt: skip
        self._names = ColumnNames(data.canonical, data.positions)
        self._columns = {data.canonical[x]: x for x in targets}
        self._blankets, self._searches, self._in_common = blankets, searches, in_common
        self._named: dict[Hashable, Blanket] = {}

    def __getitem__(self, target: Hashable) -> Blanket:
        if target not in self._named:
            self._named[target] = self._blanket_of(self._columns[target])
        return self._named[target]

    def __contains__(self, target: object) -> bool:
        return target in self._columns

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def _blanket_of(self, x: int) -> Blanket:
        ints, floats = self._blankets[x]
        result, cost = unpack_result(
            PackedResult(ints.copy(), floats)
        )  # else one blanket would keep the records of all
        costs = [cost] if self._searches is None else [unpack_cost(self._searches[x]), cost]
        tests, skipped, seconds = zip(*costs, strict=True)
        how = {
            **self._in_common,
            "tests_by_size": tuple(map(sum, zip_longest(*tests, fillvalue=0))),
            "skipped": sum(skipped),
            "seconds": sum(seconds),
        }
        return named_blanket(self._names, x, result, how)
