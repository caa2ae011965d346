"""A discrete Bayesian network: the truth that searches are compared with."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from climbfast.dataset.options import ReadingOptions
from climbfast.errors import ClimbfastWarning, NetworkError, UnknownColumnError
from climbfast.names import name_text

if TYPE_CHECKING:
    import os

    import networkx as nx
    import pyagrum
    from pgmpy.models import DiscreteBayesianNetwork

    from climbfast.dataset import Dataset
    from climbfast.local.blanket import Blanket

__all__ = ["MOST_CELLS", "MOST_PARENTS", "Network"]

MOST_PARENTS = 31  # an array of NumPy before version 2 has at most 32 axes
MOST_CELLS = 1 << 25  # of all tables: 256 MiB of probabilities; the largest published network has 540,000
ROW_TOLERANCE = 1e-3  # some published networks have only three decimals
# Rows whose sum is closer to 1 than this are not divided by it: the division would change the last bit, and a network
# that is written and read back would not be equal.
_EXACT = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """A directed acyclic graph of discrete variables with one conditional probability table each.

    Parameters
    ----------
    name : str
        The name of the network.
    states : mapping of str to sequence of str
        The states of every node; the order of the mapping is the order of the nodes.
    parents : mapping of str to sequence of str
        The parents of every node, in the order of the axes of its table.
    tables : mapping of str to array_like
        P(node | parents), shape (states of parent 1, ..., states of parent p, states of the node). Rows that
        sum to 1 within 1e-3 are normalized.

    Attributes
    ----------
    nodes : tuple of str
        The nodes in their order.
    arcs : tuple of (str, str)
        Every arc as (parent, child), by child in the order of the nodes.
    topological_order : tuple of str
        The nodes with every parent before its children.

    Raises
    ------
    NetworkError
        For names and states that are not text, arcs that form a cycle, a parent that is not a node, more than 31
        parents, a table of the wrong shape, and probabilities that are negative or do not sum to 1; the message names
        the node.

    Notes
    -----
    The mappings and their arrays are read-only. Two networks are equal if their names, the order of their nodes,
    states, parents and tables are equal.

    Examples
    --------
    >>> import climbfast as cf
    >>> network = cf.Network(
    ...     name="cough",
    ...     states={"smoker": ("no", "yes"), "cough": ("no", "yes")},
    ...     parents={"cough": ("smoker",)},
    ...     tables={"smoker": [0.75, 0.25], "cough": [[0.9, 0.1], [0.4, 0.6]]},
    ... )
    >>> network.arcs
    (('smoker', 'cough'),)
    >>> network.blanket("smoker").children
    ('cough',)
    """

    name: str
    states: Mapping[str, tuple[str, ...]]
    parents: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, npt.NDArray[np.float64]]

    def __post_init__(self) -> None:
        states = {node: tuple(labels) for node, labels in self.states.items()}
        parents = {node: tuple(self.parents.get(node, ())) for node in states}
        _check_names(states, parents, self.parents, self.tables)
        tables = {node: _check_table(node, self.tables[node], states, parents[node]) for node in states}
        for field, value in (("states", states), ("parents", parents), ("tables", tables)):
            object.__setattr__(self, field, MappingProxyType(value))
        _ = self.topological_order  # raises NetworkError for a cycle now, and not at the first use

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes in their order."""
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
        for node in order:  # the list grows during the loop
            for child in self._children[node]:
                missing[child] -= 1
                if missing[child] == 0:
                    order.append(child)
        if len(order) < len(missing):
            cycle = _cycle(self.parents, set(missing) - set(order))
            raise NetworkError(f"node {cycle[0]!r}: its arcs form a cycle: {' -> '.join(map(name_text, cycle))}")
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
        """Nodes that share a child with `node` and are not adjacent to it, sorted.

        Parameters
        ----------
        node : str
            A node of the network.

        Returns
        -------
        tuple of str
            The spouses; a parent or child of `node` is not included.

        Raises
        ------
        UnknownColumnError
            `node` is not in the network.
        """
        return tuple(self._truth(node)[2])

    def blanket(self, target: str) -> Blanket:
        """The true Markov blanket of `target`, from the arcs.

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
        """Return parents, children, and for each spouse the children that it shares with the target; all sorted."""
        children = self.children(target)
        parents = tuple(sorted(self.parents[target]))
        joined = {target, *parents, *children}
        others = sorted({other for child in children for other in self.parents[child]} - joined)
        return parents, children, {s: tuple(c for c in children if s in self.parents[c]) for s in others}

    def sample(self, rows: int, seed: int) -> Dataset:
        """Draw independent rows from the joint distribution.

        Parameters
        ----------
        rows : int
            Number of rows, at least 1.
        seed : int
            A non-negative number; the same seed gives the same rows on every machine.

        Returns
        -------
        Dataset
            One column per node, in the order of the nodes; states that were not drawn are not levels.

        Raises
        ------
        OptionError
            For `rows` below 1 or `seed` below 0.
        DataError
            If a state that consists of white space was drawn: a Dataset takes it for a missing cell.

        Notes
        -----
        Every node has its own stream of random numbers, which depends on `seed` and its name. The sample does not
        depend on the order of the nodes or of the parents, and a longer sample begins with the shorter one.

        Examples
        --------
        >>> import climbfast as cf
        >>> data = cf.load_example().sample(500, seed=1)
        >>> data
        <Dataset: 500 rows, 15 columns, up to 3 levels>
        >>> data.levels["heart_disease"]
        ('no', 'yes')
        """
        from climbfast.dataset import Dataset
        from climbfast.networks.sampling import frame

        with warnings.catch_warnings():
            # Samples of networks with rare states, such as munin or link, have constant columns. A user who draws a
            # sample cannot correct this, so the warning is suppressed.
            warnings.simplefilter("ignore", ClimbfastWarning)
            return Dataset.from_frame(frame(self, rows, seed))

    def log_likelihood(self, data: Dataset | Any, **reading: Unpack[ReadingOptions]) -> float:
        """Return log2 P(data), in bits.

        Parameters
        ----------
        data : Dataset or frame
            It has a column for every node; others are not used. Its levels are states by their text: the level 1 is
            the state "1". A frame is encoded by ``Dataset.from_frame``.
        **reading
            Options of ``Dataset.from_frame``, for a frame.

        Returns
        -------
        float
            Σ log2 P(cell of a node | cells of its parents) over all nodes and rows, each row as often as it occurs, for
            the rows in which none of these cells is missing; -inf if a row has probability 0. With missing cells
            it is not a likelihood of the same rows for all nodes, so do not compare graphs by it.

        Raises
        ------
        UnknownColumnError
            If a node is not a column of the data.
        DataError
            If a level occurs that is not a state of its node.

        Examples
        --------
        >>> import climbfast as cf
        >>> network = cf.load_example()
        >>> data = network.sample(1000, seed=1)
        >>> round(network.log_likelihood(data))
        -16492
        """
        from climbfast.dataset import as_dataset
        from climbfast.networks.fitting import log_likelihood

        return log_likelihood(self, as_dataset(data, **reading))

    def write_bif(self, path: str | os.PathLike[str], *, plain_names: bool = False) -> None:
        """Write the network as a BIF file, see ``climbfast.write_bif``.

        Parameters
        ----------
        path : str or path-like
            The file; it is compressed if its name ends in ``.gz``.
        plain_names : bool
            Whether names and states that not every program reads are written as words of ASCII letters and digits.
        """
        from climbfast.networks.bif import write_bif

        write_bif(self, path, plain_names=plain_names)

    def to_pgmpy(self) -> DiscreteBayesianNetwork:
        """Return the network for pgmpy.

        Returns
        -------
        pgmpy.models.DiscreteBayesianNetwork
            With the states of all nodes by name; pgmpy does not keep the order of the nodes.

        Raises
        ------
        MissingPackageError
            If pgmpy is not installed.

        Examples
        --------
        >>> import climbfast as cf
        >>> model = cf.load_example().to_pgmpy()
        >>> model.get_cpds("heart_disease").state_names["heart_disease"]
        ['no', 'yes']
        """
        from climbfast.networks.exchange import to_pgmpy

        return to_pgmpy(self)

    @classmethod
    def from_pgmpy(cls, model: DiscreteBayesianNetwork) -> Network:
        """Return a network of pgmpy.

        Parameters
        ----------
        model : pgmpy.models.DiscreteBayesianNetwork
            With a table for every node. Names and states that are not text become text, 1 "1".

        Returns
        -------
        Network

        Raises
        ------
        NetworkError
            For a node without a table, and for what is not such a model.

        Examples
        --------
        >>> import climbfast as cf
        >>> network = cf.load_example()
        >>> again = cf.Network.from_pgmpy(network.to_pgmpy())
        >>> sorted(again.arcs) == sorted(network.arcs)
        True
        """
        from climbfast.networks.exchange import from_pgmpy

        return from_pgmpy(model)

    def to_pyagrum(self) -> pyagrum.BayesNet:
        """Return the network for pyAgrum.

        Returns
        -------
        pyagrum.BayesNet
            With a ``LabelizedVariable`` for every node.

        Raises
        ------
        MissingPackageError
            If pyAgrum is not installed.
        NetworkError
            For a name or a state that pyAgrum does not take.

        Examples
        --------
        >>> import climbfast as cf
        >>> model = cf.load_example().to_pyagrum()
        >>> model.variable("heart_disease").labels()
        ('no', 'yes')
        """
        from climbfast.networks.exchange import to_pyagrum

        return to_pyagrum(self)

    @classmethod
    def from_pyagrum(cls, model: pyagrum.BayesNet) -> Network:
        """Return a network of pyAgrum.

        Parameters
        ----------
        model : pyagrum.BayesNet
            States of variables that are numbers, ranges or intervals are their labels.

        Returns
        -------
        Network

        Raises
        ------
        NetworkError
            For what is not such a network.

        Examples
        --------
        >>> import climbfast as cf
        >>> network = cf.load_example()
        >>> cf.Network.from_pyagrum(network.to_pyagrum()) == network
        True
        """
        from climbfast.networks.exchange import from_pyagrum

        return from_pyagrum(model)

    def to_networkx(self) -> nx.DiGraph:
        """Return the graph for NetworkX.

        Returns
        -------
        networkx.DiGraph
            All nodes in their order, also those without arcs.
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

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.graphs import network_html

        return network_html(self)

    def __repr__(self) -> str:
        return f"<Network: {name_text(self.name)}, {len(self.states):,} nodes, {len(self.arcs):,} arcs>"

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only views of dicts cannot be pickled.
        return Network, (self.name, dict(self.states), dict(self.parents), dict(self.tables))


