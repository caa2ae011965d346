"""``causal_graph`` on the networks of the paper's Table I: ``python -m bench.reports.best [OUT.csv] [--seeds N]``.

20,000 rows; an undirected edge counts once as found and never as correct. ``names`` says how columns are named, which
decides what no data can: which of columns that are copies of each other has the edges of both; Hailfinder and Win95pts
have three pairs each. "file": so that the order of names is that of the file, where causes mostly come first, as in the
published figures and in all tools that break ties by the place of a column; "given": by the network; "shuffled": by
another permutation of the same names for each seed, so that the mean is free of that luck. Only the last is fair.

The method "truth" is the true graph itself when copies are exchanged in it, as no data forbid: its mean over all
exchanges. Beyond it there is only luck.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import sys
import warnings
from collections.abc import Hashable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from statistics import fmean
from typing import Literal

import numpy as np

from bench.shared.networks import network as published
from climbfast import ClimbfastWarning, Dataset, Graph, Network, causal_graph, compare
from climbfast.graphs.causal import Method
from climbfast.networks.sampling import draw

ROWS = 20_000
COLUMNS = ("names", "method", "network", "seed", "precision", "recall", "f1", "score", "seconds")
TABLE = ("alarm", "hailfinder", "hepar2", "win95pts", "andes")
WITH_COPIES = ("hailfinder", "win95pts")
METHODS: tuple[Method, ...] = ("best", "fges", "fges+climb", "fges+global", "pc+climb")
RUNS: tuple[tuple[str, tuple[str, ...], tuple[Method | Literal["truth"], ...]], ...] = (
    ("file", TABLE, METHODS),
    ("given", WITH_COPIES, METHODS),
    ("shuffled", WITH_COPIES, ("truth", *METHODS)),
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
                    if method == "truth":
                        rate = f"{100 * rate_of_truth(truth, data.copies):.2f}"
                        yield names, method, name, seed, rate, rate, rate, "", ""
                        continue
                    found = causal_graph(data, method, directions="decided" if method == "fges" else "all")
                    rates = compare(truth, found).arrows_paper
                    score = f"{found.figures['score']:.1f}" if "score" in found.figures else ""
                    figures = (f"{100 * rate:.2f}" for rate in (rates.precision, rates.recall, rates.f1))
                    yield names, method, name, seed, *figures, score, f"{found.seconds:.2f}"


def rate_of_truth(truth: Graph, copies: Mapping[Hashable, tuple[Hashable, ...]]) -> float:
    """Return the share of true edges in the true graph with copies exchanged, as a mean over all exchanges.

    Precision, recall and F1 are this same share, as the number of edges stays.
    """
    classes = sorted({tuple(sorted((name, *others))) for name, others in copies.items()})
    shares = []
    for orders in itertools.product(*map(itertools.permutations, classes)):
        called = {x: y for known, order in zip(classes, orders, strict=True) for x, y in zip(known, order, strict=True)}
        exchanged = {(called.get(x, x), called.get(y, y)) for x, y in truth.directed}
        shares.append(len(exchanged & {*truth.directed}) / len(exchanged))
    return fmean(shares)


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
