"""R's files: data frames, factors, tables of counts, NA; and what is not read."""

from __future__ import annotations

import bz2
import datetime as dt
import gzip
import lzma
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rdata

from climbfast.dataset import r_files
from climbfast.errors import DataError
from tests.dataset.r_objects import (
    HEADER,
    frame,
    integers,
    number,
    pairs,
    reals,
    saved_by_name,
    saved_rds,
    symbol,
    texts,
    truths,
    vector,
)
from tests.dataset.tables import cells, quiet_read

pytestmark = pytest.mark.usefixtures("_in_this_process")
Save = Callable[..., Path]

FACTOR = integers([3, 1, None, 1], levels=texts(["low", "mid", "high"]), **{"class": texts(["factor"])})
GRADES = integers([2, 1, 2, 2], levels=texts(["z", "a"]), **{"class": texts(["ordered", "factor"])})
COLUMNS = {
    "size": FACTOR,
    "grade": GRADES,
    "count": integers([7, None, -1, 7]),
    "weight": reals([0.5, None, float("nan"), 2]),
    "place": texts(["Åbo", None, "", "x"]),
    "smokes": truths([True, None, False, True]),
    "day": reals([18262.0, None, 0.0, 0.0], **{"class": texts(["Date"])}),
    "time": reals([0.5, None, 0.5, 86400.0], **{"class": texts(["POSIXct", "POSIXt"])}),
}
PATIENTS = frame(COLUMNS, rows=4)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("suffix", ["rds", "rda", "RData"])
def test_a_data_frame(pack: Callable[[bytes], bytes], suffix: str, save: Save) -> None:
    content = saved_rds(PATIENTS) if suffix == "rds" else saved_by_name({"patients": PATIENTS})
    data = quiet_read(save(pack(content), f"data.{suffix}"), missing="level", numbers="levels")
    assert data.names == tuple(COLUMNS)
    assert cells(data, "size") == ["high", "low", None, "low"]
    assert (data.levels["size"], data.levels["grade"]) == (("low", "high", None), ("z", "a"))
    assert cells(data, "count") == [7, None, -1, 7]
    assert cells(data, "weight") == [0.5, None, None, 2.0]
    assert cells(data, "place") == ["Åbo", None, None, "x"]
    assert cells(data, "smokes") == [True, None, False, True]
    assert cells(data, "day") == [dt.date(2020, 1, 1), None, dt.date(1970, 1, 1), dt.date(1970, 1, 1)]
    assert data.levels["time"][:2] == (dt.datetime(1970, 1, 1, 0, 0, 0, 500_000), dt.datetime(1970, 1, 2))


def test_levels_that_do_not_occur(save: Save) -> None:
    data = quiet_read(save(saved_rds(PATIENTS), "data.rds"), missing="level", numbers="levels", declared_levels=True)
    assert data.levels["size"] == ("low", "mid", "high", None)


def test_value_labels_of_haven(save: Save) -> None:
    labels = reals([2, 1], names=texts(["female", "male"]))
    column = reals([1, 2, 2], labels=labels, **{"class": texts(["haven_labelled", "vctrs_vctr", "double"])})
    data = quiet_read(save(saved_rds(frame({"sex": column}, rows=3)), "data.rds"))
    assert (data.levels["sex"], cells(data, "sex")) == (("male", "female"), ["male", "female", "female"])


def test_values_that_haven_calls_missing(save: Save) -> None:
    spss = {"class": texts(["haven_labelled_spss", "haven_labelled", "vctrs_vctr", "double"])}
    column = reals([1, 2, None, 8, 97, 99.5], na_values=reals([8]), na_range=reals([97, float("inf")]), **spss)
    path = save(saved_rds(frame({"x": column}, rows=6)), "data.rds")
    assert cells(quiet_read(path, missing="level"), "x") == [1, 2, None, None, None, None]


def test_a_factor_with_missing_as_a_level(save: Save) -> None:
    factor = integers([3, 1, 2], levels=texts(["b", "a", None]), **{"class": texts(["factor"])})
    path = save(saved_rds(frame({"x": factor}, rows=3)), "data.rds")
    assert cells(quiet_read(path, missing="level"), "x") == [None, "b", "a"]


def test_large_whole_numbers(save: Save) -> None:
    bits = [struct.unpack(">d", struct.pack(">q", value))[0] for value in (2**60, 2**60 + 1, -(2**63))]
    column = reals(bits, **{"class": texts(["integer64"])})
    data = quiet_read(save(saved_rds(frame({"x": column}, rows=3)), "data.rds"), missing="level")
    assert cells(data, "x") == [2**60, 2**60 + 1, None]


