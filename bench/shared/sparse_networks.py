"""Large sparse networks and samples of them, in the shape of gene-expression data."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np

from climbfast import ClimbfastWarning, Dataset, Network
from climbfast.networks.sampling import draw

Range = int | tuple[int, int]


def simulate(
    columns: int,
    rows: int,
    *,
    levels: Range = (2, 4),
    in_degree: Range = (1, 4),
    concentration: float = 0.5,
    seed: int,
) -> tuple[Network, Dataset]:
    """Make a random network and sample it.

    Parameters
    ----------
    columns, rows : int
        At least 1.
    levels, in_degree : int or (int, int)
        Number of levels and of parents of a column, or the least and the most, drawn uniformly. The first columns
        of the topological order have as many parents as there are columns before them.
    concentration : float
        Every row of a table is a draw of the symmetric Dirichlet distribution with this parameter. With the default,
        at 5,716 × 2,577, SCI sees 93 % of the arcs between parent and child alone, and a column depends on 10 others
        on average. With 0.1, when tables are nearly deterministic, on 160, and up to 900: many more tests for as
        many columns. With 2 it sees 70 % of the arcs, with 5 less than half.
    seed : int
        The same seed makes the same network, whatever the number of rows, and the same rows.

    Returns
    -------
    (Network, Dataset)
        Columns are named g00001, g00002, ..., in an order that has nothing to do with the topological one. Their
        levels are the integers from 0 up, in the network as text; levels that were not drawn are not in the data.
    """
    network = sparse_network(columns, levels=levels, in_degree=in_degree, concentration=concentration, seed=seed)
    codes = draw(network, rows, seed)
    with warnings.catch_warnings():
        # A skewed table leaves a constant column now and then, and whoever asked for a sample cannot mend it.
        warnings.simplefilter("ignore", ClimbfastWarning)
        return network, Dataset.from_frame(codes)


def sparse_network(columns: int, *, levels: Range, in_degree: Range, concentration: float, seed: int) -> Network:
    """Make the network of ``simulate``: parents are drawn uniformly among the earlier columns."""
    rng = np.random.default_rng(seed)
    width = max(5, len(str(columns)))
    names = [f"g{number:0{width}}" for number in range(1, columns + 1)]
    order = rng.permutation(columns).tolist()
    arity = _uniform(rng, levels, columns)
    parents = {names[x]: tuple(names[y] for y in earlier) for x, earlier in _parents(rng, order, in_degree)}
    states = {name: tuple(map(str, range(k))) for name, k in zip(names, arity, strict=True)}
    tables = {}
    for name in names:
        shape = tuple(len(states[parent]) for parent in parents[name])
        tables[name] = rng.dirichlet(np.full(len(states[name]), concentration), size=shape)
    return Network(f"simulated, {columns} columns, seed {seed}", states, parents, tables)


def _parents(rng: np.random.Generator, order: list[int], in_degree: Range) -> Iterator[tuple[int, list[int]]]:
    for place, (x, wanted) in enumerate(zip(order, _uniform(rng, in_degree, len(order)), strict=True)):
        places = rng.choice(place, size=min(wanted, place), replace=False, shuffle=False) if place else ()
        yield x, [order[earlier] for earlier in places]


def _uniform(rng: np.random.Generator, bounds: Range, size: int) -> list[int]:
    least, most = (bounds, bounds) if isinstance(bounds, int) else bounds
    numbers: list[int] = rng.integers(least, most, size=size, endpoint=True).tolist()
    return numbers
