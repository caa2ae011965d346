"""What is on the axes, measured as it is drawn."""

from __future__ import annotations

from functools import cache

import matplotlib as mpl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
from matplotlib.text import Text

import climbfast as cf
from climbfast.plots.blanket_picture import picture_of_blanket
from climbfast.plots.drawing import STYLES, draw, page_of
from climbfast.plots.graph_picture import picture_of_graph
from tests.plots.graphs import CASES


@cache
def page_of_case(case):
    return page_of(picture_of_graph(CASES[case]))


def drawn(picture):
    """The axes of a figure on which a picture is drawn, and what measures them."""
    return drawn_page(page_of(picture))


def drawn_page(page, size=None):
    canvas = FigureCanvasAgg(Figure(figsize=size or (page.width, page.height), dpi=100))
    ax = canvas.figure.add_axes((0, 0, 1, 1))
    draw(page, ax)
    canvas.figure.draw_without_rendering()  # no test looks at the pixels
    return ax, canvas.get_renderer()


@cache
def drawn_case(case, size=None):
    return drawn_page(page_of_case(case), size)


def parts(ax, kind):
    """What of a kind is drawn; not the empty texts of titles."""
    found = [part for part in ax.get_children() if isinstance(part, kind) and part is not ax.patch]
    return [part for part in found if not isinstance(part, Text) or part.get_text()]


@pytest.mark.parametrize("case", ["3", "15", "60", "names", "long names", "hub", "cycle", "isolated"])
@pytest.mark.parametrize("size", [None, (5, 4)])
def test_every_text_is_in_its_box_and_no_box_meets_another_text(case, size):
    page = page_of_case(case)
    ax, renderer = drawn_case(case, size)
    boxes = [part for part in parts(ax, FancyBboxPatch) if part.get_gid()]
    assert len(boxes) == len(picture_of_graph(CASES[case]).nodes)
    extents = [box.get_window_extent(renderer) for box in boxes]
    texts = parts(ax, Text)
    for text in texts:
        inside = text.get_window_extent(renderer)
        meets = [extent for extent in extents if extent.overlaps(inside)]
        assert len(meets) <= 1
        for extent in meets:
            assert extent.x0 - 1 <= inside.x0 <= inside.x1 <= extent.x1 + 1
            assert extent.y0 - 1 <= inside.y0 <= inside.y1 <= extent.y1 + 1
    assert {line for box in page.layout.boxes for line in box.label.lines if line.strip()} <= {
        text.get_text() for text in texts
    }


def test_all_is_on_the_page():
    for case in ("15", "hub", "names", "complete"):
        ax, renderer = drawn_case(case)
        page = ax.figure.bbox
        for part in parts(ax, (FancyBboxPatch, PathPatch, Polygon, Text)):
            extent = part.get_window_extent(renderer)
            assert page.x0 - 1 <= extent.x0
            assert extent.x1 <= page.x1 + 1
            assert page.y0 - 1 <= extent.y0
            assert extent.y1 <= page.y1 + 1


def test_nodes_are_opaque_and_above_lines():
    ax, _ = drawn_case("15")
    boxes, lines = parts(ax, FancyBboxPatch), parts(ax, (PathPatch, Polygon))
    assert min(box.get_zorder() for box in boxes) > max(line.get_zorder() for line in lines)
    assert all(box.get_facecolor()[3] == 1 for box in boxes)


def test_heads_are_filled_open_or_missing():
    graph = cf.Graph(
        ("a", "b", "c", "d"), [("a", "b"), ("b", "c")], [("c", "d")],
        reasons={("a", "b"): "compelled", ("b", "c"): "chosen"},
    )  # fmt: skip
    ax, _ = drawn(picture_of_graph(graph))
    heads = [head.get_facecolor()[:3] for head in parts(ax, Polygon)]
    assert len(heads) == 4  # of two lines, and two in the legend
    assert heads.count((1.0, 1.0, 1.0)) == 2
    assert len(parts(ax, PathPatch)) == 3 + 3


def test_strong_lines_are_wide_and_sure_ones_dark():
    graph = cf.Graph(
        ("a", "b", "c"), [("a", "b"), ("b", "c")],
        strengths={("a", "b"): 100.0, ("b", "c"): 1.0}, frequencies={("a", "b"): (0.2, 0.1), ("b", "c"): (1.0, 0.9)},
    )  # fmt: skip
    ax, _ = drawn(picture_of_graph(graph))
    first, second = parts(ax, PathPatch)[:2]
    assert first.get_linewidth() > 2 * second.get_linewidth()
    assert sum(first.get_edgecolor()[:3]) > 2 * sum(second.get_edgecolor()[:3])


def grey(color):
    """The lightness of a color in grey print, as WCAG defines it."""
    r, g, b = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in to_rgb(color))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("role", STYLES)
def test_text_can_be_read_in_grey_print(role):
    style = STYLES[role]
    light, dark = sorted((grey(style.fill), grey(style.text)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) > 7


def test_names_are_never_mathematics_nor_warn(recwarn):
    with mpl.rc_context({"text.usetex": False}):
        ax, _ = drawn(
            picture_of_graph(cf.Graph(("$x^2$ {", "\\alpha$", "年齢", "\U000f0000x"), [("年齢", "\\alpha$")]))
        )
    assert {"$x^2$ {", "\\alpha$", "年齢"} <= {text.get_text() for text in parts(ax, Text)}
    assert not recwarn.list


def test_a_picture_fits_the_axes_that_are_given():
    figure = Figure(figsize=(8, 3))
    canvas = FigureCanvasAgg(figure)
    first, second = figure.subplots(1, 2)
    draw(page_of(picture_of_blanket(cf.Blanket("t", ("p",), ("c",)))), first)
    draw(page_of_case("15"), second)
    canvas.draw()
    for ax in (first, second):
        frame = ax.get_window_extent()
        for text in parts(ax, Text):
            extent = text.get_window_extent(canvas.get_renderer())
            assert frame.x0 - 2 <= extent.x0 <= extent.x1 <= frame.x1 + 2
