"""The short table of the README, out of made-up and kept results."""

from __future__ import annotations

import json

import pytest

from bench.accuracy.__main__ import RESULTS as ACCURACY_RESULTS
from bench.accuracy.store import Store
from bench.peers.__main__ import RESULTS as PEERS_RESULTS
from bench.reports.highlights import README, accuracy_line, highlights, time_line

NETWORKS = ("a", "b", "c", "d", "e", "f")


def cell(method, network, right, rows=2_000, seed=1):
    return {"method": method, "network": network, "rows": rows, "seed": seed, "skeleton": [right, 10, 10]}


def search(peer, seconds, task="pc", status="done"):
    return {"peer": peer, "task": task, "network": "alarm", "rows": 50, "seconds": seconds, "status": status}


def test_both_have_the_samples_that_the_other_finished():
    cells = [cell("best", network, 9) for network in NETWORKS[:-1]] + [cell("best", "f", 0)]
    cells += [cell("other", network, 8) for network in NETWORKS[:-1]]
    cells += [cell("of few networks", "a", 10), cell("best", "a", 0, rows=500)]
    assert accuracy_line("edges", "skeleton", cells) == ["edges: F1 at 2,000 rows", "90 %", "80 %", "other"]


def test_our_own_methods_are_not_the_others():
    cells = [cell(method, network, 5) for network in NETWORKS for method in ("best", "fges", "weaker")]
    assert accuracy_line("edges", "skeleton", cells)[-1] == "weaker"


def test_the_fastest_of_the_others():
    lines = [
        search("climbfast", 0.01),
        search("slow", 3.0),
        search("fast", 0.2),
        search("absent", 0.0, status="absent"),
    ]
    shown = time_line("PC", "pc", ("alarm", 50), lines)
    assert shown == ["PC, Alarm, 50 rows", "10 ms", "200 ms (20 ×)", "fast"]


def test_a_task_that_no_other_finished_has_no_line():
    with pytest.raises(ValueError, match="no other package has finished pc on alarm"):
        time_line("PC", "pc", ("alarm", 50), [search("climbfast", 0.01)])


def test_the_readme_has_the_results_that_are_kept():
    lines = [json.loads(line) for line in PEERS_RESULTS.read_text("utf-8").splitlines()]
    table = highlights(list(Store(ACCURACY_RESULTS / "accuracy.jsonl")), lines)
    assert table in README.read_text("utf-8")
