"""Every method beside the truth: F1, tests and time per node. ``python -m bench.reports.methods`` (two minutes).

It writes ``methods.csv``, and from it the table of docs/evidence/methods.md; ``--page`` makes the table alone.

Alarm, Insurance and Win95pts, sampled with one seed, at 1,000, 5,000 and 20,000 rows, with SCI and G² (α = 0.01,
nominal degrees of freedom). F1 is of the members of all blankets, or all sets of neighbors, of a network together; time
is that of the processor.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from bench.shared.marked_text import EVIDENCE, fill
from bench.shared.networks import network as published
from climbfast import G2, SCI, Dataset, Network, markov_blanket, neighbors
from climbfast.local.methods import METHODS

FILE = Path(__file__).with_suffix(".csv")
PAGE = EVIDENCE / "methods.md"
ROWS = (1_000, 5_000, 20_000)
TESTS = (SCI(), G2(df="nominal"))
COLUMNS = ("network", "rows", "test", "method", "f1", "tests_per_node", "ms_per_node")


def measure(network: Network, data: Dataset, method: str, test: SCI | G2) -> tuple[float, float, float]:
    """Return F1, tests per node and milliseconds per node, all nodes being targets."""
    of_neighbors = METHODS[method].finds == "neighbors"
    find = neighbors if of_neighbors else markov_blanket
    find(data, network.nodes[0], method, test)  # loads the kernels
    right = found = true = tests = 0
    begun = time.process_time()
    for node in network.nodes:
        answer = find(data, node, method, test)
        blanket = network.blanket(node)
        truth = blanket.neighbors if of_neighbors else blanket.members
        right += len({*answer.members} & {*truth})
        found += len(answer.members)
        true += len(truth)
        tests += answer.tests
    seconds = time.process_time() - begun
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


def read() -> list[dict[str, str]]:
    """Return the lines that are kept."""
    with FILE.open(newline="", encoding="utf-8") as rows:
        return list(csv.DictReader(rows))


def table(found: Sequence[Mapping[str, str]]) -> str:
    """Return the means over the networks: F1 in percent, in parentheses the tests for each node."""
    heads = ["method", "finds", *(f"{test.name}, {rows:,} rows" for test in TESTS for rows in ROWS)]
    lines = [heads, ["---"] * len(heads)]
    for name, method in METHODS.items():
        cells = [
            [line for line in found if (line["method"], line["test"], line["rows"]) == (name, test.name, str(rows))]
            for test in TESTS
            for rows in ROWS
        ]
        if all(cells):
            lines.append([f"`{name}`", method.finds, *map(_mean, cells)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _mean(lines: Sequence[Mapping[str, str]]) -> str:
    f1, tests = (fmean(float(line[figure]) for line in lines) for figure in ("f1", "tests_per_node"))
    return f"{100 * f1:.0f} ({tests:,.0f})"


def main() -> None:
    """Measure, write the file, and fill the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--page", action="store_true", help="make the table of what there is, and measure nothing")
    if not parser.parse_args().page:
        found = list(lines())
        with FILE.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out, lineterminator="\n").writerows([COLUMNS, *found])
    fill("methods", table(read()), PAGE)


if __name__ == "__main__":
    main()
