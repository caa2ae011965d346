"""A blanket as plain fields, and checked fields as a blanket.

All file formats use these functions. The keys are those of ``Blanket.to_dict``. There, mappings are keyed by the text
of a name; for names that are not text, ``by_name`` has the same mappings as pairs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from climbfast.blankets.name_encoding import from_json
from climbfast.errors import DataError
from climbfast.local.blanket import ROLES, Blanket, ColliderEvidence
from climbfast.names import excerpt

__all__ = [
    "FIGURES",
    "FREQUENCIES",
    "MAPPINGS",
    "MEMBER_FIELDS",
    "OTHER_NAMES",
    "REQUIRED",
    "SHARES",
    "SIDES",
    "SIMPLE",
    "blanket_of",
    "fields_of",
    "names_in",
]

MEMBER_FIELDS = ("parents", "children", "spouses", "undecided")
FIGURES = ("margins", "strengths", "spouse_strengths", "unexplained")
SIDES = ("evidence", "contradicted")
FREQUENCIES = "frequencies"
SHARES = ("found", *ROLES.values())  # of the frequencies of a member
MAPPINGS = ("common_children", *FIGURES, *SIDES, FREQUENCIES, "copies", "separating_sets")
OTHER_NAMES = ("known", "determined_by")
SIMPLE: Mapping[str, tuple[type, ...]] = {
    "exact": (bool,),
    "gap": (float, int),
    "rows_per_stratum": (float, int),
    "method": (str,),
    "search": (str,),
    "symmetry": (str,),
    "max_given": (int, str, type(None)),
    "test": (str,),
    "options": (dict,),
    "skipped": (int,),
    "bounded": (int,),
    "rows": (int,),
    "columns": (int,),
    "fewest_rows": (int,),
    "seconds": (float, int),
    "version": (str,),
}
# They are 0 or more where they are numbers.
COUNTS = ("skipped", "bounded", "rows", "columns", "fewest_rows", "max_given")
REQUIRED = ("target", *MEMBER_FIELDS[:3])


def fields_of(blanket: Blanket, *, separating_sets: bool) -> dict[str, Any]:
    """Return the fields of a blanket for a line of JSON."""
    fields = blanket.to_dict()
    kept = {key: getattr(blanket, key) for key in MAPPINGS if separating_sets or key != "separating_sets"}
    if separating_sets:
        fields["separating_sets"] = {str(x): list(given) for x, given in blanket.separating_sets.items()}
    if not all(isinstance(name, str) for mapping in kept.values() for name in mapping):
        fields["by_name"] = {key: _pairs_in(key, mapping) for key, mapping in kept.items() if mapping}
    return fields


def _pairs_in(key: str, mapping: Mapping[Hashable, Any]) -> list[tuple[Hashable, Any]]:
    if key in SIDES:
        return [(name, {"columns": list(seen.columns), "bits": seen.bits}) for name, seen in mapping.items()]
    if key == FREQUENCIES:
        return [(name, dict(shares)) for name, shares in mapping.items()]
    return list(mapping.items())


def names_in(blanket: Blanket, *, separating_sets: bool) -> Iterator[Hashable]:
    """Yield every name in the fields of a blanket, some more than once."""
    yield blanket.target
    for field in (*MEMBER_FIELDS, *OTHER_NAMES):
        yield from getattr(blanket, field)
    for key in (*FIGURES, FREQUENCIES):
        yield from getattr(blanket, key)
    for by_name in (
        *({name: seen.columns for name, seen in getattr(blanket, key).items()} for key in SIDES),
        blanket.common_children,
        blanket.copies,
        blanket.separating_sets if separating_sets else {},
    ):
        for name, others in by_name.items():
            yield name
            yield from others


def blanket_of(fields: Mapping[str, Any]) -> Blanket:
    """Return the blanket of the fields in a file; other fields are ignored.

    Raises
    ------
    DataError
        For a field that is missing or of the wrong kind; the message names the field.
    """
    missing = [key for key in REQUIRED if key not in fields]
    if missing:
        raise DataError(f"no field {missing[0]!r}; a blanket has {', '.join(REQUIRED)}")
    target = from_json(fields["target"])
    members = {field: _names(field, fields.get(field, [])) for field in MEMBER_FIELDS}
    # In a line of ``to_json`` the keys of mappings are the text of names in the lists of members.
    by_text = {str(name): name for names in (*members.values(), (target,)) for name in names}
    pairs = _check_kind("by_name", fields.get("by_name", {}), dict)
    mappings = {
        key: _mapping_of(key, pairs[key] if key in pairs else _pairs_of(key, fields[key], by_text))
        for key in MAPPINGS
        if key in fields or key in pairs
    }
    # Texts that are missing are empty: the defaults of ``Blanket`` are this version and the default test.
    texts = {key: "" for key, kinds in SIMPLE.items() if kinds == (str,)}
    simple = {key: _check_kind(key, fields[key], *kinds) for key, kinds in SIMPLE.items() if key in fields}
    sizes = _check_kind("tests_by_size", fields.get("tests_by_size", []), list, tuple)
    _check_counts([*((key, simple.get(key)) for key in COUNTS), *(("tests_by_size", number) for number in sizes)])
    _check_members(target, members)
    others = {field: _names(field, fields.get(field) or []) for field in OTHER_NAMES}
    _check_known(members, others["known"])
    tests: dict[str, Any] = {"tests_by_size": tuple(_check_kind("tests_by_size", number, int) for number in sizes)}
    return Blanket(target, **{**members, **others, **mappings, **texts, **simple, **tests})


def _check_counts(counts: Iterable[tuple[str, Any]]) -> None:
    """Raise DataError for a number below 0 of what is counted."""
    for key, number in counts:
        if isinstance(number, int) and number < 0:
            raise DataError(f"{key} is {number}; it has to be a whole number from 0 up")


def _check_members(target: Hashable, members: Mapping[str, tuple[Hashable, ...]]) -> None:
    """Raise DataError for a member that is the target, or is named twice."""
    field_of: dict[Hashable, str] = {}
    for field, names in members.items():
        for name in names:
            if name == target:
                raise DataError(f"{name!r} is the target, and among its {field}")
            if name in field_of:
                raise DataError(f"{name!r} is among the {field_of[name]} and again among the {field}")
            field_of[name] = field


def _check_known(members: Mapping[str, tuple[Hashable, ...]], known: tuple[Hashable, ...]) -> None:
    """Raise DataError if the side of a column is known that is neither parent nor child."""
    for name in known:
        if name not in (*members["parents"], *members["children"]):
            raise DataError(f"{name!r} is among known, and neither among the parents nor the children")


def _pairs_of(key: str, mapping: Any, by_text: Mapping[str, Hashable]) -> list[tuple[Hashable, Any]]:
    return [(by_text.get(text, text), value) for text, value in _check_kind(key, mapping, dict).items()]


def _mapping_of(key: str, pairs: Any) -> dict[Hashable, Any]:
    mapping = {}
    for pair in _check_kind(key, pairs, list, tuple):
        if len(_check_kind(key, pair, list, tuple)) != 2:
            raise DataError(f"{key} has {pair!r} instead of a name and its value")
        mapping[from_json(pair[0])] = _value_of(key, pair[1])
    return mapping


def _value_of(key: str, value: Any) -> Any:
    if key in FIGURES:
        return _check_kind(key, value, float, int)
    if key == FREQUENCIES:
        return _shares(value)
    if key not in SIDES:
        return _names(key, value)
    fields = _check_kind(key, value, dict)
    return ColliderEvidence(_names(key, fields.get("columns")), _check_kind(key, fields.get("bits"), float, int))


def _shares(value: Any) -> dict[str, float]:
    """Return the frequencies of a member: "found", and of all roles or of one those that are known."""
    given = _check_kind(FREQUENCIES, value, dict)
    shares = {name: _check_kind(FREQUENCIES, given[name], float, int) for name in SHARES if name in given}
    if "found" not in shares or len(shares) < len(given):
        raise DataError(f"{FREQUENCIES} has {excerpt(value)}; it has to be an object with found, and roles")
    if not all(0 <= share <= shares["found"] <= 1 for share in shares.values()):
        raise DataError(f"{FREQUENCIES} has {excerpt(value)}; shares are from 0 to 1, and those of roles up to found")
    return shares


def _names(key: str, value: Any) -> tuple[Hashable, ...]:
    return tuple(map(from_json, _check_kind(key, value, list, tuple)))


_KINDS = {
    bool: "true or false",
    dict: "an object",
    float: "a number",
    int: "a whole number",
    list: "a list",
    str: "text",
    type(None): "null",
}


def _check_kind(key: str, value: Any, *kinds: type) -> Any:
    if isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool)):
        if isinstance(value, int) and abs(value) >= 1 << 63:
            raise DataError(f"{key} has a number above 2^63")
        return value
    right = [_KINDS[kind] for kind in kinds if kind in _KINDS and not (kind is int and float in kinds)]
    raise DataError(f"{key} is {excerpt(value)}; it has to be {' or '.join(right)}")
