"""Forward sampling: parents before children, and all rows of a node at once."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from climbfast.forks import refuse_in_forked_child
from climbfast.options import whole_number

if TYPE_CHECKING:
    import polars as pl

    from climbfast.networks.network import Network

__all__ = ["draw", "frame"]

Codes = npt.NDArray[np.unsignedinteger]

_BLOCK = 1 << 15  # rows at a time: the random numbers and the thresholds stay in the L2 cache
_NEVER = 2.0  # above every random number


def draw(network: Network, rows: int, seed: int) -> dict[str, Codes]:
    """Sample every node as the numbers of its states.

    Parameters
    ----------
    network : Network
        The network.
    rows : int
        Number of rows, at least 1.
    seed : int
        A non-negative number; the same seed gives the same rows on every machine.

    Returns
    -------
    dict of str to ndarray of uint8, uint16 or uint32, shape (rows,)
        For every node, in the order of the nodes, positions in ``network.states[node]``.

    Raises
    ------
    OptionError
        `rows` below 1 or `seed` below 0.
    """
    rows = whole_number("rows", rows, least=1)
    seed = whole_number("seed", seed)
    drawn: dict[str, Codes] = {}
    for node in network.topological_order:
        parents = [drawn[parent] for parent in network.parents[node]]
        drawn[node] = _draw_node(network.tables[node], parents, rows, _stream(seed, node))
    return {node: drawn[node] for node in network.nodes}


def frame(network: Network, rows: int, seed: int) -> pl.DataFrame:
    """Sample as a polars frame of Enum columns, without creating a string per cell.

    Parameters
    ----------
    network : Network
        The network.
    rows : int
        Number of rows, at least 1.
    seed : int
        A non-negative number.

    Returns
    -------
    polars.DataFrame, shape (rows, nodes)
        One column per node; its categories are all states of the node, also those that were not drawn.

    Raises
    ------
    OptionError
        `rows` below 1 or `seed` below 0.
    """
    import polars as pl

    refuse_in_forked_child("sampling a network")
    columns = draw(network, rows, seed)
    return pl.DataFrame([_column(node, codes, network.states[node]) for node, codes in columns.items()])


def _column(node: str, codes: Codes, states: tuple[str, ...]) -> pl.Series:
    import polars as pl

    # gather(), because casting codes to an Enum changed between the major versions of polars; named at last, because
    # it takes a name such as "^a.*$" for a pattern
    return pl.Series(states, dtype=pl.Enum(states)).gather(codes).alias(node)


def _stream(seed: int, node: str) -> np.random.Generator:
    """Return the random number generator of one node.

    It depends on the name of the node and not on its position, so that the order of nodes in a file does not matter.
    The hash has 128 bits, because two nodes with the same generator would be dependent.
    """
    digest = hashlib.blake2b(node.encode(), digest_size=16).digest()
    return np.random.default_rng([seed, int.from_bytes(digest, "little")])


def _draw_node(table: npt.NDArray[np.float64], parents: list[Codes], rows: int, stream: np.random.Generator) -> Codes:
    """Sample one node given the codes of its parents."""
    thresholds = _thresholds(table.reshape(-1, table.shape[-1]))
    codes = np.zeros(rows, dtype=np.min_scalar_type(table.shape[-1] - 1))
    for start in range(0, rows, _BLOCK):
        block = codes[start : start + _BLOCK]  # a view
        uniform = stream.random(len(block))
        given = [codes_of_parent[start : start + _BLOCK] for codes_of_parent in parents]
        configuration = _configuration(given, table.shape[:-1])
        for threshold in thresholds:
            block += uniform >= (threshold[0] if configuration is None else threshold[configuration])
    return codes


def _configuration(parents: list[Codes], arities: tuple[int, ...]) -> npt.NDArray[np.intp] | None:
    """Return the row of the flattened table for every row of the sample; None without parents."""
    if not parents:
        return None
    configuration = parents[0].astype(np.intp)
    for codes, arity in zip(parents[1:], arities[1:], strict=True):
        configuration *= arity
        configuration += codes
    return configuration


def _thresholds(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return thresholds such that the state for u in [0, 1) is the number of thresholds ≤ u.

    The shape is (states - 1, configurations), with one contiguous row per state. A state of probability 0 has the
    threshold of the state before it (the first state: 0), so no u is between them. By rounding, the cumulative sums do
    not end at exactly 1; from the last state of positive probability on, the thresholds are above every u.
    """
    sums = np.cumsum(rows, axis=1)
    last = rows.shape[1] - 1 - np.argmax(rows[:, ::-1] > 0.0, axis=1)
    sums[np.arange(rows.shape[1]) >= last[:, None]] = _NEVER
    return np.ascontiguousarray(sums[:, :-1].T)
