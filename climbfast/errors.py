"""The errors and the warning of climbfast: each message says what, where, and what would be right.

A message names options as Python spells them (``missing='level'``). Each is a part of its own, an ``Option``, so that
the command line can spell it as it is typed there (``--missing level``).
"""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from climbfast.names import listing

__all__ = [
    "ClimbfastError",
    "ClimbfastWarning",
    "DataError",
    "GraphError",
    "KnowledgeError",
    "Legal",
    "MissingPackageError",
    "NetworkError",
    "Option",
    "OptionError",
    "Parts",
    "UnknownColumnError",
]


class Option(NamedTuple):
    """An option in a message, alone or with a value; Ellipsis stands for a value that the user chooses."""

    name: str
    value: object = None

    def __str__(self) -> str:
        if self.value is None:
            return self.name
        return f"{self.name}={'...' if self.value is Ellipsis else repr(self.value)}"


class Legal(NamedTuple):
    """The legal values of an option in a message: several texts, or one that describes them."""

    values: tuple[str, ...] | str
    quoted: bool = False

    def __str__(self) -> str:
        if isinstance(self.values, str):
            return self.values
        return ", ".join(map(repr, self.values) if self.quoted else self.values)


Self = TypeVar("Self", bound="Parts")


class Parts(BaseException):
    """A message in parts, for exceptions and warnings.

    Parameters
    ----------
    *parts : str, Option or Legal

    Attributes
    ----------
    parts : tuple
    """

    def __init__(self, *parts: str | Option | Legal) -> None:
        super().__init__("".join(map(str, parts)))
        self.parts = parts

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception is unpickled from its message alone, and then workers of joblib die of their error.
        return type(self), self.parts

    def behind(self: Self, place: str) -> Self:
        """Return the same with the place in front of the message."""
        return type(self)(place, *self.parts)

    @property
    def option(self) -> str | None:
        """The name of the first option in the message, as Python spells it; None if there is none."""
        return next((part.name for part in self.parts if isinstance(part, Option)), None)

    @property
    def legal(self) -> tuple[str, ...] | str | None:
        """The legal values of that option: several texts, or one that describes them; None if it does not say."""
        return next((part.values for part in self.parts if isinstance(part, Legal)), None)


class ClimbfastError(Parts, Exception):
    """Input that cannot be used; the command line prints the message and ends with exit code 2.

    Examples
    --------
    >>> import climbfast as cf
    >>> try:
    ...     cf.read("nowhere.csv")
    ... except cf.ClimbfastError as error:
    ...     print(error)
    nowhere.csv: there is no such file
    """


class DataError(ClimbfastError, ValueError):
    """A table that cannot be read as discrete data; the message names the column, and the line in a file.

    Examples
    --------
    >>> import climbfast as cf
    >>> cf.Dataset.from_frame({"dose": [0.5, 1.5, 2.5]})
    Traceback (most recent call last):
        ...
    climbfast.errors.DataError: column 'dose' has fractional numbers (such as 0.5); cut all ...
    """


class GraphError(ClimbfastError, ValueError):
    """A graph that cannot be, be read or be compared; the message names nodes and edges, and the line in a file.

    Examples
    --------
    >>> import climbfast as cf
    >>> cf.Graph.from_dagitty("dag { rain @-> wet }")
    Traceback (most recent call last):
        ...
    climbfast.errors.GraphError: line 1: the edge from 'rain' to 'wet' has the marks 'circle' and 'arrow'; ...
    """


class KnowledgeError(ClimbfastError, ValueError):
    """Knowledge that contradicts itself or cannot be read; the message names the columns, and the line in a file.

    Examples
    --------
    >>> import climbfast as cf
    >>> cf.Knowledge(tiers=[["age"], ["disease"]], required=[("disease", "age")])
    Traceback (most recent call last):
        ...
    climbfast.errors.KnowledgeError: the required edge disease -> age leads from tier 2 back to tier 1
    """


class MissingPackageError(ClimbfastError, ImportError):
    """A package that only some tasks need and that is not installed; the message says which extra installs it.

    Examples
    --------
    >>> import climbfast as cf
    >>> def show(graph):
    ...     try:
    ...         graph.plot()
    ...     except cf.MissingPackageError as error:
    ...         print(error)  # it says what to install
    """


class NetworkError(ClimbfastError, ValueError):
    """A network file that cannot be read or written; the message names the line, or says why.

    Examples
    --------
    >>> import climbfast as cf
    >>> cf.read_bif("nowhere.bif")
    Traceback (most recent call last):
        ...
    climbfast.errors.NetworkError: nowhere.bif cannot be read: No such file or directory
    """


class OptionError(ClimbfastError, ValueError):
    """An option outside its legal values; the message lists them, and ``option`` is its name.

    Examples
    --------
    >>> import climbfast as cf
    >>> cf.G2(alpha=5)
    Traceback (most recent call last):
        ...
    climbfast.errors.OptionError: alpha is 5; it has to lie between 0 and 1, as 0.01 does
    """


class UnknownColumnError(ClimbfastError, KeyError):
    """A column that does not exist; the message gives the nearest names.

    Parameters
    ----------
    name : Hashable
        The name that was asked for.
    names : Iterable of Hashable
        The names that exist.
    kind : str
        What it is that does not exist.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.Dataset.from_frame({"smoking": [0, 1, 1], "cough": [0, 1, 0]})
    >>> data.index("smokng")
    Traceback (most recent call last):
        ...
    climbfast.errors.UnknownColumnError: no column named 'smokng'; the nearest are 'smoking'
    """

    def __init__(self, name: Hashable, names: Iterable[Hashable], kind: str = "column") -> None:
        known = [str(n) for n in names]
        near = difflib.get_close_matches(str(name), known, n=3, cutoff=0.4)
        folded = [k for k in known if k.casefold() == str(name).casefold() and k not in near]
        super().__init__(f"no {kind} named {str(name)!r}; {_some_of(known, [*folded, *near])}")
        self.name = name
        self.names = known
        self._given = name, known, kind

    def __reduce__(self) -> tuple[Any, ...]:
        return UnknownColumnError, self._given

    __str__ = Exception.__str__  # a KeyError shows its message in quotes


def _some_of(names: Sequence[str], near: Sequence[str]) -> str:
    if near:
        return f"the nearest are {', '.join(map(repr, near))}"
    return f"there are {listing(names, limit=5)}" if names else "there is none"


class ClimbfastWarning(Parts, UserWarning):
    """Data that can be used, but about which one should know: constant columns, ids, one-to-one relations.

    Examples
    --------
    >>> import warnings
    >>> import climbfast as cf
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", cf.ClimbfastWarning)  # one that must not be overlooked
    ...     cf.Dataset.from_frame({"ill": [0, 1] * 20, "country": ["here"] * 40})
    Traceback (most recent call last):
        ...
    climbfast.errors.ClimbfastWarning: constant columns, independent of everything: 'country'
    """
