"""`climbfast blankets` and `climbfast status`: what they write, what they say, and what they refuse before the run."""

from __future__ import annotations

import csv
import json

import pytest

import climbfast as cf
from climbfast.batch import pool as batch_pool
from climbfast.batch import run as batch_run
from climbfast.batch.journal import Journal
from climbfast.cli.options import reading
from tests.batch.runs import StoppingReporter

NAMES = ["t", "a,b", 'q"q', "sp ace", "line\nbreak", "@x", "é", " c"]


@pytest.fixture
def out(tmp_path):
    return tmp_path / "found.jsonl"


@pytest.fixture(scope="module")
def odd_names(tmp_path_factory):
    path = tmp_path_factory.mktemp("names") / "odd.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(NAMES)
        for i in range(200):
            writer.writerow([i % 2, *((i * k // 7) % 2 for k in range(1, len(NAMES)))])
    return path


class TestFiles:
    @pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".csv"])
    def test_what_is_written_is_what_the_function_returns(self, run, health, tmp_path, suffix):
        path = tmp_path / f"found{suffix}"
        code, printed, _ = run("blankets", health, "--out", path, "--jobs", 1)
        assert (code, printed) == (0, "")
        expected = cf.markov_blankets(cf.read(health), progress=False)
        expected.save(tmp_path / f"expected{suffix}")
        assert dict(cf.read_blankets(path)) == dict(cf.read_blankets(tmp_path / f"expected{suffix}"))
        assert len(cf.read_blankets(path)) == 15

    def test_a_line_is_what_blanket_prints(self, run, health, out):
        run("blankets", health, "--out", out, "--targets", "sleep")
        _, printed, _ = run("blanket", health, "--target", "sleep", "--json")
        there, alone = json.loads(out.read_text()), json.loads(printed)
        # A run does not count the searches around the neighbors among the tests of a target.
        cost = {"seconds": 0, "tests": 0, "tests_by_size": []}
        assert there | cost == there | alone | cost

    def test_options_reach_the_run(self, run, health, out, monkeypatch):
        monkeypatch.setattr(batch_pool, "SECONDS_FOR_THREADS", 0.0)  # else one worker does so small a job
        code, _, _ = run(
            "blankets", health, "--out", out, "--method", "mmmb", "--orient", "--test", "g2", "--alpha", 0.05,
            "--max-given", 2, "--symmetry", "or", "--min-margin", 3, "--node-budget", 9, "--jobs", 2,
        )  # fmt: skip
        expected = cf.markov_blankets(
            cf.read(health), method="mmmb", orient=True, test=cf.G2(alpha=0.05), max_given=2, symmetry="or",
            min_margin=3, node_budget=9, progress=False,
        )  # fmt: skip
        found = cf.read_blankets(out)
        assert code == 0
        for key in ("method", "search", "symmetry", "max_given", "min_margin", "node_budget", "test_options", "tests"):
            assert found.how[key] == expected.how[key]
        assert {x: b.to_dict() | {"seconds": 0} for x, b in found.items()} == {
            x: b.to_dict() | {"seconds": 0} for x, b in expected.items()
        }
        assert found.how["workers"] == 2

    def test_options_of_reading(self, run, tmp_path, out):
        path = tmp_path / "data.txt.csv"
        path.write_text("0;1;?\n1;0;2\n" * 30)
        code, _, _ = run(
            "blankets", path, "--out", out, "--no-header", "--separator", ";", "--missing", "level",
            "--missing-markers", "?", "--leave-out", "column_2",
        )  # fmt: skip
        assert code == 0
        assert list(cf.read_blankets(out)) == ["column_1", "column_3"]

    def test_min_bits_auto(self, run, health, out, tmp_path):
        assert run("blankets", health, "--out", out, "--min-bits", "auto")[0] == 0
        assert cf.read_blankets(out).how["test_options"] == {"min_bits": "auto"}
        _, printed, _ = run("blanket", health, "--target", "sleep", "--min-bits", "auto", "--json")
        assert json.loads(printed)["parents"] == list(cf.read_blankets(out)["sleep"].parents)


class TestFrequencies:
    @pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".csv"])
    def test_they_are_those_of_the_same_search_on_resampled_tables(self, run, health, tmp_path, suffix):
        path = tmp_path / f"found{suffix}"
        arguments = ["--targets", "sleep,fatigue", "--test", "g2", "--alpha", 0.05, "--max-given", 2, "--jobs", 1]
        drawn = ["--bootstrap", 3, "--bootstrap-scheme", "half", "--bootstrap-seed", 7]
        code, printed, err = run("blankets", health, "--out", path, *arguments, *drawn)
        data, options = cf.read(health), {"test": cf.G2(alpha=0.05), "max_given": 2, "targets": ["sleep", "fatigue"]}
        drawn = {"replicates": 3, "scheme": "half", "seed": 7, "progress": False}
        found = cf.markov_blankets(data, progress=False, **options)
        expected = cf.bootstrap(data, "blankets", **drawn, **options).added_to(found)
        expected.save(tmp_path / f"expected{suffix}")
        again = cf.read_blankets(path)
        assert (code, printed) == (0, "")
        assert dict(again) == dict(cf.read_blankets(tmp_path / f"expected{suffix}"))
        assert again["fatigue"].frequencies["sleep"]["found"] == 1
        assert again.how["bootstrap"] == {"replicates": 3, "scheme": "half", "seed": 7}
        assert "climbfast: replicates: 3/3" in err
        assert err.splitlines()[-1].endswith(
            "; frequencies of 3 replicates (half, seed 7); " + err.rpartition("; ")[2][:-1]
        )

    def test_quiet(self, run, health, out):
        _, _, err = run("blankets", health, "--out", out, "--targets", "sleep", "--bootstrap", 2, "--quiet")
        assert err == ""

    def test_a_journal_keeps_the_run_itself(self, run, health, out, tmp_path):
        command = ["blankets", health, "--out", out, "--journal", tmp_path / "run.journal", "--quiet"]
        run(*command)
        code, _, _ = run(*command, "--resume", "--bootstrap", 2)
        assert code == 0
        assert cf.read_blankets(out)["sleep"].frequencies
        assert "replicates" not in run("status", tmp_path / "run.journal").out

    def test_options_are_checked_before_the_run(self, refused, health, out):
        assert "--bootstrap is -1; it has to" in refused("blankets", health, "--out", out, "--bootstrap", -1)


