"""semopy, which reads the language of lavaan."""

from __future__ import annotations

import re

from semopy.parser import parse_desc

import climbfast as cf
from bench.exchange.round_trips import carried, graphs, print_line


def read_by_semopy(text: str) -> cf.Graph:
    effects, _ = parse_desc(text)
    names = {name: None for operator in effects for left, right in effects[operator].items() for name in (left, *right)}
    edges = [(cause, effect) for effect, causes in effects["~"].items() for cause in causes]
    return cf.Graph(tuple(names), edges)


def main() -> None:
    names = [name for name in carried(cf.Graph.to_lavaan) if re.match(r"\w", name)]  # R has .x, and semopy has not
    ours = graphs(["dag", "empty", "dag"], names)
    pairs = ((graph, read_by_semopy(graph.to_lavaan())) for graph in ours)
    print_line("semopy", "semopy", "reads our lavaan models", pairs, names)


if __name__ == "__main__":
    main()
