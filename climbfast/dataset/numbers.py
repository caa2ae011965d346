"""Which texts are numbers: the same grammar for the cells of text files and for markers."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["has_decimal_commas", "read_numbers"]

# No leading zeros: "007" is a code, and must not become one level with "7".
_WHOLE = re.compile(r"\s*[+-]?(0|[1-9][0-9]{0,99})(\.0*)?\s*")
_NUMBER = re.compile(
    r"\s*[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?|inf|infinity)\s*",
    re.IGNORECASE,
)


def has_decimal_commas(texts: Sequence[str]) -> bool:
    """Whether the texts are numbers, some of which have a decimal comma, such as 18,5."""
    return any("," in text for text in texts) and (
        read_numbers([text.replace(",", ".", 1) for text in texts]) is not None
    )


def read_numbers(texts: Sequence[str]) -> list[int | float] | None:
    """Return the numbers if every text is a number, else None."""
    if not all(map(_NUMBER.fullmatch, texts)):
        return None
    # As an int, because as floats 2^53 and 2^53 + 1 are equal.
    return [int(text.partition(".")[0]) if _WHOLE.fullmatch(text) else float(text) for text in texts]
