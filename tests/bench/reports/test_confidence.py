"""What counts as true at which frequency, and that a cell is what the search and its replicates say."""

from __future__ import annotations

import json
import sys

import climbfast as cf
from bench.accuracy.samples import Sample
from bench.reports import confidence
from bench.reports.confidence import cells, measure, read, reliability, tenths
from climbfast.resampling.run import bootstrap
from climbfast.resampling.schemes import SCHEMES
from tests.factories import quiet

TRUTH = cf.Graph(("a", "b", "c"), [("b", "a"), ("b", "c")])


def chain(rows=300):
    """Return three columns of which the second decides the others nearly."""
    b = [row % 2 for row in range(rows)]
    a = [value if row % 7 else 1 - value for row, value in enumerate(b)]
    c = [value if row % 5 else 1 - value for row, value in enumerate(b)]
    return Sample("chain", rows, 1, "file", quiet({"a": a, "b": b, "c": c}), TRUTH)


def test_a_frequency_belongs_to_the_tenth_that_it_begins():
    found = tenths([(0, True), (1, False), (9, True), (10, True), (69, False), (70, True), (100, True)], 100)
    assert [row[0] for row in found] == [2, 1, 0, 0, 0, 0, 1, 1, 0, 1]
    assert found[0] == [2, 1, 10]
    assert found[6] == [1, 0, 69]
    assert found[9] == [1, 1, 100]


def test_few_replicates_have_the_same_tenths():
    assert [row[0] for row in tenths([(3, True), (2, True)], 5)] == [0, 0, 0, 0, 1, 0, 1, 0, 0, 0]


def test_an_edge_is_true_in_both_directions_and_a_direction_in_one():
    calls = iter([[("b", "a")], [("a", "b")], [("b", "a"), ("a", "c")], [("b", "a")]])
    found = bootstrap(
        chain().data, lambda data: cf.Graph(data.names, next(calls)), replicates=4, n_jobs=1, progress=False
    )
    of = reliability(TRUTH, found)
    assert of["edges"][9] == [1, 1, 4]  # a - b
    assert of["edges"][2] == [1, 0, 1]  # a - c
    assert of["directions"][7] == [1, 1, 3]  # b -> a
    assert of["directions"][2] == [2, 0, 2]  # a -> b, a -> c


def test_a_cell_has_the_single_run_and_the_consensus():
    of = chain()
    cell = measure(of, "pc", "half", 5)
    compared = cf.compare(TRUTH, cf.pc(of.data)).skeleton
    assert cell["single"]["skeleton"] == [compared.right, compared.found, 2]
    replicates = bootstrap(of.data, "pc", replicates=5, scheme="half", n_jobs=1, progress=False)
    assert sum(row[2] for row in cell["edges"]) == replicates.pairs.counts[:, 0].sum()
    assert cell["threshold"] == replicates.graph().figures["threshold"]
    assert cell["strict"]["skeleton"][1] == len(replicates.graph(0.7).edges)


def test_what_is_known_is_not_measured_again(monkeypatch):
    monkeypatch.setattr(confidence, "sample", lambda name, rows, seed: chain(rows))
    first = list(cells(["chain"], [100], [1], {"pc": 2}, SCHEMES, set(), None))
    assert [cell["scheme"] for cell in first] == ["bootstrap", "half", "complementary"]
    known = {confidence.key_of(cell) for cell in first[:2]}
    (again,) = cells(["chain"], [100], [1], {"pc": 2}, SCHEMES, known, None)
    assert again == first[2]


def test_a_stopped_run_continues(monkeypatch, tmp_path):
    monkeypatch.setattr(confidence, "sample", lambda name, rows, seed: chain(rows))
    monkeypatch.setattr(confidence, "SEARCHES", {"pc": 2})
    out = tmp_path / "cells.jsonl"
    whole = ["confidence", "--networks", "chain", "--rows", "100", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", whole)
    confidence.main()
    lines = out.read_text().splitlines()
    out.write_text("".join(line + "\n" for line in lines[:1]))
    confidence.main()
    assert read(out) == [json.loads(line) for line in lines]
