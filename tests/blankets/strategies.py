"""Blankets with anything in them that a search could return, and what tells two of them apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

from hypothesis import strategies as st

import climbfast as cf
from climbfast.local.blanket import ROLES

SUFFIXES = [".jsonl", ".parquet", ".csv"]
HOW = {"method": "climb", "workers": 2, "seconds": 1.75, "min_bits": None, "tests": 1234}
UNUSUAL_NAMES = [
    "a,b",
    'say "so"',
    "two\nlines",
    "cr\rlf\r\n",
    " sp ",
    "é∧😀",
    "",
    "1",
    "null",
    '["x"]',
    "\x00",
    "x" * 300,
    "A",
    "a",
]
HEADER = "target,member,role,margin,strength,common_children"
LINE = cf.Blanket("x", parents=("y",), margins={"y": 1.0}).to_dict()


def bits(value):
    """A value in which floats are told apart by their bits, and names by their types."""
    if isinstance(value, float):
        return "float", value.hex()
    if isinstance(value, Mapping):
        return [(bits(key), bits(each)) for key, each in value.items()]
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    return type(value).__name__, value


def exactly(blanket, **other):
    """All fields of a blanket but its data, with other values of some."""
    names = [each.name for each in fields(blanket) if each.name != "data"]  # which no file has
    return {name: bits(getattr(replace(blanket, **other), name)) for name in names}


_texts = st.text(max_size=6) | st.sampled_from(UNUSUAL_NAMES)
_names = st.one_of(
    st.lists(_texts, min_size=3, max_size=8, unique=True),
    st.lists(st.integers(-5, 5) | st.integers(), min_size=3, max_size=8, unique=True),
    st.lists(
        st.recursive(_texts | st.integers(2) | st.booleans() | st.none(), lambda e: st.tuples(e, e), max_leaves=4),
        min_size=3,
        max_size=8,
        unique=True,
    ),
)
_floats = st.floats(allow_nan=False) | st.sampled_from([-0.0, 5e-324, 0.1 + 0.2, 1e300])


@st.composite
def any_blankets(draw):
    """Blankets with anything in them that a search could return, and more."""
    names = draw(_names)

    def some(among):
        return tuple(draw(st.lists(st.sampled_from(among), unique=True))) if among else ()

    def figures(among):
        return {name: draw(_floats) for name in some(among)}

    def shares():
        found = draw(st.floats(0, 1))
        return {"found": found, **{role: draw(st.floats(0, found)) for role in ROLES.values()}}

    def one(target):
        roles = {name: draw(st.sampled_from(["parents", "children", "spouses", "undecided", "none"])) for name in names}
        sides = {
            side: tuple(name for name, role in roles.items() if role == side and name != target)
            for side in ("parents", "children", "spouses", "undecided")
        }
        neighbors = [name for side in ("parents", "children", "undecided") for name in sides[side]]
        return cf.Blanket(
            target,
            **sides,
            common_children={name: some(neighbors) for name in some(sides["spouses"])},
            margins=figures(neighbors),
            strengths=figures(neighbors),
            evidence={name: cf.ColliderEvidence(some(names), draw(_floats)) for name in some(neighbors)},
            known=some(tuple(name for name in names if name in {*sides["parents"], *sides["children"]})),
            contradicted={name: cf.ColliderEvidence(some(names), draw(_floats)) for name in some(neighbors)},
            frequencies={name: shares() for name in some([name for name in names if name != target])},
            unexplained=figures([name for name, role in roles.items() if role == "none" and name != target]),
            rows_per_stratum=draw(_floats),
            determined_by=some(names),
            spouse_strengths=figures(sides["spouses"]),
            separating_sets={name: some(names) for name in some(names)},
            exact=draw(st.booleans()),
            gap=draw(_floats),
            method=draw(_texts),
            search=draw(_texts),
            symmetry=draw(_texts),
            max_given=draw(st.none() | st.integers(0, 9) | st.just("default")),
            test=draw(_texts),
            tests_by_size=tuple(draw(st.lists(st.integers(0, 2**50)))),
            skipped=draw(st.integers(0, 9)),
            bounded=draw(st.integers(0, 9)),
            rows=draw(st.integers(0, 2**62)),
            columns=len(names),
            fewest_rows=draw(st.integers(0, 2**62)),
            seconds=draw(_floats),
            version=draw(_texts),
        )

    return [one(target) for target in draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda each: st.lists(each) | st.dictionaries(st.text(), each),
    max_leaves=5,
)
