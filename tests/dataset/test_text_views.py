"""Columns of text by the memory of polars: the same as by its categories, in one chunk or in many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast.dataset import frames, text_views
from climbfast.dataset.text_views import encode_views
from tests.dataset.tables import checked_options
from tests.factories import EXAMPLES, quiet

TEXTS = st.sampled_from(
    [
        "a",
        "a\0",
        "B",
        "",
        "NA",
        "é",
        "twelve bytes",
        "eleven byte\0",
        "thirteen long",
        "a rather long text",
        "日本語日本語",
        None,
    ]
)
OPTIONS = checked_options(missing="level", missing_markers=["NA"])


def in_chunks(parts: list[list[str | None]]) -> pl.Series:
    return pl.concat([pl.Series("x", part, dtype=pl.String) for part in parts], rechunk=False)


def by_views(frame: pl.DataFrame, **options: Any) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frames, "CELLS_FOR_VIEWS", 0)
        return quiet(frame, **options)


CUTS: dict[str, Callable[[pl.Series, int], pl.Series]] = {
    "whole": lambda series, _: series,
    "slice": lambda series, left_out: series.slice(min(left_out, len(series) - 1)),
    "tail": lambda series, left_out: series.rechunk().tail(1 + left_out),
}


@given(
    st.lists(st.lists(TEXTS, min_size=1, max_size=20), min_size=1, max_size=4),
    st.integers(0, 10),
    st.sampled_from(list(CUTS)),
)
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_same_as_by_categories(parts: list[list[str | None]], left_out: int, cut_as: str) -> None:
    cut = CUTS[cut_as](in_chunks(parts), left_out)
    # Without a third column those two would be each other's mirror image, whose canonical order takes long to find.
    first_row = pl.Series("first row", [i == 0 for i in range(len(cut))])
    frame = pl.DataFrame([cut, cut.reverse().alias("y"), first_row])
    options: Any = {"missing": "level", "missing_markers": ["NA"]}
    expected, found = quiet(frame, **options), by_views(frame, **options)
    assert (found.levels, found.codes.tolist()) == (expected.levels, expected.codes.tolist())
    assert encode_views("x", cut, OPTIONS) is not None


def test_many_texts_and_many_views_are_left_to_polars() -> None:
    many = pl.Series([f"level {i}" for i in range(257)])
    assert encode_views("x", many, OPTIONS) is None
    assert encode_views("x", many[:256], OPTIONS) is not None
    assert encode_views("x", pl.concat([many[:200], many[100:257]], rechunk=False), OPTIONS) is None
    with_gap = pl.concat([many[:256], pl.Series([None], dtype=pl.String)], rechunk=False)
    assert encode_views("x", with_gap, OPTIONS) is None
    one_text = pl.Series(["one text that is more than a view"] * 300).str.to_uppercase()  # each cell has its own
    frame = pl.DataFrame({"many": many, "one": one_text[:257], "few": ["u", "v", "u"] * 85 + ["w", "w"]})
    assert by_views(frame, keep_ids=True).fingerprint == quiet(frame, keep_ids=True).fingerprint


@pytest.mark.parametrize("name", ["^a.*$", "*", "", "a.b"])
def test_a_name_is_no_pattern(name: str) -> None:
    frame = pl.DataFrame({name: ["u", "v", None] * 4, "other": ["u", "v", "w"] * 4})
    assert by_views(frame, missing="level").fingerprint == quiet(frame, missing="level").fingerprint


def test_without_views_columns_are_left_to_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if polars gave another form of text."""
    monkeypatch.setattr(text_views, "_STRING_VIEW", b"U")
    assert encode_views("x", pl.Series(["u", "v"]), OPTIONS) is None
