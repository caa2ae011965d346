"""Whether the quotes of a text file are regular, checked 64 bytes at a time."""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import inlined, leaf
from climbfast_kernels.bits import Array, bytes_equal

QUOTE, LINE_FEED, CARRIAGE_RETURN = 34, 10, 13
ONE, TOP = np.uint64(1), np.uint64(63)
IRREGULAR, OPEN, CLOSED = 0, 1, 2


@leaf
def state_of_quotes(text: Array, separator: int) -> int:
    """Return ``IRREGULAR``, or if quotes are regular whether the last cell is ``OPEN`` or ``CLOSED``.

    They are regular if each opens a cell, closes it, or is doubled inside a quoted cell. A byte is inside a quoted cell
    if the number of quotes up to it is odd: the XOR of the bits up to it. A border (a separator, an end of a line,
    another quote, or an end of the text) must stand before each opening quote and after each closing quote.

    Parameters
    ----------
    text : uint8 array, shape (bytes,)
        The file from its first cell on.
    separator : int
        The byte between cells.
    """
    whole = text.shape[0] >> 6
    eights = text[: whole << 6].view(np.uint64)
    border_before, closing_before, is_open = ONE, np.uint64(0), np.uint64(0)
    for w in range(whole):
        quotes = bytes_equal(QUOTE, eights, w)
        borders = quotes | bytes_equal(separator, eights, w)
        opened = parity(quotes)
        if is_open:
            opened = ~opened
        closing = quotes & ~opened
        opening = quotes & opened
        if (opening & ~(borders << ONE | border_before)) | ((closing << ONE | closing_before) & ~borders):
            # Ends of lines are rare: they are searched only when a border is missing.
            borders |= bytes_equal(LINE_FEED, eights, w) | bytes_equal(CARRIAGE_RETURN, eights, w)
            if w > 0 and (text[64 * w - 1] == LINE_FEED or text[64 * w - 1] == CARRIAGE_RETURN):
                border_before = ONE
            if (opening & ~(borders << ONE | border_before)) | ((closing << ONE | closing_before) & ~borders):
                return IRREGULAR
        border_before, closing_before, is_open = borders >> TOP, closing >> TOP, opened >> TOP
    last = text[64 * whole - 1] if whole > 0 else LINE_FEED
    inside, after_closing = bool(is_open), bool(closing_before)
    after_border = bool(border_before) or last == LINE_FEED or last == CARRIAGE_RETURN
    for i in range(whole << 6, text.shape[0]):
        byte = text[i]
        is_border = byte == QUOTE or byte == separator or byte == LINE_FEED or byte == CARRIAGE_RETURN
        if after_closing and not is_border:
            return IRREGULAR
        after_closing = False
        if byte == QUOTE:
            if not inside and not after_border:
                return IRREGULAR
            after_closing = inside
            inside = not inside
        after_border = is_border
    return OPEN if inside else CLOSED


@inlined
def parity(bits: np.uint64) -> np.uint64:
    """Return a word whose bit i is the XOR of the bits 0 to i."""
    bits ^= bits << ONE
    bits ^= bits << np.uint64(2)
    bits ^= bits << np.uint64(4)
    bits ^= bits << np.uint64(8)
    bits ^= bits << np.uint64(16)
    return bits ^ (bits << np.uint64(32))
