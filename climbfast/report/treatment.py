"""What was done to a table before it was searched, in words."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from climbfast.dataset import Dataset
from climbfast.dataset.discretization.cuts import cut_to_json
from climbfast.dataset.discretization.rules import Refuse
from climbfast.report.labels import Labels, counted, level_texts, sentence_list

__all__ = ["ColumnFacts", "TreatmentFacts", "treatment_facts"]

MOST_COLUMNS = 100  # in the table of columns
MOST_LEVELS = 12
MOST_NAMES = 30  # in one sentence


class ColumnFacts(NamedTuple):
    """A column as the search saw it: its levels, where numbers were cut, and its missing cells."""

    name: str
    levels: str
    made: str
    missing: str


class TreatmentFacts(NamedTuple):
    """What was done to a table.

    Attributes
    ----------
    sentences, warnings : tuple of str
    columns : tuple of ColumnFacts
    more_columns : int
        Columns of the result that are not among them.
    """

    sentences: tuple[str, ...]
    warnings: tuple[str, ...]
    columns: tuple[ColumnFacts, ...]
    more_columns: int


def treatment_facts(data: Dataset, names: Sequence[Hashable], labels: Labels) -> TreatmentFacts:
    """Return what was done to a table, with the columns of a result one by one."""
    return TreatmentFacts(
        tuple(_sentences(data)),
        tuple(_warnings(data, labels)),
        tuple(_column(data, name, labels) for name in names[:MOST_COLUMNS]),
        max(len(names) - MOST_COLUMNS, 0),
    )


def _sentences(data: Dataset) -> Iterable[str]:
    size = f"The table has {counted(data.rows, 'row')} and {counted(data.columns, 'column')}"
    if data.weights is not None:
        stored = counted(len(data.weights), "stored row")
        yield f"{size}. It is a table of counts: {stored} with weights stand for these rows."
    else:
        yield f"{size}."
    if data.cuts:
        rule = data.discretizer.rules.default
        by = "" if isinstance(rule, Refuse) else f" (rule: {rule})"
        number = counted(len(data.cuts), "column of numbers was", "columns of numbers were")
        yield f"{number} cut into intervals{by}."
    if data.missing:
        cells = sum(data.missing.values())
        where = f"{counted(cells, 'cell is', 'cells are')} missing in {counted(len(data.missing), 'column')}"
        yield f"{where}. No value was made up: every test uses the rows that are complete in its own columns."
    elif any(levels and levels[-1] is None for levels in data.levels.values()):
        yield "Missing cells were taken as a level of their own, (missing)."
    else:
        yield "No cell is missing in the table as it was searched."


def _warnings(data: Dataset, labels: Labels) -> Iterable[str]:
    nearly = [name for name in data.nearly_unique if name not in data.id_digests]
    for what, names in (
        ("The same value in all rows, so that nothing can depend on it", data.constant),
        ("About as many values as rows, as identifiers have, and therefore taken as independent of all", data.ids),
        ("More levels than a fifth of the rows, so that hardly any dependence can be seen", nearly),
        ("Whole numbers that are all different, and were cut; are they numbers of rows or persons?", data.possible_ids),
        ("Whole numbers of more than 20 values, each of which was taken as a level", data.uncut),
    ):
        if names:
            yield f"{what}: {labels.listed(names, limit=MOST_NAMES)}."
    if data.missing:
        yield from _of_missing_cells(data, labels)
    groups = [" = ".join(labels.quoted(name) for name in group) for group in data.one_to_one]
    if groups:
        listed = sentence_list(groups, limit=MOST_NAMES)
        what = "One of each group was searched" if data.copies else "The table is too small to take one for the other"
        yield f"Columns that are equal up to the names of their levels: {listed}. {what}."


def _of_missing_cells(data: Dataset, labels: Labels) -> Iterable[str]:
    """Yield what is known of why cells are missing: tests by complete rows rely on chance."""
    found = data.missingness
    if found.together:
        groups = "; ".join(labels.listed(group, limit=MOST_NAMES) for group in found.together[:MOST_NAMES])
        yield f"Missing in the same rows more often than by chance: {groups}."
    for name, others in list(found.depends_on.items())[:MOST_NAMES]:
        yield (
            f"Whether {labels.quoted(name)} is missing depends on {labels.listed(others)}, so that its complete rows "
            "are not a random part of the table."
        )


def _column(data: Dataset, name: Hashable, labels: Labels) -> ColumnFacts:
    levels = data.levels[name]
    shown = level_texts(levels, are_intervals=name in data.cuts)[:MOST_LEVELS]
    more = f" and {len(levels) - MOST_LEVELS:,} more levels" if len(levels) > MOST_LEVELS else ""
    cuts = data.cuts.get(name, ())
    made = f"numbers, cut at {', '.join(str(cut_to_json(cut)) for cut in cuts[:MOST_LEVELS])}" if cuts else ""
    count = data.missing.get(name, 0)
    return ColumnFacts(
        labels.name(name),
        "identifier: all different" if name in data.id_digests else f"{', '.join(shown)}{more}",
        made,
        f"{count:,} ({100 * count / data.rows:.1f}\u00a0%)" if count else "",
    )
