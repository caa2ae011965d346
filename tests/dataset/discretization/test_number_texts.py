"""The texts of a file as numbers and dates, in the grammar of ``read_numbers``."""

from __future__ import annotations

import datetime as dt
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from climbfast.dataset.discretization.number_texts import ParsedTexts, parse_columns, parse_texts
from climbfast.dataset.numbers import read_numbers
from climbfast.errors import DataError
from tests.dataset.tables import cells, quiet_read
from tests.factories import quiet

NOTHING = frozenset({""})


def parsed(*texts: str | None, markers: frozenset[Any] = NOTHING) -> tuple[str, list[Any]] | None:
    found = parse_texts("x", pl.Series(texts, dtype=pl.String), markers)
    if found is None:
        return None
    values = found.values.tolist()
    return found.kind, [None if gap else value for value, gap in zip(values, found.missing.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1", "-2", "+3", " 4\t"], [1, -2, 3, 4]),
        (["1.5", ".5", "5.", "-0.25", "+1e-1"], [1.5, 0.5, 5.0, -0.25, 0.1]),
        (["1e3", "1E+2", "2.50"], [1000.0, 100.0, 2.5]),
        (["9007199254740993", "-9223372036854775808"], [9007199254740993, -9223372036854775808]),
        (["1", "9223372036854775808"], [1.0, 9223372036854775808.0]),
        (["1", None, "", "NA"], [1, None, None, None]),
        (["18,5", "20", "-3,25"], [18.5, 20.0, -3.25]),
        (["0,125", "0,250"], [0.125, 0.25]),
    ],
)
def test_numbers(texts: list[str], values: list[Any]) -> None:
    assert parsed(*texts, markers=frozenset({"", "NA"})) == ("number", values)


@pytest.mark.parametrize(
    "text", ["007", "1_000", "1,2,3", "0x1f", "1e", "e5", "１", "1 2", "--1", "1e9999999999999", "nan"]
)
def test_texts_that_are_no_numbers(text: str) -> None:
    assert read_numbers([text]) is None
    assert parsed(text) is None
    assert parsed("1", text) is None