def faulty_row(rows: npt.NDArray[np.float64]) -> tuple[int, str] | None:
    """Return the first row that is not a probability distribution, and the reason.

    Parameters
    ----------
    rows : ndarray of float64, shape (configurations, states)
        Probability tables flattened over the parents.

    Returns
    -------
    (int, str) or None
        None if every row has probabilities that sum to 1 within 1e-3.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        sums = rows.sum(axis=1)
    # Comparisons with NaN are False, so NaN is an error, too.
    good = (np.abs(sums - 1.0) <= ROW_TOLERANCE) & (rows >= 0.0).all(axis=1)
    if good.all():
        return None
    row = int(np.argmin(good))
    values = rows[row]
    most = 1.0 if np.isinf(sums[row]) else np.inf  # if the sum overflows, name the value that is too large
    wrong = values[~((values >= 0.0) & (values <= most) & np.isfinite(values))]
    if wrong.size:
        return row, f"{float(wrong[0])!r} is not a probability"
    return row, f"the probabilities sum to {sums[row]:.6g}, not to 1"


def configuration(index: int, parents: Sequence[str], states: Mapping[str, tuple[str, ...]]) -> str:
    """Return the configuration of a row of a flattened table as text.

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
        labels.append(f"{name_text(parent)} = {name_text(states[parent][code])}")
    return f" given {', '.join(reversed(labels))}"


