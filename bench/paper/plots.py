"""Pictures that can be read in print and by the color-blind: colors of Okabe and Ito, and a marker and dashes each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Curve", "Figure", "Panel", "draw"]

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#F0E442")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2)))
INCHES, DPI = (3.6, 3.0), 150


@dataclass(frozen=True)
class Curve:
    """Means and standard deviations along something."""

    along: Sequence[float | str]
    means: Sequence[float]
    spread: Sequence[float]


@dataclass(frozen=True)
class Panel:
    """One coordinate system.

    Attributes
    ----------
    curves : mapping of str to Curve
    published : mapping of str to number or sequence of numbers
        Of the curve of that name: one number is a line across, many are hollow markers, one a place.
    logarithmic : str
        The axes that are: "", "x", "y" or "xy".
    joined : bool
        Whether the markers of a curve are joined by lines; names of places are not.
    """

    title: str
    x: str
    y: str
    curves: Mapping[str, Curve]
    published: Mapping[str, float | Sequence[float]] = field(default_factory=dict)
    logarithmic: str = ""
    joined: bool = True


@dataclass(frozen=True)
class Figure:
    """Panels side by side in one file."""

    name: str
    caption: str
    panels: Sequence[Panel]
    width: float = INCHES[0]


def draw(figure: Figure, path: Path) -> None:
    """Write a figure as PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    size = (figure.width * len(figure.panels), INCHES[1] + 0.6)
    canvas, places = pyplot.subplots(1, len(figure.panels), figsize=size, squeeze=False, layout="constrained")
    for panel, axes in zip(figure.panels, places[0], strict=True):
        _draw_panel(panel, axes)
    handles, labels = places[0][0].get_legend_handles_labels()
    canvas.legend(
        handles, labels, loc="outside lower center", ncols=min(len(labels), 3 * len(figure.panels)), frameon=False
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas.savefig(path, dpi=DPI, metadata={"Software": None})
    pyplot.close(canvas)


def _draw_panel(panel: Panel, axes: Any) -> None:
    for i, (name, curve) in enumerate(panel.curves.items()):
        style = {"color": COLORS[i], "marker": MARKERS[i], "markersize": 4, "linewidth": 1.2, "label": name}
        dashes = DASHES[i] if panel.joined else "none"
        # Beside each other where they would hide one another.
        shift = 0.0 if panel.joined else 0.12 * (i - (len(panel.curves) - 1) / 2)
        places = curve.along if panel.joined else [place + shift for place in range(len(curve.along))]
        axes.errorbar(places, curve.means, curve.spread, linestyle=dashes, capsize=2, elinewidth=0.7, **style)
        _draw_published(panel.published.get(name), places, axes, style)
    if not panel.joined:
        axes.set_xticks(range(len(curve.along)), curve.along)
    for axis in panel.logarithmic:
        (axes.set_xscale if axis == "x" else axes.set_yscale)("log")
    if min(min(curve.means) for curve in panel.curves.values()) >= 0 and "y" not in panel.logarithmic:
        axes.set_ylim(bottom=max(0.0, axes.get_ylim()[0]))  # a bar may reach below what is possible
    axes.set_title(panel.title, fontsize=10)
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.y)
    axes.grid(color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)


def _draw_published(numbers: float | Sequence[float] | None, places: Sequence[Any], axes: Any, style: Any) -> None:
    if numbers is None:
        return
    if isinstance(numbers, Sequence):
        marker = {"marker": style["marker"], "color": style["color"], "markerfacecolor": "none", "markersize": 8}
        axes.plot(places, numbers, linestyle="none", **marker)
    else:
        axes.axhline(numbers, color=style["color"], linewidth=0.8, linestyle=(0, (1, 3)))
