"""What becomes of figures of a run and a baseline, and of a machine that others load; made up, nothing is timed."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from llvmlite.binding import get_host_cpu_name

from bench.shared import calibrated_clock
from bench.shared.calibrated_clock import LOOPS, Window, window
from bench.tools import check
from bench.tools.check import Line, compare, main, median_line, read, renew, write

REPOSITORY = check.ROOT
LINE = Line("counts/count[1]", "compute", 10.0, 1.0)


def measured(times, loop="compute"):
    """A window in which a call took ``times`` times the loop."""
    return Window(times * 2e-3, {kind: 2e-3 if kind == loop else 1.0 for kind in LOOPS})


def runs_of(*times):
    """One run after another, and the names that each was asked for."""
    asked = []

    def run(names):
        asked.append(list(names))
        return {name: measured(times[len(asked) - 1]) for name in names}

    return run, asked


@pytest.mark.parametrize(("times", "verdict"), [(10, ""), (12.4, ""), (7.9, "faster")])
def test_what_is_within_a_quarter_of_the_baseline_is_measured_once(times, verdict):
    run, asked = runs_of(times)
    (found,) = compare([LINE], run)
    assert (found.verdict, found.fails, found.ratio) == (verdict, False, pytest.approx(times / 10))
    assert asked == [[LINE.benchmark]]


def test_what_looks_slow_is_measured_again_and_its_least_time_counts():
    run, asked = runs_of(20, 14, 12, 99)
    (found,) = compare([LINE], run)
    assert (found.now, found.verdict) == (12, "")
    assert len(asked) == 3


def test_what_stays_slow_fails():
    run, asked = runs_of(*[20.0, 19.0, 25.0, 21.0, 22.0])
    (found,) = compare([LINE], run)
    assert (found.now, found.verdict, found.fails) == (19, "slower", True)
    assert len(asked) == 1 + check.FURTHER_RUNS


def test_only_the_slow_ones_are_measured_again_after_a_pause():
    quick, slow = Line("quick", "compute", 10.0, 1.0), Line("slow", "interpreter", 10.0, 1.0)
    asked, pauses = [], []

    def run(names):
        asked.append(list(names))
        return {"quick": measured(10), "slow": measured(30, "interpreter")}

    assert [each.verdict for each in compare([quick, slow], run, partial(pauses.append, 1))] == ["", "slower"]
    assert asked == [["quick", "slow"]] + [["slow"]] * check.FURTHER_RUNS
    assert len(pauses) == check.FURTHER_RUNS


def test_what_did_not_run_fails():
    (found,) = compare([LINE], lambda names: {})
    assert (found.verdict, found.fails, found.now) == ("did not run", True, None)


def test_a_baseline_is_the_median_of_runs_by_the_loop_on_which_they_agree():
    runs = [Window(seconds, {"compute": 1e-3, "interpreter": seconds / 4}) for seconds in (1e-3, 3e-3, 2e-3)]
    assert median_line("a", runs, None) == Line("a", "interpreter", 4.0, 1.0)
    assert median_line("a", runs, "compute") == Line("a", "compute", 2.0, 1.0)


def test_renewed_lines_keep_their_loop_and_new_ones_need_every_run():
    runs = [{LINE.benchmark: measured(5), "new": measured(3, "interpreter")}, {LINE.benchmark: measured(5)}]
    assert renew([LINE], runs) == [Line(LINE.benchmark, "compute", 5.0, 10.0)]
    assert len(renew([], [runs[0]] * 3)) == 2


@pytest.mark.parametrize(("seconds", "runs"), [((2.0, 4.0, 3.0), 3), ((6.0, 8.0), 2)])
def test_a_benchmark_that_takes_long_has_fewer_runs(seconds, runs, tmp_path, monkeypatch):
    left = iter(seconds)
    monkeypatch.setattr(check, "run_chosen", lambda chosen: {"long": Window(next(left), dict.fromkeys(LOOPS, 0.5))})
    assert check.make_lines(["long"], [], tmp_path / "baseline.csv") == 0
    assert list(left) == []
    (line,) = read(tmp_path / "baseline.csv")
    assert line.times == pytest.approx(sum(seconds) / runs / 0.5)


def test_a_baseline_comes_back_from_its_file(tmp_path):
    lines = [LINE, Line('start/command[a, "b"]', "interpreter", 1.25, 0.001)]
    write(lines, tmp_path / "baseline.csv")
    assert read(tmp_path / "baseline.csv") == lines


def test_the_baseline_in_use_names_each_benchmark_once_for_a_processor_and_a_loop_that_there_is():
    lines = read(check.BASELINE)
    assert len({(line.benchmark, line.processor) for line in lines}) == len(lines) > 30
    assert {line.loop for line in lines} <= {*LOOPS}
    assert all(line.times > 0 for line in lines)


def test_every_line_of_the_baseline_in_use_is_a_benchmark():
    assert {line.benchmark for line in read(check.BASELINE)} <= {*check.benchmark_names()}


class Machine:
    """A clock that says how long work takes on a machine whose speed drifts, and which others slow down at times."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.now, self.speed = 0.0, 1.0

    def work(self, seconds):
        self.speed = min(max(self.speed * math.exp(self.rng.normal(0, 0.03)), 0.5), 2.0)
        disturbed = 1 + self.rng.exponential(1.0) * (self.rng.random() < 0.4)
        self.now += seconds * disturbed / self.speed

    def window(self, seconds):
        loops = {kind: partial(self.work, 5e-4) for kind in LOOPS}
        return window(partial(self.work, seconds), clock=lambda: self.now, loops=loops)


