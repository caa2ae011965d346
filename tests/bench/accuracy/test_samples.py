"""Samples under names that say nothing of causes, or in the order of the file."""

from __future__ import annotations

import numpy as np

import climbfast as cf
from bench.accuracy import samples
from bench.accuracy.samples import FOR_CHOOSING, FOR_REPORTING, called, sample
from climbfast.networks.sampling import draw

NAME = "random:7"


def test_nothing_is_chosen_on_what_is_reported():
    assert not {*FOR_CHOOSING} & {*FOR_REPORTING}


def test_rows_and_graph_have_the_same_names():
    network = samples.network_named(NAME)
    of = sample(NAME, 500, seed=2)
    names = called(network, "random", 2)
    drawn = draw(network, 500, 2)
    assert set(of.truth.directed) == {(names[parent], names[child]) for parent, child in network.arcs}
    for node, name in names.items():
        x = of.data.index(name)
        codes = of.data.codes[x]
        assert [of.data.levels[name][code] for code in codes] == drawn[node].tolist()


def test_names_and_places_are_drawn_by_the_seed():
    network = samples.network_named(NAME)
    one, other = called(network, "random", 1), called(network, "random", 2)
    assert list(one) != list(other) != list(network.nodes)
    assert [one[node] for node in network.nodes] != [other[node] for node in network.nodes]
    assert sample(NAME, 300, 1).data.fingerprint == sample(NAME, 300, 1).data.fingerprint


def test_the_order_of_the_file_is_that_of_places_and_of_names():
    network = samples.network_named(NAME)
    names = called(network, "file", 5)
    assert list(names) == list(network.nodes)
    assert list(names.values()) == sorted(names.values())
    data = sample(NAME, 300, 5, "file").data
    assert isinstance(data, cf.Dataset)
    assert list(data.names) == list(names.values())


def test_a_shorter_sample_is_the_beginning_of_a_longer_one():
    long, short = sample(NAME, 2_000, 1).data, sample(NAME, 500, 1).data
    same = [
        np.array_equal(
            np.take(long.levels[name], long.codes[long.index(name)][:500]),
            np.take(short.levels[name], short.codes[short.index(name)]),
        )
        for name in short.names
    ]
    assert all(same)
