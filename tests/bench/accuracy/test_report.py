"""Tables of measured cells."""

from __future__ import annotations

import pytest

from bench.accuracy.report import f1, figures_of, table, table_by_network


def cell(method="best", network="alarm", rows=500, right=1, seconds=0.5, **more):
    return {"method": method, "network": network, "rows": rows, "directed": [right, 2, 2], "seconds": seconds} | more


def test_f1():
    assert f1(1, 2, 2) == 50
    assert f1(0, 0, 0) == 100


def test_networks_count_alike_whatever_their_number_of_samples():
    cells = [cell(right=0), cell(right=0), cell(network="child", right=2)]
    assert figures_of(cells)["directed"] == 50
    assert figures_of(cells)["skeleton"] is None


def test_shares_are_of_the_edges_joined():
    found = figures_of([cell(compelled={"right": 3, "wrong": 1, "undirected": 0}, open={"right": 0, "wrong": 0})])
    assert (found["compelled"], found["open"]) == (75, None)


def test_table():
    cells = [cell(), cell("pc", seconds=12.34), cell(rows=2_000, right=2)]
    assert table(cells, ["pc", "best"]).splitlines() == [
        "| rows | method | directed | seconds |",
        "|---|---|---|---|",
        "| 500 | pc | 50.0 | 12.3 |",
        "| 500 | best | 50.0 | 0.5 |",
        "| 2,000 | best | 100.0 | 0.5 |",
    ]


def test_a_method_with_fewer_samples_says_so():
    lines = table([cell(), cell(network="child"), cell("pc")], ["best", "pc"], ["directed"])
    assert "| 500 | pc (1 of 2 samples) | 50.0 |" in lines


@pytest.mark.parametrize(("figure", "best"), [("directed", "| **100.0** | 50.0 |"), ("seconds", "| 0.5 | **0.1** |")])
def test_the_best_of_a_network_is_bold(figure, best):
    cells = [cell(right=2), cell("pc", seconds=0.1)]
    assert best in table_by_network(cells, ["best", "pc"], figure)
