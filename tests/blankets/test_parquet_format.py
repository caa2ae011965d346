"""Blankets as Parquet: other libraries open it, and what is no table of blankets is refused."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

import climbfast as cf
from tests.blankets.strategies import HOW, exactly


def test_parquet_opens_in_other_libraries(blankets, folder):
    blankets.save(folder / "found.parquet")
    frame = pl.read_parquet(folder / "found.parquet")
    assert frame.columns[:5] == ["target", "parents", "children", "spouses", "undecided"]
    assert frame["parents"].to_list() == [list(blanket.parents) for blanket in blankets.values()]
    assert frame["names"].unique().to_list() == ["text"]
    assert "separating_sets" not in frame.columns
    # What pandas rewrites reads back, and so do selected rows in another order.
    pd.read_parquet(folder / "found.parquet").iloc[[3, 1]].to_parquet(folder / "rewritten.parquet")
    again = cf.read_blankets(folder / "rewritten.parquet")
    assert again.how == HOW
    for target in again:
        assert exactly(again[target]) == exactly(blankets[target], separating_sets={})


def test_a_file_in_several_parts(folder, monkeypatch):
    monkeypatch.setattr("climbfast.blankets.parquet_format._ROWS_AT_ONCE", 2)
    written = cf.Blankets([cf.Blanket(f"x{i}", ("y",), strengths={"y": i / 3}) for i in range(5)], HOW)
    written.save(folder / "found.parquet")
    assert cf.read_blankets(folder / "found.parquet") == written


def test_separating_sets_are_not_made_where_they_are_not_written(folder):
    class Separators(dict):
        def items(self):
            raise AssertionError

    written = cf.Blankets([cf.Blanket("v", ("y",), separating_sets=Separators(x=("y",)))])
    written.save(folder / "found.parquet")
    assert cf.read_blankets(folder / "found.parquet")["v"].parents == ("y",)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"how": "no"}, "the column 'how' has 'no'; it has to be a JSON object"),
        ({"how": None}, "the column 'how' has None"),
        ({"names": "other"}, "the column 'names' has 'other'; it is one of text, integer, json"),
        ({"names": "integer"}, "not a table of blankets: .*conversion"),
        ({"margins": "much"}, "not a table of blankets: "),
        ({"version": None}, "row 1: version is None; it has to be text"),
        ({"target": "v"}, "row 2: the target 'v' has a blanket in row 1 already"),
    ],
)
def test_a_parquet_file_that_is_no_table_of_blankets(folder, change, fault):
    file = folder / "faulty.parquet"
    cf.Blankets([cf.Blanket("v"), cf.Blanket("x")]).save(file)
    pl.read_parquet(file).with_columns(**{key: pl.lit(value) for key, value in change.items()}).write_parquet(file)
    with pytest.raises(cf.DataError, match=rf"faulty\.parquet, {fault}"):
        cf.read_blankets(file)


def test_a_parquet_file_of_two_runs_or_of_other_data(folder):
    first, second, file = (folder / f"{name}.parquet" for name in ("first", "second", "faulty"))
    cf.Blankets([cf.Blanket("v")], {"a": 1}).save(first)
    cf.Blankets([cf.Blanket("x")], {"a": 2}).save(second)
    pl.concat([pl.read_parquet(first), pl.read_parquet(second)]).write_parquet(file)
    with pytest.raises(cf.DataError, match="the column 'how' has two values: rows of several runs; a file has one run"):
        cf.read_blankets(file)
    pl.DataFrame({"x": [1, 2]}).write_parquet(file)
    with pytest.raises(cf.DataError, match=r"faulty\.parquet, no column 'target', so not a table of blankets"):
        cf.read_blankets(file)
    file.write_bytes(b"not parquet")
    with pytest.raises(cf.DataError, match=r"faulty\.parquet, not a Parquet file, or one that is cut"):
        cf.read_blankets(file)


def test_a_panic_of_polars_is_a_damaged_file(folder, monkeypatch):
    file = folder / "panic.parquet"
    cf.Blankets([cf.Blanket("x")]).save(file)

    def panic(*arguments, **options):
        raise pl.exceptions.PanicException("out of range")

    monkeypatch.setattr(pl, "read_parquet", panic)
    for read, says in (
        (cf.read_blankets, "not a table of blankets: out of range"),
        (cf.read, "column 'parents' has cells of type List"),  # read by pyarrow instead
    ):
        with pytest.raises(cf.DataError, match=says):
            read(file)


def test_a_file_of_an_earlier_version(blankets, folder):
    """Without evidence, and without what is unexplained."""
    blankets.save(folder / "new.parquet")
    new = ("evidence", "frequencies", "unexplained", "rows_per_stratum", "determined_by")
    old = pl.read_parquet(folder / "new.parquet").drop(*new)
    old.write_parquet(folder / "old.parquet")
    for target, blanket in cf.read_blankets(folder / "old.parquet").items():
        lost = {"separating_sets": {}, "evidence": {}, "unexplained": {}, "rows_per_stratum": 0.0, "determined_by": ()}
        assert exactly(blanket) == exactly(blankets[target], **lost)
