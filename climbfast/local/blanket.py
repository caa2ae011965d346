"""The causal Markov blanket of one target, and which name means which search."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, cast

from climbfast._version import __version__
from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import OptionError
from climbfast.evidence import Evidence, Test, TestOptions
from climbfast.local.climb import Climbed, Symmetry, climb
from climbfast.local.getpcd import getpcd
from climbfast.local.hiton import hiton_pc, si_hiton_pc
from climbfast.local.mmpc import mmpc
from climbfast.local.neighbors import Neighbors, Search
from climbfast.local.partition import NODE_BUDGET, Partition, partition
from climbfast.local.recognize_pc import fast_recognize_pc, recognize_pc
from climbfast.options import number, whole_number

if TYPE_CHECKING:
    import networkx

__all__ = ["NEIGHBOR_SEARCHES", "Blanket", "markov_blanket"]

Names = tuple[Hashable, ...]

NEIGHBOR_SEARCHES: dict[str, Search] = {
    "getpcd": getpcd,
    "recognize-pc": recognize_pc,
    "fast-recognize-pc": fast_recognize_pc,
    "mmpc": mmpc,
    "hiton-pc": hiton_pc,
    "si-hiton-pc": si_hiton_pc,
}
METHODS = ("climb",)


@dataclass(frozen=True)
class Blanket:
    """The causal Markov blanket of one target. Names come sorted.

    Attributes
    ----------
    target : Hashable
    parents, children, spouses : tuple
    undecided : tuple
        Neighbors whose margin is below the ``min_margin`` asked for: parents or children.
    common_children : mapping of name to tuple of names
        For every spouse the children by which it was found.
    margins : mapping of name to float
        For every neighbor the bits lost when it alone changes side.
    spouse_strengths : mapping of name to float
        For every spouse its largest strength given a common child.
    separating_sets : mapping of name to tuple of names
        For every column that was separated from the target the set that did it.
    exact : bool
        Whether the partition into parents and children is proved to be the best one.
    gap : float
        Bits by which another partition could still be better; 0 when exact.
    method, test : str
    tests : int
        Number of tests made.
    tests_by_size : tuple of int
        The same by the number of given columns, from 0 up.
    skipped : int
        Tests not made for want of rows.
    rows, columns : int
    seconds : float
        Wall time, in a first call with that of loading the kernels.
    version : str
    """

    target: Hashable
    parents: Names = ()
    children: Names = ()
    spouses: Names = ()
    undecided: Names = ()
    common_children: Mapping[Hashable, Names] = field(default_factory=dict)
    margins: Mapping[Hashable, float] = field(default_factory=dict)
    spouse_strengths: Mapping[Hashable, float] = field(default_factory=dict)
    separating_sets: Mapping[Hashable, Names] = field(default_factory=dict)
    exact: bool = True
    gap: float = 0.0
    method: str = "climb"
    test: str = "sci"
    tests_by_size: tuple[int, ...] = ()
    skipped: int = 0
    rows: int = 0
    columns: int = 0
    seconds: float = 0.0
    version: str = __version__

    @property
    def tests(self) -> int:
        """Number of tests made."""
        return sum(self.tests_by_size)

    @property
    def neighbors(self) -> Names:
        """Parents, children and undecided neighbors."""
        return _sorted({*self.parents, *self.children, *self.undecided})

    @property
    def members(self) -> Names:
        """All that is in the blanket: neighbors and spouses."""
        return _sorted({*self.neighbors, *self.spouses})

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists, numbers and mappings keyed by the text of a name, as they are written to JSON.

        The separating sets stay out: they name nearly every column outside the neighbors.
        """
        return {
            "target": self.target,
            "parents": list(self.parents),
            "children": list(self.children),
            "spouses": list(self.spouses),
            "undecided": list(self.undecided),
            "common_children": {str(name): list(by) for name, by in self.common_children.items()},
            "method": self.method,
            "test": self.test,
            "margins": {str(name): margin for name, margin in self.margins.items()},
            "spouse_strengths": {str(name): strength for name, strength in self.spouse_strengths.items()},
            "exact": self.exact,
            "gap": self.gap,
            "tests": self.tests,
            "tests_by_size": list(self.tests_by_size),
            "skipped": self.skipped,
            "rows": self.rows,
            "columns": self.columns,
            "seconds": self.seconds,
            "version": self.version,
        }

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON."""
        return json.dumps(self.to_dict(), default=str)

    def to_networkx(self) -> networkx.DiGraph:
        """Return the directed graph of the blanket; an undecided neighbor has edges both ways."""
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from((self.target, *self.members))
        graph.add_edges_from((parent, self.target) for parent in (*self.parents, *self.undecided))
        graph.add_edges_from((self.target, child) for child in (*self.children, *self.undecided))
        graph.add_edges_from(
            (spouse, child) for spouse in self.spouses for child in self.common_children.get(spouse, ())
        )
        return graph

    def __str__(self) -> str:
        sides = {"parents": self.parents, "children": self.children, "spouses": self.spouses}
        if self.undecided:
            sides["undecided"] = self.undecided
        named = "; ".join(f"{side}: {', '.join(map(str, names)) or 'none'}" for side, names in sides.items())
        return f"{self.target}: {named}"


def _sorted(names: set[Hashable]) -> Names:
    return tuple(sorted(names, key=lambda name: (str(name), type(name).__name__)))


def markov_blanket(
    data: Dataset | Any,
    target: Hashable,
    method: str = "climb",
    test: str | TestOptions | Test = "sci",
    *,
    max_given: int | None = 3,
    neighbors: str | Search = "getpcd",
    symmetry: Symmetry = "children",
    min_margin: float = 0.0,
    node_budget: int = NODE_BUDGET,
    counting: str = "auto",
) -> Blanket:
    """Find the parents, children and spouses of one column.

    Parameters
    ----------
    data : Dataset or frame
        A frame goes through ``Dataset.from_frame``.
    target : Hashable
        Name of the column.
    method : {"climb"}
    test : {"sci", "g2", "x2", "cmi"} or SCI or G2 or X2 or CMI, or an object with ``sweep`` and ``weakest``
    max_given : int or None
        Largest conditioning set of the search of neighbors; None is unlimited.
    neighbors : {"getpcd", "recognize-pc", "fast-recognize-pc", "mmpc", "hiton-pc", "si-hiton-pc"} or Search
        The search of parents and children inside.
    symmetry : {"children", "and"}
        Whose neighbors have to hold the target: the children's, or all neighbors'.
    min_margin : float
        Bits below which a neighbor is reported as undecided, neither parent nor child.
    node_budget : int
        Nodes after which the partition returns its best so far with the proven gap.
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The way of counting; the result is the same. Not for a test that is an object of one's own.

    Returns
    -------
    Blanket

    Raises
    ------
    UnknownColumnError
        For a target that the data do not have.
    OptionError
        For an option outside its legal values.
    DataError
        For a frame that cannot be read as discrete data.

    References
    ----------
    Marx and Vreeken (2018), "Causal Discovery by Telling Apart Parents and Children", arXiv 1808.06356.
    """
    begun = time.perf_counter()
    data = as_dataset(data)
    _check_choices(method, symmetry)
    largest = None if max_given is None else whole_number("max_given", max_given, otherwise=", or None for no limit")
    least_margin = number("min_margin", min_margin)
    nodes = whole_number("node_budget", node_budget, least=1)
    search = _search(neighbors)
    column = data.index(target)
    asked = _test(data, test, counting)
    before = list(getattr(asked, "tests_by_size", ())), getattr(asked, "skipped", 0)
    # The score of the partition needs the tables, whatever the test.
    evidence = asked if isinstance(asked, Evidence) else Evidence(data, counting=counting)

    @cache
    def neighbors_of(x: int) -> Neighbors:
        return search(asked, x, [y for y in range(data.columns) if y != x], largest)

    def sides(x: int, members: Sequence[int]) -> Partition:
        return partition(evidence, x, members, node_budget=nodes)

    found = climb(asked, column, neighbors_of, sides, symmetry)
    return replace(
        _named(data, column, found, least_margin),
        method=method,
        test=asked.test.name if isinstance(asked, Evidence) else type(asked).__name__,
        tests_by_size=_less(getattr(asked, "tests_by_size", ()), before[0]),
        skipped=getattr(asked, "skipped", 0) - before[1],
        rows=data.rows,
        columns=data.columns,
        seconds=time.perf_counter() - begun,
    )


def _check_choices(method: str, symmetry: str) -> None:
    if method not in METHODS:
        raise OptionError(f"no method named {method!r}; the methods are {', '.join(METHODS)}")
    if symmetry not in ("children", "and"):
        raise OptionError(f"symmetry is {symmetry!r}; it is 'children' or 'and'")


def _search(neighbors: str | Search) -> Search:
    if callable(neighbors):
        return neighbors
    if not isinstance(neighbors, str) or neighbors not in NEIGHBOR_SEARCHES:
        raise OptionError(f"no search named {neighbors!r}; the searches are {', '.join(NEIGHBOR_SEARCHES)}")
    return NEIGHBOR_SEARCHES[neighbors]


def _test(data: Dataset, test: str | TestOptions | Test, counting: str) -> Test:
    if isinstance(test, Evidence) and test.data is not data and test.data.fingerprint != data.fingerprint:
        raise OptionError("the evidence given as test is of other data")
    if hasattr(test, "sweep") and hasattr(test, "weakest") and not isinstance(test, type):
        if counting != "auto":
            raise OptionError(f"counting is {counting!r}, but the test given counts in its own way; leave it out")
        return cast(Test, test)
    return Evidence(data, cast("str | TestOptions", test), counting=counting)


def _less(after: Sequence[int], before: Sequence[int]) -> tuple[int, ...]:
    """Tests by size since ``before``."""
    return tuple(a - b for a, b in zip_longest(after, before, fillvalue=0))


def _named(data: Dataset, target: int, found: Climbed, min_margin: float) -> Blanket:
    name: Callable[[int], Hashable] = data.canonical.__getitem__

    def named(columns: Iterable[int]) -> Names:
        return tuple(name(x) for x in columns)

    margins = {x: m for x, m in found.partition.margins.items() if x in found.parents or x in found.children}
    undecided = [x for x, margin in margins.items() if margin < min_margin]
    return Blanket(
        target=name(target),
        parents=named(x for x in found.parents if x not in undecided),
        children=named(x for x in found.children if x not in undecided),
        spouses=named(found.spouses),
        undecided=named(undecided),
        common_children={name(y): named(by) for y, by in found.spouses.items()},
        margins={name(x): margin for x, margin in margins.items()},
        spouse_strengths={name(y): max(by.values()) for y, by in found.spouses.items()},
        separating_sets={name(x): named(s) for x, s in sorted(found.separators.items())},
        exact=found.partition.exact,
        gap=found.partition.gap,
    )
