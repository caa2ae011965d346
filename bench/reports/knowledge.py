"""What three true tiers are worth: ``python -m bench.reports.knowledge [PAGE.md] [--seeds N]``.

The tiers are the nodes by the longest path that leads to them, cut in three. For the saving there is also a tier for
every depth, which has no edges inside and is closed. Accuracy is at 2,000 rows; the saving is at 20,000 rows of Alarm
and 5,000 of Munin.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

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
ACCURACY_ROWS = 2_000
SAVING = {"alarm": 20_000, "munin": 5_000}
SAVING_SEED = 1
REPEATS = 2  # of which the fastest counts
TIERS = 3

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


def accuracy(seeds: int) -> Iterator[Accuracy]:
    """Yield the directed F1 of each search on each network, as means over samples."""
    for name in ACCURACY:
        network = published(name)
        known = true_tiers(network)
        tables = [sample(network, ACCURACY_ROWS, seed) for seed in range(1, seeds + 1)]
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
            graphs = [pc(data, knowledge=known, n_jobs=1) for _ in range(REPEATS)]
            yield Work(name, "pc, tests", kind, graphs[0].tests, min(graph.seconds for graph in graphs))
            graphs = [fges(data, knowledge=known) for _ in range(REPEATS)]
            families = int(graphs[0].figures["families"])
            yield Work(name, "fges, families", kind, families, min(graph.seconds for graph in graphs))
            hows = [markov_blankets(data, knowledge=known, n_jobs=1, progress=False).how for _ in range(REPEATS)]
            yield Work(name, "climb, tests", kind, hows[0]["tests"], min(how["seconds"] for how in hows))


def _kinds(network: Network) -> list[tuple[str, Knowledge | None]]:
    known = true_tiers(network)
    closed = closed_tiers(network)
    return [("nothing", None), ("three tiers", known), ("a closed tier for each depth", closed)]


def page(rates: Sequence[Accuracy], work: Sequence[Work], seeds: int) -> str:
    """Return the figures as a page."""
    lines = [
        "# What knowledge is worth",
        "",
        "Three true tiers: the nodes of a network by the longest path that leads to them, cut in three. Written by",
        "`python -m bench.reports.knowledge docs/evidence/knowledge.md`.",
        "",
        "## Directions",
        "",
        f"Directed F1 in percent at {ACCURACY_ROWS:,} rows, means of {seeds} samples; an undirected edge counts once",
        "as found and never as right. climb: the directions of all blankets. The distance is that to the class of the",
        "network with the tiers, which is all that data can show. On Hailfinder fges loses: the edge Date -> Scenario,",
        "by which Meek's rules direct the dozen edges of Scenario, is too weak to be found; without tiers a false",
        "edge, which they forbid, directs them instead.",
        "",
        "| network | method | nothing known | three tiers | difference | distance | with tiers |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {x.network} | {x.method} | {x.without:.1f} | {x.tiers:.1f} | {x.tiers - x.without:+.1f} "
            f"| {x.far_without:.1f} | {x.far_tiers:.1f} |"
            for x in rates
        ),
        "",
        "## Work",
        "",
        f"Alarm with {SAVING['alarm']:,} rows and Munin with {SAVING['munin']:,}, one worker.",
        "",
        "| network | search | known | number | seconds |",
        "|---|---|---|---|---|",
        *(f"| {x.network} | {x.method} | {x.knowledge} | {x.steps:,} | {x.seconds:.2f} |" for x in work),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Write the page to the file named, or to standard output."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("page", nargs="?", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    text = page(list(accuracy(options.seeds)), list(saving()), options.seeds)
    if options.page is None:
        sys.stdout.write(text)
    else:
        options.page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
