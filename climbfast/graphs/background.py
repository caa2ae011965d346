"""Background knowledge in graphs: what it directs, what follows, and whether it leaves a DAG.

C. Meek (1995), "Causal inference and causal explanation with background knowledge", UAI: when the edges that knowledge
directs are directed one by one, and rules R1 to R4 applied after each, every edge that is left undirected has either
direction in some DAG of the class that obeys; and if an edge is already directed otherwise, no DAG of the class does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from climbfast.graphs.meek import ALL_RULES, close_pdag
from climbfast.graphs.pdag import PDAG, Arc, Pair
from climbfast.knowledge import AllowedArcs

__all__ = ["can_obey", "disobeying", "known_arcs", "with_knowledge"]


def known_arcs(pdag: PDAG, allowed: AllowedArcs, nodes: Iterable[int] | None = None) -> list[Arc]:
    """Return the undirected edges, at some nodes or all, with the direction that knowledge gives them."""
    return [
        (x, y)
        for x in (range(pdag.size) if nodes is None else sorted(nodes))
        for y in sorted(pdag.undirected[x])
        if allowed.directs(x, y)
    ]


def disobeying(pdag: PDAG, allowed: AllowedArcs) -> list[Arc]:
    """Return the edges that contradict knowledge, and the required ones that are missing or have another direction."""
    arcs = [arc for arc in pdag.arcs() if not allowed.allows(*arc)]
    undirected = [edge for edge in pdag.undirected_edges() if not allowed.allows_edge(*edge)]
    missing = [(x, y) for x, y in sorted(allowed.required) if y not in pdag.children[x] | pdag.undirected[x]]
    return arcs + undirected + missing


def with_knowledge(cpdag: PDAG, allowed: AllowedArcs | None) -> PDAG | None:
    """Return the class with what knowledge directs, and all that follows: its DAGs are those that obey.

    Parameters
    ----------
    cpdag : PDAG
        A CPDAG, which is not changed.
    allowed : AllowedArcs or None
        None knows nothing.

    Returns
    -------
    PDAG or None
        None if no DAG of the class obeys.
    """
    found = cpdag.copy()
    if allowed is None:
        return found
    for x, y in known_arcs(found, allowed):
        if y in found.undirected[x]:
            found.orient(x, y)
            close_pdag(found, ALL_RULES, (x, y))
    return None if disobeying(found, allowed) else found


def can_obey(cpdag: PDAG, changed: Collection[Pair], allowed: AllowedArcs) -> bool:
    """Whether a DAG of a class obeys, if one of the class did before some pairs changed.

    Only these pairs and the chain components at them are examined: all nodes of a component have the same parents
    outside of it, so each component can be directed by itself (Andersson, Madigan and Perlman 1997, "A characterization
    of Markov equivalence classes for acyclic digraphs").

    Parameters
    ----------
    cpdag : PDAG
    changed : collection of (int, int)
        The pairs whose edge is another one, is new, or is gone.
    allowed : AllowedArcs
    """
    for x, y in changed:
        for source, target in ((x, y), (y, x)):
            if target in cpdag.children[source] and not allowed.allows(source, target):
                return False
    seen: set[int] = set()
    for x in {x for edge in changed for x in edge}:
        if x not in seen and cpdag.undirected[x]:
            component = _chain_component(cpdag, x)
            seen |= component
            if not _component_can_obey(cpdag, component, allowed):
                return False
    return True


def _chain_component(cpdag: PDAG, x: int) -> set[int]:
    """Return the nodes that undirected edges connect with x."""
    component, waiting = {x}, [x]
    while waiting:
        new = cpdag.undirected[waiting.pop()] - component
        component |= new
        waiting += new
    return component


def _component_can_obey(cpdag: PDAG, component: set[int], allowed: AllowedArcs) -> bool:
    """Whether the edges of a chain component can be directed as knowledge asks, without a v-structure or a cycle.

    Nodes that can be a sink are removed one by one, as by Dor and Tarsi (``equivalence.extension``): those whose
    neighbors are a clique, and from which knowledge directs no edge. If the component has a DAG that obeys, such a node
    can be its last, so the order of removal does not matter.
    """
    known: dict[int, set[int]] = {}
    for x, y in known_arcs(cpdag, allowed, component):
        known.setdefault(x, set()).add(y)
    if not known:
        return True
    left = {x: set(cpdag.undirected[x]) for x in component}
    waiting = list(component)
    while waiting:
        x = waiting.pop()
        if x not in left or known.get(x) or any(len(left[x] - cpdag.adjacent[y]) > 1 for y in left[x]):
            continue
        for y in left.pop(x):
            left[y].remove(x)
            known.get(y, set()).discard(x)
            waiting.append(y)
    return not left
