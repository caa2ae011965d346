"""Draws a picture on the axes of matplotlib: lines, boxes above them, text above these."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from climbfast.plots.labels import FONT_SIZE, LINE_HEIGHT, font
from climbfast.plots.layout import Box, Layout, Point, layout_of
from climbfast.plots.legend import (
    BEHIND_SAMPLE,
    BETWEEN_ENTRIES,
    LEGEND_SIZE,
    ROW,
    SAMPLE_WIDTH,
    Entry,
    legend_rows,
    width_of,
)
from climbfast.plots.picture import Head, Line, Picture, Role, Scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Page", "draw", "page_of"]

MARGIN = 0.08
ABOVE_LEGEND = 0.2
LEAST_LEGEND = 3.4  # inches of width
MOST_ENLARGED = 1.25
POINTS_PER_INCH = 72

THIN, THICK = 0.8, 3.2  # points
WITHOUT_FIGURE = 1.3
WIDTH_OF_SHADE = 2.6
SEAM = 0.004  # where two parts of a line meet
LIGHT, DARK = (0.66, 0.74, 0.82), (0.05, 0.16, 0.28)  # of lines; their lightness differs, so that gray print shows it
PLAIN = (0.26, 0.33, 0.41)
INK = "#1a1a1a"
ROUNDING = 0.05
HEAD_LENGTH = 0.095


Side = Literal["left", "center"]


class Style(NamedTuple):
    """How the box of a role is drawn; fills are tints of the palette of Okabe and Ito."""

    fill: str
    border: str
    width: float = 0.8
    text: str = INK
    dash: str = "solid"


STYLES: dict[Role, Style] = {
    "node": Style("#f2f5f8", "#5b6b7b"),
    "named": Style("#fbe0a6", "#8a6100", 1.4),
    "target": Style("#17324d", "#17324d", 1.4, "#ffffff"),
    "parent": Style("#cfe6f7", "#2b6ea3"),
    "child": Style("#fde9c4", "#a86f00"),
    "spouse": Style("#e4e4e4", "#6b6b6b"),
    "undecided": Style("#ffffff", "#5b6b7b", 0.9, INK, "dashed"),
    "neighbor": Style("#f2f5f8", "#5b6b7b"),
}


class Page(NamedTuple):
    """A picture with its places, its legend, and its size in inches."""

    picture: Picture
    layout: Layout
    rows: list[list[Entry]]
    width: float
    height: float


def page_of(picture: Picture) -> Page:
    """Return a picture with the places of everything."""
    layout = layout_of(picture)
    wide = max(layout.width, LEAST_LEGEND)
    rows = legend_rows(picture, wide)
    wide = max([wide, *(width_of(entry) for row in rows for entry in row)])
    below = ABOVE_LEGEND + len(rows) * ROW if rows else 0.0
    return Page(picture, layout, rows, wide + 2 * MARGIN, layout.height + below + 2 * MARGIN)


def draw(page: Page, ax: Axes) -> None:
    """Draw a page so that it fills the axes, in their present size."""
    frame, dots_per_inch = ax.get_window_extent(), ax.figure.dpi
    wide, high = frame.width / dots_per_inch, frame.height / dots_per_inch
    scale = min(wide / page.width, high / page.height, MOST_ENLARGED)
    wide, high = wide / scale, high / scale
    left, low = (page.width - wide) / 2, (page.height - high) / 2
    ax.set_xlim(left, left + wide)
    ax.set_ylim(low, low + high)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_axis_off()
    pen = _Pen(ax, scale, is_turned=page.layout.is_turned)
    layout = page.layout
    shift = (page.width - layout.width) / 2, page.height - MARGIN - layout.height
    for line, curve in zip(page.picture.lines, layout.curves, strict=True):
        pen.line(line, [(x + shift[0], y + shift[1]) for x, y in curve], page.picture)
    for number, (node, box) in enumerate(zip(page.picture.nodes, layout.boxes, strict=True)):
        pen.node(box._replace(x=box.x + shift[0], y=box.y + shift[1]), node.role, number)
    _draw_legend(page, pen)


def _draw_legend(page: Page, pen: _Pen) -> None:
    """Draw the legend below the picture."""
    for number, row in enumerate(page.rows):
        x, y = MARGIN, MARGIN + (len(page.rows) - number - 0.5) * ROW
        for entry in row:
            pen.sample(entry, (x, y))
            indent = 0.0 if entry.is_note else SAMPLE_WIDTH + BEHIND_SAMPLE
            pen.text((x + indent, y), entry.text, LEGEND_SIZE, INK, "left")
            x += width_of(entry) + BETWEEN_ENTRIES


class _Pen:
    """Draws on axes whose unit is an inch of the page, at a scale."""

    def __init__(self, ax: Axes, scale: float, *, is_turned: bool) -> None:
        self._ax, self._scale, self._is_turned = ax, scale, is_turned

    def node(self, box: Box, role: Role, number: int) -> None:
        style = STYLES[role]
        self._box((box.left, box.y - box.height / 2), box.width, box.height, style, f"box-{number}")
        y = box.y + (len(box.label.lines) - 1) / 2 * LINE_HEIGHT
        for text in box.label.lines:
            self.text((box.x, y), text, FONT_SIZE, style.text, "center", f"label-{number}")
            y -= LINE_HEIGHT

    def _box(self, corner: Point, width: float, height: float, style: Style, gid: str | None = None) -> None:
        from matplotlib.patches import FancyBboxPatch

        patch = FancyBboxPatch(
            corner,
            width,
            height,
            boxstyle=f"round,pad=0,rounding_size={ROUNDING}",
            facecolor=style.fill,
            edgecolor=style.border,
            linewidth=style.width * self._scale,
            linestyle=style.dash,
            zorder=3,
            clip_on=False,
            gid=gid,
        )
        self._ax.add_artist(patch)

    def text(self, place: Point, text: str, size: float, color: str, side: Side, name: str | None = None) -> None:
        label = _text(place, text, size * self._scale, color, side)
        label.set_gid(name)
        self._ax.add_artist(label)

    def line(self, line: Line, points: Sequence[Point], picture: Picture) -> None:
        width = _width(line.width, picture.width)
        color = PLAIN if picture.shade is None else _shade(line.shade, picture.shade)
        self._line(points, width, color, line.head, is_turned=self._is_turned)

    def _line(self, points: Sequence[Point], width: float, color: Any, head: Head, *, is_turned: bool = False) -> None:
        """Draw a line along x; if it is turned, along y."""
        from matplotlib.patches import PathPatch, Polygon

        along = [point[::-1] for point in points] if is_turned else list(points)
        length = 0.0 if head == "none" else HEAD_LENGTH + 0.012 * width
        path, corners = _path(_shortened(along, length)), _head(along, length)
        if is_turned:
            path, corners = path._replace(vertices=[v[::-1] for v in path.vertices]), [c[::-1] for c in corners]
        way = PathPatch(path.of_matplotlib(), fill=False, edgecolor=color, linewidth=width * self._scale)
        way.set(capstyle="butt", joinstyle="round", zorder=1, clip_on=False)
        self._ax.add_artist(way)
        if head != "none":
            tip = Polygon(corners, closed=True, facecolor=color if head == "filled" else "white", edgecolor=color)
            tip.set(linewidth=0.8 * self._scale, joinstyle="miter", zorder=2, clip_on=False)
            self._ax.add_artist(tip)

    def sample(self, entry: Entry, place: Point) -> None:
        x, y = place
        if entry.head is not None:
            self._line([place, (x + SAMPLE_WIDTH, y)], WITHOUT_FIGURE, PLAIN, entry.head)
        elif entry.role is not None:
            self._box((x, y - 0.055), SAMPLE_WIDTH, 0.11, STYLES[entry.role])
        half = SAMPLE_WIDTH / 2
        for scale in filter(None, (entry.width, entry.shade)):
            for left, figure in ((x, scale.least), (x + half - SEAM, scale.most)):
                width = _width(figure, scale) if entry.width else WIDTH_OF_SHADE
                color = _shade(figure, scale) if entry.shade else PLAIN
                self._line([(left, y), (left + half + SEAM, y)], width, color, "none")


def _width(figure: float | None, scale: Scale | None) -> float:
    if scale is None:
        return WITHOUT_FIGURE
    return THIN if figure is None else THIN + (THICK - THIN) * scale.share(figure)


def _shade(figure: float | None, scale: Scale) -> Any:
    if figure is None:
        return PLAIN
    share = scale.share(figure)
    return tuple((1 - share) * light + share * dark for light, dark in zip(LIGHT, DARK, strict=True))


def _head(points: Sequence[Point], length: float) -> list[Point]:
    """Return the corners of the head at the last point of a way along x."""
    (x, y), half = points[-1], 0.42 * length
    base = x - length if x > points[0][0] else x + length
    return [(x, y), (base, y + half), (base, y - half)]


def _shortened(points: Sequence[Point], length: float) -> list[Point]:
    """Return a way along x without the length of its head."""
    *others, (x, y) = points
    side = 1.0 if x > points[0][0] else -1.0
    end = side * x - length
    return [(side * min(side * px, end), py) for px, py in others] + [(side * end, y)]


class _Path(NamedTuple):
    """The points and the codes of a path of matplotlib."""

    vertices: list[Point]
    codes: list[int]

    def of_matplotlib(self) -> Any:
        from matplotlib.path import Path

        return Path(self.vertices, self.codes)


_MOVE, _LINE, _CURVE = 1, 2, 4  # codes of matplotlib.path.Path


def _path(points: Sequence[Point]) -> _Path:
    """Return a path along x that is level at each point, and turns in an S where heights differ."""
    vertices, codes = [points[0]], [_MOVE]
    for (x, y), (to_x, to_y) in pairwise(points):
        if y == to_y:
            vertices.append((to_x, to_y))
            codes.append(_LINE)
        else:
            middle = (x + to_x) / 2
            vertices += [(middle, y), (middle, to_y), (to_x, to_y)]
            codes += [_CURVE] * 3
    return _Path(vertices, codes)


def _text(place: Point, text: str, size: float, color: str, side: Side) -> Any:
    """Return a text for the axes that is never mathematics, and silent about characters that no font has."""
    return _label_text()(
        *place,
        text,
        color=color,
        fontproperties=font(size),
        horizontalalignment=side,
        verticalalignment="center_baseline",
        parse_math=False,
        usetex=False,
        zorder=4,
        clip_on=False,
    )


@cache
def _label_text() -> Any:
    """Return the class of texts, made once: matplotlib takes milliseconds to document each class of artists."""
    from matplotlib.text import Text

    class LabelText(Text):
        """Text as wide as it was measured, whose missing characters are boxes without a warning for each."""

        def draw(self, renderer: Any, *args: Any, **kwargs: Any) -> None:
            with _as_measured():
                super().draw(renderer, *args, **kwargs)

        def get_window_extent(self, *args: Any, **kwargs: Any) -> Any:
            with _as_measured():
                return super().get_window_extent(*args, **kwargs)

    return LabelText


@contextmanager
def _as_measured() -> Iterator[None]:
    """Draw without hinting, which rounds the width of each character to whole dots, and without warnings."""
    import matplotlib

    before = matplotlib.rcParams["text.hinting"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        matplotlib.rcParams["text.hinting"] = "none"
        try:
            yield
        finally:
            matplotlib.rcParams["text.hinting"] = before
