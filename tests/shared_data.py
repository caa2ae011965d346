"""Published networks, which come with pgmpy, and what may lie beside the repository: the answers of other systems."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from bench.shared.networks import bif_file, network

__all__ = ["NETWORKS", "SHARED", "bif_text", "needs_golden", "network"]

SHARED = Path(__file__).parents[2] / "shared"

needs_golden = pytest.mark.skipif(
    not (SHARED / "golden").exists(), reason="the golden files are not beside the repository"
)

# Nodes and arcs as the Bayesian Network Repository, https://www.bnlearn.com/bnrepository, lists them.
NETWORKS = {
    "alarm": (37, 46),
    "andes": (223, 338),
    "asia": (8, 8),
    "barley": (48, 84),
    "cancer": (5, 4),
    "child": (20, 25),
    "diabetes": (413, 602),
    "earthquake": (5, 4),
    "hailfinder": (56, 66),
    "hepar2": (70, 123),
    "insurance": (27, 52),
    "link": (724, 1125),
    "mildew": (35, 46),
    "munin": (1041, 1397),
    "munin1": (186, 273),
    "munin2": (1003, 1244),
    "munin3": (1041, 1306),
    "munin4": (1038, 1388),
    "pathfinder": (109, 195),
    "pigs": (441, 592),
    "sachs": (11, 17),
    "survey": (6, 6),
    "water": (32, 66),
    "win95pts": (76, 112),
}


def bif_text(name: str) -> str:
    """The BIF file of a published network, as it is."""
    path = bif_file(name)
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
