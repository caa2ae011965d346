"""The tiers of the report are true, and its tables have a line for each figure."""

from __future__ import annotations

import climbfast as cf
from bench.reports.knowledge import SEARCHES, Accuracy, Work, closed_tiers, table, table_of_work, true_tiers


def test_the_tiers_are_true():
    network = cf.load_example()
    for known in (true_tiers(network), closed_tiers(network)):
        assert sorted(known.entries()) == sorted(network.nodes)
        allowed = known.allowed_arcs(network.nodes)
        place = {name: number for number, name in enumerate(network.nodes)}
        assert all(allowed.allows(place[x], place[y]) for x, y in network.arcs)
    assert len(true_tiers(network).tiers) == 3


def test_every_search_takes_tiers():
    network = cf.load_example()
    data, known = network.sample(500, seed=1), true_tiers(network)
    for find in SEARCHES.values():
        allowed = known.allowed_arcs(find(data, None).names)
        found = find(data, known)
        assert all(allowed.allows(found.index(x), found.index(y)) for x, y in found.directed)


def test_the_tables():
    assert table([Accuracy("alarm", "pc", 60.0, 72.25, 12.0, 7.5)]).splitlines()[-1] == (
        "| alarm | pc | 60.0 | 72.2 | +12.2 | 12.0 | 7.5 |"
    )
    line = "| munin | pc, tests | nothing | 12,345 | 1.50 |"
    assert table_of_work([Work("munin", "pc, tests", "nothing", 12345, 1.5)]).splitlines()[-1] == line
