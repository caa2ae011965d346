"""Which of several copies is searched and named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import climbfast as cf
from tests.factories import quiet

A = np.random.default_rng(1).integers(0, 3, 300)
B = (A + (np.random.default_rng(2).random(300) < 0.1)) % 3
TABLE = {"first": np.arange(300) % 2, "z": 2 - A, "b": B, "y": A, "x": A, "w": 2 - B}


def searched(chosen: Any, **table: Any) -> set[Any]:
    return set(quiet({**TABLE, **table}).represented_by(chosen).without_copies.names)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (None, {"first", "x", "b"}),
        ("first", {"first", "z", "b"}),
        (["first"], {"first", "x", "b"}),
        ("y", {"first", "y", "b"}),
        (["w", "z"], {"first", "z", "w"}),
        (("w",), {"first", "x", "w"}),
    ],
)
def test_who_stands_for_a_class(chosen: Any, expected: set[str]) -> None:
    assert searched(chosen) == expected


def test_a_name_can_be_a_tuple() -> None:
    data = quiet({("a", 1): A, ("a", 0): A, "b": B})
    assert data.without_copies.names == (("a", 0), "b")
    assert data.represented_by(("a", 1)).without_copies.names == (("a", 1), "b")
    assert data.represented_by([("a", 1)]).treatment.options(()) == {"representative": ["('a', 1)"]}


def test_of_declared_levels_the_column_with_the_fewest() -> None:
    """A level that does not occur makes no other column, but other figures."""
    data = quiet({"a": A, "b": A}, declared_levels={"a": [0, 1, 2, 3]})
    assert data.without_copies.names == ("b",)


def test_what_cannot_be() -> None:
    data = quiet(TABLE)
    with pytest.raises(cf.UnknownColumnError, match="no column named 'wx'; the nearest are"):
        data.represented_by(["wx"])
    with pytest.raises(cf.OptionError, match=r"^representative names 'x' and 'z', which are copies of each other"):
        data.represented_by(["x", "b", "z"])


def test_the_same_data_with_another_representative() -> None:
    data = quiet(TABLE)
    other = data.represented_by("y")
    assert (data.represented_by(None), data.represented_by("y")) == (data, other)
    assert (other.represented_by("y"), other.represented_by(None)) == (other, other)
    assert (other.fingerprint, other.canonical) == (data.fingerprint, data.canonical)
    assert other.codes is data.codes
    assert data.treatment.options(()) == {}
    assert other.treatment.options(()) == {"representative": ["y"]}
    assert other.represented == {"x": "y", "y": "y", "z": "y", "b": "b", "w": "b"}


@pytest.mark.parametrize("chosen", [None, "first", "y", ["z", "w"]])
def test_blankets_and_graphs_name_it(chosen: Any) -> None:
    data = quiet(TABLE)
    of_a, of_b = (
        next(x for x in data.represented_by(chosen).without_copies.names if x in group) for group in ("xyz", "bw")
    )
    options = {} if chosen is None else {"representative": [chosen] if chosen == "y" else chosen}
    for target in "bw":
        found = cf.markov_blanket(data, target, representative=chosen)
        assert (found.target, found.members) == (target, (of_a,))
        assert {name: found.options.get(name) for name in options} == options
        assert cf.neighbors(data, target, representative=chosen).members == (of_a,)
    for blanket in cf.markov_blankets(data, list("xyz"), representative=chosen, progress=False, n_jobs=1).values():
        assert blanket.members == (of_b,)
        assert {name: blanket.options.get(name) for name in options} == options
    for graph in (
        cf.pc(data, representative=chosen),
        cf.fges(data, representative=chosen),
        cf.causal_graph(data, representative=chosen),
        cf.causal_graph(data, "pc+climb", representative=chosen),
    ):
        edges = {frozenset(edge) for edge in graph.edges}
        copies = {frozenset((of_a, x)) for x in "xyz"} | {frozenset((of_b, x)) for x in "bw"}
        assert edges == {frozenset((of_a, of_b)), *(pair for pair in copies if len(pair) == 2)}
        assert {name: graph.options.get(name) for name in options} == options


def test_a_journal_knows_it(tmp_path: Any) -> None:
    data, journal = quiet(TABLE), tmp_path / "run.journal"
    cf.markov_blankets(data, representative="first", journal=journal, progress=False, n_jobs=1)
    cf.markov_blankets(data, representative="first", journal=journal, progress=False, n_jobs=1)
    with pytest.raises(cf.JournalError):
        cf.markov_blankets(data, journal=journal, progress=False, n_jobs=1)
