"""What is said of an empty or incomplete blanket is what was found."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from climbfast.cli.option_names import as_typed
from climbfast.local.explanation import explanation_of


def text(**fields) -> str:
    explanation = explanation_of(cf.Blanket("t", **fields))
    return "" if explanation is None else str(explanation)


def test_a_blanket_that_explains_all():
    assert explanation_of(cf.Blanket("t", parents=("a",))) is None
    assert explanation_of(cf.Blanket("t", parents=("a",), rows_per_stratum=10.0)) is None


def test_nothing_depends():
    assert text() == "No other column was found to depend on t beyond chance."
    assert text(copies={"t": ("u",)}) == "No other column but its copies was found to depend on t beyond chance."


def test_columns_that_were_separated():
    found = {"a": 30.0, "b": 20.5, "c": 7.0}
    sets = {"a": ("b",), "b": ("a",), "c": ("a",)}
    assert text(unexplained=found, separating_sets=sets, symmetry="or", max_given=1) == (
        "3 columns depend on t: a (30.0 bits), b (20.5 bits), c (7.0 bits). Each was separated from it by other "
        "columns, most often by a."
    )
    assert text(unexplained={"a": 30.0}, separating_sets={"a": ("b", "c")}, max_given=1) == (
        "1 column depends on t: a (30.0 bits). It was separated from it by other columns, most often by b, c."
    )


def test_without_sets_nothing_is_said_of_them():
    assert text(unexplained={"a": 30.0}, max_given=1) == "1 column depends on t: a (30.0 bits)."


def test_a_target_that_is_nearly_a_function():
    said = text(parents=("a",), unexplained={"c": 30.0}, determined_by=("a", "b"), max_given=1)
    assert said == "1 more column depends on t given all members: c (30.0 bits). t is nearly a function of a, b."


def test_columns_that_still_depend():
    found = {f"c{number}": 1000.0 - number for number in range(8)}
    assert text(parents=("a",), unexplained=found, max_given=1) == (
        "8 more columns depend on t given all members: c0 (1,000.0 bits), c1 (999.0 bits), c2 (998.0 bits), "
        "c3 (997.0 bits), c4 (996.0 bits) and 3 more."
    )


def test_too_many_members_to_check():
    assert text(parents=("a",), rows_per_stratum=2.34) == (
        "Whether further columns depend on t was not checked: so many members leave 2.3 rows for each of their "
        "configurations, too few to see it."
    )


@pytest.mark.parametrize(
    ("fields", "advice"),
    [
        ({"symmetry": "children", "max_given": "default"}, "a smaller --max-given or --symmetry or."),
        ({"symmetry": "or", "max_given": None}, "a smaller --max-given."),
        ({"symmetry": "and", "max_given": 1}, "--symmetry or."),
        (
            {"symmetry": "and", "options": {"cuts": {"a": [1]}}, "max_given": 3},
            "a smaller --max-given, fewer levels for the numbers or --symmetry or.",
        ),
        (
            {"method": "climb", "symmetry": "children", "max_given": 3},
            "a smaller --max-given, --symmetry or or --method best.",
        ),
        ({"method": "pcmb", "symmetry": "or", "max_given": 1}, "--method best."),
        ({"method": "best", "symmetry": "none", "options": {"cuts": {"a": [1]}}}, "fewer levels for the numbers."),
    ],
)
def test_what_to_try(fields, advice):
    explanation = explanation_of(cf.Blanket("t", unexplained={"a": 30.0}, **fields))
    assert as_typed(explanation).endswith(f" To find more, try {advice}")


def test_what_is_read_off_a_graph_has_no_options_of_searches():
    said = text(method="best", symmetry="none", max_given=None, parents=("a",), unexplained={"c": 30.0})
    assert said == "1 more column depends on t given all members: c (30.0 bits)."


def two_measurements() -> dict[str, np.ndarray]:
    """t follows a; b is a but in one row: a is separated from t by b, and b by a."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 4, 569)
    b = a.copy()
    b[0] = (b[0] + 1) % 4
    return {"t": np.where(rng.random(569) < 0.3, rng.integers(0, 4, 569), a), "a": a, "b": b}


def test_columns_that_separate_each_other():
    """Of the columns of such tables (breast cancer, five bins) it was said that all others are independent of them."""
    frame = two_measurements()
    found = cf.markov_blanket(frame, "t", symmetry="and", min_bits=10)
    assert found.members == ()
    assert {*found.unexplained} == {"a", "b"}
    said = str(explanation_of(found))
    assert said.startswith("2 columns depend on t: ")
    assert "Each was separated from it by other columns" in said
    assert said.endswith(" To find more, try a smaller max_given, symmetry='or' or method='best'.")
    assert cf.markov_blanket(frame, "t", symmetry="or", min_bits=10).members
