"""Which directions are counted at which margin."""

from __future__ import annotations

import climbfast as cf
from bench.accuracy.samples import Sample
from bench.reports.margins import BITS, NO_MARGIN, Claim, Line, bin_of, claims, count
from bench.reports.margins import table as margins_table
from tests.factories import quiet


def test_margins_have_their_bins():
    assert [BITS[bin_of(bits)] for bits in (0.0, 0.99, 1.0, 5.0, 9.9, 50.0, 1e6, None)] == [
        "0–1", "0–1", "1–2", "5–10", "5–10", "> 50", "> 50", "no margin",
    ]  # fmt: skip


def test_only_directions_of_true_edges_count_and_none_between_copies():
    table = {"a": [0, 1, 0, 1], "b": [1, 0, 1, 0], "c": [0, 0, 1, 1], "d": [0, 1, 1, 1]}  # a and b are copies
    data = quiet({name: 3 * column for name, column in table.items()})
    of = Sample("n", 12, 1, "file", data, cf.Graph(("a", "b", "c", "d"), [("a", "b"), ("b", "c"), ("d", "c")]))
    found = [
        Claim("k", ("b", "c"), 3.0), Claim("k", ("c", "d"), 4.0), Claim("k", ("a", "b"), 4.0),
        Claim("k", ("a", "d"), 4.0), Claim("k", ("d", "c"), None),
    ]  # fmt: skip
    claimed, right = count(found, of)
    assert claimed == {("k", 2): 2, ("k", NO_MARGIN): 1}
    assert right == {("k", 2): 1, ("k", NO_MARGIN): 1}


def test_claims_are_those_of_the_searches():
    data = cf.load_example().sample(2000, seed=1)
    found = list(claims(data))
    for method in ("best", "pc+climb"):
        graph = cf.causal_graph(data, method, directions="all")
        of_method = {arc: margin for kind, arc, margin in found if kind == method}
        assert set(of_method) == set(graph.directed)
        for arc, margin in of_method.items():
            assert margin == (graph.margins.get(arc) if graph.reasons[arc] == "chosen" else None)
        assert None in of_method.values()
    blankets = cf.markov_blankets(data, directions="all", progress=False)
    of_blankets = [claim for claim in found if claim.kind.startswith("blankets")]
    assert len(of_blankets) == sum(len(blanket.parents) + len(blanket.children) for blanket in blankets.values())
    seen = [claim for claim in of_blankets if claim.kind.endswith("evidence")]
    assert len(seen) == sum(len(blanket.evidence) for blanket in blankets.values())


def test_networks_are_summed_in_their_group():
    found = [
        Line("alarm", 500, "k", 0, 8, 4), Line("hepar2", 500, "k", 0, 2, 2), Line("alarm", 2000, "k", 3, 9, 9),
        Line("child", 500, "k", 7, 20, 19),
    ]  # fmt: skip
    assert margins_table(found).splitlines()[2:] == [
        "| k | the five | 500 | 60 (10) |  |  |  |  |  |  |  |",
        "| k | the five | 2,000 |  |  |  | – (9) |  |  |  |  |",
        "| k | the five | all | 60 (10) |  |  | – (9) |  |  |  |  |",
        "| k | the others | 500 |  |  |  |  |  |  |  | 95 (20) |",
        "| k | the others | all |  |  |  |  |  |  |  | 95 (20) |",
    ]
