"""`climbfast test`: what it prints is what the function returns."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.networks.examples import EXAMPLE_TARGET

TEST_KEYS = {"test", "x", "y", "given", "rows", "strength", "independent", "information"}


SCI_KEYS = {"sci", "sc_x", "sc_x_given_y", "sc_y", "sc_y_given_x"}


CHI2_KEYS = {"statistic", "df", "p_value", "log10_p"}


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

    def test_page_says_why_a_test_is_skipped(self, run, health, tmp_path):
        _, out, _ = run(
            "test", health, "--x", "smoking", "--y", EXAMPLE_TARGET, "--test", "g2", "--min-rows-per-df", 10**6
        )
        assert "independent by g2 (test skipped: too few rows per degree of freedom)\n" in out
        gaps = tmp_path / "gaps.csv"
        gaps.write_text("a,b\n0,\n1,\n,0\n,1\n")
        _, out, _ = run("test", gaps, "--x", "a", "--y", "b", "--missing", "test-wise")
        assert out.startswith("a and b: independent by sci (test skipped: no row is complete in all of its columns)\n")
