"""The page of one target: its blanket for a reader who knows the subject, not the program."""

from __future__ import annotations

from typing import Any

from climbfast._version import __version__
from climbfast.dataset import Dataset
from climbfast.errors import Option, Parts
from climbfast.local.blanket import Blanket
from climbfast.local.explanation import explanation_of
from climbfast.report.absent import absent_columns
from climbfast.report.labels import Labels
from climbfast.report.members import Member, members_of, summary_of
from climbfast.report.page import rendered
from climbfast.report.pictures import picture_of
from climbfast.report.result_data import data_of
from climbfast.report.settings import DATA, blanket_again, facts_of, typed_option
from climbfast.report.shares import Shares, Stratum, shares, strata_of
from climbfast.report.strengths import unit_of_strengths
from climbfast.report.treatment import treatment_facts

__all__ = ["target_page"]


def target_page(
    blanket: Blanket,
    data: Dataset | Any = None,
    *,
    title: str | None = None,
    command: str | None = None,
    source: str = DATA,
) -> str:
    """Return the page of a blanket.

    Parameters
    ----------
    blanket : Blanket
    data : Dataset or frame, optional
        The data of the search, if the result has none.
    title : str, optional
    command, source : str, optional
        The command that was typed, and the file of the table, as the page shows them.

    Raises
    ------
    OptionError
        See ``Blanket.report``.
    """
    table = data_of(blanket, (blanket.target, *blanket.members), data)
    labels = Labels(table.names)
    left_open = explanation_of(blanket)
    members = members_of(blanket, labels)
    return rendered(
        "target.html.j2",
        version=blanket.version or __version__,
        heading=title or f"What acts on {labels.quoted(blanket.target)}, and what it acts on",
        target=labels.quoted(blanket.target),
        summary=summary_of(blanket, labels),
        left_open=None if left_open is None else _with_options(left_open, as_typed=command is not None),
        is_complete=bool(members) and left_open is None,
        picture=picture_of(blanket) if members else None,
        unit=unit_of_strengths(blanket.test, blanket.method, blanket.options),
        replicates=blanket.options.get("bootstrap", {}).get("replicates"),
        target_copies=labels.listed(blanket.copies.get(blanket.target, ())),
        members=[(member, *_bars(blanket, table, member, labels)) for member in members],
        contradicted=bool(blanket.contradicted),
        absent=absent_columns(blanket, table, labels),
        treatment=treatment_facts(table, (blanket.target, *(member.column for member in members)), labels),
        facts=facts_of(blanket),
        again=blanket_again(blanket, table, title=title, command=command, source=source),
    )


def _with_options(message: Parts, *, as_typed: bool) -> list[tuple[str, bool]]:
    """Return the parts of a message, and whether each is an option: as Python has it, or as it is typed."""
    return [
        (_spelled(part, as_typed=as_typed), True) if isinstance(part, Option) else (str(part), False)
        for part in message.parts
    ]


def _spelled(option: Option, *, as_typed: bool) -> str:
    return (
        " ".join(typed_option(option.name, True if option.value is None else option.value)) if as_typed else str(option)
    )


def _bars(blanket: Blanket, data: Dataset, member: Member, labels: Labels) -> tuple[Shares, tuple[Stratum, ...], str]:
    """Return the bars of a member; of a spouse also those in the strata of a common child, with its name."""
    x, target = data.index(member.column), data.index(blanket.target)
    children = blanket.common_children.get(member.column, ()) if member.role == "spouse" else ()
    child = min(children, key=lambda y: (int(data.arity[data.index(y)]), labels.name(y)), default=None)
    if child is None:
        return shares(data, x, target), (), ""
    return shares(data, x, target), strata_of(data, x, target, [data.index(child)], labels), labels.quoted(child)
