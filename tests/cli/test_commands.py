"""What the commands print, and that it is what the functions return."""

from __future__ import annotations

import csv
import gc
import gzip
import json
import random
from pathlib import Path

import polars as pl
import pytest

import climbfast as cf
from climbfast.networks.examples import EXAMPLE_TARGET, load_example

BLANKET_KEYS = {
    "target",
    "parents",
    "children",
    "spouses",
    "method",
    "test",
    "margins",
    "tests",
    "rows",
    "columns",
    "seconds",
    "version",
}
TEST_KEYS = {"test", "x", "y", "given", "rows", "strength", "independent", "information"}
SCI_KEYS = {"sci", "sc_x", "sc_x_given_y", "sc_y", "sc_y_given_x"}
CHI2_KEYS = {"statistic", "df", "p_value", "log10_p"}
ODD_NAMES = ["[red]t[/red]", "a,b", "n" * 300, "é中", "--x", "sp ace", 'q"q', "line\nbreak", "\x1b[31mred", "3"]


@pytest.fixture(scope="module")
def odd_names(tmp_path_factory):
    """A target, and noisy copies of it under names that break tables, terminals and option parsers."""
    path = tmp_path_factory.mktemp("odd") / "odd.csv"
    rng = random.Random(1)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(ODD_NAMES)
        for _ in range(1000):
            target = rng.random() < 0.5
            writer.writerow([int(target)] + [int(target ^ (rng.random() < 0.2)) for _ in ODD_NAMES[1:]])
    return path


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    path = tmp_path_factory.mktemp("network") / "health.bif"
    cf.write_bif(load_example(), path)
    return path


def decoded(data):
    """Every cell by name: the order of levels is alphabetical in text files, that of the network in others."""
    return {name: [data.levels[name][code] for code in data.codes[data.index(name)]] for name in data.names}


