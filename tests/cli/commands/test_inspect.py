"""`climbfast inspect`: what it prints, the options that it names, its exit codes."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

import climbfast as cf

ROWS = 60


@pytest.fixture
def survey(tmp_path):
    """A table with numbers, blanks, text, ages, copies and an id column."""
    path = tmp_path / "survey.csv"
    rng = np.random.default_rng(0)
    lines = ["id,sex,income,age,smokes,copy,answer,k"]
    for i in range(ROWS):
        smokes = rng.choice(["yes", "no"])
        cells = [
            f"p{i}", rng.choice(["F", "M", "f "]), f"{rng.normal():.2f}", 20 + i % 30, smokes, smokes.upper(),
            rng.choice(["1", "2", "3", "?"]) if i % 9 else "", "k",
        ]  # fmt: skip
        lines.append(",".join(map(str, cells)))
    path.write_text("\n".join(lines) + "\n")
    return path


class TestPage:
    def test_what_is_refused_and_how_it_is_mended(self, run, survey):
        code, out, err = run("inspect", survey)
        lines = [" ".join(line.split()) for line in out.splitlines()]
        assert (code, err) == (0, "")
        assert (
            lines[0] == f"{survey}: 60 rows, 8 columns, 480 bytes as codes; 60 different rows, 53 without missing cells"
        )
        assert lines[2] == "Reading refuses the table for"
        assert lines[5] == (
            "fractional numbers in column 'income' cut them into intervals with --numbers auto, or make each number a "
            "level with --numbers levels"
        )
        assert lines[6].startswith(
            "7 missing cells (1.5% of all) in column 'answer' use all rows that a test can use with "
        )
        assert "--missing test-wise" in lines[6]

    def test_the_options_that_mend_it_in_one_line(self, run, survey):
        lines = run("inspect", survey).out.splitlines()
        (line,) = [line for line in lines if line.startswith("Reading takes the table with ")]
        typed = line.removeprefix("Reading takes the table with ")
        assert typed == "--numbers auto --missing test-wise"
        assert run("blanket", survey, "--target", "smokes", *shlex.split(typed)).code == 0

    def test_what_should_be_checked(self, run, survey):
        lines = [" ".join(line.split()) for line in run("inspect", survey).out.splitlines()]
        assert lines.index("To check") < lines.index("To know")
        assert any(
            line.startswith("levels of column 'sex' differ only by blanks and case: 'F' = 'f '") for line in lines
        )
        mark = "mark as missing with --missing-markers 'answer=?'"
        assert f"'?' in column 'answer' seems to mean a missing cell {mark}" in lines
        assert (
            "columns 'smokes', 'copy' determine each other one to one: 'no' = 'NO', 'yes' = 'YES' one stands for all "
            "in searches; leave the others out with --leave-out copy"
        ) in lines

    def test_columns(self, run, survey):
        lines = [" ".join(line.split()) for line in run("inspect", survey).out.splitlines()]
        assert "column kind values missing most frequent becomes" in lines
        assert "id text 60 0 'p0' id" in lines
        assert "k text 1 0 'k' constant" in lines
        assert "age whole 30 0 20 30 levels" in lines
        assert any(
            line.startswith("income fractional ") and " refused: fractional numbers (such as " in line for line in lines
        )

    def test_the_options_that_it_names_are_typed(self, run, survey):
        found = cf.inspect(survey)
        (marker,) = found.of_kind("marker")
        out = run("inspect", survey).out
        assert shlex.quote("answer=?") in out
        typed = ["--numbers", "auto", "--missing", "test-wise", "--missing-markers", "answer=?", "--leave-out", "copy"]
        code, out, err = run("inspect", survey, *typed)
        assert (code, err) == (0, "")
        assert "Reading takes the table with these options." in out
        assert "Reading refuses" not in out
        lines = [" ".join(line.split()) for line in out.splitlines()]
        assert any(line.startswith("income fractional ") and " 3 intervals: cut at " in line for line in lines)
        assert any(line.startswith("copy ") and line.endswith(" left out") for line in lines)
        assert marker.columns == ("answer",)

    def test_what_it_says_is_what_a_search_does(self, run, survey):
        assert run("blanket", survey, "--target", "smokes").code == 2
        assert run("blanket", survey, "--target", "smokes", "--numbers", "auto", "--missing", "test-wise").code == 0

    def test_thousands_of_columns(self, run, tmp_path):
        path = tmp_path / "wide.csv"
        rng = np.random.default_rng(0)
        columns = rng.integers(0, 2, (500, 40))
        marked = [
            [f"{value % 3}" if row % 5 else "?" * (1 + i % 2) for row, value in enumerate(column)]
            for i, column in enumerate(rng.integers(0, 9, (20, 40)))
        ]
        cells = [*map(list, columns.astype(str)), *marked]
        names = [f"x{i}" for i in range(520)]
        path.write_text("\n".join([",".join(names), *map(",".join, zip(*cells, strict=True))]) + "\n")
        code, out, _ = run("inspect", path)
        lines = out.splitlines()
        assert code == 0
        assert len(lines) < 90
        (marker,) = [line for line in lines if line.startswith("'?' in 10 columns ('x500', 'x502', ")]
        assert marker.endswith("--missing-markers 'x504=?', and so for the other columns")
        assert lines[-1] == "... and 504 more columns: 492 whole (levels), 12 text (levels); --json gives all"

    def test_odd_names(self, run, tmp_path):
        path = tmp_path / "odd.csv"
        path.write_text('"[red]r[/red]","line\nbreak",é中\n1,?,a\n2,x,b\n')
        code, out, _ = run("inspect", path)
        assert code == 0
        assert "[red]r[/red]" in out
        assert r"'line\nbreak'" in out
        assert "é中" in out


class TestJson:
    def test_is_that_of_the_function(self, run, survey):
        code, out, err = run("inspect", survey, "--json", "--numbers", "auto")
        assert (code, err, out.count("\n")) == (0, "", 1)
        expected = json.loads(cf.inspect(survey, numbers="auto").to_json())
        found = json.loads(out)
        assert found["findings"] == expected["findings"]
        assert found["columns"] == expected["columns"]
        assert found["refused"] is True

    def test_nothing_is_written_and_nothing_is_changed(self, run, survey):
        before = survey.read_bytes()
        run("inspect", survey)
        assert survey.read_bytes() == before
        assert list(survey.parent.iterdir()) == [survey]


class TestRefusals:
    @pytest.mark.parametrize(
        ("content", "says"),
        [
            ("", "data.csv: the file is empty"),
            ("a,b\n", "data.csv: the file has a header and no rows"),
            ("a,b\n1,2\n3\n", "data.csv: line 3 has 1 cells where the first line has 2"),
        ],
    )
    def test_a_file_that_cannot_be_read(self, refused, tmp_path, content, says):
        (tmp_path / "data.csv").write_text(content)
        assert says in refused("inspect", tmp_path / "data.csv")

    def test_usage(self, refused, survey, tmp_path):
        assert "there is no such file" in refused("inspect", tmp_path / "no.csv")
        assert "unknown suffix '.xyz'" in refused("inspect", survey.rename(tmp_path / "data.xyz"))

    def test_options(self, refused, survey):
        assert "no column named 'sexx'; the nearest are 'sex'" in refused("inspect", survey, "--leave-out", "sexx")
        assert "quantile:1" in refused("inspect", survey, "--numbers", "quantile:1")

    def test_what_reading_refuses_is_no_error(self, run, tmp_path):
        (tmp_path / "data.csv").write_text("a,a,b\n0.5,,1\n1.5,x,2\n")
        assert run("inspect", tmp_path / "data.csv").code == 0
