"""Whether the quotes of a text file stand where they belong."""

from __future__ import annotations

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import Array, Integer

QUOTE = 34  # "
LINE_ENDS = 10, 13


@leaf
def quotes_are_regular(text: Array, begin: Integer, separator: Integer) -> bool:
    """Return whether every quote opens a cell, closes it, or is doubled within one, and the last cell ends.

    Parameters
    ----------
    text : uint8 array, shape (bytes,)
    begin : int
        Where the first cell begins.
    separator : int
        The byte between cells.
    """
    inside = False
    for i in range(begin, text.shape[0]):
        if text[i] != QUOTE:
            continue
        beside = i + 1 if inside else i - 1
        if begin <= beside < text.shape[0]:
            border = text[beside]
            if border != separator and border != QUOTE and border != LINE_ENDS[0] and border != LINE_ENDS[1]:
                return False
        inside = not inside
    return not inside
