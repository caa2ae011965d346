"""The published networks: from the BIF files inside the pgmpy package, or from a folder beside the repository."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from climbfast import Network, read_bif

FOLDER = Path(__file__).parents[3] / "shared" / "networks"


@cache
def network(name: str) -> Network:
    """Read a network, such as ``alarm``.

    Raises
    ------
    FileNotFoundError
        If neither pgmpy is installed nor the networks lie beside the repository.
    """
    return read_bif(bif_file(name))


def bif_file(name: str) -> Path:
    """Return where the network lies.

    Raises
    ------
    FileNotFoundError
        As ``network`` does.
    """
    package = find_spec("pgmpy")  # which finds it without importing it: that takes ten seconds
    folders = [
        Path(place) / "utils" / "example_models" for place in (package and package.submodule_search_locations) or ()
    ]
    for path in (*(folder / f"{name}.bif.gz" for folder in folders), FOLDER / f"{name}.bif"):
        if path.exists():
            return path
    raise FileNotFoundError(f"no network {name}: pip install '.[bench]' brings pgmpy, which has its BIF file")
