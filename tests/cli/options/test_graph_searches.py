"""The options of each search of graphs."""

from __future__ import annotations

from dataclasses import fields

from climbfast.cli.options.graph_searches import GRAPH_METHODS, GraphScore, GraphSearch, GraphTest


def test_every_option_of_graph_belongs_to_a_method_and_every_method_takes_options_that_exist():
    declared = {field.name for group in (GraphSearch, GraphScore, GraphTest) for field in fields(group)}
    taken = set().union(*(method.takes for method in GRAPH_METHODS.values()))
    assert taken == declared - {"orient", "directions", "representative"}
