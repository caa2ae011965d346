"""Samples of networks whose graph is known, under names that say nothing of causes.

A network is a published one by its name, or ``random:1``, ``random:2``, ... (see ``random_networks``). Two groups of
them are kept apart: a method, a threshold or a default may be chosen on ``FOR_CHOOSING`` and on random networks; what
is reported of it is measured on ``FOR_REPORTING``.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache

import numpy as np

import climbfast as cf
from bench.accuracy.random_networks import random_network
from bench.shared.networks import network as published
from climbfast.networks.sampling import draw

__all__ = ["FOR_CHOOSING", "FOR_REPORTING", "ORDERS", "RANDOM", "Sample", "called", "network_named", "sample"]

FOR_CHOOSING = ("alarm", "hepar2", "win95pts", "andes")
FOR_REPORTING = ("insurance", "child", "water", "mildew", "barley", "sachs", "hailfinder")
RANDOM = "random:"
ORDERS = ("random", "file")


@dataclass(frozen=True)
class Sample:
    """Rows of a network, and its graph by the same names."""

    network: str
    rows: int
    seed: int
    order: str
    data: cf.Dataset
    truth: cf.Graph

    @property
    def key(self) -> tuple[str, int, int, str]:
        """What tells one sample from another."""
        return self.network, self.rows, self.seed, self.order


@cache
def network_named(name: str) -> cf.Network:
    """Return a published network, or a random one.

    Raises
    ------
    FileNotFoundError
        If there is no such network, or neither pgmpy nor a folder of networks.
    """
    if name.startswith(RANDOM):
        return random_network(int(name.removeprefix(RANDOM)))
    return published(name)


def called(network: cf.Network, order: str, seed: int) -> dict[str, str]:
    """Return what each node is called, in the order of the columns.

    With the order "random" both the names and the places of the columns are drawn by the seed. With "file" the columns
    are in the order of the file, and the order of their names is the same: a method that breaks ties by the place of a
    column or by its name then sees causes first in most published networks.
    """
    nodes = list(network.nodes)
    names = [f"c{place:04}" for place in range(len(nodes))]
    if order == "file":
        return dict(zip(nodes, names, strict=True))
    rng = np.random.default_rng([seed, len(nodes)])
    of_name, of_place = rng.permutation(len(nodes)).tolist(), rng.permutation(len(nodes)).tolist()
    return {nodes[x]: names[of_name[x]] for x in of_place}


def sample(name: str, rows: int, seed: int, order: str = "random") -> Sample:
    """Draw rows of a network; the same seed gives the same rows and names, and the first rows of a longer sample."""
    network = network_named(name)
    names = called(network, order, seed)
    drawn = draw(network, rows, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.ClimbfastWarning)  # copies and constant columns belong to what is measured
        data = cf.Dataset.from_frame({new: drawn[node] for node, new in names.items()})
    arcs = tuple((names[parent], names[child]) for parent, child in network.arcs)
    return Sample(name, rows, seed, order, data, cf.Graph(tuple(sorted(names.values())), arcs))
