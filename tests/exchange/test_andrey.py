"""Results of andrey, as ``StructureOutput.save`` writes them."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.exchange.andrey import from_andrey

# a -> b <- c, d -- e, and f without edges: for each node its neighbors, and the mark at the node.
RESULT = {
    "format_version": 0, "structure_type": "graph", "kind": "cpdag", "n_nodes": 6, "labels": list("abcdef"),
    "indptr": [0, 1, 3, 4, 5, 6, 6], "indices": [1, 0, 2, 1, 4, 3], "marks": [1, 2, 2, 1, 1, 1], "metadata": {},
}  # fmt: skip


def test_arrows_and_tails(tmp_path):
    graph = cf.Graph("abcdef", [("a", "b"), ("c", "b")], [("d", "e")])
    assert from_andrey(RESULT) == graph
    (tmp_path / "result.json").write_text(json.dumps(RESULT))
    assert cf.read_graph(tmp_path / "result.json") == graph


def test_nodes_without_labels_have_numbers():
    assert from_andrey({**RESULT, "labels": None}).directed == ((0, 1), (2, 1))


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"marks": [3, 2, 2, 1, 1, 1]}, "the edge of 'a' and 'b': .* the marks 'circle' and 'arrow'"),
        ({"marks": [2, 2, 2, 1, 1, 1]}, "the edge of 'a' and 'b': 'a' <-> 'b' has two arrowheads"),
        ({"structure_type": "temporal"}, "it is a result of andrey of the type 'temporal', not a graph"),
        ({"marks": [1]}, "it has structure_type, but not all that a result of andrey has"),
        ({"marks": [9, 2, 2, 1, 1, 1]}, "it has structure_type, but not all"),
        ({"indices": [1, 0, 2, 1, 4, 2]}, "it has structure_type, but not all"),
        ({"indptr": [0, 0, 2, 3, 4, 5, 5], "indices": [0, 2, 1, 4, 3]}, "it has structure_type, but not all"),
        ({"labels": 5}, "it has structure_type, but not all"),
    ],
)
def test_what_is_refused(changed, says):
    with pytest.raises(cf.GraphError, match=says):
        from_andrey({**RESULT, **changed})