class TestBlanket:
    def test_json_is_one_object_with_the_promised_keys(self, run, health):
        code, out, err = run("blanket", health, "--target", EXAMPLE_TARGET, "--json")
        assert (code, err, out.count("\n")) == (0, "", 1)
        found = json.loads(out)
        assert set(found) >= BLANKET_KEYS
        assert (found["rows"], found["columns"], found["version"]) == (3000, 15, cf.__version__)

    @pytest.mark.parametrize(
        "test", [cf.SCI(min_bits=5), cf.G2(alpha=0.001), cf.X2(df="adjusted"), cf.CMI(cutoff=0.01)]
    )
    def test_options_reach_the_search(self, run, health, test):
        options = {
            "sci": ["--min-bits", 5],
            "g2": ["--alpha", 0.001],
            "x2": ["--df", "adjusted"],
            "cmi": ["--cutoff", 0.01],
        }
        arguments = ["--test", test.name, *options[test.name], "--max-given", 2, "--symmetry", "and"]
        _, out, _ = run("blanket", health, "--target", EXAMPLE_TARGET, *arguments, "--json")
        expected = cf.markov_blanket(cf.read(health), EXAMPLE_TARGET, test=test, max_given=2, symmetry="and")
        assert json.loads(out) | {"seconds": 0} == expected.to_dict() | {"seconds": 0}

    def test_max_given_none_is_no_limit(self, run, health):
        _, out, _ = run("blanket", health, "--target", "sleep", "--max-given", "none", "--json")
        expected = cf.markov_blanket(cf.read(health), "sleep", max_given=None)
        assert json.loads(out)["tests_by_size"] == list(expected.tests_by_size)

    def test_page(self, run, health):
        code, out, err = run("blanket", health, "--target", EXAMPLE_TARGET)
        found = cf.markov_blanket(cf.read(health), EXAMPLE_TARGET)
        lines = out.splitlines()
        assert (code, err) == (0, "")
        assert lines[0] == f"The Markov blanket of {EXAMPLE_TARGET}"
        assert lines[2].split("  ")[0] == "member"
        assert [line.split()[0] for line in lines[4 : 4 + len(found.members)]] == [
            *found.parents,
            *found.children,
            *found.spouses,
        ]
        assert f"3,000 rows, 15 columns; method climb; test sci; {found.tests:,} tests; " in lines[-1]
        assert "Not proved" not in out

    def test_page_names_the_children_of_a_spouse(self, run, health):
        _, out, _ = run("blanket", health, "--target", EXAMPLE_TARGET)
        line = next(line for line in out.splitlines() if line.startswith("reflux "))
        assert line.split() == ["reflux", "spouse", "chest_pain"]

    def test_page_shows_undecided_neighbors(self, run, health):
        _, out, _ = run("blanket", health, "--target", EXAMPLE_TARGET, "--min-margin", 1e9)
        assert "undecided" in out
        assert " parent " not in out

    def test_page_says_when_the_partition_is_not_proved(self, run, health):
        _, out, _ = run("blanket", health, "--target", EXAMPLE_TARGET, "--node-budget", 1)
        assert "Not proved to be the best partition" in out.splitlines()[-1]

    def test_empty_blanket(self, run, tmp_path):
        path = tmp_path / "coins.csv"
        path.write_text("a,b\n" + "0,0\n0,1\n1,0\n1,1\n" * 50)
        code, out, _ = run("blanket", path, "--target", "a")
        assert code == 0
        assert out.startswith("The Markov blanket of a is empty: ")

    @pytest.mark.parametrize("target", ODD_NAMES)
    def test_any_name_is_a_target(self, run, odd_names, target):
        code, out, _ = run("blanket", odd_names, f"--target={target}", "--max-given", 1, "--json")
        assert code == 0
        assert json.loads(out)["target"] == target

    def test_names_are_printed_whole_and_literally(self, run, odd_names):
        _, out, _ = run("blanket", odd_names, "--target", "sp ace", "--max-given", 0)
        first = [line.split("  ")[0] for line in out.splitlines()]
        shown = {repr(name) if not name.isprintable() else name for name in ODD_NAMES} - {"sp ace"}
        assert shown <= set(first)
        assert "\x1b" not in out

    def test_a_narrow_terminal_folds_names_and_cuts_nothing(self, run, odd_names, monkeypatch):
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", "40")
        _, out, _ = run("blanket", odd_names, "--target", "sp ace", "--max-given", 0)
        assert "…" not in out
        assert sum(line.split()[0].count("n") for line in out.splitlines() if line.startswith("nnn")) == 300

    def test_warnings_are_lines_on_standard_error(self, run, tmp_path):
        path = tmp_path / "constant.csv"
        path.write_text("a,b,c\n" + "0,0,5\n0,1,5\n1,0,5\n1,1,5\n" * 5)
        code, out, err = run("blanket", path, "--target", "a", "--json")
        assert code == 0
        assert json.loads(out)["target"] == "a"
        assert err == "warning: constant columns, independent of everything: 'c'\n"

    def test_warning_advises_the_option_as_it_is_typed_here(self, run, tmp_path):
        path = tmp_path / "ids.csv"
        path.write_text("id,b\n" + "".join(f"{i},{i % 2}\n" for i in range(100)))
        _, _, err = run("blanket", path, "--target", "b")
        assert "id columns" in err
        assert "'id'; --keep-ids takes them as they are" in err
        _, _, err = run("blanket", path, "--target", "b", "--keep-ids")
        assert "exclude them with --leave-out NAME" in err
        code, _, err = run("blanket", path, "--target", "b", "--leave-out", "id")
        assert (code, err) == (0, "")


