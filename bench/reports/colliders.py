"""Directions in Climb's blankets, with and without collider evidence. ``python -m bench.reports.colliders [OUT.csv]``.

Precision and recall are of the claims "parent" and "child" over all targets of a network, undecided neighbors being no
claim; F1 is made of both. The threshold of the evidence and the margin below which a neighbor is undecided were chosen
on samples of Alarm, Hepar2, Win95pts and Andes and on simulated networks, not on the other networks here.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from bench.shared.networks import network as published
from climbfast import Blanket, Blankets, Network, markov_blankets

NETWORKS = (
    "alarm", "hailfinder", "hepar2", "win95pts", "andes", "insurance", "child", "water", "mildew", "barley", "sachs",
)  # fmt: skip
ROWS = (500, 2_000, 5_000, 20_000)
SEEDS = (1, 2, 3)
OPTIONS = ((False, "all"), (False, "decided"), (True, "all"), (True, "decided"))
COLUMNS = (
    "network", "rows", "seed", "colliders", "directions", "precision", "recall", "f1", "evidence", "evidence_right",
    "tests",
)  # fmt: skip


def right_among(network: Network, blanket: Blanket, names: frozenset[object]) -> int:
    """Return how many of the names are among the parents or children of a blanket, and are so in truth."""
    parents, children = {*network.parents[blanket.target]}, {*network.children(blanket.target)}
    return len(names & parents & {*blanket.parents}) + len(names & children & {*blanket.children})


def rates(network: Network, found: Blankets) -> tuple[float, float, float]:
    """Return precision, recall and F1 of the directed claims of all blankets, in percent."""
    right = sum(right_among(network, blanket, frozenset(blanket.neighbors)) for blanket in found.values())
    claims = sum(len(blanket.parents) + len(blanket.children) for blanket in found.values())
    true = 2 * len(network.arcs)
    return 100 * right / max(claims, 1), 100 * right / true, 200 * right / (claims + true)


def lines() -> Iterator[tuple[object, ...]]:
    """Yield the lines of the table, one by one as they are measured."""
    for name in NETWORKS:
        network = published(name)
        for rows in ROWS:
            for seed in SEEDS:
                data = network.sample(rows, seed)
                for colliders, directions in OPTIONS:
                    found = markov_blankets(data, n_jobs=1, progress=False, colliders=colliders, directions=directions)
                    seen = sum(len(blanket.evidence) for blanket in found.values())
                    right = sum(right_among(network, each, frozenset(each.evidence)) for each in found.values())
                    figures = (f"{rate:.1f}" for rate in rates(network, found))
                    yield name, rows, seed, colliders, directions, *figures, seen, right, found.how["tests"]


def main() -> None:
    """Write the table to the file named, or to standard output."""
    with Path(sys.argv[1]).open("w", newline="") if len(sys.argv) > 1 else nullcontext(sys.stdout) as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(COLUMNS)
        for line in lines():
            table.writerow(line)
            out.flush()


if __name__ == "__main__":
    main()
