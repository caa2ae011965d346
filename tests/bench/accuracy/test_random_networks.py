"""Random networks by number."""

from __future__ import annotations

import numpy as np
import pytest

from bench.accuracy.random_networks import MOST_PARENTS, MOST_ROWS, random_network

NUMBERS = range(1, 25)


@pytest.mark.parametrize("number", NUMBERS)
def test_has_the_size_that_is_promised(number):
    network = random_network(number)
    assert network.name == f"random:{number}"
    assert 20 <= len(network.nodes) <= 60
    assert 1.19 <= len(network.arcs) / len(network.nodes) <= 2.01
    assert {len(states) for states in network.states.values()} <= {2, 3, 4, 5}
    assert max(map(len, network.parents.values())) <= MOST_PARENTS
    assert max(table[..., 0].size for table in network.tables.values()) <= MOST_ROWS


def test_a_number_makes_one_network():
    assert random_network(3) == random_network(3)
    assert random_network(3).arcs != random_network(4).arcs


def test_the_order_of_names_says_nothing_of_causes():
    arcs = [arc for number in NUMBERS for arc in random_network(number).arcs]
    assert 0.45 < np.mean([parent < child for parent, child in arcs]) < 0.55


def test_parents_of_noisy_max_only_raise_the_level():
    network = random_network(4)
    for node, parents in network.parents.items():
        if parents:
            table = network.tables[node]
            below = np.cumsum(table, axis=-1)
            first = below[(0,) * len(parents)]
            assert (below <= first + 1e-12).all()
