"""How a result was found: its tests, and what makes two results equal."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

import climbfast as cf
from climbfast.provenance import Provenance


def test_tests_are_those_of_all_sizes():
    found = Provenance(
        method="climb", tests_by_size=(10, 5, 1), skipped=2, rows=100, columns=7, fewest_rows=80, seconds=0.5
    )
    assert found.tests == 16
    assert json.loads(found.to_json()) == found.to_dict()
    assert found.to_dict() == {
        "method": "climb", "tests": 16, "tests_by_size": [10, 5, 1], "skipped": 2, "rows": 100, "columns": 7,
        "fewest_rows": 80, "seconds": 0.5, "version": cf.__version__,
    }  # fmt: skip


def test_results_that_differ_in_seconds_alone_are_equal():
    assert Provenance(seconds=1.0) == Provenance(seconds=2.0)
    assert Provenance(skipped=1) != Provenance(skipped=2)
    with pytest.raises(FrozenInstanceError):
        Provenance().rows = 1


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(300, seed=1)


@pytest.mark.parametrize(
    "find",
    [
        lambda data: cf.markov_blanket(data, "ecg"),
        lambda data: cf.markov_blanket(data, "ecg", "best"),
        lambda data: cf.neighbors(data, "ecg"),
        lambda data: cf.pc(data),
        lambda data: cf.fges(data),
        lambda data: cf.causal_graph(data, perturbations=2),
        lambda data: cf.causal_graph(data, "pc+climb"),
        lambda data: cf.markov_blankets(data, n_jobs=1, progress=False),
        lambda data: cf.markov_blankets(data, n_jobs=2, progress=False)["ecg"],
        lambda data: cf.markov_blankets(data, method="best", progress=False),
        lambda data: cf.markov_blankets(data, n_jobs=1, progress=False).merge(),
    ],
)
def test_results_have_the_data_of_their_search_which_are_not_written(data, find):
    result = find(data)
    assert result.data is data
    assert "data" not in repr(result).lower().replace("dataset", "")
    if not isinstance(result, cf.Blankets):
        assert "data" not in result.to_dict()
        changed = replace(result, seconds=1.0)
        assert changed.data is data
        assert replace(result, data=None) == result
    read, copied = pickle.loads(pickle.dumps(result)), copy.copy(result)
    assert read == copied == result
    assert read.data is None
    assert copied.data is data
    assert data.codes.tobytes() not in pickle.dumps(result)


def test_blankets_and_graphs_made_from_others_keep_the_data(data):
    blankets = cf.markov_blankets(data, ["ecg", "fatigue"], n_jobs=1, progress=False)
    assert all(blanket.data is data for blanket in blankets.values())
    often = cf.bootstrap(data, "blankets", replicates=2, n_jobs=1, progress=False, targets=["ecg", "fatigue"])
    assert often.added_to(blankets).data is data
    assert often.graph().data is often.stable(5).data is data
    assert pickle.loads(pickle.dumps(often)).graph().data is None
    graph = cf.pc(data)
    assert graph.to_dag().data is data
    assert graph.to_cpdag().data is data
    assert cf.orient(graph, data).data is data
    assert cf.Graph(("a",)).data is None
    assert cf.Blanket("a").data is None
