"""Numbers hidden in text, and values that seem to mean a missing cell."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.inspection.number_words import missing_numbers, pattern_of


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("12", "plain"), (" -3.5 ", "plain"), (".5", "plain"), ("1e3", "exponent"), ("2E-4", "plain"),
        ("1.5e3", "plain"),
        ("1,5", "decimal comma"), ("-0,25", "decimal comma"), ("12,345,678", "thousands"), ("1.000.000", "thousands"),
        ("1 000", "thousands"), ("1'000", "thousands"), ("1,000", "thousands"), ("<5", "bound"), (">= 10", "bound"),
        ("≤0,1", "bound"), ("3+", "bound"), ("12 mg", "unit"), ("5%", "unit"), ("$12", "unit"), ("1,5 kg/m²", "unit"),
        ("3 years", "unit"), ("007", "leading zeros"), ("yes", None), ("", None), ("v1", None), ("18-35", None),
        ("2020-01-01", None), ("12 mg 3", None),
    ],
)  # fmt: skip
def test_patterns(text, pattern):
    assert pattern_of(text) == pattern


def hidden(levels, **options):
    return cf.inspect({"x": levels * 4, "y": [0, 1] * (2 * len(levels))}, **options).of_kind("hidden-numbers")


@pytest.mark.parametrize(
    ("levels", "how"),
    [
        (["12 mg", "5 mg", "7 mg"], "units, such as '12 mg'"),
        (["1,5", "2", "<0,5"], "decimal commas and bounds, such as '1,5', '<0,5'"),
        (["1.000.000", "20.000.000", "3"], "marks between thousands, such as '1.000.000'"),
        (["0", "1", "2", "3+"], "bounds, such as '3+'"),
    ],
)
def test_numbers_with_something_beside_them(levels, how):
    (finding,) = hidden(levels)
    assert finding.columns == ("x",)
    assert finding.message == f"column 'x' is text, and its levels are numbers with {how}"
    assert [str(option) for option in finding.options] == ["numbers='auto'"]


def test_texts_of_a_frame_that_are_plain_numbers():
    (finding,) = hidden(["1", "2", "10", "x", "20"][:3])
    assert finding.message == "column 'x' is text, and its levels are numbers, such as '1'"


@pytest.mark.parametrize(
    "levels",
    [
        ["007", "008", "123"],
        ["1a", "2b", "3c"],
        ["yes", "no", "1"],
        ["1", "2"],
        ["A1", "A2", "A3"],
        ["18-35", "36-65", "66+"],
    ],
)
def test_codes_and_words_are_none(levels):
    assert not hidden(levels)


def of_file(tmp_path, cells, kind, **options):
    path = tmp_path / "data.csv"
    path.write_text("x;y\n" + "".join(f"{cell};{i % 2}\n" for i, cell in enumerate(cells * 4)))
    return cf.inspect(path, **options).of_kind(kind)


def test_dots_between_thousands_of_a_file(tmp_path):
    (finding,) = of_file(tmp_path, ["1.000", "12.500", "3.250", "800"], "hidden-numbers")
    assert "numbers of column 'x' have three digits behind every dot, such as '1.000'" in finding.message
    assert not of_file(tmp_path, ["1.000", "12.500", "3.25", "800"], "hidden-numbers")


def test_codes_of_a_file_that_are_read_as_numbers(tmp_path):
    (finding,) = of_file(tmp_path, ["1e3", "2e4", "12"], "hidden-numbers")
    assert finding.message == "column 'x' has '1e3', which is read as the number 1000"


def test_decimal_commas_of_a_file_are_refused_as_fractions(tmp_path):
    (finding,) = of_file(tmp_path, ["1,5", "2,5", "7"], "fractions")
    assert (finding.weight, finding.columns) == ("refused", ("x",))
    assert not of_file(tmp_path, ["1,5", "2,5", "7"], "fractions", numbers="auto")


# ---- markers


def markers(levels, **options):
    found = cf.inspect({"x": levels * 4, "y": [0, 1] * (2 * len(levels))}, **options)
    return [value for finding in found.of_kind("marker") for value in finding.options[0].value["x"]]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        (["F", "M", "?"], ["?"]),
        (["yes", "no", "Unknown", "n.a."], ["Unknown", "n.a."]),
        (["1", "2", "10", "4", "refused"], ["refused"]),
        ([1000, 1200, 1500, -99], ["-99"]),
        ([1000, 3000, 6000, -99], ["-99"]),
        ([-20, 5, 40, -9], []),
        (["800", "3000", "6000", "1200", "2500", "-99", "unknown"], ["unknown", "-99"]),
        ([18.5, 70.0, 999.0], ["999"]),
        ([1, 2, 3, 4, 5, 9], ["9"]),
        ([1, 2, -8, -9], ["-9", "-8"]),
        (["None", "Mild", "Severe"], []),
        ([1, 2, 3, 7, 9], ["7", "9"]),
        ([0, 1, 2, 3, 7], []),
        ([0, 2, 4, 7, 8, 9], []),
        ([90, 95, 99], []),
        ([0, 9], []),
        ([1, 2, 50], []),
        (["a", "b", "c"], []),
    ],
)
def test_markers(levels, expected):
    assert markers(levels, numbers="levels") == expected


def test_the_option_mends_it():
    frame = {"sex": ["F", "M", "?", "M"] * 5}
    (finding,) = cf.inspect(frame).of_kind("marker")
    assert finding.details == {"markers": ["?"], "rows": {"sex": 5}}
    (option,) = finding.options
    mended = cf.inspect(frame, missing="test-wise", **{option.name: option.value})
    assert not mended.of_kind("marker")
    assert mended.column("sex").missing == 5


def test_numbers_in_an_array():
    (finding,) = cf.inspect({"w": [0.25 * i for i in range(40)] + [-999] * 3}).of_kind("marker")
    assert (finding.options[0].value, finding.details["rows"]) == ({"w": ["-999"]}, {"w": 3})


def test_missing_numbers_need_others():
    assert missing_numbers([-9]) == []
    assert missing_numbers([]) == []


def dates(texts, **options):
    table = {"visit": texts, "ill": [0, 1] * (len(texts) // 2)}
    return cf.inspect(table, **options).of_kind("dates")


@pytest.mark.parametrize("form", ["{day}/{month}/2024", "{day:02d}.{month:02d}.24", "2024/{month}/{day}"])
def test_dates_in_other_forms_are_named(form):
    texts = [form.format(day=day, month=month) for day in range(1, 16) for month in range(1, 5)]
    (finding,) = dates(texts, numbers="auto")
    assert finding.details == {"form": "other"}
    assert finding.message == "dates that are read as text, since they are not in ISO form: column 'visit'"


def test_dates_in_iso_form_are_cut(tmp_path):
    lines = [f"2024-{month:02d}-{day:02d},{day % 2}" for day in range(1, 16) for month in range(1, 5)]
    (tmp_path / "data.csv").write_text("\n".join(["visit,ill", *lines]))
    (finding,) = cf.inspect(tmp_path / "data.csv").of_kind("dates")
    (option,) = finding.options
    assert (finding.details, option.name, option.value) == ({"form": "iso"}, "numbers", "auto")
    mended = cf.inspect(tmp_path / "data.csv", numbers="auto")
    assert not mended.of_kind("dates")
    assert mended.column("visit").outcome == "cut"


def test_other_texts_are_no_dates():
    assert not dates([f"{day}/{month}" for day in range(1, 16) for month in range(1, 5)])
    assert not dates([f"room {number}" for number in range(60)])
    assert not dates(["1/2/2024", "2/2/2024"] * 20)  # few levels