def compare_slowed(seed, slowdown):
    """Check twenty benchmarks against a baseline of the same made-up machine."""
    machine = Machine(seed)
    work = {f"benchmark {i}": 10.0 ** machine.rng.uniform(-3, -1) for i in range(20)}
    baseline = renew([], [{name: machine.window(each) for name, each in work.items()} for _ in range(3)])
    return compare(baseline, lambda names: {name: machine.window(work[name] * slowdown) for name in names})


@pytest.mark.parametrize("seed", range(5))
def test_an_unchanged_run_is_quiet_on_a_machine_that_others_load(seed):
    assert [each.line.benchmark for each in compare_slowed(seed, 1) if each.fails] == []


@pytest.mark.parametrize("seed", range(5))
def test_what_takes_twice_as_long_is_caught_on_a_machine_that_others_load(seed):
    assert all(each.verdict == "slower" for each in compare_slowed(seed, 2))


@pytest.fixture(autouse=True)
def _no_search_for_garbage(monkeypatch):
    """Keep the sessions of pytest that the tool runs from looking five times each for what the whole suite left."""
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:unraisableexception")


BENCHMARKS = """
import os, signal, pytest

@pytest.fixture
def report(benchmark):
    raise AssertionError("a measured test is over")
    yield

def test_quick(benchmark): benchmark(sum, range(10)); raise AssertionError
def test_stopped(benchmark): raise KeyboardInterrupt
def test_killed(benchmark): os.kill(os.getpid(), signal.SIGKILL)
def test_pedantic(benchmark): benchmark.pedantic(sum, (range(10),), rounds=3, setup=lambda: None)
def test_skipped(benchmark): pytest.skip("no network")
def test_wrong(benchmark): raise RuntimeError("cannot be measured")
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of made-up benchmarks in place of the real one, each with as few runs and rounds as there may be.

    The loops are short, and there is nothing to compile; the real ones are those of test_calibrated_benchmark.py.
    The sessions of pytest are without the plugins that are installed.
    """
    (tmp_path / "bench" / "benchmarks").mkdir(parents=True)
    (tmp_path / "bench" / "benchmarks" / "test_some.py").write_text(BENCHMARKS)
    monkeypatch.setattr(check, "ROOT", tmp_path)
    monkeypatch.setattr(check, "PAUSE", 0.0)
    monkeypatch.setattr(check, "RUNS_OF_BASELINE", 1)
    monkeypatch.setattr(check, "FURTHER_RUNS", 1)
    monkeypatch.setattr(calibrated_clock, "MOST_ROUNDS", calibrated_clock.LEAST_ROUNDS)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    for loop in LOOPS:
        monkeypatch.setitem(LOOPS, loop, partial(sum, range(100)))
    return tmp_path


def test_command_makes_a_baseline_and_compares_with_it(folder, capsys):
    baseline = folder / "baseline.csv"
    command = partial(main, ["--baseline", str(baseline)])
    assert main(["--baseline", str(baseline), "--add", "quick", "pedantic"]) == 0
    lines = read(baseline)
    assert [line.benchmark for line in lines] == ["some/pedantic", "some/quick"]
    write([Line(line.benchmark, line.loop, 1e3 * line.times, 1.0) for line in lines], baseline)
    capsys.readouterr()
    assert command() == 0
    said = capsys.readouterr().out
    assert "some/quick" in said
    assert "faster" in said
    assert "0 of 2" in said


def test_command_fails_for_what_is_slower_or_did_not_run(folder, capsys):
    baseline = folder / "baseline.csv"
    write([Line("some/quick", "compute", 1e-9, 1.0), Line("some/skipped", "compute", 1.0, 1.0)], baseline)
    assert main(["--baseline", str(baseline), "--only", "quick"]) == 1
    assert "slower" in capsys.readouterr().out
    assert main(["--baseline", str(baseline), "--only", "skipped"]) == 1
    assert "did not run" in capsys.readouterr().out


def test_command_says_that_the_baseline_is_of_another_processor(folder, capsys):
    baseline = folder / "baseline.csv"
    main(["--baseline", str(baseline), "--add", "quick"])
    main(["--baseline", str(baseline)])
    assert "Lines are of" not in capsys.readouterr().out
    write([replace(line, processor="pentium") for line in read(baseline)], baseline)
    main(["--baseline", str(baseline)])
    assert "Lines are of pentium, and this is " in capsys.readouterr().out


