"""Random graphs of every kind, and names that other programs have to carry."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import numpy as np

import climbfast as cf

PLAIN = ("a", "b2", "c_d", "Smoking", "x.y", "lung", "w", "z")
ODD = (
    "a b", "x,y", 'say "so"', "it's", "Größe", "年齢", "<script>alert(1)</script>", "n" * 60, "1", "a;b", "a -> b",
    "a--b",
    "back\\slash", '\\"', "{x}", "[y]", "(z)", "a|b", "a:b", "#", "100%", "=1+1", "edge 1", "dag", "_", "constructor",
    "🎈", "a&b", " lead", "trail ",
)  # fmt: skip
KINDS = ("dag", "cpdag", "pdag", "cyclic", "undirected", "empty")


def random_graph(kind: str, names: Sequence[Hashable], draw: np.random.Generator, density: float = 0.4) -> cf.Graph:
    """A graph with these names in this order; every kind may have nodes without edges."""
    size = len(names)
    order = draw.permutation(size)
    arcs = np.triu(draw.random((size, size)) < density, 1)
    dag = np.zeros((size, size), dtype=bool)
    dag[np.ix_(order, order)] = arcs
    if kind == "dag":
        return cf.Graph.from_adjacency(names, dag)
    if kind == "cpdag":
        cpdag = cf.Graph.from_adjacency(names, dag).to_cpdag()
        return cf.Graph(cpdag.names, cpdag.directed, cpdag.undirected)
    if kind == "empty":
        return cf.Graph(tuple(names))
    if kind == "undirected":
        return cf.Graph.from_adjacency(names, dag | dag.T)
    if kind == "pdag":  # no cycle of directed edges; some edges lose their direction
        return cf.Graph.from_adjacency(names, dag | (dag & (draw.random((size, size)) < 0.4)).T)
    turned = dag & (draw.random((size, size)) < 0.5)
    return cf.Graph.from_adjacency(names, (dag & ~turned) | turned.T)


def random_graphs(kinds: Sequence[str], names: Sequence[Hashable], count: int, seed: int = 0) -> Iterator[cf.Graph]:
    """As many graphs of each kind, each with some of the names in some order."""
    draw = np.random.default_rng(seed)
    for kind in kinds:
        for _ in range(count):
            size = int(draw.integers(1, min(8, len(names)) + 1))
            chosen = [names[i] for i in draw.choice(len(names), size, replace=False)]
            yield random_graph(kind, chosen, draw)


def edges_of(graph: cf.Graph) -> tuple[set[Hashable], set[tuple[Hashable, Hashable]], set[frozenset[Hashable]]]:
    """The nodes and edges, without their order."""
    return set(graph.names), set(graph.directed), set(map(frozenset, graph.undirected))
