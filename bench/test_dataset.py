"""From a file to bitmaps, against polars reading the same file as strings; and sampling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import climbfast as cf
from bench.conftest import network
from bench.roofline import least_seconds

ROWS, COLUMNS = 20_000, 1_000
WORDS = (
    ("no", "yes"),
    ("low", "medium", "high"),
    ("north", "east", "south", "west"),
    ("never", "rarely", "monthly", "weekly", "daily"),
)
LABELS = {"digits": "{number}", "names": "level_{number}", "words": "{word}"}


@pytest.fixture(scope="module", params=LABELS)
def csv(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of columns of 2 to 5 levels: numbers, numbered names, or words of different lengths."""
    rng = np.random.default_rng(1)
    columns = {}
    for x in range(COLUMNS):
        words = enumerate(WORDS[x % len(WORDS)])
        levels = np.array([LABELS[request.param].format(number=number, word=word) for number, word in words])
        columns[f"column {x}"] = levels[rng.integers(len(levels), size=ROWS)]
    path = tmp_path_factory.mktemp("csv") / f"{request.param}.csv"
    pl.DataFrame(columns).write_csv(path)
    return path


def test_read(benchmark: Any, report: Any, csv: Path) -> None:
    """Bitmaps included; in turns with polars, as other work on the machine slows a reader down for seconds."""
    polars: list[float] = []

    def yardstick() -> None:
        polars.append(least_seconds(lambda: pl.read_csv(csv, infer_schema=False), rounds=1))

    cf.read(csv).bits  # noqa: B018 - compiles
    benchmark.pedantic(lambda: cf.read(csv).bits, setup=yardstick, rounds=5)
    report(ROWS * COLUMNS, "cells", yardstick=min(polars), yardstick_name="polars")


def test_bitmaps(benchmark: Any, report: Any) -> None:
    """Codes to bitmaps alone."""
    from bench.conftest import uniform
    from climbfast_kernels.bits import pack

    data = uniform(ROWS, COLUMNS, 4)
    benchmark(pack, data.codes, data.arity)
    report(data.codes.size, "cells")


def test_sample_munin(benchmark: Any, report: Any) -> None:
    munin = network("munin")
    benchmark.pedantic(munin.sample, (20_000, 1), rounds=3)
    report(20_000 * len(munin.nodes), "cells")
