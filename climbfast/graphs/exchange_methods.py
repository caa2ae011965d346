"""The methods of a graph that give it to other programs, and read it from them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import networkx
    import numpy as np
    import pyagrum
    from causallearn.graph.GeneralGraph import GeneralGraph
    from numpy.typing import ArrayLike, NDArray
    from pgmpy.base import DAG, PDAG

    from climbfast.graphs.graph import Graph

__all__ = ["ExchangeMethods"]


class ExchangeMethods:
    """What a ``Graph`` has from ``climbfast.exchange``, which is imported when it is asked for."""

    def _graph(self) -> Graph:
        return cast("Graph", self)

    # ---- to

    def to_pgmpy(self) -> DAG | PDAG:
        """Return the graph for pgmpy: a DAG as ``pgmpy.base.DAG``, any other graph as ``pgmpy.base.PDAG``.

        Returns
        -------
        pgmpy.base.DAG or pgmpy.base.PDAG
            With the names as they are, in their order.

        Raises
        ------
        MissingPackageError
            If pgmpy is not installed.

        Examples
        --------
        >>> import climbfast as cf
        >>> sorted(cf.Graph("abc", [("a", "c"), ("b", "c")]).to_pgmpy().get_parents("c"))
        ['a', 'b']
        """
        from climbfast.exchange.pgmpy import to_pgmpy

        return to_pgmpy(self._graph())

    def to_pyagrum(self) -> pyagrum.DAG | pyagrum.PDAG | pyagrum.MixedGraph:
        """Return the graph for pyAgrum: a DAG, a PDAG, or a MixedGraph if the edges form a cycle.

        Returns
        -------
        pyagrum.DAG, pyagrum.PDAG or pyagrum.MixedGraph
            Its nodes are the positions in `names`, and have the names as text.

        Raises
        ------
        GraphError
            For two names with the same text.
        MissingPackageError
            If pyAgrum is not installed.

        Examples
        --------
        >>> import climbfast as cf
        >>> graph = cf.Graph(("rain", "wet"), [("rain", "wet")]).to_pyagrum()
        >>> graph.arcs(), graph.nameFromId(1)
        ({(0, 1)}, 'wet')
        """
        from climbfast.exchange.pyagrum import to_pyagrum

        return to_pyagrum(self._graph())

    def to_causal_learn(self) -> GeneralGraph:
        """Return the graph for causal-learn.

        Returns
        -------
        causallearn.graph.GeneralGraph.GeneralGraph
            With the names as text, in their order.

        Raises
        ------
        GraphError
            For two names with the same text.
        MissingPackageError
            If causal-learn is not installed.

        Examples
        --------
        >>> import climbfast as cf
        >>> graph = cf.Graph("abc", [("a", "b")], [("b", "c")]).to_causal_learn()
        >>> [str(edge) for edge in graph.get_graph_edges()]
        ['a --> b', 'b --- c']
        """
        from climbfast.exchange.causal_learn import to_causal_learn

        return to_causal_learn(self._graph())

    def to_dagitty(self) -> str:
        """Return the graph as text for DAGitty: ``dag { ... }``, or ``pdag { ... }`` if it has undirected edges.

        Returns
        -------
        str
            ``digraph { ... }`` if directed edges form a cycle.

        Raises
        ------
        GraphError
            For names that DAGitty cannot have: ``graph`` and ``node``, words of JavaScript such as ``constructor``, and
            those that are empty, hold control characters or end with a backslash; and for two names with the same text.

        Examples
        --------
        >>> import climbfast as cf
        >>> print(cf.Graph(("rain", "wet grass"), [("rain", "wet grass")]).to_dagitty(), end="")
        dag {
          rain
          "wet grass"
          rain -> "wet grass"
        }
        """
        from climbfast.exchange.dagitty import dagitty_text

        return dagitty_text(self._graph())

    def to_lavaan(self) -> str:
        """Return the graph as a model for lavaan: a regression for each node with parents.

        Returns
        -------
        str
            ``y ~ x + z`` for x -> y and z -> y, and ``x ~~ x`` for a node without edges.

        Raises
        ------
        GraphError
            For undirected edges, which lavaan does not have, and for names that are not names of R: letters, digits,
            dots and underscores, beginning with a letter or a dot.

        Examples
        --------
        >>> import climbfast as cf
        >>> print(cf.Graph("xyz", [("x", "y"), ("z", "y")]).to_lavaan(), end="")
        y ~ x + z
        """
        from climbfast.exchange.lavaan import lavaan_text

        return lavaan_text(self._graph())

    def to_bnlearn(self) -> str:
        """Return the graph as a model string of bnlearn, an R package.

        Returns
        -------
        str
            Such as ``[x][z][y|x:z]``, with parents before their children.

        Raises
        ------
        GraphError
            If the graph is not a DAG, and for names that are empty or hold brackets, ``|`` or ``:``.

        Examples
        --------
        >>> import climbfast as cf
        >>> cf.Graph("xyz", [("x", "y"), ("z", "y")]).to_bnlearn()
        '[x][z][y|x:z]'
        """
        from climbfast.exchange.bnlearn import bnlearn_text

        return bnlearn_text(self._graph())

    def to_pcalg(self) -> NDArray[np.int64]:
        """Return the matrix that pcalg calls amat.cpdag.

        Returns
        -------
        numpy.ndarray of 0 and 1, shape (m, m)
            Rows and columns in the order of `names`. [i, j] = 1 and [j, i] = 0 is j -> i: the transpose of what
            ``from_adjacency`` takes. Both 1 is an undirected edge.

        Examples
        --------
        >>> import climbfast as cf
        >>> cf.Graph("ab", [("a", "b")]).to_pcalg()
        array([[0, 0],
               [1, 0]])
        """
        from climbfast.exchange.pcalg import to_pcalg

        return to_pcalg(self._graph())

    def to_dowhy(self) -> networkx.DiGraph:
        """Return the graph for DoWhy: for ``CausalModel(data, treatment, outcome, graph=...)`` and ``dowhy.gcm``.

        Returns
        -------
        networkx.DiGraph
            With the names as they are, so that they are those of the columns of the data.

        Raises
        ------
        GraphError
            If the graph is not a DAG.

        Examples
        --------
        >>> import climbfast as cf
        >>> list(cf.Graph("abc", [("a", "b"), ("b", "c")]).to_dowhy().edges)
        [('a', 'b'), ('b', 'c')]
        """
        from climbfast.exchange.dowhy import to_dowhy

        return to_dowhy(self._graph())

    def to_cytoscape(self) -> dict[str, Any]:
        """Return the graph as Cytoscape and cytoscape.js take it, once it is written as JSON.

        Returns
        -------
        dict
            ``elements`` with nodes and edges; the data of an edge are its ``interaction``, directed or undirected, and
            what ``to_dict`` has of it: strength, margin, reason, votes and frequencies.

        Raises
        ------
        GraphError
            For an empty name, and for two names with the same text.

        Examples
        --------
        >>> import climbfast as cf
        >>> graph = cf.Graph("ab", [("a", "b")], strengths={("a", "b"): 12.5}).to_cytoscape()
        >>> graph["elements"]["edges"][0]["data"]["strength"]
        12.5
        """
        from climbfast.exchange.cytoscape import to_cytoscape

        return to_cytoscape(self._graph())

    # ---- from

    @classmethod
    def from_pgmpy(cls, model: Any) -> Graph:
        """Read a graph of pgmpy.

        Parameters
        ----------
        model : pgmpy.base.DAG, pgmpy.base.PDAG, or a model that is one of these, such as a Bayesian network
            Also other graphs of pgmpy, if all their edges are directed or undirected.

        Raises
        ------
        GraphError
            For anything else, and for other marks than arrows and tails.
        MissingPackageError
            If pgmpy is not installed.

        Examples
        --------
        >>> import climbfast as cf
        >>> graph = cf.Graph("abc", [("a", "b")], [("b", "c")])
        >>> cf.Graph.from_pgmpy(graph.to_pgmpy()) == graph
        True
        """
        from climbfast.exchange.pgmpy import from_pgmpy

        return from_pgmpy(model)

    @classmethod
    def from_pyagrum(cls, model: Any, names: Sequence[Hashable] | None = None) -> Graph:
        """Read a graph of pyAgrum.

        Parameters
        ----------
        model : BayesNet, DAG, PDAG, EssentialGraph, MixedGraph, DiGraph, UndiGraph or PAG
            The nodes are in the order of their numbers.
        names : sequence, optional
            The names of the nodes. Default: those that they have, or their numbers.

        Raises
        ------
        GraphError
            For anything else, and for a PAG with other marks than arrows and tails.
        MissingPackageError
            If pyAgrum is not installed.

        Examples
        --------
        >>> import climbfast as cf
        >>> graph = cf.Graph("abc", [("a", "b")], [("b", "c")])
        >>> cf.Graph.from_pyagrum(graph.to_pyagrum()) == graph
        True
        """
        from climbfast.exchange.pyagrum import from_pyagrum

        return from_pyagrum(model, names)

    @classmethod
    def from_causal_learn(cls, result: Any, names: Sequence[Hashable] | None = None) -> Graph:
        """Read a graph of causal-learn.

        Parameters
        ----------
        result : GeneralGraph, or what ``pc``, ``ges``, ``fci`` and other searches return
        names : sequence, optional
            The names of the nodes. Default: those that they have, which are X1, X2 and so on if causal-learn was given
            no names.

        Raises
        ------
        GraphError
            For anything else, and for other marks than arrows and tails.
        MissingPackageError
            If causal-learn is not installed.

        Examples
        --------
        >>> import climbfast as cf
        >>> graph = cf.Graph("abc", [("a", "b")], [("b", "c")])
        >>> cf.Graph.from_causal_learn(graph.to_causal_learn()) == graph
        True
        """
        from climbfast.exchange.causal_learn import from_causal_learn

        return from_causal_learn(result, names)

    @classmethod
    def from_dagitty(cls, text: str) -> Graph:
        """Read a model of DAGitty.

        Parameters
        ----------
        text : str
            Such as ``dag { a -> b; a [exposure] }``; attributes of nodes and edges are skipped.

        Raises
        ------
        GraphError
            For another text, and for ``<->``, ``@->`` and other edges that are neither directed nor undirected; the
            message names the line.

        Examples
        --------
        >>> import climbfast as cf
        >>> print(cf.Graph.from_dagitty("pdag { a -> b <- c; c -- d }"))
        4 nodes, 2 directed and 1 undirected edges, CPDAG
        a -> b
        c -> b
        c -- d
        """
        from climbfast.exchange.dagitty import from_dagitty

        return from_dagitty(text)

    @classmethod
    def from_lavaan(cls, text: str) -> Graph:
        """Read a model of lavaan.

        Parameters
        ----------
        text : str
            ``y ~ x + z`` is x -> y and z -> y, ``f =~ x`` is f -> x, and ``f <~ x`` is x -> f; a coefficient of 0 is no
            edge. Variances, intercepts, thresholds and constraints are skipped.

        Raises
        ------
        GraphError
            For another text, and for ``x ~~ y``, which has two arrowheads; the message names the line.

        Examples
        --------
        >>> import climbfast as cf
        >>> print(cf.Graph.from_lavaan("y ~ x + b*z"))
        3 nodes, 2 directed and 0 undirected edges, DAG and CPDAG
        x -> y
        z -> y
        """
        from climbfast.exchange.lavaan import from_lavaan

        return from_lavaan(text)

    @classmethod
    def from_bnlearn(cls, text: str) -> Graph:
        """Read a model string of bnlearn, an R package.

        Parameters
        ----------
        text : str
            Such as ``[x][z][y|x:z]``.

        Raises
        ------
        GraphError
            For another text, and for a parent that is not among the nodes.

        Examples
        --------
        >>> import climbfast as cf
        >>> cf.Graph.from_bnlearn("[x][z][y|x:z]").directed
        (('x', 'y'), ('z', 'y'))
        """
        from climbfast.exchange.bnlearn import from_bnlearn

        return from_bnlearn(text)

    @classmethod
    def from_pcalg(cls, matrix: ArrayLike, names: Sequence[Hashable] | None = None, *, coding: str = "cpdag") -> Graph:
        """Read a matrix of pcalg.

        Parameters
        ----------
        matrix : array_like or frame of whole numbers, shape (m, m)
        names : sequence, optional
            The nodes, in the order of rows and columns. Default: the columns of a frame.
        coding : {"cpdag", "pag"}
            "cpdag" is amat.cpdag, of DAGs and CPDAGs: [i, j] = 1 and [j, i] = 0 is j -> i, and both 1 is an undirected
            edge. "pag" is amat.pag, of MAGs and PAGs: [i, j] is the mark at j, 1 a circle, 2 an arrowhead, 3 a tail.

        Raises
        ------
        GraphError
            For another shape, other values, and for circles and edges with two arrowheads; the message names the edge.
        OptionError
            For another coding.

        Examples
        --------
        >>> import climbfast as cf
        >>> cf.Graph.from_pcalg([[0, 0], [1, 0]], "ab").directed
        (('a', 'b'),)
        """
        from climbfast.exchange.pcalg import from_pcalg

        return from_pcalg(matrix, names, coding)

    @classmethod
    def from_cytoscape(cls, graph: Mapping[str, Any] | list[Any] | str) -> Graph:
        """Read a graph of Cytoscape or cytoscape.js.

        Parameters
        ----------
        graph : dict, list or str
            JSON as text, or what was read from it: an object with ``elements``, or a list of these. Nodes have their
            ``name``, or their ``id``. Edges are read by their ``interaction``, ``type`` or other marks, or by
            ``directed`` of the whole, as NetworkX writes it.

        Raises
        ------
        GraphError
            For anything else, groups, and edges with other marks or of which nothing says whether they are directed.

        Examples
        --------
        >>> import climbfast as cf
        >>> graph = cf.Graph("abc", [("a", "b")], [("b", "c")])
        >>> cf.Graph.from_cytoscape(graph.to_cytoscape()) == graph
        True
        """
        from climbfast.exchange.cytoscape import from_cytoscape

        return from_cytoscape(graph)
