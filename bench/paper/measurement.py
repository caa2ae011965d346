"""The measurement of what is not stored yet, data set by data set, in parallel."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from joblib import Parallel, delayed

from bench.paper.experiment import Experiment, Measurements, Row, Setting
from bench.paper.experiments import EXPERIMENTS
from bench.paper.result_store import Results, ResultStore, key_of
from climbfast import ClimbfastWarning

__all__ = ["measure"]

DIGITS = 7


def measure(name: str, store: ResultStore, *, quick: bool, workers: int) -> Measurements:
    """Return the rows of an experiment; each is measured once and stored at once.

    Raises
    ------
    KeyboardInterrupt
        At Ctrl-C; what is finished is stored.
    """
    experiment = EXPERIMENTS[name]
    settings = [dict(setting) for setting in experiment.data_sets(quick=quick)]
    keys = {(i, method): key_of(experiment, s, method) for i, s in enumerate(settings) for method in experiment.METHODS}
    known = store.find(name, keys.values())
    missing = ([method for method in experiment.METHODS if keys[i, method] not in known] for i in range(len(settings)))
    tasks = [(setting, methods) for setting, methods in zip(settings, missing, strict=True) if methods]
    if tasks:
        begun = time.perf_counter()
        try:
            for done, result in enumerate(_results(name, tasks, workers), len(settings) - len(tasks) + 1):
                store.add(name, result)
                known |= result
                _show_progress(name, done, len(settings))
        finally:
            store.add_seconds(name, time.perf_counter() - begun, quick=quick)
    return Measurements(tuple(_row(settings[i], method, known[key]) for (i, method), key in keys.items()))


def _results(name: str, tasks: Iterable[tuple[Setting, list[str]]], workers: int) -> Iterator[Results]:
    jobs = (delayed(_measure_data_set)(name, setting, methods) for setting, methods in tasks)
    yield from Parallel(n_jobs=workers, return_as="generator_unordered")(jobs)


def _measure_data_set(name: str, setting: Setting, methods: Sequence[str]) -> Results:
    """Draw one data set and measure some methods on it; a task of a worker."""
    experiment = EXPERIMENTS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)  # of columns that are odd by design
        _load_kernels(name)
        return {
            key_of(experiment, setting, method): m
            for method, m in _measure_methods(experiment, setting, methods).items()
        }


def _measure_methods(experiment: Experiment, setting: Setting, methods: Sequence[str]) -> Results:
    drawn = experiment.draw(setting)
    found: Results = {}
    for method in methods:
        begun = time.perf_counter()
        measures = experiment.METHODS[method](drawn)
        # A method that builds on the search of another one says itself what both took.
        found[method] = {"seconds": time.perf_counter() - begun, **measures}
    return found


@cache
def _load_kernels(name: str) -> None:
    """Use everything once in this process, so that no time measured is that of loading."""
    experiment = EXPERIMENTS[name]
    _measure_methods(experiment, next(iter(experiment.data_sets(quick=True))), list(experiment.METHODS))


def _row(setting: Setting, method: str, measures: dict[str, float]) -> Row:
    seconds = {"seconds": round(measures["seconds"], 4)}  # the last column: it alone differs from run to run
    rounded = {key: _round(value) for key, value in measures.items() if key != "seconds"}
    return {**setting, "method": method, **rounded, **seconds}


def _round(value: float) -> float:
    return value if isinstance(value, int) else float(f"{value:.{DIGITS}g}")


def _show_progress(name: str, done: int, total: int) -> None:
    """Print how many data sets are done: always on a terminal, ten times elsewhere."""
    text = f"{name}: {done} of {total}"
    if sys.stderr.isatty():
        print(f"\r{text}", end="\n" if done == total else "", file=sys.stderr, flush=True)
    elif done == total or done % max(total // 10, 1) == 0:
        print(text, file=sys.stderr, flush=True)