class TestBest:
    @pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".csv"])
    def test_what_is_written(self, run, health, tmp_path, suffix):
        path = tmp_path / f"found{suffix}"
        code, printed, said = run("blankets", health, "--out", path, "--method", "best")
        expected = cf.markov_blankets(cf.read(health), method="best", progress=False)
        expected.save(tmp_path / f"expected{suffix}")
        assert (code, printed) == (0, "")
        again = cf.read_blankets(path)
        assert dict(again) == dict(cf.read_blankets(tmp_path / f"expected{suffix}"))
        times = {"seconds": 0, "seconds_by_pass": {}}
        assert {**again.how, **times} == {**expected.how, **times}
        said = said.splitlines(keepends=True)[-1]
        assert ": 15 targets, " in said
        assert "; method best (graph of all columns); score vote; checked by sci; " in said
        assert said.endswith("; 1 worker, serial: one graph for all\n")

    def test_a_journal_is_refused(self, refused, health, out, tmp_path):
        said = refused("blankets", health, "--out", out, "--method", "best", "--journal", tmp_path / "journal")
        assert said.startswith("climbfast: the method best does not take --journal; it takes --directions, ")


class TestTargets:
    def targets(self, run, path, out, *arguments):
        code, _, err = run("blankets", path, "--out", out, "--jobs", 1, "--max-given", 0, *arguments)
        assert code == 0, err
        return list(cf.read_blankets(out))

    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            (["t,é"], ["t", "é"]),
            (["t, é"], ["t", "é"]),
            (["t", "é"], ["t", "é"]),
            (["a,b"], ["a,b"]),
            (['t,"a,b"'], ["a,b", "t"]),
            (['"a,b"'], ["a,b"]),
            (['"q""q",t'], ['q"q', "t"]),
            (['q"q,t'], ['q"q', "t"]),
            (['"line\nbreak",t'], ["line\nbreak", "t"]),
            (["line\nbreak"], ["line\nbreak"]),
            (["sp ace"], ["sp ace"]),
            (["@x"], ["@x"]),
            (["t, c"], [" c", "t"]),
        ],
        ids=str,
    )
    def test_any_name(self, run, odd_names, out, typed, expected):
        arguments = [word for text in typed for word in ("--targets", text)]
        assert self.targets(run, odd_names, out, *arguments) == expected

    def test_in_a_file(self, run, odd_names, out, tmp_path):
        path = tmp_path / "targets.txt"
        path.write_bytes('\ufefft\r\na,b\n"q""q"\n\n"line\nbreak"\n é \n c\n'.encode())
        assert self.targets(run, odd_names, out, "--targets", f"@{path}") == [
            " c",
            "a,b",
            "line\nbreak",
            'q"q',
            "t",
            "é",
        ]
        assert self.targets(run, odd_names, out, "--targets", f"@{path}", "--targets", "sp ace") == [
            " c", "a,b", "line\nbreak", 'q"q', "sp ace", "t", "é"
        ]  # fmt: skip


