"""A table has the same fingerprint in every form in which it can be given: 50 random ones, all kinds of levels."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from climbfast.dataset import Dataset
from tests.dataset.tables import quiet_read
from tests.factories import quiet

TABLES = 50
Table = dict[str, list[Any]]

# Texts that are neither numbers nor markers of a missing cell: a text file has no types.
TEXTS = [
    "u",
    "v",
    "ü",
    "日本",
    "a,b",
    "a;b",
    'say "x"',
    "two\nlines",
    " yes",
    "yes",
    "007",
    "True",
    "x\ty",
    "😀",
    "-",
    "None",
]
KINDS: dict[str, list[Any]] = {
    "text": TEXTS,
    "whole": [0, 1, 2, -1, 10, -300],
    "large": [2**40, 2**53, 2**53 + 1, -(2**62), 2**63 - 1, 7],
    "fraction": [0.5, 0.1, -2.25, 1e-300, 1e300, 3.0],
    "flag": [True, False],
    "day": [dt.date(2020, 1, 1), dt.date(1969, 12, 31), dt.date(9999, 12, 31), dt.date(1, 1, 1)],
    "moment": [dt.datetime(2020, 1, 1, 12, 30), dt.datetime(1969, 12, 31, 23, 59, 59, 5)],
}
IN_TEXT_FILES = ("text", "whole", "large", "fraction")  # a text file does not know flags and dates from texts


def random_table(rng: random.Random) -> tuple[Table, dict[str, str], str]:
    """Return a table, the kind of each column, and the rule for its missing cells."""
    rows, missing = rng.randint(2, 30), rng.choice(("refuse", "drop-rows", "level"))
    kinds = {f"{kind} {i}": kind for i, kind in enumerate(rng.choices(list(KINDS), k=rng.randint(1, 5)))}
    table: Table = {}
    for name, kind in kinds.items():
        chosen = rng.sample(KINDS[kind], k=rng.randint(1, len(KINDS[kind])))
        if kind == "fraction":  # whole numbers alone would be another kind
            chosen = [0.5, *chosen]
        table[name] = chosen[:1] + rng.choices(chosen, k=rows - 1)
        if missing != "refuse" and rng.random() < 0.5:
            table[name][1:] = [None if rng.random() < 0.2 else value for value in table[name][1:]]
    return table, kinds, missing


def numpy_column(values: list[Any], kind: str) -> Any:
    dtype = {"day": "M8[D]", "moment": "M8[us]", "fraction": "f8"}.get(kind)
    if dtype and kind != "fraction":
        return np.array(values, dtype=dtype)
    if None in values:
        return np.array(values, dtype=object)
    return np.array(values, dtype=dtype or (object if kind == "text" else None))


def pandas_frame(table: Table, kinds: dict[str, str]) -> pd.DataFrame:
    # Beside a missing cell pandas would make whole numbers floats, and 2^53 + 1 would become 2^53.
    types = {"whole": "Int64", "large": "Int64"}
    return pd.DataFrame({name: pd.Series(table[name], dtype=types.get(kind)) for name, kind in kinds.items()})


def text_file(table: Table, path: Path, separator: str) -> None:
    frame = pl.DataFrame({name: [None if v is None else str(v) for v in column] for name, column in table.items()})
    frame.write_csv(path, separator=separator, null_value="NA")


def arrow_file(table: Table, path: Path) -> None:
    content = pa.table(table)
    with pa.ipc.new_file(path, content.schema) as file:
        file.write_table(content)


FILES: dict[str, Callable[[Table, Path], Any]] = {
    "csv": lambda table, path: text_file(table, path, ","),
    "tsv": lambda table, path: text_file(table, path, "\t"),
    "parquet": lambda table, path: pl.DataFrame(table).write_parquet(path),
    "arrow": arrow_file,
}


def datasets(table: Table, kinds: dict[str, str], options: dict[str, Any], folder: Path) -> dict[str, Dataset]:
    """Return the table as it is read from every form."""
    found = {
        "dict": quiet(table, **options),
        "pandas": quiet(pandas_frame(table, kinds), **options),
        "pandas objects": quiet(pd.DataFrame(table, dtype=object), **options),
        "polars": quiet(pl.DataFrame(table), **options),
        "pyarrow": quiet(pa.table(table), **options),
        "NumPy columns": quiet({name: numpy_column(table[name], kinds[name]) for name in table}, **options),
    }
    for suffix, write in FILES.items():
        if suffix in ("csv", "tsv") and not set(kinds.values()) <= set(IN_TEXT_FILES):
            continue
        path = folder / f"data.{suffix}"
        write(table, path)
        found[suffix] = quiet_read(path, **options)
    return found


@pytest.mark.parametrize("part", range(5))
def test_every_form_of_a_table_is_the_same_dataset(part: int, tmp_path: Path) -> None:
    for seed in range(part, TABLES, 5):
        table, kinds, missing = random_table(random.Random(seed))
        options = {"missing": missing, "numbers": "levels"}
        found = datasets(table, kinds, options, tmp_path)
        prints = {form: data.fingerprint for form, data in found.items()}
        odd = {form: dict(found[form].levels) for form in prints if prints[form] != prints["dict"]}
        assert not odd, (seed, table, found["dict"].levels, odd)


def test_a_matrix_is_the_frame_of_its_columns() -> None:
    matrix = np.random.default_rng(0).integers(-3, 3, (40, 4))
    frame = pd.DataFrame(matrix)
    assert quiet(matrix).fingerprint == quiet(frame).fingerprint
