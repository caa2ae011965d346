"""The example network, for the first run, the documentation and the tests."""

from __future__ import annotations

from importlib import resources

from climbfast.networks.bif import read_bif
from climbfast.networks.network import Network

__all__ = ["EXAMPLE", "EXAMPLE_TARGET", "load_example"]

EXAMPLE = "everyday_health"
EXAMPLE_TARGET = "heart_disease"


def load_example() -> Network:
    """Return the example network ``everyday_health``.

    Fifteen variables such as smoking, weight and fatigue around the target ``heart_disease``
    (`EXAMPLE_TARGET`), which has three parents, four children and three spouses. In 20,000 rows its complete blanket
    can be found, with every direction. The probabilities are invented.

    Returns
    -------
    Network
        15 nodes of two or three states, 18 arcs.

    Examples
    --------
    >>> import climbfast as cf
    >>> cf.load_example()
    <Network: everyday_health, 15 nodes, 18 arcs>
    >>> cf.load_example().parents["heart_disease"]
    ('smoking', 'blood_pressure', 'cholesterol')
    """
    with resources.as_file(resources.files(__name__) / f"{EXAMPLE}.bif") as path:
        return read_bif(path)
