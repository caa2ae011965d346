"""Which way of cutting numbers into levels is best: ``python -m bench.reports.numbers`` (half an hour).

It writes ``numbers.csv`` and ``numbers_real.csv``, and from them two tables in docs/evidence/numbers.md; ``--page``
makes these of the files as they are.

Simulated tables: the networks of ``bench.shared.numeric_networks`` with seeds that no choice was tuned on, at 200 to
20,000 rows: F1 of the neighbors and of the blankets of all columns by Climb, and of the skeleton of ``best``.

Real tables of scikit-learn have no known network. There the target's blanket is found in four fifths of the rows, by
Climb and in the graph of ``best``, and a random forest on the numbers of its members predicts the target of the other
rows. A good blanket is small and loses nothing: its accuracy stands beside that of a forest on all columns.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

import climbfast as cf
from bench.shared.marked_text import EVIDENCE, fill
from bench.shared.numeric_networks import KINDS, NumericTable, draw_table

WAYS = (
    "auto", "quantile:3", "quantile:4", "quantile:5", "quantile:6", "width:4", "hartemink:3", "hartemink:4",
    "hartemink:5", "hartemink:6",
)  # fmt: skip
ROWS, SEEDS = (200, 500, 1_000, 2_000, 5_000, 10_000, 20_000), range(101, 105)
TASKS = ("neighbors", "blankets", "skeleton")
REAL = ("iris", "wine", "breast_cancer", "diabetes")
FILE = Path(__file__).with_suffix(".csv")
REAL_FILE = FILE.with_name("numbers_real.csv")
PAGE = EVIDENCE / "numbers.md"

Sets = Mapping[Any, set[Any]]
Cells = np.ndarray[Any, Any]
Frame = dict[str, Cells]
Counts = tuple[int, int, int]  # right, found, true


def counts_of(table: NumericTable, rows: int, way: str) -> list[Counts]:
    """Return the counts for neighbors, blankets and the skeleton."""
    data = cf.Dataset.from_frame(table.first(rows), numbers=way)
    blankets = cf.markov_blankets(data, n_jobs=1, progress=False)
    graph = cf.causal_graph(data)
    neighbors = _neighbors(table.parents)
    edges = {frozenset(edge) for edge in (*graph.directed, *graph.undirected)}
    return [
        _compare(neighbors, {name: {*found.neighbors} for name, found in blankets.items()}),
        _compare(_blankets(table.parents), {name: {*found.members} for name, found in blankets.items()}),
        _compare({"": {frozenset((x, y)) for x, near in neighbors.items() for y in near}}, {"": edges}),
    ]


def _neighbors(parents: Mapping[str, tuple[str, ...]]) -> dict[str, set[str]]:
    return {x: {*parents[x], *(y for y in parents if x in parents[y])} for x in parents}


def _blankets(parents: Mapping[str, tuple[str, ...]]) -> dict[str, set[str]]:
    spouses = {x: {z for of in parents.values() if x in of for z in of} for x in parents}
    return {x: (near | spouses[x]) - {x} for x, near in _neighbors(parents).items()}


def _compare(truth: Sets, found: Sets) -> Counts:
    return (
        sum(len(truth[x] & found[x]) for x in truth), sum(map(len, found.values())), sum(map(len, truth.values()))
    )  # fmt: skip


def simulated() -> Iterator[tuple[str, int, str, list[float]]]:
    """Yield kind, rows, way, and the three F1 in percent over all seeds."""
    found: dict[tuple[str, int, str], list[list[Counts]]] = defaultdict(list)
    for kind, seed in itertools.product(KINDS, SEEDS):
        table = draw_table(kind, max(ROWS), seed)
        for rows, way in itertools.product(ROWS, WAYS):
            found[kind, rows, way].append(counts_of(table, rows, way))
    for (kind, rows, way), of_seeds in found.items():
        sums = [[sum(each) for each in zip(*task, strict=True)] for task in zip(*of_seeds, strict=True)]
        yield kind, rows, way, [200 * right / (positive + true) for right, positive, true in sums]


def real() -> Iterator[tuple[str, str, str]]:
    """Yield table, way, and accuracies in percent with the numbers of members; last those of all columns."""
    for name in REAL:
        columns, target = _real_table(name)
        for way in WAYS:
            yield name, way, " / ".join(_accuracy(columns, target, partial(find, way=way)) for find in (_climb, _best))
        yield name, "all columns", _accuracy(columns, target, lambda frame: list(frame)[1:])


def _real_table(name: str) -> tuple[Frame, Cells]:
    import sklearn.datasets

    table = getattr(sklearn.datasets, f"load_{name}")()
    target = table.target if name != "diabetes" else (table.target > np.median(table.target)).astype(int)
    return dict(zip(table.feature_names, table.data.T, strict=True)), target


def _climb(frame: Frame, way: str) -> Sequence[Any]:
    return cf.markov_blanket(frame, "target", numbers=way).members


def _best(frame: Frame, way: str) -> Sequence[Any]:
    graph = cf.causal_graph(frame, numbers=way)
    spouses = {z for y in graph.children_of("target") for z in graph.parents_of(y)}
    return sorted({*graph.neighbors_of("target"), *spouses} - {"target"})


def _accuracy(columns: Frame, target: Cells, find: Callable[[Frame], Sequence[Any]]) -> str:
    """Return the accuracy in five folds, and the mean number of columns that are used."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import StratifiedKFold

    accuracy, sizes = [], []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(target, target):
        members = find({"target": target[train], **{name: cells[train] for name, cells in columns.items()}})
        sizes.append(len(members))
        if not members:
            accuracy.append(float((target[test] == np.bincount(target[train]).argmax()).mean()))
            continue
        cells = np.column_stack([columns[name] for name in members])
        forest = RandomForestClassifier(200, random_state=1, n_jobs=1).fit(cells[train], target[train])
        accuracy.append(float(forest.score(cells[test], target[test])))
    return f"{100 * fmean(accuracy):.0f} ({fmean(sizes):.1f})"


