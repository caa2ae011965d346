"""Tables, lists and edges as people read them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import climbfast as cf
from climbfast.cli.render import (
    MOST_SHOWN,
    as_in_a_file,
    cuts_text,
    edge_in,
    frequencies_text,
    new_table,
    note_of_rest,
    render_graph,
    render_table,
    size_of_data,
    texts,
    work_around_targets,
    work_done,
)
from climbfast.provenance import Provenance


def test_cells_are_literal_and_columns_are_aligned():
    table = new_table(["name", ">bits"])
    table.add_row(*texts(["[red]x[/red]", "1.0"]))
    table.add_row(*texts(["y", "10.0"]))
    lines = render_table(table).splitlines()
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
    assert work_done("pc", "g2", 1200, 5).endswith("1,200 tests (5 skipped: too few rows)")


def test_blankets_from_a_graph_say_what_tests_were_for():
    assert work_around_targets("climb", "getpcd", "g2", 12, 0) == "method climb; test g2; 12 tests"
    graph = "method best (graph of all columns); score vote; "
    assert work_around_targets("best", "graph of all columns", "sci", 0, 0) == f"{graph}checked by sci"
    found = work_around_targets("best", "graph of 80 columns around the target", "g2", 1200, 5)
    assert found.endswith("; columns found and blanket checked by g2; 1,200 tests (5 skipped: too few rows)")


def test_cuts_are_shown_with_the_digits_that_count():
    cuts = {"a": [718191234.5, 0.000123456789], "b c": [1, 2.5], "d": ["2020-01-01"], "e": []}
    assert cuts_text(cuts) == "a at 718191234.5, 0.000123457; b c at 1, 2.5; d at 2020-01-01"
    assert cuts_text({f"x{i}": [1] for i in range(23)}).endswith("x19 at 1 and 3 more")


def test_the_fewest_rows_are_shown_where_cells_are_missing():
    assert size_of_data(Provenance(rows=2000, columns=3, fewest_rows=2000)) == "2,000 rows, 3 columns"
    shown = size_of_data(Provenance(rows=2000, columns=3, fewest_rows=864))
    assert shown == "2,000 rows (every decision used 864 of them or more), 3 columns"


def test_the_table_of_edges_says_why_they_have_their_direction():
    reasons = {("a", "b"): "compelled", ("b", "c"): "chosen"}
    graph = cf.Graph("abcd", reasons, [("c", "d")], reasons=reasons, margins={("b", "c"): 12.34})
    _, table, legend = render_graph(graph).split("\n\n")
    assert [line.split() for line in table.splitlines() if "─" not in line] == [
        ["edge", "direction", "margin", "(bits)"],
        ["a", "->", "b", "compelled"],
        ["b", "->", "c", "chosen", "12.3"],
        ["c", "--", "d"],
    ]
    assert legend == (
        "Directions: compelled: all graphs of the equivalence class have the direction; chosen: a score chose it, by "
        "so many bits."
    )


def test_the_table_of_edges_has_the_votes():
    votes = {("a", "b"): (5, 4)}
    for searches, figures in ((6, {"searches": 6}), (5, {})):  # a file may not say how many searches there were
        page = render_graph(cf.Graph("ab", [("a", "b")], votes=votes, figures=figures))
        head, _, row = page.split("\n\n")[1].splitlines()
        assert head.split() == f"edge searches with it, of {searches} with its direction".split()
        assert row.split() == ["a", "->", "b", "5", "4"]


def test_the_table_of_edges_has_the_frequencies():
    often = {("a", "b"): (0.976, 0.5), ("b", "c"): (1.0, 1.0)}
    drawn = {"bootstrap": {"replicates": 1200, "scheme": "half", "seed": 3}}
    _, table, note = render_graph(cf.Graph("abc", [("a", "b")], [("b", "c")], frequencies=often, options=drawn)).split(
        "\n\n"
    )
    assert [line.split() for line in table.splitlines() if "─" not in line] == [
        ["edge", "frequency", "as", "it", "is"],
        ["a", "->", "b", "0.98", "0.50"],
        ["b", "--", "c", "1.00", "1.00"],
    ]
    assert note == (
        "Frequency: share of 1,200 replicates (half, seed 3) that have the edge; as it is: that have it so."
    )
    assert "replicates" not in render_graph(cf.Graph("abc", [("a", "b")]))


def test_what_frequencies_are_without_their_options():
    graph = cf.Graph("ab", [("a", "b")], frequencies={("a", "b"): (1, 1)}, figures={"replicates": 20})
    assert frequencies_text(graph).startswith("Frequency: share of 20 replicates that have")
    assert frequencies_text(replace(graph, figures={})).startswith("Frequency: share of the replicates that have")


def test_columns_outside_a_blanket_that_replicates_often_have():
    shares = {"m": 1.0, "u": 0.25, "v": 0.5, "w": 0.1, "x": 0.1, "y": 0.1, "z": 0.1}
    often = {name: {"found": share} for name, share in shares.items()}
    text = frequencies_text(cf.Blanket("t", parents=("m",), frequencies=often))
    assert text.endswith(" Outside, most often: v 0.50, u 0.25, w 0.10, x 0.10, y 0.10.")
    assert "Outside" not in frequencies_text(cf.Blanket("t", parents=tuple(shares), frequencies=often))


def test_the_page_shows_what_the_data_say_against_what_is_known():
    graph = cf.Graph("abc", [("a", "b")], contradicted={("a", "b", "c"): 12.34, ("a", "b"): -1}, test_or_score="sci")
    assert render_graph(graph).split("\n\n")[-1].splitlines() == [
        "The data contradict what is known, which may be wrong:",
        "  a -> b <- c is forbidden, and in the data it is a v-structure (12.3 bits)",
        "  a -> b is required, and in the data nothing speaks for it (-1.0 bits)",
    ]
    assert "contradict" not in render_graph(cf.Graph("abc", [("a", "b")]))


class TestWidths:
    """On a terminal of any width no word is cut, and without colors there is no code of a terminal."""

    ROWS = (("blood_pressure", "weighed: 7.8 bits"), ("sleep", "seen by ecg, reflux and smoking (12.1 bits)"))

    @pytest.fixture
    def shown(self, monkeypatch, capsys):
        def shown(width: int, *, terminal: bool = True) -> str:
            table = new_table(["member", ">direction"])
            for row in self.ROWS:
                table.add_row(*texts(row))
            monkeypatch.setenv("COLUMNS", str(width))
            monkeypatch.setenv("TERM", "xterm")
            monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
            return render_table(table)

        return shown

    @pytest.mark.parametrize("width", [10, 25, 26, 40, 60, 80])
    def test_every_word_is_whole(self, shown, width, monkeypatch):
        monkeypatch.setenv("NO_COLOR", "1")
        text = shown(width)
        assert "\x1b" not in text
        assert {word for row in self.ROWS for cell in row for word in cell.split()} <= set(text.split())
        if width >= 26:
            assert max(map(len, text.splitlines())) <= width
            assert text.split()[:2] == ["member", "direction"]
        else:
            assert text.splitlines()[:3] == ["member: blood_pressure", "direction: weighed: 7.8 bits", ""]

    def test_colors_on_a_terminal_alone(self, shown, monkeypatch):
        monkeypatch.delenv("NO_COLOR", raising=False)
        assert "\x1b" in shown(80)
        assert "\x1b" not in shown(80, terminal=False)
        with as_in_a_file():
            assert "\x1b" not in shown(20)
            assert shown(20) == shown(20, terminal=False)
