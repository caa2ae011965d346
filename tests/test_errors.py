"""Errors that say what, where, and what would be right, part by part, also from another process."""

from __future__ import annotations

import pickle

import pytest

import climbfast as cf
from climbfast.errors import ClimbfastError, ClimbfastWarning, Legal, Option, UnknownColumnError

ERRORS = (
    cf.DataError,
    cf.GraphError,
    cf.NetworkError,
    cf.OptionError,
    cf.JournalError,
    cf.Interrupted,
    ClimbfastWarning,
)
PARTS = ("a cell is missing; read with ", Option("missing", "level"), ", or leave ", Option("columns"), " out")


def test_an_option_as_python_spells_it():
    assert str(Option("missing")) == "missing"
    assert str(Option("missing", "level")) == "missing='level'"
    assert str(Option("resume", value=True)) == "resume=True"
    assert str(Option("journal", ...)) == "journal=..."


@pytest.mark.parametrize("kind", ERRORS)
def test_a_message_in_parts(kind):
    error = kind(*PARTS)
    assert str(error) == "a cell is missing; read with missing='level', or leave columns out"
    assert (error.parts, error.option) == (PARTS, "missing")
    assert kind("no option").option is None


@pytest.mark.parametrize("kind", ERRORS)
def test_parts_survive_the_way_from_another_process(kind):
    copy = pickle.loads(pickle.dumps(kind(*PARTS)))
    assert (type(copy), str(copy), copy.parts) == (kind, str(kind(*PARTS)), PARTS)


def test_a_place_in_front():
    error = cf.DataError(*PARTS).behind("data.csv: ")
    assert type(error) is cf.DataError
    assert str(error).startswith("data.csv: a cell")
    assert error.parts == ("data.csv: ", *PARTS)


def test_errors_are_those_of_python_too():
    for kind, python in (
        (cf.DataError, ValueError),
        (cf.GraphError, ValueError),
        (cf.NetworkError, ValueError),
        (cf.OptionError, ValueError),
        (cf.UnknownColumnError, KeyError),
        (cf.JournalError, OSError),
    ):
        assert issubclass(kind, ClimbfastError) and issubclass(kind, python)
    assert issubclass(cf.Interrupted, KeyboardInterrupt) and not issubclass(cf.Interrupted, Exception)
    assert issubclass(ClimbfastWarning, UserWarning)


def test_an_unknown_column_survives_the_way_from_another_process():
    error = UnknownColumnError("smokin", ["smoking", "age"], kind="target")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.name, type(copy)) == (str(error), "smokin", UnknownColumnError)


@pytest.mark.parametrize(
    ("name", "names", "says"),
    [
        ("smokin", ["smoking", "age"], "no column named 'smokin'; the nearest are 'smoking'"),
        ("AGE", ["smoking", "age"], "no column named 'AGE'; the nearest are 'age'"),
        (1, ["x", 10], "no column named '1'; the nearest are '10'"),
        ("x", [], "no column named 'x'; there is none"),
        ("qqq", ["a", "b"], "no column named 'qqq'; there are 'a', 'b'"),
        ("qqq", list("abcdefg"), "no column named 'qqq'; there are 'a', 'b', 'c', 'd', 'e' and 2 more"),
    ],
)
def test_an_unknown_column_names_the_nearest(name, names, says):
    assert str(UnknownColumnError(name, names)) == says


@pytest.mark.parametrize(
    ("call", "option"),
    [
        (lambda data: cf.markov_blanket(data, "x", method="magic"), "method"),
        (lambda data: cf.markov_blanket(data, "x", method="mmpc"), "method"),
        (lambda data: cf.markov_blanket(data, "x", neighbors="magic"), "neighbors"),
        (lambda data: cf.markov_blanket(data, "x", neighbors="gs"), "neighbors"),
        (lambda data: cf.markov_blanket(data, "x", orient=False), "orient"),
        (lambda data: cf.markov_blanket(data, "x", method="gs", min_margin=1), "min_margin"),
        (lambda data: cf.test(data, "x", "y", test="chi2"), "test"),
        (lambda data: cf.test(data, "x", "y", test="g2", min_bits=1), "min_bits"),
        (lambda data: cf.fges(data, score="k2"), "score"),
        (lambda data: cf.test(data, "x", "y", tset="g2"), "tset"),
    ],
)
def test_an_error_has_the_name_of_its_option(call, option):
    data = {"x": [0, 1] * 10, "y": [0, 0, 1, 1] * 5}
    with pytest.raises(cf.OptionError) as raised:
        call(data)
    assert raised.value.option == option


def test_legal_values_are_a_part_of_the_message():
    error = cf.OptionError(Option("test"), " is 'x'; it is one of ", Legal(("sci", "g2")))
    assert str(error) == "test is 'x'; it is one of sci, g2"
    assert (error.option, error.legal) == ("test", ("sci", "g2"))
    assert pickle.loads(pickle.dumps(error)).legal == ("sci", "g2")
    quoted = cf.OptionError("it is ", Legal(("a", "b"), quoted=True))
    assert (str(quoted), quoted.option, quoted.legal) == ("it is 'a', 'b'", None, ("a", "b"))
    assert cf.OptionError("it has to be ", Legal("a number from 0 up")).legal == "a number from 0 up"
    assert cf.OptionError("it is wrong").legal is None


@pytest.mark.parametrize(
    ("call", "legal"),
    [
        (lambda: cf.markov_blanket({"a": [0, 1]}, "a", test="x"), ("sci", "g2", "x2", "cmi")),
        (lambda: cf.Dataset.from_frame({"a": [0, 1]}, missing="x"), ("refuse", "drop-rows", "level", "test-wise")),
        (lambda: cf.G2(df="x"), ("adjusted", "nominal")),
        (lambda: cf.G2(alpha=2), "between 0 and 1"),
        (lambda: cf.pc({"a": [0, 1]}, max_given=-1), "a whole number from 0 up, or None for no limit"),
    ],
)
def test_an_error_has_the_legal_values(call, legal):
    with pytest.raises(cf.OptionError) as caught:
        call()
    assert caught.value.legal == legal
