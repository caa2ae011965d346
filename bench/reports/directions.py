"""How often a direction is right, by its margin: ``python -m bench.reports.directions [OUT.csv] [--networks A,B]``.

Each network is sampled; the edges that its true CPDAG, the CPDAG of ``fges`` or the graph of ``pc`` leaves undirected
are directed, and those of the true skeleton are counted by the margin of their direction. Methods and their margins:

- climb/local, global/local: ``orient``; the bits that the reversal of this edge alone would cost
- global/local, input directed: edges that had a direction before, which "global" chose again
- class/odds: ``direct_class`` with fNML; log2 of the odds of the direction, among all DAGs of the class
- class, weight 1/odds, class, count/odds: the same with the whole of fNML, and by the number of DAGs alone

Networks to choose a threshold on are the default; ``--networks insurance,child,...`` are others. ``simulated`` stands
for random networks of 30 columns, whose tables are draws of symmetric Dirichlet distributions with the parameters .5, 1
and 2; ``equivalent`` for networks whose tables have the parameters of the BDeu prior, for which the tables say nothing
about the direction. The true direction between columns that are copies of each other is not counted. The table beside
this script has alarm,hepar2,win95pts,andes,simulated,equivalent, on which the weight was chosen, and
insurance,child,water,mildew,barley,sachs,hailfinder.

``by_chance`` is how many would be right if each DAG of the class of the input were as likely: more than half, since
most DAGs of a class direct most edges of a component away from its middle. It is nan if the input is not a CPDAG.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import time
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.shared.networks import network as published
from bench.shared.sparse_networks import sparse_network
from climbfast import ClimbfastWarning, Dataset, Graph, Network, fges, orient, pc
from climbfast.graphs.class_directions import WEIGHT, direct_class
from climbfast.graphs.equivalence import chain_components
from climbfast.graphs.meek import close_pdag
from climbfast.graphs.orient import EdgeOrienter
from climbfast.graphs.pdag import PDAG, pair
from climbfast.networks.sampling import draw
from climbfast.scores import FNML, scores_of

ROWS = (500, 2_000, 10_000, 20_000)
TO_CHOOSE = ("alarm", "hepar2", "win95pts", "andes", "simulated")
SEEDS = 3
SIMULATED = 45
SIMULATED_COLUMNS = 30
CONCENTRATIONS = (0.5, 1.0, 2.0)
PRIOR_ROWS = 20.0
BINS = (0.0, 1e-6, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
COLUMNS = ("network", "rows", "input", "method", "margin", "was", "from_bits", "edges", "right", "by_chance")

Arc = tuple[Hashable, Hashable]


class Measured(NamedTuple):
    """The directions that a method found, with their margins; ``was`` is what the edges were before."""

    method: str
    margin: str
    was: str
    margins: Mapping[Arc, float]


def samples(name: str, seeds: int) -> Iterator[tuple[str, int, int, Network, Dataset]]:
    """Yield label, rows, seed, network and data."""
    if name in ("simulated", "equivalent"):
        for seed in range(SIMULATED):
            concentration = CONCENTRATIONS[seed % len(CONCENTRATIONS)]
            network = sparse_network(
                SIMULATED_COLUMNS, levels=(2, 4), in_degree=(1, 3), concentration=concentration, seed=seed
            )
            label = f"simulated-{concentration:g}"
            if name == "equivalent":
                network, label = _with_equivalent_tables(network, seed), name
            for rows in ROWS:
                yield label, rows, seed, network, _drawn(network, rows, seed)
        return
    network = published(name)
    for rows in ROWS:
        for seed in range(1, seeds + 1):
            yield name, rows, seed, network, _drawn(network, rows, seed)


def _with_equivalent_tables(network: Network, seed: int) -> Network:
    """Return the network with tables drawn from the BDeu prior: the more cells, the closer to deterministic."""
    rng = np.random.default_rng(seed)
    tables = {}
    for node in network.nodes:
        shape = tuple(len(network.states[parent]) for parent in network.parents[node])
        levels = len(network.states[node])
        tables[node] = rng.dirichlet(np.full(levels, PRIOR_ROWS / (levels * math.prod(shape))), size=shape)
    return Network(network.name, network.states, network.parents, tables)


def _drawn(network: Network, rows: int, seed: int) -> Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        return Dataset.from_frame(draw(network, rows, seed))


def inputs(network: Network, data: Dataset) -> Iterator[tuple[str, Graph]]:
    """Yield the graphs whose edges are directed."""
    arcs = tuple((parent, node) for node in network.nodes for parent in network.parents[node])
    yield "true", Graph(data.canonical, arcs).to_cpdag()
    yield "fges", fges(data)
    yield "pc", pc(data, n_jobs=1)


def measured(graph: Graph, data: Dataset) -> Iterator[Measured]:
    """Yield the directions that every method finds."""
    fnml, name = scores_of(data, FNML()), data.canonical
    # The graph in the numbers of the data.
    numbers = PDAG(
        data.columns,
        [(data.index(x), data.index(y)) for x, y in graph.directed],
        [(data.index(x), data.index(y)) for x, y in graph.undirected],
    )
    edges = [pair(*edge) for edge in numbers.undirected_edges()]
    climber = EdgeOrienter(fnml, numbers.arcs(), edges, data.columns)
    climber.climb()
    wanted = {frozenset((name[x], name[y])) for x, y in edges}
    local = {(name[x], name[y]): climber.gain(x, y) for x, y in climber.pdag.arcs()}
    yield Measured("climb", "local", "undirected", {arc: g for arc, g in local.items() if frozenset(arc) in wanted})
    margins = orient(graph, data, "global", edges="all", directions="all").margins
    for was, is_undirected in (("undirected", True), ("directed", False)):
        chosen = {arc: gain for arc, gain in margins.items() if (frozenset(arc) in wanted) is is_undirected}
        yield Measured("global", "local", was, chosen)
    if graph.is_cpdag:
        for method, weight in (("class", WEIGHT), ("class, weight 1", 1.0), ("class, count", 0.0)):
            found = direct_class(numbers, fnml, weight=weight).margins
            yield Measured(method, "odds", "undirected", {(name[x], name[y]): g for (x, y), g in found.items()})


def shares(graph: Graph) -> dict[Arc, float]:
    """Return for each direction of an undirected edge of a CPDAG the share of the DAGs of the class that have it."""
    pdag, name = graph.pdag, graph.names
    found: dict[Arc, float] = {}
    for component in chain_components(pdag):
        near = {x: frozenset(pdag.undirected[x]) for x in component}
        members, having = _members(frozenset(component), near, {})
        found |= {(name[x], name[y]): count / members for (x, y), count in having.items()}
    return found


_Counted = tuple[int, dict[tuple[int, int], int]]


def _members(
    nodes: frozenset[int], near: Mapping[int, frozenset[int]], known: dict[frozenset[int], _Counted]
) -> _Counted:
    """Return how many DAGs a chain component has, and how many of them have each direction of each edge."""
    if nodes not in known:
        total, having = 0, Counter[tuple[int, int]]()
        order = sorted(nodes)
        place = {x: i for i, x in enumerate(order)}
        edges = [(i, place[y]) for x, i in place.items() for y in near[x] & nodes if i < place[y]]
        for root in range(len(order)):
            rooted = PDAG(len(order), (), edges)
            for i in sorted(rooted.undirected[root]):
                rooted.orient(root, i)
            close_pdag(rooted)
            parts = [_members(frozenset(order[i] for i in part), near, known) for part in chain_components(rooted)]
            count = math.prod(part[0] for part in parts)
            total += count
            having.update({(order[i], order[j]): count for i, j in rooted.arcs()})
            for part in parts:
                having.update({arc: count * with_it // part[0] for arc, with_it in part[1].items()})
        known[nodes] = total, dict(having)
    return known[nodes]


class Counts(NamedTuple):
    """The edges of the truth in a bin, those of them that are right, and how many would be by chance."""

    edges: int = 0
    right: int = 0
    by_chance: float = 0.0

    def plus(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))


def counts(truth: Iterable[Arc], margins: Mapping[Arc, float], chances: Mapping[Arc, float]) -> dict[float, Counts]:
    """Return the counts by the lower end of each bin."""
    arcs, found = set(truth), dict[float, Counts]()
    for (x, y), margin in margins.items():
        if (x, y) in arcs or (y, x) in arcs:
            low = BINS[max(bisect_right(BINS, margin) - 1, 0)] if margin >= 0 else float("-inf")
            chance = chances.get((x, y) if (x, y) in arcs else (y, x), math.nan)
            found[low] = found.get(low, Counts()).plus(Counts(1, (x, y) in arcs, chance))
    return found


def lines(networks: Iterable[str], seeds: int) -> Iterator[tuple[object, ...]]:
    """Yield the lines of the table, those of each network after all of its samples."""
    for name in networks:
        total: dict[tuple[object, ...], Counts] = {}
        for label, rows, seed, network, data in samples(name, seeds):
            begun = time.perf_counter()
            truth = [(x, y) for x, y in network.arcs if y not in data.copies.get(x, ())]
            for kind, graph in inputs(network, data):
                chances = shares(graph) if graph.is_cpdag else {}
                for found in measured(graph, data):
                    for low, more in counts(truth, found.margins, chances).items():
                        key = (label, rows, kind, *found[:3], low)
                        total[key] = total.get(key, Counts()).plus(more)
            print(f"{label} {rows} {seed}: {time.perf_counter() - begun:.1f} s", file=sys.stderr)
        for key in sorted(total):
            yield *key, total[key].edges, total[key].right, f"{total[key].by_chance:.3f}"


def main() -> None:
    """Write the table to the file named, or to standard output."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--networks", default=",".join(TO_CHOOSE))
    parser.add_argument("--seeds", type=int, default=SEEDS)
    options = parser.parse_args()
    with options.out.open("w", newline="") if options.out else nullcontext(sys.stdout) as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(COLUMNS)
        for line in lines(options.networks.split(","), options.seeds):
            table.writerow(line)
            out.flush()


if __name__ == "__main__":
    main()
