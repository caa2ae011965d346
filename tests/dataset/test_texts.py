"""Columns of text, all at once: the same from every frame and from a file, in one piece or in many."""

from __future__ import annotations

import csv
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast.dataset import Dataset, read
from tests.dataset.tables import cells, quiet_read
from tests.factories import EXAMPLES, quiet

# Before version 3 of pandas "str" was the text of NumPy, in which None is "None".
PANDAS_TEXTS = ["string[python]", "string[pyarrow]", *(["str"] if int(pd.__version__.partition(".")[0]) >= 3 else [])]
CELLS = st.sampled_from(["a", "B", "é", " a", "a,b", "x\ny", 'q"', "007", "NA", ""])


@given(st.lists(st.sampled_from(["a", "B", "", "NA", " a", "é", "1", "01", None]), min_size=1))
@settings(max_examples=EXAMPLES, deadline=None)
def test_texts_are_the_same_from_every_kind_of_frame(texts: list[str | None]) -> None:
    options: Any = {"missing": "level", "missing_markers": ["NA"]}
    expected = quiet({"x": texts}, **options)
    arrow = pa.array(texts, pa.string())
    frames = [pl.DataFrame({"x": pl.Series(texts, dtype=dtype)}) for dtype in (pl.String, pl.Categorical)]
    frames += [pd.DataFrame({"x": pd.array(texts, dtype)}) for dtype in PANDAS_TEXTS]
    frames += [pa.table({"x": arrow}), pa.table({"x": arrow.dictionary_encode()})]
    for frame in frames:
        found = quiet(frame, **options)
        assert found.levels == expected.levels
        assert found.codes.tolist() == expected.codes.tolist()


@given(st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), min_size=1)))
@settings(max_examples=50, deadline=None)
def test_texts_are_the_same_from_a_file(rows: list[tuple[str, ...]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL).writerows([tuple("xyz"[: len(rows[0])]), *rows])
        data = quiet_read(path, missing="level")
    for name, found in zip(data.names, zip(*rows, strict=True), strict=True):
        expected = [None if text.strip() in ("", "NA") else text for text in found]
        levels = sorted({text for text in expected if text is not None})
        assert data.levels[name] == (*levels, *([None] if None in expected else []))
        assert cells(data, name) == expected


TEXTS = {
    "short": ["low", "medium", "high", None],
    "long": ["the same first words, then one", "the same first words, then two", "twelve bytes", "thirteen bytes"],
    "unicode": ["é", "e\u0301", "日本語", "🙂", "ß", "Straße"],
    "quoted": ["two\nlines", "two\r\nlines", 'a "word"', "a, b", None],
    "many": [f"level {i}" for i in range(700)],
    "numbers": list(range(-3, 300)),
}


def drawn(rows: int) -> dict[str, list[Any]]:
    """Cells of every kind of text; the last row has what no other has."""
    rng = np.random.default_rng(6)
    table = {name: [texts[i] for i in rng.integers(len(texts) - 1, size=rows)] for name, texts in TEXTS.items()}
    for name, texts in TEXTS.items():
        table[name][-1] = texts[-1]
    return table


def test_a_file_that_is_parsed_in_pieces(tmp_path: Path) -> None:
    table = drawn(30_000)
    path = tmp_path / "data.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))
    data = read(path, missing="level", numbers="levels")
    for name, expected in table.items():
        assert cells(data, name) == expected


def test_a_frame_in_pieces() -> None:
    table = drawn(5_000)
    whole = pl.DataFrame(table)
    pieces = pl.concat([whole[:1], whole[1:900], whole[900:900], whole[900:]], rechunk=False)
    assert pieces.n_chunks() > 1
    data = Dataset.from_frame(pieces, missing="level", numbers="levels")
    for name, expected in table.items():
        assert cells(data, name) == expected
