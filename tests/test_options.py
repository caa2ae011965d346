"""Options that users hand over: legal ones as Python's own types, others refused by name with what is legal."""

from __future__ import annotations

import inspect
import math
from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest

import climbfast as cf
from climbfast.errors import OptionError
from climbfast.options import (
    LARGEST_GIVEN,
    MOST,
    MOST_OF_A_FLOAT,
    OPTIONS_OF_FUNCTIONS,
    OPTIONS_OF_OBJECTS,
    choice,
    flag,
    is_number,
    limit_of,
    max_given_option,
    max_pool_option,
    number,
    refuse_unknown_options,
    whole_number,
    workers_asked_for,
)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (whole_number("n", np.int64(3)), 3),
        (whole_number("n", MOST - 1), MOST - 1),
        (number("x", np.float32(0.5)), 0.5),
        (number("x", Fraction(1, 4)), 0.25),
        (number("x", 0), 0.0),
        (flag("f", np.True_), True),
        (workers_asked_for(np.int32(-1)), -1),
        (workers_asked_for(None), None),
        (max_given_option("default"), "default"),
        (max_given_option(None), None),
        (max_given_option(np.int8(2)), 2),
        (limit_of("default"), LARGEST_GIVEN),
        (limit_of(None), None),
        (limit_of(0), 0),
        (choice("c", "b", "abc"), "b"),
    ],
)
def test_legal_values_are_of_types_of_python(found, expected):
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: whole_number("n", -1), "n is -1; it has to be a whole number from 0 up"),
        (lambda: whole_number("n", 1, least=2, otherwise=', or "auto"'), 'n is 1; .* from 2 up, or "auto"'),
        (lambda: whole_number("n", True), "n is True"),
        (lambda: whole_number("n", 2.0), "n is 2.0"),
        (lambda: whole_number("n", MOST), r"n is \d+; it has to be below 2\^62"),
        (lambda: whole_number("n", 10**5000), r"n is a number of more than 4,300 digits; it has to be below 2\^62"),
        (
            lambda: whole_number("n", -(10**5000)),
            "n is a number of more than 4,300 digits; it has to be a whole number",
        ),
        (lambda: choice("c", 10**5000, ["a"]), "c is a number of more than 4,300 digits; it is one of a"),
        (lambda: flag("f", 10**5000), "f is a number of more than 4,300 digits; it is True or False"),
        (lambda: number("x", -0.1), "x is -0.1; it has to be a number from 0 up"),
        (lambda: number("x", math.nan), "x is nan"),
        (lambda: number("x", "1", otherwise=', or "auto"'), "x is '1'; .*, or \"auto\""),
        (lambda: number("x", False), "x is False"),
        (lambda: number("x", 2 * MOST_OF_A_FLOAT), r"x is 2e\+100; it has to be at most 1e\+100"),
        (lambda: flag("f", 1), "f is 1; it is True or False"),
        (lambda: workers_asked_for(0), "n_jobs is 0; it is a number of workers, or -1"),
        (lambda: workers_asked_for(1.0), "n_jobs is 1.0"),
        (lambda: limit_of("3"), "max_given is '3'; .*, or None for no limit"),
        (lambda: max_pool_option(0), "max_pool is 0; it has to be a whole number from 1 up, or None for no bound"),
        (lambda: choice("c", "d", ("a", "b")), "c is 'd'; it is one of a, b"),
        (lambda: choice("c", ["a"], ("a", "b")), r"c is \['a'\]"),
    ],
)
def test_others_are_refused_by_name(ask, says):
    with pytest.raises(OptionError, match=says) as caught:
        ask()
    assert caught.value.option == str(caught.value).split()[0]


def test_is_number():
    assert all(map(is_number, (0, 1.5, np.float32(1), np.int8(1), Fraction(1, 3))))
    assert not any(map(is_number, (True, np.True_, "1", None, math.inf, math.nan, 10**400, 1j)))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"tset": "g2"}, "no option 'tset'; the nearest is 'test'"),
        ({"mising": "level"}, "no option 'mising'; the nearest is 'missing'"),
        ({"missing": "level", "cutof": 1}, "no option 'cutof'; the nearest is 'cutoff'"),
        ({"alpha": 0.05}, "alpha is an option of G2: test=cf.G2(alpha=0.05)"),
        ({"df": "nominal"}, "df is an option of G2: test=cf.G2(df='nominal')"),
        ({"sample_prior": 5}, "sample_prior is an option of BDeu: score=cf.BDeu(sample_prior=5)"),
        ({"max_given": 2}, "max_given is an option of other functions, not of this one"),
        ({"qqq": 1}, "no option 'qqq'; the options for reading a frame are missing, columns"),
    ],
)
def test_unknown_options(given, says):
    with pytest.raises(OptionError) as raised:
        refuse_unknown_options(given, ["missing", "columns"])
    assert str(raised.value) == says
    assert raised.value.option == list(given)[-1]


def test_known_options_are_not_refused():
    refuse_unknown_options({}, ["missing"])
    refuse_unknown_options({"missing": "level"}, ["missing"])


def test_options_of_objects_are_those_they_have():
    for option, (_, kind) in OPTIONS_OF_OBJECTS.items():
        assert option in [field.name for field in fields(getattr(cf, kind))]
    kinds = (cf.SCI, cf.G2, cf.X2, cf.CMI, cf.BIC, cf.AIC, cf.BDeu, cf.FNML, cf.QNML)
    assert {field.name for kind in kinds for field in fields(kind)} == OPTIONS_OF_OBJECTS.keys()


def test_options_of_functions_are_those_they_have():
    functions = (
        cf.test, cf.markov_blanket, cf.markov_blankets, cf.neighbors, cf.pc, cf.fges, cf.causal_graph, cf.orient,
    )  # fmt: skip
    parameters = [each for function in functions for each in inspect.signature(function).parameters.values()]
    names = {each.name for each in parameters if each.kind != each.VAR_KEYWORD}
    assert names - {"data", "graph", "x", "y"} == {*OPTIONS_OF_FUNCTIONS}
