"""Cuts by a target, as Fayyad and Irani find them."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from climbfast_kernels import entropy
from climbfast_kernels.mdlp import find_cuts


def naive_cuts(values: list[int], classes: list[int]) -> list[int]:
    """The values before which a cut lies."""
    distinct = sorted(set(values))
    n = len(values)
    splits = []
    for low, high in itertools.pairwise(distinct):
        left = [c for v, c in zip(values, classes, strict=True) if v < high]
        right = [c for v, c in zip(values, classes, strict=True) if v >= high]
        at_low, at_high = ({c for v, c in zip(values, classes, strict=True) if v == end} for end in (low, high))
        if len(at_low | at_high) > 1:  # a boundary
            splits.append((len(left) * bits(left) + len(right) * bits(right), high, left, right))
    if not splits:
        return []
    least = min(split[0] for split in splits)
    _, high, left, right = next(split for split in splits if split[0] < least + 1e-9)
    gain = bits(classes) - (len(left) * bits(left) + len(right) * bits(right)) / n
    k, k1, k2 = len(set(classes)), len(set(left)), len(set(right))
    delta = math.log2(3**k - 2) - (k * bits(classes) - k1 * bits(left) - k2 * bits(right))
    if gain <= math.log2(n - 1) / n + delta / n:
        return []
    below = [v for v in values if v < high]
    above = [v for v in values if v >= high]
    return [*naive_cuts(below, left), high, *naive_cuts(above, right)]


def bits(classes: list[int]) -> float:
    """The entropy of the classes."""
    return -sum(c / len(classes) * math.log2(c / len(classes)) for c in Counter(classes).values())


def cuts(values: list[int], classes: list[int]) -> list[int]:
    """The values before which the kernel cuts."""
    n_classes = max(classes) + 1
    distinct = sorted(set(values))
    pairs = sorted(Counter((distinct.index(v), c) for v, c in zip(values, classes, strict=True)).items())
    first = np.searchsorted([g for (g, _), _ in pairs], np.arange(len(distinct) + 1)).astype(np.int64)
    units = entropy.units_per_bit(len(values), n_classes)
    clog = np.empty(20, np.int64)  # larger counts are computed
    entropy.tabulate_count_log_count(clog, units)
    is_cut = np.zeros(len(distinct), np.bool_)
    find_cuts(
        first, np.array([c for (_, c), _ in pairs]), np.array([count for _, count in pairs]), n_classes, clog, units,
        is_cut,
    )  # fmt: skip
    return [distinct[g] for g in np.flatnonzero(is_cut)]


@pytest.mark.parametrize("seed", range(12))
def test_cuts_are_those_of_the_reference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_classes = int(rng.integers(2, 5))
    values = rng.integers(0, [8, 40, 1000][seed % 3], 120)
    told = values * n_classes // (values.max() + 1)
    classes = np.where(rng.random(120) < 0.8, told, rng.integers(0, n_classes, 120))
    found = cuts(values.tolist(), classes.tolist())
    assert found == naive_cuts(values.tolist(), classes.tolist())
    assert found


def test_nothing_is_cut_without_a_reason() -> None:
    rng = np.random.default_rng(1)
    assert cuts(rng.integers(0, 50, 100).tolist(), rng.integers(0, 3, 100).tolist()) == []
    assert cuts([1, 2, 3], [0, 0, 0]) == []


def test_many_classes() -> None:
    few, many = [*range(40), *range(40)], [*range(700), *range(700)]  # 3^700 is past all floats
    assert cuts(few, few) == naive_cuts(few, few)
    assert cuts(many, many) == [*range(1, 700)]
