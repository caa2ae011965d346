"""The networks that large runs are measured on."""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
import pytest

import climbfast as cf
from bench.shared.sparse_networks import simulate
from bench.tools.simulate import main


@pytest.fixture(scope="module")
def made():
    return simulate(300, 2_000, levels=(2, 4), in_degree=(1, 4), seed=5)


def test_has_the_shape_asked_for(made):
    network, data = made
    assert (data.columns, data.rows, data.codes.dtype) == (300, 2_000, np.uint8)
    assert data.names == data.sorted_names == network.nodes
    assert data.names[0] == "g00001"
    assert {len(states) for states in network.states.values()} == {2, 3, 4}
    assert all(type(level) is int and level < 4 for levels in data.levels.values() for level in levels)


def test_columns_have_as_many_parents_as_asked_for_and_as_there_are_before_them(made):
    network, _ = made
    degrees = [len(network.parents[node]) for node in network.topological_order]
    assert degrees.count(0) == 1
    assert set(degrees[1:]) == {1, 2, 3, 4}
    full, _ = simulate(30, 10, levels=2, in_degree=3, seed=1)
    assert [min(3, len(full.parents[node])) for node in full.nodes].count(3) == 27
    assert sorted(len(parents) for parents in full.parents.values())[:4] == [0, 1, 2, 3]


def test_names_do_not_follow_the_topological_order(made):
    network, _ = made
    forward = np.mean([parent < child for parent, child in network.arcs])
    assert 0.4 < forward < 0.6


def test_a_seed_makes_one_network_and_one_sample(made):
    network, data = made
    again, same = simulate(300, 2_000, levels=(2, 4), in_degree=(1, 4), seed=5)
    other, different = simulate(300, 2_000, levels=(2, 4), in_degree=(1, 4), seed=6)
    assert again == network
    assert same.fingerprint == data.fingerprint
    assert other.arcs != network.arcs
    assert different.fingerprint != data.fingerprint


def test_rows_follow_the_tables(made):
    network, data = made
    root = network.topological_order[0]
    found = np.bincount(data.codes[data.index(root)]) / data.rows
    drawn = [network.tables[root][level] for level in data.levels[root]]
    np.testing.assert_allclose(found, drawn, atol=0.06)


def test_arcs_are_dependences_and_other_pairs_seldom(made):
    network, data = made
    tester = cf.Tester(data)

    def dependent(x, y):
        return tester.sweep(data.index(x), (data.index(y),), ())[0] > 0

    assert np.mean([dependent(parent, child) for parent, child in network.arcs]) > 0.8
    rng = np.random.default_rng(1)
    others = [(x, y) for x, y in rng.choice(network.nodes, size=(500, 2)) if x != y]
    assert np.mean([dependent(x, y) for x, y in others]) < 0.2


def test_less_concentration_is_stronger_dependence():
    def largest(concentration):
        network, _ = simulate(100, 500, levels=3, concentration=concentration, seed=2)
        return np.mean([table.max(axis=-1).mean() for table in network.tables.values()])

    assert largest(0.1) > largest(0.5) > largest(5.0) > 1 / 3


def test_command_writes_sample_and_arcs(made, tmp_path, monkeypatch):
    network, data = made
    out, arcs = tmp_path / "data.parquet", tmp_path / "arcs.csv"
    options = ["--columns", "300", "--rows", "2000", "--levels", "2-4", "--seed", "5"]
    monkeypatch.setattr(sys, "argv", ["simulate", *options, "--out", str(out), "--arcs", str(arcs)])
    main()
    assert cf.read(out).fingerprint == data.fingerprint
    assert pl.read_csv(arcs).rows() == list(network.arcs)
