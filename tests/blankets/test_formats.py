"""Files of blankets, whatever the suffix: back to the bit, whole or not at all."""

from __future__ import annotations

import math
import os

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from tests.blankets.strategies import HEADER, HOW, SUFFIXES, any_blankets, exactly, json_values


@pytest.mark.parametrize("separating_sets", [False, True])
@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_what_was_found_comes_back_to_the_bit(blankets, folder, suffix, separating_sets):
    blankets.save(folder / f"found{suffix}", separating_sets=separating_sets)
    again = cf.read_blankets(folder / f"found{suffix}")
    assert again.how == HOW
    assert list(again) == list(blankets)
    other = {} if separating_sets else {"separating_sets": {}}
    for target, blanket in blankets.items():
        assert exactly(again[target]) == exactly(blanket, **other)


@given(found=any_blankets(), how=st.dictionaries(st.text(), json_values), separating_sets=st.booleans())
@settings(max_examples=40)
def test_every_field_comes_back(folder, found, how, separating_sets):
    blankets = cf.Blankets(found, how)
    other = {} if separating_sets else {"separating_sets": {}}
    expected = [exactly(blanket, **other) for blanket in blankets.found]
    for suffix in (".jsonl", ".parquet"):  # to draw blankets takes longer than both
        blankets.save(folder / f"any{suffix}", separating_sets=separating_sets)
        again = cf.read_blankets(folder / f"any{suffix}")
        assert again.how == how
        assert [exactly(blanket) for blanket in again.found] == expected


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_figures_of_columns_that_are_no_members(folder, suffix):
    found = cf.Blanket("x", margins={7: 1.0}, strengths={("a", 1): 2.0})
    cf.Blankets([found]).save(folder / f"more{suffix}")
    assert exactly(cf.read_blankets(folder / f"more{suffix}")["x"]) == exactly(found)


def test_figures_that_are_not_finite(folder):
    found = cf.Blanket("x", parents=("y",), margins={"y": math.nan}, strengths={"y": math.inf}, gap=-math.inf)
    for suffix in SUFFIXES:
        cf.Blankets([found]).save(folder / f"infinite{suffix}")
        (again,) = cf.read_blankets(folder / f"infinite{suffix}").found
        assert math.isnan(again.margins["y"])
        assert (again.strengths["y"], again.gap) == (math.inf, -math.inf)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_blankets_that_are_not_there(folder, suffix):
    file = folder / f"fewer{suffix}"
    cf.Blankets([cf.Blanket("x", parents=("y",)), cf.Blanket("y")], {"targets": 3}).save(file)
    with pytest.warns(cf.ClimbfastWarning, match=f"fewer{suffix}: 2 blankets of a run over 3 targets"):
        assert len(cf.read_blankets(file)) == 2


def test_no_blankets(folder):
    (folder / "none.jsonl").write_text("\n")
    (folder / "none.csv").write_text(f"{HEADER}\n")
    (folder / "empty.csv").write_text("")
    with pytest.raises(cf.DataError, match=r"empty\.csv contains no blankets"):
        cf.read_blankets(folder / "empty.csv")
    cf.Blankets([cf.Blanket("v")]).save(folder / "none.parquet")
    pl.read_parquet(folder / "none.parquet").clear().write_parquet(folder / "none.parquet")
    for suffix in SUFFIXES:
        with pytest.raises(cf.DataError, match=rf"none\{suffix} contains no blankets"):
            cf.read_blankets(folder / f"none{suffix}")
        with pytest.raises(cf.OptionError, match="there are no blankets to write"):
            cf.Blankets([]).save(folder / f"empty{suffix}")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_suffixes_in_capitals(folder, suffix):
    cf.Blankets([cf.Blanket("x")]).save(folder / f"CAPITAL{suffix.upper()}")
    assert list(cf.read_blankets(folder / f"CAPITAL{suffix.upper()}")) == ["x"]


def test_places_that_are_no_file(blankets, tmp_path):
    for suffix in SUFFIXES:
        with pytest.raises(cf.DataError, match=rf"none\{suffix} cannot be read: No such file"):
            cf.read_blankets(tmp_path / f"none{suffix}")
        (tmp_path / f"folder{suffix}").mkdir()
        with pytest.raises(cf.DataError, match="it is a directory"):
            cf.read_blankets(tmp_path / f"folder{suffix}")
        with pytest.raises(cf.OptionError, match="it is a directory"):
            blankets.save(tmp_path / f"folder{suffix}")
        with pytest.raises(cf.OptionError, match=rf"file\{suffix} cannot be written: No such file"):
            blankets.save(tmp_path / "no" / f"file{suffix}")
    for access in (blankets.save, cf.read_blankets):
        with pytest.raises(
            cf.OptionError, match=r"x\.txt: unknown suffix; blankets are in \.jsonl, \.parquet or \.csv"
        ):
            access(tmp_path / "x.txt")
    with pytest.raises(cf.OptionError, match="cannot contain separating sets"):
        blankets.save(tmp_path / "x.csv", separating_sets=True)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, suffix):
    file = tmp_path / f"found{suffix}"
    file.write_text("old")
    day = pd.Timestamp("2020-01-01")
    found = [cf.Blanket("x", parents=("y",)), cf.Blanket("z", spouses=("y",), common_children={"y": (day,)})]
    with pytest.raises(cf.OptionError, match="rename it"):
        cf.Blankets(found).save(file)
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == [file.name]  # noqa: PTH208


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_who_reads_the_old_file_goes_on_with_it(blankets, tmp_path, suffix):
    file = tmp_path / f"found{suffix}"
    file.write_text("old")
    with file.open() as reader:
        blankets.save(file)
        assert reader.read() == "old"
    assert cf.read_blankets(file).how == HOW


@pytest.mark.skipif(os.name != "posix", reason="paths are bytes there")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_path_that_is_no_utf_8(blankets, tmp_path, suffix):
    file = tmp_path / f"bad\udcff\x1b{suffix}"
    blankets.save(file)
    assert cf.read_blankets(file).keys() == blankets.keys()
    file.write_text("x")
    with pytest.raises(cf.DataError) as refused:
        cf.read_blankets(file)
    assert str(refused.value).isprintable()
