"""Directed edges around every target: Climb, one target at a time, beside PC, which needs the whole graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import climbfast as cf
from bench.paper.claims import Claim
from bench.paper.experiment import Measurements, Method
from bench.paper.experiments import plug_and_play
from bench.paper.graphs import G2, PC, f1, find_graph
from bench.paper.plots import Figure, Panel
from bench.paper.samples import Sample

TITLE = "Causal blankets"
SETTINGS = """Alarm, ten data sets of each size. Counted are the edges at every target, and all of them are added up:
for Climb those of the target's own blanket; for stable PC (G² with α = 0.01 and ten rows per degree of freedom, sets
of any size, later v-structures overwrite earlier ones) those of the whole graph, in which an edge without direction
counts as found and not as right. F1 is made of mean precision and mean recall."""


@dataclass(frozen=True)
class Blankets:
    """Climb at every node."""

    test: cf.SCI | cf.G2

    def __call__(self, sample: Sample) -> Mapping[str, float]:
        """Return the rates of directed edges in percent, and tests."""
        right = found = tests = 0
        for node in sample.network.nodes:
            blanket = cf.markov_blanket(sample.data, node, test=self.test, colliders=False, directions="all")
            right += len({*blanket.parents} & {*sample.network.parents[node]})
            right += len({*blanket.children} & {*sample.network.children(node)})
            found, tests = found + len(blanket.neighbors), tests + blanket.tests
        return _rates(right, found, tests, sample)


@dataclass(frozen=True)
class WholeGraph:
    """Stable PC."""

    def __call__(self, sample: Sample) -> Mapping[str, float]:
        """Return the same as ``Blankets``; both ends of an edge are targets."""
        graph = find_graph(PC, sample)
        rates = cf.compare(sample.network, graph).arrows_paper
        return _rates(2 * rates.right, 2 * rates.found, graph.tests, sample) | {"seconds": graph.seconds}


def _rates(right: int, found: int, tests: int, sample: Sample) -> dict[str, float]:
    precision, recall = 100 * right / found if found else 100.0, 100 * right / (2 * len(sample.network.arcs))
    rates = {"precision": precision, "recall": recall, "f1": f1(precision, recall)}
    return {**rates, "tests_per_node": tests / len(sample.network.nodes), "tests": tests}


METHODS: dict[str, Method] = {"Climb, SCI": Blankets(cf.SCI()), "Climb, G²": Blankets(G2), "PC, G²": WholeGraph()}
data_sets = plug_and_play.data_sets
draw = plug_and_play.draw


def claims(measured: Measurements) -> list[Claim]:
    """See ``Experiment.claims``."""
    sizes = measured.distinct("rows")
    most = max(sizes)
    climb, pc = ([measured.mean("precision", method=m, rows=n) for n in sizes] for m in ("Climb, SCI", "PC, G²"))
    tests = measured.mean("tests_per_node", method="Climb, SCI", rows=most)
    in_search = measured.mean("tests_per_node", method="PC, G²", rows=most)
    few = measured.mean("tests_per_node", method="Climb, SCI", rows=min(sizes))
    return [
        Claim(
            "Climb's precision rises to 90 %", max(climb), 90,
            order=climb[-1] > climb[0], compared="rises with the rows",
        ),
        Claim(
            "PC's precision is at most 79 %", max(pc), 79, "<=", order=max(pc) < max(climb), compared="below Climb's",
            why=f"from {sizes[0]:,} rows up it is {', '.join(f'{precision:.1f}' for precision in pc)} %.",
        ),
        Claim(
            f"Climb makes 221 tests per node with 20,000 rows (here {most:,})", tests, 221, order=tests > few,
            compared="more tests with more rows", unit="tests",
            why="the search of neighbors keeps the minima of earlier rounds, so that only sets with the newest member "
            f"are tested; stable PC makes {in_search:.0f} per node.",
        ),
    ]  # fmt: skip


def figures(measured: Measurements) -> list[Figure]:
    """See ``Experiment.figures``."""
    published = {"precision": {"Climb, SCI": 90.0, "PC, G²": 79.0}}
    panels = [
        Panel(
            title, "rows", f"{title}, %",
            {name: measured.curve(measure, "rows", method=name) for name in METHODS},
            published.get(measure, {}), "x",
        )
        for title, measure in (("precision", "precision"), ("recall", "recall"), ("F1", "f1"))
    ]  # fmt: skip
    return [
        Figure("causal_blankets", "Directed edges at every target of Alarm; dotted: the most in the paper.", panels)
    ]
