"""The picture of a result inside of a page."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from climbfast.graphs.graph import Graph
from climbfast.local.blanket import Blanket
from climbfast.plots import svg

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["picture_of"]


def picture_of(result: Graph | Blanket, columns: Sequence[Hashable] | None = None) -> Markup:
    """Return the picture of a result as an element for a page."""
    from markupsafe import Markup

    return Markup(svg(result, columns))
