"""The rule that marks a claim."""

from __future__ import annotations

import pytest

from bench.paper.claims import Claim


@pytest.mark.parametrize(
    ("ours", "relation", "order", "mark"),
    [
        (90.0, "=", None, "reproduced"),
        (92.0, "=", False, "reproduced"),
        (88.0, "=", None, "reproduced"),
        (92.1, "=", True, "partly"),
        (87.9, "=", True, "partly"),
        (87.9, "=", False, "not"),
        (87.9, "=", None, "not"),
        (99.0, ">=", False, "reproduced"),
        (88.0, ">=", False, "reproduced"),
        (87.9, ">=", True, "partly"),
        (10.0, "<=", False, "reproduced"),
        (92.1, "<=", True, "partly"),
        (92.1, "<=", False, "not"),
    ],
)
def test_two_points_or_the_same_order(ours, relation, order, mark):
    assert Claim("", ours, 90.0, relation, order).mark == mark


@pytest.mark.parametrize(
    ("ours", "mark"), [(198.0, "partly"), (199.0, "reproduced"), (243.0, "reproduced"), (244.0, "partly")]
)
def test_numbers_that_are_no_percentages_may_be_a_tenth_off(ours, mark):
    assert Claim("", ours, 221, order=True, unit="tests").mark == mark


def test_points_are_not_taken_for_numbers():
    assert Claim("", 1.9, 0, unit="points").mark == "reproduced"
    assert Claim("", 2.1, 0, unit="points").mark == "not"


@pytest.mark.parametrize(("order", "mark"), [(True, "reproduced"), (False, "not")])
def test_without_a_number_the_order_decides(order, mark):
    assert Claim("", 3.0, order=order).mark == mark


def test_numbers_as_they_stand_in_a_table():
    claim = Claim("", 88.75, 95, ">=")
    assert (claim.published_text, claim.ours_text) == ("at least 95 %", "88.8 %")
    assert Claim("", 0.00432, unit="bits").ours_text == "0.00432 bits"
    assert Claim("", 1.0).published_text == "–"
