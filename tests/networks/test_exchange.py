"""Networks of pgmpy and of pyAgrum: the same names, states and tables, and the same answers to a question."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from pgmpy.factors.discrete import TabularCPD
from pgmpy.inference import VariableElimination
from pgmpy.models import DiscreteBayesianNetwork

import climbfast as cf
from climbfast.errors import MissingPackageError, NetworkError
from climbfast.extras import import_pyagrum
from climbfast.networks.network import Network
from tests.networks.random_networks import names, networks

texts = names.filter(lambda name: "\0" not in name and not any("\ud800" <= char <= "\udfff" for char in name))


@given(network=networks(text=texts))
@settings(max_examples=50)
def test_a_network_comes_back_from_pgmpy(network):
    assert Network.from_pgmpy(network.to_pgmpy()) == network


@given(network=networks(text=texts))
@settings(max_examples=100)
def test_a_network_comes_back_from_pyagrum(network):
    assert Network.from_pyagrum(network.to_pyagrum()) == network


@given(network=networks(text=texts))
@settings(max_examples=15)
def test_pgmpy_and_pyagrum_answer_as_the_tables_do(network):
    """P(first node | a state of the last one), by variable elimination, lazy propagation, and the sum of everything."""
    asked, known = network.nodes[0], network.nodes[-1]
    joint = joint_distribution(network)
    of_state = joint[..., 0] if known != asked else joint
    expected = of_state.reshape(joint.shape[0], -1).sum(axis=1)
    if not expected.sum():
        return
    expected /= expected.sum()
    state = {known: network.states[known][0]} if known != asked else {}
    found = VariableElimination(network.to_pgmpy()).query([asked], evidence=state, show_progress=False)
    assert list(found.state_names[asked]) == list(network.states[asked])
    np.testing.assert_allclose(found.values, expected, atol=1e-9)
    engine = import_pyagrum("exchange", "a test").LazyPropagation(network.to_pyagrum())
    engine.setEvidence(dict.fromkeys(state, 0))
    engine.makeInference()
    np.testing.assert_allclose(engine.posterior(asked).toarray().reshape(-1), expected, atol=1e-9)


def joint_distribution(network: Network) -> np.ndarray:
    """P(all nodes), with an axis for each node in their order."""
    places = {node: i for i, node in enumerate(network.nodes)}
    joint = np.ones([len(network.states[node]) for node in network.nodes])
    for node, parents in network.parents.items():
        family = (*parents, node)
        order = np.argsort([places[x] for x in family])
        shape = [len(network.states[x]) if x in family else 1 for x in network.nodes]
        joint = joint * network.tables[node].transpose(order).reshape(shape)
    return joint


def test_names_that_are_no_text_become_text():
    model = DiscreteBayesianNetwork([(1, "1")])
    model.add_cpds(
        TabularCPD(1, 2, [[0.25], [0.75]], state_names={1: [0, 1]}),
        TabularCPD("1", 2, [[0.5, 0.1], [0.5, 0.9]], [1], [2], state_names={"1": [False, True], 1: [0, 1]}),
    )
    found = Network.from_pgmpy(model)
    assert found.states == {"1": ("0", "1"), "'1'": ("False", "True")}
    assert found.tables["'1'"].tolist() == [[0.5, 0.5], [0.1, 0.9]]
    assert found.name == ""


def test_variables_of_numbers_and_intervals_have_their_labels():
    model = import_pyagrum("exchange", "a test").fastBN("a{no|yes}->b[3]->c{1|2|7}<-a; d[0,1.5,3]->c", 3)
    found = Network.from_pyagrum(model)
    assert found.states["b"] == ("0", "1", "2")
    assert found.states["c"] == ("1", "2", "7")
    assert len(found.states["d"]) == 2
    chosen = {"a": 1, "b": 2, "c": 0, "d": 1}
    at = model.cpt("c")
    place = import_pyagrum("exchange", "a test").Instantiation(at)
    for node, state in chosen.items():
        place.chgVal(node, state)
    assert found.tables["c"][tuple(chosen[x] for x in (*found.parents["c"], "c"))] == pytest.approx(at[place])


@pytest.mark.parametrize("text", ["\ud800", "a\0b"])
def test_names_that_pyagrum_cannot_have(text):
    for network in (
        Network("n", {text: ("x", "y")}, {}, {text: [0.5, 0.5]}),
        Network("n", {"a": (text, "y")}, {}, {"a": [0.5, 0.5]}),
        Network(text, {"a": ("x", "y")}, {}, {"a": [0.5, 0.5]}),
    ):
        with pytest.raises(NetworkError, match="cannot be a name of pyAgrum"):
            network.to_pyagrum()


@pytest.mark.parametrize(
    ("convert", "says"),
    [
        (lambda: Network.from_pgmpy(3), "int is not a network of pgmpy"),
        (lambda: Network.from_pyagrum(None), "NoneType is not a network of pyAgrum"),
        (
            lambda: Network.from_pyagrum(import_pyagrum("exchange", "a test").InfluenceDiagram()),
            "InfluenceDiagram is not",
        ),
        (lambda: Network.from_pgmpy(DiscreteBayesianNetwork([("a", "b")])), "node 'a' has no table"),
        (lambda: Network.from_pgmpy(other_order()), "its table has other states of 'a' than the node 'a'"),
    ],
)
def test_what_is_no_network_is_refused(convert: Any, says: str) -> None:
    with pytest.raises(NetworkError, match=says):
        convert()


def other_order() -> DiscreteBayesianNetwork:
    model = DiscreteBayesianNetwork([("a", "b")])
    model.add_cpds(
        TabularCPD("a", 2, [[0.25], [0.75]], state_names={"a": ["x", "y"]}),
        TabularCPD("b", 2, [[0.5, 0.1], [0.5, 0.9]], ["a"], [2], state_names={"b": ["u", "v"], "a": ["y", "x"]}),
    )
    return model


def test_a_package_that_is_not_installed(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingPackageError, match=r'needs the package pgmpy; pip install "climbfast\[exchange\]"'):
        cf.load_example().to_pgmpy()
    with pytest.raises(MissingPackageError, match=r'needs the package pyagrum; pip install "climbfast\[exchange\]"'):
        cf.load_example().to_pyagrum()
