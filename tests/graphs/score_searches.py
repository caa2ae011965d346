"""What the tests of searches by score share: data drawn from known graphs, and the best of all graphs."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import cache
from typing import Any

import numpy as np

import climbfast as cf
from climbfast.graphs.families import FamilyTables
from climbfast.graphs.pdag import PDAG
from climbfast.knowledge import AllowedArcs
from climbfast.scores import LocalScores, ScoreOptions
from tests.factories import quiet_codes
from tests.graphs.classes import (
    every_dag,
)
from tests.oracle import DAG, random_dag


def strong_tables(dag: DAG, seed: int, arities: tuple[int, ...]) -> list[np.ndarray]:
    """p(x | parents), shape (configurations, levels): in each configuration one level has most of it, in turns."""
    rng = np.random.default_rng(seed)
    tables = []
    for k, parents in zip(arities, dag, strict=True):
        q = math.prod(arities[p] for p in parents)
        favored = np.eye(k)[rng.permutation(q) % k]
        weight = rng.uniform(0.3, 0.8, (q, 1))
        tables.append(weight * favored + (1 - weight) * rng.dirichlet(np.full(k, 5.0), q))
    return tables


def configurations(dag: DAG, x: int, columns, arities: tuple[int, ...]):
    """The row of the table of x for every row of the columns."""
    return sum(
        (columns[p].astype(np.int64) * math.prod(arities[r] for r in sorted(dag[x])[i + 1 :])
         for i, p in enumerate(sorted(dag[x]))),
        start=np.zeros(len(columns[x]), np.int64),
    )  # fmt: skip


def order_of(dag: DAG) -> list[int]:
    """Parents first."""
    order: list[int] = []
    while len(order) < len(dag):
        order += [x for x in range(len(dag)) if x not in order and dag[x] <= set(order)]
    return order


def sampled(dag: DAG, rows: int, seed: int, arities: tuple[int, ...] | None = None) -> cf.Dataset:
    arities = arities or (2,) * len(dag)
    rng = np.random.default_rng(seed)
    columns = np.zeros((len(dag), rows), np.uint8)
    tables = [t.cumsum(axis=1) for t in strong_tables(dag, seed, arities)]
    for x in order_of(dag):
        draws, rows_of_table = rng.random(rows), configurations(dag, x, columns, arities)
        for thresholds in tables[x].T[:-1]:  # the last are 1, or by rounding nearly so
            columns[x] += draws > thresholds[rows_of_table]
    return quiet_codes(columns)


@cache
def parent_sets() -> np.ndarray:
    """For every DAG of five columns and every column, its parents as bits."""
    return np.array([[sum(1 << p for p in parents) for parents in dag] for dag in every_dag(5)])


def best_by_brute_force(scores: LocalScores) -> DAG:
    """The best of all 29,281 DAGs of five columns."""
    by_family = np.full((5, 32), -np.inf)
    for x in range(5):
        for bits in range(32):
            if not bits >> x & 1:
                by_family[x, bits] = scores.score(x, [p for p in range(5) if bits >> p & 1])
    totals = by_family[np.arange(5), parent_sets()].sum(axis=1)
    return every_dag(5)[int(totals.argmax())]


@cache
def small_data(seed: int) -> cf.Dataset:
    """Six to eight columns and few rows, of which several graphs are local optima."""
    n = 6 + seed % 3
    dag = random_dag(n, seed, edge_probability=0.3, max_parents=3)
    return sampled(dag, (60, 300, 2_000)[seed // 3 % 3], seed, tuple(2 + (seed + x) % 3 for x in range(n)))


def total(scores: cf.LocalScores, dag: DAG) -> float:
    return math.fsum(scores.score(x, sorted(parents)) for x, parents in enumerate(dag))


def frozen(dag: PDAG) -> DAG:
    return tuple(frozenset(parents) for parents in dag.parents)


def tables_of(data: cf.Dataset, *scores: ScoreOptions, allowed: AllowedArcs | None = None) -> FamilyTables:
    """Tables in which every column is a possible neighbor of every other."""
    columns = np.arange(data.columns)
    return FamilyTables(data, scores, [columns[columns != y] for y in range(data.columns)], allowed)


def by_name(known: cf.Knowledge, names: Sequence[Hashable]) -> cf.Knowledge:
    """Knowledge about the columns 0, 1, ... for columns with these names."""

    def named(entry: Any) -> Any:
        return tuple(map(named, entry)) if isinstance(entry, (tuple, list)) else names[entry]

    fields = known.to_dict()
    return cf.Knowledge(**{field: value if field == "closed" else named(value) for field, value in fields.items()})
