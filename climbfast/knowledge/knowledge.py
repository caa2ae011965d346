"""Knowledge by name: what the user says, checked, and turned into the arcs that it allows between given columns."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from os import PathLike, fspath
from typing import Any, ClassVar

import numpy as np

from climbfast.errors import KnowledgeError, Option, OptionError
from climbfast.knowledge.allowed_arcs import AllowedArcs
from climbfast.knowledge.columns import Columns, Names, is_pattern
from climbfast.knowledge.resolved import Edge, Resolved, entry_text
from climbfast.names import canonical_key, excerpt, listing, sorted_by_name

__all__ = ["FIELDS", "Knowledge", "KnowledgeOption", "as_knowledge"]

FIELDS = ("tiers", "required", "forbidden", "roots", "leaves", "closed")


@dataclass(frozen=True, repr=False)
class Knowledge:
    """What is known beforehand about the edges between columns; every search honors it.

    Parameters
    ----------
    tiers : sequence of sequences of names
        Groups of columns in the order of time, the earliest first: no edge leads from a later tier to an earlier one.
        Columns in no tier are free.
    required : iterable of (source, target)
        Edges that have to be there, with this direction.
    forbidden : iterable of (source, target)
        Edges that cannot be there in this direction; the other one is allowed unless it is forbidden as well.
    roots, leaves : iterable of names
        Columns without parents, and columns without children.
    closed : bool, or collection of int
        The tiers without edges inside: True for all of them, or their places in ``tiers``, of which the first is 0.
        Messages and prints count tiers as people do: ``closed=[0]`` is the tier that they call tier 1.

    Every name can be a pattern that stands for several columns, such as ``"gene_*"``, with ``*``, ``?`` and
    ``[...]`` as in file names. A column of just this name comes first, then one with the same text: ``"1"`` is the
    column 1 where no column is named ``"1"``.

    Attributes
    ----------
    tiers, required, forbidden, roots, leaves : tuple
        Sorted by name, but for the order of the tiers.
    closed : tuple of int
        Places of the closed tiers, from 0.

    Raises
    ------
    KnowledgeError
        For an empty tier, a column in two tiers, an edge that is required and forbidden, a required edge inside a
        closed tier, to a root or from a leaf, and required edges that form a cycle, alone or with the order of the
        tiers. Where it takes the columns of the data to see it, because of patterns, a search raises it.

    Examples
    --------
    >>> import climbfast as cf
    >>> known = cf.Knowledge(tiers=[["age", "sex"], ["smoking"], ["disease"]], required=[("smoking", "disease")])
    >>> print(known)
    tiers: age, sex | smoking | disease
    required: smoking -> disease
    >>> known == cf.Knowledge(tiers=[["sex", "age"], ["smoking"], ["disease"]], required=[("smoking", "disease")])
    True
    """

    tiers: Sequence[Sequence[Hashable]] = ()
    required: Iterable[Edge] = ()
    forbidden: Iterable[Edge] = ()
    roots: Iterable[Hashable] = ()
    leaves: Iterable[Hashable] = ()
    closed: bool | Iterable[int] = ()

    # The columns of the data, once it was checked against them: a copy of a column that is left out later must not
    # make its name a pattern for others.
    _columns: ClassVar[Columns | None] = None

    def __post_init__(self) -> None:
        tiers = _tiers(self.tiers)
        object.__setattr__(self, "tiers", tiers)
        for name in ("required", "forbidden"):
            object.__setattr__(self, name, _edges(name, getattr(self, name)))
        for name in ("roots", "leaves"):
            object.__setattr__(self, name, _names((Option(name),), getattr(self, name)))
        object.__setattr__(self, "closed", _closed(self.closed, len(tiers)))
        self._resolved(Columns(self.entries()))  # each entry is taken for a column of its own

    def _resolved(self, columns: Columns) -> Resolved:
        return Resolved(columns, **{name: getattr(self, name) for name in FIELDS})

    def entries(self) -> list[Hashable]:
        """Return every name and pattern, as often as it occurs."""
        edges = (*self.required, *self.forbidden)
        return [
            *(x for tier in self.tiers for x in tier),
            *(x for edge in edges for x in edge),
            *self.roots,
            *self.leaves,
        ]

    def __bool__(self) -> bool:
        return bool(self.tiers or self.required or self.forbidden or self.roots or self.leaves)

    # ---- the columns of data

    def check(self, names: Iterable[Hashable]) -> None:
        """Check that the knowledge fits columns.

        Parameters
        ----------
        names : iterable of names
            All columns of the data.

        Raises
        ------
        UnknownColumnError
            For a name that is no column, and a pattern that fits none.
        KnowledgeError
            See the class.
        """
        self._check(Columns(names))

    def _check(self, columns: Columns) -> None:
        columns.refuse_unknown(self.entries())
        self._resolved(columns)

    def checked(self, names: Iterable[Hashable]) -> Knowledge:
        """Return the same, checked; from then on its entries stand for what they stand for among these columns."""
        columns = Columns(names)
        self._check(columns)
        found = copy(self)
        object.__setattr__(found, "_columns", columns)
        return found

    def allowed_arcs(self, names: Sequence[Hashable]) -> AllowedArcs:
        """Return which arcs are allowed between some columns, by their number; what concerns others is left out.

        Parameters
        ----------
        names : sequence of names
            The columns, each once, in the order of their numbers.
        """
        return self._resolved(self._columns or Columns(names)).allowed_arcs(names)

    def about(self, names: Iterable[Hashable], *, at: Iterable[Hashable] = ()) -> Knowledge:
        """Return the part that says something about some columns; tiers keep their order.

        Parameters
        ----------
        names : iterable of names
        at : iterable of names
            Of these all edges, also those whose other end is not among the names.
        """
        return self._part(self._entries_of(names), self._entries_of(at))

    def _entries_of(self, names: Iterable[Hashable]) -> set[Hashable]:
        columns = tuple(names)
        if self._columns is None:
            among = Columns(columns)
            return {entry for entry in self.entries() if among.fitting(entry)}
        return {entry for name in columns for entry in self._entries_by_column.get(name, ())}

    def _part(self, chosen: Set[Hashable], whole: Set[Hashable]) -> Knowledge:
        # By way of the chosen entries, which are few: each of 20,000 results asks for its own part.
        tiers: dict[int, list[Hashable]] = {}
        for entry in chosen & self._tier_of_entry.keys():
            tiers.setdefault(self._tier_of_entry[entry], []).append(entry)
        numbers = sorted(tiers)
        required, forbidden = (
            {(x, y) for x in chosen | whole for y in targets.get(x, ()) if x in whole or y in chosen}
            | {(x, y) for y in whole for x in sources.get(y, ())}
            for targets, sources in self._ends
        )
        found = Knowledge(
            tiers=[tiers[number] for number in numbers],
            required=required,
            forbidden=forbidden,
            roots=chosen & self._sets["roots"],
            leaves=chosen & self._sets["leaves"],
            closed=[place for place, number in enumerate(numbers) if number in self._sets["closed"]],
        )
        object.__setattr__(found, "_columns", self._columns)
        return found

    @cached_property
    def _entries_by_column(self) -> dict[Hashable, list[Hashable]]:
        found: dict[Hashable, list[Hashable]] = {}
        for entry in dict.fromkeys(self.entries()):
            for name in self._columns.fitting(entry) if self._columns is not None else ():
                found.setdefault(name, []).append(entry)
        return found

    @cached_property
    def _tier_of_entry(self) -> dict[Hashable, int]:
        return {entry: number for number, tier in enumerate(self.tiers) for entry in tier}

    @cached_property
    def _ends(self) -> tuple[tuple[dict[Hashable, list[Hashable]], dict[Hashable, list[Hashable]]], ...]:
        """Of required and of forbidden edges the targets by source, and the sources by target."""
        found: list[tuple[dict[Hashable, list[Hashable]], dict[Hashable, list[Hashable]]]] = []
        for edges in (self.required, self.forbidden):
            targets: dict[Hashable, list[Hashable]] = {}
            sources: dict[Hashable, list[Hashable]] = {}
            for x, y in edges:
                targets.setdefault(x, []).append(y)
                sources.setdefault(y, []).append(x)
            found.append((targets, sources))
        return tuple(found)

    @cached_property
    def _sets(self) -> dict[str, frozenset[Any]]:
        return {name: frozenset(getattr(self, name)) for name in ("roots", "leaves", "closed")}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name in (*FIELDS, "_columns")}

    # ---- to files and people

    def to_dict(self) -> dict[str, Any]:
        """Return what is known as lists, without what is empty; ``Knowledge(**known.to_dict())`` is the same again."""
        lists = {name: list(getattr(self, name)) for name in FIELDS}
        for name in ("tiers", "required", "forbidden"):
            lists[name] = [list(entry) for entry in lists[name]]
        return {name: entries for name, entries in lists.items() if entries}

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file that ``read_knowledge`` reads.

        Parameters
        ----------
        path : str or path-like
            ``.toml`` or ``.json``; with any other suffix it has the format of Tetrad. The file is replaced in one step.

        Raises
        ------
        KnowledgeError
            If the file cannot be written, or the format cannot have a name: TOML and JSON take text and whole numbers,
            Tetrad names without blanks.
        """
        from climbfast.knowledge.files import write_knowledge

        write_knowledge(self, path)

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.single import knowledge_html

        return knowledge_html(self)

    def __repr__(self) -> str:
        return f"Knowledge({', '.join(f'{name}={value!r}' for name, value in self.to_dict().items())})"

    def __str__(self) -> str:
        def edges(pairs: Iterable[Edge]) -> str:
            return listing([f"{entry_text(x)} -> {entry_text(y)}" for x, y in pairs], each=str)

        shown = self.to_dict()
        lines = {
            "tiers": " | ".join(listing(tier, each=entry_text) for tier in self.tiers),
            "no edges inside": listing([f"tier {number + 1}" for number in shown.get("closed", ())], each=str),
            "required": edges(self.required),
            "forbidden": edges(self.forbidden),
            "roots": listing(shown.get("roots", ()), each=entry_text),
            "leaves": listing(shown.get("leaves", ()), each=entry_text),
        }
        return "\n".join(f"{name}: {text}" for name, text in lines.items() if text) or "nothing is known"


