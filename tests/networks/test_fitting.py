"""Tables from data, and the likelihood of data: compared with loops over rows, and with pgmpy."""

from __future__ import annotations

import datetime as dt
import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pgmpy.estimators import BayesianEstimator

import climbfast as cf
from climbfast.errors import ClimbfastWarning, DataError, GraphError, NetworkError, OptionError, UnknownColumnError
from climbfast.networks import fitting


def quiet(frame, **options):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        return cf.Dataset.from_frame(frame, **options)


@st.composite
def cases(draw: st.DrawFn):
    """A DAG and rows with missing cells and weights."""
    columns, rows = draw(st.integers(1, 4)), draw(st.integers(2, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    cells = rng.integers(0, rng.integers(1, 4, columns)[:, None], (columns, rows)).astype(object)
    if draw(st.booleans()):
        cells[rng.random(cells.shape) < 0.2] = None
        cells[:, 0] = 0  # a column without any value has no states
    frame = {f"v{i}": [*column] for i, column in enumerate(cells)}
    weights = [*rng.integers(0, 4, rows - 1).tolist(), 1]
    if draw(st.booleans()):
        frame["weight"] = weights[::-1]
    arcs = [(f"v{i}", f"v{j}") for i in range(columns) for j in range(i + 1, columns) if rng.random() < 0.6]
    graph = cf.Graph(tuple(f"v{i}" for i in range(columns)), arcs)
    return graph, frame, draw(st.sampled_from([0, 1, 2.5]))


def rows_of(frame):
    """Rows as dicts, each as often as it occurs."""
    weights = frame.get("weight", [1] * len(frame["v0"]))
    for i, weight in enumerate(weights):
        for _ in range(weight):
            yield {name: cells[i] for name, cells in frame.items() if name != "weight"}


def naive_table(rows, node, family, states, prior):
    r, q = len(states[node]), math.prod(len(states[x]) for x in family)
    table = np.empty([*(len(states[x]) for x in family), r])
    for place in product(*(range(len(states[x])) for x in family)):
        wanted = {x: states[x][i] for x, i in zip(family, place, strict=True)}
        having = [row for row in rows if row[node] is not None and all(str(row[x]) == wanted[x] for x in family)]
        for k, state in enumerate(states[node]):
            n_jk = sum(str(row[node]) == state for row in having)
            total = len(having) + prior / q
            table[(*place, k)] = (n_jk + prior / (q * r)) / total if total else 1 / r
    return table


@given(case=cases())
def test_tables_and_likelihood_are_those_of_a_loop_over_rows(case):
    graph, frame, prior = case
    data = quiet(frame, missing="test-wise", weights="weight" if "weight" in frame else None)
    network = graph.fit(data, prior)
    rows = [*rows_of(frame)]
    expected = 0.0
    for node, family in network.parents.items():
        table = naive_table(rows, node, family, network.states, prior)
        np.testing.assert_allclose(network.tables[node], table, rtol=1e-12)
        for row in rows:
            if all(row[x] is not None for x in (node, *family)):
                at = tuple(network.states[x].index(str(row[x])) for x in (*family, node))
                expected += math.log2(network.tables[node][at])
    assert network.log_likelihood(data) == pytest.approx(expected, abs=1e-9)


def test_blocks_of_rows_give_the_same_counts(monkeypatch):
    truth = cf.load_example()
    data = truth.sample(1000, seed=1)
    graph = cf.Graph(truth.nodes, truth.arcs)
    once = graph.fit(data)
    monkeypatch.setattr(fitting, "_ROWS_AT_ONCE", 7)
    assert graph.fit(data) == once


@pytest.mark.parametrize("prior", [1, 5, 0.25])
def test_tables_are_those_of_pgmpy(prior):
    truth = cf.load_example()
    data = truth.sample(300, seed=2)
    fitted = cf.Graph(truth.nodes, truth.arcs).fit(data, prior=prior)
    frame = pd.DataFrame({name: np.array(data.levels[name])[data.codes[data.index(name)]] for name in data.names})
    for node in ("heart_disease", "age"):
        theirs = BayesianEstimator(truth.to_pgmpy(), frame).estimate_cpd(
            node, prior_type="BDeu", equivalent_sample_size=prior
        )
        order = [theirs.variables.index(x) for x in (*fitted.parents[node], node)]
        states = [[theirs.state_names[x].index(s) for s in fitted.states[x]] for x in (*fitted.parents[node], node)]
        np.testing.assert_allclose(fitted.tables[node], theirs.values.transpose(order)[np.ix_(*states)], rtol=1e-9)


def test_undirected_edges_are_directed_first():
    data = quiet({"a": [0, 0, 1, 1], "b": [0, 1, 1, 1], "c": [1, 0, 1, 0]})
    network = cf.Graph(("a", "b", "c"), directed=[("a", "b")], undirected=[("b", "c")]).fit(data)
    assert network.arcs == (("a", "b"), ("b", "c"))
    square = cf.Graph(("a", "b", "c", "d"), undirected=[("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    with pytest.raises(GraphError, match="no extension to a DAG: every orientation"):
        square.fit(data)


def test_labels_of_the_data_are_states():
    data = quiet(
        {
            "truth": [True, False] * 4,
            "day": [dt.date(2020, 1, 1), dt.date(2020, 1, 2)] * 4,
            "number": [3, -1] * 4,
            "cut": [0.5, 1.5, 2.5, 3.5] * 2,
        },
        numbers={"cut": [2]},
    )
    network = cf.Graph(("truth", "day", "number", "cut")).fit(data)
    assert network.states == {
        "truth": ("False", "True"),
        "day": ("2020-01-01", "2020-01-02"),
        "number": ("-1", "3"),
        "cut": ("(-inf, 2)", "[2, inf)"),
    }


def test_names_and_levels_with_the_same_text_stay_apart():
    frame = pd.DataFrame({1: [0, 1, 0, 1], "1": pd.Categorical([1, "1", "x", "x"])})
    network = cf.Graph((1, "1"), [(1, "1")]).fit(quiet(frame))
    assert network.nodes == ("1", "'1'")
    assert sorted(network.states["'1'"]) == ["'1'", "1", "x"]
    assert network.log_likelihood(quiet(frame)) < 0


def test_columns_that_are_no_nodes_are_not_used():
    data = quiet({"a": [0, 1, 0, 1], "more": [0, 0, 1, 1]})
    assert cf.Graph(("a",)).fit(data).nodes == ("a",)


def test_declared_levels_are_states():
    data = quiet({"a": ["x", "y", "x"]}, declared_levels={"a": ["x", "y", "z"]})
    assert cf.Graph(("a",)).fit(data, prior=3).tables["a"].tolist() == [3 / 6, 2 / 6, 1 / 6]


def test_ids_are_left_out_with_a_warning_and_refused_with_edges():
    data = quiet({"id": [*range(20)], "a": [0, 1] * 10})
    with pytest.warns(ClimbfastWarning, match="id columns have no table, and are not nodes of the network: 'id'"):
        assert cf.Graph(("id", "a")).fit(data).nodes == ("a",)
    with pytest.raises(DataError, match=r"column 'id' has about as many levels as rows.*keep_ids=True"):
        cf.Graph(("id", "a"), [("a", "id")]).fit(data)
    with pytest.warns(ClimbfastWarning), pytest.raises(NetworkError, match="no nodes that can have a table"):
        cf.Graph(("id",)).fit(data)


@pytest.mark.parametrize(
    ("ask", "error", "says"),
    [
        (lambda data: cf.Graph(("smoker", "b")).fit(data), UnknownColumnError, "no column named 'smoker'.*'smokes'"),
        (lambda data: cf.Graph(("b",)).fit(data, prior=-1), OptionError, "prior is -1; it has to be a number from 0"),
        (lambda data: cf.Graph(("b",)).fit(data, prior=math.nan), OptionError, "prior is nan"),
        (lambda data: cf.Graph(("b",)).fit(data, missing="level"), OptionError, "missing is an option for reading"),
    ],
)
def test_what_cannot_be_fitted(ask, error, says):
    with pytest.raises(error, match=says):
        ask(quiet({"smokes": [0, 1], "b": [0, 1]}))


def test_a_column_without_any_value():
    data = quiet({"a": [None, None], "b": ["x", "y"]}, missing="test-wise")
    with pytest.raises(DataError, match="column 'a' has no value in any row"):
        cf.Graph(("a", "b")).fit(data)


def test_a_table_too_large_is_refused_before_memory_is_taken():
    levels = [f"level {i}" for i in range(300)]
    parents = [f"p{i}" for i in range(40)]
    data = quiet(dict.fromkeys(["child", *parents], levels), keep_ids=True)
    with pytest.raises(
        NetworkError, match=r"node 'child' has 4 parents, and its table would have 2,430,000,000,000 cel"
    ):
        cf.Graph(("child", *parents), [(x, "child") for x in parents[:4]]).fit(data)
    with pytest.raises(NetworkError, match="node 'child' has 40 parents; the most are 31"):
        cf.Graph(("child", *parents), [(x, "child") for x in parents]).fit(data)
    two = [(parents[0], "child"), (parents[1], "child"), (parents[2], parents[4]), (parents[3], parents[4])]
    with pytest.raises(NetworkError, match="the tables of all nodes would have 54,"):
        cf.Graph(("child", *parents), two).fit(data)


def test_the_order_of_rows_and_columns_does_not_matter():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 3, (200, 3)), columns=["a", "b", "c"])
    graph = cf.Graph(("a", "b", "c"), [("a", "b"), ("c", "b")])
    moved = quiet(frame.sample(frac=1, random_state=1)[["c", "a", "b"]])
    assert graph.fit(quiet(frame)) == graph.fit(moved)
    assert graph.fit(quiet(frame)).log_likelihood(moved) == graph.fit(quiet(frame)).log_likelihood(quiet(frame))


class TestLogLikelihood:
    network = cf.Network("n", {"a": ("x", "y"), "b": ("0", "1")}, {"b": ("a",)}, {"a": [1, 0], "b": [[0.5, 0.5]] * 2})

    def test_bits(self):
        with pytest.warns(ClimbfastWarning, match="constant columns"):
            assert self.network.log_likelihood({"a": ["x", "x"], "b": [0, 1], "c": [1, 2]}, numbers="levels") == -2

    def test_a_row_that_cannot_be(self):
        assert self.network.log_likelihood({"a": ["x", "y"], "b": [0, 1]}) == -math.inf

    def test_a_level_that_is_no_state(self):
        with pytest.raises(
            DataError, match="column 'b' has the level '2', which is not a state of the network; it has 0"
        ):
            self.network.log_likelihood({"a": ["x", "y"], "b": [0, 2]})

    def test_a_declared_level_that_does_not_occur_is_none(self):
        data = quiet({"a": ["x", "x"], "b": [0, 1]}, declared_levels={"b": [0, 1, 2]})
        assert self.network.log_likelihood(data) == -2

    def test_a_node_that_is_no_column(self):
        with pytest.raises(UnknownColumnError, match="no column named 'b'"):
            self.network.log_likelihood(quiet({"a": ["x", "x"]}))

    def test_an_id(self):
        with pytest.raises(DataError, match="column 'b' has about as many levels as rows"):
            self.network.log_likelihood(quiet({"a": ["x", "y"] * 10, "b": [*range(20)]}))

    def test_a_column_without_any_value(self):
        assert self.network.log_likelihood(quiet({"a": ["x", "x"], "b": [None, None]}, missing="test-wise")) == 0
