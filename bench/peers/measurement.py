"""What the files ``with_*.py`` share: reading, timing, and the line they print. Runs in the environments of the peers.

``python with_PEER.py DATA TASK`` reads DATA (CSV, whole numbers, names in the first line), does TASK, and prints one
line of JSON: peer, version, task, network, rows, seconds, wall and edges. ``python with_PEER.py`` prints the
names of its tasks, each with its settings.

``seconds`` is processor time of the whole process in the search alone: imports are done, and the data are in the form
that the package is given them in. On one core it is what a clock would say if nothing else ran; ``wall`` is what the
clock said. The search is run up to five times or for two seconds, each time on a fresh start, and the least counts;
where a package compiles, the first run does not count.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

ALPHA = 0.01
MAX_GIVEN = 3
ROUNDS = 5
ENOUGH = 2.0
REPLICATES = 20

Edges = Iterable[tuple[str, str]]
Task = Callable[[list[str], np.ndarray], tuple[Callable[[], Any], Callable[[Any], Edges]]]
"""From names and codes (one row of data a row) to the search, and to the edges of what it returns."""


def read(path: Path) -> tuple[list[str], np.ndarray]:
    """Return the names and the codes."""
    with path.open(encoding="utf-8") as file:
        names = file.readline().strip().split(",")
        return names, np.loadtxt(file, dtype=np.int64, delimiter=",", ndmin=2)


def measure(task: Task, names: list[str], codes: np.ndarray, *, warm: bool) -> tuple[float, float, Edges]:
    """Return the least processor time, the least time by the clock, and what the search found."""
    if warm:
        task(names, codes)[0]()
    walls: list[float] = []
    seconds: list[float] = []
    while not walls or (len(walls) < ROUNDS and sum(seconds) < ENOUGH):
        search, edges = task(names, codes)
        wall, processor = time.perf_counter(), time.process_time()
        found = search()
        seconds.append(time.process_time() - processor)
        walls.append(time.perf_counter() - wall)
    return min(seconds), min(walls), edges(found)


def by_a_loop(
    how: str,
    given: Callable[[list[str], np.ndarray], Any],
    draw: Callable[[Any, np.ndarray], Any],
    found_in: Callable[[Any], Edges],
) -> Task:
    """Return the search of drawn tables in turn, for a package without a bootstrap of its own.

    The data are brought into the form of the package once, by ``given``; ``draw`` takes rows of that.
    """

    def replicates(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
        table, rows = given(names, codes), len(codes)

        def search() -> list[Edges]:
            random = np.random.default_rng(0)
            return [list(found_in(draw(table, random.integers(rows, size=rows)))) for _ in range(REPLICATES)]

        return search, in_most_replicates

    replicates.__doc__ = f"{how}, by a loop"
    return replicates


def in_most_replicates(found: Iterable[Edges]) -> Edges:
    """Return the edges, in either direction, of more than half of the replicates."""
    counts = Counter(edge for edges in found for edge in {(min(edge), max(edge)) for edge in edges})
    return [edge for edge, count in counts.items() if 2 * count > REPLICATES]


def main(peer: str, tasks: dict[str, Task], *, version: str | None = None, warm: bool = False) -> None:
    """Do what the command line says."""
    if len(sys.argv) == 1:
        print(json.dumps({name: settings(task) for name, task in tasks.items()}))
        return
    path, name = Path(sys.argv[1]), sys.argv[2]
    names, codes = read(path)
    seconds, wall, edges = measure(tasks[name], names, codes, warm=warm)
    line = {
        "peer": peer,
        "version": version or importlib.metadata.version(peer),
        "task": name,
        "network": path.stem.rpartition("-")[0],
        "rows": len(codes),
        "seconds": seconds,
        "wall": wall,
        "edges": sorted((str(x), str(y)) for x, y in edges),
    }
    print(json.dumps(line))


def settings(task: Task) -> str:
    """Return what the table says of a task: its docstring."""
    return (inspect.getdoc(task) or "").rstrip(".")