class TestWhatItSays:
    def test_progress_and_summary(self, run, health, out):
        _, _, err = run("blankets", health, "--out", out, "--jobs", 2)
        lines = err.splitlines()
        assert lines[0] == "climbfast: screen: 2 units"
        assert lines[-2].startswith("climbfast: blankets: 15/15, ")
        blankets = cf.read_blankets(out)
        edges = {frozenset((x, y)) for x, blanket in blankets.items() for y in blanket.neighbors}
        assert lines[-1].startswith(
            f"{out}: 15 targets, {len(edges)} edges; method climb; test sci; {blankets.how['tests']:,} tests, "
        )
        assert " tests/s; " in lines[-1]
        assert lines[-1].endswith(" s; 1 worker, serial: a job too small for more than one worker")

    def test_quiet(self, run, health, out):
        code, printed, err = run("blankets", health, "--out", out, "--quiet")
        assert (code, printed, err) == (0, "", "")
        assert len(cf.read_blankets(out)) == 15

    def test_skipped_tests(self, run, health, out):
        _, _, err = run("blankets", health, "--out", out, "--test", "g2", "--min-rows-per-df", 500)
        assert " skipped: too few rows), " in err.splitlines()[-1]

    def test_what_was_left_out_around_hubs(self, run, health, out):
        _, _, err = run("blankets", health, "--out", out, "--max-pool", 2)
        hubs = sum(blanket.bounded > 0 for blanket in cf.read_blankets(out).values())
        assert hubs > 1
        assert f"; around {hubs} targets not all sets were tried (--max-pool)" in err.splitlines()[-1]

    def test_warnings_about_data_come_last(self, run, tmp_path, out):
        path = tmp_path / "constant.csv"
        path.write_text("a,b,c\n" + "0,0,5\n0,1,5\n1,0,5\n1,1,5\n" * 5)
        _, _, err = run("blankets", path, "--out", out)
        assert err.splitlines()[-1].startswith("warning: ")
        assert "'c'" in err.splitlines()[-1]


