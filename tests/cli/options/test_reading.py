"""The options of reading reach the function that reads."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.cli.options.reading import markers_in, numbers_in
from climbfast.errors import OptionError


class TestReadingOptions:
    @pytest.mark.parametrize(
        ("content", "options", "rows"),
        [
            (b"a;b,c\n0;1\n1;0\n", ["--separator", ";"], 2),
            (b"0,1\n1,0\n1,1\n", ["--no-header", "--target", "column_1"], 3),
            (b"a,\xe9\n0,1\n", ["--encoding", "latin-1"], 1),
            (b"a,b\n0,1.5\n1,2.5\n", ["--numbers", "levels"], 2),
            (b"a,b\n0,1.5\n1,2.5\n", ["--numbers", "quantile:2"], 2),
            (b"a,b\n0,1.5\n1,2.5\n", ["--cut", "b=2", "--numbers", "a=width:2"], 2),
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


def test_read_leaves_every_option_reachable(run):
    """A new option of ``read`` has to get a switch here, or be named in this list."""
    import inspect

    not_here = {"path", "declared_levels", "columns", "header"}  # header is --no-header
    _, out, _ = run("blanket", "--help")
    for option in set(inspect.signature(cf.read).parameters) - not_here:
        assert f"--{option.replace('_', '-')}" in out


@pytest.mark.parametrize(
    ("typed", "markers"),
    [
        (None, None),
        (["?,-", "x"], {None: ["?", "-", "x"]}),
        (["income=-99,-98"], {"income": ["-99", "-98"]}),
        (["a=b=-99"], {"a=b": ["-99"]}),
        (["==", "=,?"], {None: ["==", "=", "?"]}),
        (["income="], {"income": [""]}),
    ],
)
def test_markers_of_the_table_and_of_columns(typed, markers):
    assert markers_in(typed) == markers


class TestNumbers:
    @pytest.mark.parametrize(
        ("rules", "cuts", "numbers"),
        [
            ([], [], {}),
            (["auto"], [], {None: "auto"}),
            (["age=quantile:4", "width:5"], [], {"age": "quantile:4", None: "width:5"}),
            (["a=b=levels"], [], {"a=b": "levels"}),
            (["mdlp:a=b"], [], {None: "mdlp:a=b"}),
            (["x=mdlp:a=b"], [], {"x": "mdlp:a=b"}),
            (["a=b=mdlp:c"], [], {"a=b": "mdlp:c"}),
            ([], ["age=18,35.5, 65"], {"age": [18, 35.5, 65]}),
            ([], ["a=b=-1,1e3"], {"a=b": [-1, 1000]}),
            (["refuse"], ["day=2020-01-31", "x=0.5"], {None: "refuse", "day": ["2020-01-31"], "x": [0.5]}),
        ],
    )
    def test_rules_and_cuts_make_one_option(self, rules, cuts, numbers):
        assert numbers_in(rules, cuts) == numbers

    @pytest.mark.parametrize(
        ("rules", "cuts", "message"),
        [
            (["quantile"], [], "numbers is 'quantile'; the rules are refuse, levels"),
            (["age=quantile:1"], [], "numbers for column 'age' is 'quantile:1'; a column is cut into 2 levels or more"),
            (["auto", "levels"], [], "--numbers levels is a second rule for the whole table"),
            (["age=auto"], ["age=18"], "--cut age=18 is a second rule for column 'age'"),
            ([], ["=18"], "--cut =18 has no column"),
            ([], ["18,35"], "--cut 18,35 has no column; cuts are typed as in --cut age=18,35,65"),
        ],
    )
    def test_what_is_neither_is_refused(self, rules, cuts, message):
        with pytest.raises(OptionError, match=message):
            numbers_in(rules, cuts)
