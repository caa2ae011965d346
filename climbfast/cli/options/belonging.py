"""Options that belong to one test or score: those of others are refused, not ignored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, Protocol, TypeVar

from climbfast.cli.option_names import dashed
from climbfast.errors import OptionError

__all__ = ["with_options"]


class _Named(Protocol):
    name: ClassVar[str]


_Kind = TypeVar("_Kind", bound=_Named)


def with_options(kind: type[_Kind], options: Mapping[str, Any], what: str, kinds: Mapping[str, Any]) -> _Kind:
    """Return one of these kinds, of tests or of scores, with its options."""
    for option in options:
        if option not in _names(kind):
            takers = " and ".join(name for name, other in kinds.items() if option in _names(other))
            raise OptionError(f"{dashed(option)} is no option of the {what} {kind.name}, but of {takers}")
    return kind(**options)


def _names(kind: Any) -> set[str]:
    return {field.name for field in fields(kind)}
