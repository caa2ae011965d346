"""DAGitty: its own parser reads our models. It is JavaScript, in the files of jupyterlab-dagitty."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import climbfast as cf
from bench.exchange.round_trips import KINDS, carried, graphs, print_line

FILES = Path(sys.prefix) / "share" / "jupyter" / "labextensions" / "jupyterlab-dagitty" / "static"
UNDIRECTED, DIRECTED = 0, 1


def read_by_dagitty(texts: list[str]) -> list[cf.Graph]:
    script = Path(__file__).with_name("read_dagitty.js")
    done = subprocess.run(
        ["node", script, FILES], input=json.dumps(texts), capture_output=True, text=True, check=True, encoding="utf-8"
    )
    return [graph_of(found) for found in json.loads(done.stdout)]


def graph_of(found: dict[str, Any]) -> cf.Graph:
    if "error" in found:
        return cf.Graph((found["error"],))
    edges = {kind: [(x, y) for x, y, number in found["edges"] if number == kind] for kind in (UNDIRECTED, DIRECTED)}
    return cf.Graph(found["nodes"], edges[DIRECTED], edges[UNDIRECTED])


def main() -> None:
    names = carried(cf.Graph.to_dagitty)
    ours = graphs(KINDS, names)
    read = read_by_dagitty([graph.to_dagitty() for graph in ours])
    print_line(
        "DAGitty of jupyterlab-dagitty", "jupyterlab-dagitty", "reads our models", zip(ours, read, strict=True), names
    )


if __name__ == "__main__":
    main()
