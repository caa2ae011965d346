"""Samples of the published networks."""

from __future__ import annotations

from dataclasses import dataclass

from bench.shared.networks import network
from climbfast import Dataset, Network

__all__ = ["Sample", "sample"]


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of a network, and the truth. Two are equal only if they are one object, so that searches can be cached."""

    network: Network
    data: Dataset


def sample(name: str, rows: int, seed: int) -> Sample:
    """Draw rows of a network. A longer sample begins with the shorter one of the same seed."""
    truth = network(name)
    return Sample(truth, truth.sample(rows, seed))
