"""The options of reading reach the function that reads."""

from __future__ import annotations

import json

import pytest

import climbfast as cf


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


def test_read_leaves_every_option_reachable(run):
    """A new option of ``read`` has to get a switch here, or be named in this list."""
    import inspect

    not_here = {"path", "declared_levels", "columns", "header"}  # header is --no-header
    _, out, _ = run("blanket", "--help")
    for option in set(inspect.signature(cf.read).parameters) - not_here:
        assert f"--{option.replace('_', '-')}" in out