class TestRefusals:
    @pytest.fixture
    def refused_early(self, refused, monkeypatch):
        """Refuse before the data are read."""
        monkeypatch.setattr(reading, "read", None)
        return refused

    def test_a_result_that_could_not_be_written(self, refused_early, health, tmp_path):
        assert "unknown suffix; blankets are in .jsonl, .parquet or .csv" in refused_early(
            "blankets", health, "--out", tmp_path / "found.txt"
        )
        assert "the folder" in refused_early("blankets", health, "--out", tmp_path / "no" / "f.csv")
        (tmp_path / "folder.csv").mkdir()
        assert "it is a directory" in refused_early("blankets", health, "--out", tmp_path / "folder.csv")
        assert "cannot be written" in refused_early("blankets", health, "--out", "/proc/self/found.csv")
        assert list(tmp_path.iterdir()) == [tmp_path / "folder.csv"]

    def test_a_result_in_the_place_of_another_file(self, refused_early, health, tmp_path):
        assert "the same file as DATA" in refused_early("blankets", health, "--out", health)
        there = ["--out", tmp_path / "a.csv", "--journal", tmp_path / "." / "a.csv"]
        assert "the same file as --journal" in refused_early("blankets", health, *there)

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (["--resume"], "--resume continues a journal; name it with --journal FILE"),
            (["--min-bits", "few"], "--min-bits is 'few'; it is a number from 0 up, or auto"),
            (["--min-bits", "auto", "--test", "g2"], "--min-bits is not an option of the test g2"),
            (["--test", "chi2"], "the tests are sci, g2, x2, cmi"),
            (["--max-given", "few"], "--max-given is 'few'"),
            (["--jobs", "few"], "invalid value for '--jobs'"),
            (["--json"], "see climbfast blankets --help"),
        ],
        ids=str,
    )
    def test_options(self, refused_early, health, out, options, says):
        assert says in refused_early("blankets", health, "--out", out, *options)
        assert not out.exists()

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (["--jobs", 0], "--jobs is 0; it is a number of workers"),
            (["--method", "getpcd"], "finds neighbors"),
            (["--symmetry", "xor"], "--symmetry is 'xor'"),
            (["--min-bits", "-1"], "--min-bits is -1"),
            (["--neighbors", "mmpc", "--method", "iamb"], "--neighbors is for the method climb"),
            (["--targets", "sleeep"], "nearest are 'sleep'"),
            (["--targets", "sleep,"], "no column named ''"),
            (["--targets", ""], "no column named ''"),
            (["--targets", "@none"], "--targets @none cannot be read"),
        ],
        ids=str,
    )
    def test_what_the_data_decide(self, refused, health, out, options, says):
        assert says in refused("blankets", health, "--out", out, *options)
        assert not out.exists()

    def test_a_file_of_targets(self, refused, health, out, tmp_path):
        (tmp_path / "empty").write_text("\n\n")
        (tmp_path / "latin").write_bytes(b"sleep\n\xe9\n")
        assert "there are no targets" in refused(
            "blankets", health, "--out", out, "--targets", f"@{tmp_path / 'empty'}"
        )
        assert "in UTF-8" in refused("blankets", health, "--out", out, "--targets", f"@{tmp_path / 'latin'}")

    def test_out_is_needed(self, refused, health):
        assert "missing option '--out'" in refused("blankets", health)

    def test_the_disk_is_full_at_the_end(self, run, health, out, monkeypatch):
        def full(*_, **__):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("climbfast.blankets.formats.write_lines", full)
        code, printed, err = run("blankets", health, "--out", out, "--quiet", "--journal", out.with_suffix(".journal"))
        says = "cannot be written: No space left on device; the result is on standard output, as JSON"
        assert (code, err) == (2, f"climbfast: {out} {says}\n")
        assert [json.loads(line)["target"] for line in printed.splitlines()] == sorted(cf.read(health).names)
        monkeypatch.undo()
        rescued = out.with_name("rescued.jsonl")
        rescued.write_text(printed)
        assert len(cf.read_blankets(rescued)) == 15
        again = ["--journal", out.with_suffix(".journal"), "--resume"]
        _, _, err = run("blankets", health, "--out", out, *again)
        assert "climbfast: blankets: 15 units, 15 of them done" in err
        assert len(cf.read_blankets(out)) == 15


