"""What may lie beside the repository: benchmark networks, data sets, and the answers of other systems."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import climbfast as cf

SHARED = Path(__file__).parents[2] / "shared"
NETWORKS = SHARED / "networks"

needs_networks = pytest.mark.skipif(
    not NETWORKS.exists(), reason="the benchmark networks are not beside the repository"
)
needs_golden = pytest.mark.skipif(
    not (SHARED / "golden").exists(), reason="the golden files are not beside the repository"
)


@cache
def network(name: str) -> cf.Network:
    """A benchmark network, read once."""
    return cf.read_bif(NETWORKS / f"{name}.bif")
