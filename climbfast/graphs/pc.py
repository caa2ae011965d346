"""PC: a causal graph from tests of independence, the same whatever the order of the columns.

Spirtes, Glymour and Scheines (2000), "Causation, Prediction, and Search"; Colombo and Maathuis (2014),
"Order-independent constraint-based causal structure learning", JMLR 15; Meek (1995) for the orientations that follow.
``pc_skeleton`` finds the skeleton, ``pc_orientation`` the v-structures and what to do when they conflict.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any, Unpack

from climbfast.compiling import seconds_of_work
from climbfast.dataset import Dataset, ReadingOptions, Representative, as_dataset
from climbfast.graphs.copies import with_copies
from climbfast.graphs.graph import Graph, Names
from climbfast.graphs.pc_orientation import CONFLICTS, Orientation, orient_skeleton
from climbfast.graphs.pc_skeleton import Skeleton, find_skeleton
from climbfast.graphs.pdag import pair
from climbfast.graphs.runner import TestRunner
from climbfast.graphs.separating_sets import SeparatingSets
from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tester import without_copies
from climbfast.independence.tests import Test, TestOptions
from climbfast.interrupts import interruptible
from climbfast.knowledge import KnowledgeOption, as_knowledge
from climbfast.names import canonical_key, sorted_by_name
from climbfast.options import choice, limit_of, max_pool_option

__all__ = ["pc"]


@interruptible
def pc(
    data: Dataset | Any,
    test: str | TestOptions | Test = "sci",
    *,
    conflicts: str = "majority",
    max_given: int | str | None = "default",
    max_pool: int | None = MAX_POOL,
    representative: Representative = None,
    n_jobs: int | None = -1,
    min_bits: float | str | None = None,
    counting: str = "auto",
    knowledge: KnowledgeOption = None,
    **reading: Unpack[ReadingOptions],
) -> Graph:
    """Find the causal graph of all columns by stable PC.

    Parameters
    ----------
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    test : {"sci", "g2", "x2", "cmi"} or SCI or G2 or X2 or CMI, or an object with ``sweep`` and ``weakest``
    conflicts : {"majority", "conservative", "overwrite", "keep-first", "undirected"}
        How a v-structure x -> y <- z is recognized, and what happens to an edge that two of them direct in opposite
        directions. "majority": y is in fewer than half of the sets that separate x and z, among all sets of neighbors
        of x or of z; "conservative": y is in none of these sets; the other rules use only the separating set that the
        search found. "overwrite": the last v-structure decides, in the order of the columns in the data, as in pcalg;
        "keep-first": the first one, in canonical order; all other rules leave the edge undirected.
    max_given : int, None or "default"
        Largest conditioning set; None is unlimited, the default is 3.
    max_pool : int or None
        Most neighbors of which all sets of up to three are given; None is no bound. Of more neighbors, sets of two
        columns are drawn from the ``max_pool`` that are nearest to the other column of the pair, on which it depends
        most strongly, and sets of three from half as many, as larger sets always are; sets of one column are still
        drawn from all. ``figures["bounded"]`` is the number of edges for which sets were left out.
    representative : None, "first", name, or collection of names
        Which of several copies has the edges to other columns, see ``markov_blanket``.
    n_jobs : int or None
        Workers, as joblib counts them; -1 is one for every core, or a single one if the data are so few that more
        workers would take longer. The result is the same. A custom test has one worker.
    min_bits : float, "auto" or None
        Short for ``test=SCI(min_bits=...)``.
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The strategy of counting; the result is the same. Not for a custom test.
    knowledge : Knowledge, path of a file, or None
        What is known beforehand: tiers, required and forbidden edges. The result obeys it.
    **reading
        Options of ``Dataset.from_frame`` for a frame, see ``markov_blanket``.

    Returns
    -------
    Graph
        A CPDAG if the tests do not contradict each other; never with a directed cycle. The reason of a direction is
        "known" if knowledge allows no other, "collider" for the edges of v-structures that the tests show, "compelled"
        for those that follow from these by Meek's rules. The strength of an edge is the weakest strength of all tests
        of it, in the unit of the test: bits for SCI, log10 α − log10 p for G² and X², bits per row minus the cutoff for
        CMI. Pairs of columns that knowledge forbids both ways are not tested, and have no separating set. Of several
        copies one is searched; the others have an undirected edge to it, whose direction no data can tell.

    Raises
    ------
    OptionError
        For an option outside its legal values.
    DataError
        For a frame that cannot be read as discrete data.
    UnknownColumnError, KnowledgeError
        For knowledge about columns that are not there, and knowledge that contradicts itself.

    References
    ----------
    Colombo and Maathuis (2014), "Order-independent constraint-based causal structure learning", JMLR 15.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(5000, seed=1)
    >>> graph = cf.pc(data)
    >>> graph
    <Graph: 15 nodes, 15 directed and 3 undirected edges, neither DAG nor CPDAG>
    >>> graph.parents_of("heart_disease")
    ('blood_pressure', 'cholesterol', 'smoking')
    >>> round(graph.strengths["smoking", "heart_disease"], 1)
    65.6
    >>> graph.separating_sets["diet", "heart_disease"]
    ('cholesterol',)

    Diet and exercise do not act on each other, and both come before what is measured:

    >>> known = cf.Knowledge(tiers=[["diet", "exercise"], ["*pressure", "cholesterol"]], closed=[0])
    >>> cf.pc(data, knowledge=known).parents_of("cholesterol")
    ('diet',)
    """
    begun = seconds_of_work()
    choice("conflicts", conflicts, CONFLICTS)
    most_given, most_in_pool = limit_of(max_given), max_pool_option(max_pool)
    data = as_dataset(data, **reading).represented_by(representative)
    known = as_knowledge(knowledge, data.names)
    searched, test = without_copies(data, test)
    allowed = None if known is None else known.allowed_arcs(searched.canonical)
    # The other rules do not depend on the order of the columns in the source.
    by_file = [searched.index(name) for name in searched.names]
    order = by_file if conflicts == "overwrite" else list(range(searched.columns))
    with TestRunner(
        searched, test, counting=counting, min_bits=min_bits, n_jobs=n_jobs, allowed=allowed, max_pool=most_in_pool
    ) as runner:
        skeleton = find_skeleton(runner, order, most_given, searched.canonical)
        oriented = orient_skeleton(runner, skeleton, conflicts, most_given)
        found = {"names": data.sorted_names, **_named(searched, skeleton, oriented)}
        if searched is not data:
            strength_of = partial(_strength_of_copy, runner.test, searched)
            found = with_copies(found, data, strength_of=strength_of, known=known)
    return Graph(
        **found,
        test_or_score=runner.name,
        options={
            "conflicts": conflicts,
            "max_given": most_given,
            "max_pool": most_in_pool,
            **runner.options,
            **({} if known is None else {"knowledge": known.to_dict()}),
            **data.treatment.options(data.names),
        },
        figures={"bounded": bounded} if (bounded := len(skeleton.bounded & skeleton.strengths.keys())) else {},
        method="pc",
        tests_by_size=runner.counts.by_size,
        skipped=runner.counts.skipped,
        fewest_rows=runner.counts.fewest_rows or data.rows,
        rows=data.rows,
        columns=data.columns,
        seconds=seconds_of_work() - begun,
        data=data,
    )


def _named(data: Dataset, skeleton: Skeleton, oriented: Orientation) -> dict[str, Any]:
    """Return the edges, their strengths, the reasons of their directions and the separating sets by name."""
    name, pdag = data.canonical, oriented.pdag
    directed = {(name[x], name[y]): skeleton.strengths[pair(x, y)] for x, y in pdag.arcs()}
    undirected = {(name[x], name[y]): skeleton.strengths[x, y] for x, y in pdag.undirected_edges()}
    return {
        "directed": list(directed),
        "undirected": list(undirected),
        "separating_sets": SeparatingSets(data.sorted_names, name, skeleton.separators),
        "strengths": directed | undirected,
        "reasons": {(name[x], name[y]): oriented.reason(x, y) for x, y in pdag.arcs()},
        "contradicted": _contradicted(name, oriented),
    }


def _contradicted(name: Sequence[Hashable], oriented: Orientation) -> dict[Names, float]:
    """Return by name what contradicts knowledge, in the order of names: first the edges, then the v-structures."""
    found: dict[Names, float] = {}
    for numbers, strength in oriented.contradicted.items():
        names = tuple(name[x] for x in numbers)
        if len(names) == 3:
            x, z = sorted_by_name([names[0], names[2]])
            names = x, names[1], z
        found[names] = strength
    return {names: found[names] for names in sorted(found, key=lambda of: (len(of), [canonical_key(x) for x in of]))}


def _strength_of_copy(test: Test, searched: Dataset, name: Hashable) -> float:
    """Return the marginal strength of a column with a copy of it."""
    column = searched.index(name)
    return float(test.sweep(column, [column], ())[0])
