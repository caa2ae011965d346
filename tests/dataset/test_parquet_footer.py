"""The counts of rows in the footer of a Parquet file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from climbfast.dataset.parquet_footer import check_rows
from climbfast.errors import DataError
from tests.dataset.tables import quiet_read

FRAME = pl.DataFrame(
    {"a": [0, 1] * 500, "b": ["p", None] * 500, "c": [0.5, 1.5] * 500, "d": [True, None] * 500, "e": [[1, 2], []] * 500}
)


def footer_of(content: bytes) -> bytes:
    return content[-8 - int.from_bytes(content[-8:-4], "little") : -8]


@pytest.mark.parametrize(
    "options",
    [{}, {"row_group_size": 100}, {"use_pyarrow": True}, {"compression": "uncompressed", "statistics": "full"}],
)
def test_files_of_several_writers_are_regular(options: dict[str, Any]) -> None:
    out = io.BytesIO()
    FRAME.write_parquet(out, **options)
    check_rows(footer_of(out.getvalue()), FRAME.height)
    with pytest.raises(DataError, match="its counts of rows differ"):
        check_rows(footer_of(out.getvalue()), FRAME.height - 1)


def test_a_file_of_pandas_is_regular() -> None:
    out = io.BytesIO()
    pd.DataFrame({"x": pd.Categorical(["u", "v"]), "y": pd.to_datetime(["2020-01-01", None])}).to_parquet(out)
    check_rows(footer_of(out.getvalue()), 2)


def test_no_changed_bit_changes_the_number_of_rows(tmp_path: Path) -> None:
    out = io.BytesIO()
    pq.write_table(pa.table({"a": [0, 1] * 20, "b": pa.array(["p", "q"] * 20).dictionary_encode()}), out)
    content, path = out.getvalue(), tmp_path / "data.parquet"
    path.write_bytes(content)
    names, rows = quiet_read(path).names, 40
    for place in range(len(content) - len(footer_of(content)) - 8, len(content), 3):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        try:
            found = quiet_read(path, missing="level", treat_floats_as_levels=True, keep_ids=True)
        except DataError:
            continue
        assert (len(found.names), found.rows) == (len(names), rows)
