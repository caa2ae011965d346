"""Every method beside the truth: F1, tests and time per node. ``python -m bench.reports.methods [OUT.csv]``.

Alarm, Insurance and Win95pts, sampled with one seed, at 1,000, 5,000 and 20,000 rows, with SCI and G² (α = 0.01,
nominal degrees of freedom). F1 is of the members of all blankets, or all sets of neighbors, of a network together.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from bench.shared.networks import network as published
from climbfast import G2, SCI, Dataset, Network, markov_blanket, neighbors
from climbfast.local.methods import METHODS

ROWS = (1_000, 5_000, 20_000)
TESTS = (SCI(), G2(df="nominal"))
COLUMNS = ("network", "rows", "test", "method", "f1", "tests_per_node", "ms_per_node")


def measure(network: Network, data: Dataset, method: str, test: SCI | G2) -> tuple[float, float, float]:
    """Return F1, tests per node and milliseconds per node, all nodes being targets."""
    of_neighbors = METHODS[method].finds == "neighbors"
    find = neighbors if of_neighbors else markov_blanket
    find(data, network.nodes[0], method, test)  # loads the kernels
    right = found = true = tests = 0
    begun = time.perf_counter()
    for node in network.nodes:
        answer = find(data, node, method, test)
        blanket = network.blanket(node)
        truth = blanket.neighbors if of_neighbors else blanket.members
        right += len({*answer.members} & {*truth})
        found += len(answer.members)
        true += len(truth)
        tests += answer.tests
    seconds = time.perf_counter() - begun
    return 2 * right / (found + true), tests / len(network.nodes), 1e3 * seconds / len(network.nodes)


def lines() -> Iterator[tuple[object, ...]]:
    """Yield the lines of the table, one by one as they are measured."""
    for name in ("alarm", "insurance", "win95pts"):
        network = published(name)
        for rows in ROWS:
            data = network.sample(rows, seed=1)
            for test in TESTS:
                for method in METHODS:
                    f1, tests, ms = measure(network, data, method, test)
                    yield name, rows, test.name, method, f"{f1:.3f}", f"{tests:.1f}", f"{ms:.2f}"


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
