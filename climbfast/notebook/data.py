"""Data, and the cuts of their numbers, in a notebook."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from climbfast.dataset import Dataset, Discretizer
from climbfast.names import listing
from climbfast.notebook.elements import MOST_ROWS, heading, line, shown, table
from climbfast.report.labels import Labels, counted, level_text

__all__ = ["dataset_html", "discretizer_html"]

_MOST_LEVELS = 6
_MOST_NAMES = 5


@shown
def dataset_html(data: Dataset) -> Iterator[str]:
    """Show the first columns with their levels, and what one should know about any."""
    yield heading("Dataset", f"{counted(data.rows, 'row')}, {counted(data.columns, 'column')}")
    remarks = _Remarks(data)
    rows = [
        (
            remarks.labels.name(name),
            f"{len(data.levels[name]):,}",
            listing(data.levels[name], limit=_MOST_LEVELS, each=level_text),
            f"{missing:,}" if (missing := _missing(data, name)) else "",
            remarks.on(name),
        )
        for name in data.names[:MOST_ROWS]
    ]
    yield table(("column", ">levels", "names of levels", ">missing cells", "remarks"), rows, data.columns)
    if data.columns > MOST_ROWS:
        yield from map(line, remarks.on_all())


def _missing(data: Dataset, name: Hashable) -> int:
    """Return the number of missing cells, which have a code of their own, or that of a level."""
    position = data.index(name)
    if data.incomplete[position]:
        return data.rows_where(data.missing_cells(position))
    if None in data.levels[name]:
        return data.rows_where(data.codes[position] == data.levels[name].index(None))
    return 0


class _Remarks:
    """What one should know about columns, as far as it is known: copies are not looked for, which can take long."""

    def __init__(self, data: Dataset) -> None:
        self.labels = Labels(data.names)
        self._data = data
        ids = set(data.id_digests)
        self._kinds = {
            "constant": {name for name in data.names if len(data.levels[name]) < 2} - ids,
            "identifier": ids,
            "nearly as many levels as rows": set(data.nearly_unique) - ids,
            "whole numbers, not cut": set(data.uncut),
            "cut into intervals": set(data.cuts),
        }

    def on(self, name: Hashable) -> str:
        """Return the remarks on one column."""
        kinds = [kind for kind, names in self._kinds.items() if name in names]
        copies = self._data.copies.get(name) if "one_to_one" in vars(self._data) else None
        return "; ".join([*kinds, f"copy of {self.labels.listed(copies, limit=_MOST_NAMES)}"] if copies else kinds)

    def on_all(self) -> Iterator[str]:
        """Yield the remarks, each with the number of its columns and the first of them."""
        data = self._data
        with_missing = {data.canonical[i] for i in data.incomplete.nonzero()[0].tolist()}
        for kind, names in {**self._kinds, "with missing cells": with_missing}.items():
            if names:
                first = self.labels.listed([name for name in data.names if name in names], limit=_MOST_NAMES)
                yield f"{kind}: {counted(len(names), 'column')} ({first})"


@shown
def discretizer_html(discretizer: Discretizer) -> Iterator[str]:
    """Show the cuts of the first columns."""
    yield heading("Discretizer", repr(discretizer)[len("<Discretizer: ") : -1])
    cuts = discretizer.cuts or {}
    labels = Labels(cuts)
    first = list(cuts)[:MOST_ROWS]
    rows = [(labels.name(name), len(cuts[name]) + 1, ", ".join(discretizer.texts_of(name))) for name in first]
    if rows:
        yield table(("column", ">intervals", "cut at"), rows, len(cuts))
