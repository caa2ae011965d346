"""The same data under other names, in another order of rows, columns and levels: every search finds the same.

``python -m tests.invariance 50`` compares 50 generated data sets; the suite a few of them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import climbfast as cf
from climbfast.graphs.causal import METHODS as GRAPH_METHODS
from climbfast.graphs.pc_orientation import CONFLICTS
from climbfast.local.methods import METHODS
from climbfast.scores import SCORES
from tests.factories import quiet

Codes = NDArray[np.int64]
TESTS = ("sci", "g2")
MISSING = -1
BY_FILE = {"overwrite"}  # the rule whose result depends on the order of the columns in the file, as documented


# ---- the data


def draw_codes(seed: int) -> Codes:
    """Columns with equal counts, copies, near-copies, a triple of which two and two are independent, and noise."""
    draw = np.random.default_rng(seed)
    rows = int(draw.integers(150, 500)) * 2
    half = np.repeat([0, 1], rows // 2)
    balanced = [draw.permutation(half) for _ in range(4)]
    x, y = draw.permutation(half), draw.permutation(half)
    cause = draw.integers(0, 3, rows)
    effect = (cause + (draw.random(rows) < 0.2)) % 3
    near = np.where(draw.random(rows) < 0.03, draw.permutation(cause), cause)
    both = np.minimum(cause, 1) ^ balanced[0] ^ (draw.random(rows) < 0.1)
    chain = _chain(draw, rows, int(draw.integers(2, 5)))
    columns = [*balanced, x, y, x ^ y, cause, effect, near, both, *chain]
    for _ in range(int(draw.integers(1, 4))):
        copied = columns[int(draw.integers(len(columns)))]
        columns.append(draw.permutation(int(copied.max()) + 1)[copied])
    if seed % 3 == 0:  # all levels of all columns have as many rows, as after cutting at quantiles
        columns = [_cut(draw, column, 2 + 2 * (seed % 2)) for column in columns[:8]]
        columns += [columns[1], columns[2].max() - columns[2]]
    codes = np.array(columns)
    if seed % 4 == 3:
        for x in range(0, len(codes), 3):
            same = [y for y in range(len(codes)) if _partition(codes[y]) == _partition(codes[x])]
            codes[np.ix_(same, np.flatnonzero(draw.random(rows) < 0.05))] = MISSING
    return codes


def _chain(draw: np.random.Generator, rows: int, length: int) -> list[Codes]:
    """Each column is the one before it with noise, with the same counts."""
    columns = [draw.integers(0, 2, rows)]
    for _ in range(length):
        changed = draw.permutation(np.flatnonzero(draw.random(rows) < 0.3))
        column = columns[-1].copy()
        column[np.sort(changed)] = column[changed]
        columns.append(column)
    return columns


def _cut(draw: np.random.Generator, column: Codes, levels: int) -> Codes:
    """Cut a column with noise at its quantiles."""
    order = np.argsort(column + draw.normal(0, 0.7, column.size))
    cut = np.empty(column.size, np.int64)
    cut[order] = np.arange(column.size) * levels // column.size
    return cut


class Naming(NamedTuple):
    """The data under some names, and the number of the column that each name stands for."""

    data: cf.Dataset
    columns: Mapping[Hashable, int]


def named(codes: Codes, seed: int | None) -> Naming:
    """Give names to columns and levels; shuffle them, the rows and the columns unless the seed is None."""
    numbers = list(range(len(codes)))
    order, rows = numbers, np.arange(codes.shape[1])
    levels = [list(range(int(column.max()) + 1)) for column in codes]
    if seed is not None:
        draw = np.random.default_rng(seed)
        numbers, order = draw.permutation(numbers).tolist(), draw.permutation(numbers).tolist()
        rows, levels = draw.permutation(rows), [draw.permutation(of_column).tolist() for of_column in levels]
    names = [f"n{number:02}" for number in numbers]
    table = {names[x]: np.array([*levels[x], None], dtype=object)[codes[x][rows]].tolist() for x in order}
    return Naming(quiet(table, missing="test-wise"), {name: x for x, name in enumerate(names)})


# ---- what is compared: by the class of copies, with the first number of the class


class Reader:
    """Results by column number instead of name; copies count as one column."""

    def __init__(self, naming: Naming, codes: Codes) -> None:
        first: dict[bytes, int] = {}
        by_class = [first.setdefault(_partition(column), x) for x, column in enumerate(codes)]
        self.number = {name: by_class[x] for name, x in naming.columns.items()}

    def graph(self, graph: cf.Graph) -> Any:
        """The edges between classes with their figures, and between how many copies there are edges."""
        number, within = self.number, 0
        edges = set()
        for kind, pairs in (("directed", graph.directed), ("undirected", graph.undirected)):
            for pair in pairs:
                x, y = (number[name] for name in pair)
                within += x == y
                if x != y:
                    ends = (x, y) if kind == "directed" else tuple(sorted((x, y)))
                    figures = (by_edge.get(pair) for by_edge in (graph.strengths, graph.margins))
                    edges.add((kind, ends, *map(_rounded, figures)))
        sets = {
            (frozenset((number[x], number[y])), frozenset(number[z] for z in given))
            for (x, y), given in graph.separating_sets.items()
            if number[x] != number[y]
        }
        return edges, within, sets

    def blanket(self, blanket: cf.Blanket) -> Any:
        """All roles, figures and separating sets."""
        roles = ("parents", "children", "undecided", "spouses")
        figures = ("margins", "strengths", "spouse_strengths")
        return (
            *(self._numbers(getattr(blanket, role)) for role in roles),
            *(self._figures(getattr(blanket, name)) for name in figures),
            {self.number[x]: self._numbers(by) for x, by in blanket.common_children.items()},
            self._sets(blanket.separating_sets),
        )

    def neighbors(self, found: cf.NeighborSet) -> Any:
        """The members, their strengths and separating sets."""
        return self._numbers(found.members), self._figures(found.strengths), self._sets(found.separating_sets)

    def _numbers(self, names: Any) -> frozenset[int]:
        return frozenset(self.number[name] for name in names)

    def _figures(self, figures: Mapping[Hashable, float]) -> dict[int, float | None]:
        return {self.number[name]: _rounded(value) for name, value in figures.items()}

    def _sets(self, sets: Mapping[Hashable, Any]) -> set[tuple[int, frozenset[int]]]:
        return {(self.number[name], self._numbers(given)) for name, given in sets.items()}


def _partition(column: Codes) -> bytes:
    _, first, codes = np.unique(column, return_index=True, return_inverse=True)
    renamed = np.argsort(np.argsort(first))[codes]
    return renamed.astype(np.int64).tobytes()


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


# ---- all methods


def searches() -> dict[str, Callable[[Naming, Reader], Any]]:
    """Every search of the library by name, with what is compared of its result."""
    found: dict[str, Callable[[Naming, Reader], Any]] = {}
    for method, entry in METHODS.items():
        for test in TESTS:
            found[f"{method} {test}"] = (
                _neighbors(method, test) if entry.finds == "neighbors" else _blankets(method, test)
            )
    found["all blankets"] = lambda naming, read: {
        read.number[name]: read.blanket(blanket)
        for name, blanket in cf.markov_blankets(naming.data, progress=False, n_jobs=1).items()
    }
    for rule in sorted(CONFLICTS.keys() - BY_FILE):
        found[f"pc {rule}"] = lambda naming, read, rule=rule: read.graph(cf.pc(naming.data, conflicts=rule, n_jobs=1))
    for score in SCORES:
        found[f"fges {score}"] = lambda naming, read, score=score: _scored(read, cf.fges(naming.data, score))
    for method in GRAPH_METHODS:
        found[f"causal_graph {method}"] = lambda naming, read, method=method: _scored(
            read, cf.causal_graph(naming.data, method)
        )
    return found


def _scored(read: Reader, graph: cf.Graph) -> Any:
    return read.graph(graph), _rounded(graph.figures.get("score"))


def _blankets(method: str, test: str) -> Callable[[Naming, Reader], Any]:
    def find(naming: Naming, read: Reader) -> Any:
        return {
            read.number[name]: read.blanket(cf.markov_blanket(naming.data, name, method, test))
            for name in naming.data.without_copies.names
        }

    return find


def _neighbors(method: str, test: str) -> Callable[[Naming, Reader], Any]:
    def find(naming: Naming, read: Reader) -> Any:
        return {
            read.number[name]: read.neighbors(cf.neighbors(naming.data, name, method, test))
            for name in naming.data.without_copies.names
        }

    return find


def differing(seed: int, namings: int = 2) -> list[str]:
    """Return the searches that find something else in the data of this seed under other names."""
    codes = draw_codes(seed)
    first = named(codes, None)
    others = [named(codes, 1_000 * seed + i) for i in range(namings)]
    found = []
    for name, search in searches().items():
        expected = search(first, Reader(first, codes))
        if any(search(other, Reader(other, codes)) != expected for other in others):
            found.append(name)
    return found


def main() -> int:
    """Compare as many data sets as the command line says."""
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    begun, wrong = time.perf_counter(), dict[str, list[int]]()
    for seed in range(many):
        for name in differing(seed):
            wrong.setdefault(name, []).append(seed)
            print(f"{name} differs on the data of seed {seed}")
    print(f"{many} data sets, {len(searches())} searches, {time.perf_counter() - begun:.0f} s; {len(wrong)} differ")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
