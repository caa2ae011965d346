"""`climbfast blanket`: what it prints is what the function returns."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.networks.examples import EXAMPLE_TARGET
from climbfast.networks.saving import save_sample
from tests.cli.commands.expected import BLANKET_KEYS, ODD_NAMES
from tests.local.test_explanation import two_measurements


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

    @pytest.mark.parametrize("option", ["--max-given", "--max-pool"])
    def test_a_number_of_thousands_of_digits(self, refused, health, option):
        said = refused("blanket", health, "--target", "sleep", option, "9" * 5_000)
        assert said.startswith(f"climbfast: {option} has 5,000 digits; it has to be below 2^62, or none")

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

    def test_frequencies(self, run, health):
        arguments = ["blanket", health, "--target", "fatigue", "--max-given", 2, "--bootstrap", 4]
        code, out, err = run(*arguments, "--json", "--bootstrap-scheme", "half", "--bootstrap-seed", 3)
        data = cf.read(health)
        drawn = {"replicates": 4, "scheme": "half", "seed": 3, "progress": False}
        sure = cf.bootstrap(data, "blanket", target="fatigue", max_given=2, **drawn)
        found = sure.added_to(cf.markov_blanket(data, "fatigue", max_given=2))
        assert code == 0
        assert json.loads(out) | {"seconds": 0} == found.to_dict() | {"seconds": 0}
        assert found.frequencies["sleep"]["found"] == 1
        assert "climbfast: replicates: 4/4" in err

    def test_page_with_frequencies(self, run, health):
        _, plain, _ = run("blanket", health, "--target", "fatigue")
        _, page, _ = run("blanket", health, "--target", "fatigue", "--bootstrap", 4)
        lines = page.splitlines()
        assert lines[2].split() == [
            "member",
            "role",
            "direction",
            "common",
            "children",
            "frequency",
            "in",
            "this",
            "role",
        ]
        assert next(line for line in lines if line.startswith("sleep ")).split()[-2:] == ["1.00", "1.00"]
        assert (
            "\n\nFrequency: share of 4 replicates (bootstrap, seed 0) with the member; in this role: that also" in page
        )
        assert "requency" not in plain

    def test_page_of_an_empty_blanket_with_frequencies(self, run, tmp_path):
        (tmp_path / "data.csv").write_text("a,b\n" + "0,0\n0,1\n1,0\n1,1\n" * 9 + "0,0\n1,1\n" * 3)
        _, page, _ = run("blanket", tmp_path / "data.csv", "--target", "a", "--bootstrap", 40)
        assert "is empty.\n\nFrequency: share of 40 replicates" in page
        assert "Outside, most often: b 0." in page

    def test_frequencies_that_are_refused(self, refused, health):
        command = ["blanket", health, "--target", "sleep"]
        assert "--bootstrap is 0; it has to be a whole number" in refused(*command, "--bootstrap", 0)
        assert "--bootstrap-seed is for replicates" in refused(*command, "--bootstrap-seed", 1)

    def test_page_names_the_children_of_a_spouse(self, run, health):
        _, out, _ = run("blanket", health, "--target", EXAMPLE_TARGET)
        line = next(line for line in out.splitlines() if line.startswith("reflux "))
        assert line.split() == ["reflux", "spouse", "chest_pain"]

    def test_page_shows_undecided_neighbors(self, run, health):
        _, out, _ = run("blanket", health, "--target", EXAMPLE_TARGET, "--min-margin", 1e9, "--no-colliders")
        assert "undecided" in out
        assert " parent " not in out

    def test_page_says_what_directs_each_neighbor(self, run, health):
        _, out, _ = run("blanket", health, "--target", EXAMPLE_TARGET)
        found = cf.markov_blanket(cf.read(health), EXAMPLE_TARGET)
        lines = {line.split()[0]: " ".join(line.split()) for line in out.splitlines() if line.strip()}
        for name, seen in found.evidence.items():
            assert f"seen by {', '.join(seen.columns[:3])}" in lines[name]
            assert f"({seen.bits:,.1f} bits)" in lines[name]
        for name, margin in found.margins.items():
            assert f" weighed: {margin:,.1f} bits" in lines[name]
        assert found.evidence
        assert found.margins

    def test_options_of_directions(self, run, health):
        _, out, _ = run("blanket", health, "--target", "sleep", "--no-colliders", "--directions", "all", "--json")
        expected = cf.markov_blanket(cf.read(health), "sleep", colliders=False, directions="all")
        assert json.loads(out) | {"seconds": 0} == expected.to_dict() | {"seconds": 0}
        code, _, err = run("blanket", health, "--target", "sleep", "--method", "pcmb", "--colliders")
        assert code == 2
        assert err == "climbfast: --colliders is for the method climb; pcmb has no collider evidence to direct by\n"

    def test_page_says_what_is_left_open(self, run, tmp_path):
        path = tmp_path / "two.csv"
        frame = two_measurements()
        path.write_text("t,a,b\n" + "".join(f"{t},{a},{b}\n" for t, a, b in zip(*frame.values(), strict=True)))
        _, out, _ = run("blanket", path, "--target", "t", "--symmetry", "and", "--min-bits", 10)
        assert out.startswith("The Markov blanket of t is empty.\n\n2 columns depend on t: ")
        assert " To find more, try a smaller --max-given, --symmetry or or --method best.\n" in out
        _, out, _ = run("neighbors", path, "--target", "t", "--min-bits", 10)
        assert out.startswith("t has no neighbors: 2 columns depend on it, each separated from it by others; all ")

    def test_page_says_when_the_partition_is_not_proved(self, run, health):
        _, out, _ = run("blanket", health, "--target", EXAMPLE_TARGET, "--node-budget", 1)
        assert "Not proved to be the best partition" in out.splitlines()[-1]

    def test_empty_blanket(self, run, tmp_path):
        path = tmp_path / "coins.csv"
        path.write_text("a,b\n" + "0,0\n0,1\n1,0\n1,1\n" * 50)
        code, out, _ = run("blanket", path, "--target", "a")
        assert code == 0
        assert out.startswith(
            "The Markov blanket of a is empty.\n\nNo other column was found to depend on a beyond chance.\n"
        )

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

    def test_a_narrow_terminal_cuts_nothing(self, run, odd_names, monkeypatch):
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", "40")
        _, out, _ = run("blanket", odd_names, "--target", "sp ace", "--max-given", 0)
        assert "…" not in out
        assert f"member: {'n' * 300}\n" in out

    def test_warnings_are_lines_on_standard_error(self, run, tmp_path):
        path = tmp_path / "constant.csv"
        path.write_text("a,b,c\n" + "0,0,5\n0,1,5\n1,0,5\n1,1,5\n" * 5)
        code, out, err = run("blanket", path, "--target", "a", "--json")
        assert code == 0
        assert json.loads(out)["target"] == "a"
        assert err == "warning: constant columns, independent of everything: 'c'\n"

    def test_warning_advises_the_option_as_it_is_typed_here(self, run, tmp_path):
        path = tmp_path / "ids.csv"
        path.write_text("id,ward,b\n" + "".join(f"{i},{i % 30},{i % 2}\n" for i in range(100)))
        _, _, err = run("blanket", path, "--target", "b")
        assert "--keep-ids takes them as they are" in err
        assert "exclude them with --leave-out NAME" in err
        code, _, err = run("blanket", path, "--target", "b", "--leave-out", "id", "--leave-out", "ward")
        assert (code, err) == (0, "")


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """Few rows, of which a graph has directions of each kind."""
    path = tmp_path_factory.mktemp("few") / "few.csv"
    save_sample(cf.load_example(), 500, 1, path)
    return path


class TestBest:
    """Blankets that are read off a graph."""

    def test_json(self, run, few):
        code, out, err = run("blanket", few, "--target", EXAMPLE_TARGET, "--method", "best", "--json")
        expected = cf.markov_blanket(cf.read(few), EXAMPLE_TARGET, "best")
        assert (code, err) == (0, "")
        assert json.loads(out) | {"seconds": 0} == expected.to_dict() | {"seconds": 0}
        assert (expected.search, expected.max_given) == ("graph of all columns", None)

    @pytest.mark.parametrize("directions", ["decided", "all"])
    def test_the_page_says_what_directs_each_neighbor(self, run, few, directions):
        seen, data = set(), cf.read(few)
        for target, found in cf.markov_blankets(
            data, ("age", "heart_disease", "smoking"), method="best", directions=directions, progress=False
        ).items():
            _, out, _ = run("blanket", few, "--target", target, "--method", "best", "--directions", directions)
            lines = {line.split()[0]: line.split() for line in out.splitlines() if line.strip()}
            for name in found.neighbors:
                role = "undecided" if name in found.undecided else "parent" if name in found.parents else "child"
                chosen = ["chosen:", f"{found.margins[name]:,.1f}", "bits"] if name in found.margins else ["compelled"]
                assert lines[name] == [name, role, *([] if role == "undecided" else chosen)]
                seen.add("undecided" if role == "undecided" else chosen[0])
            for name in found.spouses:
                assert lines[name][1] == "spouse"
                assert not {"compelled", "chosen:"} & {*lines[name]}
            assert "method best (graph of all columns); score vote; checked by sci; " in out
            assert "--symmetry" not in out
            assert "--max-given" not in out
        assert seen == {"chosen:", "compelled"} | ({"undecided"} if directions == "decided" else set())

    def test_options_of_searches_are_refused_as_they_are_typed(self, refused, few):
        arguments = ("blanket", few, "--target", "sleep", "--method", "best")
        for option in (["--max-given", "2"], ["--symmetry", "or"], ["--orient"], ["--no-colliders"],
                       ["--min-margin", "2"], ["--node-budget", "9"], ["--neighbors", "mmpc"]):  # fmt: skip
            said = refused(*arguments, *option)
            assert said.startswith(f"climbfast: the method best does not take {option[0].replace('no-', '')}")

    def test_help_names_it(self, run):
        for command in ("blanket", "blankets"):
            assert "best reads the blankets off a graph" in " ".join(
                run(command, "--help").out.replace("│", " ").split()
            )


@pytest.mark.parametrize("options", [(), ("--orient",), ("--symmetry", "none")])
def test_another_method(run, health, options):
    _, out, _ = run("blanket", health, "--target", "heart_disease", "--method", "iamb", "--json", *options)
    plain = json.loads(out)
    assert plain["method"] == "iamb"
    assert bool(plain["undecided"]) == (options != ("--orient",))
    assert bool(plain["parents"] + plain["children"]) == (options == ("--orient",))


def test_a_search_inside_climb(run, health):
    _, out, _ = run("blanket", health, "--target", "heart_disease", "--neighbors", "hiton-pc", "--json")
    assert json.loads(out)["parents"] == ["blood_pressure", "cholesterol", "smoking"]

    def test_missing_cells_and_counts(self, run, tmp_path):
        """The same as the rows that occur, and a sentence for counts that are none."""
        rows = [
            (x, y if i % 7 else "", (x + y) % 2 if i % 5 else "", i % 3)
            for i in range(60)
            for x, y in [(i % 2, i // 2 % 3)]
        ]
        counted, repeated = tmp_path / "counted.csv", tmp_path / "repeated.csv"
        counted.write_text("x,y,z,n\n" + "".join(f"{x},{y},{z},{n}\n" for x, y, z, n in rows))
        repeated.write_text("x,y,z\n" + "".join(f"{x},{y},{z}\n" * n for x, y, z, n in rows))
        options = ["--target", "z", "--missing", "test-wise", "--json"]
        found, expected = (
            json.loads(run("blanket", *arguments, *options)[1])
            for arguments in ([counted, "--weights", "n"], [repeated])
        )
        assert found | {"seconds": 0} == expected | {"seconds": 0}
        assert 0 < found["fewest_rows"] < found["rows"] == 60
        code, out, err = run("blanket", counted, "--target", "z", "--missing", "test-wise", "--weights", "y")
        assert (code, out) == (2, "")
        assert "the weights in column 'y' have 9 missing cells" in err


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Columns z = a, and b that depends on them, in this order in the file."""
    path = tmp_path_factory.mktemp("copies") / "copied.csv"
    lines = [f"{i % 3},{(i if i % 7 else i + 1) % 3},{i % 3}" for i in range(300)]
    path.write_text("\n".join(["z,b,a", *lines]), encoding="utf-8")
    return path