KnowledgeOption = Knowledge | str | PathLike[str] | None
"""What searches take as ``knowledge``: the object, or a file."""


def as_knowledge(value: object, names: Iterable[Hashable]) -> Knowledge | None:
    """Return the knowledge that a user gave, checked against all columns; None if it says nothing.

    Raises
    ------
    OptionError
        For another object.
    UnknownColumnError, KnowledgeError
        See ``Knowledge.check``.
    """
    if isinstance(value, str | PathLike):
        from climbfast.knowledge.files import read_knowledge

        value = read_knowledge(fspath(value))
    if value is None:
        return None
    if not isinstance(value, Knowledge):
        raise OptionError(
            Option("knowledge"), f" is a Knowledge, or the path of a file with it, not {type(value).__name__}"
        )
    return value.checked(names) if value else None


# ---- what was given, checked and sorted

_Place = tuple[str | Option, ...]  # the words that say where, in front of a message


def _entries(place: _Place, values: Any) -> tuple[Any, ...]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise KnowledgeError(*place, f" is {excerpt(values)}; it is a list")
    return tuple(values)


def _names(place: _Place, values: Any) -> Names:
    """Return names sorted, each once; a text alone is one name."""
    names = (values,) if isinstance(values, str) else _entries(place, values)
    return sorted_by_name(dict.fromkeys(_name(place, name) for name in names))


