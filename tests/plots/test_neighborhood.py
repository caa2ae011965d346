"""What a picture shows of a graph: all of a small one, the neighborhood of columns of others."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.plots.neighborhood import named_columns, shown_of
from climbfast.plots.picture import MOST_NODES


def wheel(leaves: int, isolated: int = 0) -> cf.Graph:
    """A hub whose edges are the stronger the later the leaf."""
    names = [f"leaf {i}" for i in range(leaves)]
    edges = [("hub", name) for name in names]
    return cf.Graph(
        ("hub", *names, *(f"alone {i}" for i in range(isolated))), edges, [(names[0], names[1])],
        strengths={edge: float(i) for i, edge in enumerate(edges)},
    )  # fmt: skip


def test_a_small_graph_is_shown_with_its_isolated_nodes():
    shown = shown_of(wheel(5, isolated=3), None)
    assert len(shown.names) == 9
    assert not shown.named
    assert not shown.notes


def test_of_a_larger_one_they_are_counted():
    shown = shown_of(wheel(50, isolated=1000), None)
    assert len(shown.names) == 51
    assert shown.notes == ("and 1,000 columns without edges",)
    assert shown_of(wheel(50, isolated=1), None).notes == ("and 1 column without edges",)


def test_a_graph_without_edges():
    shown = shown_of(cf.Graph(tuple(range(100))), None)
    assert len(shown.names) == MOST_NODES
    assert shown.notes == ("and 40 more columns without edges",)


def test_a_large_graph_asks_for_columns():
    with pytest.raises(cf.OptionError) as raised:
        shown_of(wheel(60), None)
    assert str(raised.value) == (
        "the graph has 61 columns with edges, and a picture shows at most 60; name those whose neighborhood is to be "
        "drawn with columns"
    )
    assert raised.value.option == "columns"
    assert len(shown_of(wheel(59), None).names) == MOST_NODES


def test_the_neighborhood_of_columns():
    shown = shown_of(wheel(100), ["leaf 1"])
    assert set(shown.names) == {"leaf 1", "leaf 0", "hub"}
    assert shown.named == {"leaf 1"}
    assert shown_of(wheel(100), "leaf 1") == shown


def test_the_strongest_neighbors_are_shown():
    shown = shown_of(wheel(100), ["hub"])
    assert set(shown.names) == {"hub", *(f"leaf {i}" for i in range(41, 100))}
    assert shown.notes == ("and 41 neighbors not shown",)


def test_frequencies_rank_where_there_are_no_strengths():
    edges = [("hub", i) for i in range(100)]
    graph = cf.Graph(("hub", *range(100)), edges, frequencies={edge: (1 - edge[1] / 100, 0.0) for edge in edges})
    assert set(shown_of(graph, "hub").names) == {"hub", *range(59)}


def test_the_order_of_the_names_does_not_matter():
    graph = wheel(10)
    assert shown_of(graph, ["hub", "leaf 1", "hub"]) == shown_of(graph, ["leaf 1", "hub"])


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        (None, ()),
        ("ab", ("ab",)),
        (["a", "b", "a"], ("a", "b")),
        (7, (7,)),
        ((1, 2), ((1, 2),)),
        (("a", "b"), ("a", "b")),
        ([(1, 2), 7], ((1, 2), 7)),
        ([], ()),
    ],
)
def test_a_name_alone_is_one_column(columns, names):
    assert named_columns(columns, {(1, 2), 7, "ab"}) == names


def test_unknown_columns():
    with pytest.raises(cf.UnknownColumnError, match="no node named 'haub'; the nearest are 'hub'"):
        shown_of(wheel(3), ["haub"])
    with pytest.raises(cf.OptionError, match=r"columns is \[\[1\]\]; it is a name or several names"):
        shown_of(wheel(3), [[1]])


def test_too_many_columns():
    with pytest.raises(cf.OptionError, match="columns has 61 names; a picture shows at most 60 columns"):
        shown_of(wheel(100), [f"leaf {i}" for i in range(61)])
