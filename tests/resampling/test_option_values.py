"""Options as replicates get them, and as a journal and a file have them."""

from __future__ import annotations

import functools
import json

import pytest

import climbfast as cf
from climbfast.resampling.option_values import (
    allowed_arcs_of,
    function_name,
    options_for_replicates,
    plain_options,
    refuse_incomparable,
)

NAMES = ("a", "b", ("c", 1))
KNOWN = cf.Knowledge(tiers=[["a"], ["b", ("c", 1)]], required=[("a", ("c", 1))], roots=["a"])


def search(data):
    """A function with a name."""


class Custom:
    """An object without values to compare."""


def test_an_iterator_can_be_used_many_times():
    found = options_for_replicates({"targets": iter(["a", "b"])}, NAMES)
    assert [list(found["targets"]) for _ in range(2)] == [["a", "b"]] * 2


@pytest.mark.parametrize("kind", ["object", "mapping", "file", "read from JSON"])
def test_knowledge_in_every_form(kind, tmp_path):
    known = KNOWN if kind != "file" else cf.Knowledge(tiers=[["a"], ["b"]], roots=["a"])
    given = {"object": known, "mapping": known.to_dict(), "file": tmp_path / "known.toml"}.get(kind)
    if kind == "file":
        known.save(given)
    if kind == "read from JSON":
        given = json.loads(json.dumps(plain_options({"knowledge": known})["knowledge"]))
    found = options_for_replicates({"knowledge": given}, NAMES)
    assert found["knowledge"] == known
    plain = plain_options(found)
    assert plain["knowledge"] == json.loads(json.dumps(known.to_dict()))
    expected = known.allowed_arcs(NAMES)
    allowed = allowed_arcs_of(plain, NAMES)
    assert allowed.required == expected.required
    assert (allowed.matrix(range(3), range(3)) == expected.matrix(range(3), range(3))).all()


def test_without_knowledge():
    assert plain_options(options_for_replicates({"knowledge": cf.Knowledge()}, NAMES)) == {}
    assert allowed_arcs_of({}, NAMES) is None


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"tires": [["a"]]}, cf.KnowledgeError, "some of tiers, required, .*, not with tires"),
        (cf.Knowledge(roots=["q"]), cf.UnknownColumnError, "no column named 'q'"),
        (3, cf.OptionError, "knowledge is a Knowledge"),
    ],
)
def test_false_knowledge(given, error, message):
    with pytest.raises(error, match=message):
        options_for_replicates({"knowledge": given}, NAMES)


def test_objects_by_their_values():
    plain = plain_options({"test": cf.G2(0.02), "targets": {"b", "a"}, "search": search, "custom": Custom(), "n": 3})
    assert plain["test"]["name"] == "g2"
    assert plain["test"]["alpha"] == 0.02
    assert plain["targets"] == ["a", "b"]
    assert plain["search"] == f"{__name__}.search"
    assert plain["custom"] == "Custom"
    json.dumps(plain)


@pytest.mark.parametrize("value", [Custom(), [Custom()], lambda data: data, functools.partial(search), {"a": Custom()}])
def test_what_a_journal_cannot_compare(value):
    with pytest.raises(cf.OptionError, match=r"a journal cannot compare the .* given as test; leave out journal"):
        refuse_incomparable({"max_given": 3, "test": value})


def test_what_a_journal_can_compare():
    refuse_incomparable({"test": cf.G2(), "targets": ["a"], "neighbors": search, "knowledge": KNOWN, "max_given": None})


def test_names_of_functions():
    assert function_name(search) == f"{__name__}.search"
    assert function_name(lambda data: data) is None
    assert function_name(functools.partial(search)) is None
