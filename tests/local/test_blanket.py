"""The results of a search: as JSON, as a graph, as text, and read-only."""

from __future__ import annotations

import json
from itertools import combinations, product

import networkx as nx
import pytest

import climbfast as cf
from climbfast.local.blanket import Forbidden, SeparatingSets
from climbfast.networks.examples import EXAMPLE_TARGET


def test_json(found):
    plain = json.loads(found.to_json())
    assert plain == found.to_dict()
    promised = "target parents children spouses method test margins strengths tests rows columns seconds version"
    assert set(promised.split()) <= plain.keys()
    assert plain["margins"] == dict(found.margins)


def test_graph(found):
    graph = found.to_networkx()
    assert set(graph) == {EXAMPLE_TARGET, *found.members}
    assert tuple(sorted(graph.predecessors(EXAMPLE_TARGET))) == found.parents
    assert tuple(sorted(graph.successors(EXAMPLE_TARGET))) == found.children
    for spouse, children in found.common_children.items():
        assert tuple(sorted(graph.successors(spouse))) == children
    assert nx.is_directed_acyclic_graph(graph)


def test_text(found):
    assert str(found).startswith("heart_disease: parents: blood_pressure, cholesterol, smoking; children: ")
    often = {"y": {"found": 0.75, "parent": 0.5}, "z": {"found": 0.25, "spouse": 0.25}}
    assert str(cf.Blanket("x", parents=("w", "y"), frequencies=often)) == (
        "x: parents: w, y [0.75, 0.50]; children: none; spouses: none "
        "[share of the replicates with the member, and with it in this role]"
    )
    assert str(cf.Blanket("x")) == "x: parents: none; children: none; spouses: none"


def test_a_result_is_frozen(found):
    with pytest.raises(AttributeError):
        found.parents = ()


@pytest.mark.parametrize("found", [cf.Blanket("x", parents=(None,)), cf.NeighborSet(None, ("x",), {"x": 1.0})])
def test_networkx_has_no_node_none(found):
    with pytest.raises(cf.GraphError, match="no node of networkx is None"):
        found.to_networkx()


def test_names_of_the_same_text_have_different_keys():
    found = cf.Blanket("x", parents=(1, "1"), children=("y",), margins={1: 1.0, "1": 2.0, "y": 3.0})
    assert found.to_dict()["margins"] == {"1": 1.0, "'1'": 2.0, "y": 3.0}


@pytest.mark.parametrize("method", ["climb", "gs", "iamb"])
def test_separating_sets_are_read_only(data, method):
    found = cf.markov_blanket(data, EXAMPLE_TARGET, method=method)
    with pytest.raises(TypeError):
        found.separating_sets["sleep"] = ()
    assert not {EXAMPLE_TARGET, *found.neighbors} & set(found.separating_sets)


def test_separating_sets_are_equal_as_dictionaries_are():
    """All pairs of sets that have a part in common or not."""
    names = ("a", "b", "c", "t")
    apart = Forbidden(cf.Knowledge(tiers=[["a", "t"]], closed=True).allowed_arcs(names), 3)
    parts = (
        [{name: column for column, name in enumerate(order)} for order in (names, ("b", "a", "c", "t"))],
        [{3}, {2, 3}],
        [{}, {0: (1, 2), 2: ()}, {0: (2, 1)}, {0: (1, 2), 2: (1,)}, {0: (2,)}],
        [{}, {"w": "b"}],
        [None, apart],
    )
    everything = [SeparatingSets(*each) for each in product(*parts)]
    plain = [dict(each) for each in everything]
    for (one, of_one), (other, of_other) in combinations(zip(everything, plain, strict=True), 2):
        assert (one == other) == (of_one == of_other)
    assert everything == plain
    assert everything == [SeparatingSets(*each) for each in product(*parts)]
