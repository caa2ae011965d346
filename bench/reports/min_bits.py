"""What ``min_bits="auto"`` does to precision and recall on wide data: ``python -m bench.reports.min_bits [OUT.csv]``.

link (724 columns), munin (1,041) and a simulated network of 5,000 columns with two to four levels, at 500 to 10,000
rows; precision, recall and F1 of the members of all blankets together, tests, and seconds.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from bench.shared.networks import network as published
from bench.shared.sparse_networks import simulate
from climbfast import Dataset, Network, markov_blankets

ROWS = (500, 2_000, 10_000)
COLUMNS = ("network", "columns", "rows", "min_bits", "precision", "recall", "f1", "tests", "seconds")


def measure(network: Network, data: Dataset, min_bits: float | str) -> tuple[float, float, float, int, float]:
    """Return precision, recall and F1 of all blankets, tests and seconds."""
    blankets = markov_blankets(data, min_bits=min_bits, n_jobs=1, progress=False)
    right = found = true = 0
    for node, blanket in blankets.items():
        truth = network.blanket(node).members
        right += len({*blanket.members} & {*truth})
        found += len(blanket.members)
        true += len(truth)
    how = blankets.how
    return right / found, right / true, 2 * right / (found + true), how["tests"], how["seconds"]


def samples() -> Iterator[tuple[str, Network, Dataset]]:
    """Yield name, network and sample."""
    for rows in ROWS:
        for name in ("link", "munin"):
            network = published(name)
            yield name, network, network.sample(rows, seed=1)
        yield "simulated", *simulate(5_000, rows, levels=(2, 4), seed=1)


def main() -> None:
    """Write the table to the file named, or to standard output."""
    with Path(sys.argv[1]).open("w", newline="") if len(sys.argv) > 1 else nullcontext(sys.stdout) as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(COLUMNS)
        for name, network, data in samples():
            for min_bits in (0, "auto"):
                precision, recall, f1, tests, seconds = measure(network, data, min_bits)
                rates = (f"{rate:.3f}" for rate in (precision, recall, f1))
                table.writerow((name, data.columns, data.rows, min_bits, *rates, tests, f"{seconds:.1f}"))
                out.flush()


if __name__ == "__main__":
    main()
