"""The example, a sample of it, and the blanket of its target."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.networks.examples import EXAMPLE_TARGET


@pytest.fixture(scope="package")
def network() -> cf.Network:
    return cf.load_example()


@pytest.fixture(scope="package")
def data(network: cf.Network) -> cf.Dataset:
    return network.sample(20_000, seed=1)


@pytest.fixture(scope="package")
def found(data: cf.Dataset) -> cf.Blanket:
    return cf.markov_blanket(data, EXAMPLE_TARGET)
