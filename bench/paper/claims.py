"""What the paper claims, beside ours, and the rule that marks a claim as reproduced, partly, or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["MARKS", "RULE", "Claim"]

POINTS = 2.0
SHARE = 0.1
MARKS = ("reproduced", "partly", "not")
RULE = f"""A claim is marked by this rule, which was fixed before the run.

- **reproduced**: our number is within {POINTS:g} points of the published one (numbers that are no percentages: within
  {100 * SHARE:g} %); where the paper names a bound, ours keeps it to within as much; where it names no number, ours
  have the same order or sign.
- **partly**: the number is off, but the order or sign that the claim is about is the same (what is compared stands
  behind "order").
- **not**: neither.

Percentages are means over the data sets."""


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper and what we measure.

    Attributes
    ----------
    says : str
        What the paper says.
    ours : float
        In percent or points, unless `unit` says otherwise; of a claim without a number the figure that decides.
    published : float or None
        None where the paper gives an order or a sign alone.
    relation : {"=", ">=", "<="}
        Whether the published number is a value or a bound.
    order : bool or None
        Whether the order or sign that the claim is about holds; None if there is nothing to compare.
    compared : str
        What the order is about.
    unit : str
        "%", "points" of percent, or that of a number which is no percentage.
    why : str
        Where ours differs, one sentence on the cause.
    """

    says: str
    ours: float
    published: float | None = None
    relation: Literal["=", ">=", "<="] = "="
    order: bool | None = None
    compared: str = ""
    unit: str = "%"
    why: str = ""

    @property
    def mark(self) -> str:
        """The mark by the rule."""
        if self.published is not None and self._is_near(self.published):
            return "reproduced"
        if not self.order:
            return "not"
        return "reproduced" if self.published is None else "partly"

    def _is_near(self, published: float) -> bool:
        tolerance = POINTS if self.unit in ("%", "points") else SHARE * abs(published)
        above, below = self.ours >= published - tolerance, self.ours <= published + tolerance
        return {"=": above and below, ">=": above, "<=": below}[self.relation]

    @property
    def published_text(self) -> str:
        """The published number as it stands in a table."""
        if self.published is None:
            return "–"
        bound = {"=": "", ">=": "at least ", "<=": "at most "}[self.relation]
        return f"{bound}{self.published:g}{self._after}"

    @property
    def ours_text(self) -> str:
        """Our number as it stands in a table."""
        number = f"{self.ours:.1f}" if self.unit in ("%", "points") else f"{self.ours:.3g}"
        return f"{number}{self._after}"

    @property
    def _after(self) -> str:
        return f" {self.unit}" if self.unit else ""
