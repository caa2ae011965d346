"""The table of ``python -m bench.exchange``: what came back, and what could not be installed."""

from __future__ import annotations

from bench.exchange.__main__ import table


def test_table():
    line = {"program": "Tetrad 7", "version": "", "way": "reads", "graphs": 300, "same": 299, "names": 18, "odd": 30}
    absent = {"program": "cytoscape", "absent": "there is no npm"}
    assert table([line, {**line, "odd": 0, "version": "1.2"}, absent]).splitlines()[2:] == [
        "| Tetrad 7 | reads | 300 | 299 | 18 of 30 |",
        "| Tetrad 7 1.2 | reads | 300 | 299 |  |",
        "| cytoscape | there is no npm |  |  |  |",
    ]
