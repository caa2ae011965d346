"""Files of SPSS, Stata and SAS, written by pyreadstat where it writes them."""

from __future__ import annotations

import base64
import datetime as dt
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest

from climbfast.errors import DataError
from tests.dataset.tables import cells, quiet_read

# Written by ReadStat, the library behind pyreadstat, which does not write such files itself.
SAS = (
    "eNpjYECAQ68aEzaLCJ7fO4mDgfO4YY+EvICgsRKDsTEjkyEjRIkIAwMzI4q4MaOyMYOICIMCMyPMnGDHYAU3Tx9XF8cQx2DXEAVcgIEAAOlHUtfw"
    "/fwmRyQaFQhAMCOasKWegYmBoa+pT2ZeaQWSuLGeoYGega6hoZmBnqGhniG6cRUWZvFmJihCDT5++U9hGF39jF13/qG5cxSMglEwCkbBKBgFo2AU"
    "jIJRMApGwSgYNGAmot+KAsTZoQwmfgZuIHWDB8LVYEZVdwAqLoGmP4MLQkcwoYorQMU9YALQDvsbTghtgia+ACrugyaeARW3QBPXgIo7oLnnBQd2"
    "8RUExNGMh4IP9mC/p111qEAdx4AbU1mJJL7vRz2YvvijXgGH+goixkNGwSgYBaNgFIyCkQb+/f4PBujinDjUGzCwEKWfUvuJ1g/R/l8FypeB0sxA"
    "yMgAa1T9/88MVIms7w9UnwWaeeDmCQsjeNoDzAQTTAwcaPLIAGrUf0RDQwXartGA0joY8yd/oXqQpkJE0OdxwPM8Ia4BeUDJYiBOYQDP3bgyYPGI"
    "BbJ7gYCdRumFhx01/GD+YkNrz7Gh+ZMRzX3o/P9o6ljR1LGixTcjmj/R+dBkRTBd/SJS3c//lKXToQa+AQEkH6GC70AAbqlD+bxo8oIGSij9FhYc"
    "5qObK4MuLoAq74+WTv6PsPigVX+UVADLZ0xofC40Pg8anx+Nz0Ezn3IgpTkRJHt4wGwZIm1mAbqUEaPUXoEkjzNowAAAmcfpMw=="
)
pytestmark = pytest.mark.usefixtures("_in_this_process")
SEX = {1: "male", 2: "female", 3: "other"}


def survey() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "sex": [2, 1, 2, None, 1],
            "age": [20, 99, 31, 98, 20],
            "answer": [5, 1, 9, 3, 1],
            "town": ["b", "a", "", "z", "a"],
            "day": [dt.date(2020, 1, 2), None, dt.date(1999, 12, 31), dt.date(2020, 1, 2), dt.date(2020, 1, 2)],
            "time": [dt.datetime(2020, 1, 2, 3, 4, 5)] * 4 + [None],
        }
    )


@pytest.fixture(params=["sav", "zsav", "dta"])
def survey_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"survey.{request.param}"
    labels = {"sex": SEX, "age": {98: "98 or older"}, "answer": {1: "yes", 3: "no", 9: "no answer"}}
    if request.param == "dta":
        pyreadstat.write_dta(survey(), path, variable_value_labels=labels)
    else:
        compress = request.param == "zsav"
        pyreadstat.write_sav(survey(), path, variable_value_labels=labels, compress=compress)
    return path


def test_labels_are_levels_in_the_order_of_their_values(survey_file: Path) -> None:
    data = quiet_read(survey_file, missing="level")
    assert data.names == tuple(survey())
    assert data.levels["sex"] == ("male", "female", None)
    assert cells(data, "sex") == ["female", "male", "female", None, "male"]
    assert quiet_read(survey_file, missing="level", declared_levels=True).levels["sex"] == (*SEX.values(), None)


def test_numbers_with_few_labels_stay_numbers(survey_file: Path) -> None:
    data = quiet_read(survey_file, missing="level")
    assert data.levels["age"] == (20, 31, 98, 99)
    assert data.levels["answer"] == ("yes", "no", "5", "no answer")


def test_dates_and_texts(survey_file: Path) -> None:
    data = quiet_read(survey_file, missing="level")
    assert data.levels["day"] == (dt.date(1999, 12, 31), dt.date(2020, 1, 2), None)
    assert data.levels["time"] == (dt.datetime(2020, 1, 2, 3, 4, 5), None)
    assert data.levels["town"] == ("a", "b", "z", None)


def test_markers_name_a_value_or_its_label(survey_file: Path) -> None:
    for marker in ("no answer", "9", 9):
        data = quiet_read(survey_file, missing="level", missing_markers={"answer": [marker]})
        assert data.levels["answer"] == ("yes", "no", "5", None)