class TestRepresentative:
    """The same option of blanket, blankets and graph."""

    @pytest.mark.parametrize(
        ("typed", "named"), [([], "a"), (["first"], "z"), (["a"], "a"), (["z"], "z"), (["z", "b"], "z")]
    )
    def test_it_is_named_in_all_results(self, run, copied, tmp_path, typed, named):
        options = [part for name in typed for part in ("--representative", name)]
        found = json.loads(run("blanket", copied, "--target", "b", "--json", *options).out)
        assert [*found["parents"], *found["children"], *found["undecided"]] == [named]
        assert found["options"].get("representative") == ("first" if typed == ["first"] else typed or None)
        out = tmp_path / "found.jsonl"
        assert run("blankets", copied, "--out", out, "--jobs", 1, *options).code == 0
        assert cf.read_blankets(out)["b"].members == (named,)
        for method in ("best", "pc", "fges", "pc+climb"):
            graph = json.loads(run("graph", copied, "--method", method, "--json", *options).out)
            pairs = {frozenset((edge["source"], edge["target"])) for edge in graph["edges"]}
            assert pairs == {frozenset((named, "b")), frozenset(("a", "z"))}

    def test_what_is_refused(self, refused, copied):
        two = refused("graph", copied, "--representative", "a", "--representative", "z")
        assert "--representative names 'a' and 'z', which are copies of each other; name one" in two
        assert "no column named 'aa'" in refused("blanket", copied, "--target", "b", "--representative", "aa")
