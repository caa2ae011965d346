"""Input that cannot be used: exit code 2, nothing on standard output, one line that says what would be right."""

from __future__ import annotations

import json
import os
import signal

import pytest
from jsonschema import Draft202012Validator

from climbfast._version import __version__
from climbfast.cli.options import reading
from climbfast.schemas import schema

SEARCH = ["--target", "heart_disease"]


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        (b"", [], "the file is empty"),
        (b"a,b\n", [], "no rows"),
        (b"a,b\n1,2\n1\n", [], "line 3 has 1 cells where the first line has 2"),
        (b"a,b\n1,0.5\n2,0.7\n", [], "'b' has fractional numbers (such as 0.5)"),
        (b"a,b\n1,0.5\n2,0.7\n", [], "with --numbers levels"),
        (b"a,b\n1,0.5\n2,0.7\n", [], "with --numbers auto, this one alone with --numbers b=quantile:4, or"),
        (b"a,b c\n1,0.5\n2,0.7\n", [], "with --numbers 'b c=quantile:4', or"),
        (b"a,b\n1,0.5\n2,0.7\n", ["--cut", "b=2,1"], "the cuts of column 'b' do not ascend: 2 stands before 1"),
        (b"a,b\n1,0.5\n2,0.7\n", ["--numbers", "width:1"], "--numbers is 'width:1'; a column is cut into 2 levels"),
        (b"a,b\n1,0.5\n2,0.7\n", ["--numbers", "c=auto"], "no column named 'c'"),
        (b"a,b\n1,x\n2,y\n", ["--numbers", "b=auto"], "column 'b' has text (such as 'x')"),
        (b"a,b\n1,\n2,NA\n", [], "missing values in 'b' (2); read with --missing test-wise"),
        (b"a,b\n1,\n2,NA\n", [], "or set --missing-markers if"),
        (b"a,a\n1,2\n", [], "more than once: 'a'"),
        (b"a\xe9,b\n1,2\n", [], "--encoding latin-1"),
        (b"a,b\n1,2\n", ["--encoding", "klingon"], "--encoding klingon is unknown"),
        (b"a,b\n1,2\n", ["--separator", "ab"], "--separator ab does not exist"),
        (b"a,b\n1,2\n", ["--separator", ""], "--separator '' does not exist"),
        (b"a,b\n1,2\n", ["--missing", "drop"], "'refuse', 'drop-rows', 'level'"),
        (b"a,b\n1,2\n", ["--leave-out", "c"], "no column named 'c'"),
        (b"missing_markers,b\n1,0.5\n2,0.7\n", ["--leave-out", "missing"], "nearest are 'missing_markers'"),
    ],
)
def test_data(refused, tmp_path, content, options, says):
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    assert says in refused("blanket", path, "--target", "a", *options)


def test_a_file_that_is_none(refused, tmp_path):
    assert "there is no such file" in refused("blanket", tmp_path / "none.csv", "--target", "a")
    assert "a directory" in refused("test", tmp_path, "--x", "a", "--y", "b")


def test_warnings_about_data_that_are_refused_stay_out(refused, tmp_path):
    path = tmp_path / "constant.csv"
    path.write_text("a,b,c\n" + "0,0,5\n0,1,5\n1,0,5\n1,1,5\n" * 5)
    assert "'a'" in refused("blanket", path, "--target", "A")
    assert "--symmetry" in refused("blanket", path, "--target", "a", "--symmetry", "xor")


def test_a_path_of_several_lines_is_told_in_one(refused, tmp_path):
    assert r"no\nsuch.csv" in refused("blanket", tmp_path / "no\nsuch.csv", "--target", "a")