def _check_names(
    states: Mapping[str, tuple[str, ...]],
    parents: Mapping[str, tuple[str, ...]],
    given_parents: Mapping[str, Any],
    tables: Mapping[str, Any],
) -> None:
    """Check that every node has a table and distinct states, and that all parents and tables belong to nodes."""
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
                raise NetworkError(f"node {node!r}: its parent {parent!r} is not a node of the network")


def _check_table(
    node: str, table: npt.ArrayLike, states: Mapping[str, tuple[str, ...]], parents: tuple[str, ...]
) -> npt.NDArray[np.float64]:
    """Return a normalized, read-only copy of the table."""
    try:
        given = np.asarray(table)
        if given.dtype.kind in "cUS":  # NumPy would drop the imaginary part, or convert the text
            raise TypeError
        checked = np.array(given, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise NetworkError(f"node {node!r}: its table is not an array of numbers") from None
    shape = tuple(len(states[name]) for name in (*parents, node))
    if checked.shape != shape:
        raise NetworkError(f"node {node!r}: its table has shape {checked.shape}; its states need {shape}")
    rows = checked.reshape(-1, shape[-1])
    fault = faulty_row(rows)
    if fault is not None:
        raise NetworkError(f"node {node!r}{configuration(fault[0], parents, states)}: {fault[1]}")
    # cumsum has one order of summation; that of sum() depends on the instruction set, and samples would differ.
    sums = np.cumsum(rows, axis=1)[:, -1:]
    np.divide(rows, sums, out=rows, where=np.abs(sums - 1.0) > _EXACT)
    checked.flags.writeable = False
    return checked


def _cycle(parents: Mapping[str, tuple[str, ...]], stuck: set[str]) -> list[str]:
    """Return one cycle, from parent to child; every node of `stuck` must have a parent in `stuck`."""
    path = [min(stuck)]
    while path[-1] not in path[:-1]:
        path.append(min(stuck.intersection(parents[path[-1]])))
    return path[path.index(path[-1]) :][::-1]
