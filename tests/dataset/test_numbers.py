"""Which texts are numbers: all of a column, or none."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from climbfast.dataset import read
from climbfast.dataset.numbers import has_decimal_commas, read_numbers
from climbfast.errors import DataError
from tests.dataset.tables import quiet_read


@pytest.mark.parametrize(
    ("texts", "levels"),
    [
        (["2", "10", "-1"], (-1, 2, 10)),
        (["1", "1.0", "2.00", "1e1"], (1, 2, 10)),
        (["01", "2"], ("01", "2")),
        (["1", "x"], ("1", "x")),
        (["1", "inf", "x"], ("1", "inf", "x")),
        ([" 1", "2 "], (1, 2)),
        (["1_0", "2"], ("1_0", "2")),
        (["9007199254740993", "1.0"], (1, 9007199254740993)),
        (["9007199254740993.0", "9007199254740992.0"], (9007199254740992, 9007199254740993)),
        (["True", "False"], ("False", "True")),
        (["2024-01-01", "2023-01-01"], ("2023-01-01", "2024-01-01")),
    ],
)
def test_texts_are_typed_by_all_of_their_values(texts: list[str], levels: Any, save: Callable[..., Path]) -> None:
    data = quiet_read(save("\n".join(["x,y", *(f"{text},0" for text in texts)])))
    assert data.levels["x"] == levels


def test_a_late_text_is_not_lost_to_a_numeric_start(save: Callable[..., Path]) -> None:
    data = read(save("x\n" + "1\n" * 5000 + "a\n"))
    assert data.levels["x"] == ("1", "a")


def test_decimal_commas_are_fractions(save: Callable[..., Path]) -> None:
    path = save("x;y\n18,5;a\n20;b\n-3,25;a\n")
    with pytest.raises(DataError, match=r"column 'x' has numbers with decimal commas \(such as -?\d+,\d+\)"):
        read(path)
    assert read(path, numbers="levels").levels["x"] == ("-3,25", "18,5", "20")
    assert read(save("x;y\n1,2,3;a\n1,2;b\n")).levels["x"] == ("1,2", "1,2,3")


def test_numbers_that_are_no_levels_in_a_file(save: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match=r"data\.csv: column 'x' has fractional numbers"):
        read(save("x\n0.5\n1\n"))
    with pytest.raises(DataError, match=r"column 'x' has infinite values"):
        read(save("x\n1\n-inf\n"))
    assert read(save("x\n0.50\n.5\n1\n"), numbers="levels").levels["x"] == (0.5, 1.0)


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["0", "-0", "+7", " 12 ", "3.", "3.00"], [0, 0, 7, 12, 3, 3]),
        (["1e3", ".5", "0.25", "-INF", "infinity"], [1000, Decimal("0.5"), Decimal("0.25"), -math.inf, math.inf]),
        (["1" + "0" * 99], [10**99]),
        ([], []),
        *(([text], None) for text in ("", "007", "1_0", "0x1", "1,5", "nan", "--1", "1e", ".", "٩", "1 2")),
        (["1", "x"], None),
    ],
    ids=str,
)
def test_texts_that_are_numbers(texts: list[str], numbers: Any) -> None:
    found = read_numbers(texts)
    assert found == numbers
    assert found is None or [type(number) for number in found] == [type(number) for number in numbers]


def test_texts_with_decimal_commas() -> None:
    assert has_decimal_commas(["1,5", "2"])
    assert not any(map(has_decimal_commas, (["1", "2"], ["1,5", "x"], ["1,2,3"], [])))


def test_an_exponent_of_many_digits_makes_a_text() -> None:
    assert read_numbers(["1e9999999999999999999"]) is None
    assert read_numbers(["0e-9999999999999999999"]) is None
