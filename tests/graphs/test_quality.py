"""How much of the truth whole graphs hold on published networks, at 20,000 rows.

Precision and recall are means over the samples, by the paper's rule: an undirected edge counts as found and never as
right. Published for Alarm are 74.1/64.6 with PC and 99.0/86.3 with PC and Climb; the test there is G² with ten rows for
each degree of freedom, and later v-structures overwrite earlier ones.
"""

from __future__ import annotations

from statistics import mean
from typing import NamedTuple

import pytest

import climbfast as cf
from climbfast.graphs.graph import as_graph
from tests.shared_data import network

SEEDS = range(5)
ROWS = 20_000
PAPER = cf.G2(alpha=0.01, df="nominal", min_rows_per_df=10)


class Quality(NamedTuple):
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / (self.precision + self.recall)


@pytest.fixture(scope="module")
def samples() -> list[cf.Dataset]:
    return [network("alarm").sample(ROWS, seed) for seed in SEEDS]


def quality(graphs: list[cf.Graph]) -> Quality:
    rates = [cf.compare(network("alarm"), graph).arrows_paper for graph in graphs]
    return Quality(mean(rate.precision for rate in rates), mean(rate.recall for rate in rates))


@pytest.fixture(scope="module")
def by_g2(samples) -> list[cf.Graph]:
    return [cf.pc(data, PAPER, conflicts="overwrite", max_given=None) for data in samples]


@pytest.fixture(scope="module")
def by_sci(samples) -> list[cf.Graph]:
    return [cf.pc(data) for data in samples]


def test_pc_with_g2_as_published(by_g2):
    found = quality(by_g2)
    assert found.precision == pytest.approx(0.75, abs=0.03)
    assert found.recall == pytest.approx(0.66, abs=0.03)


def test_pc_with_g2_and_climb_as_published(samples, by_g2):
    found = quality([cf.orient(graph, data, directions="all") for graph, data in zip(by_g2, samples, strict=True)])
    assert found.precision >= 0.95
    assert found.recall >= 0.83


def test_pc_with_sci_and_climb(samples, by_sci):
    found = quality([cf.orient(graph, data, directions="all") for graph, data in zip(by_sci, samples, strict=True)])
    assert found.precision >= 0.97
    assert found.recall >= 0.89


def test_sci_is_ahead_of_g2_in_pc(samples, by_g2, by_sci):
    like_by_like = [cf.pc(data, conflicts="overwrite", max_given=None) for data in samples]
    assert quality(like_by_like).f1 >= quality(by_g2).f1 + 0.07
    assert quality(by_sci).f1 >= quality(by_g2).f1 + 0.14


# On Win95pts a cluster of five edges is shorter by 14 bits the wrong way round: the best score has .93; .94 of the
# edges are right where differences of up to a bit, the default, decide nothing. Two samples only where they differ.
@pytest.mark.parametrize(
    ("name", "samples", "accuracy"),
    [("alarm", 1, 0.97), ("hailfinder", 2, 0.94), ("win95pts", 1, 0.94), ("hepar2", 1, 0.92), ("andes", 1, 0.98)],
)
def test_global_directions_of_the_true_skeleton(name, samples, accuracy):
    truth, right = as_graph(network(name)), []
    for seed in range(1, 1 + samples):
        data = network(name).sample(ROWS, seed)
        found = cf.orient(cf.Graph(truth.names, (), truth.skeleton), data, "global", directions="all")
        right.append(len({*found.directed} & {*truth.directed}) / len(found.directed))  # all but those between copies
    assert mean(right) >= accuracy
