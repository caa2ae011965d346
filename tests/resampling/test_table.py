"""The table of frequencies: against the replicates counted one by one."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.resampling.records import ROLES
from climbfast.resampling.table import cells_of_names
from tests.resampling.replicates import (
    bootstrap,
    counts_of_graphs,
    counts_of_members,
    margins_of_graphs,
    mean_and_spread,
    tables_of,
)


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(800, seed=2)


def close(values):
    return [None if value is None else pytest.approx(value) for value in values]


def test_of_graphs(data):
    graphs = [cf.causal_graph(table, perturbations=2) for table in tables_of(data)]
    counts = counts_of_graphs(graphs)
    margins = margins_of_graphs(graphs, counts)
    frame = bootstrap(data, "best", perturbations=2).to_frame()
    assert frame.columns[:6] == ["x", "y", "edge", "x_to_y", "y_to_x", "undirected"]
    assert [(row["x"], row["y"]) for row in frame.to_dicts()] == sorted(counts)
    for row in frame.to_dicts():
        joined, forward, backward = counts[row["x"], row["y"]]
        shares = [row[name] for name in ("edge", "x_to_y", "y_to_x", "undirected")]
        assert shares == [count / 6 for count in (joined, forward, backward, joined - forward - backward)]
        expected = mean_and_spread(margins[row["x"], row["y"]])
        assert [row["margin"], row["margin_spread"]] == close(expected)
    assert frame["margin"].count() > 3


def test_of_blankets(data):
    found = [cf.markov_blankets(table, progress=False, n_jobs=1) for table in tables_of(data)]
    members = counts_of_members(found)
    pairs = counts_of_graphs([each.merge("and", directions="all") for each in found])
    frame = bootstrap(data, "blankets").to_frame()
    assert [(row["target"], row["member"]) for row in frame.to_dicts()] == sorted(members)
    for row in frame.to_dicts():
        ends = row["target"], row["member"]
        assert row["found"] == sum(members[ends].values()) / 6
        assert {role: row[role] for role in ROLES} == {role: n / 6 for role, n in members[ends].items()}
        low, high = sorted(ends)
        joined, forward, backward = pairs.get((low, high), (0, 0, 0))
        to_member, to_target = (forward, backward) if ends == (low, high) else (backward, forward)
        assert [row[name] for name in ("edge", "to_member", "to_target")] == [joined / 6, to_member / 6, to_target / 6]
        side = max(("parent", "child"), key=members[ends].get)
        margins = [
            each[ends[0]].margins[ends[1]]
            for each in found
            if ends[1] in getattr(each[ends[0]], {"parent": "parents", "child": "children"}[side])
            and ends[1] in each[ends[0]].margins
            and members[ends]["parent"] != members[ends]["child"]
        ]
        assert [row["margin"], row["margin_spread"]] == close(mean_and_spread(margins))


def test_names_in_cells():
    assert cells_of_names(["a", "=b"]) == ["a", "=b"]
    assert cells_of_names(["a", "=b"], quote_formulas=True) == ["a", "'=b"]
    assert cells_of_names([1, 2], quote_formulas=True) == [1, 2]
    assert cells_of_names([1, ("a",)]) == ["1", '["a"]']
