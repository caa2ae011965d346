"""The comparison with other packages: reading, scoring, the table, and processes that fail or take too long."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from bench.peers import searches, summary
from bench.peers.environments import last_line
from bench.peers.measurement import REPLICATES, by_a_loop, in_most_replicates, measure, read
from bench.peers.searches import environment, in_turns, merge, searches_of

SKELETON = [("a", "b"), ("c", "b"), ("c", "d")]
MEMBERS = [("a", "b"), ("b", "a"), ("a", "c")]


def line(peer="climbfast", task="pc", seconds=0.5, **more):
    return {"peer": peer, "task": task, "network": "alarm", "rows": 5000, "seconds": seconds, "wall": seconds,
            "settings": f"{task} of {peer}", "status": "done", "f1": 0.5} | more  # fmt: skip


def test_the_skeleton_has_no_direction_and_counts_an_edge_once():
    found = summary.score(line(edges=[["b", "a"], ["a", "b"], ["b", "c"], ["a", "d"]]), SKELETON, MEMBERS)
    assert (found["edges"], found["precision"], found["recall"], found["f1"]) == (3, 2 / 3, 2 / 3, 2 / 3)


def test_members_of_blankets_are_pairs_with_their_target():
    found = summary.score(line(task="blankets-iamb", edges=[["a", "b"], ["c", "a"]]), SKELETON, MEMBERS)
    assert (found["edges"], found["precision"], found["recall"], found["f1"]) == (2, 1 / 2, 1 / 3, 2 / 5)


def test_nothing_found_is_right_nowhere():
    found = summary.score(line(edges=[]), SKELETON, MEMBERS)
    assert (found["precision"], found["recall"], found["f1"]) == (0, 0, 0)


def test_a_line_without_an_answer_stays_as_it_is():
    failed = line(status="failed", reason="no")
    assert summary.score(failed, SKELETON, MEMBERS) == failed


def test_ratios_are_to_our_defaults_on_the_same_data():
    lines = [
        line(task="pc-ten-rows", seconds=9),
        line(seconds=0.5),
        line(seconds=4, rows=20_000),
        line("peer", "pc-majority", 2),
        line("peer", "pc", 2, rows=20_000),
        line("peer", "bdeu", 2),
    ]
    assert [summary.times_ours(each, lines) for each in lines[3:]] == [4, 0.5, None]


def test_the_fastest_peer_is_not_ours_and_has_an_answer():
    lines = [
        line(seconds=1),
        line("slow", seconds=3),
        line("fast", "pc-majority", 2),
        line("other", "bdeu", 0.1),
        line("failed", seconds=0.1, status="failed"),
        line("larger", seconds=0.1, rows=20_000),
    ]
    assert summary.fastest_peer(lines, "pc", ("alarm", 5000)) == lines[2]
    assert summary.fastest_peer(lines, "blankets", ("alarm", 5000)) is None


def test_the_table_has_a_line_for_each_search_and_says_why_a_cell_has_no_time():
    lines = [
        line(seconds=0.020, f1=0.944),
        line("peer", seconds=2.06, f1=1.0),
        line("slow", status="limit", limit=60),
        line(rows=20_000, seconds=0.1),
        line("peer", rows=20_000, status="failed"),
        line("slow", rows=20_000, status="not tried"),
        {"peer": "gone", "status": "absent", "reason": "no matching distribution"},
    ]
    assert summary.tables(lines).splitlines() == [
        "| task | by | how | Alarm, 5,000 rows | Alarm, 20,000 rows |",
        "| --- | --- | --- | ---: | ---: |",
        "| PC | **climbfast** | pc of climbfast | 20 ms · 1.0 × · .94 | 100 ms · 1.0 × · .50 |",
        "| PC | peer | pc of peer | 2.1 s · 103 × · 1.00 | failed |",
        "| PC | slow | pc of slow | > 60 s | not tried |",
        "",
        "gone is not there: no matching distribution.",
    ]


def test_replicates_have_a_table_of_their_own_with_their_own_data():
    lines = [
        line(seconds=1),
        line(task="bootstrap_pc", rows=2000, seconds=2),
        line("peer", "bootstrap_pc-loop", 5, rows=2000),
        line("peer", "bootstrap_bdeu", 5, rows=2000),
    ]
    assert summary.tables(lines).splitlines() == [
        "| task | by | how | Alarm, 5,000 rows |",
        "| --- | --- | --- | ---: |",
        "| PC | **climbfast** | pc of climbfast | 1.0 s · 1.0 × · .50 |",
        "",
        "| task | by | how | Alarm, 2,000 rows |",
        "| --- | --- | --- | ---: |",
        "| PC, 20 replicates | **climbfast** | bootstrap_pc of climbfast | 2.0 s · 1.0 × · .50 |",
        "| PC, 20 replicates | peer | bootstrap_pc-loop of peer | 5.0 s · 2.5 × · .50 |",
        "| BDeu, 20 replicates | peer | bootstrap_bdeu of peer | 5.0 s · .50 |",
    ]


def test_a_loop_draws_rows_of_the_data_with_replacement_and_searches_them():
    codes, given, drawn = np.arange(100).reshape(50, 2), [], []

    def form(names, codes):
        given.append(names)
        return codes

    def found_in(table):
        drawn.append(table)
        return [("a", "b"), ("b", "a")] if len(drawn) % 2 else [("a", "c")]

    loop = by_a_loop("the search", form, lambda table, rows: table[rows], found_in)
    assert loop.__doc__ == "the search, by a loop"
    search, edges = loop(["a", "b"], codes)
    assert (given, drawn) == ([["a", "b"]], [])
    assert list(edges(search())) == []  # half of the replicates have each
    assert len(given) == 1
    assert [table.shape for table in drawn] == [(50, 2)] * REPLICATES
    assert all({tuple(row) for row in table} < {tuple(row) for row in codes} for table in drawn)
    assert not (drawn[0] == drawn[1]).all()


def test_an_edge_of_more_than_half_of_the_replicates_counts_in_either_direction():
    half = REPLICATES // 2
    found = [[("a", "b"), ("c", "d"), ("d", "c")]] * half + [[("b", "a")]] + [[]] * (REPLICATES - half - 1)
    assert list(in_most_replicates(found)) == [("a", "b")]


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.0713, ".071"), (0.996, "1.0"), (9.94, "9.9"), (9.96, "10"), (1234.5, "1,234")],
)
def test_two_digits(number, text):
    assert summary.two_digits(number) == text


def test_the_least_times_count_and_a_later_failure_changes_nothing():
    first = merge(None, line(seconds=3, wall=4))
    second = merge(first, line(seconds=2, wall=5))
    assert (second["seconds"], second["wall"], second["runs"]) == (2, 4, 2)
    assert merge(second, {"status": "limit"}) == second


def test_the_last_line_that_says_something():
    assert last_line("warning\nERROR: no\n\n  \n") == "ERROR: no"
    assert last_line("") == "no message"


def test_a_package_that_compiles_gets_a_first_run_and_every_run_a_fresh_start(tmp_path):
    file = tmp_path / "alarm-3.csv"
    file.write_text("a,b\n0,1\n1,1\n2,0\n")
    names, codes = read(file)
    assert (names, codes.tolist()) == (["a", "b"], [[0, 1], [1, 1], [2, 0]])
    starts = []

    def task(names, codes):
        starts.append(np.sum(codes))
        return lambda: "found", lambda found: [(found, names[0])]

    assert measure(task, names, codes, warm=False)[2] == [("found", "a")]
    assert len(starts) == 5
    measure(task, names, codes, warm=True)
    assert len(starts) == 5 + 6


PEER = """
import json, sys
if len(sys.argv) == 1:
    print("a banner", json.dumps({}), json.dumps({"pc": "stable", "loop": "endless", "raise": ""}), sep="\\n")
