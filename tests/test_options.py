"""Options that users hand over: legal ones as Python's own types, others refused by name with what is legal."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from climbfast.errors import OptionError
from climbfast.options import (
    LARGEST_GIVEN,
    MOST,
    MOST_OF_A_FLOAT,
    choice,
    flag,
    is_number,
    limit_of,
    max_given_option,
    number,
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
        (lambda: number("x", -0.1), "x is -0.1; it has to be a number from 0 up"),
        (lambda: number("x", math.nan), "x is nan"),
        (lambda: number("x", "1", otherwise=', or "auto"'), "x is '1'; .*, or \"auto\""),
        (lambda: number("x", False), "x is False"),
        (lambda: number("x", 2 * MOST_OF_A_FLOAT), r"x is 2e\+100; it has to be at most 1e\+100"),
        (lambda: flag("f", 1), "f is 1; it is True or False"),
        (lambda: workers_asked_for(0), "n_jobs is 0; it is a number of workers, or -1"),
        (lambda: workers_asked_for(1.0), "n_jobs is 1.0"),
        (lambda: limit_of("3"), "max_given is '3'; .*, or None for no limit"),
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
