"""Figures as they are drawn and as they are written in the legend."""

from __future__ import annotations

import math

import pytest

from climbfast.plots.picture import Scale, any_of, scale_of, scale_of_frequency, shown_names, unit_of_strength


def test_a_scale_is_that_of_the_known_figures():
    assert scale_of("strength", "bits", [4.0, None, 100.0, math.inf]) == Scale("strength", "bits", 4.0, 100.0, 100.0)
    assert scale_of("margin", "bits", [3.0], 20.0) == Scale("margin", "bits", 3.0, 3.0, 20.0)
    assert scale_of("strength", "bits", [None]) is None
    assert scale_of_frequency([]) is None


def test_figures_are_drawn_by_their_square_root_up_to_the_full_one():
    scale = Scale("strength", "bits", 4.0, 100.0, 100.0)
    assert [scale.share(figure) for figure in (-1.0, 0.0, 25.0, 100.0, 400.0)] == [0.0, 0.0, 0.5, 1.0, 1.0]
    assert Scale("strength", "bits", -3.0, -1.0, -1.0).share(-1.0) == 0.0


def test_shares_are_drawn_as_they_are():
    scale = scale_of_frequency([0.25, 0.5])
    assert [scale.share(figure) for figure in (0.25, 0.5, 1.0)] == [0.25, 0.5, 1.0]


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        (Scale("strength", "bits", 4.04, 12345.6, 1.0), "strength 4.0 to 12,346 bits"),
        (Scale("strength", "", 0.123, 0.0, 1.0), "strength 0.12 to 0"),
        (Scale("margin", "bits", 3.0, 3.0, 20.0), "margin 3.0 bits"),
        (scale_of_frequency([0.5, 1.0]), "frequency 0.50 to 1.00"),
    ],
)
def test_the_legend_has_both_ends(scale, text):
    assert scale.text() == text


@pytest.mark.parametrize(
    ("test", "unit"),
    [("sci", "bits"), ("g2", "log₁₀ α − log₁₀ p"), ("x2", "log₁₀ α − log₁₀ p"), ("cmi", "bits per row"), ("", "")],
)
def test_units(test, unit):
    assert unit_of_strength(test) == unit


def test_words_are_listed():
    assert [any_of(list(words)) for words in ("", "a", "ab", "abc")] == ["", "a", "a or b", "a, b or c"]


def test_names_with_the_same_text_are_told_apart():
    assert shown_names([1, "1", "a\nb", "a"]) == ["1", "'1'", "'a\\nb'", "a"]
