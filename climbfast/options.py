"""Numbers that users hand over, checked once: what was given, and what is legal."""

from __future__ import annotations

import math
from numbers import Integral, Real

from climbfast.errors import OptionError

__all__ = ["number", "whole_number"]

MOST = 2**62  # a kernel takes an int64


def whole_number(name: str, value: object, *, least: int = 0, otherwise: str = "") -> int:
    """Return the value as an int.

    Raises
    ------
    OptionError
        For anything but a whole number from ``least`` to 2^62 - 1; ``otherwise`` names what is legal besides.
    """
    if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < least:
        raise OptionError(f"{name} is {value!r}; it has to be a whole number from {least} up{otherwise}")
    if int(value) >= MOST:
        raise OptionError(f"{name} is {value!r}; it has to be below 2^62{otherwise}")
    return int(value)


def number(name: str, value: object, *, otherwise: str = "") -> float:
    """Return the value as a float.

    Raises
    ------
    OptionError
        For anything but a finite number from 0 up; ``otherwise`` names what is legal besides.
    """
    if isinstance(value, Real) and not isinstance(value, bool) and float(value) >= 0 and math.isfinite(value):
        return float(value)
    raise OptionError(f"{name} is {value!r}; it has to be a number from 0 up{otherwise}")
