"""How far a graph is from the truth: the usual distances, and every edge that differs, by name."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from climbfast.errors import GraphError
from climbfast.graphs.graph import Edge, Graph, as_graph
from climbfast.graphs.pdag import PDAG, Arc, Pair, pair
from climbfast.graphs.sid import intervention_distance
from climbfast.names import listing

__all__ = ["Comparison", "Rates", "compare"]


@dataclass(frozen=True)
class Rates:
    """Precision and recall of the edges of a graph.

    Attributes
    ----------
    right, found, true : int
        Numbers of correct edges, of edges found, and of true edges.
    """

    right: int
    found: int
    true: int

    @property
    def precision(self) -> float:
        """Share of the edges found that are correct; 1 when none was found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of the true edges that are correct; 1 when there are none."""
        return self.right / self.true if self.true else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 when both are."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def to_dict(self) -> dict[str, float]:
        """Return the three rates and the numbers of edges."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1, **asdict(self)}


@dataclass(frozen=True, repr=False)
class Comparison:
    """The difference between the true graph and a graph that was found.

    Attributes
    ----------
    nodes : int
        Number of nodes of either graph.
    shd : int
        Structural Hamming distance: the number of pairs of nodes whose edges differ. Between CPDAGs it is that of
        Tsamardinos et al. (2006).
    shd_skeleton : int
        The same without directions: the number of pairs that are adjacent in one graph only.
    sid_lower, sid_upper : int or None
        Structural intervention distance (Peters and Bühlmann 2015): the number of ordered pairs (i, j) for which
        adjusting for the parents of i gives a wrong effect of i on j. For a DAG both are the distance; for a graph with
        undirected edges they are that of the best and of the worst DAG in its class. None when the truth is not a DAG,
        or the graph found has no extension to a DAG: then there are no effects to compare.
    sid_exact : bool
        Whether some DAG of the class has each bound; False when the class was too large to enumerate, and the bounds
        are sums over the nodes.
    skeleton : Rates
        Of adjacencies.
    arrows : Rates
        Of directed edges; undirected ones do not count.
    arrows_paper : Rates
        By the rule of Marx and Vreeken (2018): an undirected edge counts once as found and never as correct. The true
        edges are only the directed ones here too; in the paper the truth is a DAG.
    missing, extra : tuple of pairs
        True edges between nodes that are not adjacent in the graph found, and edges found between nodes that are not
        adjacent in truth. A directed one is (source, target).
    reversed : tuple of pairs
        Edges that are directed the other way, with their true direction.
    undecided : tuple of pairs
        Edges that are undirected in the graph found and directed in truth, with their true direction.
    overdecided : tuple of pairs
        Edges that are directed in the graph found and undirected in truth, with the direction found.

    Notes
    -----
    The five lists together have each pair that `shd` counts once.

    Examples
    --------
    >>> import climbfast as cf
    >>> names = ("smoking", "tar", "cough")
    >>> truth = cf.Graph(names, directed=[("smoking", "tar"), ("tar", "cough")])
    >>> found = cf.Graph(names, directed=[("tar", "smoking"), ("tar", "cough"), ("smoking", "cough")])
    >>> difference = cf.compare(truth, found)
    >>> difference.shd, difference.reversed, difference.extra
    (2, (('smoking', 'tar'),), (('smoking', 'cough'),))
    >>> difference.skeleton.recall, difference.arrows.recall
    (1.0, 0.5)
    """

    nodes: int
    shd: int
    shd_skeleton: int
    sid_lower: int | None
    sid_upper: int | None
    sid_exact: bool
    skeleton: Rates
    arrows: Rates
    arrows_paper: Rates
    missing: tuple[Edge, ...]
    extra: tuple[Edge, ...]
    reversed: tuple[Edge, ...]
    undecided: tuple[Edge, ...]
    overdecided: tuple[Edge, ...]

    @property
    def sid(self) -> int | None:
        """The structural intervention distance where it is one number, as for a DAG; else None."""
        return self.sid_lower if self.sid_lower == self.sid_upper else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and lists, as they are written to JSON."""
        plain: dict[str, Any] = {}
        for part in fields(self):
            value = getattr(self, part.name)
            if isinstance(value, Rates):
                value = value.to_dict()
            plain[part.name] = list(map(list, value)) if isinstance(value, tuple) else value
        return plain | {"sid": self.sid}

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON."""
        return json.dumps(self.to_dict(), default=str)

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.graphs import comparison_html

        return comparison_html(self)

    def __repr__(self) -> str:
        return f"<Comparison: {self}>"

    def __str__(self) -> str:
        bounds = "unknown" if self.sid_lower is None else f"{self.sid_lower} to {self.sid_upper}"
        sid = bounds if self.sid is None else self.sid
        rates = (
            f"{name} precision {rate.precision:.3f}, recall {rate.recall:.3f}, F1 {rate.f1:.3f}"
            for name, rate in (("skeleton", self.skeleton), ("arrows", self.arrows))
        )
        return "; ".join([f"SHD {self.shd} (skeleton {self.shd_skeleton}), SID {sid}", *rates])


