"""Strengths in words, by the test that measured them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from climbfast.errors import OptionError
from climbfast.independence.tests import SCI, TESTS, TestOptions

__all__ = ["bits_text", "strength_in_words", "strength_text", "test_of", "unit_of_strengths"]

_CERTAIN, _LIKELY = 10.0, 5.0  # bits


def test_of(name: str, options: Mapping[str, Any]) -> tuple[TestOptions, bool]:
    """Return the test of a result with its options, and whether it is that test: for a custom one SCI stands in."""
    kind = TESTS.get(name)
    if kind is None:
        return SCI(), False
    known = {field: options[field] for field in kind.__dataclass_fields__ if field in options}
    try:
        return kind(**known), True
    except (OptionError, TypeError):  # options of a file that somebody changed
        return kind(), False


test_of.__test__ = False  # type: ignore[attr-defined]  # pytest collects functions whose names begin with test


def bits_text(bits: float) -> str:
    """Return bits, with a minus sign that is one."""
    text = f"{abs(bits):,.1f}\u00a0bits"
    return f"−{text}" if bits < 0 and not text.startswith("0.0") else text


def strength_text(test: str, strength: float, alpha: float = 0.01) -> str:
    """Return a strength with its unit: bits; for G² and X² the p-value."""
    if test in ("g2", "x2"):
        return f"p = {_power_of_ten(math.log10(alpha) - strength)}"
    if test == "cmi":
        return f"{strength:.3g} bits per row".replace("-", "−")
    if test == "sci":
        return bits_text(strength)
    return f"{strength:,.3g}".replace("-", "−")


def _power_of_ten(log10: float) -> str:
    """Return a power of ten as people read it: 0.031, or 2·10⁻⁷."""
    if log10 >= -3:
        return f"{10**log10:.2g}"
    exponent = math.floor(log10)
    digit = round(10 ** (log10 - exponent))
    if digit == 10:
        digit, exponent = 1, exponent + 1
    digits = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digit}·10{digits}"


def strength_in_words(test: str, strength: float) -> str:
    """Return how strong it is: "very strong", "strong", "moderate", "weak" or "none"."""
    if strength <= 0:
        return "none"
    if test in ("g2", "x2"):
        bits = strength * math.log2(10)
    elif test == "sci":
        bits = strength
    else:
        return ""
    return (
        "very strong"
        if bits >= 3 * _CERTAIN
        else "strong"
        if bits >= _CERTAIN
        else "moderate"
        if bits >= _LIKELY
        else "weak"
    )


def unit_of_strengths(test: str, method: str, options: Mapping[str, Any]) -> str:
    """Return what the strengths of a result say, in sentences for readers who do not know the test."""
    if method == "best":
        return (
            "Strengths are in bits of a score: by so many bits the best graph describes the data better than the same "
            "graph without this edge. Each bit doubles the weight of evidence: 1 bit is as good as nothing, 10 bits "
            "are odds of about 1,000 to 1."
        )
    if test == "sci":
        return (
            "Strengths are in bits of stochastic complexity (SCI): so many bits are saved in describing one column "
            "when the other is known, after the cost of saying how they depend. 0 bits or less count as independent. "
            "Where two columns are independent, chance reaches 5 bits in at most one table of 16, 10 bits in one of "
            "500, and 20 bits in one of 500,000."
        )
    if test in ("g2", "x2"):
        name = "G²" if test == "g2" else "X²"
        return (
            f"Strengths are the p-values of {name} tests: how often chance alone shows so much dependence between "
            f"independent columns. A column counts as dependent below {options.get('alpha', 0.01):g} (α). Inside "
            "climbfast a strength is log10 α − log10 p."
        )
    if test == "cmi":
        return (
            "Strengths are conditional mutual informations in bits per row, minus the cutoff; the test has no measure "
            "of chance."
        )
    return f"Strengths are in the unit of the test {test}: above 0 is dependent, and larger is stronger."