def test_values_that_spss_calls_missing(tmp_path: Path) -> None:
    path = tmp_path / "survey.sav"
    ranges = {"age": [{"lo": 98, "hi": 120}], "answer": [9, 5], "town": ["z"]}
    labels = {"answer": {1: "yes", 3: "no", 9: "no answer"}, "town": {"a": "Aston", "z": "unknown"}}
    pyreadstat.write_sav(survey(), path, missing_ranges=ranges, variable_value_labels=labels)
    data = quiet_read(path, missing="level", declared_levels=True)
    assert cells(data, "age") == [20, None, 31, None, 20]
    assert data.levels["answer"] == ("yes", "no", None)
    assert data.levels["town"] == ("Aston", "b", None)


def test_values_that_stata_calls_missing(tmp_path: Path) -> None:
    path = tmp_path / "survey.dta"
    frame = pd.DataFrame({"x": [1, 2, "a", "b"], "y": [0, 1, 1, 0]})
    labels = {"x": {1: "one", 2: "two", "a": "refused"}}
    pyreadstat.write_dta(frame, path, variable_value_labels=labels, missing_user_values={"x": ["a", "b"]})
    data = quiet_read(path, missing="level", declared_levels=True)
    assert (data.levels["x"], cells(data, "x")) == (("one", "two", None), ["one", "two", None, None])


@pytest.mark.parametrize("form", ["sav", "dta"])
def test_damaged_files_are_one_sentence(form: str, save: Callable[..., Path], tmp_path: Path) -> None:
    whole = tmp_path / f"whole.{form}"
    {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}[form](survey(), whole)
    content = whole.read_bytes()
    for damaged in (b"", b"nothing of this kind", content[:100], content[:-40]):
        with pytest.raises(DataError, match=rf"data\.{form}: not a readable (SPSS|Stata) file: ") as caught:
            quiet_read(save(damaged, f"data.{form}"))
        assert "\n" not in str(caught.value)


def test_columns_with_one_name_are_refused(save: Callable[..., Path], tmp_path: Path) -> None:
    pyreadstat.write_dta(pd.DataFrame({"first": [1, 2], "other": [1, 2]}), tmp_path / "two.dta")
    with pytest.raises(DataError, match="column names that occur more than once: column 'first' is duplicated"):
        quiet_read(save((tmp_path / "two.dta").read_bytes().replace(b"other", b"first"), "data.dta"))


def test_the_encoding_of_an_old_file(tmp_path: Path, save: Callable[..., Path]) -> None:
    pyreadstat.write_dta(pd.DataFrame({"x": ["ab", "cd"]}), tmp_path / "old.dta", version=10)
    content = (tmp_path / "old.dta").read_bytes().replace(b"ab", b"\xe9b")
    path = save(content, "data.dta")
    assert quiet_read(path, encoding="latin-1").levels["x"] == ("cd", "éb")


def test_labels_that_are_blank_or_of_another_kind(tmp_path: Path) -> None:
    labels: dict[str, Any] = {"x": {1: " ", 2: "two"}}
    pyreadstat.write_sav(pd.DataFrame({"x": [1, 2]}), tmp_path / "data.sav", variable_value_labels=labels)
    assert quiet_read(tmp_path / "data.sav").levels["x"] == ("1", "two")


def test_sas(save: Callable[..., Path]) -> None:
    data = quiet_read(save(zlib.decompress(base64.b64decode(SAS)), "data.sas7bdat"), missing="level")
    assert cells(data, "n") == [1, 2, None, 2]
    assert cells(data, "s") == ["x", "yy", None, "x"]
    assert cells(data, "d") == [dt.date(2020, 1, 1), dt.date(1960, 1, 1), None, dt.date(1960, 1, 1)]


def test_a_count_of_rows_that_cannot_be_is_refused(save: Callable[..., Path]) -> None:
    content = bytearray(zlib.decompress(base64.b64decode(SAS)))
    place = 7432
    assert struct.unpack_from("<i", content, place) == (4,)
    struct.pack_into("<i", content, place, 875_390_257)
    with pytest.raises(DataError, match="not a readable SAS file: it says that it has 875,390,257 rows, which cannot"):
        quiet_read(save(bytes(content), "data.sas7bdat"))


def test_times_and_empty_columns(tmp_path: Path) -> None:
    times = [dt.time(1, 2, 3), None, dt.time(23, 59, 59)]
    frame = pd.DataFrame({"time": times, "x": [None] * 3, "text": ["a", "b", "a"]})
    pyreadstat.write_sav(frame.astype({"x": float}), tmp_path / "data.sav")
    data = quiet_read(tmp_path / "data.sav", missing="level")
    assert (cells(data, "time"), data.levels["x"]) == (times, (None,))


def test_files_without_rows_or_columns(tmp_path: Path) -> None:
    pyreadstat.write_sav(pd.DataFrame({"x": pd.Series(dtype=float)}), tmp_path / "data.sav")
    with pytest.raises(DataError, match=r"data\.sav: the table has no rows"):
        quiet_read(tmp_path / "data.sav")
