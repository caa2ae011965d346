"""Tables of a network from data, and how likely data are under a network: both are sums over the counts of families.

A family is a node and its parents. With the prior α, n_jk rows in which the parents have their j-th configuration and
the node its k-th state, q configurations and r states,

    P(k | j) = (n_jk + α / (q·r)) / (n_j + α / q).

This is the expectation under the Dirichlet prior of the BDeu score with the equivalent sample size α (Heckerman, Geiger
and Chickering, 1995), as bnlearn's method "bayes" with ``iss``, and pgmpy's "BDeu" with ``equivalent_sample_size``.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.caller_warnings import warn_caller
from climbfast.dataset import Dataset
from climbfast.errors import ClimbfastWarning, DataError, NetworkError, Option, UnknownColumnError
from climbfast.interrupts import raise_if_interrupted
from climbfast.names import by_text, distinct_texts, listing, name_text
from climbfast.networks.network import MOST_CELLS, MOST_PARENTS, Network
from climbfast.options import number

__all__ = ["fitted_network", "log_likelihood"]

NAME = "fitted"
_ROWS_AT_ONCE = 1 << 16  # their configurations stay in the cache

Floats = NDArray[np.float64]


class _Column(NamedTuple):
    """A node as it is in the data: its position, the code of a missing cell if there are some, and its states."""

    position: int
    missing: int | None
    states: tuple[str, ...]


def fitted_network(
    names: Sequence[Hashable], parents: Mapping[Hashable, Sequence[Hashable]], data: Dataset, prior: float
) -> Network:
    """Return the network of a DAG with tables from data, see ``Graph.fit``.

    Parameters
    ----------
    names : sequence
        The nodes, which are columns of the data.
    parents : mapping of name to sequence of names
        The parents of every node.
    data : Dataset
    prior : float
        The equivalent sample size.
    """
    prior = number("prior", prior)
    names = _without_ids(names, parents, data)
    texts = distinct_texts(names)
    if texts is None:
        raise NetworkError("the names of two nodes cannot be told apart as text, which a network has; rename one")
    text_of = dict(zip(names, texts, strict=True))
    columns = {name: _column(data, name) for name in names}
    _check_sizes(names, parents, columns)
    tables: dict[str, Floats] = {}
    for name in names:
        counts = _family_counts(data, [columns[x] for x in (*parents[name], name)])
        tables[text_of[name]] = _probabilities(counts, prior)
    return Network(
        NAME,
        {text_of[name]: columns[name].states for name in names},
        {text_of[name]: tuple(text_of[parent] for parent in parents[name]) for name in names},
        tables,
    )


def log_likelihood(network: Network, data: Dataset) -> float:
    """Return log2 P(data | network), see ``Network.log_likelihood``."""
    by_name = by_text({name: name for name in data.names})
    columns = {node: _column_of_node(network, node, data, by_name) for node in network.nodes}
    total = 0.0
    for node, family in network.parents.items():
        counts = _family_counts(data, [columns[x] for x in (*family, node)])
        axes = [_places(network.states[x], columns[x].states) for x in (*family, node)]
        occurring = np.argwhere(counts)
        if not occurring.size:
            continue
        probabilities = network.tables[node][tuple(axis[at] for axis, at in zip(axes, occurring.T, strict=True))]
        if not probabilities.all():
            return -math.inf
        total += math.fsum(counts[tuple(occurring.T)] * np.log2(probabilities))
    return total


def _without_ids(
    names: Sequence[Hashable], parents: Mapping[Hashable, Sequence[Hashable]], data: Dataset
) -> tuple[Hashable, ...]:
    """Return the nodes that are not id columns, whose cells the data do not have; refuse ids with edges."""
    for name in names:
        data.index(name)  # raises for a node that is not in the data
    with_edges = {x for name in names if parents[name] for x in (name, *parents[name])}
    ids = [name for name in names if name in data.id_digests]
    for name in ids:
        if name in with_edges:
            raise DataError(
                f"column {name!r} has about as many levels as rows, so its cells were not kept; read it with ",
                Option("keep_ids", True), ", or leave out its edges",
            )  # fmt: skip
    if ids:
        warn_caller(ClimbfastWarning(f"id columns have no table, and are not nodes of the network: {listing(ids)}"))
    kept = tuple(name for name in names if name not in set(ids))
    if not kept:
        raise NetworkError("the graph has no nodes that can have a table")
    return kept


def _column(data: Dataset, name: Hashable) -> _Column:
    i = data.index(name)
    states = distinct_texts(data.levels[name])
    if states is None:
        raise DataError(f"column {name!r} has two levels that cannot be told apart as text, which a network has")
    if not states:
        raise DataError(f"column {name!r} has no value in any row, and so no states")
    return _Column(i, int(data.arity[i]) if data.incomplete[i] else None, states)


def _check_sizes(
    names: Sequence[Hashable], parents: Mapping[Hashable, Sequence[Hashable]], columns: Mapping[Hashable, _Column]
) -> None:
    """Refuse tables that are too large, before there is memory taken."""
    total = 0
    for name in names:
        family = parents[name]
        if len(family) > MOST_PARENTS:
            raise NetworkError(f"node {name!r} has {len(family)} parents; the most are {MOST_PARENTS}")
        cells = math.prod(len(columns[x].states) for x in (*family, name))
        if cells > MOST_CELLS:
            raise NetworkError(
                f"node {name!r} has {len(family)} {'parent' if len(family) == 1 else 'parents'}, and its table would "
                f"have {cells:,} cells; the most are {MOST_CELLS:,}: remove parents, or merge levels"
            )
        total += cells
    if total > MOST_CELLS:
        raise NetworkError(f"the tables of all nodes would have {total:,} cells; the most are {MOST_CELLS:,}")


def _family_counts(data: Dataset, family: Sequence[_Column]) -> NDArray[np.int64]:
    """Return in how many rows each configuration of a family occurs, by the rows in which no cell of it is missing."""
    shape = [len(column.states) for column in family]
    size = math.prod(shape)
    rows = data.codes.shape[1]
    counts = np.zeros(size, dtype=np.int64)
    step = max(_ROWS_AT_ONCE, size)
    for begin in range(0, rows, step):
        block = slice(begin, min(begin + step, rows))
        cells, weights = _configurations(data, family, shape, block)
        if weights is None:
            counts += np.bincount(cells, minlength=size)
        else:
            np.add.at(counts, cells, weights)  # whole numbers: sums of floats are not exact above 2^53
    raise_if_interrupted()
    return counts.reshape(shape)


def _configurations(
    data: Dataset, family: Sequence[_Column], shape: Sequence[int], block: slice
) -> tuple[NDArray[np.intp], NDArray[np.int64] | None]:
    """Return the place in the table, and the weight, of every row of a block that is complete in the family."""
    cells = data.codes[family[0].position, block].astype(np.intp)
    for column, arity in zip(family[1:], shape[1:], strict=True):
        cells *= arity
        cells += data.codes[column.position, block]
    weights = None if data.weights is None else data.weights[block]
    gaps = [column for column in family if column.missing is not None]
    if gaps:
        kept = np.ones(cells.size, dtype=np.bool_)
        for column in gaps:
            kept &= data.codes[column.position, block] != column.missing
        cells, weights = cells[kept], None if weights is None else weights[kept]
    return cells, weights


def _probabilities(counts: NDArray[np.int64], prior: float) -> Floats:
    """Return the table of a family; a configuration without rows and without prior has equal probabilities."""
    with_prior = counts + prior / counts.size
    sums = with_prior.sum(axis=-1, keepdims=True)
    states = counts.shape[-1]
    table = np.full(counts.shape, 1 / states)
    np.divide(with_prior, sums, out=table, where=sums > 0)
    return table


def _column_of_node(network: Network, node: str, data: Dataset, by_name: Mapping[str, Hashable]) -> _Column:
    """Return the column of a node; raise an error for a level that occurs and is not a state of the node."""
    if node not in by_name:
        raise UnknownColumnError(node, by_name)
    name = by_name[node]
    if name in data.id_digests:
        raise DataError(
            f"column {name!r} has about as many levels as rows, so its cells were not kept; read it with ",
            Option("keep_ids", True),
        )
    i = data.index(name)
    texts = distinct_texts(data.levels[name])
    if texts is None:
        raise DataError(f"column {name!r} has two levels that cannot be told apart as text, which a network has")
    known = set(network.states[node])
    counts = data.level_counts[i].tolist()
    unknown = [text for text, count in zip(texts, counts, strict=False) if count and text not in known]
    if unknown:
        raise DataError(
            f"column {name!r} has the level {unknown[0]!r}, which is not a state of the network; it has "
            f"{listing(network.states[node], limit=12, each=name_text)}"
        )
    # A column without any value has no level, and a node has one.
    return _Column(i, int(data.arity[i]) if data.incomplete[i] else None, texts or ("",))


def _places(states: Sequence[str], levels: Sequence[str]) -> NDArray[np.intp]:
    """Return the state of each level; 0 for one that does not occur."""
    place = {state: i for i, state in enumerate(states)}
    return np.array([place.get(level, 0) for level in levels], dtype=np.intp)
