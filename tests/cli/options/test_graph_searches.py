"""The options of each search of graphs."""

from __future__ import annotations

from dataclasses import fields

import pytest

import climbfast as cf
from climbfast.cli.options import graph_searches
from climbfast.cli.options.graph_searches import GRAPH_METHODS, GraphScore, GraphSearch, GraphTest, search_in_a_worker


def test_every_option_of_graph_belongs_to_a_method_and_every_method_takes_options_that_exist():
    declared = {field.name for group in (GraphSearch, GraphScore, GraphTest) for field in fields(group)}
    taken = set().union(*(method.takes for method in GRAPH_METHODS.values()))
    assert taken == declared - {"orient", "directions", "representative"}


@pytest.mark.parametrize("method", ["best", "pc", "pc+climb", "fges"])
def test_a_search_in_a_worker_has_no_workers_of_its_own(method, monkeypatch):
    asked = []
    monkeypatch.setattr(graph_searches, "pc", lambda *_, n_jobs, **__: asked.append(n_jobs) or cf.Graph(data.names))
    data = cf.load_example().sample(50, seed=1)
    find = search_in_a_worker(method, GraphSearch(jobs=3), GraphScore(), GraphTest())
    assert isinstance(find(data=data, knowledge=None), cf.Graph)
    assert asked == ([1] if method.startswith("pc") else [])
