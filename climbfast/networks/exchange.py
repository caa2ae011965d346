"""Networks of pgmpy and of pyAgrum."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from climbfast.errors import NetworkError
from climbfast.extras import import_pyagrum, require
from climbfast.names import distinct_texts
from climbfast.networks.network import Network

if TYPE_CHECKING:
    import pyagrum
    from pgmpy.models import DiscreteBayesianNetwork

__all__ = ["from_pgmpy", "from_pyagrum", "to_pgmpy", "to_pyagrum"]


def to_pgmpy(network: Network) -> DiscreteBayesianNetwork:
    """Return a network for pgmpy, see ``Network.to_pgmpy``."""
    require("pgmpy", "exchange", "a network of pgmpy")
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork

    model = DiscreteBayesianNetwork()
    model.name = network.name
    model.add_nodes_from(network.nodes)
    model.add_edges_from(network.arcs)
    tables = [
        TabularCPD(
            node,
            len(network.states[node]),
            network.tables[node].reshape(-1, len(network.states[node])).T.copy(),
            evidence=list(parents),
            evidence_card=[len(network.states[parent]) for parent in parents],
            state_names={name: list(network.states[name]) for name in (node, *parents)},
        )
        for node, parents in network.parents.items()
    ]
    model.add_cpds(*tables)
    return model


def from_pgmpy(model: DiscreteBayesianNetwork | Any) -> Network:
    """Return a network of pgmpy, see ``Network.from_pgmpy``."""
    if not hasattr(model, "get_cpds") or not hasattr(model, "nodes"):
        raise NetworkError(f"{type(model).__name__} is not a network of pgmpy; pass a DiscreteBayesianNetwork")
    nodes = list(model.nodes)
    texts = dict(zip(nodes, _texts(nodes, "nodes"), strict=True))
    given = {node: model.get_cpds(node) for node in nodes}
    for node, table in given.items():
        if not hasattr(table, "state_names"):
            raise NetworkError(f"node {node!r} has no table of a discrete variable in the model of pgmpy")
    states: dict[str, tuple[str, ...]] = {}
    parents: dict[str, tuple[str, ...]] = {}
    tables: dict[str, Any] = {}
    for node, table in given.items():
        name = texts[node]
        _, *family = table.variables
        states[name] = _texts(table.state_names[node], f"states of node {node!r}")
        for parent in family:  # a table may name the states of a parent in another order than the parent itself
            if list(table.state_names[parent]) != list(given[parent].state_names[parent]):
                raise NetworkError(f"node {node!r}: its table has other states of {parent!r} than the node {parent!r}")
        parents[name] = tuple(texts[parent] for parent in family)
        tables[name] = np.moveaxis(np.asarray(table.values, dtype=np.float64), 0, -1)
    return Network(str(getattr(model, "name", None) or ""), states, parents, tables)


def to_pyagrum(network: Network) -> pyagrum.BayesNet:
    """Return a network for pyAgrum, see ``Network.to_pyagrum``."""
    package = import_pyagrum("exchange", "a network of pyAgrum")
    _refuse_half_characters(network)
    model: pyagrum.BayesNet = package.BayesNet(network.name)
    try:
        for node, states in network.states.items():
            model.add(package.LabelizedVariable(node, node, list(states)))
    except package.GumException as error:
        raise NetworkError(f"node {node!r} cannot be one of pyAgrum: {_reason(error)}") from None
    for node, parents in network.parents.items():
        for parent in parents:
            model.addArc(parent, node)
        # The axes of pyAgrum's arrays are the parents in reverse order, and then the node.
        axes = (*reversed(range(len(parents))), len(parents))
        model.cpt(node)[:] = np.array(network.tables[node].transpose(axes), order="C")
    return model


def from_pyagrum(model: pyagrum.BayesNet | Any) -> Network:
    """Return a network of pyAgrum, see ``Network.from_pyagrum``."""
    if not hasattr(model, "cpt") or not hasattr(model, "variable") or hasattr(model, "utility"):
        raise NetworkError(f"{type(model).__name__} is not a network of pyAgrum; pass a BayesNet")
    states: dict[str, tuple[str, ...]] = {}
    parents: dict[str, tuple[str, ...]] = {}
    tables: dict[str, Any] = {}
    for number in sorted(model.nodes()):
        variable, table = model.variable(number), model.cpt(number)
        name = variable.name()
        family = [table.variable(i).name() for i in range(1, table.nbrDim())]
        states[name], parents[name] = tuple(variable.labels()), tuple(family)
        axes = (*reversed(range(len(family))), len(family))
        tables[name] = np.asarray(table.toarray(), dtype=np.float64).transpose(axes)
    return Network(model.propertyWithDefault("name", ""), states, parents, tables)


def _refuse_half_characters(network: Network) -> None:
    """Refuse what ends the process in pyAgrum (half a surrogate pair), or a name there (the null character)."""
    for text in (network.name, *(text for node, states in network.states.items() for text in (node, *states))):
        if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
            raise NetworkError(f"{text!r} cannot be a name of pyAgrum: it has a character that is not in UTF-8 text")


def _texts(names: Sequence[Hashable], what: str) -> tuple[str, ...]:
    texts = distinct_texts(names)
    if texts is None:
        raise NetworkError(f"the {what} cannot be told apart as text, which a network has")
    return texts


def _reason(error: Exception) -> str:
    """Return what an exception of pyAgrum says, without its heading, in one line."""
    text = " ".join(str(error).split())
    return text.removeprefix("[pyAgrum] ").rstrip(".")
