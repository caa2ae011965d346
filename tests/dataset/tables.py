"""Small tables as datasets, without the warnings about their columns, and their cells."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa

from climbfast.dataset import Dataset, read
from climbfast.dataset.options import Options, check_options
from climbfast.errors import ClimbfastWarning
from tests.factories import quiet

REGULAR = "a,b\n1,x\n2,y\n2,x\n"


def column(values: Any, **options: Any) -> Dataset:
    """A table of this one column."""
    return quiet({"x": values}, **options)


def quiet_read(path: Path, **options: Any) -> Dataset:
    """The data of a file, without the warnings about its columns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        return read(path, **options)


def cells(data: Dataset, name: Any) -> list[Any]:
    """The values of a column, row by row."""
    return [data.levels[name][code] for code in data.codes[data.index(name)]]


def compressed(content: bytes, name: str) -> bytes:
    """The content as a file of this name has it."""
    compress = {".gz": gzip.compress, ".zst": lambda raw: pa.compress(raw, "zstd", asbytes=True)}
    return compress.get(Path(name).suffix, bytes)(content)


def checked_options(**given: Any) -> Options:
    """Options of reading; those not given are the simplest ones."""
    others: dict[str, Any] = {
        "missing": "refuse", "missing_markers": None, "declared_levels": None, "numbers": "refuse", "weights": None,
        "keep_ids": False, "columns": None, "leave_out": None,
    }  # fmt: skip
    return check_options(**others | given)
