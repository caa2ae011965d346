"""The searches of replicates by name, and what is refused."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest

import climbfast as cf
from climbfast.resampling.searches import SEARCHES, check_search, name_in_journal, name_of_search, search_named


def own(data, **options):
    """A search of the user's own."""
    return data, options


@pytest.mark.parametrize(
    ("name", "options", "direct"),
    [
        ("pc", {"test": "g2"}, lambda data: cf.pc(data, "g2")),
        ("fges", {"score": "bic"}, lambda data: cf.fges(data, "bic")),
        ("best", {"perturbations": 1}, lambda data: cf.causal_graph(data, perturbations=1)),
        ("pc+climb", {}, lambda data: cf.causal_graph(data, "pc+climb")),
        ("fges+global", {}, lambda data: cf.causal_graph(data, "fges+global")),
        ("blanket", {"target": "sleep"}, lambda data: cf.markov_blanket(data, "sleep")),
    ],
)
def test_by_name(name, options, direct):
    data = cf.load_example().sample(500, seed=1)
    assert search_named(name)(data, options) == direct(data)


@pytest.mark.parametrize("options", [{}, {"method": "iamb"}, {"method": "best"}], ids=str)
def test_blankets_are_not_checked(options):
    data = cf.load_example().sample(500, seed=1)
    found = search_named("blankets")(data, options)
    checked = cf.markov_blankets(data, progress=False, **options)
    assert any(each.rows_per_stratum > 0 for each in checked.values())
    nothing = {"unexplained": {}, "rows_per_stratum": 0.0, "determined_by": ()}
    assert found == cf.Blankets(replace(each, **nothing) for each in checked.values())


def test_a_function_gets_the_options():
    assert search_named(own)("data", {"a": 1}) == ("data", {"a": 1})


@pytest.mark.parametrize("search", ["hc", None, 3, ""])
def test_another_search(search):
    with pytest.raises(cf.OptionError, match=r"^search is .*; it is one of best, blankets, .*, or a function$"):
        check_search(search, {})


def test_a_blanket_without_target():
    with pytest.raises(cf.OptionError, match="needs the column to search around: name it as target"):
        check_search("blanket", {})


@pytest.mark.parametrize("search", [name for name in SEARCHES if not name.startswith("blanket")])
def test_a_method_beside_the_search(search):
    with pytest.raises(cf.OptionError, match="does not take method; name it as search"):
        check_search(search, {"method": "pc"})


def test_names():
    assert (name_of_search("pc"), name_of_search(own), name_of_search(functools.partial(own))) == (
        "pc", "own", "partial",
    )  # fmt: skip
    assert (name_in_journal("pc"), name_in_journal(own)) == ("pc", f"{__name__}.own")


@pytest.mark.parametrize("function", [lambda data: data, functools.partial(own)])
def test_a_function_without_name_in_a_journal(function):
    with pytest.raises(cf.OptionError, match="recognizes a function by its name, which this one has not"):
        name_in_journal(function)
