"""What a blanket leaves open, in sentences: why it is empty, what it does not explain, and what to try."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from climbfast.errors import Option, Parts
from climbfast.local.blanket import Blanket, unexplained_text
from climbfast.local.methods import BEST
from climbfast.local.unexplained import FEWEST_ROWS
from climbfast.names import listing, name_text, quoted_name

__all__ = ["Explanation", "explanation_of"]


class Explanation(Parts):
    """Sentences in parts: an option in them is spelled as it is typed where they are read."""


def explanation_of(blanket: Blanket) -> Explanation | None:
    """Return what the blanket of a search leaves open; None if it explains the target as far as can be seen.

    Examples
    --------
    >>> import climbfast as cf
    >>> from climbfast.local.explanation import explanation_of
    >>> coins = {"a": [0, 0, 1, 1] * 50, "b": [0, 1, 0, 1] * 50}
    >>> print(explanation_of(cf.markov_blanket(coins, "a")))
    No other column was found to depend on a beyond chance.
    """
    target = name_text(blanket.target)
    if blanket.unexplained:
        return Explanation(*_what_depends(blanket, target), *_what_to_try(blanket))
    if not blanket.members:
        copies = " but its copies" if blanket.target in blanket.copies else ""
        return Explanation(f"No other column{copies} was found to depend on {target} beyond chance.")
    if 0 < blanket.rows_per_stratum < FEWEST_ROWS:
        return Explanation(
            f"Whether further columns depend on {target} was not checked: so many members leave "
            f"{blanket.rows_per_stratum:.1f} rows for each of their configurations, too few to see it."
        )
    return None


def _what_depends(blanket: Blanket, target: str) -> list[str]:
    number = len(blanket.unexplained)
    columns, depend = ("column", "depends") if number == 1 else ("columns", "depend")
    if blanket.members:
        return [
            f"{number:,} more {columns} {depend} on {target} given all members: {unexplained_text(blanket)}.",
            *_determined(blanket, target),
        ]
    text = f"{number:,} {columns} {depend} on {target}: {unexplained_text(blanket)}."
    sets = [blanket.separating_sets.get(name, ()) for name in blanket.unexplained]
    if all(sets):
        most = _most_frequent(sets)
        each = "It was" if number == 1 else "Each was"
        text += f" {each} separated from it by other columns, most often by {listing(most, each=quoted_name)}."
    return [text, *_determined(blanket, target)]


def _determined(blanket: Blanket, target: str) -> list[str]:
    if not blanket.determined_by:
        return []
    return [f" {target} is nearly a function of {listing(blanket.determined_by, each=quoted_name)}."]


def _most_frequent(sets: list[tuple[Hashable, ...]]) -> tuple[Hashable, ...]:
    """Return the set that separated most columns; the first of equals."""
    return Counter(sets).most_common(1)[0][0]


def _what_to_try(blanket: Blanket) -> list[str | Option]:
    choices: list[list[str | Option]] = []
    around = blanket.method != BEST  # a graph has no options of searches around a target
    if around and (blanket.max_given is None or blanket.max_given == "default" or int(blanket.max_given) > 1):
        choices.append(["a smaller ", Option("max_given")])
    if blanket.options.get("cuts"):
        choices.append(["fewer levels for the numbers"])
    if around and blanket.symmetry not in ("", "or"):
        choices.append([Option("symmetry", "or")])
    if around and blanket.method:
        choices.append([Option("method", BEST)])
    if not choices:
        return []
    parts: list[str | Option] = [" To find more, try "]
    for place, choice in enumerate(choices):
        parts += [("" if place == 0 else " or " if place == len(choices) - 1 else ", "), *choice]
    return [*parts, "."]
