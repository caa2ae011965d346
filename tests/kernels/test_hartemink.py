"""The levels that lose the least information about the other columns."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from climbfast_kernels import entropy
from climbfast_kernels.hartemink import count_pairs, merge_once


def naive_merging(columns: list[list[int]], wanted: list[int], partners: list[list[int]]) -> list[list[list[int]]]:
    """The levels of each column as lists of start levels; None is a missing cell.

    In every step each column tries all of its mergers on the present columns, and then all merge their best one.
    """
    groups = [[[level] for level in range(max(c for c in column if c is not None) + 1)] for column in columns]
    while any(len(of_column) > k for of_column, k in zip(groups, wanted, strict=True)):
        present = [renamed(column, of_column) for column, of_column in zip(columns, groups, strict=True)]
        merged = []
        for x, of_column in enumerate(groups):
            if len(of_column) <= wanted[x]:
                merged.append(of_column)
                continue
            others = [column for y, column in enumerate([*present, *partners]) if y != x]
            choices = [joined(of_column, a) for a in range(len(of_column) - 1)]
            kept = [sum(information(renamed(columns[x], choice), other) for other in others) for choice in choices]
            best = next(a for a, bits in enumerate(kept) if bits > max(kept) - 1e-6)
            merged.append(choices[best])
        groups = merged
    return groups


def joined(groups: list[list[int]], a: int) -> list[list[int]]:
    return [*groups[:a], [*groups[a], *groups[a + 1]], *groups[a + 2 :]]


def renamed(column: list[Any], groups: list[list[int]]) -> list[Any]:
    place = {level: number for number, group in enumerate(groups) for level in group}
    return [None if cell is None else place[cell] for cell in column]


def information(x: list[Any], y: list[Any]) -> float:
    """n·I(x, y) in bits over the rows that are complete in both."""
    rows = [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]
    pairs, of_x, of_y = Counter(rows), Counter(a for a, _ in rows), Counter(b for _, b in rows)
    return sum(c * math.log2(c * len(rows) / (of_x[a] * of_y[b])) for (a, b), c in pairs.items())


def drawn(seed: int, rows: int = 80, columns: int = 4, levels: int = 6) -> list[list[int | None]]:
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=rows)
    table = []
    for _ in range(columns):
        numbers = hidden * rng.normal() + rng.normal(size=rows)
        ranks = np.argsort(np.argsort(numbers)) * levels // rows
        cells: list[int | None] = ranks.tolist()
        table.append([None if gap else cell for cell, gap in zip(cells, rng.random(rows) < 0.05, strict=True)])
    return table


def merge(table: list[list[int | None]], wanted: list[int], weights: Any = ()) -> list[list[list[int]]]:
    """The groups of the kernels."""
    start = np.array([1 + max(c for c in column if c is not None) for column in table])
    codes = np.array(
        [[k if c is None else c for c in column] for column, k in zip(table, start, strict=True)], np.uint8
    )
    sizes = np.triu(np.outer(start[: len(wanted)], start), 1)
    offset = (np.cumsum(sizes).reshape(sizes.shape) - sizes).astype(np.int64)
    tables = np.zeros(int(sizes.sum()) + int(start.max() ** 2), np.int64)
    for x in range(len(wanted)):
        count_pairs(codes, start, np.array(weights, np.int64), x, offset, tables)
    units = entropy.units_per_bit(1000, 10) / 16
    clog = np.empty(300, np.int64)
    entropy.tabulate_count_log_count(clog, units)
    levels, stops, merged = start.copy(), np.array(wanted), np.empty(len(wanted), np.int64)
    groups = [[[level] for level in range(k)] for k in start[: len(wanted)]]
    while merge_once(tables, offset, start, levels, stops, clog, units, merged):
        groups = [g if a < 0 else joined(g, a) for g, a in zip(groups, merged.tolist(), strict=True)]
    return groups


@pytest.mark.parametrize("seed", range(8))
def test_levels_merge_as_in_the_reference(seed: int) -> None:
    table = drawn(seed)
    wanted = [2, 3, 4]
    assert merge(table, wanted) == naive_merging(table[:3], wanted, table[3:])


def test_the_order_of_rows_and_columns_does_not_matter() -> None:
    table = drawn(20)
    groups = merge(table, [2, 2, 3])
    order = np.random.default_rng(1).permutation(len(table[0]))
    shuffled = [[column[i] for i in order] for column in (table[2], table[0], table[1], table[3])]
    assert merge(shuffled, [3, 2, 2]) == [groups[2], groups[0], groups[1]]


def test_weights_are_rows_that_are_repeated() -> None:
    table = drawn(21)
    weights = np.random.default_rng(2).integers(0, 4, len(table[0]))
    repeated = [[cell for cell, times in zip(column, weights, strict=True) for _ in range(times)] for column in table]
    assert merge(table, [2, 3, 2], weights) == merge(repeated, [2, 3, 2])


def test_the_lowest_levels_merge_where_all_lose_the_same() -> None:
    assert merge([[0, 1, 2, 3], [0, 0, 0, 0]], [2]) == [[[0, 1, 2], [3]]]
