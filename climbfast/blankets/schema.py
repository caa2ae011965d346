"""A blanket as plain fields, and checked fields as a blanket.

Every format goes through these. The keys are those of ``Blanket.to_dict``. There, mappings are keyed by the text of a
name; names that are no text come back from ``by_name``, which holds such mappings once more, as pairs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from climbfast.blankets.name_encoding import from_json
from climbfast.errors import DataError
from climbfast.local.blanket import Blanket

__all__ = ["FIGURES", "MAPPINGS", "REQUIRED", "SIDES", "SIMPLE", "blanket_of", "fields_of", "names_in"]

SIDES = ("parents", "children", "spouses", "undecided")
FIGURES = ("margins", "strengths", "spouse_strengths")
MAPPINGS = ("common_children", *FIGURES, "separating_sets")
SIMPLE: Mapping[str, tuple[type, ...]] = {
    "exact": (bool,),
    "gap": (float, int),
    "method": (str,),
    "search": (str,),
    "symmetry": (str,),
    "max_given": (int, str, type(None)),
    "test": (str,),
    "options": (dict,),
    "skipped": (int,),
    "rows": (int,),
    "columns": (int,),
    "seconds": (float, int),
    "version": (str,),
}
REQUIRED = ("target", *SIDES[:3])


def fields_of(blanket: Blanket, *, separating_sets: bool) -> dict[str, Any]:
    """Return the fields of a line of JSON."""
    fields = blanket.to_dict()
    kept = {key: getattr(blanket, key) for key in MAPPINGS if separating_sets or key != "separating_sets"}
    if separating_sets:
        fields["separating_sets"] = {str(x): list(by) for x, by in blanket.separating_sets.items()}
    if not all(isinstance(name, str) for mapping in kept.values() for name in mapping):
        fields["by_name"] = {key: list(mapping.items()) for key, mapping in kept.items() if mapping}
    return fields


def names_in(blanket: Blanket, *, separating_sets: bool) -> Iterator[Hashable]:
    """Yield every name that the fields of a blanket hold, some more than once."""
    yield blanket.target
    for side in SIDES:
        yield from getattr(blanket, side)
    for key in FIGURES:
        yield from getattr(blanket, key)
    for by_name in (blanket.common_children, blanket.separating_sets if separating_sets else {}):
        for name, others in by_name.items():
            yield name
            yield from others


def blanket_of(fields: Mapping[str, Any]) -> Blanket:
    """Return the blanket of fields that a file holds; other fields are left alone.

    Raises
    ------
    DataError
        For a field that is missing or of the wrong kind; the message names the field.
    """
    missing = [key for key in REQUIRED if key not in fields]
    if missing:
        raise DataError(f"no field {missing[0]!r}; a blanket has {', '.join(REQUIRED)}")
    target = from_json(fields["target"])
    sides = {side: _names(side, fields.get(side, [])) for side in SIDES}
    # Of a line that ``to_json`` wrote, the keys are the text of names that stand in the lists beside.
    by_text = {str(name): name for names in sides.values() for name in names}
    pairs = _of_kind("by_name", fields.get("by_name", {}), dict)
    mappings = {
        key: _checked(key, pairs[key] if key in pairs else _named(key, fields[key], by_text))
        for key in MAPPINGS
        if key in fields or key in pairs
    }
    texts = {key: "" for key, kinds in SIMPLE.items() if kinds == (str,)}  # not this version, not the default test
    simple = {key: _of_kind(key, fields[key], *kinds) for key, kinds in SIMPLE.items() if key in fields}
    sizes = _of_kind("tests_by_size", fields.get("tests_by_size", []), list, tuple)
    _check_members(target, sides)
    tests: dict[str, Any] = {"tests_by_size": tuple(_of_kind("tests_by_size", number, int) for number in sizes)}
    return Blanket(target, **{**sides, **mappings, **texts, **simple, **tests})


def _check_members(target: Hashable, sides: Mapping[str, tuple[Hashable, ...]]) -> None:
    """Refuse a member that is the target, or is named twice."""
    side_of: dict[Hashable, str] = {}
    for side, names in sides.items():
        for name in names:
            if name == target:
                raise DataError(f"{name!r} is the target, and among its {side}")
            if name in side_of:
                raise DataError(f"{name!r} is among the {side_of[name]} and again among the {side}")
            side_of[name] = side


def _named(key: str, mapping: Any, by_text: Mapping[str, Hashable]) -> list[tuple[Hashable, Any]]:
    return [(by_text.get(text, text), value) for text, value in _of_kind(key, mapping, dict).items()]


def _checked(key: str, pairs: Any) -> dict[Hashable, Any]:
    found = {}
    for pair in _of_kind(key, pairs, list, tuple):
        if len(_of_kind(key, pair, list, tuple)) != 2:
            raise DataError(f"{key} has {pair!r} instead of a name and its value")
        found[from_json(pair[0])] = _of_kind(key, pair[1], float, int) if key in FIGURES else _names(key, pair[1])
    return found


def _names(key: str, value: Any) -> tuple[Hashable, ...]:
    return tuple(map(from_json, _of_kind(key, value, list, tuple)))


_KINDS = {
    bool: "true or false",
    dict: "an object",
    float: "a number",
    int: "a whole number",
    list: "a list",
    str: "text",
    type(None): "null",
}


def _of_kind(key: str, value: Any, *kinds: type) -> Any:
    if isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool)):
        if isinstance(value, int) and abs(value) >= 1 << 63:
            raise DataError(f"{key} has a number past 2^63")
        return value
    shown = repr(value) if len(repr(value)) <= 60 else f"{value!r:.60}..."
    right = [_KINDS[kind] for kind in kinds if kind in _KINDS and not (kind is int and float in kinds)]
    raise DataError(f"{key} is {shown}; it has to be {' or '.join(right)}")
