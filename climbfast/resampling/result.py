"""How often replicates found each edge, direction and member."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from climbfast._version import __version__
from climbfast.blankets.name_encoding import json_default
from climbfast.errors import Option, OptionError, UnknownColumnError
from climbfast.graphs.graph import Edge, Graph, edges_by_name
from climbfast.graphs.pdag import PDAG, pair
from climbfast.knowledge import AllowedArcs
from climbfast.names import name_text, quoted_name
from climbfast.options import number
from climbfast.resampling.added import Result, with_frequencies
from climbfast.resampling.consensus import consensus
from climbfast.resampling.files import ABOUT, Content, document_of, read, write
from climbfast.resampling.option_values import allowed_arcs_of
from climbfast.resampling.records import ROLES, Counts
from climbfast.resampling.table import cells_of_names, frame_of
from climbfast.resampling.thresholds import automatic_threshold, bounds_of_false_edges

if TYPE_CHECKING:
    import polars as pl

    from climbfast.dataset import Dataset

__all__ = ["Bootstrap", "read_bootstrap"]

MOST_SHOWN = 20
COLUMNS_OF_A_BLOCK = 256


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap:
    """How often replicates of a search found each edge, direction and member.

    A frequency says how often the search would name an edge in other tables of this size, as far as this table can
    tell. It is not the probability that the edge is there: what a search gets wrong for a reason other than chance, it
    gets wrong in every replicate.

    Attributes
    ----------
    names : tuple
        The columns, in the order of names.
    pairs : Counts
        For every two columns that some replicate joined how many did, and with which direction.
    members : Counts or None
        Of blankets how many replicates have each member, by role; None for graphs.
    targets : tuple
        Of blankets the columns around which was searched; none for graphs.
    replicates : int
    search, scheme, seed, options
        As asked for; options as JSON has them, with what was done to the table.
    rows : int
    data : str
        Fingerprint of the data.
    how : mapping
        Workers, backend and seconds.
    version : str
    table : Dataset or None
        The data themselves, for pages of the graphs of ``graph`` and ``stable``; None for replicates from a file or
        from another process. They are neither written nor pickled.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(500, seed=1)
    >>> sure = cf.bootstrap(data, "pc", replicates=20, progress=False)
    >>> sure.edge("smoking", "heart_disease"), sure.direction("smoking", "heart_disease")
    (0.95, 0.5)
    >>> sure.graph().neighbors_of("smoking")
    ('heart_disease', 'lung_disease')
    """

    names: tuple[Hashable, ...]
    pairs: Counts
    members: Counts | None
    targets: tuple[Hashable, ...]
    replicates: int
    search: str
    scheme: str
    seed: int
    options: Mapping[str, Any]
    rows: int
    data: str
    how: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__
    table: Dataset | None = None

    def __post_init__(self) -> None:
        for name in ("options", "how"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be pickled, and data are not.
        return Bootstrap, tuple(_plain(getattr(self, each.name)) for each in fields(self) if each.name != "table")

    def __eq__(self, other: object) -> bool:
        """Tell whether two runs asked and found the same, however they were run."""
        if not isinstance(other, Bootstrap):
            return NotImplemented
        asked = ("names", "targets", "replicates", "search", "scheme", "seed", "options", "rows", "data")
        return (
            all(getattr(self, name) == getattr(other, name) for name in asked)
            and _same_counts(self.pairs, other.pairs)
            and _same_counts(self.members, other.members)
        )

    __hash__ = None  # type: ignore[assignment]  # counts are arrays

    # ---- frequencies

    @cached_property
    def frequencies(self) -> Mapping[Edge, tuple[float, float, float]]:
        """For every two columns that some replicate joined the shares of the replicates with an edge, x → y and y → x.

        The two columns are in the order of names.
        """
        name, total = self.names, self.replicates
        shares = (
            ((name[x], name[y]), (counts[0] / total, counts[1] / total, counts[2] / total))
            for (x, y), counts in self._counts.items()
        )
        return MappingProxyType(dict(shares))

    def edge(self, x: Hashable, y: Hashable) -> float:
        """Share of the replicates in which two columns are adjacent.

        Raises
        ------
        UnknownColumnError
            For a name that is no column.
        """
        return self._counts_of(x, y)[0] / self.replicates

    def direction(self, x: Hashable, y: Hashable) -> float:
        """Share of the replicates with x → y.

        Raises
        ------
        UnknownColumnError
            For a name that is no column.
        """
        return self._counts_of(x, y)[1] / self.replicates

    def undirected(self, x: Hashable, y: Hashable) -> float:
        """Share of the replicates in which the edge between two columns has no direction.

        Raises
        ------
        UnknownColumnError
            For a name that is no column.
        """
        joined, forward, backward = self._counts_of(x, y)
        return (joined - forward - backward) / self.replicates

    def _counts_of(self, x: Hashable, y: Hashable) -> tuple[int, int, int]:
        """Return how many replicates join two columns, have x → y, and have y → x."""
        return self._turned(self._index(x), self._index(y))

    def _turned(self, x: int, y: int) -> tuple[int, int, int]:
        joined, forward, backward = self._counts.get(pair(x, y), (0, 0, 0))
        return (joined, forward, backward) if x < y else (joined, backward, forward)

    def _index(self, name: Hashable) -> int:
        try:
            return self._positions[name]
        except (KeyError, TypeError):  # TypeError: a list, which cannot be a name
            raise UnknownColumnError(name, self.names) from None

    @cached_property
    def _positions(self) -> Mapping[Hashable, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def _counts(self) -> Mapping[tuple[int, int], tuple[int, int, int]]:
        rows = zip(self.pairs.x.tolist(), self.pairs.y.tolist(), self.pairs.counts.tolist(), strict=True)
        return {(x, y): (counts[0], counts[1], counts[2]) for x, y, counts in rows}

    @property
    def edges_per_replicate(self) -> float:
        """Mean number of edges."""
        return int(self.pairs.counts[:, 0].sum()) / self.replicates

    def to_frame(self) -> pl.DataFrame:
        """Return the frequencies as a table.

        Returns
        -------
        polars.DataFrame
            Of graphs one row for every two columns that some replicate joined: `x`, `y`; the shares of the replicates
            with an `edge`, with `x_to_y`, with `y_to_x`, and with an `undirected` one. Of blankets one row per target
            and member: `target`, `member`; the share `found`, and of each role: `parent`, `child`, `undecided`,
            `spouse`; of the pair `edge`, `to_member` and `to_target`. Then `margin` and `margin_spread`, the mean and
            the standard deviation of the margin in bits, in the replicates with the more frequent direction or side;
            `strength` and `strength_spread`. Unknown values are null. Names are text, integers if all names are
            integers, or JSON.
        """
        return frame_of(cells_of_names(self.names), self.pairs, self.members, self.replicates)

    # ---- graphs

    def graph(self, threshold: float | str = "auto") -> Graph:
        """Return the graph on which the replicates agree.

        Parameters
        ----------
        threshold : float or "auto"
            Share of the replicates that an edge needs; 0 is any. "auto" is the threshold of Scutari and Nagarajan
            (2013), by which the frequencies are most like those of a network without doubt: more than half.

        Returns
        -------
        Graph
            An edge is directed if the replicates with the direction outnumber those with the opposite one by at least a
            third of those that have the edge. Arcs are taken by falling frequency, and none that closes a directed
            cycle: that edge is undirected. Knowledge is honored. ``frequencies`` has for each edge its share, and that
            of its direction; for an undirected one that of the replicates in which it is undirected.

        Raises
        ------
        OptionError
            For another threshold.
        """
        if isinstance(threshold, str) and threshold == "auto":
            return self._graph(automatic_threshold(self.replicates), {"threshold": "auto"})
        least = number("threshold", threshold, otherwise=" to 1, or 'auto'")
        if least > 1:
            raise OptionError(Option("threshold"), f" is {threshold!r}; it is a share from 0 to 1, or 'auto'")
        return self._graph(least, {"threshold": least})

    def stable(self, expected_false: float = 1.0) -> Graph:
        """Return the graph of the edges that are frequent enough for a bound on those that are there by chance.

        Parameters
        ----------
        expected_false : float
            Bound of the expected number of such edges: that of Meinshausen and Bühlmann (2010), or for complementary
            pairs that of Shah and Samworth (2013). They hold for halves drawn without replacement, and for edges that
            are found no more often than by a choice at random; for rows drawn with replacement there is no proof.

        Returns
        -------
        Graph
            As that of ``graph``; ``figures["threshold"]`` is the smallest threshold that is enough.

        Raises
        ------
        OptionError
            For a bound that is not above 0, or that no threshold meets; and for an odd number of complementary halves.
        """
        wanted = number("expected_false", expected_false)
        if not wanted > 0:
            raise OptionError(Option("expected_false"), f" is {expected_false!r}; it has to be a number above 0")
        complementary = self.scheme == "complementary"
        if complementary and self.replicates % 2:
            raise OptionError(
                "the bound holds for pairs of halves, and one of ", Option("replicates", self.replicates),
                " has no partner; ask for an even number",
            )  # fmt: skip
        bounds = bounds_of_false_edges(
            self.edges_per_replicate, self._possible_pairs, self.replicates, complementary=complementary
        )
        enough = np.flatnonzero(bounds <= wanted)
        if not len(enough):
            raise self._out_of_reach(wanted, float(bounds.min()))
        threshold = (int(enough[0]) + 1) / self.replicates
        return self._graph(threshold, {"expected_false": wanted})

    def _out_of_reach(self, wanted: float, least: float) -> OptionError:
        edges = f"with {self.edges_per_replicate:.4g} edges in a replicate, of {self._possible_pairs:,} possible ones"
        if np.isinf(least):
            return OptionError(Option("expected_false", wanted), f" cannot be met: {edges}, there is no bound")
        # Rounded up, so that the number in the message can be met.
        return OptionError(
            Option("expected_false", wanted), f" cannot be met: {edges}, the smallest bound is {_rounded_up(least)}"
        )

    @cached_property
    def _allowed(self) -> AllowedArcs | None:
        return allowed_arcs_of(self.options, self.names)

    @cached_property
    def _possible_pairs(self) -> int:
        """Number of pairs that an edge may join: those with a target, and of these what knowledge does not forbid."""
        columns = len(self.names)
        is_target = np.ones(columns, np.bool_)
        if self.members is not None:
            is_target[:] = False
            is_target[[self._positions[name] for name in self.targets]] = True
        others = columns - int(is_target.sum())
        if self._allowed is None:
            return (columns * (columns - 1) - others * (others - 1)) // 2
        every, twice = np.arange(columns), 0
        for start in range(0, columns, COLUMNS_OF_A_BLOCK):
            block = every[start : start + COLUMNS_OF_A_BLOCK]
            may_join = self._allowed.pairs(block, every)
            twice += int((may_join & (is_target[block][:, np.newaxis] | is_target)).sum())
        return twice // 2

    def _graph(self, threshold: float, how: Mapping[str, Any]) -> Graph:
        pdag = consensus(self.pairs, len(self.names), threshold, self.replicates, self._allowed)
        return Graph(
            self.names,
            **edges_by_name(self.names, pdag),
            frequencies=dict(self._frequencies_in(pdag)),
            method=f"bootstrap of {self.search}",
            options={**self.options, "scheme": self.scheme, "seed": self.seed, **how},
            figures={"threshold": threshold, "replicates": self.replicates},
            rows=self.rows,
            columns=len(self.names),
            data=self.table,
        )

    def _frequencies_in(self, pdag: PDAG) -> Iterator[tuple[Edge, tuple[float, float]]]:
        """Yield the share of every edge of a graph, and of its direction."""
        for x, y in pdag.arcs():
            joined, same, _ = self._turned(x, y)
            yield (self.names[x], self.names[y]), (joined / self.replicates, same / self.replicates)
        for x, y in pdag.undirected_edges():
            joined, forward, backward = self._turned(x, y)
            undirected = joined - forward - backward
            yield (self.names[x], self.names[y]), (joined / self.replicates, undirected / self.replicates)

    def added_to(self, result: Result) -> Result:
        """Return a result of the same search on the data themselves, with the frequency of all that it has.

        Parameters
        ----------
        result : Graph, Blanket or Blankets

        Returns
        -------
        Graph, Blanket or Blankets
            The same with ``frequencies``, see there, and with the number of replicates, their scheme and seed as
            ``options["bootstrap"]``; of Blankets also as ``how["bootstrap"]``. What no replicate has found has the
            frequency 0. Where the replicates were of the blankets of some targets, a graph gets the frequencies of
            their edges alone: nothing is known of edges between other columns, and a picture does not shade them.

        Raises
        ------
        OptionError
            For a result with other columns or targets; for blankets of other data, or of another method or test, or if
            the replicates were graphs; and for anything else.

        Examples
        --------
        >>> import climbfast as cf
        >>> data = cf.load_example().sample(2000, seed=1)
        >>> sure = cf.bootstrap(data, "blanket", target="fatigue", replicates=20, progress=False)
        >>> blanket = sure.added_to(cf.markov_blanket(data, "fatigue"))
        >>> blanket.frequencies["sleep"]["found"]
        1.0
        """
        added: Result = with_frequencies(result, self)
        return added

    # ---- files

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and numbers as a JSON file has them, but with the names of columns themselves."""
        return document_of(self._content)

    def to_json(self) -> str:
        """Return everything as JSON, as ``save`` writes it; a name that is a tuple is a list."""
        return json.dumps(self.to_dict(), default=json_default)

    def save(self, path: str | os.PathLike[str], *, quote_formulas: bool = False) -> None:
        """Write the frequencies to a file that ``read_bootstrap`` reads.

        Parameters
        ----------
        path : str or path-like
            ``.json``, ``.parquet`` or ``.csv``: the table of ``to_frame``, and how it was found: in CSV and Parquet as
            JSON in the first row of the last column. The file is replaced in one step.
        quote_formulas : bool
            Whether names in CSV that begin with ``=``, ``+``, ``-``, ``@``, tab or carriage return get an apostrophe in
            front. Without it a spreadsheet takes them for formulas, so use it for names that you do not trust.

        Raises
        ------
        OptionError
            For another suffix, or a file that cannot be written.
        """
        write(self._content, Path(path), quote_formulas=quote_formulas)

    @property
    def _content(self) -> Content:
        about = {name: _plain(getattr(self, name)) for name in ABOUT}
        return Content(self.names, self.pairs, self.members, {**about, "targets": list(self.targets)})

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Bootstrap:
        """Read a file written by ``save``.

        Raises
        ------
        DataError
            For a file that cannot be read; the message names it.
        OptionError
            For another suffix.
        """
        content = read(Path(path))
        return cls(names=content.names, pairs=content.pairs, members=content.members, **content.about)

    # ---- for people

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.graphs import bootstrap_html

        return bootstrap_html(self)

    def __repr__(self) -> str:
        return f"<Bootstrap: {self._summary()}>"

    def _summary(self) -> str:
        found = self.pairs if self.members is None else self.members
        what = "pairs" if self.members is None else "members"
        return f"{self.replicates:,} replicates of {name_text(self.search)}, {len(found.x):,} {what}"

    def __str__(self) -> str:
        found = self.pairs if self.members is None else self.members
        number = found.counts[:, 0] if self.members is None else found.counts.sum(axis=1)
        most = np.argsort(-number, kind="stable")[:MOST_SHOWN].tolist()
        lines = [self._summary(), *map(self._pair_line if self.members is None else self._member_line, most)]
        if (more := len(number) - len(most)) > 0:
            lines.append(f"... and {more:,} more; to_frame() has all")
        return "\n".join(lines)

    def _pair_line(self, row: int) -> str:
        joined, forward, backward = (self.pairs.counts[row] / self.replicates).tolist()
        x, y = self.names[self.pairs.x[row]], self.names[self.pairs.y[row]]
        return f"{_text(x)} - {_text(y)}: {joined:.2f} (-> {forward:.2f}, <- {backward:.2f})"

    def _member_line(self, row: int) -> str:
        assert self.members is not None
        counts = self.members.counts[row]
        roles = [f"{role} {n / self.replicates:.2f}" for role, n in zip(ROLES, counts.tolist(), strict=True) if n]
        target, member = self.names[self.members.x[row]], self.names[self.members.y[row]]
        return f"{_text(target)}: {_text(member)}: {counts.sum() / self.replicates:.2f} ({', '.join(roles)})"


def read_bootstrap(path: str | os.PathLike[str]) -> Bootstrap:
    """Read the frequencies of a file, see ``Bootstrap.read``.

    Parameters
    ----------
    path : str or path-like
        A file with the suffix ``.json``, ``.parquet`` or ``.csv``, written by ``Bootstrap.save``.

    Returns
    -------
    Bootstrap

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(500, seed=1)
    >>> sure = cf.bootstrap(data, "pc", replicates=20, progress=False)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "frequencies.csv"
    ...     sure.save(path)
    ...     again = cf.read_bootstrap(path)
    >>> again.frequencies == sure.frequencies
    True
    """
    return Bootstrap.read(path)


def _same_counts(one: Counts | None, other: Counts | None) -> bool:
    if one is None or other is None:
        return one is other
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, MappingProxyType) else value


def _rounded_up(value: float) -> str:
    """Return a number of three digits that is not below the value."""
    text = f"{value:.3g}"
    return text if float(text) >= value else f"{value * 1.005:.3g}"


def _text(name: Hashable) -> str:
    return quoted_name(name, (",", "->", "-", ":"))