def test_a_column_that_is_none(refused, health):
    assert "nearest are 'heart_disease'" in refused("blanket", health, "--target", "hart_disease")
    assert "'smoking'" in refused("test", health, "--x", "Smoking", "--y", "sleep")
    assert "'smoking'" in refused("test", health, "--x", "ecg", "--y", "sleep", "--given", "reflux,smokin")
    assert "named twice" in refused("test", health, "--x", "ecg", "--y", "ecg")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--test", "chi2"], "the tests are sci, g2, x2, cmi"),
        (["--method", "magic"], "the methods are climb, pcmb"),
        (["--alpha", "0.05"], "--alpha is not an option of the test sci; it is for g2 and x2"),
        (["--alpha", "0.05", "--test", "cmi"], "--alpha is not an option of the test cmi; it is for g2 and x2"),
        (["--df", "nominal", "--test", "sci"], "--df is not an option of the test sci"),
        (["--min-rows-per-df", "5"], "--min-rows-per-df is not an option of the test sci"),
        (["--min-bits", "5", "--test", "g2"], "--min-bits is not an option of the test g2; it is for sci"),
        (["--cutoff", "0.1", "--test", "x2"], "--cutoff is not an option of the test x2; it is for cmi"),
        (["--test", "g2", "--alpha", "2"], "--alpha is 2.0; it has to lie between 0 and 1"),
        (["--test", "g2", "--alpha", "nan"], "between 0 and 1"),
        (["--test", "g2", "--alpha", "few"], "invalid value for '--alpha'"),
        (["--test", "g2", "--df", "odd"], "--df is 'odd'; it is one of 'adjusted', 'nominal'"),
        (["--test", "g2", "--min-rows-per-df", "-1"], "--min-rows-per-df is -1.0"),
        (["--min-bits", "-1"], "--min-bits is -1.0"),
        (["--test", "cmi", "--cutoff", "inf"], "--cutoff is inf"),
        (["--max-given", "-1"], "a whole number from 0 up, or none"),
        (["--max-given", "2.5"], "a whole number from 0 up, or none"),
        (["--max-given", "²"], "a whole number from 0 up, or none"),
        (["--symmetry", "xor"], "--symmetry is 'xor'; for climb it is one of and, or, none, children"),
        (["--min-margin", "-1"], "--min-margin is -1.0"),
        (["--node-budget", "0"], "--node-budget is 0"),
        (["--node-budget", "9" * 30], "it has to be below 2^62"),
        (
            ["--method", "iamb", "--min-margin", "5"],
            "--min-margin, --node-budget and --directions all need directions; iamb finds directions",
        ),
        (["--method", "iamb", "--node-budget", "5"], "only with --orient"),
        (["--node-budget", "many"], "invalid value for '--node-budget'"),
        (["--nod-budget", "5"], "see climbfast blanket --help"),
        (["extra"], "see climbfast blanket --help"),
    ],
)
def test_an_option_of_blanket(refused, health, options, says):
    assert says in refused("blanket", health, *SEARCH, *options)


def test_an_option_of_test(refused, health):
    arguments = ["test", health, "--x", "ecg", "--y", "sleep"]
    assert "--alpha is not an option of the test sci" in refused(*arguments, "--alpha", "0.05")
    assert "see climbfast test --help" in refused(*arguments, "--max-given", "2")


def test_usage(refused, health):
    assert "no such command 'blankett'" in refused("blankett")
    assert "; did you mean 'blanket', 'blankets'? See climbfast --help" in refused("blankett")
    assert "missing option '--target'; see climbfast blanket --help" in refused("blanket", health)
    assert "missing argument 'DATA'" in refused("blanket")
    assert "--fast" in refused("--fast")


def test_not_enough_memory(refused, health, monkeypatch):
    def hungry(*_: object, **__: object) -> None:
        raise MemoryError("Unable to allocate 91 TiB")

    monkeypatch.setattr(reading, "read", hungry)
    assert "not enough memory: Unable to allocate 91 TiB" in refused("blanket", health, *SEARCH)


class TestFaultOfOurs:
    @pytest.fixture(autouse=True)
    def _broken(self, monkeypatch):
        def broken(*_: object, **__: object) -> None:
            raise ZeroDivisionError("first line\nsecond")

        monkeypatch.setattr(reading, "read", broken)

    def test_is_one_line_and_code_1(self, run, health, monkeypatch):
        monkeypatch.delenv("CLIMBFAST_TRACEBACK", raising=False)
        code, out, err = run("blanket", health, *SEARCH)
        assert (code, out, err.count("\n")) == (1, "", 1)
        assert "ZeroDivisionError" in err
        assert "what it prints with --verbose, and climbfast --version --verbose" in err

    def test_shows_its_traceback_when_asked(self, run, health, monkeypatch):
        monkeypatch.setenv("CLIMBFAST_TRACEBACK", "1")
        code, _, err = run("blanket", health, *SEARCH)
        assert code == 1
        assert err.startswith("Traceback")
        assert "in broken" in err