def test_the_grammar_is_that_of_read_numbers() -> None:
    draw = random.Random(0)
    texts = ["".join(draw.choices("0123+-.eE ", k=draw.randint(1, 6))) for _ in range(600)]
    together = parse_columns(texts, pl.Series(texts, dtype=pl.String), [1] * len(texts), [NOTHING] * len(texts))
    for text, found in zip(texts, together, strict=True):
        expected = read_numbers([text])
        if not text.strip():
            assert isinstance(found, ParsedTexts) and found.missing.all(), text
        elif expected is None or found is None:
            assert expected is None and found is None, text
        else:
            assert isinstance(found, ParsedTexts) and found.values[0] == float(expected[0]), text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("inf", "column 'x' has infinite values"),
        ("-Infinity", "infinite values"),
        ("1e400", r"too large to be cut \(such as 1e400\)"),
        ("1,234", "has numbers such as 1,234, whose comma may stand before decimals or before thousands"),
    ],
)
def test_numbers_that_cannot_be_cut(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        parsed("2.5" if "," not in text else "2", text)


def test_dates_and_times() -> None:
    day = 86_400_000_000
    assert parsed("1970-01-02", "1969-12-31", None) == ("date", [1, -1, None])
    assert parsed("1970-01-02T00:00:00", "1970-01-01 00:00:00.5") == ("datetime", [day, 500_000])
    assert parsed("1970-01-02", "1970-01-01 12:00") == ("datetime", [day, day // 2])
    for text in ("1970-13-01", "1970-02-30", "1970-1-1", "01.02.1970", "1970-01-01T25:00", "1970-01-02Z"):
        assert parsed("1970-01-02", text) is None


TEXTS = [
    *f"0 7 -3 +12 -0 9007199254740993 {2**63} {2**70} {2**70 + 1}".split(),
    *["1.5", ".5", "5.", "+0.25", "1e3", "2.5E-7", "+1e-1", "1e0002", "1e999", "1e-1999", "1e-99999", "inf"],
    *["18,5", "1,234", "1,2,3", "007", "1_000", "1e", "low", "none", "10-20", "nan", "a,b", "a:b"],
    *["2020-02-29", "2020-02-30", "08:30", "24:00", "1970-01-02T00:00", "1970-01-01T00:00Z", "-1"],
    *("0." + "3" * 2_000, " 4\t", "\u00a05", "", " ", "NA", "\u2003NA "),
]


def test_many_columns_are_parsed_as_each_alone() -> None:
    draw = random.Random(0)
    markers = [frozenset({"", "NA"}), frozenset({"", "NA", -1}), frozenset({"", "-1"}), frozenset[Any]()]
    columns: list[list[str | None]] = [*([text] for text in TEXTS), *map(list, pairwise(TEXTS))]
    of_column = [markers[0]] * len(columns)
    for _ in range(200):
        first = draw.randrange(len(TEXTS))
        among = TEXTS[first : first + draw.choice([1, 3, 6])] + draw.choices(TEXTS, k=draw.choice([0, 0, 1]))
        columns.append(draw.sample([*among, None], draw.randint(0, len(among))))
        of_column.append(draw.choice(markers) if draw.random() < 0.5 else markers[0])
    names = [f"x{i}" for i in range(len(columns))]
    texts = pl.Series([text for column in columns for text in column], dtype=pl.String)
    together = parse_columns(names, texts, list(map(len, columns)), of_column)
    kinds = set()
    for name, column, marked, found in zip(names, columns, of_column, together, strict=True):
        alone: ParsedTexts | DataError | None
        try:
            alone = parse_texts(name, pl.Series(column, dtype=pl.String), marked)
        except DataError as error:
            alone = error
        kinds.add(alone.kind if isinstance(alone, ParsedTexts) else type(alone).__name__)
        if isinstance(alone, ParsedTexts):
            assert isinstance(found, ParsedTexts), column
            assert (found.kind, found.values.dtype) == (alone.kind, alone.values.dtype), column
            assert found.values.tobytes() == alone.values.tobytes(), column
            assert found.missing.tolist() == alone.missing.tolist(), column
        else:
            assert str(found) == str(alone), column
    assert kinds == {"number", "date", "time", "datetime", "instant", "DataError", "NoneType"}


def test_each_column_of_many_is_read_or_refused_as_if_it_were_read_alone(tmp_path: Path) -> None:
    columns = {f"x{i}": [f"{i}.{j % 7}" for j in range(40)] for i in range(6)}
    columns |= {
        "text": ["a", "b"] * 20,
        "days": [f"2020-01-{1 + j % 28:02}" for j in range(40)],
        "gap": ["", "1.5"] * 20,
    }
    rows = "\n".join(",".join(row) for row in zip(*columns.values(), strict=True))
    (tmp_path / "t.csv").write_text(f"{','.join(columns)}\n{rows}\n")
    data = quiet_read(tmp_path / "t.csv", numbers="quantile:2", missing="level")
    for name in columns:
        alone = quiet_read(tmp_path / "t.csv", columns=[name], numbers="quantile:2", missing="level")
        assert cells(data, name) == cells(alone, name)
    (tmp_path / "t.csv").write_text(f"{','.join(columns)}\n{rows}\n{','.join(['inf'] * 7)},,\n")
    with pytest.raises(DataError, match="column 'x0' has infinite values"):
        quiet_read(tmp_path / "t.csv", numbers="quantile:2", missing="level")


def test_columns_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    rng = np.random.default_rng(0)
    numbers = [f"{x:.3f}" for x in rng.normal(size=60)]
    days = [f"2020-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(60)]
    codes = [f"{i % 30:03}" for i in range(60)]
    lines = [
        "x;comma;day;code",
        *(f"{x};{x.replace('.', ',')};{d};{c}" for x, d, c in zip(numbers, days, codes, strict=True)),
    ]
    path.write_text("\n".join([*lines, ";NA;;001"]) + "\n", encoding="utf-8")
    data = quiet_read(path, numbers="quantile:2", missing="level")
    assert data.cuts["x"] == data.cuts["comma"] == pytest.approx((np.median([float(x) for x in numbers]),))
    assert cells(data, "x") == cells(data, "comma")
    assert cells(data, "x")[-1] is None and cells(data, "day")[-1] is None
    assert data.levels["day"][0] == f"(-inf, {data.cuts['day'][0]})"
    assert data.levels["code"][:2] == ("000", "001")
    as_levels = quiet_read(path, numbers={"x": "levels", "comma": "levels"}, missing="level")
    assert "2020-01-01" in as_levels.levels["day"] and "code" not in as_levels.cuts


def test_times_of_a_day() -> None:
    assert parsed("08:30", "23:59:59", "00:00:00.000001") == ("time", [30_600_000_000, 86_399_000_000, 1])
    for text in ("24:00", "8:30", "12:60", "12:30Z", "12"):
        assert parsed("08:30", text) is None


def test_times_with_a_zone() -> None:
    texts = ["1970-01-01T00:00Z", "1970-01-02 00:30:00+02:00", "1969-12-31T23:00:00.5-0130", "1970-01-01 05:00+05"]
    moments = [dt.datetime.fromisoformat(text) for text in texts]
    since_1970 = [
        (moment - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(microseconds=1) for moment in moments
    ]
    assert parsed(*texts) == ("instant", since_1970)
    for text in ("1970-01-01T00:00", "1970-01-01Z", "1970-01-01T00:00+25:00", "1970-02-30T00:00Z"):
        assert parsed("1970-01-01T00:00Z", text) is None


def test_times_of_a_file_are_cut(tmp_path: Path) -> None:
    lines = "".join(f"{i % 24:02}:30,2024-01-{1 + i % 28:02}T12:00:00Z,{i % 2}\n" for i in range(200))
    (tmp_path / "t.csv").write_text("clock,moment,y\n" + lines)
    data = quiet_read(tmp_path / "t.csv", numbers={None: "quantile:2", "clock": ["12:00"]})
    assert data.cuts["clock"] == (dt.time(12),)
    assert data.cuts["moment"][0].tzinfo is dt.UTC
    assert cells(data, "clock")[:13:12] == ["(-inf, 12:00:00)", "[12:00:00, inf)"]


def test_integers_that_floats_cannot_tell_apart_are_refused(tmp_path: Path) -> None:
    big = [2**70 + i for i in range(60)]
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{number},{number % 2}\n" for number in big))
    message = r"column 'x' has whole numbers that floats cannot tell apart \(such as 118059162071741130\d+\)"
    with pytest.raises(DataError, match=message):
        quiet_read(tmp_path / "t.csv", numbers="auto")
    with pytest.raises(DataError, match=message):
        quiet({"x": big, "y": [0, 1] * 30}, numbers="auto")
    assert parsed(str(2**70), str(2**80)) == ("number", [2.0**70, 2.0**80])
    assert len(quiet_read(tmp_path / "t.csv", numbers="auto", leave_out=["x"]).names) == 1
