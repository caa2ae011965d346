"""What three true tiers are worth: ``python -m bench.reports.knowledge`` (five minutes).

It writes ``knowledge.csv`` and ``knowledge_work.csv``, and from them two tables in docs/evidence/knowledge.md;
``--page`` makes these of the files as they are, ``--only directions`` or ``--only work`` measures one of them.

The tiers are the nodes by the longest path that leads to them, cut in three. For the saving there is also a tier for
every depth, which has no edges inside and is closed. Accuracy is at 2,000 rows; the saving is at 20,000 rows of Alarm
and 5,000 of Munin, in processor seconds of one worker.
"""

from __future__ import annotations

import argparse
import csv
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from bench.shared.marked_text import EVIDENCE, fill
from bench.shared.networks import network as published
from climbfast import (
    ClimbfastWarning,
    Dataset,
    Graph,
    Knowledge,
    Network,
    causal_graph,
    compare,
    fges,
    markov_blankets,
    pc,
)
from climbfast.graphs.background import with_knowledge
from climbfast.graphs.graph import edges_by_name
from climbfast.networks.sampling import draw
from climbfast.warm import warm_up

ACCURACY = ("insurance", "alarm", "hailfinder")
ACCURACY_ROWS, SEEDS = 2_000, (1, 2, 3)
SAVING = {"alarm": 20_000, "munin": 5_000}
SAVING_SEED = 1
REPEATS = 2  # of which the fastest counts
TIERS = 3
FILE = Path(__file__).with_suffix(".csv")
WORK_FILE = FILE.with_name("knowledge_work.csv")
PAGE = EVIDENCE / "knowledge.md"

Search = Callable[[Dataset, Knowledge | None], Graph]


def _blankets(data: Dataset, known: Knowledge | None) -> Graph:
    """Return the directions of the blankets as a graph: an edge that its two ends direct differently is undirected."""
    found = markov_blankets(data, knowledge=known, n_jobs=1, progress=False)
    arcs = {(parent, name) for name, blanket in found.items() for parent in blanket.parents}
    arcs |= {(name, child) for name, blanket in found.items() for child in blanket.children}
    pairs = {frozenset((name, x)) for name, blanket in found.items() for x in blanket.neighbors}
    directed = [(x, y) for x, y in arcs if (y, x) not in arcs]
    pairs -= {frozenset(arc) for arc in directed}
    return Graph(data.sorted_names, directed, [tuple(pair) for pair in pairs])


SEARCHES: dict[str, Search] = {
    "pc": lambda data, known: pc(data, knowledge=known, n_jobs=1),
    "fges": lambda data, known: fges(data, knowledge=known),
    "best": lambda data, known: causal_graph(data, "best", knowledge=known),
    "climb": _blankets,
}


def true_tiers(network: Network) -> Knowledge:
    """Return the nodes in three tiers of about the same size that no edge leads back between, in the order of depth."""
    depth: dict[str, int] = {}
    for node in network.nodes:
        _deepen(network, node, depth)
    ordered = sorted(network.nodes, key=lambda node: (depth[node], node))
    cuts = [round(len(ordered) * number / TIERS) for number in range(TIERS + 1)]
    tiers = [ordered[start:end] for start, end in pairwise(cuts)]
    return Knowledge(tiers=tiers)


def _deepen(network: Network, node: str, depth: dict[str, int]) -> int:
    if node not in depth:
        depth[node] = max((_deepen(network, parent, depth) + 1 for parent in network.parents[node]), default=0)
    return depth[node]


def closed_tiers(network: Network) -> Knowledge:
    """Return a tier for every depth, which by its definition has no edges inside."""
    depth: dict[str, int] = {}
    for node in network.nodes:
        _deepen(network, node, depth)
    tiers = [[node for node in network.nodes if depth[node] == number] for number in range(max(depth.values()) + 1)]
    return Knowledge(tiers=tiers, closed=True)


