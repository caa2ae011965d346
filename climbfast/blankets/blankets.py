"""The blankets of many targets: what a run over all columns returns."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from climbfast.errors import ClimbfastWarning, OptionError, UnknownColumnError
from climbfast.local.blanket import Blanket
from climbfast.names import canonical_key

if TYPE_CHECKING:
    import polars as pl

    from climbfast.blankets.merging import Direction, Rule
    from climbfast.graphs.graph import Graph

__all__ = ["Blankets", "read_blankets"]


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Blankets(Mapping[Hashable, Blanket]):
    """Blankets by target, in the canonical order of the targets: by text, then by type.

    Parameters
    ----------
    found : iterable of Blanket
        In any order, one for each target.
    how : mapping, optional
        How they were found, in JSON values.

    Attributes
    ----------
    found : tuple of Blanket
        In canonical order.
    how : mapping
        How they were found: options, workers, backend, seconds by pass, tests and so on; empty for blankets that were
        put together by hand. Read-only.

    Raises
    ------
    OptionError
        For two blankets of one target.

    Notes
    -----
    Two are equal when their blankets are, however they were found.
    """

    how: Mapping[str, Any]
    _by_target: Mapping[Hashable, Blanket]

    def __init__(self, found: Iterable[Blanket], how: Mapping[str, Any] | None = None) -> None:
        by_target: dict[Hashable, Blanket] = {}
        for blanket in sorted(found, key=lambda blanket: canonical_key(blanket.target)):
            if blanket.target in by_target:
                raise OptionError(f"there are two blankets of {blanket.target!r}")
            by_target[blanket.target] = blanket
        self._keep(by_target, how or {})

    @classmethod
    def of_run(cls, by_target: Mapping[Hashable, Blanket], how: Mapping[str, Any]) -> Blankets:
        """Take the blankets of a run, which come in canonical order."""
        blankets = cls.__new__(cls)
        blankets._keep(by_target, how)
        return blankets

    def _keep(self, by_target: Mapping[Hashable, Blanket], how: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_by_target", by_target)
        # Through JSON, so that what cannot be saved shows now and not after the run.
        object.__setattr__(self, "how", MappingProxyType(json.loads(json.dumps(dict(how)))))

    @cached_property
    def found(self) -> tuple[Blanket, ...]:
        """The blankets, in canonical order."""
        return tuple(self._by_target.values())

    def __getitem__(self, target: Hashable) -> Blanket:
        """Return the blanket of a target.

        Raises
        ------
        UnknownColumnError
            If there is none, which is a KeyError too; the message gives the nearest targets.
        """
        try:
            return self._by_target[target]
        except KeyError:
            raise UnknownColumnError(target, self._by_target, kind="target") from None

    def get(self, target: Hashable, default: Any = None) -> Any:
        """Return the blanket of a target, or the default; the nearest targets, which an error lists, take time."""
        return self._by_target.get(target, default)

    def __contains__(self, target: object) -> bool:
        return target in self._by_target

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._by_target)

    def __len__(self) -> int:
        return len(self._by_target)

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be pickled.
        return Blankets, (self.found, dict(self.how))

    def __str__(self) -> str:
        found = self.found
        pairs = {frozenset((blanket.target, x)) for blanket in found for x in blanket.neighbors}
        tests = self.how.get("tests", sum(blanket.tests for blanket in found))
        parts = [f"{len(found):,} targets", f"{len(pairs):,} edges", f"{tests:,} tests"]
        if seconds := self.how.get("seconds"):
            parts.append(f"{seconds:.3g} s")
        if "backend" in self.how:
            why = f" ({self.how['why']})" if self.how.get("why") else ""
            parts.append(f"{self.how['backend']}{why}")
        return ", ".join(parts)

    def __repr__(self) -> str:
        return f"<Blankets: {self}>"

    def to_frame(self) -> pl.DataFrame:
        """Return the members of all blankets as a table.

        Returns
        -------
        polars.DataFrame
            One row per target and member, by target, then by role: `target`, `member`; `role`, which is parent, child,
            undecided or spouse; `margin`, the bits lost when a neighbor alone changes side; `strength`, of a neighbor
            its weakest and of a spouse its largest; `common_children` of a spouse. What is not known is null. Names
            are text, or integers if all are, or else JSON. A target with an empty blanket has no row.
        """
        from climbfast.blankets.edge_table import edge_frame

        return edge_frame(self.found)

    def merge(self, rule: Rule = "and", direction: Direction = "agreement") -> Graph:
        """Join the neighbors of all targets to one graph.

        Parameters
        ----------
        rule : {"and", "or"}
            Whether two columns are joined if each is a neighbor of the other, or if one is. A column that was no target
            has no neighbors to say, so "and" leaves it alone.
        direction : {"agreement", "margin", "none"}
            An edge is directed if both ends say so: one has the other for a child and is its parent; or as the end
            with the larger margin says, if they differ, and not at all if the margins are equal; or never. An end
            that does not tell, because it was no target or the neighbor is undecided there, says nothing: then there
            is no agreement, and the margin of the other end decides.

        Returns
        -------
        Graph
            Of all targets and their neighbors, in canonical order. The strength of an edge is the smaller of those at
            its ends. Its margin, if it is directed, is that of the end that decided, by agreement the smaller one.
            Nothing keeps the directed edges from forming a cycle: each is decided by itself.

        Raises
        ------
        OptionError
            For another rule or direction.
        """
        from climbfast.blankets.merging import merge

        return merge(self, rule, direction)

    def save(self, path: str | os.PathLike[str], *, separating_sets: bool = False) -> None:
        """Write to a file that ``read_blankets`` reads back.

        Parameters
        ----------
        path : str or path-like
            ``.jsonl``: one line a target, as ``climbfast blanket --json`` prints it; the first also has ``how``. A name
            that is no text stands in mappings as its text, and in ``by_name`` as it is.
            ``.parquet``: one row a target, with the same fields as columns.
            ``.csv``: one row an edge, as in ``to_frame``, and one without a member for an empty blanket; the last
            column has in its first row, as JSON, ``how`` and what all blankets have in common, such as the method.
            The file is replaced in one step: a reader sees the old one or the new one, whole.
        separating_sets : bool
            Whether to write them too. They name nearly every column for every target, so files grow with the square
            of the columns.

        Raises
        ------
        OptionError
            For another suffix, a file that cannot be written, no blankets at all, separating sets in a CSV file, and
            a name that is neither text nor a number, nor a tuple of these.

        Notes
        -----
        JSON Lines and Parquet keep every field, floats to the bit; without separating sets these come back empty. CSV
        also loses the numbers of tests, the seconds, and of the other fields about a whole blanket those in which
        blankets differ: ``exact`` and ``gap`` where some partition is not proved, ``skipped`` where tests were. A
        common child or a figure of a column that is no member is lost, too; searches return none.
        """
        from climbfast.blankets.formats import write

        write(self.found, self.how, Path(path), separating_sets=separating_sets)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Blankets:
        """Read what ``save`` wrote, or lines that ``climbfast blanket --json`` printed.

        Parameters
        ----------
        path : str or path-like
            A file named ``.jsonl``, ``.parquet`` or ``.csv``.

        Raises
        ------
        DataError
            For a file that holds no blankets, two of one target, or those of two runs; the message names the file, and
            the line or the row.
        OptionError
            For another suffix.

        Warns
        -----
        ClimbfastWarning
            If the run had more targets than the file has blankets: perhaps it was cut off.
        """
        return cls._read(Path(path), stacklevel=3)

    @classmethod
    def _read(cls, path: Path, *, stacklevel: int) -> Blankets:
        from climbfast.blankets.formats import read

        found = cls(*read(path))
        targets = found.how.get("targets")
        if isinstance(targets, int) and targets > len(found):
            message = f"{path}: {len(found):,} blankets of a run over {targets:,} targets; the others are not there"
            warnings.warn(message, ClimbfastWarning, stacklevel=stacklevel)
        return found


def read_blankets(path: str | os.PathLike[str]) -> Blankets:
    """Read the blankets of a file, see ``Blankets.read``."""
    return Blankets._read(Path(path), stacklevel=3)
