"""What a run tells of itself: a bar on a terminal, plain lines elsewhere, nothing if not asked."""

from __future__ import annotations

import io
import os
import re
import sys

import pytest

import climbfast as cf
from climbfast.batch import progress
from climbfast.batch.progress import NoProgress, NotebookBars, ProgressBars, ProgressLines, progress_reporter
from tests.batch.runs import CountingReporter
from tests.notebook.kernels import fake_kernel, wait_until

LINE = re.compile(r"climbfast: (screen|neighbors|blankets): [\d,]+/[\d,]+, [\d,]+ tests/s, [\d,]+ s left")


@pytest.fixture(scope="module")
def health():
    return cf.load_example().sample(500, 1)


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on when told."""

    class Clock:
        now = 100.0

    monkeypatch.setattr(progress.time, "monotonic", lambda: Clock.now)
    return Clock


class TestLines:
    def test_passes_units_rate_and_time_left(self, clock, capsys):
        lines = ProgressLines()
        lines.begin("screen", 0, 2000)
        clock.now += 2
        lines.advance(100, 5000)
        clock.now += 8
        lines.advance(400, 45_000)
        clock.now += 30
        lines.advance(1500, 70_000)
        lines.begin("neighbors", 40, 50)
        lines.end()
        out, err = capsys.readouterr()
        assert out == ""
        assert err.splitlines() == [
            "climbfast: screen: 2,000 units",
            "climbfast: screen: 500/2,000, 5,000 tests/s, 30 s left",
            "climbfast: screen: 2,000/2,000, 3,000 tests/s, 0 s left",
            "climbfast: neighbors: 50 units, 40 of them done",
        ]

    def test_one_unit_and_no_tests(self, clock, capsys):
        """A pass of a wide table may make no tests at all: then it has no rate."""
        lines = ProgressLines()
        lines.begin("blankets", 0, 1)
        clock.now += 2
        lines.advance(1, 0)
        assert capsys.readouterr().err.splitlines() == [
            "climbfast: blankets: 1 unit",
            "climbfast: blankets: 1/1, 0 s left",
        ]

    def test_units_of_the_journal_are_no_work_of_this_run(self, clock, capsys):
        lines = ProgressLines()
        lines.begin("blankets", 900, 1000)
        clock.now += 10
        lines.advance(50, 100)
        assert capsys.readouterr().err.splitlines()[-1] == "climbfast: blankets: 950/1,000, 10 tests/s, 10 s left"

    def test_a_pipe_that_nobody_reads(self, monkeypatch):
        class ClosedPipe(io.StringIO):
            def write(self, text):
                raise BrokenPipeError

        monkeypatch.setattr(sys, "stderr", ClosedPipe())
        lines = ProgressLines()
        lines.begin("screen", 0, 1)
        lines.advance(1, 1)

    def test_of_a_run(self, health, capfd):
        cf.markov_blankets(health)
        out, err = capfd.readouterr()
        assert out == ""
        lines = [line for line in err.splitlines() if "compiling" not in line]
        assert [line.split(":")[1].strip() for line in lines if line.endswith("units")] == [
            "screen",
            "neighbors",
            "blankets",
        ]
        last = [line for line in lines if "15/15" in line]
        assert len(last) == 2
        assert all(LINE.fullmatch(line) for line in lines if not line.endswith("units"))

    def test_the_last_one(self, health, capsys):
        cf.markov_blankets(health, n_jobs=1)
        out, err = capsys.readouterr()
        assert out == ""
        lines = [line for line in err.splitlines() if "compiling" not in line]
        assert lines[-1].startswith("climbfast: blankets: 15/15, ")
        assert lines[-1].endswith(" tests/s, 0 s left")


@pytest.mark.skipif(os.name == "nt", reason="no such terminals there")
class TestBars:
    @pytest.fixture
    def terminal(self, monkeypatch):
        """A terminal to take the place of standard error, which pytest has taken itself before the test begins."""
        with Terminal() as terminal:
            monkeypatch.setenv("TERM", "xterm")
            for name in ("NO_COLOR", "COLUMNS", "LINES"):
                monkeypatch.delenv(name, raising=False)
            yield terminal

    def test_passes_units_rate_and_time_left(self, terminal, monkeypatch):
        monkeypatch.setattr(sys, "stderr", terminal.stream)
        bars = progress_reporter(progress=True)
        assert isinstance(bars, ProgressBars)
        bars.begin("screen", 0, 20)
        bars.advance(5, 1000)
        bars.end()
        text = terminal.written()
        assert re.search(r"screen\s.*5/20\s+[\d,]+ tests/s\s+-?[\d:-]+", text.splitlines()[-1]), text

    def test_of_a_run(self, health, terminal, monkeypatch):
        monkeypatch.setattr(sys, "stderr", terminal.stream)
        cf.markov_blankets(health, n_jobs=2)
        text = terminal.written()
        assert re.search(r"neighbors .*15/15", text)
        assert re.search(r"blankets .*15/15 +[\d,]+ tests/s", text)

    def test_nothing_is_drawn_before_a_refusal(self, health, terminal, monkeypatch):
        monkeypatch.setattr(sys, "stderr", terminal.stream)
        with pytest.raises(cf.OptionError):
            cf.markov_blankets(health, n_jobs=0)
        with pytest.raises(cf.JournalError):
            cf.markov_blankets(health, journal="/none/such")
        assert terminal.written() == ""

    def test_the_cursor_is_shown_again_after_an_interrupt(self, health, terminal, monkeypatch):
        monkeypatch.setattr(sys, "stderr", terminal.stream)
        advance = ProgressBars.advance

        def stopping(bars, units, tests):
            advance(bars, units, tests)
            raise KeyboardInterrupt

        monkeypatch.setattr(ProgressBars, "advance", stopping)
        with pytest.raises(cf.Interrupted):
            cf.markov_blankets(health)
        text = terminal.raw()
        assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")


class Terminal:
    """The two ends of a pseudo-terminal of 120 columns."""

    def __enter__(self):
        import pty
        import termios

        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (40, 120))
        os.set_blocking(self._ours, False)
        self.stream = open(theirs, "w", encoding="utf-8")  # noqa: PTH123  # a descriptor, closed below
        return self

    def __exit__(self, *_):
        self.stream.close()
        os.close(self._ours)

    def raw(self):
        self.stream.flush()
        parts = []
        while True:
            try:
                parts.append(os.read(self._ours, 65536))
            except BlockingIOError:
                return b"".join(parts).decode()

    def written(self):
        """What was written, without the codes that move the cursor and color."""
        return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", self.raw())


class TestReporter:
    def test_none(self, health, capfd):
        cf.markov_blankets(health, progress=False)
        assert capfd.readouterr() == ("", "")
        assert isinstance(progress_reporter(progress=False), NoProgress)

    def test_without_standard_error(self, monkeypatch):
        monkeypatch.setattr(sys, "stderr", None)
        assert isinstance(progress_reporter(progress=True), NoProgress)

    def test_a_custom_one(self):
        custom = NoProgress()
        assert progress_reporter(progress=custom) is custom

    def test_what_is_none(self):
        with pytest.raises(cf.OptionError, match="an object with begin, advance and end"):
            progress_reporter(progress=3)


class TestCustomReporter:
    @pytest.mark.parametrize("targets", [15, 2, 1])
    def test_it_is_told_every_unit_and_test(self, health, targets):
        counted = CountingReporter()
        found = cf.markov_blankets(health, targets=health.names[:targets], symmetry="and", progress=counted, n_jobs=1)
        assert [name for name, *_ in counted.passes][:2] == ["screen", "neighbors"] or targets == 1
        assert counted.passes[-1] == ("blankets", 0, targets)
        for name, units in counted.units.items():
            assert units == sum(many - done for each, done, many in counted.passes if each == name)
        assert (counted.tests, counted.ended) == (found.how["tests"], 1)


class TestNotebook:
    def test_bars_that_disappear(self, monkeypatch, capsys):
        monkeypatch.setattr(progress, "seconds_without_bars", 0.0)
        outputs = fake_kernel(monkeypatch)
        bars = progress_reporter(progress=True)
        assert isinstance(bars, NotebookBars)
        bars.begin("screen", 0, 1)
        bars.advance(1, 10)
        bars.begin("neighbors", 500, 2000)
        wait_until(lambda: outputs and "500 of" in outputs[0][-1]["text/plain"])
        assert outputs[0][-1]["text/plain"] == "screen 100 %, 1 of 1\nneighbors 25 %, 500 of 2,000"
        bars.advance(500, 100)
        wait_until(lambda: "neighbors 50 %, 1,000 of 2,000, " in outputs[0][-1]["text/plain"])
        assert re.search(r"[\d,]+ tests/s, \d+ s left$", outputs[0][-1]["text/plain"])
        bars.end()
        assert outputs[0][-1] == {"text/html": "", "text/plain": ""}
        assert len(outputs) == 1
        assert capsys.readouterr() == ("", "")

    def test_a_short_run_leaves_nothing(self, monkeypatch, health, capsys):
        outputs = fake_kernel(monkeypatch)
        cf.markov_blankets(health, n_jobs=1, targets=["ecg"])
        assert outputs == []
        assert "units" not in capsys.readouterr().err

    def test_a_run_that_never_began(self, monkeypatch):
        outputs = fake_kernel(monkeypatch)
        NotebookBars().end()
        assert outputs == []