def main() -> None:
    """Measure, write the files, and fill the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--page", action="store_true", help="make the tables of what there is, and measure nothing")
    if not parser.parse_args().page:
        warnings.simplefilter("ignore", cf.ClimbfastWarning)
        of_real, of_simulated = list(real()), list(simulated())
        with REAL_FILE.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out, lineterminator="\n").writerows([("table", "way", "accuracy"), *of_real])
        with FILE.open("w", newline="", encoding="utf-8") as out:
            rows = csv.writer(out, lineterminator="\n")
            rows.writerow(("kind", "rows", "way", *TASKS))
            rows.writerows((kind, n, way, *(f"{f1:.1f}" for f1 in all_f1)) for kind, n, way, all_f1 in of_simulated)
    fill_page(PAGE)


def fill_page(page: Path) -> None:
    """Write the tables of what the files have between the markers of the page."""
    with FILE.open(newline="", encoding="utf-8") as lines:
        rows = [
            (row["kind"], int(row["rows"]), row["way"], [float(row[task]) for task in TASKS])
            for row in csv.DictReader(lines)
        ]
    with REAL_FILE.open(newline="", encoding="utf-8") as lines:
        of_real = [(row["table"], row["way"], row["accuracy"]) for row in csv.DictReader(lines)]
    fill("numbers", table_of_simulated(rows), page)
    fill("numbers of real tables", table_of_real(of_real), page)


def table_of_simulated(found: Iterable[tuple[str, int, str, list[float]]]) -> str:
    """Return the means over the kinds, and of the three figures; the best of a column is bold."""
    by_cell: dict[tuple[int, str], list[list[float]]] = defaultdict(list)
    for _, rows, way, f1 in found:
        by_cell[rows, way].append(f1)
    means = {cell: [fmean(each) for each in zip(*all_f1, strict=True)] for cell, all_f1 in by_cell.items()}
    best = {rows: max(fmean(means[rows, way]) for way in WAYS) for rows in ROWS}
    lines = ["| numbers= | " + " | ".join(f"{rows:,} rows" for rows in ROWS) + " |", "|---|" + "---|" * len(ROWS)]
    for way in WAYS:
        cells = []
        for rows in ROWS:
            mean = fmean(means[rows, way])
            text = f"**{mean:.0f}**" if mean == best[rows] else f"{mean:.0f}"
            cells.append(f"{text} ({' / '.join(f'{f1:.0f}' for f1 in means[rows, way])})")
        lines.append(f"| `{way}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def table_of_real(found: Iterable[tuple[str, str, str]]) -> str:
    cells = {(way, name): text for name, way, text in found}
    lines = ["| numbers= | " + " | ".join(REAL) + " |", "|---|" + "---|" * len(REAL)]
    lines += [f"| `{way}` | " + " | ".join(cells[way, name] for name in REAL) + " |" for way in WAYS]
    return "\n".join([*lines, "| all columns | " + " | ".join(cells["all columns", name] for name in REAL) + " |"])


if __name__ == "__main__":
    main()
