"""Names as they are written: kept where programs read them, else as similar words, each of them once."""

from __future__ import annotations

import pytest
from hypothesis import given

from climbfast.networks.bif_names import (
    names_in_property,
    property_with_names,
    spelling_of,
    takes_plain_names,
)
from climbfast.networks.network import Network
from tests.networks.random_networks import networks


def network_of(node: str, *states: str) -> Network:
    return Network("n", {node: states}, {}, {node: [1 / len(states)] * len(states)})


@pytest.mark.parametrize(
    ("states", "words"),
    [
        (("(-inf, -5)", "[-5, 0.5)", "[0.5, inf)"), ("below_minus5", "from_minus5_below_0.5", "from_0.5")),
        (("(-inf, inf)", "[2020-01-01, inf)"), ("_", "from_2020-01-01")),
        (("<=50K", ">50K"), ("le_50K", "gt_50K")),
        (("Größe", "Grösse"), ("Grosse", "Grosse_2")),
        (("-1", "0", "+1"), ("-1", "0", "+1")),
        (("1.5", "-1.5"), ("_1.5", "minus1.5")),
        (("1e-05", "2E", "1a"), ("_1e-05", "_2E", "1a")),
        (("年齢", "", "_"), ("__2", "__3", "_")),
        (("yes", "YES", "yes/no"), ("yes", "YES", "yes_no")),
        (("table", "_table"), ("_table_2", "_table")),
    ],
)
def test_plain_states(states, words):
    assert spelling_of(network_of("a", *states), plain=True).states == {"a": words}


@pytest.mark.parametrize(
    ("name", "is_kept"),
    [
        ("Größe", True),
        ("yes/no", True),
        ("a'b", True),
        ("-1.5", True),
        ("a,b", False),
        ("a b", False),
        ("table", False),
    ],
)
def test_names_of_nodes_that_stay_as_they_are(name, is_kept):
    assert (spelling_of(network_of(name, "no", "yes"), plain=False).nodes[name] == name) == is_kept


def test_blanks_are_kept_where_pgmpy_reads_them():
    network = Network("n", {"a": ("x y",), "b c": ("u v", "w")}, {"b c": ("a",)}, {"a": [1], "b c": [[0.5, 0.5]]})
    found = spelling_of(network, plain=False)
    assert found.nodes == {"a": "a", "b c": "b c"}
    assert found.states == {"a": ("x_y",), "b c": ("u v", "w")}


def test_nodes_are_different_words_in_lower_case_too():
    table = [0.5, 0.5]
    network = Network("n", dict.fromkeys(("a", "A", "a_2"), ("x", "y")), {}, {"a": table, "A": table, "a_2": table})
    assert spelling_of(network, plain=False).nodes == {"a": "a", "A": "A_3", "a_2": "a_2"}


@given(network=networks())
def test_every_name_has_a_spelling_of_its_own(network):
    for plain in (False, True):
        found = spelling_of(network, plain=plain)
        assert len({name.casefold() for name in found.nodes.values()}) == len(network.nodes)
        assert all(len(set(states)) == len(states) for states in found.states.values())


@given(network=networks())
def test_a_property_has_the_names(network):
    for node, states in network.states.items():
        line = property_with_names(["another"], (node, *states))
        assert line.isascii()
        assert line.count("\n") == 1
        assert names_in_property(f"variable x {{\n{line}}}\n") == (node, *states)
    assert property_with_names(["a", "b"], ["a", "b"]) == ""
    assert names_in_property("variable x { }") is None


def test_which_networks_every_program_reads():
    assert takes_plain_names(network_of("smoker", "no", "yes"))
    assert takes_plain_names(network_of("smoker", "0", "-1"))
    assert not takes_plain_names(network_of("a b", "no", "yes"))
    assert not takes_plain_names(network_of("a", "1.5", "2.5"))
