"""Which texts are numbers, and their exact values: the same grammar for the cells of text files and for markers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

__all__ = ["MOST_DIGITS", "NUMBER", "has_decimal_commas", "read_numbers"]

# ASCII blanks alone: other white space is part of a text. No leading zeros: "007" is a code, not 7.
NUMBER = (  # in any case
    r"[ \t\r\n]*[+-]?"
    r"((?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|inf|infinity)"
    r"[ \t\r\n]*"
)
_NUMBER = re.compile(NUMBER, re.IGNORECASE)
# Past these a text is no number: 1e999999999 would take a gigabyte, and Python writes no integer of 4,300 digits.
MOST_DIGITS = 2_000


def has_decimal_commas(texts: Sequence[str]) -> bool:
    """Whether the texts are numbers, some of which have a decimal comma, such as 18,5."""
    return any("," in text for text in texts) and (
        read_numbers([text.replace(",", ".", 1) for text in texts]) is not None
    )


def read_numbers(texts: Sequence[str]) -> list[int | float | Decimal] | None:
    """Return the exact numbers if every text is one, else None: integers, fractions as Decimal, and infinities.

    A float would take 2^53 and the next integer for one.
    """
    if not all(map(_NUMBER.fullmatch, texts)):
        return None
    numbers = [_number(text.strip()) for text in texts]
    return None if None in numbers else numbers  # type: ignore[return-value]


def _number(text: str) -> int | float | Decimal | None:
    if text.lstrip("+-").lower().startswith("inf"):
        return float(text)
    if len(text) > MOST_DIGITS:
        return None
    try:
        value = Decimal(text)
    except InvalidOperation:  # an exponent of more than 18 digits
        return None
    if abs(int(value.as_tuple().exponent)) > MOST_DIGITS:
        return None
    return int(value) if value == value.to_integral_value() else value