def test_each_kind_of_processor_has_lines_of_its_own(folder, capsys):
    baseline = folder / "baseline.csv"
    pentium = Line("some/quick", "compute", 1e-9, 1.0, "pentium")
    write([pentium], baseline)
    assert main(["--baseline", str(baseline)]) == 1  # compared with the line of the other processor
    assert main(["--baseline", str(baseline), "--update"]) == 0
    capsys.readouterr()
    assert main(["--baseline", str(baseline)]) == 0
    assert "Lines are of" not in capsys.readouterr().out
    assert {line.processor for line in read(baseline)} == {"pentium", get_host_cpu_name()}
    assert main(["--baseline", str(baseline), "--add", "quick"]) == 0
    assert "1 of 1 have a line" in capsys.readouterr().out
    assert next(line for line in read(baseline) if line.processor == "pentium") == pentium


def test_command_updates_lines_and_drops_those_that_did_not_run(folder):
    baseline = folder / "baseline.csv"
    others = [Line(f"some/{name}", "compute", 7.0, 1.0, get_host_cpu_name()) for name in ("pedantic", "skipped")]
    write([Line("some/quick", "interpreter", 1e9, 1.0, get_host_cpu_name()), *others], baseline)
    assert main(["--baseline", str(baseline), "--only", "quick", "--update"]) == 0
    assert [line.benchmark for line in read(baseline)] == ["some/pedantic", "some/quick", "some/skipped"]
    quick = next(line for line in read(baseline) if line.benchmark == "some/quick")
    assert quick.loop == "interpreter"
    assert quick.times < 1e3
    assert main(["--baseline", str(baseline), "--update"]) == 0
    assert [line.benchmark for line in read(baseline)] == ["some/pedantic", "some/quick"]


def test_an_error_in_a_benchmark_is_shown_and_leaves_the_baseline_alone(folder, capsys):
    baseline = folder / "baseline.csv"
    write([Line("some/wrong", "compute", 1.0, 1.0)], baseline)
    before = baseline.read_text()
    assert main(["--baseline", str(baseline)]) == 1
    assert "cannot be measured" in capsys.readouterr().err
    assert main(["--baseline", str(baseline), "--update"]) == 1
    assert baseline.read_text() == before


def test_an_error_in_a_benchmark_leaves_the_others_to_be_measured(folder, capsys):
    baseline = folder / "baseline.csv"
    assert main(["--baseline", str(baseline), "--add", "wrong", "quick", "pedantic"]) == 1
    assert [line.benchmark for line in read(baseline)] == ["some/pedantic", "some/quick"]
    assert "1 benchmarks failed" in capsys.readouterr().out


def test_each_benchmark_is_named_with_how_many_are_left(folder, capsys, monkeypatch):
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")  # also beside pytest-benchmark, which has the same fixture
    main(["--baseline", str(folder / "baseline.csv"), "--add", "quick", "pedantic"])
    assert capsys.readouterr().err.splitlines() == ["some/quick runs, 1 left", "some/pedantic runs, 0 left"]


def test_an_interrupted_run_keeps_what_was_measured_and_the_next_one_goes_on(folder, capsys):
    baseline = folder / "baseline.csv"
    assert main(["--baseline", str(baseline), "--add", "quick", "stopped", "pedantic"]) == 130
    (first,) = read(baseline)
    assert first.benchmark == "some/quick"
    assert "Interrupted" in capsys.readouterr().err
    assert main(["--baseline", str(baseline), "--add", "quick", "pedantic"]) == 0
    assert "1 of 2 have a line" in capsys.readouterr().out
    assert first in read(baseline)
    assert [line.benchmark for line in read(baseline)] == ["some/pedantic", "some/quick"]


def test_a_killed_run_keeps_what_was_measured(folder):
    baseline = folder / "baseline.csv"
    write([replace(LINE, benchmark="some/skipped")], baseline)
    program = f"""
from functools import partial
from pathlib import Path
from bench.shared import calibrated_clock
from bench.tools import check
check.ROOT = Path({str(folder)!r})
check.RUNS_OF_BASELINE = 1
calibrated_clock.MOST_ROUNDS = calibrated_clock.LEAST_ROUNDS
calibrated_clock.LOOPS.update(dict.fromkeys(calibrated_clock.LOOPS, partial(sum, range(100))))
check.main(["--baseline", {str(baseline)!r}, "--add", "quick", "killed", "pedantic"])
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, check=False).returncode == -signal.SIGKILL
    assert [line.benchmark for line in read(baseline)] == ["some/quick", "some/skipped"]


@pytest.mark.parametrize("arguments", ["--only nothing", "--add quick nothing", "--only a --add b", "--update --add b"])
def test_what_cannot_be_asked_for_is_refused(folder, arguments):
    write([LINE], folder / "baseline.csv")
    with pytest.raises(SystemExit, match="2"):
        main(["--baseline", str(folder / "baseline.csv"), *arguments.split()])
