"""Lines, tables and pictures in HTML as notebooks show them, light or dark: colors and fonts are those around them."""

from __future__ import annotations

import base64
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

from climbfast.plots import MOST_NODES

if TYPE_CHECKING:
    from climbfast.blankets.blankets import Blankets
    from climbfast.graphs.graph import Graph
    from climbfast.local.blanket import Blanket

__all__ = ["MOST_NODES", "MOST_ROWS", "heading", "line", "lines_of", "picture", "seconds_text", "shown", "table"]

MOST_ROWS = 20
_MOST_CHARACTERS = 300  # of a cell

T = TypeVar("T")


def shown(function: Callable[[T], Iterable[str]]) -> Callable[[T], str | None]:
    """Return a function that gives the elements as one, and None if that fails: a result must not fail to be shown."""

    @wraps(function)
    def html(result: T) -> str | None:
        try:
            content = "".join(function(result))
            # The classes: MathJax takes what is between two $ for a formula.
            text = f'<div class="tex2jax_ignore mathjax_ignore" style="overflow-x: auto">{content}</div>'
            return text.encode("utf-8", "xmlcharrefreplace").decode("utf-8")
        except Exception:
            return None

    return html


def heading(kind: str, text: str = "") -> str:
    """Return the first line: what it is, and a summary."""
    return f'<div style="{_SPACE}"><strong>{_text(kind)}</strong>{": " if text else ""}{_text(text, most=500)}</div>'


def line(text: str) -> str:
    """Return a line of small text; nothing for an empty one."""
    return f'<div style="{_SPACE}; font-size: 90%; opacity: 0.8">{_text(text, most=2000)}</div>' if text else ""


def lines_of(texts: Sequence[str]) -> str:
    """Return the first of some lines, and how many more there are."""
    return "".join(map(line, texts[:MOST_ROWS])) + line(_rest(len(texts)))


def table(head: Sequence[str], rows: Sequence[Sequence[object]], number: int | None = None) -> str:
    """Return a table of the first rows, without columns that are empty there, and how many more rows there are.

    Parameters
    ----------
    head : sequence of str
        The headings; those of numbers begin with >, and their columns are aligned right.
    rows : sequence of sequences
        Cells, of which the text is shown.
    number : int, optional
        How many rows there are in all, if ``rows`` has only the first.
    """
    cells = [list(map(str, row)) for row in rows[:MOST_ROWS]]
    kept = [i for i, name in enumerate(head) if i == 0 or any(row[i] for row in cells)]
    styles = {i: _style("right" if head[i].startswith(">") else "left") for i in kept}
    first = "".join(f"<th {styles[i]}>{_text(head[i].removeprefix('>'))}</th>" for i in kept)
    body = "".join(f"<tr>{''.join(f'<td {styles[i]}>{_text(row[i])}</td>' for i in kept)}</tr>" for row in cells)
    number = len(rows) if number is None else number
    return f"<table><thead><tr>{first}</tr></thead><tbody>{body}</tbody></table>{line(_rest(number))}"


def picture(result: Graph | Blanket | Blankets, words: str) -> str:
    """Return the picture of a small result, on white also in dark notebooks; nothing if it cannot be drawn.

    It is an image, which notebooks also show where they do not trust the HTML of an output.
    """
    try:
        from climbfast.plots import svg

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of fonts that lack a letter
            drawn = svg(result)
    except Exception:  # matplotlib is not installed, or does not work; or there are too many nodes
        return ""
    content = base64.b64encode(drawn.encode("utf-8", "xmlcharrefreplace")).decode()
    return f'<img alt="{_text(words)}" src="data:image/svg+xml;base64,{content}" style="{_PICTURE}">'


_SPACE = "margin: 0.3em 0; overflow-wrap: anywhere"
_PICTURE = (
    "display: block; max-width: 100%; margin: 0.3em 0; padding: 6px; background: white; border-radius: 4px; "
    "box-sizing: border-box"
)


def seconds_text(seconds: float) -> str:
    """Return how long it took; nothing if that is not known."""
    return f"{seconds:.3g} s" if seconds else ""


def _rest(number: int) -> str:
    """Return the line under so many rows; empty if all are shown."""
    return f"and {number - MOST_ROWS:,} more" if number > MOST_ROWS else ""


def _style(side: str) -> str:
    return f'style="text-align: {side}; vertical-align: top; max-width: 30em; overflow-wrap: break-word"'


def _text(value: Any, *, most: int = _MOST_CHARACTERS) -> str:
    text = str(value)
    return escape(text if len(text) <= most else f"{text[: most - 1]}…")
