"""The counts of rows in the footer of a Parquet file, which polars does not compare.

One changed bit there can make it return 2 of 40 rows.
"""

from __future__ import annotations

from climbfast.errors import DataError
from climbfast.thrift import ThriftReader

__all__ = ["LONGEST_FOOTER", "check_rows"]

LONGEST_FOOTER = 1 << 18  # in Python some 0.1 s; a longer one is not checked
# Numbers of fields in FileMetaData, RowGroup, ColumnChunk and ColumnMetaData.
_ROWS_OF_FILE, _ROW_GROUPS, _COLUMNS, _ROWS_OF_GROUP, _METADATA, _VALUES = 3, 4, 1, 3, 3, 5


def check_rows(footer: bytes, rows: int) -> None:
    """Raise DataError if a footer is not regular, or its counts are not this number of rows."""
    try:
        metadata = ThriftReader(footer).struct()
        groups = metadata[_ROW_GROUPS]
        counts = [group[_ROWS_OF_GROUP] for group in groups]
        # A column of lists has more values than rows.
        short = any(
            column[_METADATA][_VALUES] < group[_ROWS_OF_GROUP] for group in groups for column in group[_COLUMNS]
        )
    except (IndexError, KeyError, TypeError, ValueError):
        raise DataError("a damaged Parquet file: its footer is not regular") from None
    if short or not metadata.get(_ROWS_OF_FILE) == sum(counts) == rows:
        raise DataError("a damaged Parquet file: its counts of rows differ")
