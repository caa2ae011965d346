"""Options in messages as they are typed."""

from __future__ import annotations

import polars as pl
import pytest

from climbfast.cli.option_names import as_typed, option_name
from climbfast.errors import Option, OptionError


@pytest.mark.parametrize(
    ("option", "typed"),
    [
        (Option("n_jobs"), "--jobs"),
        (Option("resume", value=True), "--resume"),
        (Option("header", value=False), "--no-header"),
        (Option("leave_out", ...), "--leave-out NAME"),
        (Option("missing", "level"), "--missing level"),
        (Option("max_given", 3), "--max-given 3"),
        (Option("separator", "\t"), "--separator '\\t'"),
        (Option("leave_out", ["a", "b c"]), "--leave-out a --leave-out 'b c'"),
        (Option("numbers", {"a": "quantile:4"}), "--numbers a=quantile:4"),
        (Option("missing_markers", {"a": ["-99", "?"]}), "--missing-markers 'a=-99,?'"),
        (Option("numbers", {"a": "levels", None: "auto"}), "--numbers a=levels --numbers auto"),
        (
            Option("missing_markers", {"family history": ["don't know"]}),
            '--missing-markers "family history=don\'t know"',
        ),
        (Option("leave_out", ["the '$HOME' of"]), "--leave-out 'the '\"'\"'$HOME'\"'\"' of'"),
        (Option("numbers", {"age": "quantile:4"}), "--numbers age=quantile:4"),
        (Option("numbers", {"my age": "auto", 3: "levels"}), "--numbers 'my age=auto' --numbers 3=levels"),
    ],
)
def test_an_option_as_it_is_typed(option, typed):
    assert as_typed(OptionError("take ", option)) == f"take {typed}"


def test_the_name_of_an_option():
    assert (option_name("n_jobs"), option_name("min_rows_per_df")) == ("--jobs", "--min-rows-per-df")


def test_options_of_text_files_are_those_of_the_command_line(run, tmp_path):
    path = tmp_path / "data.parquet"
    pl.DataFrame({"x": [0, 1]}).write_parquet(path)
    _, _, err = run("blanket", path, "--target", "x", "--no-header")
    assert err == f"climbfast: {path}: --separator and --no-header are for text files\n"
