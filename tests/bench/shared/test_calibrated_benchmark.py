"""The plugin of pytest that measures benchmarks in calibrated time."""

from __future__ import annotations

import pytest

from bench.shared import calibrated_clock
from bench.shared.calibrated_benchmark import CalibratedBenchmark, CalibrationPlugin, short_name


def test_names_are_short():
    assert short_name("bench/benchmarks/test_counts.py::test_count[20000-4-1-dense]") == "counts/count[20000-4-1-dense]"


def test_only_what_is_chosen_is_measured(tmp_path, monkeypatch):
    folder = tmp_path / "bench" / "benchmarks"
    folder.mkdir(parents=True)
    # Another name than in test_check.py: pytest imports a module of one name once in a process.
    (folder / "test_few.py").write_text(
        "def test_quick(benchmark): benchmark(sum, range(10)); raise AssertionError('a measured test is over')\n"
        "def test_other(benchmark): raise RuntimeError('it is not chosen')\n"
    )
    monkeypatch.setattr(calibrated_clock, "MOST_ROUNDS", calibrated_clock.LEAST_ROUNDS)
    seen = []
    plugin = CalibrationPlugin("few/quick".__eq__, seen.append)
    where = [str(folder), f"--rootdir={tmp_path}", "--import-mode=importlib"]
    assert pytest.main([*where, "-p", "no:benchmark", "-q"], plugins=[plugin]) == pytest.ExitCode.OK
    assert [*plugin.windows] == seen == ["few/quick"]


def test_each_call_has_the_arguments_that_were_set_up_for_it(monkeypatch):
    monkeypatch.setattr(calibrated_clock, "MOST_ROUNDS", calibrated_clock.LEAST_ROUNDS)
    kept, calls, numbers = [], [], iter(range(1000))

    def work(number, *, by=1):
        calls.append((number, by))

    benchmark = CalibratedBenchmark(kept.append)
    with pytest.raises(pytest.skip.Exception):
        benchmark.pedantic(work, setup=lambda: ((next(numbers),), {"by": 2}), rounds=1)
    assert len(kept) == 1
    assert calls == [(number, 2) for number in range(len(calls))]
    calls.clear()
    with pytest.raises(pytest.skip.Exception):
        benchmark.pedantic(work, (7,), {"by": 3}, setup=lambda: None)
    assert {*calls} == {(7, 3)}
