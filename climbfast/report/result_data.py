"""The data that a page needs beside a result."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import Option, OptionError
from climbfast.names import listing
from climbfast.provenance import Provenance

__all__ = ["data_of"]


def data_of(result: Provenance, names: Iterable[Hashable], data: Dataset | Any = None) -> Dataset:
    """Return the data of a result: those given, else those that it was found in.

    Parameters
    ----------
    result : Provenance
    names : iterable of names
        The columns that the result names.
    data : Dataset or frame, optional

    Raises
    ------
    OptionError
        If there are none, and for data with other columns, or another number of rows, than those of the result.
    """
    if data is None and result.data is None:
        raise OptionError(
            "the result was not found in this session and has no data; name them with ", Option("data", ...)
        )
    table: Dataset = result.data if data is None else as_dataset(data)
    chosen = getattr(result, "options", {}).get("representative")
    _refuse_other_data(result, table, names)
    return table if chosen is None else table.represented_by(chosen)


def _refuse_other_data(result: Provenance, data: Dataset, names: Iterable[Hashable]) -> None:
    if unknown := [name for name in names if name not in data.positions]:
        raise OptionError(
            f"the result is of other data: these have no column {listing(unknown, limit=5)}; give those of the search "
            "in ",
            Option("data"),
        )
    for what, of_result, of_data in (("rows", result.rows, data.rows), ("columns", result.columns, data.columns)):
        if of_result not in (0, of_data):  # 0: not known, such as of a graph of another program
            raise OptionError(
                f"the result is of {of_result:,} {what}, and these data have {of_data:,}; give those of the search in ",
                Option("data"),
            )
