"""`climbfast report`: the page is that of the function, with the command that was typed."""

from __future__ import annotations

import shlex

import pytest

import climbfast as cf
from climbfast.report.target_page import target_page
from tests.report.pages import check_page


def part(page, name):
    return page.partition(f'<section aria-labelledby="{name}">')[2].partition("</section>")[0]


def test_the_page_of_a_target(run, health, tmp_path):
    out = tmp_path / "report.html"
    typed = ["report", health, "--target", "fatigue", "--test", "g2", "--alpha", 0.05, "--max-given", 2, "--out", out]
    code, printed, err = run(*typed)
    assert (code, printed) == (0, "")
    assert err == f"page about fatigue, 2 members; written to {out}\n"
    page = out.read_text(encoding="utf-8")
    expected = target_page(cf.markov_blanket(cf.read(health), "fatigue", test=cf.G2(alpha=0.05), max_given=2))
    for name in ("picture", "members", "absent", "data"):
        assert part(page, name) == part(expected, name)
    text = check_page(page).text
    command = text.partition("On the command line ")[2].partition(" In Python")[0]
    words = shlex.split(command)
    assert words[:3] == ["climbfast", "report", str(health)]
    assert sorted(words) == sorted(["climbfast", *map(str, typed)])
    out.unlink()
    assert run(*words[1:])[0] == 0
    assert part(out.read_text(encoding="utf-8"), "members") == part(page, "members")


def test_title_switches_and_frequencies(run, health, tmp_path):
    out = tmp_path / "report.htm"
    arguments = ["--title", "A <b> page", "--no-colliders", "--bootstrap", 3, "--bootstrap-seed", 4, "--jobs", 1]
    code, _, err = run("report", health, "--target", "fatigue", "--out", out, *arguments)
    assert (code, err.splitlines()[-1][:10]) == (0, "page about")
    text = check_page(out.read_text(encoding="utf-8")).text
    assert "A <b> page" in text
    assert "--no-colliders" in text
    assert "of the 3 resampled tables" in text
    assert "seen: " not in text


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--search", "pc", "--conflicts", "conservative", "--max-given", 2], "page about a graph"),
        (["--search", "fges", "--score", "bic", "--penalty", 2, "--bootstrap", 2, "--jobs", 1], "page about a graph"),
        (["--search", "best", "--perturbations", 2, "--seed", 1], "page about a graph"),
        (["--search", "pc+climb", "--directions", "all"], "page about a graph"),
        (["--targets", "fatigue,sleep", "--jobs", 1], "page about 2 targets"),
        (["--search", "blankets", "--jobs", 1, "--method", "iamb", "--orient"], "page about 15 targets"),
    ],
)
def test_other_searches(run, health, tmp_path, arguments, what):
    out = tmp_path / "page.html"
    code, printed, err = run("report", health, "--out", out, *arguments)
    assert (code, printed) == (0, "")
    assert err.splitlines()[-1].startswith(what)
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "page.txt"], "a page has the suffix .html or .htm"),
        (["--out", "nowhere/page.html"], "cannot be written: the folder"),
        (["--out", "page.html", "--search", "blanket"], "name it with --target NAME"),
        (["--out", "page.html", "--search", "ges"], "--search is 'ges'; it is one of blanket, blankets, best, pc"),
        (
            ["--out", "page.html", "--target", "a", "--conflicts", "majority"],
            "--conflicts is not an option of the search",
        ),
        (["--out", "page.html", "--search", "pc", "--target", "a"], "--target is not an option of the search pc"),
        (["--out", "page.html", "--search", "fges", "--orient"], "--orient is not an option of the search fges"),
        (["--out", "page.html", "--target", "a", "--bootstrap-seed", 1], "ask for some with --bootstrap N"),
        (
            ["--out", "page.html", "--target", "a", "--test", "sci", "--alpha", 0.1],
            "--alpha is not an option of the test sci",
        ),
    ],
)
def test_what_cannot_be_done_is_said_before_the_search(run, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text("a\n")  # it cannot be searched
    code, _, err = run("report", "data.csv", *arguments)
    assert code == 2
    assert message in err
    assert [each.name for each in tmp_path.iterdir()] == ["data.csv"]


def test_the_table_is_not_written_over(run, tmp_path):
    table = tmp_path / "table.html"
    table.write_text("a,b\n0,1\n1,0\n")
    code, _, err = run("report", table, "--format", "csv", "--target", "a", "--out", table)
    assert code == 2
    assert "--out" in err
    assert table.read_text() == "a,b\n0,1\n1,0\n"
