"""Which name means which search: one line for every published method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from climbfast.errors import Legal, Option, OptionError
from climbfast.local.getpcd import getpcd
from climbfast.local.grow_shrink import grow_shrink
from climbfast.local.hiton import hiton_pc, si_hiton_pc
from climbfast.local.iamb import fast_iamb, iamb, inter_iamb, lambda_iamb
from climbfast.local.iamb_fdr import iamb_fdr
from climbfast.local.mmpc import mmpc
from climbfast.local.neighborhoods import Symmetry
from climbfast.local.neighbors import Search
from climbfast.local.recognize_pc import fast_recognize_pc, recognize_pc
from climbfast.local.rounds import MemberSearch

__all__ = ["BEST", "METHODS", "Method", "method_named"]

BEST = "best"  # the method that reads blankets off a graph: no search around a target, so it is not in METHODS


@dataclass(frozen=True)
class Method:
    """A published search around one target.

    Attributes
    ----------
    name : str
    finds : {"neighbors", "blanket", "causal blanket"}
        Parents and children; these and spouses; or parents, children and spouses told apart.
    symmetry : {"and", "or", "none", "children"}
        The default rule: that of the paper, or of its later correction.
    paper, cost, use : str
        Where it comes from, what it costs in tests (m columns, b members, c members while the search runs), and when
        to take it.
    neighbors : Search or None
        The search of parents and children that it is, or uses.
    members : MemberSearch or None
        The search of the whole blanket that it is.
    """

    name: str
    finds: Literal["neighbors", "blanket", "causal blanket"]
    symmetry: Symmetry
    paper: str
    cost: str
    use: str
    neighbors: Search | None = None
    members: MemberSearch | None = None


_SUBSETS = "m·2^c"
_AROUND = "c·m·2^c"
_GROWTH = "m·b"

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "climb",
            "causal blanket",
            "children",
            "Marx and Vreeken 2018",
            _AROUND,
            "the default: directions too",
            getpcd,
        ),
        Method("pcmb", "blanket", "and", "Peña et al. 2007", _AROUND, "the most cautious", getpcd),
        Method("ipcmb", "blanket", "and", "Fu and Desmarais 2008", _AROUND, "few columns", recognize_pc),
        Method(
            "fast-ipcmb",
            "blanket",
            "and",
            "Zhu and Yang 2014",
            _AROUND,
            "as ipcmb, fewer tests, more calls",
            fast_recognize_pc,
        ),
        Method("mmmb", "blanket", "and", "Tsamardinos et al. 2003", _AROUND, "as pcmb, no re-test while growing", mmpc),
        Method("hiton-mb", "blanket", "and", "Aliferis et al. 2003", _AROUND, "many columns, few neighbors", hiton_pc),
        Method(
            "gs",
            "blanket",
            "none",
            "Margaritis and Thrun 1999",
            _GROWTH,
            "the classic; one test after the other",
            None,
            grow_shrink,
        ),
        Method("iamb", "blanket", "none", "Tsamardinos et al. 2003", _GROWTH, "fast, small blankets", None, iamb),
        Method(
            "inter-iamb",
            "blanket",
            "none",
            "Tsamardinos et al. 2003",
            _GROWTH,
            "as iamb, shrinks at once",
            None,
            inter_iamb,
        ),
        Method(
            "fast-iamb", "blanket", "none", "Yaramakala 2005", _GROWTH, "few tests, many rows a cell", None, fast_iamb
        ),
        Method(
            "lambda-iamb", "blanket", "none", "Zhang et al. 2010", _GROWTH, "as iamb, fewer rounds", None, lambda_iamb
        ),
        Method("iamb-fdr", "blanket", "none", "Peña 2008", _GROWTH, "false discoveries bounded", None, iamb_fdr),
        Method("getpcd", "neighbors", "none", "Peña et al. 2007", _SUBSETS, "inside Climb", getpcd),
        Method("getpc", "neighbors", "and", "Peña et al. 2007", _AROUND, "getpcd with the rule of symmetry", getpcd),
        Method("recognize-pc", "neighbors", "and", "Fu and Desmarais 2008", _AROUND, "few columns", recognize_pc),
        Method("fast-recognize-pc", "neighbors", "and", "Zhu and Yang 2014", _AROUND, "fewer tests", fast_recognize_pc),
        Method("mmpc", "neighbors", "and", "Tsamardinos et al. 2003", _AROUND, "well known, as in MMHC", mmpc),
        Method("hiton-pc", "neighbors", "and", "Aliferis et al. 2003", _AROUND, "many columns", hiton_pc),
        Method(
            "si-hiton-pc", "neighbors", "and", "Aliferis et al. 2010", _AROUND, "many columns, fastest", si_hiton_pc
        ),
    )
}


def method_named(name: object, *finds: str, option: str = "method") -> Method:
    """Return the method of that name, which the user gave as ``option``.

    Raises
    ------
    OptionError
        For an unknown name, or one that finds something else; the message lists the names.
    """
    if isinstance(name, str) and name in METHODS and METHODS[name].finds in finds:
        return METHODS[name]
    found = {method.name: method.finds for method in METHODS.values()} | {BEST: "causal blanket"}
    names = Legal(tuple(known for known, what in found.items() if what in finds))
    if isinstance(name, str) and name in found:
        what = found[name] if found[name] == "neighbors" else f"{found[name]}s"
        raise OptionError(Option(option), f" {name!r} finds {what}; take one of ", names)
    raise OptionError("no ", Option(option), f" named {name!r}; the methods are ", names)
