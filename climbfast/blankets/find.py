"""The Markov blanket of one target: by a search around it, or read off a graph."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Unpack

from climbfast.dataset import Dataset, ReadingOptions, Representative, as_dataset
from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tests import Test, TestOptions
from climbfast.interrupts import interruptible
from climbfast.knowledge import KnowledgeOption, as_knowledge
from climbfast.local.blanket import Blanket
from climbfast.local.find import find_blanket
from climbfast.local.methods import BEST
from climbfast.local.neighborhoods import Symmetry
from climbfast.local.neighbors import Search
from climbfast.local.partition import NODE_BUDGET
from climbfast.local.plan import plan_blanket

__all__ = ["markov_blanket", "options_of_searches"]


@interruptible
def markov_blanket(
    data: Dataset | Any,
    target: Hashable,
    method: str = "climb",
    test: str | TestOptions | Test = "sci",
    *,
    max_given: int | str | None = "default",
    max_pool: int | None = MAX_POOL,
    neighbors: str | Search | None = None,
    symmetry: Symmetry | None = None,
    orient: bool | None = None,
    colliders: bool | None = None,
    directions: str = "decided",
    min_margin: float | None = None,
    node_budget: int = NODE_BUDGET,
    knowledge: KnowledgeOption = None,
    representative: Representative = None,
    min_bits: float | str | None = None,
    counting: str = "auto",
    **reading: Unpack[ReadingOptions],
) -> Blanket:
    """Find the parents, children and spouses of one column.

    Parameters
    ----------
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    target : Hashable
        Name of the column.
    method : str
        One that finds blankets; ``climbfast methods`` lists them. "best" reads the blanket off a graph; see below.
    test : {"sci", "g2", "x2", "cmi"} or SCI or G2 or X2 or CMI, or an object with ``sweep`` and ``weakest``
    max_given : int, None or "default"
        Largest conditioning set; None is no limit. The default is 3. gs and the iamb methods condition on the whole
        blanket while it grows; there the default is no limit. The test for a spouse is given one column more, the
        common child.
    max_pool : int or None
        Most columns of which all sets of up to three are given; None is no bound. The sets of the neighbors of a hub
        are too many: where more columns could be given, sets of two columns are drawn from the ``max_pool`` that are
        nearest to the column that is tested, on which it depends most strongly, and sets of three from half as many,
        as larger sets always are; sets of one column are still drawn from all. ``Blanket.bounded`` is the number of
        neighbors for which sets were left out. A custom search decides itself which sets it tests.
    neighbors : str, Search or None
        The search of parents and children inside Climb; None is getpcd, and getpc is getpcd with the symmetry "and".
        The other methods have their own.
    symmetry : {"and", "or", "none", "children"} or None
        Which columns have to find each other; None is the method's default. "children" is Climb's.
    orient : bool or None
        Whether to tell parents from children by the partition; None is yes for Climb and no for the others, whose
        neighbors then are ``undecided``.
    colliders : bool or None
        Whether neighbors whose side shows in tests are directed by them before the partition weighs the others; only
        for Climb, where None is yes. False is the rule of the paper.
    directions : {"decided", "all"}
        "decided" reports a neighbor as undecided, neither parent nor child, if its side was weighed and the margin is
        below ``min_margin``; "all" directs every neighbor.
    min_margin : float or None
        Bits; None is 1, below which a direction is as good as that of a coin.
    node_budget : int
        Nodes after which the partition returns its best so far with the proven gap.
    knowledge : Knowledge, path of a file, or None
        What is known beforehand: tiers, required and forbidden edges. The result obeys it. Methods that find the
        blanket as a whole, gs and those of the iamb family, and custom searches refuse it.
    representative : None, "first", name, or collection of names
        Which of several copies, columns that are equal up to the names of their levels, is searched and named in the
        result. None: the first by name. "first": the first in the order of the data. Columns by name stand for their
        copies.
    min_bits : float, "auto" or None
        Short for ``test=SCI(min_bits=...)``.
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The strategy of counting; the result is the same. Not for a custom test.
    **reading
        Options of ``Dataset.from_frame`` for a frame: ``missing``, ``missing_markers``, ``declared_levels``,
        ``numbers``, ``weights``, ``keep_ids``, ``columns``, ``leave_out``.

    Returns
    -------
    Blanket

    Raises
    ------
    UnknownColumnError
        For a target, or a name in the knowledge, that the data do not have.
    KnowledgeError
        For knowledge that contradicts itself, and where it tells a target from a copy that is searched in its place.
    OptionError
        For an option outside its legal values.
    DataError
        For a frame that cannot be read as discrete data.

    Notes
    -----
    With knowledge, a neighbor whose arc is allowed in one direction only is on that side, and is among ``known``; the
    others are told apart as without it. Columns whose edge is forbidden both ways are never tested against each other,
    but for a set that separates them if they may have a common child; spouses are only columns that may be parents of
    it. What the tests show against knowledge is in ``contradicted``.

    With the method "best", which takes ``test`` and ``min_bits`` (for the columns around the target, and for what is
    ``unexplained``), ``directions`` and ``representative``, the blanket is that of the target in the graph of
    ``causal_graph(method="best")``: of all columns if they are at most 100; of more, in the graph of at most 80 columns
    around the target. ``search`` says which it was. The strength of a member is the bits that the score loses without
    its edge, to the target or to the common child; ``margins`` has the neighbors whose direction was chosen within the
    class, as in ``Graph.margins``.

    References
    ----------
    Marx and Vreeken (2018), "Causal Discovery by Telling Apart Parents and Children", arXiv 1808.06356; for the other
    methods ``climbfast methods`` and the docstrings of their files.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> blanket = cf.markov_blanket(data, "heart_disease")
    >>> blanket.parents
    ('blood_pressure', 'cholesterol')
    >>> blanket.spouses
    ('reflux', 'sleep')
    >>> blanket.common_children["reflux"]
    ('chest_pain',)
    """
    if method == BEST:
        from climbfast.blankets.from_graphs import best_blanket, refuse_other_options

        refuse_other_options(
            options_of_searches(
                max_given=max_given,
                max_pool=max_pool,
                neighbors=neighbors,
                symmetry=symmetry,
                orient=orient,
                colliders=colliders,
                min_margin=min_margin,
                node_budget=node_budget,
                counting=counting,
            )
        )
        data = as_dataset(data, **reading).represented_by(representative)
        known = as_knowledge(knowledge, data.names)
        return best_blanket(data, target, test, directions=directions, min_bits=min_bits, known=known)
    plan = plan_blanket(
        method,
        max_given=max_given,
        max_pool=max_pool,
        neighbors=neighbors,
        symmetry=symmetry,
        orient=orient,
        colliders=colliders,
        directions=directions,
        min_margin=min_margin,
        node_budget=node_budget,
    )
    data = as_dataset(data, **reading).represented_by(representative)
    known = as_knowledge(knowledge, data.names)
    return find_blanket(data, target, plan, test, counting=counting, min_bits=min_bits, known=known)


def options_of_searches(
    *, max_given: object, max_pool: object, node_budget: object, counting: object, **others: object
) -> Mapping[str, object]:
    """Return the options of searches around a target, None for those that have their default."""
    return {
        **others,
        "max_given": None if max_given == "default" else max_given if max_given is not None else "none",
        "max_pool": None if max_pool == MAX_POOL else max_pool if max_pool is not None else "none",
        "node_budget": None if node_budget == NODE_BUDGET else node_budget,
        "counting": None if counting == "auto" else counting,
    }