class TestReadingOptions:
    @pytest.mark.parametrize(
        ("content", "options", "rows"),
        [
            (b"a;b,c\n0;1\n1;0\n", ["--separator", ";"], 2),
            (b"0,1\n1,0\n1,1\n", ["--no-header", "--target", "column_1"], 3),
            (b"a,\xe9\n0,1\n", ["--encoding", "latin-1"], 1),
            (b"a,b\n0,1.5\n1,2.5\n", ["--treat-floats-as-levels"], 2),
            (b"a,b\n0,NA\n1,0\n1,1\n", ["--missing", "drop-rows"], 2),
            (b"a,b\n0,NA\n1,0\n1,1\n", ["--missing", "level"], 3),
            (b"a,b\n0,NA\n1,x\n", ["--missing-markers", ""], 2),
            (b"a,b\n0,?\n1,-\n1,1\n", ["--missing-markers", "?,-", "--missing", "drop-rows"], 1),
            (
                b"a,b\n0,?\n1,-\n1,1\n",
                ["--missing-markers", "?", "--missing-markers", "-", "--missing", "drop-rows"],
                1,
            ),
        ],
    )
    def test_they_reach_read(self, run, tmp_path, content, options, rows):
        path = tmp_path / "data.csv"
        path.write_bytes(content)
        target = [] if "--target" in options else ["--target", "a"]
        code, out, err = run("blanket", path, *target, *options, "--json")
        assert code == 0, err
        assert json.loads(out)["rows"] == rows


class TestTest:
    @pytest.mark.parametrize(
        ("test", "keys"), [("sci", SCI_KEYS), ("g2", CHI2_KEYS), ("x2", CHI2_KEYS), ("cmi", set())]
    )
    def test_json_is_that_of_the_function(self, run, health, test, keys):
        arguments = ["--x", "smoking", "--y", EXAMPLE_TARGET, "--given", "cholesterol,sleep", "--test", test]
        code, out, err = run("test", health, *arguments, "--json")
        assert (code, err, out.count("\n")) == (0, "", 1)
        figures = json.loads(out)
        assert set(figures) >= TEST_KEYS | keys
        assert not set(figures) & ((SCI_KEYS | CHI2_KEYS) - keys)
        expected = cf.test(cf.read(health), "smoking", EXAMPLE_TARGET, ["cholesterol", "sleep"], test)
        assert figures == json.loads(expected.to_json())

    def test_min_bits(self, run, health):
        arguments = ["--x", "smoking", "--y", EXAMPLE_TARGET, "--min-bits", 5, "--json"]
        expected = cf.test(cf.read(health), "smoking", EXAMPLE_TARGET, test=cf.SCI(min_bits=5))
        assert json.loads(run("test", health, *arguments).out) == json.loads(expected.to_json())
        assert run("test", health, *arguments[:-2], "auto").code == 0

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            (["3,sp ace"], ["3", "sp ace"]),
            (["3, sp ace"], ["3", "sp ace"]),
            (["a,b"], ["a,b"]),
            (["a,b", "3,--x"], ["a,b", "3", "--x"]),
            ([], []),
        ],
    )
    def test_given_is_split_at_commas_unless_it_is_a_name(self, run, odd_names, given, expected):
        options = [f"--given={text}" for text in given]
        _, out, _ = run("test", odd_names, "--x", "[red]t[/red]", "--y", "é中", *options, "--json")
        assert json.loads(out)["given"] == expected

    def test_page(self, run, health):
        code, out, err = run(
            "test", health, "--x", "smoking", "--y", EXAMPLE_TARGET, "--test", "g2", "--given", "sleep"
        )
        assert (code, err) == (0, "")
        assert out.startswith("smoking and heart_disease given sleep: dependent by g2\n")
        assert {"rows", "statistic", "df", "p_value", "log10_p"} <= {line.split("  ")[0] for line in out.splitlines()}


