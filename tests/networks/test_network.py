"""The network itself: what it refuses, and what it knows about its arcs."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from climbfast.errors import NetworkError, UnknownColumnError
from climbfast.networks.network import Network


def binary(parents: dict[str, tuple[str, ...]], **tables: object) -> Network:
    """Two states per node, uniform unless a table is given."""
    uniform = {node: np.full((2,) * (len(given) + 1), 0.5) for node, given in parents.items()}
    states = dict.fromkeys(parents, ("no", "yes"))
    return Network("small", states, parents, {**uniform, **tables})  # type: ignore[arg-type]


@pytest.fixture
def diamond() -> Network:
    """T has the parents P and Q, the children C and D; S is a spouse through both, R through D.

    Q is a parent of T and of C: it is a parent, not a spouse.
    """
    return binary(
        {
            "T": ("Q", "P"),
            "P": (),
            "Q": (),
            "C": ("T", "S", "Q"),
            "S": (),
            "D": ("R", "S", "T"),
            "R": (),
            "I": (),
        }
    )


def test_nodes_keep_their_order_and_arcs_go_by_child(diamond):
    assert diamond.nodes == ("T", "P", "Q", "C", "S", "D", "R", "I")
    assert diamond.arcs[:3] == (("Q", "T"), ("P", "T"), ("T", "C"))
    assert len(diamond.arcs) == 8


def test_it_is_short_to_look_at(diamond):
    assert repr(diamond) == f"<Network: {diamond.name}, 8 nodes, 8 arcs>"


def test_every_parent_comes_before_its_children(diamond):
    place = {node: i for i, node in enumerate(diamond.topological_order)}
    assert set(place) == set(diamond.nodes)
    assert all(place[parent] < place[child] for parent, child in diamond.arcs)


def test_the_truth_around_a_target(diamond):
    assert diamond.children("T") == ("C", "D")
    assert diamond.spouses("T") == ("R", "S")
    assert diamond._truth("T") == (("P", "Q"), ("C", "D"), {"R": ("D",), "S": ("C", "D")})
    assert diamond._truth("I") == ((), (), {})


def test_blanket_is_the_truth(diamond):
    blanket = diamond.blanket("T")
    assert (blanket.parents, blanket.children, blanket.spouses) == (("P", "Q"), ("C", "D"), ("R", "S"))
    assert dict(blanket.common_children) == {"R": ("D",), "S": ("C", "D")}


@pytest.mark.parametrize("ask", [Network.children, Network.spouses, Network._truth])
def test_an_unknown_node_is_refused_with_the_nearest_names(diamond, ask):
    with pytest.raises(UnknownColumnError, match=r"'t'.*'T'"):
        ask(diamond, "t")


def test_what_cannot_be_a_node_is_unknown(diamond):
    with pytest.raises(UnknownColumnError):
        diamond.blanket(["a"])


def test_networkx_has_the_isolated_nodes_too(diamond):
    graph = diamond.to_networkx()
    assert tuple(graph.nodes) == diamond.nodes
    assert set(graph.edges) == set(diamond.arcs)


def test_a_cycle_is_named():
    with pytest.raises(NetworkError, match=r"'a'.* cycle: a -> b -> c -> a"):
        binary({"a": ("c",), "b": ("a",), "c": ("b",), "d": ("c",)})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[0.5, 0.5]], r"'b'.*shape \(1, 2\).*\(2, 2\)"),
        ([[0.5, 0.5], [0.5, 0.502]], "'b' given a = yes.*sum to 1.002"),
        ([[1.5, -0.5], [0.5, 0.5]], "'b' given a = no.*-0.5 is not a probability"),
        ([[0.5, 0.5], [np.nan, 0.5]], "'b' given a = yes.*nan is not a probability"),
        ([[0.5, 0.5], [np.inf, 0.5]], "'b' given a = yes.*inf is not a probability"),
        ([[1e308, 1e308], [0.5, 0.5]], r"'b' given a = no: 1e\+308 is not a probability"),
        ([[0.5], [0.5, 0.5]], "'b': its table is not an array of numbers"),
        ([["a", "b"], ["c", "d"]], "'b': its table is not an array of numbers"),
        ([["0.5", "0.5"], ["1", "0"]], "'b': its table is not an array of numbers"),
        ([[0.5, 0.5j], [0.5, 0.5]], "'b': its table is not an array of numbers"),
    ],
)
def test_a_faulty_table_is_refused_by_node_and_row(table, message):
    with pytest.raises(NetworkError, match=message):
        binary({"a": (), "b": ("a",)}, b=table)


@pytest.mark.parametrize(
    ("states", "parents", "message"),
    [
        ({"a": ("x", "x")}, {}, "'a'.*distinct"),
        ({"a": ()}, {}, "'a'.*at least one"),
        ({"a": ("x", "y")}, {"a": ("b",)}, "'a'.*'b' is not a node"),
        ({"a": ("x", "y")}, {"b": ()}, "'b' has parents, but no states"),
        ({"a": ("x", "y"), "b": ("x", "y")}, {"b": ("a", "a")}, "'b'.*twice"),
        ({"a": ("x", "y"), "c": ("x", "y")}, {}, "'c' has no table"),
        ({"a": (1, 2)}, {}, "'a': names and states are text"),
        ({"a": ([1], "y")}, {}, "'a': names and states are text"),
        ({"a": ("x", "y"), **{f"p{i}": ("o",) for i in range(32)}}, {"a": [f"p{i}" for i in range(32)]}, "32 parents"),
    ],
)
def test_names_that_do_not_fit_are_refused(states, parents, message):
    tables = {node: [0.5, 0.5] for node in states if node != "c"}
    with pytest.raises(NetworkError, match=message):
        Network("n", states, parents, tables)


def test_rows_near_one_are_normalized_and_exact_rows_are_left_alone():
    network = binary({"a": (), "b": ("a",)}, b=[[0.3333, 0.6663], [0.1, 0.9]])
    assert network.tables["b"].sum(axis=1) == pytest.approx(1.0, abs=1e-15)
    assert network.tables["b"][1].tolist() == [0.1, 0.9]


def test_nothing_can_be_changed(diamond):
    with pytest.raises(ValueError, match="read-only"):
        diamond.tables["P"][0] = 1.0
    with pytest.raises(TypeError):
        diamond.states["new"] = ("x",)
    with pytest.raises(AttributeError):
        diamond.name = "other"


def test_the_tables_are_copies():
    table = np.array([0.5, 0.5])
    network = binary({"a": ()}, a=table)
    table[:] = 0.0
    assert network.tables["a"].tolist() == [0.5, 0.5]


def test_equal_after_pickle_and_unequal_by_a_last_bit(diamond):
    assert pickle.loads(pickle.dumps(diamond)) == diamond
    assert diamond != binary(dict(diamond.parents), P=[0.5, 0.5 - 1e-16])
    assert diamond != "diamond"
