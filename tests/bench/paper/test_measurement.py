"""Results are stored, and nothing is measured twice."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from bench.paper import measurement
from bench.paper.experiment import Measurements
from bench.paper.result_store import ResultStore

drawn: list[int] = []
stop_at: list[int] = []


@dataclass(frozen=True)
class Times:
    factor: float

    def __call__(self, number):
        return {"product": self.factor * number, "tests": 1}


def draw(setting):
    if setting["seed"] in stop_at:
        raise KeyboardInterrupt
    drawn.append(setting["seed"])
    return setting["seed"]


def data_sets(*, quick):
    return [{"rows": 10, "seed": seed} for seed in range(1, 3 if quick else 7)]


@pytest.fixture
def experiment(monkeypatch):
    drawn.clear()
    stop_at.clear()
    made = SimpleNamespace(METHODS={"twice": Times(2), "thrice": Times(3)}, data_sets=data_sets, draw=draw)
    monkeypatch.setattr(measurement, "EXPERIMENTS", {"times": made})
    monkeypatch.setattr(measurement, "_load_kernels", lambda name: None)
    return made


@pytest.fixture
def store(tmp_path):
    return ResultStore(tmp_path / "deep" / "paper.sqlite")


def measure(store, *, quick=False):
    return measurement.measure("times", store, quick=quick, workers=1)


def test_one_row_for_a_data_set_and_a_method(experiment, store):
    measured = measure(store, quick=True)
    assert [{k: v for k, v in row.items() if k != "seconds"} for row in measured.rows] == [
        {"rows": 10, "seed": seed, "method": name, "product": factor * seed, "tests": 1}
        for seed in (1, 2)
        for name, factor in (("twice", 2), ("thrice", 3))
    ]


def test_nothing_is_measured_twice(experiment, store):
    first = measure(store)
    seconds = store.seconds("times", quick=False)
    assert measure(store) == first
    assert drawn == [1, 2, 3, 4, 5, 6]
    assert store.seconds("times", quick=False) == seconds > 0
    assert store.seconds("times", quick=True) == 0


def test_a_run_that_was_stopped_goes_on(experiment, store):
    stop_at.append(4)
    with pytest.raises(KeyboardInterrupt):
        measure(store)
    assert drawn == [1, 2, 3]
    stop_at.clear()
    measured = measure(store)
    assert drawn == [1, 2, 3, 4, 5, 6]
    assert measured.values("product", method="twice") == [2, 4, 6, 8, 10, 12]


def test_a_new_method_is_all_that_is_measured(experiment, store):
    measure(store)
    experiment.METHODS = {**experiment.METHODS, "four times": Times(4), "twice": Times(2.5)}
    drawn.clear()
    measured = measure(store, quick=True)
    assert drawn == [1, 2]
    assert measured.values("product", seed=2) == [5, 6, 8]


def test_forgotten_results_are_measured_again(experiment, store):
    measure(store, quick=True)
    store.forget("times")
    measure(store, quick=True)
    assert drawn == [1, 2, 1, 2]


def test_rows_come_back_from_csv(experiment, store, tmp_path):
    measured = measure(store)
    measured.save(tmp_path / "results" / "times.csv")
    assert Measurements.read(tmp_path / "results" / "times.csv") == measured