class TestSample:
    @pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "TSV.gz", "parquet", "arrow", "feather"])
    def test_reads_back_as_what_was_drawn(self, run, network, tmp_path, suffix):
        out = tmp_path / f"data.{suffix}"
        assert run("sample", network, "--rows", 500, "--seed", 7, "--out", out) == (0, "", "")
        assert decoded(cf.read(out)) == decoded(load_example().sample(500, 7))
        assert list(tmp_path.iterdir()) == [out]

    def test_equal_seeds_give_equal_files(self, run, network, tmp_path):
        for name in ("a.csv.gz", "b.csv.gz"):
            run("sample", network, "--rows", 50, "--seed", 7, "--out", tmp_path / name)
        assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
        assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()).count(b"\n") == 51

    def test_then_blanket(self, run, network, tmp_path):
        run("sample", network, "--rows", 20_000, "--seed", 1, "--out", tmp_path / "data.parquet")
        _, out, _ = run("blanket", tmp_path / "data.parquet", "--target", EXAMPLE_TARGET, "--json")
        found, truth = json.loads(out), load_example().blanket(EXAMPLE_TARGET)
        assert [found[side] for side in ("parents", "children", "spouses")] == [
            list(truth.parents),
            list(truth.children),
            list(truth.spouses),
        ]

    def test_says_which_states_look_missing_and_how_to_read_them(self, run, tmp_path):
        path = tmp_path / "markers.bif"
        states = {"a": ("NA", "some"), "b": ("no", "yes")}
        tables = {"a": [0.5, 0.5], "b": [[0.9, 0.1], [0.2, 0.8]]}
        cf.write_bif(cf.Network("markers", states, {"b": ("a",)}, tables), path)
        code, _, err = run("sample", path, "--rows", 100, "--seed", 1, "--out", tmp_path / "data.csv")
        assert code == 0
        assert err.startswith("note: some states of 'a' look like missing values in a text file; ")
        assert err.endswith("--missing-markers ''\n")
        code, out, _ = run("blanket", tmp_path / "data.csv", "--target", "b", "--missing-markers", "", "--json")
        assert (code, json.loads(out)["rows"]) == (0, 100)
        assert run("sample", path, "--rows", 100, "--seed", 1, "--out", tmp_path / "data.parquet").err == ""
        assert pl.read_parquet(tmp_path / "data.parquet").height == 100

    def test_replaces_the_old_file_only_when_the_new_one_is_whole(self, refused, network, tmp_path, monkeypatch):
        out = tmp_path / "data.csv"
        out.write_text("old")

        def half(frame: pl.DataFrame, file, **_: object) -> None:
            file.write(b"half")
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(pl.DataFrame, "write_csv", half)
        assert "No space left on device" in refused("sample", network, "--rows", 5, "--seed", 1, "--out", out)
        assert out.read_text() == "old"
        assert list(tmp_path.iterdir()) == [out]

    def test_what_cannot_be_written_is_refused(self, refused, network, tmp_path):
        arguments = ["sample", network, "--rows", 5, "--seed", 1, "--out"]
        assert ".csv, .tsv" in refused(*arguments, tmp_path / "data.xlsx")
        assert "No such file or directory" in refused(*arguments, tmp_path / "none" / "data.csv")
        (tmp_path / "folder.csv").mkdir()
        assert "it is a directory" in refused(*arguments, tmp_path / "folder.csv")
        assert "--rows is 0" in refused("sample", network, "--rows", 0, "--seed", 1, "--out", tmp_path / "data.csv")
        assert "--seed is -1" in refused("sample", network, "--rows", 1, "--seed", -1, "--out", tmp_path / "data.csv")
        assert "missing option '--seed'" in refused("sample", network, "--rows", 1, "--out", tmp_path / "data.csv")
        assert [path.name for path in tmp_path.iterdir()] == ["folder.csv"]

    def test_what_is_no_network_is_refused(self, refused, tmp_path):
        out = tmp_path / "data.csv"
        assert "none.bif" in refused("sample", tmp_path / "none.bif", "--rows", 5, "--seed", 1, "--out", out)
        (tmp_path / "odd.bif").write_text("network x {\n}\nvariables")
        assert "line 3" in refused("sample", tmp_path / "odd.bif", "--rows", 5, "--seed", 1, "--out", out)


