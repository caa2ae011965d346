"""Labels: wrapped where words end, shortened in the middle, and as wide as they are drawn."""

from __future__ import annotations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from climbfast.plots import labels
from climbfast.plots.labels import FONT_SIZE, MOST_WIDTH, families, font, label_of, text_width


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("age", ("age",)),
        ("heart_disease", ("heart_disease",)),
        ("time_since_the_last_diagnosis", ("time_since_the_last_", "diagnosis")),
        ("systolic blood pressure at rest", ("systolic blood pressure", "at rest")),
        ("Systolic blood pressure (mmHg)", ("Systolic blood pressure", "(mmHg)")),
        ("mean of serum cholesterol (mg/dL)", ("mean of serum", "cholesterol (mg/dL)")),
        ("total of the diet (fat and sugar)", ("total of the diet", "(fat and sugar)")),
        ("SystolicBloodPressureAtRest", ("SystolicBloodPressure", "AtRest")),
        ("", ("",)),
    ],
)
def test_lines_end_between_words(text, lines):
    label = label_of(text)
    assert label.lines == lines
    assert not label.is_shortened


def test_no_line_begins_with_the_mark_of_a_letter():
    for times in (10, 50):
        lines = label_of("ที่" * times).lines
        assert len(lines) > 1
        assert all(line.lstrip("…")[0] == "ท" for line in lines)


def test_a_long_text_loses_its_middle():
    label = label_of("the beginning of a name without an end " + "and so on " * 20 + "until the very last")
    assert len(label.lines) == labels.MOST_LINES
    assert label.lines[0].startswith("the beginning")
    assert label.lines[-1].startswith("…")
    assert label.lines[-1].endswith("very last")
    assert label.is_shortened


def test_sixty_characters_are_shown():
    name = "time since the last diagnosis of heart failure (in months, r"
    assert " ".join(label_of(name).lines) == name


@pytest.mark.parametrize("text", ["W" * 100, "年" * 100, "a_b " * 50, "i" * 500, "\u0301" * 10])
def test_no_line_is_too_wide(text):
    label = label_of(text)
    assert label.width <= MOST_WIDTH
    assert max(map(text_width, label.lines)) == label.width


@pytest.mark.parametrize("text", ["heart_disease", "WWWiii", "Größe Ωμέγα", "a-b.c/d(e)"])
def test_the_width_is_that_which_is_drawn(text):
    canvas = FigureCanvasAgg(Figure(dpi=720))
    drawn = canvas.figure.text(0, 0, text, fontproperties=font(FONT_SIZE), parse_math=False)
    assert text_width(text) == pytest.approx(drawn.get_window_extent(canvas.get_renderer()).width / 720, rel=0.06)


def test_a_character_that_no_font_has_takes_a_place(monkeypatch):
    """What is drawn in its place, also for marks such as the vowels of Thai, has room in the box."""
    only = ("DejaVu Sans", "sans-serif")
    monkeypatch.setattr(labels, "families", lambda: only)
    for cached in (labels._ems, labels._fonts):
        cached.cache_clear()
    try:
        for text in ("年齢", "ความดัน"):
            canvas = FigureCanvasAgg(Figure(dpi=720))
            shown = canvas.figure.text(0, 0, text, fontproperties=font(FONT_SIZE))
            with pytest.warns(UserWarning, match="missing from font"):
                drawn = shown.get_window_extent(canvas.get_renderer()).width / 720
            assert drawn <= text_width(text) <= 1.3 * drawn
    finally:
        for cached in (labels._ems, labels._fonts):
            cached.cache_clear()


def test_families_end_with_any_without_serifs():
    assert families()[0] == "DejaVu Sans"
    assert families()[-1] == "sans-serif"
