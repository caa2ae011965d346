"""The table of methods, from made-up lines."""

from __future__ import annotations

from bench.reports.methods import ROWS, TESTS, table


def test_means_over_the_networks():
    lines = [
        {"network": network, "rows": str(rows), "test": test.name, "method": "gs", "f1": f1, "tests_per_node": "1500.4"}
        for network, f1 in (("alarm", "0.5"), ("insurance", "0.7"))
        for rows in ROWS
        for test in TESTS
    ]
    shown = table(lines).splitlines()
    assert len(shown) == 3  # of the other methods there are no lines
    assert shown[-1] == "| `gs` | blanket |" + 6 * " 60 (1,500) |"