elif sys.argv[2] == "pc":
    print(json.dumps({"peer": "fake", "task": "pc", "network": "alarm", "rows": 5, "seconds": 0.01, "wall": 0.1}))
elif sys.argv[2] == "loop":
    while True: pass
else:
    raise ValueError("a column has one level")
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    (tmp_path / "with_fake_peer.py").write_text(PEER)
    monkeypatch.setattr(searches, "HERE", tmp_path)
    monkeypatch.setattr(searches, "SECONDS_BETWEEN_LOOKS", 0.1)
    return searches_of("fake-peer", Path(sys.executable))


def test_a_search_that_fails_or_takes_too_long_is_run_once_and_says_so(fake, tmp_path, capsys):
    assert [(search.task, search.settings) for search in fake] == [("pc", "stable"), ("loop", "endless"), ("raise", "")]
    pc, loop, failed = in_turns(fake, tmp_path / "alarm-5.csv", rounds=2, limit=0.5)
    assert (pc["status"], pc["runs"], pc["settings"]) == ("done", 2, "stable")
    assert (loop["status"], loop["limit"], loop["runs"], loop["rows"]) == ("limit", 0.5, 1, 5)
    assert (failed["status"], failed["reason"]) == ("failed", "ValueError: a column has one level")
    assert "alarm 5 fake-peer loop: limit" in capsys.readouterr().err


def test_peers_see_none_of_our_packages_and_one_thread(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "ours")
    assert "PYTHONPATH" not in environment("pgmpy")
    assert environment("climbfast")["PYTHONPATH"] == "ours"
    assert {environment(peer)["OMP_NUM_THREADS"] for peer in ("pgmpy", "climbfast")} == {"1"}


def test_results_are_lines_of_json_with_what_the_table_needs():
    file = Path(searches.__file__).with_name("results.jsonl")
    lines = [json.loads(each) for each in file.read_text(encoding="utf-8").splitlines()]
    done = [each for each in lines if each["status"] == "done"]
    assert {each["peer"] for each in done} >= {"climbfast", "pybnesian"}
    assert all(each["seconds"] > 0 and 0 <= each["f1"] <= 1 and each["version"] for each in done)
    assert all(summary.times_ours(each, lines) for each in done)


def test_the_results_have_the_replicates_of_peers_with_a_bootstrap_beside_ours():
    file = Path(searches.__file__).with_name("results.jsonl")
    lines = [json.loads(each) for each in file.read_text(encoding="utf-8").splitlines()]
    for name in summary.REPLICATED:
        found = {(each["peer"], each["rows"]): each for each in lines if each.get("task") == name}
        for rows in (2000, 20_000):
            ours = found["climbfast", rows]
            assert found["bnlearn-port", rows]["seconds"] > ours["seconds"]
            assert summary.fastest_peer(lines, name, ("alarm", rows)) is not None
