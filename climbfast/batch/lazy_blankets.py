"""The blankets of a run by name, each unpacked at its first access."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from climbfast.batch.packed_results import PackedResult, PackedResults, unpack_cost, unpack_result
from climbfast.independence.tester import column_array
from climbfast.local.blanket import Blanket
from climbfast.local.find import ColumnNames, name_blanket
from climbfast.local.target_search import TargetResult
from climbfast.workers import read_only

if TYPE_CHECKING:
    from climbfast_kernels.packed_results import Members

__all__ = ["LazyBlankets"]


class LazyBlankets(Mapping[Hashable, Blanket]):
    """Blankets that stay packed until their first access: thousands of them are ready sooner, and take less memory.

    Parameters
    ----------
    names : ColumnNames
    targets : sequence of names
    blankets : PackedResults
        Of every target, see ``pack_result``.
    neighbors : PackedResults or None
        The neighbors of every target if they were searched in a pass of their own, whose cost is added.
    shared_fields : mapping
        The fields that all blankets have in common.
    fewest_screened : mapping of int to int
        The smallest number of rows of the marginal tests of columns, where these were made in a pass of their own and
        cells are missing.
    """

    def __init__(
        self, names: ColumnNames, targets: Sequence[Hashable], blankets: PackedResults, neighbors: PackedResults | None,
        shared_fields: Mapping[str, Any], fewest_screened: Mapping[int, int],
    ) -> None:  # fmt: skip
        self._fewest_screened = fewest_screened
        self._names = names
        self._columns = {target: names.column(target) for target in targets}
        self._blankets, self._neighbors, self._shared_fields = blankets, neighbors, shared_fields
        self._unpacked: dict[Hashable, Blanket] = {}

    def __getitem__(self, target: Hashable) -> Blanket:
        if target not in self._unpacked:
            self._unpacked[target] = self._unpack(target)
        return self._unpacked[target]

    def __contains__(self, target: object) -> bool:
        return target in self._columns

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def canonical(self) -> tuple[Hashable, ...]:
        """The names of the columns that were searched, by column number."""
        return self._names.canonical

    def members(self) -> Members:
        """Return the members of all blankets, by their place and by column number, without making the blankets."""
        from climbfast_kernels.packed_results import PackedArrays, members_of_blankets

        packed = PackedArrays(*map(read_only, self._blankets.arrays))
        found: Members = members_of_blankets(packed, column_array(list(self._columns.values())))
        return found

    def _unpack(self, target: Hashable) -> Blanket:
        x = self._columns[target]
        ints, floats = self._blankets[x]
        # A copy: a view would keep the packed results of all columns in memory.
        result, cost = unpack_result(PackedResult(ints.copy(), floats))
        costs = [cost] if self._neighbors is None else [unpack_cost(self._neighbors[x]), cost]
        tests, skipped, fewest_rows, seconds, bounded = zip(*costs, strict=True)
        how = {
            **self._shared_fields,
            "tests_by_size": tuple(map(sum, zip_longest(*tests, fillvalue=0))),
            "skipped": sum(skipped),
            "bounded": max(bounded),
            "fewest_rows": min(*fewest_rows, *self._fewest_of_searches(x, self._searched_around(x, result))),
            "seconds": sum(seconds),
        }
        return name_blanket(self._names, target, result, how)

    def _searched_around(self, x: int, result: TargetResult) -> Sequence[int]:
        """Return the columns around which a search of x alone would search as well."""
        if self._neighbors is not None and self._shared_fields["options"].get("colliders"):
            return self._neighbors.members_of(x)  # also those that did not find x in turn
        return result.neighbors

    def _fewest_of_searches(self, x: int, neighbors: Iterable[int]) -> Iterator[int]:
        """Yield the fewest rows of the marginal tests of a column and its neighbors, and of their searches."""
        for y in (x, *neighbors):
            yield self._fewest_screened.get(y, self._shared_fields["rows"])
            if self._neighbors is not None and y in self._neighbors:
                yield unpack_cost(self._neighbors[y]).fewest_rows