class TestJournal:
    @pytest.fixture
    def stopped(self, run, health, out, tmp_path, monkeypatch):
        """A run that Ctrl-C stopped: its journal, and what it said."""
        with monkeypatch.context() as patched:
            patched.setattr(batch_run, "progress_reporter", lambda **_: StoppingReporter(20))
            ran = run("blankets", health, "--out", out, "--journal", tmp_path / "run.journal", "--jobs", 1)
        return tmp_path / "run.journal", ran

    def test_ctrl_c(self, stopped, out):
        journal, (code, printed, err) = stopped
        assert (code, printed) == (130, "")
        assert err == (
            f"climbfast: interrupted in the pass 'blankets'; finished work is saved in {journal}: repeat the run with "
            "--resume to continue\n"
        )
        assert not out.exists()

    def test_ctrl_c_without_a_journal(self, run, health, out, monkeypatch):
        monkeypatch.setattr(batch_run, "progress_reporter", lambda **_: StoppingReporter(1))
        code, _, err = run("blankets", health, "--out", out)
        assert code == 130
        assert err.endswith("; nothing is saved: only a run with --journal FILE can be continued\n")

    def test_resume(self, run, refused, stopped, health, out):
        journal, _ = stopped
        arguments = ["blankets", health, "--out", out, "--journal", journal]
        assert f"{journal}: exists already; continue it with --resume" in refused(*arguments)
        assert "max_given was 'default' and is 2" in refused(*arguments, "--resume", "--max-given", 2)
        code, _, err = run(*arguments, "--resume")
        assert code == 0
        assert "climbfast: neighbors: 15 units, 15 of them done" in err
        assert dict(cf.read_blankets(out)).keys() == set(cf.read(health).names)

    def test_status(self, run, stopped):
        journal, _ = stopped
        code, page, err = run("status", journal)
        assert (code, err) == (0, "")
        lines = page.splitlines()
        assert lines[0] == f"method climb; test sci; climbfast {cf.__version__}"
        rows = {line.split()[0]: line.split()[1:4] for line in lines[4:7]}
        assert rows["screen"] == ["2", "2", "0"]
        assert rows["neighbors"] == ["15", "15", "0"]
        assert rows["blankets"] == ["3", "15", "12"]
        assert lines[-1].startswith("Now in the pass blankets: ")
        assert " units/s, " in lines[-1]
        assert " s left in this pass; the last unit was finished " in lines[-1]

    def test_status_as_json(self, run, stopped):
        journal, _ = stopped
        found = json.loads(run("status", journal, "--json").out)
        assert found["running"] == "blankets"
        assert not found["complete"]
        assert [(each["name"], each["done"], each["left"]) for each in found["passes"]] == [
            ("screen", 2, 0), ("neighbors", 15, 0), ("blankets", 3, 12)
        ]  # fmt: skip
        assert found["run"]["options"]["method"] == "climb"
        assert found["rate"] > 0
        assert found["seconds_left"] > 0

    def test_status_of_a_complete_run(self, run, stopped, health, out):
        journal, _ = stopped
        run("blankets", health, "--out", out, "--journal", journal, "--resume")
        assert run("status", journal).out.splitlines()[-1] == "The run is complete."
        assert json.loads(run("status", journal, "--json").out)["complete"]

    def test_status_escapes_what_stands_in_a_journal(self, run, tmp_path):
        journal = Journal(
            tmp_path / "forged",
            {"data": "x", "version": "1\x1b[2J", "options": {"method": "\x1b[31m", "test": {"name": "\x07"}}},
            resume=False,
        )
        journal.open_pass("\x1b]0;title\x07", 3)
        journal.close()
        for options in ((), ("--json",)):
            code, page, err = run("status", tmp_path / "forged", *options)
            assert (code, err) == (0, "")
            assert "\x1b" not in page
            assert "\x07" not in page

    def test_status_of_what_is_no_journal(self, refused, health, tmp_path):
        assert "no such file" in refused("status", tmp_path / "none")
        assert "not a journal" in refused("status", health)
        assert "missing argument 'JOURNAL'" in refused("status")
