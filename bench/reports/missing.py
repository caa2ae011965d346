"""What missing cells cost: ``python -m bench.reports.missing`` writes ``missing.csv`` and docs/evidence/missing.md.

A share of the cells of samples of published networks is blanked at random. F1 of the members of all blankets by Climb,
and of the skeletons of PC, FGES (BIC) and ``best``, with every test using the rows complete in its own columns, with
incomplete rows left out, and with the full data.
"""

from __future__ import annotations

import csv
import itertools
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import numpy as np

from bench.shared.marked_text import EVIDENCE, fill
from bench.shared.networks import network as published
from climbfast import (
    ClimbfastWarning,
    DataError,
    Dataset,
    Graph,
    Network,
    causal_graph,
    compare,
    fges,
    markov_blankets,
    pc,
)

NETWORKS, ROWS, SHARES, SEEDS = ("alarm", "insurance", "child"), 20_000, (0.05, 0.1, 0.2), (1, 2, 3)
SEARCHES = ("blankets", "PC", "FGES, BIC", "best")
FILE = Path(__file__).with_suffix(".csv")
PAGE = EVIDENCE / "missing.md"

Figures = dict[str, float]


def measure(network: Network, data: Dataset) -> Figures:
    """Return F1 in percent of each search."""
    truth = Graph.from_networkx(network.to_networkx())
    skeletons = {"PC": pc(data, n_jobs=1), "FGES, BIC": fges(data, "bic"), "best": causal_graph(data)}
    f1 = {name: compare(truth, found).skeleton.f1 for name, found in skeletons.items()}
    return {name: 100 * value for name, value in {"blankets": f1_of_blankets(network, data), **f1}.items()}


def f1_of_blankets(network: Network, data: Dataset) -> float:
    """Return F1 of the members of all blankets together."""
    blankets = markov_blankets(data, n_jobs=1, progress=False)
    truth = {node: {*network.blanket(node).members} for node in blankets}
    right = sum(len(truth[node] & {*blanket.members}) for node, blanket in blankets.items())
    return 2 * right / (sum(map(len, truth.values())) + sum(len(found.members) for found in blankets.values()))


def samples(network: Network, seed: int) -> Iterator[tuple[str, float, Dataset | None]]:
    """Yield the way, the share of missing cells, and the data, or None if no row is complete."""
    full = network.sample(ROWS, seed=seed)
    columns = {name: np.array(full.levels[name], dtype=object)[full.codes[full.index(name)]] for name in full.names}
    yield "full data", 0.0, full
    for share in SHARES:
        rng = np.random.default_rng(seed)
        blanked = {name: np.where(rng.random(ROWS) < share, None, cells) for name, cells in columns.items()}
        for way in ("test-wise", "drop-rows"):
            try:
                yield way, share, Dataset.from_frame(blanked, missing=way)
            except DataError:
                yield way, share, None


def main() -> None:
    """Measure, write the file, and fill the page."""
    warnings.simplefilter("ignore", ClimbfastWarning)
    found: dict[tuple[str, float, str], list[Figures]] = defaultdict(list)
    for name, seed in itertools.product(NETWORKS, SEEDS):
        for way, share, data in samples(published(name), seed):
            figures = dict.fromkeys(SEARCHES, 0.0) if data is None else measure(published(name), data)
            found[name, share, way].append(figures)
    rows = [
        (name, share, way, *(f"{fmean(each[search] for each in of_seeds):.1f}" for search in SEARCHES))
        for (name, share, way), of_seeds in found.items()
    ]
    with FILE.open("w", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([("network", "share", "way", *SEARCHES), *rows])
    fill("missing", table(rows), PAGE)


def table(rows: list[tuple[str | float, ...]]) -> str:
    """Return the table of the page."""
    head = [
        "| network | cells missing | rows used | " + " | ".join(SEARCHES) + " |",
        "|---|---|---|" + "---|" * len(SEARCHES),
    ]
    return "\n".join(
        [*head, *(f"| {name} | {share:.0%} | {' | '.join(map(str, rest))} |" for name, share, *rest in rows)]
    )


if __name__ == "__main__":
    main()
