"""The graph that searches return: directed and undirected edges by name, and how they were found."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from climbfast.dataset.options import ReadingOptions
from climbfast.errors import GraphError, UnknownColumnError
from climbfast.graphs import equivalence
from climbfast.graphs.exchange_methods import ExchangeMethods
from climbfast.graphs.pdag import PDAG
from climbfast.graphs.separating_sets import SeparatingSets
from climbfast.names import copies_text, listing, quoted_name
from climbfast.provenance import Provenance, bounded_text

if TYPE_CHECKING:
    import networkx
    from matplotlib.axes import Axes

    from climbfast.dataset import Dataset
    from climbfast.networks.network import Network

__all__ = [
    "REASONS",
    "Edge",
    "Graph",
    "Names",
    "Reason",
    "Votes",
    "as_graph",
    "contradicted_lines",
    "edge_figures",
    "edges_by_name",
    "node_text",
    "reasons_text",
]

Names = tuple[Hashable, ...]
Edge = tuple[Hashable, Hashable]
Reason = Literal["known", "compelled", "collider", "chosen", "arbitrary"]
Votes = tuple[int, int]

REASONS: Mapping[str, str] = {
    "known": "it was known beforehand",
    "compelled": "all graphs of the equivalence class have the direction",
    "collider": "a v-structure in the data shows it",
    "chosen": "a score chose it, by so many bits",
    "arbitrary": "nothing decides it",
}
"""What each reason says about the direction of an edge."""

MOST_SHOWN = 20  # edges, and nodes without edges, in the text of a graph
_DIRECTED, _UNDIRECTED = "directed", "undirected"
_VOTES = ("votes_edge", "votes_direction")
_FREQUENCIES = ("frequency_edge", "frequency_direction")


@dataclass(frozen=True, repr=False)
class Graph(ExchangeMethods, Provenance):
    """A graph with directed and undirected edges: a DAG, a CPDAG, or any other partly directed graph.

    ``is_acyclic``, ``is_dag`` and ``is_cpdag`` say which of these it is.

    Attributes
    ----------
    names : tuple
        The nodes; in the result of a search sorted by text, then by type.
    directed : tuple of (source, target)
        Sorted by the positions of the names.
    undirected : tuple of pairs
        Each pair once, the first in `names` first; sorted likewise.
    separating_sets : mapping of pair to tuple of names
        The separating set of each pair for which one was found; the pair in the order of `names`.
    strengths : mapping of edge to float
        How strongly the data support an edge. From a search by tests it is the weakest strength of all tests of the
        edge, in the unit of the test: bits for SCI, log10 α − log10 p for G² and X², bits per row minus the cutoff for
        CMI. From a search by score it is the bits that the score loses without the edge.
    margins : mapping of edge to float
        Bits by which a directed edge is better than its reverse.
    reasons : mapping of directed edge to {"known", "compelled", "collider", "chosen", "arbitrary"}
        Why an edge has its direction. "known": knowledge allows no other one. "compelled": all graphs of the
        equivalence class have it. "collider": a v-structure that tests or collider evidence show. "chosen": a score
        chose it, by ``margins[edge]`` bits; without a margin it follows from others that were chosen. "arbitrary":
        nothing decides it, as in ``to_dag``. Edges of a graph that was not found by a search have none.
    votes : mapping of edge to (int, int)
        From a vote of several searches: how many of them join the two nodes, and how many of these direct the edge as
        it is. ``figures["searches"]`` is their number. Empty for a single search.
    frequencies : mapping of edge to (float, float)
        From a bootstrap: in which share of the replicates the two nodes are adjacent, and in which the edge is as it
        is, directed so or undirected. Empty without one.
    copies : mapping of name to tuple of names
        For every column that is equal to others up to the names of its levels these others. Searches see one of them:
        it has the edges to other columns, and an undirected one to each copy.
    contradicted : mapping of tuple of names to float
        What the data ask for and ``knowledge`` forbids, with its strength in the unit of the search. Three names are a
        v-structure x -> y <- z that is not in the graph. Two names are an edge: one that knowledge requires though a
        test separates its ends, with a strength of 0 or less; one that had to be left out, since the directions that
        are known would form a cycle with it; or, from ``orient``, one that is forbidden, and was removed or reversed.
    test_or_score : str
        The test or the score by which the graph was found.
    options : mapping of str to value
        The options of the search, such as ``max_given`` and ``conflicts``.
    figures : mapping of str to number
        Figures of a search by score: the ``score`` in bits, the number of steps, the number of families scored, and
        whether no step is left that improves the score (``local_optimum``). Of a search by tests: the number of edges
        for which sets of given columns were left out, if there are any (``bounded``; see ``pc``); of merged blankets
        that of the targets (``bounded_targets``).
    method, tests_by_size, skipped, rows, columns, fewest_rows, seconds, version, data
        How the graph was found, as in ``Blanket``. The method of a graph whose edges ``orient`` directed has both
        names, such as "pc+climb".

    Raises
    ------
    GraphError
        For None as a name, a name that occurs twice, an edge of a node to itself, two edges between the same nodes, for
        a strength, margin or votes of a pair that has no edge, for a reason of an edge that is not directed, and for
        other reasons, votes and contradictions than these.
    UnknownColumnError
        For an edge or a separating set with a node that is not in `names`.

    Notes
    -----
    The order in which edges are given does not matter, nor the order of the two names in an undirected edge or a
    separated pair. The mappings are read-only.

    Examples
    --------
    >>> import climbfast as cf
    >>> graph = cf.Graph(
    ...     names=("season", "rain", "sprinkler", "wet"),
    ...     directed=[("rain", "wet"), ("sprinkler", "wet")],
    ...     undirected=[("season", "rain"), ("season", "sprinkler")],
    ... )
    >>> graph
    <Graph: 4 nodes, 2 directed and 2 undirected edges, CPDAG>
    >>> graph.parents_of("wet")
    ('rain', 'sprinkler')
    >>> print(graph.to_dag())
    4 nodes, 4 directed and 0 undirected edges, DAG
    season -> rain (arbitrary)
    season -> sprinkler (arbitrary)
    rain -> wet
    sprinkler -> wet
    arbitrary: nothing decides it
    """

    names: Names
    directed: tuple[Edge, ...] = ()
    undirected: tuple[Edge, ...] = ()
    separating_sets: Mapping[Edge, Names] = field(default_factory=dict)
    strengths: Mapping[Edge, float] = field(default_factory=dict)
    margins: Mapping[Edge, float] = field(default_factory=dict)
    reasons: Mapping[Edge, str] = field(default_factory=dict)
    votes: Mapping[Edge, Votes] = field(default_factory=dict)
    frequencies: Mapping[Edge, tuple[float, float]] = field(default_factory=dict)
    copies: Mapping[Hashable, Names] = field(default_factory=dict)
    contradicted: Mapping[Names, float] = field(default_factory=dict)
    test_or_score: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    figures: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._set("names", tuple(_plain(name) for name in self.names))
        if None in self._position:
            raise GraphError("None cannot be the name of a node")
        if len(self._position) < len(self.names):
            twice = next(name for i, name in enumerate(self.names) if self._position[name] != i)
            raise GraphError(f"the name {twice!r} occurs twice")
        self._set("directed", self._sorted(self.directed))
        self._set("undirected", self._sorted(map(self._in_order, self.undirected)))
        self._check_edges()
        if not (isinstance(self.separating_sets, SeparatingSets) and self.separating_sets.names == self.names):
            given = {self._in_order(pair): self._known(by) for pair, by in self.separating_sets.items()}
            self._set("separating_sets", MappingProxyType(given))
        for figure, as_value in _CHECKS.items():
            self._set(figure, MappingProxyType(self._by_edge(figure, as_value)))
        for edge in self.reasons.keys() - set(self.directed):
            raise GraphError(f"reasons has {edge!r}, which is not directed")
        for name, others in self.copies.items():
            self._known((name, *others))
        self._set("contradicted", self._sorted_contradictions())
        for name in ("copies", "contradicted", "options", "figures"):
            self._set(name, MappingProxyType(dict(getattr(self, name))))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _sorted(self, edges: Iterable[Edge]) -> tuple[Edge, ...]:
        numbers = sorted((self.index(x), self.index(y)) for x, y in edges)
        return tuple((self.names[x], self.names[y]) for x, y in numbers)

    def _in_order(self, pair: Edge) -> Edge:
        x, y = self.index(pair[0]), self.index(pair[1])
        return (self.names[x], self.names[y]) if x < y else (self.names[y], self.names[x])

    def _known(self, names: Iterable[Hashable]) -> Names:
        return tuple([self.names[self.index(name)] for name in names])

    def _sorted_contradictions(self) -> dict[Names, float]:
        """Return them from the strongest on; the ends of a v-structure in the order of the names."""
        found: dict[Names, float] = {}
        for given, strength in self.contradicted.items():
            names = self._known(given)
            if len(names) not in (2, 3) or len({*names}) < len(names):
                raise GraphError(
                    f"contradicted has {given!r}; it is an edge, (source, target), or a v-structure, (x, y, z) for "
                    "x -> y <- z"
                )
            if len(names) == 3:
                x, z = self._in_order((names[0], names[2]))
                names = (x, names[1], z)
            found[names] = float(strength)
        return dict(sorted(found.items(), key=lambda item: (-item[1], tuple(map(self.index, item[0])))))

    def _check_edges(self) -> None:
        seen: set[Edge] = set()
        for x, y in self.edges:
            pair = self._in_order((x, y))
            if x == y:
                raise GraphError(f"{x!r} has an edge to itself")
            if pair in seen:
                raise GraphError(f"{pair[0]!r} and {pair[1]!r} have two edges")
            seen.add(pair)

    def _by_edge(self, figure: str, as_value: Callable[[Edge, Any], Any]) -> dict[Edge, Any]:
        edge_of = {edge: edge for edge in self.edges}
        edge_of |= {edge[::-1]: edge for edge in self.undirected}  # which may be given in either order
        found: dict[Edge, Any] = {}
        for given, value in getattr(self, figure).items():
            edge = edge_of.get(given)
            if edge is None:
                raise GraphError(f"{figure} has {given!r}, which is not an edge of the graph")
            if edge in found:
                raise GraphError(f"{figure} has {given!r} twice, in both directions")
            found[edge] = as_value(edge, value)
        return found

    # ---- what it is

    @property
    def edges(self) -> tuple[Edge, ...]:
        """All edges as pairs: the directed ones as (source, target), then the undirected ones."""
        return (*self.directed, *self.undirected)

    @property
    def is_acyclic(self) -> bool:
        """Whether the directed edges form no cycle."""
        return not self.pdag.cycle()

    @property
    def is_dag(self) -> bool:
        """Whether all edges are directed and form no cycle."""
        return not self.undirected and self.is_acyclic

    @cached_property
    def is_cpdag(self) -> bool:
        """Whether it is the CPDAG of some DAG, and so represents an equivalence class."""
        return equivalence.is_cpdag(self.pdag)

    @property
    def skeleton(self) -> tuple[Edge, ...]:
        """Every edge as a pair in the order of `names`, without its direction."""
        return self._sorted(map(self._in_order, self.edges))

    def parents_of(self, name: Hashable) -> Names:
        """Nodes from which an edge is directed to this one.

        Raises
        ------
        UnknownColumnError
            If there is no such node; so do all methods that take a name.
        """
        return self._named(self.pdag.parents[self.index(name)])

    def children_of(self, name: Hashable) -> Names:
        """Nodes to which an edge is directed from this one."""
        return self._named(self.pdag.children[self.index(name)])

    def neighbors_of(self, name: Hashable) -> Names:
        """All nodes that are adjacent to this one, whatever the direction."""
        return self._named(self.pdag.adjacent[self.index(name)])

    @cached_property
    def isolated(self) -> Names:
        """Nodes without edges."""
        return tuple([name for name, adjacent in zip(self.names, self.pdag.adjacent, strict=True) if not adjacent])

    def _named(self, numbers: Iterable[int]) -> Names:
        return tuple(self.names[x] for x in sorted(numbers))

    def index(self, name: Hashable) -> int:
        """Position of a node in `names`."""
        try:
            return self._position[name]
        except (KeyError, TypeError):  # TypeError: a list, which cannot be a name
            raise UnknownColumnError(name, self.names, kind="node") from None

    @cached_property
    def _position(self) -> dict[Hashable, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def pdag(self) -> PDAG:
        """The same edges between positions in `names`, for algorithms; copy it before you change it."""
        return PDAG(len(self.names), self._numbers(self.directed), self._numbers(self.undirected))

    def _numbers(self, edges: Iterable[Edge]) -> list[tuple[int, int]]:
        return [(self._position[x], self._position[y]) for x, y in edges]

    @cached_property
    def adjacency(self) -> NDArray[np.bool_]:
        """Read-only matrix of shape (m, m): [i, j] is i -> j, and both [i, j] and [j, i] are an undirected edge."""
        matrix = self.pdag.to_adjacency()
        matrix.setflags(write=False)
        return matrix

    # ---- its equivalence class

    def to_cpdag(self) -> Graph:
        """Return the CPDAG of a DAG, or of the extension of another graph, whose directed edges are compelled.

        It has all graphs of the equivalence class, also those that contradict what is known: an edge that only
        knowledge directs is undirected, and ``contradicted`` and the option ``knowledge`` are not in the result.

        Raises
        ------
        GraphError
            If there is no extension to a DAG.
        """
        found = self._with(equivalence.cpdag(self.to_dag().pdag))
        options = {name: value for name, value in self.options.items() if name != "knowledge"}
        return replace(found, reasons=dict.fromkeys(found.directed, "compelled"), contradicted={}, options=options)

    def to_dag(self) -> Graph:
        """Return an extension: undirected edges become directed without a new v-structure or a cycle.

        Where there are several, the choice depends only on the order of `names`, so the reason of these directions is
        "arbitrary". ``orient`` chooses by the data. Directed edges stay, so that the result of a search still obeys
        what is known.

        Raises
        ------
        GraphError
            If there is no extension; the message says why.
        """
        if self.is_dag:
            return self
        dag = equivalence.extension(self.pdag)
        if dag is None:
            raise GraphError(f"the graph has no extension to a DAG: {self._why_none()}")
        found = self._with(dag)
        before = set(self.directed)
        arbitrary = {edge: "arbitrary" for edge in found.directed if edge not in before}
        return replace(found, reasons={**found.reasons, **arbitrary})

    def _why_none(self) -> str:
        if cycle := self.pdag.cycle():
            return f"its directed edges form a cycle: {' -> '.join(map(node_text, self._in_turn(cycle)))}"
        left = self._in_turn(equivalence.obstacle_to_extension(self.pdag))
        return (
            f"every orientation of the undirected edges among {listing(left, limit=10, each=node_text)} makes a cycle "
            "or a new v-structure"
        )

    def _in_turn(self, numbers: Iterable[int]) -> Names:
        return tuple(self.names[x] for x in numbers)

    def _with(self, pdag: PDAG) -> Graph:
        """Return the same skeleton with other directions; what is known of the direction of one that changes is not."""
        edges = edges_by_name(self.names, pdag)
        kept = {*edges["directed"], *edges["undirected"]}
        strengths = {
            edge if edge in kept else edge[::-1]: strength  # one of the two is an edge of the same skeleton
            for edge, strength in self.strengths.items()
        }
        unchanged = {*edges["directed"]} & {*self.directed} | {*edges["undirected"]} & {*self.undirected}
        about_directions: dict[str, Any] = {
            name: {edge: value for edge, value in getattr(self, name).items() if edge in unchanged}
            for name in ("margins", "reasons", "votes", "frequencies")
        }
        return replace(self, **edges, strengths=strengths, **about_directions)

    # ---- its tables

    def fit(self, data: Dataset | Any, prior: float = 1, **reading: Unpack[ReadingOptions]) -> Network:
        """Return the Bayesian network of this graph, with tables from data.

        Undirected edges are directed by ``to_dag`` first: all extensions describe the same independences.

        Parameters
        ----------
        data : Dataset or frame
            Every node is one of its columns; other columns are not used. A frame is encoded by
            ``Dataset.from_frame``.
        prior : float
            The equivalent sample size α of the prior: as many rows, divided equally among the cells of every table.
            With n_jk rows in which the parents have their configuration j and the node its state k, q configurations
            and r states, P(k | j) = (n_jk + α / (q·r)) / (n_j + α / q). It is ``iss`` of bnlearn, and of pgmpy the
            ``equivalent_sample_size`` of its prior "BDeu". 0 is maximum likelihood; a configuration that does not
            occur then has equal probabilities.
        **reading
            Options of ``Dataset.from_frame``, for a frame.

        Returns
        -------
        Network
            Its name is "fitted", its names and states are the text of those of the data: the level 1 is the state "1";
            where two names, or two levels of a column, have the same text, they are written as Python does (1 and "1"
            are ``1`` and ``'1'``). Levels are states whether they occur or not. Each table is from the rows in which no
            cell of the node and its parents is missing, each as often as its weight says.

        Raises
        ------
        GraphError
            If there is no extension to a DAG; the message says why.
        UnknownColumnError
            If a node is not a column of the data.
        NetworkError
            For a table of more than 2^25 cells, and more than 31 parents; the message names the node.
        DataError
            For a column without any value, and for an id column with edges.
        OptionError
            For a prior that is not a number from 0 up.

        Warns
        -----
        ClimbfastWarning
            For id columns, which have no table and are left out.

        Examples
        --------
        >>> import climbfast as cf
        >>> data = cf.Dataset.from_frame({"smoker": ["no", "no", "no", "yes"], "cough": [0, 0, 1, 1]})
        >>> network = cf.Graph(names=("smoker", "cough"), directed=[("smoker", "cough")]).fit(data, prior=0)
        >>> network.states["cough"], network.tables["cough"][1].tolist()
        (('0', '1'), [0.0, 1.0])
        """
        from climbfast.dataset import as_dataset
        from climbfast.networks.fitting import fitted_network

        dag = self.to_dag()
        parents = {name: dag.parents_of(name) for name in dag.names}
        return fitted_network(dag.names, parents, as_dataset(data, **reading), prior)

    # ---- to and from

    @classmethod
    def from_adjacency(cls, names: Sequence[Hashable], matrix: ArrayLike, **attributes: Any) -> Graph:
        """Read a matrix.

        Parameters
        ----------
        names : sequence
            The nodes, in the order of rows and columns.
        matrix : array_like of bool or of 0 and 1, shape (m, m)
            [i, j] is i -> j, and both [i, j] and [j, i] are an undirected edge.
        **attributes
            Other attributes of the graph.

        Raises
        ------
        GraphError
            For another shape, other values, or an edge of a node to itself.
        """
        array = np.asarray(matrix)
        if array.shape != (len(names), len(names)):
            raise GraphError(f"the matrix has shape {array.shape}; for {len(names)} names it is {(len(names),) * 2}")
        if not np.isin(array, (0, 1)).all():
            raise GraphError("the matrix has values other than 0 and 1; [i, j] = 1 is an edge from i to j")
        array = array.astype(np.bool_)
        if array.diagonal().any():
            raise GraphError(f"{names[int(array.diagonal().argmax())]!r} has an edge to itself")
        return cls(tuple(names), **edges_by_name(names, PDAG.from_adjacency(array)), **attributes)

    @classmethod
    def from_networkx(cls, graph: networkx.Graph, **attributes: Any) -> Graph:
        """Read a graph of NetworkX.

        Parameters
        ----------
        graph : networkx.Graph or networkx.DiGraph
            The edges of a Graph are undirected, and so are edges in both directions between two nodes of a DiGraph.
            Edges may have attributes as those of ``to_networkx`` have; other values of these are skipped. Attributes
            that state the marks of an edge, such as ``type="undirected"``, ``endpoints="-->"``, the ``endpoints`` of
            andrey and the ``marks`` of pgmpy, stand above the order of its nodes.
        **attributes
            Other attributes of the graph.

        Raises
        ------
        GraphError
            For an edge of a node to itself, for two edges between two nodes that differ, and for other marks than those
            of a directed or an undirected edge, such as circles; the message names the edge.
        """
        from climbfast.graphs.from_networkx import from_networkx

        return from_networkx(graph, attributes)

    def to_networkx(self) -> networkx.DiGraph:
        """Return the graph for NetworkX, in which an undirected edge is two edges, one in each direction.

        Edges have a ``type``, ``directed`` or ``undirected``, and where they are known a ``strength``, a ``margin``, a
        ``reason``, ``votes_edge`` and ``votes_direction``, and ``frequency_edge`` and ``frequency_direction``.
        """
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from(self.names)
        for (x, y), kind, figures in self._edges():
            graph.add_edge(x, y, type=kind, **figures)
            if kind == _UNDIRECTED:
                graph.add_edge(y, x, type=kind, **figures)
        return graph

    def _edges(self) -> Iterable[tuple[Edge, str, dict[str, Any]]]:
        """Yield every edge with its type, and its figures under their names in files."""
        figures = {"strength": self.strengths, "margin": self.margins, "reason": self.reasons}
        for kind, edges in ((_DIRECTED, self.directed), (_UNDIRECTED, self.undirected)):
            for edge in edges:
                known = {name: by_edge[edge] for name, by_edge in figures.items() if edge in by_edge}
                for names, pairs in ((_VOTES, self.votes), (_FREQUENCIES, self.frequencies)):
                    if edge in pairs:
                        known |= dict(zip(names, pairs[edge], strict=True))
                yield edge, kind, known

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and numbers as JSON has them, but with the names themselves."""
        return {
            "names": list(self.names),
            "edges": [{"source": x, "target": y, "type": kind, **figures} for (x, y), kind, figures in self._edges()],
            "separating_sets": [{"x": x, "y": y, "given": list(by)} for (x, y), by in self.separating_sets.items()],
            "copies": [{"name": x, "copies": list(others)} for x, others in self.copies.items()],
            "contradicted": [{"names": list(names), "strength": bits} for names, bits in self.contradicted.items()],
            "test_or_score": self.test_or_score,
            "options": dict(self.options),
            "figures": dict(self.figures),
            **super().to_dict(),
        }

    def to_json(self) -> str:
        """Return everything as JSON, which ``read_graph`` reads; a name that is a tuple is ``{"tuple": [...]}``."""
        from climbfast.graphs.formats import json_text

        return json_text(self)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        columns: Hashable | Iterable[Hashable] | None = None,
        quote_formulas: bool = False,
    ) -> None:
        """Write the graph to a file that ``read_graph`` reads, or its picture to one for people.

        Parameters
        ----------
        path : str or path-like
            ``.csv``: a line ``source,target,type`` for each edge, where the type is directed or undirected, and a line
            ``name,,node`` for each node without edges; where they are known, the columns ``reason``, ``votes_edge`` and
            ``votes_direction``, ``frequency_edge`` and ``frequency_direction`` follow. ``.json``: everything.
            ``.graphml`` and ``.dot``: nodes in their order, edges, strengths, margins, reasons, votes and frequencies;
            DOT draws chosen directions dashed and arbitrary ones dotted. ``.cyjs``: the same for Cytoscape.
            ``.dagitty``, ``.lavaan``, and ``.tetrad`` or ``.txt`` for Tetrad and causal-learn: nodes and edges. What
            is contradicted, separating sets and copies are in JSON alone. The file is replaced in one step. CSV has
            text names as they are; if some name is not text, a last column ``names`` says how names are written:
            integer or json.
            ``.svg``, ``.png`` and ``.pdf``: the picture that ``plot`` draws.
        columns : name or iterable of names, optional
            Of a picture the columns that are drawn with their neighbors, see ``plot``.
        quote_formulas : bool
            Whether names in CSV that begin with ``=``, ``+``, ``-``, ``@``, tab or carriage return get an apostrophe in
            front. Without it a spreadsheet takes them for formulas, so use it for names that you do not trust. The
            column ``names`` is then quoted, and ``read_graph`` removes the apostrophes.

        Raises
        ------
        GraphError
            For another suffix, a file that cannot be written, and names that cannot be written in the format.
        OptionError
            For ``columns`` of a file that is no picture; and as ``plot`` raises it.
        """
        from climbfast.graphs.formats import save_graph

        save_graph(self, path, columns=columns, quote_formulas=quote_formulas)

    def plot(self, columns: Hashable | Iterable[Hashable] | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw the graph, causes before their effects.

        The width of a line is the strength of the edge, its shade the frequency, or else the margin. A filled head is
        a direction that is known, compelled or seen, or one without reasons; an open head one that a score chose or
        that is arbitrary. A line without a head has no direction. The legend says which of these the picture has.

        Parameters
        ----------
        columns : name or iterable of names, optional
            The columns that are drawn with their neighbors; by default the whole graph, of at most 60 nodes with edges.
            If there are more neighbors than 60 nodes have room for, the strongest are drawn.
        ax : matplotlib.axes.Axes, optional
            What is drawn on; by default the axes of a new figure of fitting size.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        MissingPackageError
            If the extra ``plots`` is not installed.
        OptionError
            For a graph of more than 60 nodes without ``columns``, and for more than 60 columns.
        UnknownColumnError
            For a column that is no node.

        Examples
        --------
        >>> import climbfast as cf
        >>> graph = cf.pc(cf.load_example().sample(2000, seed=1))
        >>> ax = graph.plot()
        >>> ax = graph.plot("heart_disease")  # with its neighbors
        >>> graph.save("graph.svg")
        """
        from climbfast.plots import plot

        return plot(self, columns, ax)

    # ---- for people

    def report(self, path: str | os.PathLike[str], data: Any = None, *, title: str | None = None) -> None:
        """Write a page in HTML: one file, which loads nothing from elsewhere.

        It has the picture, of large graphs around the nodes with most edges; all edges with what speaks for each; nodes
        without edges, copies and contradictions; what was done to the data, and how to make the page again. It needs
        the extra ``report``.

        Parameters
        ----------
        path : str or path-like
            A file with the suffix ``.html`` or ``.htm``. It is replaced in one step.
        data : Dataset or frame, optional
            The data of the search. They are only needed for a graph from a file or from another process.
        title : str, optional
            The heading of the page; by default it says what the page is about.

        Raises
        ------
        OptionError
            For another suffix, a file that cannot be written, a graph without data, and data that do not have its
            nodes.
        MissingPackageError
            If the extra ``report`` is not installed.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import climbfast as cf
        >>> data = cf.load_example().sample(2000, seed=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = Path(folder) / "graph.html"
        ...     cf.fges(data).report(page)
        ...     "A causal graph of 15 columns" in page.read_text()
        True
        """
        from climbfast.report.graph_page import graph_page
        from climbfast.report.page import check_page, write_page

        check_page(path)
        write_page(path, graph_page(self, data, title=title))

    def __str__(self) -> str:
        lines = [self._summary()]
        for (x, y), kind, figures in islice(self._edges(), MOST_SHOWN):
            why = (_why(figures) if kind == _DIRECTED else "") + _how_often(figures)
            lines.append(f"{node_text(x)} {'->' if kind == _DIRECTED else '--'} {node_text(y)}{why}")
        if (more := len(self.edges) - MOST_SHOWN) > 0:
            lines.append(f"... and {more:,} more {'edge' if more == 1 else 'edges'}")
        if self.reasons:
            lines.append(reasons_text(self))
        if self.frequencies:
            lines.append("[share of the replicates that have the edge, and that have it as it is]")
        if self.isolated:
            lines.append(f"without edges: {listing(self.isolated, limit=MOST_SHOWN, each=node_text)}")
        if self.copies:
            lines.append(f"copies: {copies_text(self.copies)}")
        bounds = (("bounded", "edge"), ("bounded_targets", "target"))
        lines += [bounded_text(self.figures[key], what) for key, what in bounds if self.figures.get(key)]
        if self.contradicted:
            lines += ["the data contradict what is known, which may be wrong:", *contradicted_lines(self)[:MOST_SHOWN]]
        return "\n".join(lines)

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.graphs import graph_html

        return graph_html(self)

    def __repr__(self) -> str:
        return f"<Graph: {self._summary()}>"

    def _summary(self) -> str:
        kinds = [kind for kind, it_is in (("DAG", self.is_dag), ("CPDAG", self.is_cpdag)) if it_is]
        kind = " and ".join(kinds) or "neither DAG nor CPDAG"
        counts = f"{len(self.directed):,} directed and {len(self.undirected):,} undirected edges"
        return f"{len(self.names):,} nodes, {counts}, {kind}"

    def __reduce__(self) -> tuple[Callable[..., Graph], tuple[Any, ...]]:
        # Read-only views of dictionaries cannot be pickled.
        values = {part.name: getattr(self, part.name) for part in fields(self) if part.name != "data"}
        plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()}
        return _rebuilt, (type(self), plain)


def _rebuilt(kind: type[Graph], values: dict[str, Any]) -> Graph:
    return kind(**values)


def edges_by_name(names: Sequence[Hashable], pdag: PDAG) -> dict[str, Any]:
    """Return the directed and the undirected edges of a graph whose nodes are positions in ``names``."""
    return {
        "directed": tuple((names[x], names[y]) for x, y in pdag.arcs()),
        "undirected": tuple((names[x], names[y]) for x, y in pdag.undirected_edges()),
    }


def _plain(name: Hashable) -> Hashable:
    """Return a scalar of NumPy as one of Python, which JSON can write."""
    return name.item() if isinstance(name, np.generic) else name


def edge_figures(attributes: Mapping[Any, Any], *, is_directed: bool) -> dict[str, Any]:
    """Return what the attributes of an edge say about it, by the name of the attribute of a graph.

    Only what a graph may have: other programs use the same words for other things.
    """
    found: dict[str, Any] = {}
    for figure, name in (("strength", "strengths"), ("margin", "margins")):
        if isinstance(attributes.get(figure), (int, float)):
            found[name] = attributes[figure]
    reason = attributes.get("reason")
    if is_directed and isinstance(reason, str) and reason in REASONS:
        found["reasons"] = reason
    for figure, names, is_legal in (
        ("votes", _VOTES, _are_votes),
        ("frequencies", _FREQUENCIES, _are_frequencies),
    ):
        values = tuple(attributes.get(name) for name in names)
        if is_legal(values):
            found[figure] = values
    return found


def reasons_text(graph: Graph) -> str:
    """Return what the reasons that occur in a graph say, in one line."""
    occurring = set(graph.reasons.values())
    return "; ".join(f"{reason}: {meaning}" for reason, meaning in REASONS.items() if reason in occurring)


def contradicted_lines(graph: Graph) -> list[str]:
    """Return a line for everything that the data ask for and knowledge forbids, with its strength."""
    return [_contradicted_line(graph, names, strength) for names, strength in graph.contradicted.items()]


def _contradicted_line(graph: Graph, names: Names, strength: float) -> str:
    nodes = [node_text(name) for name in names]
    shown = _strength_text(graph.test_or_score, strength)
    if len(nodes) == 3:
        return f"{nodes[0]} -> {nodes[1]} <- {nodes[2]} is forbidden, and in the data it is a v-structure ({shown})"
    x, y = nodes
    if names in graph.directed:
        return f"{x} -> {y} is required, and in the data nothing speaks for it ({shown})"
    if names[::-1] in graph.directed:
        return f"{x} -> {y} is reversed: only {y} -> {x} is allowed ({shown})"
    return f"{x} -> {y} is left out: it is forbidden, or would form a cycle with what is known ({shown})"


def _strength_text(test_or_score: str, strength: float) -> str:
    """Return a strength with its unit, see ``Graph.strengths``."""
    if test_or_score in ("g2", "x2"):
        return f"log10 alpha - log10 p: {strength:,.1f}"
    if test_or_score == "cmi":
        return f"{strength:.3g} bits per row"
    return f"{strength:,.1f} bits"


def _why(figures: Mapping[str, Any]) -> str:
    """Return the reason of a direction, such as `` (chosen, 12.3 bits)``."""
    if "reason" not in figures:
        return ""
    bits = f", {figures['margin']:,.1f} bits" if figures["reason"] == "chosen" and "margin" in figures else ""
    return f" ({figures['reason']}{bits})"


def _how_often(figures: Mapping[str, Any]) -> str:
    """Return the frequencies of an edge, such as `` [0.98, as it is 0.71]``."""
    if _FREQUENCIES[0] not in figures:
        return ""
    edge, as_it_is = (figures[name] for name in _FREQUENCIES)
    return f" [{edge:.2f}, as it is {as_it_is:.2f}]"


def _number(_: Edge, value: Any) -> float:
    return float(value)


def _reason(edge: Edge, value: Any) -> str:
    if not isinstance(value, str) or value not in REASONS:
        raise GraphError(f"the reason of {edge!r} is {value!r}; it is one of {', '.join(REASONS)}")
    return str(value)


def _votes(edge: Edge, value: Any) -> Votes:
    if not _are_votes(value):
        raise GraphError(
            f"the votes of {edge!r} are {value!r}; they are two whole numbers, the searches that have the edge, and "
            "those of them that have its direction"
        )
    return int(value[0]), int(value[1])


def _are_votes(value: Any) -> bool:
    return (
        isinstance(value, (tuple, list))
        and len(value) == 2
        and all(isinstance(count, (int, np.integer)) and not isinstance(count, bool) for count in value)
        and 0 <= value[1] <= value[0]
    )


def _frequencies(edge: Edge, value: Any) -> tuple[float, float]:
    if not _are_frequencies(value):
        raise GraphError(
            f"the frequencies of {edge!r} are {value!r}; they are two shares from 0 to 1, of the replicates that have "
            "the edge, and of those that have it as it is"
        )
    return float(value[0]), float(value[1])


def _are_frequencies(value: Any) -> bool:
    return (
        isinstance(value, (tuple, list))
        and len(value) == 2
        and all(isinstance(share, (int, float, np.floating)) and not isinstance(share, bool) for share in value)
        and 0 <= value[1] <= value[0] <= 1
    )


_CHECKS: Mapping[str, Callable[[Edge, Any], Any]] = {
    "strengths": _number,
    "margins": _number,
    "reasons": _reason,
    "votes": _votes,
    "frequencies": _frequencies,
}


def node_text(name: Hashable) -> str:
    """Return a node for a line of text, in quotes if it contains what stands between nodes."""
    return quoted_name(name, (",", "->", "--"))


def as_graph(graph: Any) -> Graph:
    """Return a Graph as it is; convert a graph of NetworkX, and what has ``to_networkx``, such as a Network.

    Raises
    ------
    GraphError
        For anything else.
    """
    if isinstance(graph, Graph):
        return graph
    if hasattr(graph, "to_networkx"):
        graph = graph.to_networkx()
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        return Graph.from_networkx(graph)
    raise GraphError(f"{type(graph).__name__} is not a graph; pass a Graph, a Network or a graph of NetworkX")
