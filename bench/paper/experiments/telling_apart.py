"""Parents told from children where the neighbors are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import climbfast as cf
from bench.paper.claims import Claim
from bench.paper.experiment import Measurements, spread
from bench.paper.experiments import plug_and_play
from bench.paper.plots import Figure, Panel
from bench.paper.samples import Sample
from climbfast.local.partition import partition

TITLE = "Telling parents from children"
SETTINGS = """The true neighbors of every node of Alarm are given; ten data sets of each size. Accuracy is the share
of neighbors, over all nodes, that are on the right side."""


@dataclass(frozen=True)
class PartitionOfTrueNeighbors:
    """The partition of the true neighbors into parents and children, at every node."""

    def __call__(self, sample: Sample) -> Mapping[str, float]:
        """Return the share of neighbors on the right side, and of parents and of children, in percent."""
        tester, right, true = cf.Tester(sample.data), [0, 0], [0, 0]
        for node in sample.network.nodes:
            sides = sample.network.parents[node], sample.network.children(node)
            parents, children = ({sample.data.index(x) for x in side} for side in sides)
            found = partition(tester, sample.data.index(node), sorted(parents | children))
            right[0] += len(parents & {*found.parents})
            right[1] += len(children & {*found.children})
            true = [true[0] + len(parents), true[1] + len(children)]
        return {
            "accuracy": 100 * sum(right) / sum(true),
            "parents": 100 * right[0] / true[0],
            "children": 100 * right[1] / true[1],
            "tests": 0,
        }


METHODS = {"Climb": PartitionOfTrueNeighbors()}
data_sets = plug_and_play.data_sets
draw = plug_and_play.draw


def claims(measured: Measurements) -> list[Claim]:
    """See ``Experiment.claims``."""
    sizes = measured.distinct("rows")
    few, most = min(sizes), max(sizes)
    first, last = (measured.mean("accuracy", rows=rows) for rows in (few, most))
    of_parents, of_children = (measured.mean(side, rows=most) for side in ("parents", "children"))
    return [
        Claim(
            f"About 80 % of the neighbors are on the right side with 100 rows (here {few:,})", first, 80,
            order=first > 50, compared="better than chance",
            why=f"our data sets vary by {spread(measured.values('accuracy', rows=few)):.1f} points (sd).",
        ),
        Claim(
            f"and 88 % with 20,000 (here {most:,})", last, 88, order=last > first, compared="more than with few rows",
            why="it is the best partition, whose score knows nothing but the neighbors themselves.",
        ),
        Claim(
            "There is no bias (parents less children)", of_parents - of_children, 0, unit="points",
            why=f"Parents {of_parents:.1f} %, children {of_children:.1f} %.",
        ),
    ]  # fmt: skip


def figures(measured: Measurements) -> list[Figure]:
    """See ``Experiment.figures``."""
    names = {"all": "accuracy", "parents": "parents", "children": "children"}
    curves = {name: measured.curve(measure, "rows") for name, measure in names.items()}
    panel = Panel("Alarm, true neighbors given", "rows", "on the right side, %", curves, logarithmic="x")
    return [Figure("telling_apart", "Neighbors that the partition puts on the right side.", [panel], 4.6)]
