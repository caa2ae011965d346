"""Tables, lists and edges as people read them."""

from __future__ import annotations

import climbfast as cf
from climbfast.cli.pages import MOST_SHOWN, edge_in, new_table, note_of_rest, rendered, texts, work_done


def test_cells_are_literal_and_columns_are_aligned():
    table = new_table(["name", ">bits"])
    table.add_row(*texts(["[red]x[/red]", "1.0"]))
    table.add_row(*texts(["y", "10.0"]))
    lines = rendered(table).splitlines()
    assert lines[0].split() == ["name", "bits"]
    assert lines[2] == "[red]x[/red]    1.0"
    assert lines[3] == "y              10.0"


def test_the_rest_is_counted():
    assert note_of_rest(MOST_SHOWN, "--json") == ""
    assert note_of_rest(MOST_SHOWN + 1500, "--json") == "\n... and 1,500 more; --json gives all"


def test_an_edge_from_both_ends():
    graph = cf.Graph("abcd", [("a", "b")], [("b", "c")])
    assert edge_in(graph, "a", "b") == edge_in(graph, "b", "a") == "a -> b"
    assert edge_in(graph, "b", "c") == "b -- c"
    assert edge_in(graph, "a", "d") == "no edge"


def test_skipped_tests_are_named():
    assert work_done("pc", "g2", 1200, 0) == "method pc; test g2; 1,200 tests"
    assert work_done("pc", "g2", 1200, 5).endswith("1,200 tests (5 skipped: too few rows per degree of freedom)")
