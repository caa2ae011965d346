"""`markov_blanket` sends a method to its search, and refuses the options that the search does not have.

What the searches around a target find is tested in ``tests/local/test_find.py``.
"""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.blankets.find import options_of_searches
from climbfast.local.getpcd import getpcd
from climbfast.networks.examples import EXAMPLE_TARGET
from tests.reference import NaiveTester, strength_sci

OPTIONS = {
    "max_given": 2,
    "max_pool": 8,
    "neighbors": getpcd,
    "symmetry": "or",
    "orient": True,
    "colliders": False,
    "min_margin": 2.0,
    "node_budget": 10,
    "counting": "dense",
}


@pytest.fixture(scope="module")
def data() -> cf.Dataset:
    return cf.load_example().sample(1_000, seed=1)


def one(data, **options):
    return cf.markov_blanket(data, EXAMPLE_TARGET, "best", **options)


def many(data, **options):
    return cf.markov_blankets(data, [EXAMPLE_TARGET], method="best", progress=False, **options)


@pytest.mark.parametrize("search", [one, many])
@pytest.mark.parametrize("option", OPTIONS)
def test_best_refuses_options_of_searches_around_a_target(data, search, option):
    with pytest.raises(cf.OptionError, match=f"^the method best does not take {option}; it takes ") as refused:
        search(data, **{option: OPTIONS[option]})
    assert refused.value.option == option


@pytest.mark.parametrize("search", [one, many])
def test_no_limit_of_the_conditioning_set_is_an_option_too(data, search):
    for option in ("max_given", "max_pool"):
        with pytest.raises(cf.OptionError, match=f"does not take {option}"):
            search(data, **{option: None})


def test_a_journal_is_refused_before_it_is_written(data, tmp_path):
    with pytest.raises(cf.OptionError, match=r"^the method best does not take journal; it takes "):
        many(data, journal=tmp_path / "journal")
    assert not (tmp_path / "journal").exists()


def test_what_is_left_at_its_default_is_no_option():
    defaults = options_of_searches(
        max_given="default", max_pool=32, node_budget=200_000, counting="auto", symmetry=None
    )
    at_default = {name for name, value in defaults.items() if value is None}
    assert at_default >= {"max_given", "max_pool", "counting", "symmetry"}


@pytest.mark.parametrize("search", [one, many])
def test_a_custom_test_is_refused(data, search):
    naive = NaiveTester(strength_sci(data.codes.tolist(), data.arity.tolist()))
    with pytest.raises(cf.OptionError, match=r"^test is a custom test; ") as refused:
        search(data, test=naive)
    assert refused.value.option == "test"


@pytest.mark.parametrize("search", [one, many])
def test_options_outside_their_values(data, search):
    with pytest.raises(cf.OptionError, match="directions is 'some'; it is one of decided, all"):
        search(data, directions="some")
    with pytest.raises(cf.OptionError, match="min_bits"):
        search(data, min_bits=-1)
    with pytest.raises(cf.OptionError, match="'xor'"):
        search(data, test="xor")
    with pytest.raises(cf.OptionError, match="progress is 'yes'"):
        cf.markov_blankets(data, method="best", progress="yes")


def test_columns_that_do_not_exist(data):
    with pytest.raises(cf.UnknownColumnError, match="no column named 'heart'"):
        cf.markov_blanket(data, "heart", "best")
    with pytest.raises(cf.UnknownColumnError, match="no column named 'heart'"):
        cf.markov_blankets(data, ["heart"], method="best", progress=False)
    with pytest.raises(cf.OptionError, match="no targets"):
        cf.markov_blankets(data, [], method="best", progress=False)


@pytest.mark.parametrize("search", [one, many])
def test_what_best_takes(data, search):
    found = search(data, test="g2", directions="all", representative="first")
    found = found if isinstance(found, cf.Blanket) else found[EXAMPLE_TARGET]
    assert (found.method, found.test, found.undecided) == ("best", "g2", ())
    assert found.options["directions"] == "all"
    assert found.options["representative"] == "first"
    of_the_test = {*cf.neighbors(data, EXAMPLE_TARGET, test="g2").options} - {"max_pool"}
    assert {*found.options} == {"directions", "representative", *of_the_test}
    short = search(data, min_bits=9.0)
    short = short if isinstance(short, cf.Blanket) else short[EXAMPLE_TARGET]
    assert short.options["min_bits"] == 9.0


def test_a_method_that_does_not_exist(data):
    for search in (cf.markov_blanket, cf.markov_blankets):
        with pytest.raises(cf.OptionError, match=r"no method named 'bset'; the methods are climb, .*, best$"):
            search(data, [EXAMPLE_TARGET] if search is cf.markov_blankets else EXAMPLE_TARGET, method="bset")


def test_best_finds_no_neighbors(data):
    with pytest.raises(cf.OptionError, match="method 'best' finds causal blankets; take one of getpcd, "):
        cf.neighbors(data, EXAMPLE_TARGET, "best")
    with pytest.raises(cf.OptionError, match="neighbors 'best' finds causal blankets; take one of getpcd, "):
        cf.markov_blanket(data, EXAMPLE_TARGET, neighbors="best")


def test_the_example_is_found():
    network = cf.load_example()
    found = cf.markov_blanket(network.sample(20_000, seed=1), EXAMPLE_TARGET, "best", directions="all")
    truth = network.blanket(EXAMPLE_TARGET)
    for part in ("parents", "children", "spouses", "common_children"):
        assert getattr(found, part) == getattr(truth, part)
    assert found.unexplained == {}
