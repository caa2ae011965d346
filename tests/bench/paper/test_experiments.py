"""Each experiment at its smallest: what it draws and measures."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from bench.paper.experiments import EXPERIMENTS, independence, table, zero_baseline
from bench.paper.experiments.zero_baseline import ExplainedShare
from bench.paper.graphs import FGES, PC, Graphs
from bench.paper.samples import Sample

pytestmark = pytest.mark.filterwarnings("ignore::climbfast.ClimbfastWarning")


@pytest.fixture(scope="module")
def sample():
    network = cf.load_example()
    return Sample(network, network.sample(2_000, seed=1))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_data_sets_differ_and_quick_ones_are_fewer(name):
    quick, full = ([tuple(s.items()) for s in EXPERIMENTS[name].data_sets(quick=q)] for q in (True, False))
    assert len(set(full)) == len(full) > len(set(quick)) == len(quick)
    assert all(setting[-1][0] == "seed" for setting in full)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_options_of_a_method_are_in_its_repr(name):
    shown = [repr(method) for method in EXPERIMENTS[name].METHODS.values()]
    assert len(set(shown)) == len(shown)
    assert not any(" at 0x" in text for text in shown)


@pytest.mark.parametrize("name", ["plug-and-play", "telling-apart", "causal-blankets", "sci-in-pc", "table"])
def test_rates_are_percentages(name, sample):
    for method in EXPERIMENTS[name].METHODS.values():
        measures = method(sample)
        rates = [value for key, value in measures.items() if key in ("precision", "recall", "f1", "accuracy")]
        assert rates
        assert all(0 <= rate <= 100 for rate in rates)


def test_what_directs_edges_builds_on_the_same_search(sample):
    alone, directed = Graphs(PC)(sample), Graphs(PC, "climb")(sample)
    assert directed["tests"] == alone["tests"] > 0
    assert directed["seconds"] > alone["seconds"]
    assert Graphs(FGES)(sample)["tests"] > 0


def test_true_class_is_all_right_but_for_what_it_leaves_open(sample):
    class_of_truth = cf.Graph.from_networkx(sample.network.to_networkx()).to_cpdag()
    share = 100 * len(class_of_truth.directed) / len(sample.network.arcs)
    measures = table.METHODS["true class"](sample)
    assert measures["precision"] == measures["recall"] == pytest.approx(share)


def test_noise_is_the_share_of_values_that_are_drawn_anew():
    (data,) = independence.draw({"rows": 20_000, "noise": 0.4, "sets": 1, "seed": 1})
    f, d = (data.codes[data.index(name)] for name in "FD")
    most = sum(np.bincount(d[f == level]).max() for level in range(4))
    assert most / 20_000 == pytest.approx(1 - 0.4 * 3 / 4, abs=0.015)


def test_without_noise_tests_know_half_of_the_answers():
    data_sets = independence.draw({"rows": 2_500, "noise": 0.0, "sets": 2, "seed": 1})
    assert {name: method(data_sets)["accuracy"] for name, method in independence.METHODS.items()} == {
        "SCI": 50.0,
        "G²": 50.0,
        "CMI": 50.0,
    }


def test_the_larger_gain_is_sci():
    pairs = zero_baseline.draw({"levels": 16, "sets": 3, "seed": 1})
    shares = {name: method(pairs)["share"] for name, method in zero_baseline.METHODS.items()}
    data_sets = [pair.data() for pair in pairs]
    sci = np.mean(
        [cf.test(d, "X", "Y").sci / (cf.test(d, "X", "Y").sc_x - cf.test(d, "X", "Y").regret_x) for d in data_sets]
    )
    assert shares["SCI"] == pytest.approx(100 * sci)
    assert max(shares["SC of X"], shares["SC of Y"]) <= shares["SCI"] < 0 < shares["entropy"]


def test_declared_levels_cost_more():
    pairs = zero_baseline.draw({"levels": 1_024, "sets": 2, "seed": 1})
    occurring, declared = (ExplainedShare("SCI", declared=asked)(pairs)["share"] for asked in (False, True))
    assert 0 < declared < occurring
    assert len(pairs[0].data(declared=True).levels["Y"]) == 1_024 > len(pairs[0].data().levels["Y"])
