"""What was done to a table, as results name it among their options."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from climbfast.dataset.discretization.cuts import cut_to_json
from climbfast.dataset.discretization.rules import Cut
from climbfast.dataset.representatives import Choice
from climbfast.names import by_text

__all__ = ["Treatment"]


class Treatment(NamedTuple):
    """What was done to a table.

    Attributes
    ----------
    is_test_wise : bool
        Whether there are missing cells, and every test uses the rows that are complete in its own columns.
    cuts : mapping from name to tuple
        The cuts of columns of numbers, ascending.
    representative : None, "first" or tuple of names
        Which of several copies stands for them, if it was chosen.
    """

    is_test_wise: bool = False
    cuts: Mapping[Hashable, tuple[Cut, ...]] = MappingProxyType({})
    representative: Choice = None

    def options(self, names: Iterable[Hashable]) -> dict[str, Any]:
        """Return the options of a result about some columns, as JSON has them; none for a table taken as it is."""
        found: dict[str, Any] = {}
        if self.is_test_wise:
            found["missing"] = "test-wise"
        if cuts := {name: [cut_to_json(cut) for cut in self.cuts[name]] for name in names if name in self.cuts}:
            found["cuts"] = by_text(cuts)
        if self.representative is not None:
            chosen = self.representative
            found["representative"] = chosen if isinstance(chosen, str) else [_plain(name) for name in chosen]
        return found


def _plain(name: Hashable) -> str | int:
    """Return a name as JSON has it."""
    return name if isinstance(name, (str, int)) else str(name)
