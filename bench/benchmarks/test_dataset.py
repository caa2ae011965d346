"""From a file to bitmaps, against polars reading the same file as strings; and sampling."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import climbfast as cf
from bench.shared.factories import uniform
from bench.shared.roofline import bare_words, least_seconds

ROWS = 20_000
WORDS = (
    ("no", "yes"),
    ("low", "medium", "high"),
    ("north", "east", "south", "west"),
    ("never", "rarely", "monthly", "weekly", "daily"),
)
READERS = {".csv": partial(pl.read_csv, infer_schema=False), ".parquet": pl.read_parquet}
LABELS = {"digits": "{number}", "names": "level_{number}", "words": "{word}"}


@pytest.fixture(scope="module")
def data_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int, str], Path]:
    """Write columns of 2 to 5 levels: numbers, numbered names, or words of different lengths."""

    @cache
    def file(labels: str, columns: int, suffix: str) -> Path:
        rng = np.random.default_rng(1)
        found = {}
        for x in range(columns):
            words = enumerate(WORDS[x % len(WORDS)])
            levels = np.array([LABELS[labels].format(number=number, word=word) for number, word in words])
            found[f"column {x}"] = levels[rng.integers(len(levels), size=ROWS)]
        path = tmp_path_factory.mktemp("files") / f"{labels}{suffix}"
        frame = pl.DataFrame(found)
        frame.write_csv(path) if suffix == ".csv" else frame.write_parquet(path)
        return path

    return file


@pytest.mark.parametrize("suffix", READERS)
@pytest.mark.parametrize("columns", [50, 1_000])
@pytest.mark.parametrize("labels", LABELS)
def test_read(benchmark: Any, report: Any, data_file: Any, labels: str, columns: int, suffix: str) -> None:
    """Bitmaps included; in turns with polars, as other work on the machine slows a reader down for seconds."""
    file, polars = data_file(labels, columns, suffix), []

    def yardstick() -> None:
        polars.append(least_seconds(lambda: READERS[suffix](file), rounds=1))

    benchmark.pedantic(lambda: cf.read(file).bits, setup=yardstick, rounds=5, warmup_rounds=1)
    report(ROWS * columns, "cells", polars=min(polars), roofline=bare_words(file.stat().st_size / 8))


@pytest.mark.parametrize("kind", ["Int8", "Int64", "String"])
def test_large_parquet(benchmark: Any, report: Any, tmp_path: Path, kind: str) -> None:
    """200 columns of 200,000 rows, read some at a time, in turns with polars into memory."""
    rng, polars = np.random.default_rng(1), list[float]()
    frame = pl.DataFrame({f"column {x}": rng.integers(2 + x % 4, size=10 * ROWS) for x in range(200)})
    frame.cast(getattr(pl, kind)()).write_parquet(tmp_path / "data.parquet")

    def yardstick() -> None:
        polars.append(least_seconds(lambda: pl.read_parquet(tmp_path / "data.parquet"), rounds=1))

    read = partial(cf.read, tmp_path / "data.parquet")
    benchmark.pedantic(read, setup=yardstick, rounds=5, warmup_rounds=1)
    report(2_000 * ROWS, "cells", polars=min(polars))


@pytest.mark.parametrize("is_regular", [True, False], ids=["regular", "one quote"])
def test_large_csv(benchmark: Any, report: Any, tmp_path: Path, *, is_regular: bool) -> None:
    """80 MB of single digits; with a quote inside of a cell, all of it is read by the csv module."""
    rng, file = np.random.default_rng(1), tmp_path / "data.csv"
    frame = pl.DataFrame({f"column {x}": rng.integers(2 + x % 4, size=10 * ROWS, dtype=np.int8) for x in range(200)})
    frame.write_csv(file)
    if not is_regular:
        head, _, rest = file.read_bytes().partition(b"\n")
        file.write_bytes(head + b'\nx"y' + rest[1:])
    benchmark.pedantic(cf.read, (file,), rounds=3 if is_regular else 1, warmup_rounds=int(is_regular))
    report(2_000 * ROWS, "cells", polars=least_seconds(lambda: pl.read_csv(file, quote_char=None), rounds=2))


@pytest.mark.parametrize("columns", [10_000, 20_000])
@pytest.mark.parametrize("library", ["polars", "arrow", "pandas"])
def test_wide_frame(benchmark: Any, report: Any, library: str, columns: int) -> None:
    """500 rows; twice as many columns should take twice as long."""
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({f"column {x}": rng.integers(2 + x % 4, size=500) for x in range(columns)})
    given = {"polars": lambda: frame, "arrow": frame.to_arrow, "pandas": frame.to_pandas}[library]()
    benchmark.pedantic(cf.Dataset.from_frame, (given,), rounds=3, warmup_rounds=1)
    report(500 * columns, "cells")


@pytest.mark.parametrize("kind", ["words", "whole", "fractional"])
def test_wide_csv(benchmark: Any, report: Any, tmp_path: Path, kind: str) -> None:
    """2,000 columns of 500 rows, in which numbers are looked for; fractional ones are cut."""
    rng, shape = np.random.default_rng(1), (2_000, 500)
    cells = rng.normal(size=shape).round(2) if kind == "fractional" else rng.integers(4, size=shape)
    columns = np.array(WORDS[2])[cells] if kind == "words" else cells
    pl.DataFrame({f"column {x}": column for x, column in enumerate(columns)}).write_csv(tmp_path / "data.csv")
    benchmark.pedantic(partial(cf.read, tmp_path / "data.csv", numbers="auto"), rounds=3, warmup_rounds=1)
    report(cells.size, "cells")


@pytest.mark.parametrize(("rows", "columns", "arity"), [(20_000, 1_000, 4), (2_000, 1_000, 2), (1_000_000, 4, 16)])
def test_bitmaps(benchmark: Any, report: Any, rows: int, columns: int, arity: int) -> None:
    """Codes to bitmaps alone."""
    from climbfast_kernels.bits import pack

    data = uniform(rows, columns, arity)
    benchmark(pack, data.codes, data.arity, data.incomplete, data.rows)
    report(data.codes.size, "cells", roofline=bare_words(data.codes.nbytes / 8))


@pytest.mark.parametrize("name", ["alarm", "munin"])
def test_sample(benchmark: Any, report: Any, published: Any, name: str) -> None:
    sampled = published(name)
    benchmark.pedantic(sampled.sample, (ROWS, 1), rounds=3, warmup_rounds=1)
    cells = ROWS * len(sampled.nodes)
    report(cells, "cells", roofline=bare_words(cells / 8))