def test_interrupted(run, health, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(reading, "read", interrupted)
    assert run("blanket", health, *SEARCH) == (130, "", "climbfast: interrupted\n")


class TestJson:
    """With ``--json`` a failure is one JSON object on standard error, which has the form of its schema."""

    @pytest.fixture
    def error(self, run):
        def error(*arguments):
            code, out, err = run(*arguments, "--json")
            found = json.loads(err)
            Draft202012Validator(schema("error")).validate(found)
            assert (found["exit_code"], out, err.count("\n")) == (code, "", 1)
            assert found["version"] == __version__
            return found["error"]

        return error

    @pytest.mark.parametrize(
        ("options", "option", "legal"),
        [
            (["--test", "chi2"], "--test", ["sci", "g2", "x2", "cmi"]),
            (["--missing", "drop"], "--missing", ["refuse", "drop-rows", "level", "test-wise"]),
            (["--symmetry", "xor"], "--symmetry", ["and", "or", "none", "children"]),
            (["--test", "g2", "--alpha", "2"], "--alpha", "between 0 and 1"),
            (["--max-given", "few"], "--max-given", "a whole number from 0 up, or none for no limit"),
            (["--node-budget", "0"], "--node-budget", "a whole number from 1 up"),
            (["--node-budget", "many"], "--node-budget", "a whole number"),
            (["--min-margin", "x"], "--min-margin", "a number"),
            (["--bootstrap", "0"], "--bootstrap", "a whole number from 1 up"),
            (["--alpha", "0.05"], "--alpha", None),
            (["--fast"], "--fast", None),
            (["--out", "blanket.xlsx"], "--out", [".json", ".txt"]),
        ],
    )
    def test_of_an_option(self, error, health, options, option, legal):
        found = error("blanket", health, *SEARCH, *options)
        assert (found["option"], found["legal"]) == (option, legal)
        assert option in found["message"]

    def test_of_method(self, error, health):
        found = error("blanket", health, *SEARCH, "--method", "magic")
        assert found["option"] == "--method"
        assert "best" in found["legal"]

    @pytest.mark.parametrize(
        ("arguments", "kind", "option"),
        [
            (["blanket"], "UsageError", "DATA"),
            (["blanket", "none.csv"], "UsageError", "--target"),
            (["blanket", "none.csv", "--target", "a"], "DataError", None),
            (["compare", "none.csv", "none.csv"], "GraphError", None),
            (["schema", "blankett"], "OptionError", None),
            (["convert", "none.csv", "--out", "-"], "OptionError", "--json"),
        ],
    )
    def test_of_arguments(self, error, arguments, kind, option):
        found = error(*arguments)
        assert (found["kind"], found["option"]) == (kind, option)

    @pytest.mark.parametrize(
        ("options", "option"),
        [
            (["--target", "ecgg"], "--target"),
            (["--target=ecgg"], "--target"),
            ([*SEARCH, "--require", "ecg,ecgg"], "--require"),
            ([*SEARCH, "--weights", "ecgg"], "--weights"),
            ([*SEARCH, "--numbers", "ecgg=quantile:3"], "--numbers"),
            ([*SEARCH, "--tier", 'ecg,"ecgg"'], "--tier"),
            (["--target", "ec\ngg"], "--target"),
            (["--target", "e" * 200_000], "--target"),
        ],
    )
    def test_of_a_column(self, error, health, options, option):
        found = error("blanket", health, *options)
        assert (found["kind"], found["option"]) == ("UnknownColumnError", option)
        assert "ecg" in found["legal"]

    def test_of_a_column_among_many(self, error, tmp_path):
        wide = tmp_path / "wide.csv"
        wide.write_text("\n".join([",".join(f"x{i}" for i in range(101)), ",".join("0" * 101), ",".join("1" * 101)]))
        found = error("blanket", wide, "--target", "z")
        assert (found["option"], found["legal"]) == ("--target", "the name of a column")

    @pytest.mark.parametrize(
        ("arguments", "option", "legal"),
        [
            (["graph", "--out", "graph.xls"], "--out", ".graphml"),
            (["graph", "--plot", "graph.gif"], "--plot", ".svg"),
            (["bootstrap", "--out", "shares.xls"], "--out", ".parquet"),
            (["bootstrap", "--graph", "graph.xls"], "--graph", ".dot"),
        ],
    )
    def test_of_a_suffix(self, error, health, arguments, option, legal):
        command, *options = arguments
        found = error(command, health, *options)
        assert found["option"] == option
        assert legal in found["legal"]

    def test_of_an_option_that_is_needed(self, error, health):
        assert error("bootstrap", health, "--search", "blanket")["option"] == "--target"

    def test_a_fault_of_ours_and_ctrl_c(self, error, health, monkeypatch):
        for raised, kind in ((ZeroDivisionError, "ZeroDivisionError"), (KeyboardInterrupt, "Interrupted")):

            def broken(*_: object, raised=raised, **__: object) -> None:
                raise raised

            monkeypatch.setattr(reading, "read", broken)
            assert error("blanket", health, *SEARCH)["kind"] == kind

    @pytest.mark.skipif(os.name == "nt", reason="there is no SIGTERM for one process")
    def test_the_code_of_a_command_that_was_ended(self, error, run, health, monkeypatch):
        monkeypatch.setattr(reading, "read", lambda *_, **__: os.kill(os.getpid(), signal.SIGTERM))
        assert error("blanket", health, *SEARCH)["message"] == "interrupted"
        assert run("blanket", health, *SEARCH) == (143, "", "climbfast: interrupted\n")

    def test_a_command_without_json_fails_in_words(self, refused, health):
        assert "no such option: --json" in refused("blankets", health, "--out", "a.csv", "--json")
        assert "no column named '--json'" in refused("blanket", health, "--target=--json")
