"""Runs over replicates: the same for any workers, with a journal, stopped and continued; and odd input."""

from __future__ import annotations

import joblib
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest

import climbfast as cf
from climbfast.resampling.schemes import SCHEMES
from climbfast_kernels._jit import INTERPRETED
from tests.batch.runs import CountingReporter, StoppingReporter, units_in
from tests.factories import quiet
from tests.resampling.replicates import bootstrap, content, counts_of_graphs, counts_of_members, tables_of

OPTIONS = {
    "pc": {},
    "fges": {},
    "best": {"perturbations": 1},
    "pc+climb": {},
    "blankets": {},
    "blanket": {"target": "sleep"},
}


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(500, seed=1)


@pytest.fixture(scope="module")
def expected(data):
    return content(bootstrap(data, "pc"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.journal"


def alone(data, search, options):
    """The search on its own."""
    functions = {"pc": cf.pc, "fges": cf.fges, "best": cf.causal_graph, "blanket": cf.markov_blanket}
    if search == "blankets":
        return cf.markov_blankets(data, progress=False, n_jobs=1, **options)
    if search == "pc+climb":
        return cf.causal_graph(data, search, **options)
    return functions[search](data, **options)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("search", OPTIONS)
def test_as_each_replicate_alone(data, search, scheme):
    found = bootstrap(data, search, scheme=scheme, seed=4, replicates=3, **OPTIONS[search])
    results = [alone(table, search, OPTIONS[search]) for table in tables_of(data, 3, scheme, 4)]
    if search in ("blanket", "blankets"):
        blankets = [{each.target: each} if search == "blanket" else each for each in results]
        expected = {ends: tuple(roles.values()) for ends, roles in counts_of_members(blankets).items()}
        table = found.members
    else:
        expected, table = counts_of_graphs(results), found.pairs
    name = found.names
    ends = [(name[x], name[y]) for x, y in zip(table.x.tolist(), table.y.tolist(), strict=True)]
    assert dict(zip(ends, map(tuple, table.counts.tolist()), strict=True)) == expected


class TestWorkers:
    @pytest.mark.parametrize("backend", ["sequential", "threading", "loky", "multiprocessing"])
    def test_the_same_for_all(self, data, expected, backend):
        if INTERPRETED and backend != "sequential":
            return
        with joblib.parallel_config(backend=backend, n_jobs=2):
            found = bootstrap(data, "pc", n_jobs=-1)
        assert content(found) == expected

    def test_two(self, data, expected):
        assert content(bootstrap(data, "pc", n_jobs=2)) == expected

    def test_progress_counts_replicates(self, data):
        reporter = CountingReporter()
        bootstrap(data, "pc", progress=reporter)
        assert reporter.passes == [("replicates", 2, 6)]
        assert (reporter.units, reporter.ended) == ({"replicates": 4}, 1)


def test_any_order_of_columns(data):
    frame = {name: [data.levels[name][code] for code in data.codes[data.index(name)]] for name in data.names}
    one, other = quiet(frame), quiet(dict(reversed(frame.items())))
    for search in ("pc", "blankets", "fges"):
        assert content(bootstrap(one, search)) == content(bootstrap(other, search))


class TestJournal:
    def test_with_one_the_same(self, data, expected, path):
        assert content(bootstrap(data, "pc", journal=path)) == expected
        assert units_in(path) == {"replicates": 6}
        assert cf.journal_status(path).complete
        reporter = CountingReporter()
        assert content(bootstrap(data, "pc", journal=path, progress=reporter)) == expected
        assert reporter.passes == [("replicates", 6, 6)]

    @pytest.mark.parametrize("tasks", [1, 3])
    def test_stopped_and_continued(self, data, expected, path, tasks):
        with pytest.raises(cf.Interrupted, match=r"replicates are saved in .*: repeat the run with resume=True"):
            bootstrap(data, "pc", journal=path, progress=StoppingReporter(tasks))
        assert units_in(path) == {"replicates": 2 + tasks}
        assert content(bootstrap(data, "pc", journal=path)) == expected

    def test_without_one_nothing_is_saved(self, data):
        with pytest.raises(cf.Interrupted, match=r"nothing is saved: only a run with journal=\.\.\. can be"):
            bootstrap(data, "pc", progress=StoppingReporter(1))

    def test_more_replicates_and_fewer(self, data, expected, path):
        bootstrap(data, "pc", journal=path, replicates=3)
        assert content(bootstrap(data, "pc", journal=path)) == expected
        assert content(bootstrap(data, "pc", journal=path, replicates=2)) == content(
            bootstrap(data, "pc", replicates=2)
        )

    @pytest.mark.parametrize(
        ("other", "message"),
        [
            ({"seed": 1}, "seed was 0 and is 1"),
            ({"scheme": "half"}, "scheme was 'bootstrap' and is 'half'"),
            ({"search": "fges"}, "search was 'pc' and is 'fges'"),
            ({"max_given": 2}, "max_given was None and is 2"),
            ({"test": cf.G2(0.02)}, "test was .*0.01.* and is .*0.02"),
            ({"data": True}, "a journal of other data"),
        ],
    )
    def test_of_another_run(self, data, path, other, message):
        options = {"test": cf.G2(0.01), **other}
        bootstrap(data, "pc", journal=path, test=cf.G2(0.01))
        data = cf.load_example().sample(500, seed=2) if options.pop("data", None) else data
        with pytest.raises(cf.JournalError, match=message):
            bootstrap(data, options.pop("search", "pc"), journal=path, **options)

    def test_objects_by_their_value(self, data, path):
        bootstrap(data, "pc", journal=path, test=cf.G2(0.02))
        reporter = CountingReporter()
        bootstrap(data, "pc", journal=path, test=cf.G2(0.02), progress=reporter)
        assert reporter.known == {"replicates": 6}

    def test_of_a_function(self, data, expected, path):
        bootstrap(data, by_pc, journal=path, replicates=4)
        found = bootstrap(data, by_pc, journal=path)
        assert found.search == "by_pc"
        assert repr(content(found)[0]).replace("by_pc", "pc") == repr(expected[0])
        with pytest.raises(cf.JournalError, match=r"search was '.*by_pc' and is '.*by_networkx'"):
            bootstrap(data, by_networkx, journal=path)

    def test_of_a_lambda(self, data, path):
        with pytest.raises(cf.OptionError, match="recognizes a function by its name"):
            bootstrap(data, lambda data: cf.pc(data), journal=path)
        assert not path.exists()


def by_pc(data):
    return cf.pc(data, n_jobs=1)


def by_networkx(data):
    return nx.DiGraph(list(cf.pc(data, n_jobs=1).directed))


failing: list[int] = []


def failing_at_the_fourth(data):
    failing.append(1)
    if len(failing) == 4:
        raise ZeroDivisionError("no such thing")
    return cf.pc(data, n_jobs=1)


class TestFunctions:
    @pytest.mark.parametrize(
        ("function", "same"),
        [
            (lambda data: cf.markov_blankets(data, progress=False, n_jobs=1), "blankets"),
            (lambda data, target: cf.markov_blanket(data, target), "blanket"),
            (lambda data: cf.pc(data, n_jobs=1), "pc"),
        ],
    )
    def test_graphs_and_blankets(self, data, function, same):
        options = OPTIONS[same]
        found = content(bootstrap(data, function, **options))
        assert found[0].replace("<lambda>", same) == content(bootstrap(data, same, **options))[0]

    def test_a_graph_of_networkx(self, data):
        found = bootstrap(data, by_networkx)
        directed = [graph.directed for graph in map(by_pc, tables_of(data))]
        assert all(found.direction(x, y) == sum((x, y) in each for each in directed) / 6 for x, y in directed[0])

    def test_one_that_fails(self, data, path):
        failing.clear()
        with pytest.raises(cf.ReplicateError) as caught:
            bootstrap(data, failing_at_the_fourth, seed=7, journal=path)
        assert str(caught.value) == (
            "the search failed in replicate 3 of seed=7: ZeroDivisionError: no such thing; finished replicates are "
            f"saved in {path}"
        )
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
        assert units_in(path) == {"replicates": 3}
        assert bootstrap(data, failing_at_the_fourth, seed=7, journal=path).replicates == 6

    def test_an_error_of_ours_in_a_function(self, data):
        with pytest.raises(cf.ReplicateError, match="in replicate 0 of seed=0: OptionError: "):
            bootstrap(data, lambda data: cf.pc(data, "t-test"))

    def test_what_is_no_result(self, data):
        with pytest.raises(cf.ReplicateError, match="GraphError: int is not a graph"):
            bootstrap(data, lambda data: 3)

    def test_now_a_graph_and_now_a_blanket(self, data):
        results = iter([cf.Graph(data.names), cf.Blanket(target="sleep")])
        with pytest.raises(cf.OptionError, match="search returned graphs in some replicates and blankets in others"):
            bootstrap(data, lambda data: next(results), replicates=2)


class TestOptions:
    @pytest.mark.parametrize(
        ("search", "options", "error", "message"),
        [
            ("pc", {"replicates": 0}, cf.OptionError, "replicates is 0; it has to be a whole number from 1 up"),
            ("pc", {"replicates": 2.5}, cf.OptionError, "replicates is 2.5"),
            ("pc", {"seed": -1}, cf.OptionError, "seed is -1"),
            ("pc", {"scheme": "jackknife"}, cf.OptionError, "scheme is 'jackknife'; it is one of bootstrap, half"),
            ("hc", {}, cf.OptionError, "search is 'hc'; it is one of best"),
            ("pc", {"test": "t"}, cf.OptionError, "t"),
            ("pc", {"tset": "sci"}, cf.OptionError, "tset"),
            ("best", {"max_given": 2}, cf.OptionError, "the method best does not take max_given"),
            ("blanket", {}, cf.OptionError, "name it as target"),
            ("blanket", {"target": "slepe"}, cf.UnknownColumnError, "no column named 'slepe'"),
            ("blankets", {"targets": ["slepe"]}, cf.UnknownColumnError, "no column named 'slepe'"),
            ("blankets", {"target": "sleep"}, cf.OptionError, "target"),
            ("pc", {"n_jobs": 0}, cf.OptionError, "n_jobs is 0"),
            ("pc", {"progress": 3}, cf.OptionError, "progress"),
            ("pc", {"missing": "level"}, cf.OptionError, "missing is an option for reading a frame"),
            ("pc", {"knowledge": 3}, cf.OptionError, "knowledge is a Knowledge"),
        ],
    )
    def test_a_false_one(self, data, search, options, error, message):
        with pytest.raises(error, match=message):
            bootstrap(data, search, **options)

    def test_as_the_search_says_it(self, data):
        with pytest.raises(cf.OptionError) as direct:
            cf.pc(data, conflicts="none")
        with pytest.raises(cf.OptionError) as caught:
            bootstrap(data, "pc", conflicts="none")
        assert str(caught.value) == str(direct.value)

    @pytest.mark.filterwarnings("ignore::climbfast.ClimbfastWarning")
    def test_frames(self, data):
        frame = {name: [data.levels[name][code] for code in data.codes[data.index(name)]] for name in data.names}
        expected = content(bootstrap(quiet(frame), "pc"))
        for table in (frame, pd.DataFrame(frame), pl.DataFrame(frame)):
            assert content(bootstrap(table, "pc")) == expected
        found = bootstrap({**frame, "gap": [None] + ["a", "b"] * 249 + ["a"]}, "pc", missing="test-wise")
        assert found.options["missing"] == "test-wise"
        assert bootstrap(frame, "pc", columns=["sleep", "fatigue", "reflux"]).names == ("fatigue", "reflux", "sleep")

    def test_targets(self, data):
        found = bootstrap(data, "blankets", targets=iter(["smoking", "sleep"]))
        assert found.targets == ("sleep", "smoking")
        assert found.options["targets"] == ["smoking", "sleep"]
        assert set(found.members.x.tolist()) <= {found.names.index(name) for name in found.targets}


@pytest.mark.parametrize("search", ["pc", "fges", "best", "blankets"])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.filterwarnings("ignore::climbfast.ClimbfastWarning")
class TestSmallTables:
    def run(self, frame, search, scheme, **options):
        return bootstrap(quiet(frame), search, scheme=scheme, replicates=4, **options)

    def test_one_row(self, search, scheme):
        found = self.run({"a": ["x"], "b": ["y"]}, search, scheme)
        assert len(found.pairs.x) == 0
        assert found.graph().edges == ()

    def test_one_column(self, search, scheme):
        found = self.run({"a": ["x", "y"] * 20}, search, scheme)
        assert found.graph().names == ("a",)
        assert found.stable().edges == ()

    def test_constants(self, search, scheme):
        assert self.run({"a": ["x"] * 30, "b": ["y"] * 30}, search, scheme).graph(0).edges == ()

    def test_a_level_that_a_replicate_lacks(self, search, scheme):
        cells = ["u", "v"] * 30
        frame = {"a": cells, "b": [*cells[:-1], "rare"], "c": ["s"] * 59 + ["rare"]}
        share = self.run(frame, search, scheme).edge("a", "b")
        # Without the rare row the two are copies, which graphs join; a blanket has no copies among its members.
        assert share == 1 if search != "blankets" else share < 1


def test_one_replicate(data):
    found = bootstrap(data, "pc", replicates=1)
    assert set(found.frequencies.values()) <= {(1, 1, 0), (1, 0, 1), (1, 0, 0)}
    assert np.isnan(found.pairs.strength_spread).all()
