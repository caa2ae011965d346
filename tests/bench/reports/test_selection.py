"""The report of selectors: each way selects, columns are judged on other rows, and the page says where a way loses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bench.reports import selection
from bench.reports.selection import (
    ALL,
    BLANKET,
    WAYS,
    Choice,
    Score,
    Table,
    figures,
    losses_of,
    overlap,
    scores_of,
    table_of_choices,
    table_of_scores,
    write,
)


@pytest.fixture(autouse=True)
def _few_trees(monkeypatch):
    monkeypatch.setattr(selection, "TREES", 20)


def small() -> Table:
    rng = np.random.default_rng(1)
    cells = rng.normal(size=(120, 4))
    target = (cells[:, 0] + cells[:, 1] > 0).astype(int)
    frame = pd.DataFrame(cells, columns=["a", "b", "c", "d"]).assign(text=np.where(cells[:, 2] > 0, "yes", "no"))
    frame.loc[3, "d"] = np.nan
    return Table("small", frame, target)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_selects_columns(way):
    table = small()
    kept = selection.selected(way, table.columns, table.target, 2)
    assert kept.shape == (5,)
    assert kept[:2].all()
    assert kept.sum() == 2 or not way.startswith("Select")


def test_scores_of_a_table(monkeypatch):
    monkeypatch.setattr(selection, "Parallel", lambda n_jobs: lambda tasks: [f(*args) for f, args, _ in tasks])
    [blanket, every] = scores_of(small(), ways=(BLANKET, ALL), folds=2, repeats=1)
    assert (blanket.way, blanket.rows, blanket.columns) == (BLANKET, 120, 5)
    assert every.kept == 5
    assert every.stability == 1
    assert blanket.logistic_accuracy > 0.85


def test_figures_of_no_column():
    table = small()
    found = figures(table.columns[[]], table.target, table.columns[[]], table.target)
    assert found["forest_accuracy"] == max(np.bincount(table.target)) / 120
    assert found["logistic_balanced"] == 0.5


def test_overlap():
    assert overlap(frozenset("ab"), frozenset("bc")) == 1 / 3
    assert overlap(frozenset(), frozenset()) == 1


def of_way(way: str, accuracy: float) -> Score:
    return Score("t", 1000, 9, way, 3.0, 0.5, 0.25, accuracy, 0.5, 0.4, accuracy, 0.5, 0.4)


def test_the_page_says_where_the_blanket_loses(tmp_path, monkeypatch):
    scores = [of_way(way, 0.93 if way == ALL else 0.88 if way == "RFECV" else 0.9) for way in WAYS]
    choices = [Choice(300, "networks", "best", "auto", "yes", 3.25, 0.1, 0.61, 0.62)]
    said = losses_of(scores).splitlines()
    assert said[-1] == "- against all columns: loses on t (logistic, -3.0), t (forest, -3.0); wins on none"
    assert said[-2] == "- against RFECV: loses on none; wins on t (logistic, +2.0), t (forest, +2.0)"
    page = tmp_path / "page.md"
    page.write_text("".join(f"<!-- {name} -->\n<!-- /{name} -->\n" for name in ("scores", "losses", "choice")))
    monkeypatch.setattr(selection, "FILE", tmp_path / "scores.csv")
    monkeypatch.setattr(selection, "FILE_OF_CHOICE", tmp_path / "choice.csv")
    write(selection.FILE, scores)
    write(selection.FILE_OF_CHOICE, choices)
    selection.fill_page(page)
    text = page.read_text()
    assert table_of_scores(scores) in text
    assert table_of_choices(choices) in text
    assert "| t (1,000 × 9) | blanket | 3.0 | 0.50 | 0.25 | 90.0 (50.0; 0.400) | 90.0 (50.0; 0.400) |" in text
    assert "| best | auto | yes | 0.610 / 0.620 (3.2) |" in text
