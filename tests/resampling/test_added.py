"""Frequencies added to results: those of their edges and members, counted naively."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

import climbfast as cf
from climbfast.resampling.records import ROLES
from tests.resampling.replicates import bootstrap, counts_of_graphs, counts_of_members, tables_of

DRAWN = {"replicates": 6, "scheme": "bootstrap", "seed": 0}


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(300, seed=2)


@pytest.fixture(scope="module")
def blankets(data):
    return cf.markov_blankets(data, n_jobs=1, progress=False)


@pytest.fixture(scope="module")
def found(data):
    return bootstrap(data, "blankets")


class TestGraph:
    def test_shares_of_each_edge_and_of_it_as_it_is(self, data):
        graph = cf.pc(data, n_jobs=1)
        assert graph.directed
        assert graph.undirected
        added = bootstrap(data, "pc").added_to(graph)
        counts = counts_of_graphs(cf.pc(table, n_jobs=1) for table in tables_of(data))
        for x, y in graph.edges:
            joined, forward, backward = counts.get((min(x, y), max(x, y)), (0, 0, 0))
            same = (forward if x < y else backward) if (x, y) in graph.directed else joined - forward - backward
            assert added.frequencies[x, y] == (joined / 6, same / 6)
        assert len(added.frequencies) == len(graph.edges)
        assert added.options == {**graph.options, "bootstrap": DRAWN}
        assert replace(added, frequencies={}, options=graph.options) == graph

    def test_an_edge_that_no_replicate_has(self, data):
        sure = bootstrap(data, "pc")
        never = next(name for name in data.names if name != "sleep" and sure.edge("sleep", name) == 0)
        added = sure.added_to(cf.Graph(data.names, [("sleep", never)]))
        assert added.frequencies == {("sleep", never): (0.0, 0.0)}

    def test_a_graph_in_another_order_and_of_some_columns(self, data):
        sure = bootstrap(data, "pc")
        graph = cf.pc(data, n_jobs=1)
        some = cf.Graph(
            sorted({x for edge in graph.edges for x in edge}, reverse=True), graph.directed, graph.undirected
        )
        expected = {frozenset(edge): shares for edge, shares in sure.added_to(graph).frequencies.items()}
        assert {frozenset(edge): shares for edge, shares in sure.added_to(some).frequencies.items()} == expected

    def test_a_merge_of_blankets(self, found, blankets):
        added = found.added_to(blankets.merge())
        assert added.frequencies == {(x, y): (found.edge(x, y), found.direction(x, y)) for x, y in added.directed} | {
            (x, y): (found.edge(x, y), found.undirected(x, y)) for x, y in added.undirected
        }

    def test_nothing_is_known_of_edges_between_columns_that_are_no_targets(self, data):
        graph = cf.Graph(data.names, [("sleep", "fatigue"), ("smoking", "heart_disease")])
        found = bootstrap(data, "blanket", target="fatigue")
        assert set(found.added_to(graph).frequencies) == {("sleep", "fatigue")}

    def test_copies(self):
        data = cf.load_example().sample(300, seed=2)
        columns = dict(zip(data.canonical, data.codes.tolist(), strict=True))
        with pytest.warns(cf.ClimbfastWarning, match="determine each other"):
            data = cf.Dataset.from_frame({**columns, "rest": columns["sleep"]})
        graph = cf.pc(data, n_jobs=1)
        added = bootstrap(data, "pc").added_to(graph)
        assert set(added.frequencies) == set(graph.edges)
        assert added.frequencies["rest", "sleep"] == (1.0, 1.0)


class TestBlankets:
    def test_shares_of_each_role(self, data, found, blankets):
        added = found.added_to(blankets)
        counts = counts_of_members(cf.markov_blankets(table, n_jobs=1, progress=False) for table in tables_of(data))
        for target, blanket in added.items():
            named = {*blanket.members, *(member for other, member in counts if other == target)}
            assert list(blanket.frequencies) == sorted(named)
            for name, shares in blanket.frequencies.items():
                each = counts.get((target, name), dict.fromkeys(ROLES, 0))
                assert shares == {"found": sum(each.values()) / 6, **{role: n / 6 for role, n in each.items()}}
            assert replace(blanket, frequencies={}, options=blankets[target].options) == blankets[target]
            assert blanket.options["bootstrap"] == DRAWN
        assert added.how == {**blankets.how, "bootstrap": DRAWN}

    def test_one_blanket(self, data, found, blankets):
        one = bootstrap(data, "blanket", target="fatigue").added_to(blankets["fatigue"])
        assert one == found.added_to(blankets)["fatigue"]

    def test_a_member_that_no_replicate_has(self, found):
        known = found.added_to(cf.Blanket("sleep")).frequencies
        never = next(name for name in found.names if name != "sleep" and name not in known)
        added = found.added_to(cf.Blanket("sleep", parents=(never,)))
        assert added.frequencies == {**known, never: dict.fromkeys(("found", *ROLES), 0.0)}


@pytest.mark.parametrize(
    ("method", "test"),
    [*product(["climb", "iamb", "gs"], ["sci", "g2", "cmi"]), ("best", None)],  # which has no test
)
def test_the_same_method_and_test_are_accepted(method, test, data):
    options = {"method": method, "test": test} if test else {"method": method}
    sure = bootstrap(data, "blanket", target="sleep", replicates=2, **options)
    blanket = cf.markov_blanket(data, "sleep", **options)
    assert sure.added_to(blanket).frequencies
    assert sure.added_to(replace(blanket, data=None)).frequencies == sure.added_to(blanket).frequencies


def test_what_is_refused(data, found, blankets):
    other = cf.load_example().sample(300, seed=3)
    of_one = bootstrap(data, "blanket", target="fatigue")
    for sure, result, says in (
        (of_one, blankets["sleep"], "the replicates have no blanket of 'sleep'; their targets are 'fatigue'"),
        (of_one, blankets, "the replicates have no blanket of "),
        (found, cf.Graph(["sleep", "income"]), "the result has 'income', which is no column of the replicates"),
        (found, cf.Blanket("sleep", parents=("income",)), "the result has 'income', which is no column"),
        (found, cf.Blanket("income"), "the result has 'income', which is no column"),
        (found, replace(blankets["sleep"], columns=9), "the result is of 9 columns, and the replicates are of 15"),
        (bootstrap(data, "pc"), blankets, "the replicates of pc are graphs, which have no members of blankets"),
        (bootstrap(data, "pc"), blankets["sleep"], "the replicates of pc are graphs"),
        (
            found,
            cf.markov_blanket(data, "sleep", method="iamb"),
            "the result was searched with the method 'iamb', and the replicates with 'climb'; add",
        ),
        (
            bootstrap(data, "blanket", target="sleep", method="iamb"),
            cf.markov_blanket(data, "sleep", method="iamb", test="g2"),
            "the result was searched with the test 'g2', and the replicates with 'sci'; add",
        ),
        (found, cf.markov_blanket(other, "sleep"), r"the result is of other data \(\w+\) than the replicates \(\w+\)"),
        (found, cf.markov_blankets(other, n_jobs=1, progress=False), "the result is of other data"),
        (found, None, "NoneType has no frequencies; add them to a Graph, a Blanket or Blankets"),
    ):
        with pytest.raises(cf.OptionError, match=says):
            sure.added_to(result)
