"""Pictures as files, and as a part of a page: SVG, PNG and PDF, the same bytes for the same picture."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from xml.sax.saxutils import escape, quoteattr

from climbfast.plots.drawing import Page, draw, page_of
from climbfast.plots.picture import Picture

__all__ = ["content_of", "svg_of"]

DOTS_PER_INCH = 200
MOST_DOTS = 7_000  # of a side
_METADATA = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
}


def content_of(picture: Picture, form: str) -> bytes:
    """Return a picture as a file of this format has it."""
    page = page_of(picture)
    if form == "svg":
        head = '<?xml version="1.0" encoding="utf-8" standalone="no"?>\n'
        return (head + _svg(page)).encode()
    return _written(page, form)


def svg_of(picture: Picture, width: str | float | None = None) -> str:
    """Return a picture as an element for a page of HTML.

    Parameters
    ----------
    picture : Picture
    width : str or number, optional
        The width that it takes, such as "100%", or in pixels; its height follows. Default: its own size.
    """
    text = _svg(page_of(picture))
    if width is None:
        return text
    return re.sub(r'<svg width="[^"]*" height="[^"]*"', f"<svg width={quoteattr(str(width))}", text, count=1)


def _svg(page: Page) -> str:
    text = _written(page, "svg").decode()
    size = _VIEW_BOX.search(text)
    assert size is not None
    wide, high = (float(each) for each in size[1].split()[2:])
    head = f'<svg width="{wide:g}pt" height="{high:g}pt" viewBox="{size[1]}" {_ATTRIBUTES}>'
    body = text[text.index(">", text.index("<svg")) + 1 :]
    for number, (node, box) in enumerate(zip(page.picture.nodes, page.layout.boxes, strict=True)):
        title = f"<title>{escape(node.text)}</title>" if box.label.is_shortened else ""
        for part in ("box", "label"):  # the mouse is on one of them
            body = body.replace(f'<g id="{part}-{number}">', f"<g>{title}")
    for needless in _NEEDLESS:
        body = needless.sub(r"\1", body)
    return head + body


_VIEW_BOX = re.compile(r'viewBox="([^"]*)"')
_ATTRIBUTES = (
    'xmlns="http://www.w3.org/2000/svg" '
    """style="stroke-linejoin: round; stroke-linecap: butt; font-family: 'DejaVu Sans', Verdana, sans-serif\""""
)
# A style sheet would hold for a whole page of HTML, and ids would occur twice where it has two pictures. Texts have
# their family from the element around them all. No < is in a name as it is written, so that only tags are meant.
_NEEDLESS = (
    re.compile(r"\s*<metadata>.*?</metadata>()", re.DOTALL),
    re.compile(r"\s*<defs>\s*<style.*?</style>\s*</defs>()", re.DOTALL),
    re.compile(r'(<g) id="\w+"'),
    re.compile(r'(<text style="font-size: [\d.]+px;) font-family: [^;"<>]*;'),
    re.compile(r'(<text [^<>]*) transform="rotate\(-?0 [^"<>]*"'),
)


def _written(page: Page, form: str) -> bytes:
    from matplotlib.figure import Figure

    out = io.BytesIO()
    with _same_everywhere():
        figure = Figure(figsize=(page.width, page.height), facecolor="white" if form == "png" else "none")
        draw(page, figure.add_axes((0, 0, 1, 1)))
        figure.savefig(
            out,
            format=form,
            dpi=min(DOTS_PER_INCH, MOST_DOTS / max(page[-2:])) if form == "png" else 72,
            metadata=_METADATA[form],
        )
    return out.getvalue()


@contextmanager
def _same_everywhere() -> Iterator[None]:
    """Draw with the defaults of matplotlib, whatever the user has set for other figures."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "climbfast", "pdf.fonttype": 42})
        yield
