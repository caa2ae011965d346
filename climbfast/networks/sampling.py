"""Forward sampling: parents before children, all rows of a node at once."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from climbfast.options import whole_number

if TYPE_CHECKING:
    import polars as pl

    from climbfast.networks.network import Network

__all__ = ["draw", "frame"]

Codes = npt.NDArray[np.unsignedinteger]

_BLOCK = 1 << 15  # rows at a time: the random numbers and the gathered thresholds stay in L2
_NEVER = 2.0  # above every random number


def draw(network: Network, rows: int, seed: int) -> dict[str, Codes]:
    """Sample every node as numbers of its states.

    Parameters
    ----------
    network : Network
        The network.
    rows : int
        How many rows, at least 1.
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
    """Sample as a polars frame of Enum columns, made without a string per cell.

    Parameters
    ----------
    network : Network
        The network.
    rows : int
        How many rows, at least 1.
    seed : int
        A non-negative number.

    Returns
    -------
    polars.DataFrame, shape (rows, nodes)
        One column per node; its categories are all states of the node, drawn or not.

    Raises
    ------
    OptionError
        `rows` below 1 or `seed` below 0.
    """
    import polars as pl

    columns = draw(network, rows, seed)
    return pl.DataFrame([_column(node, codes, network.states[node]) for node, codes in columns.items()])


def _column(node: str, codes: Codes, states: tuple[str, ...]) -> pl.Series:
    import polars as pl

    # gather, because how codes are cast to an Enum changed between the major versions of polars
    return pl.Series(node, states, dtype=pl.Enum(states)).gather(codes)


def _stream(seed: int, node: str) -> np.random.Generator:
    """The random numbers of one node.

    They depend on the name and not on the place of the node, so that reordering a file changes nothing. The
    hash has 128 bits because two nodes with equal numbers would be dependent.
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
    """Row of the flattened table for every row of the sample; None without parents."""
    if not parents:
        return None
    configuration = parents[0].astype(np.intp)
    for codes, arity in zip(parents[1:], arities[1:], strict=True):
        configuration *= arity
        configuration += codes
    return configuration


def _thresholds(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Thresholds whose count at or below u is the state that u in [0, 1) stands for.

    Returns shape (states - 1, configurations), one contiguous row per state. A state of probability 0 has the
    threshold of the state before it (the first: 0), so no u falls between. Rounding leaves the sums a little
    off 1; from the last state that can occur on, thresholds are out of reach and it catches the rest.
    """
    sums = np.cumsum(rows, axis=1)
    last = rows.shape[1] - 1 - np.argmax(rows[:, ::-1] > 0.0, axis=1)
    sums[np.arange(rows.shape[1]) >= last[:, None]] = _NEVER
    return np.ascontiguousarray(sums[:, :-1].T)
