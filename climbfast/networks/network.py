"""A discrete Bayesian network: the truth that searches are measured against."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from climbfast.errors import ClimbfastWarning, NetworkError, UnknownColumnError

if TYPE_CHECKING:
    import networkx as nx

    from climbfast.dataset import Dataset
    from climbfast.local.blanket import Blanket

__all__ = ["Network"]

MOST_PARENTS = 31  # NumPy had no more axes before its version 2
ROW_TOLERANCE = 1e-3  # published networks carry as few as three decimals
# Rows closer to 1 than this are left as they are: dividing them again would move the last bit, and a network
# that is written and read back would no longer be the same network.
_EXACT = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """A directed acyclic graph of discrete variables with one conditional probability table each.

    Parameters
    ----------
    name : str
        What the network is called.
    states : mapping of str to sequence of str
        The states of every node; its order is the order of the nodes.
    parents : mapping of str to sequence of str
        The parents of every node, in the order of the axes of its table.
    tables : mapping of str to array_like
        P(node | parents), shape (states of parent 1, ..., states of parent p, states of the node). Rows that
        sum to 1 within 1e-3 are normalised.

    Attributes
    ----------
    nodes : tuple of str
        The nodes in the order they were given.
    arcs : tuple of (str, str)
        Every arc as (parent, child), by child in the order of the nodes.
    topological_order : tuple of str
        The nodes with every parent before its children.

    Raises
    ------
    NetworkError
        Names and states that are not text, arcs that form a cycle, a parent that is no node, more than 31
        parents, a table of the wrong shape, probabilities that are negative or do not sum to 1; the message
        names the node.

    Notes
    -----
    The mappings and the arrays in them are read-only. Two networks are equal when names, order of the nodes,
    states, parents and tables are.
    """

    name: str
    states: Mapping[str, tuple[str, ...]]
    parents: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, npt.NDArray[np.float64]]

    def __post_init__(self) -> None:
        states = {node: tuple(labels) for node, labels in self.states.items()}
        parents = {node: tuple(self.parents.get(node, ())) for node in states}
        _check_names(states, parents, self.parents, self.tables)
        tables = {node: _checked_table(node, self.tables[node], states, parents[node]) for node in states}
        for field, value in (("states", states), ("parents", parents), ("tables", tables)):
            object.__setattr__(self, field, MappingProxyType(value))
        _ = self.topological_order  # raises on a cycle, here and not on first use

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes in the order they were given."""
        return tuple(self.states)

    @cached_property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """Every arc as (parent, child)."""
        return tuple((parent, child) for child in self.states for parent in self.parents[child])

    @cached_property
    def topological_order(self) -> tuple[str, ...]:
        """The nodes with every parent before its children."""
        missing = {node: len(parents) for node, parents in self.parents.items()}
        order = [node for node, count in missing.items() if count == 0]
        for node in order:  # grows while it is walked
            for child in self._children[node]:
                missing[child] -= 1
                if missing[child] == 0:
                    order.append(child)
        if len(order) < len(missing):
            cycle = _cycle(self.parents, set(missing) - set(order))
            raise NetworkError(f"node {cycle[0]!r}: its arcs form a cycle: {' -> '.join(cycle)}")
        return tuple(order)

    @cached_property
    def _children(self) -> Mapping[str, tuple[str, ...]]:
        children: dict[str, list[str]] = {node: [] for node in self.states}
        for parent, child in self.arcs:
            children[parent].append(child)
        return {node: tuple(sorted(found)) for node, found in children.items()}

    def children(self, node: str) -> tuple[str, ...]:
        """Children of `node`, sorted.

        Parameters
        ----------
        node : str
            A node of the network.

        Returns
        -------
        tuple of str
            The nodes that have `node` as a parent.

        Raises
        ------
        UnknownColumnError
            `node` is not in the network.
        """
        self._require(node)
        return self._children[node]

    def spouses(self, node: str) -> tuple[str, ...]:
        """Nodes that share a child with `node` and are not joined to it by an arc, sorted.

        Parameters
        ----------
        node : str
            A node of the network.

        Returns
        -------
        tuple of str
            The spouses; a node that is parent or child of `node` is counted there and not here.

        Raises
        ------
        UnknownColumnError
            `node` is not in the network.
        """
        return tuple(self._truth(node)[2])

    def blanket(self, target: str) -> Blanket:
        """The true Markov blanket of `target`, read off the arcs.

        Parameters
        ----------
        target : str
            A node of the network.

        Returns
        -------
        Blanket
            Parents, children and spouses, as a search returns them.

        Raises
        ------
        UnknownColumnError
            `target` is not in the network.
        """
        from climbfast.local.blanket import Blanket

        parents, children, common_children = self._truth(target)
        return Blanket(
            target=target,
            parents=parents,
            children=children,
            spouses=tuple(common_children),
            common_children={spouse: tuple(by) for spouse, by in common_children.items()},
            method="truth",
            test="",
            columns=len(self.nodes),
        )

    def _truth(self, target: str) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, tuple[str, ...]]]:
        """Parents, children, and for each spouse the children it shares with the target; all sorted."""
        children = self.children(target)
        parents = tuple(sorted(self.parents[target]))
        joined = {target, *parents, *children}
        others = sorted({other for child in children for other in self.parents[child]} - joined)
        return parents, children, {s: tuple(c for c in children if s in self.parents[c]) for s in others}

    def sample(self, rows: int, seed: int) -> Dataset:
        """Independent rows drawn from the joint distribution.

        Parameters
        ----------
        rows : int
            How many rows, at least 1.
        seed : int
            A non-negative number; the same seed gives the same rows on every machine.

        Returns
        -------
        Dataset
            One column per node, in the order of the nodes; states that were not drawn are no levels.

        Raises
        ------
        OptionError
            `rows` below 1 or `seed` below 0.
        DataError
            A state of white space alone was drawn: to a Dataset it is a missing cell.

        Notes
        -----
        Every node has its own stream of random numbers, made from `seed` and its name. Neither the order of
        the nodes nor that of the parents matters, and a longer sample begins with the shorter one.
        """
        from climbfast.dataset import Dataset
        from climbfast.networks.sampling import frame

        with warnings.catch_warnings():
            # Rare states leave constant columns in any sample of munin or link. Who asked for a sample has
            # nothing to correct, so this is no place to warn.
            warnings.simplefilter("ignore", ClimbfastWarning)
            return Dataset.from_frame(frame(self, rows, seed))

    def to_networkx(self) -> nx.DiGraph:
        """The graph for NetworkX.

        Returns
        -------
        networkx.DiGraph
            All nodes, those without arcs too, in the order of the nodes.
        """
        import networkx as nx

        graph = nx.DiGraph(name=self.name)
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from(self.arcs)
        return graph

    def _require(self, node: str) -> None:
        if not isinstance(node, str) or node not in self.states:
            raise UnknownColumnError(node, self.states, kind="node")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        return (
            (self.name, self.nodes, self.states, self.parents) == (other.name, other.nodes, other.states, other.parents)
        ) and all(np.array_equal(table, other.tables[node]) for node, table in self.tables.items())

    __hash__ = None  # type: ignore[assignment]  # tables are arrays

    def __repr__(self) -> str:
        return f"Network({self.name!r}, {len(self.states)} nodes, {len(self.arcs)} arcs)"

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only views of dicts cannot be pickled.
        return Network, (self.name, dict(self.states), dict(self.parents), dict(self.tables))