def compare(truth: Any, found: Any) -> Comparison:
    """Compare a graph with the true one.

    Parameters
    ----------
    truth, found : Graph, Network, or graph of NetworkX
        Two graphs with the same nodes, which are matched by name. Either may have undirected edges.

    Returns
    -------
    Comparison

    Raises
    ------
    GraphError
        For graphs with different nodes, and for an object that is not a graph.

    References
    ----------
    I. Tsamardinos, L. Brown and C. Aliferis (2006), "The max-min hill-climbing Bayesian network structure learning
    algorithm", Machine Learning 65. J. Peters and P. Bühlmann (2015), "Structural intervention distance for
    evaluating causal graphs", Neural Computation 27. Marx and Vreeken (2018), arXiv 1808.06356.

    Examples
    --------
    >>> import climbfast as cf
    >>> truth = cf.Graph(("a", "b", "c"), [("a", "b"), ("b", "c")])
    >>> found = cf.Graph(("a", "b", "c"), [("b", "a")], [("b", "c")])
    >>> comparison = cf.compare(truth, found)
    >>> print(comparison.shd, comparison.shd_skeleton, comparison.sid_lower, comparison.sid_upper)
    2 0 3 6
    >>> comparison.reversed, comparison.undecided
    ((('a', 'b'),), (('b', 'c'),))
    >>> comparison.skeleton.f1
    1.0
    """
    truth, found = as_graph(truth), as_graph(found)
    _check_nodes(truth, found)
    true_edges, edges = _Edges.of(truth, truth), _Edges.of(found, truth)
    found_pdag = PDAG(len(truth.names), edges.directed, edges.undirected)
    bounds = intervention_distance(truth.pdag, found_pdag) if truth.is_dag else None
    right = len(edges.directed & true_edges.directed)
    differences = {
        "missing": true_edges.between(true_edges.pairs - edges.pairs),
        "extra": edges.between(edges.pairs - true_edges.pairs),
        "reversed": {arc for arc in true_edges.directed if arc[::-1] in edges.directed},
        "undecided": {arc for arc in true_edges.directed if pair(*arc) in edges.undirected},
        "overdecided": {arc for arc in edges.directed if pair(*arc) in true_edges.undirected},
    }
    return Comparison(
        nodes=len(truth.names),
        shd=sum(map(len, differences.values())),
        shd_skeleton=len(true_edges.pairs ^ edges.pairs),
        sid_lower=bounds.lower if bounds else None,
        sid_upper=bounds.upper if bounds else None,
        sid_exact=bounds.exact if bounds else False,
        skeleton=Rates(len(edges.pairs & true_edges.pairs), len(edges.pairs), len(true_edges.pairs)),
        arrows=Rates(right, len(edges.directed), len(true_edges.directed)),
        arrows_paper=Rates(right, len(edges.pairs), len(true_edges.directed)),
        **{kind: _named(truth, arcs) for kind, arcs in differences.items()},
    )


def _check_nodes(truth: Graph, found: Graph) -> None:
    unmatched = []
    for which, one, other in (("the truth", truth, found), ("the graph found", found, truth)):
        shared = set(other.names)
        if only := [name for name in one.names if name not in shared]:
            unmatched.append(f"only in {which}: {listing(only, limit=5)}")
    if unmatched:
        raise GraphError(
            f"the graphs have different nodes; {'; '.join(unmatched)}. Nodes without edges have to be listed too"
        )


class _Edges(NamedTuple):
    """Edges by number; undirected edges and pairs have the smaller number first."""

    directed: set[Arc]
    undirected: set[Pair]
    pairs: set[Pair]

    @classmethod
    def of(cls, graph: Graph, order: Graph) -> _Edges:
        """Return the edges of a graph with the numbers that the nodes have in another one."""
        directed = {(order.index(x), order.index(y)) for x, y in graph.directed}
        undirected = {pair(order.index(x), order.index(y)) for x, y in graph.undirected}
        return cls(directed, undirected, undirected | {pair(*arc) for arc in directed})

    def between(self, pairs: set[Pair]) -> set[Arc]:
        """Return the edges between some pairs."""
        return {arc for arc in self.directed if pair(*arc) in pairs} | self.undirected & pairs


def _named(graph: Graph, arcs: set[Arc]) -> tuple[Edge, ...]:
    return tuple((graph.names[x], graph.names[y]) for x, y in sorted(arcs))
