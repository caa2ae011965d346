"""What the files ``with_*.py`` share: graphs there and back, and the line they print. Runs in their environments."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import climbfast as cf
from tests.exchange.graphs import KINDS, ODD, PLAIN, edges_of, random_graphs

__all__ = ["KINDS", "ODD", "carried", "graphs", "print_line", "write_line"]

COUNT = 50  # graphs of each kind


def carried(write: Callable[[cf.Graph], Any]) -> list[str]:
    """Return the odd names that a format takes; it refuses the others with an error of ours."""
    names = []
    for name in ODD:
        try:
            write(cf.Graph((name,)))
        except cf.GraphError:
            continue
        names.append(name)
    return names


def graphs(kinds: Sequence[str], names: Iterable[str] = ()) -> list[cf.Graph]:
    """Return random graphs of these kinds, with plain names and these odd ones."""
    return list(random_graphs(kinds, [*PLAIN, *names], COUNT))


def print_line(
    program: str, package: str, way: str, pairs: Iterable[tuple[cf.Graph, cf.Graph]], names: Sequence[str] | None = None
) -> None:
    """Print how many graphs are the same on both sides, and the first pair that is not."""
    compared = [(edges_of(before), edges_of(after)) for before, after in pairs]
    wrong = [pair for pair in compared if pair[0] != pair[1]]
    write_line(
        program,
        package,
        way,
        graphs=len(compared),
        same=len(compared) - len(wrong),
        names=len(names or ()),
        odd=0 if names is None else len(ODD),
        first=repr(wrong[0]) if wrong else "",
    )


def write_line(program: str, package: str, way: str, **figures: Any) -> None:
    """Print a line of the table; the package is the one whose version is said."""
    version = importlib.metadata.version(package) if package else ""
    print(json.dumps({"program": program, "version": version, "way": way, **figures}), flush=True)
