"""What the files ``with_*.py`` share: reading, timing, and the line they print. Runs in the environments of the peers.

``python with_PACKAGE.py DATA SEARCH`` reads DATA (CSV, whole numbers, names in the first line) and prints one line of
JSON: ``directed`` and ``undirected`` edges by name, and the processor ``seconds`` of the search alone.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

Edges = Iterable[tuple[str, str]]
Search = Callable[[list[str], np.ndarray], tuple[Callable[[], Any], Callable[[Any], tuple[Edges, Edges]]]]
"""From names and codes (a row of data a row) to the search, and to directed and undirected edges of what it returns."""


def read(path: Path) -> tuple[list[str], np.ndarray]:
    """Return the names and the codes."""
    with path.open(encoding="utf-8") as file:
        names = file.readline().strip().split(",")
        return names, np.loadtxt(file, dtype=np.int64, delimiter=",", ndmin=2)


def main(searches: Mapping[str, Search]) -> None:
    """Do what the command line says."""
    search, edges = searches[sys.argv[2]](*read(Path(sys.argv[1])))
    begun = time.process_time()
    found = search()
    seconds = time.process_time() - begun
    directed, undirected = ([[str(x), str(y)] for x, y in each] for each in edges(found))
    print(json.dumps({"directed": directed, "undirected": undirected, "seconds": seconds}))
