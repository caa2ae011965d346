"""A network of our own, for the first run, the documentation and the tests."""

from __future__ import annotations

from importlib import resources

from climbfast.networks.bif import read_bif
from climbfast.networks.network import Network

__all__ = ["EXAMPLE", "EXAMPLE_TARGET", "load_example"]

EXAMPLE = "everyday_health"
EXAMPLE_TARGET = "heart_disease"


def load_example() -> Network:
    """The example network ``everyday_health``.

    Fifteen variables such as smoking, weight and fatigue around the target ``heart_disease``
    (`EXAMPLE_TARGET`), which has three parents, four children and three spouses. Its blanket can be found
    whole, with every direction, in 20,000 rows. The numbers are invented.

    Returns
    -------
    Network
        15 nodes of two or three states, 18 arcs.
    """
    with resources.as_file(resources.files(__name__) / f"{EXAMPLE}.bif") as path:
        return read_bif(path)