def sample(network: Network, rows: int, seed: int) -> Dataset:
    """Return rows of the network without warnings of copies and constant columns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        return Dataset.from_frame(draw(network, rows, seed))


class Accuracy(NamedTuple):
    """How good a search is without and with three true tiers.

    Attributes
    ----------
    without, tiers : float
        Directed F1 in percent.
    far_without, far_tiers : float
        Structural Hamming distance to the class of the network with the tiers, which is all that data can show.
    """

    network: str
    method: str
    without: float
    tiers: float
    far_without: float
    far_tiers: float


class _Rate(NamedTuple):
    f1: float
    distance: float


def accuracy() -> Iterator[Accuracy]:
    """Yield the directed F1 of each search on each network, as means over samples."""
    for name in ACCURACY:
        network = published(name)
        known = true_tiers(network)
        tables = [sample(network, ACCURACY_ROWS, seed) for seed in SEEDS]
        for method, find in SEARCHES.items():
            rates = [[_rate(network, find, table, each, known) for table in tables] for each in (None, known)]
            f1 = (fmean(rate.f1 for rate in of_one) for of_one in rates)
            distance = (fmean(rate.distance for rate in of_one) for of_one in rates)
            yield Accuracy(name, method, *f1, *distance)


def _rate(network: Network, find: Search, data: Dataset, known: Knowledge | None, tiers: Knowledge) -> _Rate:
    found = find(data, known)
    truth = Graph(found.names, [arc for arc in network.arcs if {*arc} <= {*found.names}])
    knowable = with_knowledge(truth.to_cpdag().pdag, tiers.allowed_arcs(truth.names))
    assert knowable is not None  # the tiers are true
    target = Graph(truth.names, **edges_by_name(truth.names, knowable))
    return _Rate(100 * compare(truth, found).arrows_paper.f1, compare(target, found).shd)


class Work(NamedTuple):
    """What a search did: its tests or families, and its seconds."""

    network: str
    method: str
    knowledge: str
    steps: int
    seconds: float


def saving() -> Iterator[Work]:
    """Yield the tests of pc and of blankets, the families of fges, and their seconds, without and with tiers."""
    warm_up()
    for name, rows in SAVING.items():
        network = published(name)
        data = sample(network, rows, SAVING_SEED)
        for kind, known in _kinds(network):
            for method, work in WORK.items():
                yield Work(name, method, kind, *_timed(partial(work, data, known)))


def _tests_of_pc(data: Dataset, known: Knowledge | None) -> int:
    return SEARCHES["pc"](data, known).tests


def _families(data: Dataset, known: Knowledge | None) -> int:
    return int(SEARCHES["fges"](data, known).figures["families"])


def _tests_of_blankets(data: Dataset, known: Knowledge | None) -> int:
    return int(markov_blankets(data, knowledge=known, n_jobs=1, progress=False).how["tests"])


WORK = {"pc, tests": _tests_of_pc, "fges, families": _families, "climb, tests": _tests_of_blankets}


def _timed(search: Callable[[], int]) -> tuple[int, float]:
    """Return what a search did, and the least processor seconds of some runs."""
    seconds = []
    for _ in range(REPEATS):
        begun = time.process_time()
        steps = search()
        seconds.append(time.process_time() - begun)
    return steps, min(seconds)


def _kinds(network: Network) -> list[tuple[str, Knowledge | None]]:
    known = true_tiers(network)
    closed = closed_tiers(network)
    return [("nothing", None), ("three tiers", known), ("a closed tier for each depth", closed)]


def read() -> list[Accuracy]:
    """Return the directed F1 and the distances that are kept."""
    return [Accuracy(row["network"], row["method"], *map(float, [*row.values()][2:])) for row in _rows_of(FILE)]


def read_work() -> list[Work]:
    """Return the numbers of tests and families, and the seconds, that are kept."""
    return [
        Work(row["network"], row["method"], row["knowledge"], int(row["steps"]), float(row["seconds"]))
        for row in _rows_of(WORK_FILE)
    ]


def _rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def table(rates: Iterable[Accuracy]) -> str:
    """Return the directed F1 without and with tiers."""
    return "\n".join([
        "| network | method | nothing known | three tiers | difference | distance | with tiers |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {x.network} | {x.method} | {x.without:.1f} | {x.tiers:.1f} | {x.tiers - x.without:+.1f} "
            f"| {x.far_without:.1f} | {x.far_tiers:.1f} |"
            for x in rates
        ),
    ])  # fmt: skip


def table_of_work(work: Iterable[Work]) -> str:
    """Return what searches did."""
    return "\n".join([
        "| network | search | known | number | seconds |",
        "|---|---|---|---|---|",
        *(f"| {x.network} | {x.method} | {x.knowledge} | {x.steps:,} | {x.seconds:.2f} |" for x in work),
    ])  # fmt: skip


def _keep(file: Path, rows: Iterable[Any], fields: Iterable[str]) -> None:
    texts = [[f"{cell:.3f}" if isinstance(cell, float) else cell for cell in row] for row in rows]
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out, lineterminator="\n").writerows([fields, *texts])


def main() -> None:
    """Measure, write the files, and fill the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--page", action="store_true", help="make the tables of what there is, and measure nothing")
    parser.add_argument("--only", choices=("directions", "work"))
    options = parser.parse_args()
    if not options.page and options.only != "work":
        _keep(FILE, accuracy(), Accuracy._fields)
    if not options.page and options.only != "directions":
        _keep(WORK_FILE, saving(), Work._fields)
    fill("knowledge of directions", table(read()), PAGE)
    fill("knowledge and work", table_of_work(read_work()), PAGE)


if __name__ == "__main__":
    main()
