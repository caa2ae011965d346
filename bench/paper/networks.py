"""The published networks, from the BIF files inside the pgmpy package, and their samples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from bench.conftest import NETWORKS as SHARED
from climbfast import Dataset, Network, read_bif

__all__ = ["Sample", "network", "sample"]


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of a network, and the truth. Two are the same only if they are one object, so that searches can be kept."""

    network: Network
    data: Dataset


@cache
def network(name: str) -> Network:
    """Read a network, such as ``alarm``.

    Raises
    ------
    FileNotFoundError
        If neither pgmpy is installed nor the networks lie beside the repository.
    """
    return read_bif(_file(name))


def sample(name: str, rows: int, seed: int) -> Sample:
    """Draw rows of a network. A longer sample begins with the shorter one of the same seed."""
    drawn_from = network(name)
    return Sample(drawn_from, drawn_from.sample(rows, seed))


def _file(name: str) -> Path:
    package = find_spec("pgmpy")  # which finds it without importing it: that takes ten seconds
    folders = [
        Path(place) / "utils" / "example_models" for place in (package and package.submodule_search_locations) or ()
    ]
    candidates = [*(folder / f"{name}.bif.gz" for folder in folders), SHARED / f"{name}.bif"]
    for path in candidates:
        if path.exists():
            return path
    raise FileNotFoundError(f"no network {name}: pip install '.[bench]' brings pgmpy, which has its BIF file")
