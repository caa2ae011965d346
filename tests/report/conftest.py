"""Pages of results have pictures, many of them the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from climbfast.plots import saving
from climbfast.plots.picture import Picture


@pytest.fixture(scope="package", autouse=True)
def _each_picture_is_drawn_once() -> Iterator[None]:
    """Keep pictures for the pages that show the same; ``tests/plots`` compares those that are drawn again."""
    draw, drawn = saving.svg_of, {}

    def svg_of(picture: Picture, width: str | float | None = None) -> str:
        what = repr((picture, width))
        if what not in drawn:
            drawn[what] = draw(picture, width)
        return drawn[what]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(saving, "svg_of", svg_of)
        yield
