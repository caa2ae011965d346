"""How far a graph is from the truth: every usual distance, and every edge that differs by name."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from climbfast.errors import GraphError
from climbfast.graphs.graph import Edge, Graph, as_graph
from climbfast.graphs.pdag import PDAG, Arc, pair
from climbfast.graphs.sid import intervention_distance
from climbfast.names import listing

__all__ = ["Comparison", "Rates", "compare"]


@dataclass(frozen=True)
class Rates:
    """How many of the edges found are right, and how many of the true ones are found.

    Attributes
    ----------
    right, found, true : int
        Edges found that are right, edges found, edges in truth.
    """

    right: int
    found: int
    true: int

    @property
    def precision(self) -> float:
        """Share of what was found that is right; 1 when nothing was found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of what is true that was found; 1 when there is nothing to find."""
        return self.right / self.true if self.true else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 when both are."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def to_dict(self) -> dict[str, float]:
        """Return the three rates and the counts behind them."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1, **asdict(self)}


@dataclass(frozen=True)
class Comparison:
    """What distinguishes a graph that was found from the truth.

    Attributes
    ----------
    nodes : int
        Number of nodes, which both graphs share.
    shd : int
        Structural Hamming distance: pairs of nodes that are not joined in the same way. On CPDAGs that of
        Tsamardinos et al. (2006).
    shd_skeleton : int
        The same without direction: pairs joined in one graph only.
    sid_lower, sid_upper : int or None
        Structural intervention distance (Peters and Bühlmann 2015): ordered pairs (i, j) for which adjusting for
        the parents of i gives a wrong effect of i on j. For a DAG both are the distance; with undirected edges they
        are that of the best and of the worst DAG in the class. None when the truth is no DAG, or what was found has
        no extension to one: then there are no effects to compare.
    sid_exact : bool
        Whether a DAG of the class has each bound; False when the class was too large to go through, and the bounds
        are added up node by node.
    skeleton : Rates
        Of pairs that are joined.
    arrows : Rates
        Of directed edges: undirected ones do not count.
    arrows_paper : Rates
        By the rule of Marx and Vreeken (2018): an undirected edge counts once as found and never as right. Edges in
        truth are its directed ones here too; the paper's truths are DAGs.
    missing, extra : tuple of pairs
        Edges of the truth between nodes that were found apart, and edges found between nodes that are apart in truth.
        A directed one is (source, target).
    reversed : tuple of pairs
        Edges directed the other way; as they are in truth.
    undecided : tuple of pairs
        Edges found undirected and directed in truth; as they are there.
    overdecided : tuple of pairs
        Edges found directed and undirected in truth; as they were found.

    Notes
    -----
    The five lists hold every pair that `shd` counts, once.
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

    def __str__(self) -> str:
        bounds = "unknown" if self.sid_lower is None else f"{self.sid_lower} to {self.sid_upper}"
        rates = {"skeleton": self.skeleton, "arrows": self.arrows}
        shown = (
            f"{name} precision {rate.precision:.3f}, recall {rate.recall:.3f}, F1 {rate.f1:.3f}"
            for name, rate in rates.items()
        )
        sid = bounds if self.sid is None else self.sid
        return "; ".join([f"SHD {self.shd} (skeleton {self.shd_skeleton}), SID {sid}", *shown])


def compare(found: Any, truth: Any) -> Comparison:
    """Compare a graph with the truth.

    Parameters
    ----------
    found, truth : Graph, Network, or graph of NetworkX
        Two graphs of the same nodes, which are matched by name. Either may have undirected edges.

    Returns
    -------
    Comparison

    Raises
    ------
    GraphError
        For graphs of different nodes, and for what is no graph.

    References
    ----------
    I. Tsamardinos, L. Brown and C. Aliferis (2006), "The max-min hill-climbing Bayesian network structure learning
    algorithm", Machine Learning 65. J. Peters and P. Bühlmann (2015), "Structural intervention distance for
    evaluating causal graphs", Neural Computation 27. Marx and Vreeken (2018), arXiv 1808.06356.
    """
    found, truth = as_graph(found), as_graph(truth)
    _check_nodes(found, truth)
    ours, theirs = _Edges.of(found, truth), _Edges.of(truth, truth)
    apart = ours.pairs ^ theirs.pairs
    placed = PDAG(len(truth.names), ours.directed, ours.undirected)
    bounds = intervention_distance(truth.pdag, placed) if truth.is_dag else None
    right = len(ours.directed & theirs.directed)
    differences = {
        "missing": _named(truth, theirs.between(theirs.pairs - ours.pairs)),
        "extra": _named(truth, ours.between(ours.pairs - theirs.pairs)),
        "reversed": _named(truth, {arc for arc in theirs.directed if arc[::-1] in ours.directed}),
        "undecided": _named(truth, {arc for arc in theirs.directed if pair(*arc) in ours.undirected}),
        "overdecided": _named(truth, {arc for arc in ours.directed if pair(*arc) in theirs.undirected}),
    }
    return Comparison(
        nodes=len(truth.names),
        shd=sum(map(len, differences.values())),
        shd_skeleton=len(apart),
        sid_lower=bounds.lower if bounds else None,
        sid_upper=bounds.upper if bounds else None,
        sid_exact=bounds.exact if bounds else False,
        skeleton=Rates(len(ours.pairs & theirs.pairs), len(ours.pairs), len(theirs.pairs)),
        arrows=Rates(right, len(ours.directed), len(theirs.directed)),
        arrows_paper=Rates(right, len(ours.pairs), len(theirs.directed)),
        **differences,
    )


def _check_nodes(found: Graph, truth: Graph) -> None:
    lonely = [
        f"only in {where}: {listing([name for name in one.names if name not in set(other.names)], limit=5)}"
        for where, one, other in (("what was found", found, truth), ("the truth", truth, found))
        if not set(one.names) <= set(other.names)
    ]
    if lonely:
        raise GraphError(
            f"the graphs have different nodes; {'; '.join(lonely)}. A node without edges has to be listed too"
        )


class _Edges(NamedTuple):
    """Edges by number; undirected ones and pairs with the smaller number first."""

    directed: set[Arc]
    undirected: set[Arc]
    pairs: set[Arc]

    @classmethod
    def of(cls, graph: Graph, order: Graph) -> _Edges:
        """Number the edges of a graph by the names of another one."""
        directed = {(order.index(x), order.index(y)) for x, y in graph.directed}
        undirected = {pair(order.index(x), order.index(y)) for x, y in graph.undirected}
        return cls(directed, undirected, undirected | {pair(*arc) for arc in directed})

    def between(self, pairs: set[Arc]) -> set[Arc]:
        """Return the edges of some pairs."""
        return {arc for arc in self.directed if pair(*arc) in pairs} | self.undirected & pairs


def _named(graph: Graph, arcs: set[Arc]) -> tuple[Edge, ...]:
    return tuple((graph.names[x], graph.names[y]) for x, y in sorted(arcs))
