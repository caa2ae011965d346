"""Names of nodes: their own, or given ones."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.exchange.named import names_of_nodes


def test_names_of_nodes():
    assert names_of_nodes(["X1", "X2"], None) == ("X1", "X2")
    assert names_of_nodes(["X1", "X2"], ["a", 2]) == ("a", 2)
    with pytest.raises(cf.GraphError, match="there are 1 names for 2 nodes"):
        names_of_nodes(["X1", "X2"], ["a"])


def test_a_name_that_occurs_twice_is_refused_instead_of_two_nodes_in_one():
    for own, given in ((["a", "a"], None), (["X1", "X2"], "bb")):
        with pytest.raises(cf.GraphError, match=r"the name '[ab]' occurs twice"):
            names_of_nodes(own, given)
    for coding in ("cpdag", "pag"):
        with pytest.raises(cf.GraphError, match="the name 'a' occurs twice"):
            cf.Graph.from_pcalg([[0, 0], [0, 0]], "aa", coding=coding)
