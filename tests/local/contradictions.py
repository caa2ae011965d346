"""In which points a blanket contradicts knowledge: none, whatever the data and the knowledge are."""

from __future__ import annotations

from collections.abc import Sequence

import climbfast as cf


def contradictions(found: cf.Blanket, known: cf.Knowledge, names: Sequence[object]) -> list[str]:
    """Say in which points a blanket contradicts knowledge."""
    allowed, at = known.allowed_arcs(list(names)), {name: place for place, name in enumerate(names)}
    t, wrong = at[found.target], []
    for x in map(at.__getitem__, found.parents):
        wrong += [f"parent {names[x]}"] * (not allowed.allows(x, t))
    for x in map(at.__getitem__, found.children):
        wrong += [f"child {names[x]}"] * (not allowed.allows(t, x))
    for x in map(at.__getitem__, found.undecided):
        wrong += [f"undecided {names[x]}"] * (not (allowed.allows(t, x) and allowed.allows(x, t)))
    for x, y in allowed.required:
        wrong += [f"missing parent {names[x]}"] * (y == t and names[x] not in found.parents)
        wrong += [f"missing child {names[y]}"] * (x == t and names[y] not in found.children)
    for spouse, children in found.common_children.items():
        for child in children:
            joins = allowed.allows(t, at[child]) and allowed.allows(at[spouse], at[child])
            wrong += [f"spouse {spouse} by {child}"] * (not joins)
    one_way = [x for x in found.neighbors if allowed.allows(at[x], t) != allowed.allows(t, at[x])]
    wrong += ["other sides are known"] * (list(found.known) != one_way)
    wrong += ["a known side is weighed"] * bool({*found.known} & {*found.margins, *found.evidence})
    wrong += ["an open side is contradicted"] * bool({*found.contradicted} - {*found.known})
    apart = [x for x in found.separating_sets if x != found.target and not allowed.allows_edge(t, at[x])]
    wrong += [f"forbidden {x} has a separating set" for x in apart]
    return wrong
