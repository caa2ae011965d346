"""`climbfast bootstrap`: what it prints and writes is what the function returns."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.networks.examples import load_example
from climbfast.networks.saving import save_sample
from climbfast.resampling import run as resampling_run
from tests.batch.runs import StoppingReporter

QUIET = ("--quiet", "--jobs", 1)


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """300 rows."""
    path = tmp_path_factory.mktemp("few") / "few.csv"
    save_sample(load_example(), 300, 1, path)
    return path


def without_seconds(found):
    return {**found, "how": {name: value for name, value in found["how"].items() if name != "seconds"}}


def in_python(path, search, **options):
    options = {"replicates": 4, "progress": False, "n_jobs": 1, **options}
    return json.loads(cf.bootstrap(cf.read(path), search, **options).to_json())


class TestSearches:
    @pytest.mark.parametrize(
        ("typed", "search", "options"),
        [
            (["--search", "pc", "--max-given", "none", "--test", "g2", "--alpha", 0.05], "pc",
             {"max_given": None, "test": cf.G2(alpha=0.05)}),
            (["--search", "pc", "--scheme", "complementary", "--seed", 5, "--min-bits", 2], "pc",
             {"scheme": "complementary", "seed": 5, "test": cf.SCI(min_bits=2)}),
            (["--search", "fges", "--sample-prior", 10], "fges", {"score": cf.BDeu(sample_prior=10)}),
            (["--search", "fges+climb", "--directions", "all"], "fges+climb", {"directions": "all"}),
            (["--search", "blankets", "--method", "iamb", "--targets", "sleep,age"], "blankets",
             {"method": "iamb", "targets": ["sleep", "age"]}),
            (["--search", "blankets", "--require", "sleep,fatigue"], "blankets",
             {"knowledge": cf.Knowledge(required=[("sleep", "fatigue")])}),
            (["--search", "blanket", "--target", "sleep", "--directions", "all"], "blanket",
             {"target": "sleep", "directions": "all"}),
        ],
    )  # fmt: skip
    def test_options_reach_the_search(self, run, few, typed, search, options):
        code, out, err = run("bootstrap", few, "--replicates", 4, *QUIET, *typed, "--json")
        assert (code, err, out.count("\n")) == (0, "", 1)
        assert without_seconds(json.loads(out)) == without_seconds(in_python(few, search, **options))

    def test_best_is_the_default_and_reading_options_count(self, run, few):
        _, out, _ = run("bootstrap", few, "--replicates", 1, *QUIET, "--score", "bic", "--leave-out", "age", "--json")
        found = json.loads(out)
        assert (found["search"], found["options"]["score"]["name"]) == ("best", "bic")
        assert "age" not in found["names"]

    def test_progress_is_on_standard_error(self, run, few):
        code, _, err = run("bootstrap", few, "--search", "pc", "--replicates", 4, "--jobs", 1)
        assert code == 0
        assert "climbfast: replicates: 4/4" in err


class TestPages:
    def test_of_graphs(self, run, few):
        _, page, _ = run("bootstrap", few, "--search", "pc", "--replicates", 4, *QUIET)
        found = cf.bootstrap(cf.read(few), "pc", replicates=4, progress=False, n_jobs=1)
        lines = page.splitlines()
        assert lines[0] == "Share of the replicates"
        assert lines[2].split() == ["x", "y", "edge", "x", "->", "y", "y", "->", "x"]
        rows = [line.split() for line in lines[4 : 4 + len(found.frequencies)]]
        assert {(x, y): tuple(shares) for x, y, *shares in rows} == {
            ends: tuple(f"{share:.2f}" for share in shares) for ends, shares in found.frequencies.items()
        }
        assert [row[2] for row in rows] == sorted((row[2] for row in rows), reverse=True)
        assert lines[-1].startswith("300 rows, 15 columns; 4 replicates (bootstrap, seed 0) of pc, with ")

    def test_of_blankets(self, run, few):
        _, page, _ = run("bootstrap", few, "--search", "blanket", "--target", "fatigue", "--replicates", 4, *QUIET)
        lines = page.splitlines()
        assert lines[2].split() == ["target", "member", "found", "parent", "child", "undecided", "spouse"]
        assert all(line.split()[0] == "fatigue" for line in lines[4:-2])
        assert ["fatigue", "heart_disease", "1.00"] in [line.split()[:3] for line in lines]

    def test_of_nothing(self, run, tmp_path):
        (tmp_path / "one.csv").write_text("a\n1\n2\n")
        code, page, _ = run("bootstrap", tmp_path / "one.csv", "--search", "pc", "--replicates", 2, *QUIET)
        assert (code, page.splitlines()[0]) == (0, "Nothing is found in any replicate.")


class TestFiles:
    @pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet"])
    def test_frequencies_and_the_graph_on_which_replicates_agree(self, run, few, tmp_path, suffix):
        out, graph = tmp_path / f"often{suffix}", tmp_path / "agreed.json"
        code, page, err = run(
            "bootstrap", few, "--search", "pc", "--replicates", 5, "--jobs", 1, "--out", out, "--graph", graph,
            "--threshold", 0.8,
        )  # fmt: skip
        assert (code, page) == (0, "")
        found = cf.bootstrap(cf.read(few), "pc", replicates=5, progress=False, n_jobs=1)
        again = cf.read_bootstrap(out)
        assert again.frequencies == found.frequencies
        assert cf.read_graph(graph) == found.graph(0.8) == again.graph(0.8)
        said = err.splitlines()[-2:]
        assert said[0].endswith(f"; written to {out}")
        assert said[1] == f"{len(found.graph(0.8).edges)} edges in 0.8 of the replicates or more; written to {graph}"

    def test_the_threshold_is_chosen_by_itself(self, run, few, tmp_path):
        run("bootstrap", few, "--search", "pc", "--replicates", 5, *QUIET, "--graph", tmp_path / "agreed.csv")
        expected = cf.bootstrap(cf.read(few), "pc", replicates=5, progress=False, n_jobs=1).graph()
        assert cf.read_graph(tmp_path / "agreed.csv").frequencies == expected.frequencies

    def test_formulas_are_quoted(self, run, tmp_path):
        (tmp_path / "data.csv").write_text("=a,=b\n" + "0,0\n1,1\n" * 40 + "0,1\n1,0\n" * 5)
        arguments = ["--search", "pc", "--replicates", 2, *QUIET, "--quote-formulas", "--out", tmp_path / "often.csv"]
        assert run("bootstrap", tmp_path / "data.csv", *arguments).code == 0
        assert (tmp_path / "often.csv").read_text().splitlines()[1].startswith("'=a,'=b,1.0")

    def test_a_run_continues_with_its_journal_and_gets_more_replicates(self, run, few, tmp_path):
        arguments = ["bootstrap", few, "--search", "pc", "--jobs", 1, "--journal", tmp_path / "kept", "--json"]
        run(*arguments, "--replicates", 3)
        code, page, _ = run("status", tmp_path / "kept")
        lines = page.splitlines()
        assert (code, lines[-1]) == (0, "The run is complete.")
        assert lines[0] == f"bootstrap; search pc; scheme bootstrap; seed 0; climbfast {cf.__version__}"
        assert next(line for line in lines if line.startswith("replicates")).split()[:4] == [
            "replicates",
            "3",
            "3",
            "0",
        ]
        code, out, err = run(*arguments, "--replicates", 5, "--resume")
        assert code == 0
        assert "5 units, 5 of them done" in err  # three in the journal, and two in this process
        assert without_seconds(json.loads(out))["table"] == in_python(few, "pc", replicates=5)["table"]

    def test_status_names_the_options_of_a_bootstrap(self, run, few, tmp_path):
        run("bootstrap", few, "--search", "blanket", "--target", "sleep", "--method", "gs", "--test", "g2", *QUIET,
            "--replicates", 2, "--journal", tmp_path / "kept")  # fmt: skip
        head = run("status", tmp_path / "kept").out.splitlines()[0]
        assert head.startswith(
            "bootstrap; search blanket; target sleep; method gs; test g2; scheme bootstrap; seed 0; "
        )


class TestInterrupted:
    def test_ctrl_c_says_what_is_saved(self, run, few, tmp_path, monkeypatch):
        command = ["bootstrap", few, "--search", "pc", "--replicates", 9, *QUIET]
        with monkeypatch.context() as patched:
            patched.setattr(resampling_run, "progress_reporter", lambda **_: StoppingReporter(1))
            stopped = run(*command, "--journal", tmp_path / "kept")
            without = run(*command)
        assert stopped[:2] == without[:2] == (130, "")
        assert stopped.err == (
            f"climbfast: interrupted; finished replicates are saved in {tmp_path / 'kept'}: repeat the run with "
            "--resume to continue\n"
        )
        assert without.err.endswith("; nothing is saved: only a run with --journal FILE can be continued\n")
        assert run("status", tmp_path / "kept").out.splitlines()[-1].startswith("Now in the pass replicates")
        assert (
            run(*command, "--journal", tmp_path / "kept", "--resume").out.splitlines()[:-1]
            == (run(*command).out.splitlines()[:-1])
        )


class TestRefused:
    @pytest.mark.parametrize(
        ("typed", "says"),
        [
            (["--search", "magic"], "--search is 'magic'; it is one of best, blankets, blanket, pc, fges, "),
            (
                ["--search", "blanket"],
                "the search blanket needs the column to search around; name it with --target NAME",
            ),
            (["--search", "blanket", "--target", "slep"], "no column named 'slep'; the nearest are 'sleep'"),
            (["--target", "sleep"], "--target is not an option of the search best; it is for blanket"),
            (
                ["--search", "blanket", "--targets", "a"],
                "--targets is not an option of the search blanket; it is for bl",
            ),
            (
                ["--search", "pc", "--score", "bic"],
                "--score is not an option of the search pc; it is for best, fges, fges+climb",
            ),
            (["--search", "fges", "--alpha", 0.1], "--alpha is not an option of the search fges; it is for "),
            (["--search", "fges", "--directions", "all"], "--directions is not an option of the search fges"),
            (["--search", "pc", "--test", "cmi", "--alpha", 0.1], "--alpha is not an option of the test cmi"),
            (["--search", "pc", "--max-given", "many"], "--max-given is 'many'"),
            (["--replicates", 0], "--replicates is 0; it has to be a whole number from 1 up"),
            (["--scheme", "third"], "--scheme is 'third'; it is one of bootstrap, half, complementary"),
            (["--seed", -1], "--seed is -1; it has to be a whole number from 0 up"),
            (["--jobs", 0, "--search", "pc"], "--jobs is 0"),
            (["--resume"], "--resume continues a journal; name it with --journal FILE"),
            (
                ["--threshold", 0.7],
                "--threshold is for the graph on which the replicates agree; name its file with --g",
            ),
            (["--graph", "x.csv", "--threshold", 2], "--threshold is '2'; it is a share from 0 to 1, or auto"),
            (["--graph", "-"], "--graph is a file, not standard output"),
            (["--graph", "x.xls"], "x.xls: unknown suffix; known are .csv, .json"),
            (["--graph", "none/x.csv"], "none/x.csv cannot be written"),
            (["--out", "x.txt"], "x.txt: unknown suffix; known are .json, .csv, .parquet"),
            (["--out", "none/x.csv"], "none/x.csv cannot be written"),
            (["--out", "x.csv", "--graph", "x.csv"], "x.csv: the same file as --out; name another one for --graph"),
            (["--out", "x.csv", "--journal", "x.csv"], "x.csv: the same file as --journal; name another one for --out"),
        ],
    )
    def test_before_or_at_the_first_replicate(self, refused, few, typed, says, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert says in refused("bootstrap", few, *typed, "--quiet")
        assert not list(tmp_path.iterdir())

    def test_the_data_are_not_overwritten(self, refused, few):
        assert "the same file as DATA; name another one for --out" in refused("bootstrap", few, "--out", few)
        assert "the same file as DATA; name another one for --graph" in refused("bootstrap", few, "--graph", few)

    def test_a_journal_of_other_options(self, run, refused, few, tmp_path):
        arguments = ["bootstrap", few, "--search", "pc", "--replicates", 2, *QUIET, "--journal", tmp_path / "kept"]
        run(*arguments)
        assert "exists already; continue it with --resume" in refused(*arguments)
        assert "seed" in refused(*arguments, "--resume", "--seed", 1)
