"""Small tables to test on: random columns, the arrays that the kernels want, and quiet datasets."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import climbfast as cf
from climbfast_kernels import bits, cost_model, log_tables, patterns
from climbfast_kernels.independence import Rule
from climbfast_kernels.workspace import Workspace, workspace

Codes = np.ndarray[Any, Any]

STRATEGIES = (cost_model.AUTO, cost_model.BITMAPS, cost_model.DENSE, cost_model.SPARSE)
EXAMPLES = 60


def draw_codes(arities: Sequence[int], rows: int, seed: int = 0, *, lean: float = 0.4) -> Codes:
    """Columns of which each leans on the one before it; every level of a column occurs if the rows suffice."""
    rng = np.random.default_rng(seed)
    columns: list[Codes] = []
    for arity in arities:
        column = rng.integers(0, arity, rows)
        if columns:
            column = np.where(rng.random(rows) < lean, columns[-1] % arity, column)
        column[rng.permutation(rows)[:arity]] = np.arange(arity)[:rows]
        columns.append(column)
    return as_codes(columns, max(arities))


def draw_net(seed: int, columns: int = 9, rows: int = 200) -> Codes:
    """Columns of two or three levels of which each leans on up to three earlier ones: there are spouses."""
    rng = np.random.default_rng(seed)
    arity = rng.integers(2, 4, columns)
    drawn: list[Codes] = []
    for x in range(columns):
        parents = rng.choice(x, min(x, rng.integers(1, 4)), replace=False)
        told = sum((drawn[p] for p in parents), np.zeros(rows, int)) % arity[x]
        drawn.append(np.where(rng.random(rows) < 0.7, told, rng.integers(0, arity[x], rows)))
    return as_codes(drawn, 3)


def draw_hub(children: int, rows: int = 500, others: int = 3, seed: int = 0, arity: int = 2) -> Codes:
    """A hub as column 0, its children, each of them noisy, and columns that are independent of all."""
    rng = np.random.default_rng(seed)
    hub = rng.integers(0, arity, rows)
    drawn = [hub]
    for noise in rng.uniform(0.1, 0.5, children):
        drawn.append(np.where(rng.random(rows) < noise, rng.integers(0, arity, rows), hub))
    return as_codes([*drawn, *rng.integers(0, arity, (others, rows))], arity)


def as_codes(columns: Sequence[Any], most_levels: int) -> Codes:
    """The columns in the smallest type that holds the levels."""
    return np.array(columns, dtype=np.min_scalar_type(most_levels - 1))


class Arrays(NamedTuple):
    """Data as the kernels take them."""

    codes: Codes
    arity: Codes
    bits: bits.Bits
    log_tables: log_tables.LogTables
    weights: Codes | None = None

    def workspace(self, most_given: int = 8) -> Workspace:
        return workspace(self.bits, most_given, None, self.weights)

    def sweep(
        self, rule: Rule, target: int, candidates: Sequence[int], given: Sequence[int], strategy: int = cost_model.AUTO
    ) -> tuple[Codes, int]:
        """Strengths of the candidates with the target, and the number of tests skipped."""
        strengths, skipped = patterns.sweep(
            self.codes, self.bits, self.log_tables, self.workspace(), rule, strategy, target,
            np.array(candidates, np.int64), np.array(given, np.int64),
        )  # fmt: skip
        return strengths, skipped

    def figures(
        self, x: int, y: int, given: Sequence[int], strategy: int = cost_model.AUTO, work: Workspace | None = None
    ) -> list[int]:
        """All figures of one table, counted by one strategy, in a new workspace or in ``work``."""
        work = work or self.workspace(len(given))
        columns = np.array(given, np.int64)
        patterns.examine(self.codes, self.bits, self.log_tables, work, strategy, x, y, columns)
        return [int(figure) for figure in work.figures]


def arrays(codes: Codes, arities: Sequence[int], weights: Codes | None = None) -> Arrays:
    """Bitmaps and tables of the columns, of the types that a dataset has them in: others would be compiled anew.

    A code that is the arity of its column is a missing cell. The weights say how often each row occurs.
    """
    codes = codes.copy()
    codes.flags.writeable = False
    arity = np.array(arities, np.int64)
    incomplete = (codes == arity[:, None]).any(axis=1)
    rows = codes.shape[1] if weights is None else int(weights.sum())
    packed = bits.pack(codes, arity, incomplete, rows)
    return Arrays(codes, arity, packed, log_tables.tabulate(rows, arity), weights)


def random_arrays(arities: Sequence[int], rows: int, seed: int = 0) -> Arrays:
    """Bitmaps and tables of random columns."""
    return arrays(draw_codes(arities, rows, seed), arities)


def quiet(frame: Any, **options: Any) -> cf.Dataset:
    """A dataset without the warnings about its columns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.ClimbfastWarning)
        return cf.Dataset.from_frame(frame, **options)