class TestDemo:
    def test_page_sets_the_truth_beside_what_was_found(self, run):
        code, out, err = run("demo")
        assert (code, err) == (0, "")
        assert "true role" in out.splitlines()[2]
        assert out.splitlines()[-1].endswith("agrees with it in every member and role.")

    def test_json(self, run):
        code, out, _ = run("demo", "--json")
        shown = json.loads(out)
        assert (code, shown["agrees"], shown["network"]) == (0, True, "everyday_health")
        assert set(shown["found"]) >= BLANKET_KEYS
        assert {side: shown["found"][side] for side in shown["truth"]} == shown["truth"]


def test_version(run):
    assert run("--version") == (0, f"climbfast {cf.__version__}\n", "")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["blanket", "--help"], ["sample", "-h"]])
def test_help(run, arguments):
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    assert "Usage: climbfast" in out


def test_read_leaves_every_option_reachable(run):
    """A new option of ``read`` has to get a switch here, or be named in this list."""
    import inspect

    not_here = {"path", "declared_levels", "columns", "header"}  # header is --no-header
    _, out, _ = run("blanket", "--help")
    for option in set(inspect.signature(cf.read).parameters) - not_here:
        assert f"--{option.replace('_', '-')}" in out


def test_data_path_may_be_anything(run, tmp_path: Path):
    path = tmp_path / "[bold]sp ace,é.csv"
    path.write_text("a,b\n0,0\n1,1\n")
    assert run("blanket", path, "--target", "a").code == 0


class TestMethods:
    def test_neighbors(self, run, health):
        code, out, _ = run("neighbors", health, "--target", "heart_disease", "--method", "mmpc", "--json")
        found = cf.neighbors(cf.read(health), "heart_disease", "mmpc")
        plain = json.loads(out)
        assert (code, plain["neighbors"], plain["tests"]) == (0, list(found.members), found.tests)
        options = ["--method", "mmpc", "--min-bits", 300, "--json"]
        plain = json.loads(run("neighbors", health, "--target", "heart_disease", *options).out)
        assert plain["neighbors"] == list(cf.neighbors(cf.read(health), "heart_disease", "mmpc", min_bits=300).members)
        assert len(plain["neighbors"]) < len(found.members)
        page = run("neighbors", health, "--target", "heart_disease").out
        assert page.startswith("The neighbors of heart_disease\n\n")
        assert "method getpc; test sci; " in page and all(name in page for name in found.members)

    def test_no_neighbors(self, run, tmp_path):
        path = tmp_path / "coins.csv"
        path.write_text("a,b\n" + "0,0\n0,1\n1,0\n1,1\n" * 50)
        code, out, _ = run("neighbors", path, "--target", "a")
        assert code == 0
        assert out.startswith("a has no neighbors: ")
        assert "neighbor   strength" not in out

    @pytest.mark.parametrize("options", [(), ("--orient",), ("--symmetry", "none")])
    def test_another_method(self, run, health, options):
        _, out, _ = run("blanket", health, "--target", "heart_disease", "--method", "iamb", "--json", *options)
        plain = json.loads(out)
        assert plain["method"] == "iamb"
        assert bool(plain["undecided"]) == (options != ("--orient",))
        assert bool(plain["parents"] + plain["children"]) == (options == ("--orient",))

    def test_a_search_inside_climb(self, run, health):
        _, out, _ = run("blanket", health, "--target", "heart_disease", "--neighbors", "hiton-pc", "--json")
        assert json.loads(out)["parents"] == ["blood_pressure", "cholesterol", "smoking"]

    def test_list(self, run):
        code, out, _ = run("methods")
        listed = json.loads(run("methods", "--json").out)["methods"]
        assert code == 0 and len(listed) == 19
        assert all(method["name"] in out and method["paper"] in out for method in listed)


def test_the_collector_is_left_as_it_was(run, health):
    before = gc.get_threshold()
    assert run("blanket", health, "--target", "heart_disease").code == 0
    assert run("blanket", health, "--target", "nothing").code == 2
    assert gc.get_threshold() == before
