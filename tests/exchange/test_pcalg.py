"""Matrices of pcalg, in both of its codings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import climbfast as cf
from tests.exchange.graphs import KINDS, ODD, random_graphs

# Of the documentation of pcalg, amatType: a --> b, a --- c, b <-- c.
CPDAG = [[0, 0, 1], [1, 0, 1], [1, 0, 0]]
PAG = [[0, 2, 3], [3, 0, 3], [3, 2, 0]]
GRAPH = cf.Graph("abc", [("a", "b"), ("c", "b")], [("a", "c")])


def test_the_codings_of_its_documentation():
    assert cf.Graph.from_pcalg(CPDAG, "abc") == GRAPH
    assert GRAPH.to_pcalg().tolist() == CPDAG
    assert cf.Graph.from_pcalg(PAG, "abc", coding="pag") == GRAPH


def test_there_and_back():
    for graph in random_graphs(KINDS, ODD, 15):
        matrix = graph.to_pcalg()
        assert matrix.dtype == np.int64
        assert cf.Graph.from_pcalg(matrix, graph.names) == graph
        marks = 2 * (matrix.T == 1) + (matrix == 1)  # at the column: 2 where the edge comes, 1 where it goes
        both = (matrix == 1) & (matrix.T == 1)
        pag = np.where(both, 3, np.where(marks == 2, 2, np.where(marks == 1, 3, 0)))
        assert cf.Graph.from_pcalg(pag, graph.names, coding="pag") == graph


def test_frames_have_their_names():
    assert cf.Graph.from_pcalg(pd.DataFrame(CPDAG, columns=list("abc"))) == GRAPH
    with pytest.raises(cf.GraphError, match=r"the matrix has no names of nodes; give them as names=\.\.\."):
        cf.Graph.from_pcalg(CPDAG)


@pytest.mark.parametrize(
    ("matrix", "coding", "says"),
    [
        ([[0, 2], [3, 0]], "cpdag", "the matrix has 2 or 3, which are marks of amat.pag; read it with coding='pag'"),
        ([[0, 5], [1, 0]], "cpdag", "the matrix has values other than 0 and 1"),
        ([[1, 0], [0, 0]], "cpdag", "'a' has an edge to itself"),
        ([[0, 0, 1]], "cpdag", "the matrix has shape (1, 3); for 2 names it is (2, 2)"),
        (
            [[0, 2], [1, 0]],
            "pag",
            "the edge of 'a' and 'b': the edge from 'a' to 'b' has the marks 'circle' and 'arrow'",
        ),
        (
            [[0, 1], [1, 0]],
            "pag",
            "the edge of 'a' and 'b': the edge from 'a' to 'b' has the marks 'circle' and 'circle'",
        ),
        ([[0, 2], [2, 0]], "pag", "the edge of 'a' and 'b': 'a' <-> 'b' has two arrowheads"),
        ([[0, 2], [0, 0]], "pag", "the edge of 'a' and 'b' has a mark at one end only"),
        ([[0, 0], [2, 0]], "pag", "the edge of 'a' and 'b' has a mark at one end only"),
        ([[0, 4], [4, 0]], "pag", "the matrix has values other than 0, 1, 2 and 3"),
        ([[3, 0], [0, 0]], "pag", "the edge of 'a' and 'a': 'a' has an edge to itself"),
    ],
)
def test_what_is_refused(matrix, coding, says):
    with pytest.raises(cf.GraphError) as refused:
        cf.Graph.from_pcalg(matrix, "ab", coding=coding)
    assert str(refused.value).startswith(says)


def test_codings_that_do_not_exist():
    with pytest.raises(cf.OptionError, match=r"coding='mag' does not exist; use one of 'cpdag', 'pag'"):
        cf.Graph.from_pcalg(CPDAG, "abc", coding="mag")
