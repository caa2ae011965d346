"""Names of columns: their canonical order, and how they are shown."""

from __future__ import annotations

import datetime as dt

import pytest

from climbfast.names import (
    by_text,
    canonical_key,
    escaped,
    excerpt,
    listing,
    name_text,
    quote_formula,
    quoted_name,
    rest,
    unquote_formula,
)


def test_canonical_order_is_by_text_then_by_type():
    names = [10, "b", 2, ("a", 1), "10", "B"]
    assert sorted(names, key=canonical_key) == [("a", 1), 10, "10", 2, "B", "b"]


def test_by_text():
    assert by_text({1: "a", "x": "b", ("y", 2): "c"}) == {"1": "a", "x": "b", "('y', 2)": "c"}
    assert by_text({1: "a", "1": "b", 2: "c"}) == {"1": "a", "'1'": "b", "2": "c"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("age", "age"),
        ("a b", "a b"),
        (7, "7"),
        ("", "''"),
        (" ", "' '"),
        ("a\nb", r"'a\nb'"),
        ("\x1b[2J", r"'\x1b[2J'"),
    ],
)
def test_shown(name, text):
    """In quotes where it would break the line, hide, or command the terminal."""
    assert name_text(name) == text


@pytest.mark.parametrize(
    ("name", "marks", "text"),
    [("a", (",",), "a"), ("a,b", (",",), "'a,b'"), ("a b", (" ", ";"), "'a b'"), ("a\n,", (",",), r"'a\n,'")],
)
def test_quoted(name, marks, text):
    """In quotes where it holds what stands between names, and once only."""
    assert quoted_name(name, marks) == text


def test_listing():
    assert listing([]) == ""
    assert listing(["a", 1]) == "'a', 1"
    assert listing(["a", 1], each=name_text) == "a, 1"
    assert listing(range(5), limit=2) == "0, 1 and 3 more"
    assert listing(range(2_000), limit=1) == "0 and 1,999 more"
    assert listing(range(25)).endswith("19 and 5 more")
    assert listing(range(25), limit=None).endswith("23, 24")


@pytest.mark.parametrize(("left", "text"), [(-3, ""), (0, ""), (1, " and 1 more"), (2_000, " and 2,000 more")])
def test_rest(left, text):
    assert rest(left) == text


def test_excerpt():
    assert excerpt("a\n") == r"'a\n'"
    assert excerpt("a" * 58) == repr("a" * 58)
    assert excerpt("a" * 59) == "'" + "a" * 56 + "..."
    assert excerpt([1, 2, 3], limit=6) == "[1,..."
    assert excerpt(dt.date(2024, 12, 31), limit=20) == "2024-12-31"
    assert excerpt(dt.datetime(2024, 12, 31, 8, 30), limit=20) == "2024-12-31 08:30:00"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@a", "\ta", "\ra", "'a", "''a"])
def test_formulas_are_quoted(text):
    assert quote_formula(text) == f"'{text}"
    assert unquote_formula(quote_formula(text)) == text


@pytest.mark.parametrize("text", ["", "a", " =1", "a=b", "1"])
def test_other_texts_are_not_quoted(text):
    assert quote_formula(text) == unquote_formula(text) == text


def test_escapes():
    assert escaped("a\x1b[31m\nü") == r"a\x1b[31m\nü"
