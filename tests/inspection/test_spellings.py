"""Levels that are one word in several spellings."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.inspection.spellings import alike_levels, differences


@pytest.mark.parametrize(
    ("group", "by"),
    [
        (("YES", "Yes", "yes"), ["case"]),
        (("yes", "yes "), ["blanks"]),
        (("a  b", "a b"), ["blanks"]),
        (("a b", "a\u00a0b"), ["Unicode form"]),
        (("Yes", "yes "), ["blanks", "case"]),
        (("caf\u00e9", "cafe\u0301"), ["Unicode form"]),
        (("\ufb01t", "fit"), ["Unicode form"]),
        (("a\u200bb", "ab"), ["Unicode form"]),
        (("Stra\u00dfe", "STRASSE"), ["case"]),
        (("CAF\u00c9", "cafe\u0301 "), ["Unicode form", "blanks", "case"]),
    ],
)
def test_differences(group, by):
    assert alike_levels([*group, "other", "x"]) == [tuple(sorted(group))]
    assert differences(group) == by


def test_different_words_are_no_group():
    assert not alike_levels(["yes", "no", "ye s", "y\u00e9s", "1", "01"])


def test_the_finding():
    found = cf.inspect(
        {"smoker": ["Yes", "yes ", "no", "YES"] * 5, "id": [f"{i % 10}{'aA'[i // 10]}" for i in range(20)]}
    )
    (finding,) = found.of_kind("alike-levels")
    assert finding.columns == ("smoker",)
    assert finding.message == "levels of column 'smoker' differ only by blanks and case: 'YES' = 'Yes' = 'yes '"
    assert finding.details == {"groups": [["YES", "Yes", "yes "]], "differ_by": ["blanks", "case"]}


def test_forms_that_look_alike_are_shown_by_their_numbers():
    (finding,) = cf.inspect({"place": ["caf\u00e9", "cafe\u0301"] * 10}).of_kind("alike-levels")
    assert finding.message.endswith(r"differ only by Unicode form: 'cafe\u0301' = 'caf\xe9'")
