"""Frequencies added to the result of the same search on the data themselves."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from climbfast.blankets.blankets import Blankets
from climbfast.errors import OptionError
from climbfast.graphs.graph import Edge, Graph
from climbfast.local.blanket import Blanket
from climbfast.names import listing
from climbfast.resampling.records import ROLES

if TYPE_CHECKING:
    from climbfast.resampling.result import Bootstrap

__all__ = ["Result", "with_frequencies"]

Result = TypeVar("Result", bound=Graph | Blanket | Blankets)

BLANKET_SEARCHES = ("blanket", "blankets")
DEFAULTS = {"method": "climb", "test": "sci"}  # of these searches

BOOTSTRAP = "bootstrap"  # the option of a result that says how its frequencies were found


def with_frequencies(result: Any, found: Bootstrap) -> Any:
    """Return a result with its frequencies, see ``Bootstrap.added_to``."""
    if isinstance(result, Graph):
        return _graph_with(result, found)
    if isinstance(result, Blanket):
        return _Members(found).added_to(result)
    if isinstance(result, Blankets):
        members = _Members(found)
        _refuse_other_data(result.how.get("data"), found)
        blankets = [members.added_to(blanket) for blanket in result.found]
        return Blankets(blankets, {**result.how, BOOTSTRAP: _how(found)}, result.data)
    raise OptionError(f"{type(result).__name__} has no frequencies; add them to a Graph, a Blanket or Blankets")


def _how(found: Bootstrap) -> dict[str, Any]:
    return {"replicates": found.replicates, "scheme": found.scheme, "seed": found.seed}


def _refuse_other_columns(result: Graph | Blanket, names: Iterable[Hashable], known: Collection[Hashable]) -> None:
    """Refuse a result with a name that is not among the columns of the replicates, or with more or fewer columns."""
    for name in names:
        if name not in known:
            raise OptionError(
                f"the result has {name!r}, which is no column of the replicates; add their frequencies to a result of "
                "the same data"
            )
    if result.columns not in (0, len(known)):  # 0: a graph that was not searched, such as that of a merge
        raise OptionError(
            f"the result is of {result.columns:,} columns, and the replicates are of {len(known):,}; add their "
            "frequencies to a result of the same data"
        )


def _refuse_other_data(fingerprint: Any, found: Bootstrap) -> None:
    if fingerprint and fingerprint != found.data:
        raise OptionError(
            f"the result is of other data ({fingerprint}) than the replicates ({found.data}); add their frequencies to "
            "a result of the same data"
        )


def _refuse_other_search(blanket: Blanket, found: Bootstrap) -> None:
    """Refuse a blanket of another method or test, as a journal does; a function of the caller's has neither."""
    if found.search not in BLANKET_SEARCHES or not blanket.method:  # none: a blanket that was not searched
        return
    for option, default in DEFAULTS.items():
        of_replicates, of_result = found.options.get(option, default), getattr(blanket, option)
        if isinstance(of_replicates, str) and of_replicates != of_result:
            raise OptionError(
                f"the result was searched with the {option} {of_result!r}, and the replicates with {of_replicates!r}; "
                "add their frequencies to a result of the same search"
            )


def _graph_with(graph: Graph, found: Bootstrap) -> Graph:
    _refuse_other_columns(graph, graph.names, frozenset(found.names))
    targets = set(found.names) if found.members is None else set(found.targets)
    frequencies: dict[Edge, tuple[float, float]] = {}
    for edges, share in ((graph.directed, found.direction), (graph.undirected, found.undirected)):
        for x, y in edges:
            if x in targets or y in targets:
                frequencies[x, y] = (found.edge(x, y), share(x, y))
    return replace(graph, frequencies=frequencies, options={**graph.options, BOOTSTRAP: _how(found)})


class _Members:
    """The frequencies of the members of each target.

    Parameters
    ----------
    found : Bootstrap

    Raises
    ------
    OptionError
        If the replicates were graphs.
    """

    def __init__(self, found: Bootstrap) -> None:
        if found.members is None:
            raise OptionError(
                f"the replicates of {found.search} are graphs, which have no members of blankets; add their "
                "frequencies to a graph"
            )
        self._found, self._members = found, found.members
        self._place = {name: i for i, name in enumerate(found.names)}
        self._targets = frozenset(found.targets)

    def added_to(self, blanket: Blanket) -> Blanket:
        """Return a blanket with the frequencies of its target."""
        _refuse_other_columns(blanket, (blanket.target, *blanket.members), self._place)
        _refuse_other_data(blanket.data and blanket.data.fingerprint, self._found)
        _refuse_other_search(blanket, self._found)
        if blanket.target not in self._targets:
            raise OptionError(
                f"the replicates have no blanket of {blanket.target!r}; their targets are "
                f"{listing(self._found.targets, limit=5)}"
            )
        options = {**blanket.options, BOOTSTRAP: _how(self._found)}
        return replace(blanket, frequencies=self._frequencies_of(blanket), options=options)

    def _frequencies_of(self, blanket: Blanket) -> dict[Hashable, Mapping[str, float]]:
        """Return the shares of all columns that some replicate has, and 0 for members that none has; by name."""
        target = self._place[blanket.target]
        first, last = np.searchsorted(self._members.x, (target, target + 1)).tolist()
        counts = dict.fromkeys(map(self._place.__getitem__, blanket.members), [0] * len(ROLES))
        rows = self._members.y[first:last].tolist(), self._members.counts[first:last].tolist()
        counts |= dict(zip(*rows, strict=True))
        names, total = self._found.names, self._found.replicates
        return {
            names[x]: {"found": sum(each) / total, **{role: n / total for role, n in zip(ROLES, each, strict=True)}}
            for x, each in sorted(counts.items())
        }
