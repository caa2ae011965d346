"""How to search, checked once: what one target and all targets have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from climbfast.errors import Legal, Option, OptionError
from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tests import Test, TestOptions, options_of_test, test_name
from climbfast.local.methods import BEST, METHODS, Method, method_named
from climbfast.local.neighborhoods import Symmetry
from climbfast.local.neighbors import Neighbors, Search
from climbfast.local.partition import NODE_BUDGET
from climbfast.options import choice, flag, limit_of, max_given_option, max_pool_option, number, whole_number

__all__ = ["Plan", "plan_blanket", "plan_neighbors"]

SYMMETRIES = ("and", "or", "none", "children")
DIRECTIONS = ("decided", "all")
# Of true neighbors with a margin below 1 bit, 45 to 64 % are on the right side, from 1 to 2 bits 65 to 82 %.
DECIDED_BITS = 1.0


@dataclass(frozen=True)
class Plan:
    """Options of a search, all within their legal values.

    Attributes
    ----------
    method : Method
    search : Search or MemberSearch
        The search that it uses.
    symmetry : {"and", "or", "none", "children"}
    max_given : int, None or "default"
        As asked for.
    max_pool : int or None
        Most columns of which all sets are given.
    directed : bool
        Whether parents are told from children.
    colliders : bool
        Whether collider evidence shows sides to Climb.
    directions : {"decided", "all"}
    min_margin : float
        Bits below which a neighbor whose side was weighed is undecided.
    node_budget : int
    """

    method: Method
    search: Search
    symmetry: Symmetry
    max_given: int | str | None = "default"
    max_pool: int | None = MAX_POOL
    directed: bool = False
    colliders: bool = False
    directions: str = "decided"
    min_margin: float = 0.0
    node_budget: int = NODE_BUDGET

    @property
    def search_name(self) -> str:
        """The name of the search as the registry writes it."""
        return str(getattr(self.search, "__name__", type(self.search).__name__)).replace("_", "-")

    @property
    def most_given(self) -> int | None:
        """Largest set out of neighbors to condition on."""
        return limit_of(self.max_given)

    @property
    def most_given_while_growing(self) -> int | None:
        """Largest set to condition on while a blanket grows."""
        return None if self.max_given == "default" else cast("int | None", self.max_given)

    @property
    def of_neighbors(self) -> bool:
        """Whether the search finds neighbors, from which spouses follow, not blankets as a whole."""
        return self.method.members is None

    @cached_property
    def registered(self) -> bool:
        """Whether the search is one of ``METHODS``, all of which begin with the marginal tests, not a custom search."""
        return self.search in [search for method in METHODS.values() for search in (method.neighbors, method.members)]

    def neighbors(self, test: Test, x: int, candidates: Sequence[int]) -> Neighbors:
        """Run the search of neighbors around a column; a custom search decides itself which sets it tests."""
        bound = {"max_pool": self.max_pool} if self.registered else {}
        return self.search(test, x, candidates, self.most_given, **bound)

    def refuse_knowledge(self) -> None:
        """Refuse knowledge if the search cannot honor it.

        Raises
        ------
        OptionError
            For a custom search, and for a method that finds blankets as a whole; the message names those that can.
        """
        if self.registered and self.of_neighbors:
            return
        names = [name for name, method in METHODS.items() if method.members is None and method.finds != "neighbors"]
        if not self.registered:
            raise OptionError("a custom search cannot honor what is known beforehand; leave out ", Option("neighbors"))
        raise OptionError(
            f"the method {self.method.name} finds the blanket as a whole, and cannot honor what is known beforehand; "
            f"take one of {', '.join([*names, BEST])}"
        )

    @property
    def compiled(self) -> bool:
        """Whether the compiled Climb takes it: the paper's rules, by a search that keeps to ``max_given``."""
        return self.method.name == "climb" and self.symmetry in ("children", "none") and self.registered

    def provenance(self, test: Test | TestOptions) -> dict[str, Any]:
        """Return the fields of a result that say by which search and test it was found."""
        options: dict[str, Any] = {"max_pool": self.max_pool}
        if self.method.finds != "neighbors":
            options |= {
                "orient": self.directed,
                "colliders": self.colliders,
                "directions": self.directions,
                "min_margin": self.min_margin,
                "node_budget": self.node_budget,
            }
        return {
            "method": self.method.name,
            "search": self.search_name,
            "symmetry": self.symmetry,
            "max_given": self.max_given,
            "test": test_name(test),
            "options": {**options, **options_of_test(test)},
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the options as journals name them."""
        return {
            "method": self.method.name,
            "search": self.search_name,
            "symmetry": self.symmetry,
            "max_given": self.max_given,
            "max_pool": self.max_pool,
            "directed": self.directed,
            "colliders": self.colliders,
            "directions": self.directions,
            "min_margin": self.min_margin,
            "node_budget": self.node_budget,
        }


def plan_blanket(
    method: str,
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
) -> Plan:
    """Check the options of ``markov_blanket``.

    Raises
    ------
    OptionError
        For an option outside its legal values, or one that the method has no use for.
    """
    orient = None if orient is None else flag("orient", orient)
    chosen = method_named(method, "blanket", "causal blanket")
    causal = chosen.finds == "causal blanket"
    if neighbors is not None and not causal:
        raise OptionError(Option("neighbors"), f" is for the method climb; {chosen.name} has its own search")
    if orient is False and causal:
        raise OptionError(
            Option("orient", value=False),
            f": the method {chosen.name} always tells parents from children; pcmb does not",
        )
    seen = causal if colliders is None else flag("colliders", colliders)
    if seen and not causal:
        raise OptionError(
            Option("colliders"), f" is for the method climb; {chosen.name} has no collider evidence to direct by"
        )
    margin = _min_margin(directions, min_margin)
    if not causal and not orient and ((min_margin or 0) > 0 or directions == "all" or node_budget != NODE_BUDGET):
        raise OptionError(
            Option("min_margin"),
            ", ",
            Option("node_budget"),
            " and ",
            Option("directions", "all"),
            f" need directions; {chosen.name} finds directions only with ",
            Option("orient", value=True),
        )
    # GetPC is GetPCD with this rule; inside Climb, too, its name asks for it.
    rule: Symmetry | None = "and" if symmetry is None and neighbors == "getpc" else symmetry
    return Plan(
        chosen,
        _search(neighbors, chosen),
        _symmetry(rule, chosen),
        max_given_option(max_given),
        max_pool_option(max_pool),
        directed=causal or bool(orient),
        colliders=seen,
        directions=directions,
        min_margin=margin,
        node_budget=whole_number("node_budget", node_budget, least=1),
    )


def _min_margin(directions: str, min_margin: float | None) -> float:
    """Return the bits below which a neighbor whose side was weighed is undecided."""
    choice("directions", directions, DIRECTIONS)
    if min_margin is None:
        return DECIDED_BITS if directions == "decided" else 0.0
    if directions == "all":
        raise OptionError(
            Option("min_margin"),
            " makes neighbors undecided, and ",
            Option("directions", "all"),
            " none; leave one out",
        )
    return number("min_margin", min_margin)


def plan_neighbors(
    method: str, *, max_given: int | str | None, max_pool: int | None = MAX_POOL, symmetry: Symmetry | None
) -> Plan:
    """Check the options of ``neighbors``.

    Raises
    ------
    OptionError
        For an option outside its legal values.
    """
    chosen = method_named(method, "neighbors")
    return Plan(
        chosen,
        _search(None, chosen),
        _symmetry(symmetry, chosen),
        max_given_option(max_given),
        max_pool_option(max_pool),
    )


def _symmetry(symmetry: str | None, method: Method) -> Symmetry:
    legal = SYMMETRIES if method.finds == "causal blanket" else SYMMETRIES[:3]
    if symmetry is not None and symmetry not in legal:
        raise OptionError(Option("symmetry"), f" is {symmetry!r}; for {method.name} it is one of ", Legal(legal))
    return cast(Symmetry, symmetry or method.symmetry)


def _search(search: str | Search | None, method: Method) -> Search:
    if callable(search):
        return search
    if search is not None:
        method = method_named(search, "neighbors", option="neighbors")
    return cast(Search, method.neighbors or method.members)
