"""The data of the page of a run, as JSON for its script: every name once, and members by the number of their name."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from climbfast.blankets.blankets import Blankets
from climbfast.blankets.edge_table import ROLES, Edge, edges_of
from climbfast.local.blanket import Blanket
from climbfast.local.methods import BEST
from climbfast.local.unexplained import FEWEST_ROWS
from climbfast.names import name_text, sorted_by_name

__all__ = ["MEMBER_FIELDS", "has_directions", "run_data", "shown_names"]

MEMBER_FIELDS = (
    "column", "role", "strength", "margin", "evidence", "seenBy", "commonChildren", "frequency", "frequencyOfRole",
    "known", "contradicted", "contradictedBy",
)  # fmt: skip
"""What a member is in the data: a list of these, without the empty ones at its end."""

_ROLES = tuple(ROLES)
_DIGITS = 5  # of numbers: the page shows four at most

Number = Callable[[Hashable], int]


def run_data(blankets: Blankets, names: Mapping[Hashable, str]) -> dict[str, Any]:
    """Return what the script of the page shows, as values of JSON.

    Parameters
    ----------
    blankets : Blankets
    names : mapping of name to str
        All columns that occur in the blankets, as they are shown; see ``shown_names``.

    Returns
    -------
    dict
        `names`: the texts of the names; all else names columns by their place in it. `roles`, and `memberFields`: what
        the elements of a member mean. `targets`: for each its `column`, its `members`, and what there is of
        `unexplained`, `rows` (for each configuration of the members), `determinedBy`, `copies` and `gap`. `directed`:
        whether neighbors are parents and children. `best`: whether the blankets are those of a graph. `test`: the one
        whose strengths these are, empty if blankets differ in it; `alpha`: its significance level, if it has one.
        `fewestRows`: with fewer for each configuration of the members a blanket was not checked.
    """
    places = {name: place for place, name in enumerate(names)}
    return {
        "names": list(names.values()),
        "roles": list(_ROLES),
        "memberFields": list(MEMBER_FIELDS),
        "directed": has_directions(blankets),
        "best": any(blanket.method == BEST for blanket in blankets.values()),
        **_test(blankets),
        "fewestRows": FEWEST_ROWS,
        "targets": [_target(blanket, places.__getitem__) for blanket in blankets.values()],
    }


def shown_names(blankets: Blankets) -> dict[Hashable, str]:
    """Return every name in the blankets, in the order of names, as the page shows it; no two have the same text."""
    found: set[Hashable] = set()
    for blanket in blankets.values():
        found.update((blanket.target, *blanket.members, *blanket.unexplained, *blanket.determined_by))
        for seen in (*blanket.evidence.values(), *blanket.contradicted.values()):
            found.update(seen.columns)
        for others in (*blanket.common_children.values(), *blanket.copies.values()):
            found.update(others)
    texts = {name: name_text(name) for name in sorted_by_name(found)}
    times = Counter(texts.values())
    while more := [name for name, text in texts.items() if times[text] > 1 and text != repr(name)]:
        texts |= {name: repr(name) for name in more}  # such as 1 and "1"
        times = Counter(texts.values())
    return texts


def has_directions(blankets: Blankets) -> bool:
    """Whether the method tells parents from children, so that a neighbor can be undecided."""
    return any(
        blanket.method == BEST or blanket.parents or blanket.children or blanket.margins or blanket.evidence
        for blanket in blankets.values()
    )


def _test(blankets: Blankets) -> dict[str, Any]:
    """Return the test of the strengths; those of a graph are bits, as those of SCI."""
    tests = {"sci" if each.method == BEST else each.test for each in blankets.values()}
    alphas = {each.options.get("alpha") for each in blankets.values()} - {None}
    found = {"test": tests.pop() if len(tests) == 1 else ""}
    return {**found, "alpha": alphas.pop()} if len(alphas) == 1 else found


def _target(blanket: Blanket, number: Number) -> dict[str, Any]:
    """Return a target with what there is to say about it."""
    fields = {
        "members": [_member(edge, number) for edge in edges_of(blanket)],
        "unexplained": [[number(name), _rounded(bits)] for name, bits in blanket.unexplained.items()],
        "rows": _rounded(blanket.rows_per_stratum),
        "determinedBy": _numbers(blanket.determined_by, number),
        "copies": _numbers(blanket.copies.get(blanket.target, ()), number),
        "gap": 0 if blanket.exact else _rounded(blanket.gap),
    }
    return {"column": number(blanket.target), **{name: value for name, value in fields.items() if value}}


def _member(edge: Edge, number: Number) -> list[Any]:
    """Return a member as a list, see ``MEMBER_FIELDS``."""
    fields = [
        number(edge.member),
        _ROLES.index(edge.role),
        _rounded(edge.strength),
        _rounded(edge.margin),
        _rounded(edge.evidence),
        _numbers(edge.seen_by or (), number),
        _numbers(edge.common_children or (), number),
        _rounded(edge.frequency),
        _rounded(edge.frequency_role),
        1 if edge.known else None,
        _rounded(edge.contradicted),
        _numbers(edge.contradicted_by or (), number),
    ]
    while fields[-1] is None or fields[-1] == []:
        fields.pop()
    return fields


def _numbers(names: Iterable[Hashable], number: Number) -> list[int]:
    return [number(name) for name in names]


def _rounded(value: float | None) -> float | int | None:
    """Return a number as short as it is shown; None for one that JSON has not, such as infinity."""
    if value is None or not math.isfinite(value):
        return None
    short = float(f"{value:.{_DIGITS}g}")
    return int(short) if short.is_integer() else short