def test_a_table_of_counts_is_a_data_frame(save: Save) -> None:
    names = vector([texts(["no", "yes"]), texts(["f", "m", "x"])], names=texts(["ill", "sex"]))
    counts = integers([1, 2, 3, 4, 5, 6], dim=integers([2, 3]), dimnames=names, **{"class": texts(["table"])})
    data = quiet_read(save(saved_rds(counts), "data.rds"))
    assert data.names == ("ill", "sex", "Freq")
    assert cells(data, "ill") == ["no", "yes"] * 3
    assert cells(data, "sex") == ["f", "f", "m", "m", "x", "x"]
    assert cells(data, "Freq") == [1, 2, 3, 4, 5, 6]


def test_several_objects(save: Save) -> None:
    one = frame({"x": integers([1, 2])}, rows=2)
    path = save(saved_by_name({"notes": texts(["a"]), "kept": one, "n": integers([1])}), "data.rda")
    assert quiet_read(path).levels == {"x": (1, 2)}
    with pytest.raises(DataError, match=r"data\.rda: 2 data frames: 'one', 'two'; save the one to read in a file"):
        quiet_read(save(saved_by_name({"one": one, "n": integers([1]), "two": one}), "data.rda"))
    with pytest.raises(DataError, match=r"no data frame among its objects: 'n', 'text'"):
        quiet_read(save(saved_by_name({"n": integers([1]), "text": texts(["a"])}), "data.rda"))
    with pytest.raises(DataError, match="an R object of type INT, not a data frame"):
        quiet_read(save(saved_rds(integers([1])), "data.rds"))


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (vector([integers([1]), integers([2])]), "of R's type VEC"),
        (vector([integers([1]), integers([2])], **{"class": texts(["POSIXlt", "POSIXt"])}), "of class POSIXlt"),
        (integers([1, 2, 3, 4], dim=integers([2, 2])), "of R's type INT"),
    ],
)
def test_columns_that_are_no_vectors_can_be_left_out(column: bytes, kind: str, save: Save) -> None:
    path = save(saved_rds(frame({"odd": column, "x": integers([1, 2])}, rows=2)), "data.rds")
    with pytest.raises(DataError, match=f"column 'odd' is {kind}, which cannot be levels; convert it in R, or leave"):
        quiet_read(path)
    assert quiet_read(path, leave_out=["odd"]).names == ("x",)


def call_of_system() -> bytes:
    """The call ``system("...")``, which R would run if it were evaluated."""
    language, has_no_tag = 6, 2
    return number(language) + symbol("system") + number(has_no_tag) + texts(["touch attacked"]) + number(254)


def test_code_is_not_run(save: Save, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match="an R object of type LANG, not a data frame"):
        quiet_read(save(saved_rds(call_of_system()), "data.rds"))
    both = {"attack": call_of_system(), "table": frame({"x": integers([1, 2])}, rows=2)}
    assert quiet_read(save(saved_by_name(both), "data.rda")).levels == {"x": (1, 2)}
    assert not (tmp_path / "attacked").exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nothing of this kind",
        gzip.compress(saved_rds(PATIENTS), mtime=0)[:60],
        saved_rds(PATIENTS)[:-9],
        saved_rds(PATIENTS)[:40],
        saved_rds(frame({"x": integers([1, 9], levels=texts(["a"]), **{"class": texts(["factor"])})}, rows=2)),
        saved_rds(frame({"x": integers([1, 2]), "y": integers([1])}, rows=2)),
        saved_rds(b"\0\0\0\xee" + pairs({"": integers([1])}) * 3),
        saved_rds(vector([integers([1])], names=integers([1]), **{"class": texts(["data.frame"])})),
        saved_by_name({f"x{i}": integers([1]) for i in range(3000)}),
    ],
    ids=range(10),
)
def test_damaged_files_are_one_sentence(content: bytes, save: Save) -> None:
    with pytest.raises(DataError, match=r"data\.rds: not a readable R file: ") as caught:
        quiet_read(save(content, "data.rds"))
    assert "\n" not in str(caught.value)


def test_a_sequence_of_any_length_is_refused(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(r_files, "physical_memory", lambda: 64)
    kind = number(2) + symbol("compact_intseq") + number(2) + symbol("base") + number(2) + integers([13]) + number(254)
    endless = number(238) + kind + reals([1e12, 1, 1]) + number(254)
    with pytest.raises(DataError, match="a sequence that does not fit in memory"):
        quiet_read(save(HEADER + frame({"x": endless}, rows=3), "data.rds"))


def test_as_rdata_reads_it(save: Save) -> None:
    """rdata converts to pandas by itself; climbfast converts what rdata parses."""
    path = save(saved_rds(frame({name: COLUMNS[name] for name in ("size", "count", "smokes")}, rows=4)), "data.rds")
    expected: Any = rdata.read_rds(path)
    data = quiet_read(path, missing="level")
    for name in expected:
        values = [None if str(value) in ("<NA>", "nan") else value for value in expected[name].tolist()]
        assert cells(data, name) == values
