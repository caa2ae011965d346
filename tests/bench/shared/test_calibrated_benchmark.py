"""The plugin of pytest that measures benchmarks in calibrated time."""

from __future__ import annotations

import pytest

from bench.shared import calibrated_clock
from bench.shared.calibrated_benchmark import CalibrationPlugin, short_name


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
    monkeypatch.setattr(calibrated_clock, "WINDOW", 0.01)
    seen = []
    plugin = CalibrationPlugin("few/quick".__eq__, seen.append)
    where = [str(folder), f"--rootdir={tmp_path}", "--import-mode=importlib"]
    assert pytest.main([*where, "-p", "no:benchmark", "-q"], plugins=[plugin]) == pytest.ExitCode.OK
    assert [*plugin.windows] == seen == ["few/quick"]