def _name(place: _Place, name: Any) -> Hashable:
    try:
        hash(name)
    except TypeError:
        raise KnowledgeError(*place, f" has {excerpt(name)}, which is not a name") from None
    plain: Hashable = name.item() if isinstance(name, np.generic) else name
    return plain


def _tiers(values: Any) -> tuple[Names, ...]:
    if isinstance(values, Set):
        raise KnowledgeError(Option("tiers"), f" is {excerpt(values)}, which has no order; it is a list")
    tiers = [
        _names((Option("tiers"), f", tier {number}"), tier)
        for number, tier in enumerate(_entries((Option("tiers"),), values), 1)
    ]
    for number, tier in enumerate(tiers, 1):
        if not tier:
            raise KnowledgeError(Option("tiers"), f": tier {number} is empty; name its columns, or leave it out")
    return tuple(tiers)


def _edges(name: str, values: Any) -> tuple[Edge, ...]:
    place = (Option(name),)
    edges: dict[Edge, None] = {}
    for value in _entries(place, values):
        is_list = isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping | Set)
        ends = tuple(value) if is_list else ()
        if len(ends) != 2:
            raise KnowledgeError(*place, f" has {excerpt(value)}; an edge is a pair, (source, target)")
        x, y = (_name(place, end) for end in ends)
        if x == y and not is_pattern(x):
            raise KnowledgeError(*place, f" has {entry_text(x)} -> {entry_text(y)}, an edge of a column to itself")
        edges[x, y] = None
    return tuple(sorted(edges, key=lambda edge: (canonical_key(edge[0]), canonical_key(edge[1]))))


def _closed(value: Any, tiers: int) -> tuple[int, ...]:
    if isinstance(value, bool):
        return tuple(range(tiers)) if value else ()
    place = (Option("closed"),)
    numbers = _entries(place, value)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, Integral) or not 0 <= int(number) < tiers:
            raise KnowledgeError(
                *place,
                f" has {excerpt(number)}; it is True for all tiers, or places in ",
                Option("tiers"),
                f", of which there are {tiers}, from 0",
            )
    return tuple(sorted({int(number) for number in numbers}))