def faulty_row(rows: npt.NDArray[np.float64]) -> tuple[int, str] | None:
    """The first row that is no distribution, and what is wrong with it.

    Parameters
    ----------
    rows : ndarray of float64, shape (configurations, states)
        Probability tables flattened over the parents.

    Returns
    -------
    (int, str) or None
        None when every row has probabilities that sum to 1 within 1e-3.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        sums = rows.sum(axis=1)
    # Written so that a NaN is a fault too.
    good = (np.abs(sums - 1.0) <= ROW_TOLERANCE) & (rows >= 0.0).all(axis=1)
    if good.all():
        return None
    row = int(np.argmin(good))
    values = rows[row]
    most = 1.0 if np.isinf(sums[row]) else np.inf  # a sum past all floats is of numbers that are
    wrong = values[~((values >= 0.0) & (values <= most) & np.isfinite(values))]
    if wrong.size:
        return row, f"{float(wrong[0])!r} is no probability"
    return row, f"the probabilities sum to {sums[row]:.6g}, not to 1"


def configuration(index: int, parents: Sequence[str], states: Mapping[str, tuple[str, ...]]) -> str:
    """Row number of a flattened table as readable text.

    Parameters
    ----------
    index : int
        The row, in C order over the parents.
    parents : sequence of str
        The parents, in the order of the axes.
    states : mapping of str to tuple of str
        The states of every node.

    Returns
    -------
    str
        For example ``" given smoke = yes, tub = no"``; empty without parents.
    """
    if not parents:
        return ""
    labels: list[str] = []
    for parent in reversed(parents):
        index, code = divmod(index, len(states[parent]))
        labels.append(f"{parent} = {states[parent][code]}")
    return f" given {', '.join(reversed(labels))}"


def _check_names(
    states: Mapping[str, tuple[str, ...]],
    parents: Mapping[str, tuple[str, ...]],
    given_parents: Mapping[str, Any],
    tables: Mapping[str, Any],
) -> None:
    """Every node has a table and distinct states, every parent is a node, nothing is left over."""
    for mapping, what in ((given_parents, "parents"), (tables, "a table")):
        for node in mapping:
            if node not in states:
                raise NetworkError(f"node {node!r} has {what}, but no states")
    for node, labels in states.items():
        if not all(isinstance(name, str) for name in (node, *labels)):
            raise NetworkError(f"node {node!r}: names and states are text; its states are {labels}")
        if not labels or len(set(labels)) < len(labels):
            raise NetworkError(f"node {node!r}: its states must be distinct, and at least one: {labels}")
        if node not in tables:
            raise NetworkError(f"node {node!r} has no table")
        if len(set(parents[node])) < len(parents[node]):
            raise NetworkError(f"node {node!r}: a parent is named twice: {', '.join(parents[node])}")
        if len(parents[node]) > MOST_PARENTS:
            raise NetworkError(f"node {node!r} has {len(parents[node])} parents; the most are {MOST_PARENTS}")
        for parent in parents[node]:
            if parent not in states:
                raise NetworkError(f"node {node!r}: its parent {parent!r} is no node of the network")


def _checked_table(
    node: str, table: npt.ArrayLike, states: Mapping[str, tuple[str, ...]], parents: tuple[str, ...]
) -> npt.NDArray[np.float64]:
    """A read-only copy of the table, normalised."""
    try:
        given = np.asarray(table)
        if given.dtype.kind in "cUS":  # NumPy would drop the imaginary part, or read the text
            raise TypeError
        checked = np.array(given, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise NetworkError(f"node {node!r}: its table is no array of numbers") from None
    shape = tuple(len(states[name]) for name in (*parents, node))
    if checked.shape != shape:
        raise NetworkError(f"node {node!r}: its table has shape {checked.shape}; its states ask for {shape}")
    rows = checked.reshape(-1, shape[-1])
    fault = faulty_row(rows)
    if fault is not None:
        raise NetworkError(f"node {node!r}{configuration(fault[0], parents, states)}: {fault[1]}")
    # A running sum has one order of summation; sum() has one per instruction set, and samples would differ.
    sums = np.cumsum(rows, axis=1)[:, -1:]
    np.divide(rows, sums, out=rows, where=np.abs(sums - 1.0) > _EXACT)
    checked.flags.writeable = False
    return checked


def _cycle(parents: Mapping[str, tuple[str, ...]], stuck: set[str]) -> list[str]:
    """One cycle, from parent to child; every node of `stuck` has a parent there."""
    path = [min(stuck)]
    while path[-1] not in path[:-1]:
        path.append(min(stuck.intersection(parents[path[-1]])))
    return path[path.index(path[-1]) :][::-1]