def quiet_codes(codes: Codes) -> cf.Dataset:
    """A dataset with one column c00, c01, … for each row of the codes, whose number it has."""
    return numbered(quiet(named(codes)))


def numbered(data: cf.Dataset) -> cf.Dataset:
    """The same data with columns numbered in the order of their names, instead of the canonical order."""
    order = [data.index(name) for name in data.sorted_names]
    return cf.Dataset(
        data.names, data.levels, data.codes[order], data.sorted_names, data.arity[order], data.id_digests,
        data.incomplete[order], data.weights, data.discretizer, data.uncut, data.possible_ids,
    )  # fmt: skip


def named(codes: Codes) -> Mapping[str, Codes]:
    """The rows of the codes by names that sort in their order."""
    return {f"c{i:02}": column for i, column in enumerate(codes)}


def random_gaps(arities: Sequence[int], rows: int, seed: int = 0, *, share: float = 0.2) -> Codes:
    """The columns of ``draw_codes``, every other one of them with missing cells, whose code is the arity."""
    codes = draw_codes(arities, rows, seed).astype(np.min_scalar_type(max(arities)))
    missing = np.random.default_rng(seed).random(codes.shape) < share
    missing[1::2] = False
    return np.where(missing, np.array(arities, codes.dtype)[:, None], codes)


@st.composite
def codes_with_gaps(draw: st.DrawFn, least: int = 2, most: int = 5) -> tuple[Codes, list[int]]:
    """``small_codes``, some columns with missing cells, whose code is the arity; a column may have no other cells."""
    codes, arities = draw(small_codes(least, most))
    rows = codes.shape[1]
    for x, k in enumerate(arities):
        kind = draw(st.sampled_from(["complete", "some", "most", "all"]))
        if kind == "some":
            codes[x, draw(st.lists(st.integers(0, rows - 1), max_size=rows))] = k
        elif kind != "complete":
            codes[x, int(kind == "most") :] = k
    return codes, arities


@st.composite
def weights_of(draw: st.DrawFn, rows: int) -> Codes:
    """How often each row occurs."""
    return 1 + draw(column_of(rows)).astype(np.int64) % 4


@st.composite
def small_codes(draw: st.DrawFn, least: int = 2, most: int = 5) -> tuple[Codes, list[int]]:
    """Codes of a few short columns, and their arities; levels that do not occur are possible."""
    arities = draw(st.lists(st.integers(1, 5), min_size=least, max_size=most))
    rows = draw(st.integers(1, 40))
    return np.array([draw(column_of(rows)) % np.uint8(k) for k in arities]), arities


def column_of(rows: int) -> st.SearchStrategy[Codes]:
    """Integers from 0 to 255, drawn at once: to draw each of them takes longer than most tests."""
    return st.binary(min_size=rows, max_size=rows).map(lambda cells: np.frombuffer(cells, np.uint8))
