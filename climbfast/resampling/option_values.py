"""The options of a search: as replicates get them, and as values that a journal and a file can hold."""

from __future__ import annotations

import types
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import asdict, is_dataclass
from os import PathLike, fspath
from typing import Any

from climbfast.blankets.name_encoding import from_json
from climbfast.errors import KnowledgeError, Option, OptionError
from climbfast.knowledge import AllowedArcs, Knowledge, as_knowledge
from climbfast.names import sorted_by_name

__all__ = ["allowed_arcs_of", "function_name", "options_for_replicates", "plain_options", "refuse_incomparable"]

KNOWLEDGE = "knowledge"


def options_for_replicates(options: Mapping[str, Any], names: Iterable[Hashable]) -> dict[str, Any]:
    """Return options that can be used many times: an iterator as a tuple, and knowledge read from its file and checked.

    Parameters
    ----------
    options : mapping
    names : iterable of names
        The columns, which knowledge has to fit.
    """
    found = {name: tuple(value) if isinstance(value, Iterator) else value for name, value in options.items()}
    if KNOWLEDGE in found:
        value = found[KNOWLEDGE]
        found[KNOWLEDGE] = as_knowledge(_from_dict(value) if isinstance(value, Mapping) else value, names)
    return found


def plain_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as JSON has them: objects by their values, functions by their names, others by their type."""
    return {name: _plain(value) for name, value in options.items() if not (name == KNOWLEDGE and value is None)}


def refuse_incomparable(options: Mapping[str, Any]) -> None:
    """Raise OptionError for objects of which a journal cannot tell whether they are the same in the next run."""
    for name, value in options.items():
        if not _is_comparable(value):
            raise OptionError(
                f"a journal cannot compare the {type(value).__name__} given as ", Option(name), "; leave out ",
                Option("journal"),
            )  # fmt: skip


def function_name(value: Any) -> str | None:
    """Return the module and the name by which a function can be found; None if it has none, as a lambda."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not (isinstance(module, str) and isinstance(name, str)) or "<lambda>" in name:
        return None
    return f"{module}.{name}"


def allowed_arcs_of(options: Mapping[str, Any], names: tuple[Hashable, ...]) -> AllowedArcs | None:
    """Return the arcs that the knowledge among plain options allows; None if there is no knowledge."""
    if KNOWLEDGE not in options:
        return None
    return _from_dict(options[KNOWLEDGE]).allowed_arcs(names)


def _from_dict(lists: Mapping[str, Any]) -> Knowledge:
    """Return knowledge from its lists, of which a file has written the names that are tuples as lists, too."""

    def names(name: str, entries: Any) -> Any:
        if not isinstance(entries, (list, tuple)) or name == "closed":
            return entries
        if name in ("roots", "leaves"):
            return [from_json(entry) for entry in entries]
        return [[from_json(x) for x in entry] if isinstance(entry, (list, tuple)) else entry for entry in entries]

    try:
        return Knowledge(**{name: names(name, entries) for name, entries in lists.items()})
    except TypeError:
        legal = ", ".join(Knowledge.__dataclass_fields__)
        raise KnowledgeError(
            f"knowledge is a mapping with some of {legal}, not with {', '.join(map(str, lists))}"
        ) from None


def _plain(value: Any) -> Any:
    if isinstance(value, (str, int, float, type(None))):
        return value
    if isinstance(value, Knowledge):
        return {name: _plain(entries) for name, entries in value.to_dict().items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {"name": getattr(value, "name", type(value).__name__), **_plain(asdict(value))}
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    if isinstance(value, (set, frozenset)):
        return [_plain(entry) for entry in sorted_by_name(value)]
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, PathLike):
        return fspath(value)
    if hasattr(value, "dtype") and hasattr(value, "tolist"):
        return _plain(value.tolist())
    return (function_name(value) if callable(value) else None) or type(value).__name__


def _is_comparable(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(map(_is_comparable, value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(_is_comparable, value))
    if is_dataclass(value) or isinstance(value, (str, int, float, type(None), PathLike)) or hasattr(value, "dtype"):
        return True
    return isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)) and function_name(value) is not None
