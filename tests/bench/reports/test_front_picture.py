"""The picture on the front page is that of the example's blanket."""

from __future__ import annotations

import re

from bench.reports.front_picture import PICTURE, blanket


def test_the_kept_picture_is_the_one_that_is_drawn(tmp_path):
    """Up to coordinates, which another version of matplotlib may round in another way."""
    blanket().save(tmp_path / "blanket.svg")
    kept, drawn = (re.sub(r"[\d.]+", "0", file.read_text("utf-8")) for file in (PICTURE, tmp_path / "blanket.svg"))
    assert kept == drawn
    assert blanket().target in kept
