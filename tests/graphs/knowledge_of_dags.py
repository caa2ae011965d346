"""Knowledge to search with: true of a DAG, every tiering of one, and random, which may be false."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from itertools import islice, product

import climbfast as cf
from climbfast.knowledge import AllowedArcs
from tests.graphs.classes import members
from tests.graphs.naive import Mixed, arcs
from tests.oracle import DAG


def every_true_tiering(dag: DAG, names: Sequence[str], step: int = 1) -> Iterator[cf.Knowledge]:
    """Any of the nodes in tiers that no arc contradicts: all of them open, then closed where no arc is inside.

    Of all of them, in this order, the first of every so many.
    """
    for tiers, closed in islice(_true_tierings(dag), None, None, step):
        yield cf.Knowledge(tiers=[[names[x] for x in tier] for tier in tiers], closed=closed)


def _true_tierings(dag: DAG) -> Iterator[tuple[list[list[int]], set[int]]]:
    """Tiers of nodes, and which of them are closed."""
    nodes = range(len(dag))
    for tier in product(range(-1, len(dag)), repeat=len(dag)):
        used = set(tier) - {-1}
        if not used or used != set(range(len(used))) or any(tier[x] > tier[y] >= 0 for x, y in arcs(dag)):
            continue
        tiers = [[x for x in nodes if tier[x] == number] for number in sorted(used)]
        yield tiers, set()
        closed = used - {tier[x] for x, y in arcs(dag) if tier[x] == tier[y]}
        if any(len(tiers[number]) > 1 for number in closed):
            yield tiers, closed


def true_knowledge(dag: DAG, names: Sequence[Hashable], draw: random.Random) -> cf.Knowledge:
    """Some of everything that is true of a DAG; all of one kind or another may be missing."""
    nodes = range(len(dag))
    everything = [(x, y) for x in nodes for y in nodes if x != y]
    present = sorted(arcs(dag))

    def some(things: Sequence, most: float) -> list:
        share = draw.choice([0, draw.uniform(0, most)])
        return [thing for thing in things if draw.random() < share]

    def named(edges: list) -> list:
        return [(names[x], names[y]) for x, y in edges]

    order: list[int] = []
    while len(order) < len(dag):
        order.append(draw.choice([x for x in nodes if x not in order and dag[x] <= set(order)]))
    cuts = sorted(draw.sample(range(1, len(dag)), min(draw.choice([0, 1, 2, 3]), len(dag) - 1)))
    free = set(some(nodes, 0.4))
    pieces = [order[a:b] for a, b in zip([0, *cuts], [*cuts, len(dag)], strict=True)] if cuts else []
    tiers = [tier for piece in pieces if (tier := [x for x in piece if x not in free])]
    without_arcs = [number for number, tier in enumerate(tiers) if not any(x in tier and y in tier for x, y in present)]
    apart = [(x, y) for x, y in everything if (x, y) not in present and (y, x) not in present]
    both = some([pair for pair in apart if pair[0] < pair[1]], 0.4)
    return cf.Knowledge(
        tiers=[[names[x] for x in tier] for tier in tiers],
        closed=some(without_arcs, 1),
        required=named(some(present, 0.5)),
        forbidden=named(some([pair for pair in everything if pair not in present], 0.3))
        + named([edge for pair in both for edge in (pair, pair[::-1])]),
        roots=[names[x] for x in some([x for x in nodes if not dag[x]], 1)],
        leaves=[names[x] for x in some([x for x in nodes if not any(x in parents for parents in dag)], 1)],
    )


def random_knowledge(names: Sequence[Hashable], draw: random.Random) -> cf.Knowledge:
    """Any knowledge that does not contradict itself."""
    everything = [(x, y) for x in names for y in names if x != y]
    while True:
        tier = {x: draw.randrange(-2, 3) for x in names}
        tiers = [[x for x in names if tier[x] == number] for number in range(3)]
        tiers = [members_ for members_ in tiers if members_] if draw.random() < 0.6 else []
        try:
            return cf.Knowledge(
                tiers=tiers,
                closed=[number for number in range(len(tiers)) if draw.random() < 0.3],
                required=draw.sample(everything, min(draw.randrange(4), len(everything))),
                forbidden=draw.sample(everything, draw.randrange(1 + len(everything) // 2)),
                roots=[x for x in names if draw.random() < 0.1],
                leaves=[x for x in names if draw.random() < 0.1],
            )
        except cf.KnowledgeError:
            continue


def most_directed(dag: DAG, allowed: AllowedArcs) -> Mixed:
    """All directions that some equivalent DAG has which obeys."""
    obeying = [arcs(other) for other in members(dag) if all(allowed.allows(*arc) for arc in arcs(other))]
    return frozenset().union(*obeying)
