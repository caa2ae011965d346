"""From a table to its figures, and the tables of function values that this needs; the yardstick reads as many words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.shared.factories import uniform
from bench.shared.roofline import bare_words

ROWS = 20_000


@pytest.mark.parametrize("test", ["sci", "g2", "x2"])
@pytest.mark.parametrize("strata", [1, 32, 512])
@pytest.mark.parametrize("arity", [2, 4, 16])
def test_measure(benchmark: Any, report: Any, arity: int, strata: int, test: str) -> None:
    """A dense table of 20,000 rows, all cells alike; with one stratum the call from Python is most of it."""
    from climbfast_kernels import independence

    data = uniform(ROWS, 2, arity)
    cells = strata * arity**2
    table = np.random.default_rng(1).multinomial(ROWS, np.full(cells, 1 / cells)).astype(np.int32)
    kind, row = getattr(independence, test.upper()), data.log_tables.regret_row[0]
    scratch, figures = np.zeros((6, arity + 1), np.int64), np.zeros(independence.FIGURES, np.int64)
    benchmark(
        independence.measure, table, strata, arity, arity, row, row, data.log_tables.clog, data.log_tables.log_regret,
        data.log_tables.units, kind, independence.chi2_units(ROWS, arity, arity), scratch, figures,
    )  # fmt: skip
    report(cells, "cells", roofline=bare_words(cells / 2))


@pytest.mark.parametrize("rows", [2_000, 200_000])
@pytest.mark.parametrize("arities", [1, 8])
def test_tabulate(benchmark: Any, report: Any, arities: int, rows: int) -> None:
    """c·log2 c, and log2 R(k, c) for 2, 3, … levels."""
    from climbfast_kernels.log_tables import tabulate

    benchmark(tabulate, rows, np.arange(2, 2 + arities))
    report(rows * (arities + 1), "entries", roofline=bare_words(rows * (arities + 1)))
