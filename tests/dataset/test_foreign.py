"""Files of other programs, read in a process of its own: what comes back, and what a crash of it is."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest

from climbfast.dataset import foreign
from climbfast.dataset.foreign import read_foreign, read_here
from climbfast.dataset.sources import Source
from climbfast.dataset.table import Table
from climbfast.errors import DataError, Option
from tests.dataset.r_objects import frame, integers, saved_rds, texts, vector
from tests.dataset.tables import cells, quiet_read


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.sav"
    table = pd.DataFrame({"sex": [2, 1, None], "age": [0.1, 20, 31], "town": ["a", "b", "é"]})
    pyreadstat.write_sav(table, path, variable_value_labels={"sex": {1: "male", 2: "female"}, "town": {"a": "Aston"}})
    return path


def assert_equal(found: Table, expected: Table) -> None:
    assert found.frame.equals(expected.frame)
    assert found.frame.schema == expected.frame.schema
    assert found.labels == expected.labels


def test_a_table_comes_back_unchanged(survey: Path) -> None:
    expected = read_here(Source(survey, None), "sav", None)
    assert_equal(read_foreign(Source(survey, None), "sav", None), expected)


def test_from_a_file_to_levels(survey: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file such as ``json.py`` beside the data is not code of ours."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "json.py").write_text("raise SystemExit")
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder not in ("", str(tmp_path))])
    data = quiet_read(survey, missing="level", numbers="levels")
    assert data.levels == {"sex": ("male", "female", None), "age": (0.1, 20.0, 31.0), "town": ("Aston", "b", "é")}


def test_columns_that_are_refused_come_back_with_the_reason(
    save: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = []

    def read_and_keep(*asked: Any) -> Any:
        tables.append(read_foreign(*asked))
        return tables[-1]

    monkeypatch.setattr(foreign, "read_foreign", read_and_keep)
    factor = integers([2, 1, 2], levels=texts(["z", "a"]), **{"class": texts(["factor"])})
    columns = {"odd": vector([integers([1])] * 3), "f": factor}
    data = quiet_read(save(saved_rds(frame(columns, rows=3)), "odd name é.RDS"), leave_out=["odd"])
    assert (data.levels["f"], cells(data, "f")) == (("z", "a"), ["a", "z", "a"])
    [found] = tables
    assert found.frame.columns == ["odd", "f"]
    assert found.refused["odd"].startswith("is of R's type VEC")


def test_an_error_comes_back_with_its_parts(tmp_path: Path) -> None:
    source = Source(tmp_path / "data.sav", b"nothing")
    with pytest.raises(DataError, match="not a readable SPSS file: ") as caught:
        read_here(source, "sav", None)
    assert "\n" not in str(caught.value)
    with pytest.raises(DataError, match="the encoding 'klingon' is unknown"):
        read_foreign(source, "sav", "klingon")


def test_options_in_errors_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = b'{"error": ["name it, such as ", ["encoding", "latin-1"]]}\n'
    monkeypatch.setattr(foreign, "_run", lambda *_: (0, answer))
    with pytest.raises(DataError) as caught:
        read_foreign(Source(Path("data.dta"), b""), "dta", None)
    assert caught.value.parts == ("name it, such as ", Option("encoding", "latin-1"))


def test_a_crash_is_one_sentence(survey: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "_READ_AND_ANSWER", "import os; os.kill(os.getpid(), 11)")
    with pytest.raises(DataError, match=r"survey\.sav: not a readable sav file: pyreadstat crashed \(exit code -11\)"):
        quiet_read(survey)


@pytest.mark.parametrize(("suffix", "package"), [("sav", "pyreadstat"), ("zsav", "pyreadstat"), ("rda", "rdata")])
def test_without_the_package(
    suffix: str, package: str, save: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_spec(name: str, *others: Any) -> Any:
        return None if name == package else importlib_find_spec(name, *others)

    importlib_find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    with pytest.raises(DataError, match=rf'data\.{suffix}: .* {package}; pip install "climbfast\[formats\]"$'):
        quiet_read(save(b"", f"data.{suffix}"))


def test_nobody_waits_for_a_process_whose_result_is_not_wanted(survey: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after Ctrl-C: the process is ended, also in the middle of its work."""

    def raise_if_abandoned() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(foreign, "_READ_AND_ANSWER", "import time; time.sleep(60)")
    monkeypatch.setattr(foreign, "raise_if_abandoned", raise_if_abandoned)
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        read_foreign(Source(survey, None), "sav", None)
    assert time.perf_counter() - start < 30


def test_a_large_content_in_memory_and_a_slow_process(survey: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than a pipe holds, for a process that begins to read it after the first look at it."""
    slowly = "import time; time.sleep(0.5); " + foreign._READ_AND_ANSWER
    monkeypatch.setattr(foreign, "_READ_AND_ANSWER", slowly)
    table = pd.DataFrame({"x": [0.0, 1.0] * 40_000})
    path = survey.with_name("large.sav")
    pyreadstat.write_sav(table, path, variable_value_labels={"x": {0: "no", 1: "yes"}})
    source = Source(Path("-"), path.read_bytes())
    assert_equal(read_foreign(source, "sav", None), read_here(source, "sav", None))
