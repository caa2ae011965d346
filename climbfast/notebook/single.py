"""One test, what is known beforehand, and the journal of a run, in a notebook."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import starmap

from climbfast.batch.journal import JournalStatus
from climbfast.independence.single import TestResult
from climbfast.knowledge import Knowledge
from climbfast.names import listing, quoted_name
from climbfast.notebook.elements import heading, line, shown, table
from climbfast.report.labels import Labels, counted

__all__ = ["journal_status_html", "knowledge_html", "test_result_html"]

_OF_THE_HEADING = ("test", "x", "y", "given", "independent", "options", "skipped")


@shown
def test_result_html(found: TestResult) -> Iterator[str]:
    """Show what was tested, and all figures."""
    labels = Labels((found.x, found.y, *found.given))
    given = f" given {labels.listed(found.given)}" if found.given else ""
    verdict = "independent" if found.independent else "dependent"
    yield heading(f"{labels.quoted(found.x)} and {labels.quoted(found.y)}{given}", f"{verdict} by {found.test}")
    if found.skipped:
        yield line("Too few rows: the test was not made.")
    figures = [(name, value) for name, value in found.to_dict().items() if name not in _OF_THE_HEADING]
    yield table(("figure", ">"), [(name, _number(value)) for name, value in figures])


test_result_html.__test__ = False  # type: ignore[attr-defined]  # pytest collects functions of this name


def _number(value: object) -> str:
    text = f"{value:,}" if isinstance(value, int) else f"{value:,.6g}" if isinstance(value, float) else str(value)
    return f"−{text[1:]}" if text.startswith("-") else text


@shown
def knowledge_html(known: Knowledge) -> Iterator[str]:
    """Show tiers, edges, roots and leaves."""
    yield heading("Knowledge", "" if known else "nothing is known")
    if known.tiers:
        yield _tiers(known)
    entries = {
        "required": list(starmap(_edge, known.required)),
        "forbidden": list(starmap(_edge, known.forbidden)),
        "roots": list(map(quoted_name, known.roots)),
        "leaves": list(map(quoted_name, known.leaves)),
    }
    rows = [(what, listing(texts, each=str)) for what, texts in entries.items() if texts]
    if rows:
        yield table(("", "columns"), rows)


def _tiers(known: Knowledge) -> str:
    closed = set(known.to_dict().get("closed", ()))
    rows = [
        (number + 1, listing(tier, each=quoted_name), "no edges inside" if number in closed else "")
        for number, tier in enumerate(known.tiers)
    ]
    return table((">tier", "columns", ""), rows)


def _edge(x: Hashable, y: Hashable) -> str:
    return f"{quoted_name(x)} → {quoted_name(y)}"


@shown
def journal_status_html(status: JournalStatus) -> Iterator[str]:
    """Show what is done of each pass, and how long it will take."""
    yield heading("Journal", _state(status))
    if status.passes:
        rows = [
            (
                each.name,
                f"{each.done:,}",
                f"{each.units:,}",
                f"{100 * each.done / max(each.units, 1):.0f}\u00a0%",
                f"{each.seconds:,.0f}",
            )
            for each in status.passes
        ]
        yield table(("pass", ">units done", ">of", ">share", ">seconds"), rows)
    if status.idle is not None:
        yield line(f"The last unit was finished {counted(round(status.idle), 'second')} ago.")


def _state(status: JournalStatus) -> str:
    if not status.passes:
        return "nothing yet"
    if status.running is None:
        return "complete"
    left = "" if status.seconds_left is None else f", about {status.seconds_left:,.0f} s left in it"
    return f"{status.running.name} is running{left}"
