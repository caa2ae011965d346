"""Runs to make pages of."""

from __future__ import annotations

from functools import cache

import climbfast as cf
from climbfast.local.blanket import ColliderEvidence
from tests.factories import quiet

ATTACK = "<script>window.attacked = true</script>"
NAMES = (ATTACK, 'a "b" c', "x,y", "a\nb", "Größe", "年齢", "very long " * 6, "1", "it's & <b>", "__proto__", "50% #1+")


@cache
def data_with_odd_names() -> cf.Dataset:
    """The example with names and levels that break pages."""
    sample = cf.load_example().sample(1_500, seed=1)
    names = dict(zip(sample.sorted_names, (*NAMES, 1), strict=False))
    frame = {
        names.get(name, name): [f"</script>{sample.levels[name][code]}" for code in sample.codes[sample.index(name)]]
        for name in sample.names
    }
    return quiet(frame)


@cache
def run_with_odd_names() -> cf.Blankets:
    return cf.markov_blankets(data_with_odd_names(), n_jobs=1, progress=False)


def run_of_one_target() -> cf.Blankets:
    """A blanket with everything that there may be to say about one."""
    parents = tuple(f"parent {x:02}" for x in range(30))
    drawn = {"replicates": 40, "scheme": "bootstrap", "seed": 0}
    blanket = cf.Blanket(
        "target",
        parents=parents,
        children=("seen", "weighed"),
        undecided=("open",),
        spouses=("spouse",),
        common_children={"spouse": ("seen", "weighed")},
        strengths={**{name: 30.0 + x for x, name in enumerate(parents)}, "seen": 9.0, "weighed": 30.97, "open": 0.5},
        spouse_strengths={"spouse": 3.0},
        evidence={"seen": ColliderEvidence(("spouse",), 7.25)},
        margins={"weighed": 6.5, "open": 0.25},
        known=parents[:2],
        contradicted={parents[0]: ColliderEvidence(("seen",), 4.5), parents[1]: ColliderEvidence(("open",), -1.0)},
        frequencies={"seen": {"found": 0.95, "child": 0.625}},
        unexplained={"outside": 17.5},
        copies={"target": ("twin",)},
        determined_by=("seen", "open"),
        exact=False,
        gap=2.5,
        method="climb",
        test="g2",
        options={"alpha": 0.05, "bootstrap": drawn},
        rows=500,
        columns=37,
    )
    return cf.Blankets([blanket, cf.Blanket("alone", method="climb", test="g2", rows=500, columns=37)])


def wide_run(columns: int) -> cf.Blankets:
    """A chain of columns, each with the one before as a parent and the one behind as a child; nothing is searched."""
    names = [f"g{x:05}" for x in range(columns)]
    return cf.Blankets(
        cf.Blanket(
            name,
            parents=tuple(names[x - 1 : x]) if x else (),
            children=tuple(names[x + 1 : x + 2]),
            strengths={other: float(x + 1) for other in (*names[max(0, x - 1) : x], *names[x + 1 : x + 2])},
            evidence={other: ColliderEvidence((names[0],), 12.5) for other in names[x + 1 : x + 2]},
            method="climb",
            rows=1_000,
            columns=columns,
        )
        for x, name in enumerate(names)
    )
