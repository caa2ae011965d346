"""The blankets of many targets: the result of a run over all columns."""

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

from climbfast.errors import ClimbfastWarning, Option, OptionError, UnknownColumnError
from climbfast.local.blanket import Blanket
from climbfast.names import canonical_key, name_text
from climbfast.provenance import bounded_text

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from climbfast.blankets.merging import Direction, Rule
    from climbfast.dataset import Dataset
    from climbfast.graphs.graph import Graph
    from climbfast.graphs.orient import Directions

__all__ = ["Blankets", "read_blankets"]


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Blankets(Mapping[Hashable, Blanket]):
    """Blankets by target, in the order of their names: by text, then by type.

    Parameters
    ----------
    found : iterable of Blanket
        In any order, one for each target.
    how : mapping, optional
        How they were found, as JSON values.
    data : Dataset, optional
        The data that were searched.

    Attributes
    ----------
    found : tuple of Blanket
        In the order of names.
    how : mapping
        How they were found: options, workers, backend, seconds by pass, tests and so on. It is empty for blankets that
        do not come from a run. Read-only.
    data : Dataset or None
        The data that were searched, for pages and pictures; None for blankets from a file or from another process.

    Raises
    ------
    OptionError
        For two blankets of one target.

    Notes
    -----
    Two objects are equal if their blankets are equal; ``how`` and ``data`` are not compared.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> blankets = cf.markov_blankets(data, targets=["fatigue", "heart_disease"], n_jobs=1, progress=False)
    >>> list(blankets)
    ['fatigue', 'heart_disease']
    >>> print(blankets["fatigue"])
    fatigue: parents: heart_disease, sleep; children: none; spouses: none
    >>> blankets.merge("and").directed
    (('heart_disease', 'fatigue'),)
    """

    how: Mapping[str, Any]
    data: Dataset | None
    _by_target: Mapping[Hashable, Blanket]

    def __init__(
        self, found: Iterable[Blanket], how: Mapping[str, Any] | None = None, data: Dataset | None = None
    ) -> None:
        by_target: dict[Hashable, Blanket] = {}
        for blanket in sorted(found, key=lambda blanket: canonical_key(blanket.target)):
            if blanket.target in by_target:
                raise OptionError(f"there are two blankets of {blanket.target!r}")
            by_target[blanket.target] = blanket
        self._keep(by_target, how or {}, data)

    @classmethod
    def of_run(
        cls, by_target: Mapping[Hashable, Blanket], how: Mapping[str, Any], data: Dataset | None = None
    ) -> Blankets:
        """Return the blankets of a run, which must be in the order of names."""
        blankets = cls.__new__(cls)
        blankets._keep(by_target, how, data)
        return blankets

    @property
    def by_target(self) -> Mapping[Hashable, Blanket]:
        """The same as a mapping; that of a run makes each blanket when it is asked for."""
        return self._by_target

    def _keep(self, by_target: Mapping[Hashable, Blanket], how: Mapping[str, Any], data: Dataset | None) -> None:
        object.__setattr__(self, "data", data)
        object.__setattr__(self, "_by_target", by_target)
        # Converted to JSON and back, so that a value that cannot be saved is an error now and not after the run.
        object.__setattr__(self, "how", MappingProxyType(json.loads(json.dumps(dict(how)))))

    @cached_property
    def found(self) -> tuple[Blanket, ...]:
        """The blankets, in the order of names."""
        return tuple(self._by_target.values())

    def __getitem__(self, target: Hashable) -> Blanket:
        """Return the blanket of a target.

        Raises
        ------
        UnknownColumnError
            If there is none; the message gives the nearest targets. It is also a KeyError.
        """
        try:
            return self._by_target[target]
        except KeyError:
            raise UnknownColumnError(target, self._by_target, kind="target") from None

    def get(self, target: Hashable, default: Any = None) -> Any:
        """Return the blanket of a target, or the default."""
        # Without __getitem__, whose error takes time: its message gives the nearest targets.
        return self._by_target.get(target, default)

    def __contains__(self, target: object) -> bool:
        return target in self._by_target

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._by_target)

    def __len__(self) -> int:
        return len(self._by_target)

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be pickled, and data are not.
        return Blankets, (self.found, dict(self.how))

    def __copy__(self) -> Blankets:
        return Blankets.of_run(self._by_target, self.how, self.data)

    def __str__(self) -> str:
        found = self.found
        pairs = {frozenset((blanket.target, x)) for blanket in found for x in blanket.neighbors}
        tests = self.how.get("tests", sum(blanket.tests for blanket in found))
        parts = [f"{len(found):,} targets", f"{len(pairs):,} edges"]
        if tests:  # those that are read off a graph have none
            parts.append(f"{tests:,} tests")
        if seconds := self.how.get("seconds"):
            parts.append(f"{seconds:.3g} s")
        if "backend" in self.how:
            why = f" ({self.how['why']})" if self.how.get("why") else ""
            parts.append(f"{self.how['backend']}{why}")
        if hubs := sum(bool(blanket.bounded) for blanket in found):
            parts.append(bounded_text(hubs, "target"))
        return ", ".join(parts)

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.targets import blankets_html

        return blankets_html(self)

    def __repr__(self) -> str:
        return f"<Blankets: {self}>"

    def to_frame(self) -> pl.DataFrame:
        """Return the members of all blankets as a table.

        Returns
        -------
        polars.DataFrame
            One row per target and member, by target, then by role. The columns are `target`; `member`; `role`: parent,
            child, undecided or spouse; `margin`: the bits by which the score increases when only this neighbor changes
            from parent to child or from child to parent; `strength`: the weakest strength of a neighbor, or the largest
            strength of a spouse; `common_children` of a spouse; `evidence`: the bits by which the side of a neighbor
            is seen, and `seen_by`: the columns that show it; `known`: whether the side of a neighbor was known
            beforehand; `contradicted` and `contradicted_by`: the bits and the columns of tests against it; `frequency`
            and `frequency_role`: the shares of the replicates of a bootstrap in which the column is a member, and in
            which it has this role; ``frequencies`` of a blanket also has those of other columns. Unknown values are
            null. Names are text, integers if all names are integers, or JSON.
            A target with an empty blanket has no row.
        """
        from climbfast.blankets.edge_table import edge_frame

        return edge_frame(self.found)

    def merge(
        self, rule: Rule = "and", direction: Direction = "agreement", *, directions: Directions = "decided"
    ) -> Graph:
        """Merge the neighbors of all targets into one graph.

        Parameters
        ----------
        rule : {"and", "or"}
            "and": two columns are adjacent if each is a neighbor of the other. "or": if one is a neighbor of the other.
            A column that was not a target has no neighbors of its own, so "and" gives it no edges.
        direction : {"agreement", "margin", "none"}
            "agreement": an edge is directed if its two ends agree: one blanket has the other column as a child, and the
            other blanket has this column as a parent. "margin": if the ends disagree, the surer one decides: an end
            with collider evidence, else the one with the larger margin; of two that are as sure, none. "none": all
            edges are undirected. A direction that was known beforehand at an end is taken in any case. An end gives no
            direction if it was not a target, or if the neighbor is undecided in its blanket: then "agreement" leaves
            the edge undirected, and "margin" takes the direction of the other end.
        directions : {"decided", "all"}
            "decided" leaves an edge undirected if nothing but a margin of less than one bit decides.

        Returns
        -------
        Graph
            All targets and their neighbors, sorted by name. The strength of an edge is the smaller one of its ends. The
            reason of a directed edge is "known" if it was known beforehand, "collider" if an end that decided has
            collider evidence, and "chosen" if it has only a margin. That is the margin of the edge; with "agreement"
            the smaller one of the ends. ``figures["bounded_targets"]`` is the number of targets for which sets of
            given columns were left out (``max_pool``), if there are any.
            Each edge is directed separately, so directed edges can form a cycle. It has no ``frequencies``: how often
            both ends have an edge cannot be told from how often each has it; ``Bootstrap.added_to`` adds them.

        Raises
        ------
        OptionError
            For another rule or direction.
        """
        from climbfast.blankets.merging import merge

        return merge(self, rule, direction, directions)

    def plot(self, columns: Hashable | Iterable[Hashable] | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw the graph of the edges that both blankets have, as ``merge("and")`` has it, around some targets.

        A column that was no target has no blanket: its edges are those that the blankets of targets have.

        Parameters
        ----------
        columns : name or iterable of names, optional
            The targets that are drawn with their neighbors; by default all, if there are at most 60 nodes with edges.
            If there are more neighbors than 60 nodes have room for, the strongest are drawn.
        ax : matplotlib.axes.Axes, optional
            What is drawn on; by default the axes of a new figure of fitting size.

        Returns
        -------
        matplotlib.axes.Axes
            See ``Graph.plot`` for what lines and heads say.

        Raises
        ------
        MissingPackageError
            If the extra ``plots`` is not installed.
        OptionError
            For more than 60 nodes without ``columns``, and for more than 60 columns.
        UnknownColumnError
            For a column that is no target.

        Examples
        --------
        >>> import climbfast as cf
        >>> data = cf.load_example().sample(2000, seed=1)
        >>> blankets = cf.markov_blankets(data, n_jobs=1, progress=False)
        >>> ax = blankets.plot("heart_disease")
        >>> blankets.save("heart_disease.svg", columns=["heart_disease", "fatigue"])
        """
        from climbfast.plots import plot

        return plot(self, columns, ax)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        columns: Hashable | Iterable[Hashable] | None = None,
        separating_sets: bool = False,
        quote_formulas: bool = False,
    ) -> None:
        """Write the blankets to a file for ``read_blankets``, or their picture to one for people.

        Parameters
        ----------
        path : str or path-like
            ``.jsonl``: one line per target, as ``climbfast blanket --json`` prints it; the first line also has ``how``.
            A name that is not text is a key of mappings by its text, and is in ``by_name`` unchanged.
            ``.parquet``: one row per target, with the same fields as columns.
            ``.csv``: one row per edge, as in ``to_frame``, and one row without a member for an empty blanket. The last
            column has in its first row, as JSON, ``how`` and the fields that all blankets have in common, such as the
            method.
            ``.svg``, ``.png`` and ``.pdf``: the picture that ``plot`` draws.
            The file is replaced in one step: a reader sees the complete old file or the complete new one.
        columns : name or iterable of names, optional
            Of a picture the targets that are drawn with their neighbors, see ``plot``.
        separating_sets : bool
            Whether to write the separating sets. They name nearly every column for every target, so the size of the
            file is proportional to the square of the number of columns.
        quote_formulas : bool
            Whether names in CSV that begin with ``=``, ``+``, ``-``, ``@``, tab or carriage return get an apostrophe in
            front. CSV has names as they are, so that a spreadsheet takes these for formulas: use it for names that you
            do not trust. The last column says so, and ``read_blankets`` removes the apostrophes.

        Raises
        ------
        OptionError
            For another suffix, a file that cannot be written, no blankets, separating sets in a CSV file, a name that
            is not text, a number, or a tuple of these, and ``columns`` of a file that is no picture; and as ``plot``
            raises it.

        Notes
        -----
        JSON Lines and Parquet keep every field, and floats exactly; only separating sets that were not written are
        empty after reading. CSV also omits the numbers of tests, the seconds, ``determined_by``, and the fields of a
        blanket in which blankets differ: mostly ``rows_per_stratum``; ``exact`` and ``gap`` if some partition is not
        proved optimal, ``skipped`` if tests were skipped, ``bounded`` around hubs. Columns left unexplained are rows
        with the role unexplained. CSV also omits common children and figures of columns that are not members, which
        searches never return, and frequencies of columns that are not members and of roles that a member does not have.
        """
        from climbfast.blankets.formats import write
        from climbfast.local.saving import PICTURES

        file = Path(path)
        if file.suffix.lower() in PICTURES:
            from climbfast import plots

            plots.save(self, file, columns)
            return
        if columns is not None:
            raise OptionError(Option("columns"), f" is for pictures; {name_text(file)} has all blankets")
        write(self.found, self.how, file, separating_sets=separating_sets, quote_formulas=quote_formulas)

    def report(self, path: str | os.PathLike[str], data: Dataset | Any = None, *, title: str | None = None) -> None:
        """Write a page about all targets, which opens in a browser, also offline.

        It has a table of the targets to search and to sort, the picture of the strongest edges, the columns with most
        neighbors, what is left open, and how it was found. A click on a target shows the members of its blanket, what
        speaks for each, and the shares of the levels of the target by the levels of each neighbor. The address of the
        page then names the target. It needs the extra ``report``.

        Parameters
        ----------
        path : str or path-like
            A file with the suffix ``.html`` or ``.htm``. It is replaced in one step.
        data : Dataset or frame, optional
            The data that were searched, for blankets from a file. Without data the page has no shares of levels, and
            does not say what was done to the table.
        title : str, optional
            The heading of the page; by default it says what the page is about.

        Raises
        ------
        OptionError
            For another suffix, a file that cannot be written, no blankets, and other data than those that were
            searched.
        MissingPackageError
            If the extra ``report`` is not installed.

        Notes
        -----
        The page of 5,716 targets takes two megabytes. It has no tables of neighbors of more than 8 levels, and none at
        all where they would make it larger than a few megabytes.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import climbfast as cf
        >>> data = cf.load_example().sample(500, seed=1)
        >>> blankets = cf.markov_blankets(data, progress=False)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = Path(folder) / "run.html"
        ...     blankets.report(page)
        ...     print(page.read_text(encoding="utf-8")[:15])
        <!DOCTYPE html>
        """
        from climbfast.report.page import check_page, write_page
        from climbfast.report.run_page import run_page

        check_page(path)
        write_page(path, run_page(self, data, title=title))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Blankets:
        """Read a file written by ``save``, or the lines printed by ``climbfast blanket --json``.

        Parameters
        ----------
        path : str or path-like
            A file with the suffix ``.jsonl``, ``.parquet`` or ``.csv``.

        Raises
        ------
        DataError
            For a file without blankets, with two blankets of one target, or with the blankets of two runs; the message
            names the file, and the line or the row.
        OptionError
            For another suffix.

        Warns
        -----
        ClimbfastWarning
            If the run had more targets than the file has blankets: the file may be incomplete.
        """
        return cls._read(Path(path), stacklevel=3)

    @classmethod
    def _read(cls, path: Path, *, stacklevel: int) -> Blankets:
        from climbfast.blankets.formats import read

        found = cls(*read(path))
        targets = found.how.get("targets")
        if isinstance(targets, int) and targets > len(found):
            message = (
                f"{name_text(path)}: {len(found):,} blankets of a run over {targets:,} targets; the others are missing"
            )
            warnings.warn(message, ClimbfastWarning, stacklevel=stacklevel)
        return found


def read_blankets(path: str | os.PathLike[str]) -> Blankets:
    """Read the blankets of a file, see ``Blankets.read``.

    Parameters
    ----------
    path : str or path-like
        A file with the suffix ``.jsonl``, ``.parquet`` or ``.csv``.

    Returns
    -------
    Blankets

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(500, seed=1)
    >>> blankets = cf.markov_blankets(data, ["smoking", "heart_disease"], progress=False)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "blankets.jsonl"
    ...     blankets.save(path, separating_sets=True)
    ...     again = cf.read_blankets(path)
    >>> again == blankets
    True
    >>> list(again)
    ['heart_disease', 'smoking']
    """
    return Blankets._read(Path(path), stacklevel=3)
