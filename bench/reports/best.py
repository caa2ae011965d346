"""``causal_graph`` on the networks of the paper's Table I: ``python -m bench.reports.best [OUT.csv] [--seeds N]``.

20,000 rows; an undirected edge counts once as found and never as correct. ``names`` says how columns are named, which
decides what no data can: the direction between columns that are copies of each other, of which Hailfinder and Win95pts
have three pairs each. "given": by the network; "shuffled": by another permutation of the same names for each seed, so
that the mean is free of that luck; "file": so that the order of names is that of the file, where causes mostly come
first: what a method does that breaks ties by the place of a column. Only the first two are fair.
"""

from __future__ import annotations

import argparse
import csv
import sys
import warnings
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import numpy as np

from bench.shared.networks import network as published
from climbfast import ClimbfastWarning, Dataset, Graph, Network, causal_graph, compare
from climbfast.graphs.causal import Method
from climbfast.networks.sampling import draw

ROWS = 20_000
COLUMNS = ("names", "method", "network", "seed", "precision", "recall", "f1", "score", "seconds")
TABLE = ("alarm", "hailfinder", "hepar2", "win95pts", "andes")
WITH_COPIES = ("hailfinder", "win95pts")
RUNS: tuple[tuple[str, tuple[str, ...], tuple[Method, ...]], ...] = (
    ("given", TABLE, ("best", "fges", "fges+climb", "fges+global", "pc+climb")),
    ("shuffled", WITH_COPIES, ("best", "fges+climb")),
    ("file", WITH_COPIES, ("best", "fges+climb")),
)


def new_names(network: Network, names: str, seed: int) -> dict[str, str]:
    """Return what each column is called."""
    nodes = list(network.nodes)
    if names == "given":
        return dict(zip(nodes, nodes, strict=True))
    if names == "file":
        return {node: f"{place:04}" for place, node in enumerate(nodes)}
    order = np.random.default_rng(seed).permutation(len(nodes)).tolist()
    return {node: nodes[place] for node, place in zip(nodes, order, strict=True)}


def sample(network: Network, called: dict[str, str], seed: int) -> tuple[Dataset, Graph]:
    """Return rows of the network and its graph under other names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)  # copies and constant columns are what we look at
        data = Dataset.from_frame({called[node]: codes for node, codes in draw(network, ROWS, seed).items()})
    arcs = tuple((called[parent], called[node]) for node in network.nodes for parent in network.parents[node])
    return data, Graph(tuple(called[node] for node in network.nodes), arcs)


def lines(seeds: int) -> Iterator[tuple[object, ...]]:
    """Yield the lines of the table, one by one as they are measured."""
    for names, networks, methods in RUNS:
        for name in networks:
            network = published(name)
            for seed in range(1, seeds + 1):
                data, truth = sample(network, new_names(network, names, seed), seed)
                for method in methods:
                    found = causal_graph(data, method)
                    rates = compare(truth, found).arrows_paper
                    score = f"{found.figures['score']:.1f}" if "score" in found.figures else ""
                    figures = (f"{100 * rate:.2f}" for rate in (rates.precision, rates.recall, rates.f1))
                    yield names, method, name, seed, *figures, score, f"{found.seconds:.2f}"


def main() -> None:
    """Write the table to the file named, or to standard output."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    with options.out.open("w", newline="") if options.out else nullcontext(sys.stdout) as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(COLUMNS)
        for line in lines(options.seeds):
            table.writerow(line)
            out.flush()


if __name__ == "__main__":
    main()
