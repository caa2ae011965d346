"""Labels of nodes: lines of text with their size on paper, in inches."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties

__all__ = ["FONT_SIZE", "LINE_HEIGHT", "Label", "families", "font", "label_of", "text_width"]

FONT_SIZE = 9.0  # points
LINE_HEIGHT = 1.25 * FONT_SIZE / 72
MOST_WIDTH = 1.5  # of a line
MOST_LINES = 3
MISSING = 1.15  # ems of what matplotlib draws for a character that no font has, marks above and below others too
POINTS_PER_INCH = 72

# Browsers and readers take the first family that has a character; all but the first are for other writing systems.
_FAMILIES = (
    "DejaVu Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans JP", "Noto Sans SC", "Noto Sans KR",
    "Hiragino Sans", "PingFang SC", "Yu Gothic", "Microsoft YaHei", "Malgun Gothic", "WenQuanYi Micro Hei",
    "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai", "Arial Unicode MS",
)  # fmt: skip
_PLACE_TO_BREAK = re.compile(r"(?<=[\s_\-./,:;|=&+])(?=\S)|(?<=[a-z]{2}[a-z])(?=[A-Z])")
_PLACE_OUTSIDE_PARENTHESES = re.compile(rf"(?:{_PLACE_TO_BREAK.pattern})(?![^()]*\))")


class Label(NamedTuple):
    """The lines of a label, and the width and height of their text in inches."""

    lines: tuple[str, ...]
    width: float
    height: float
    is_shortened: bool = False


@lru_cache(maxsize=4096)
def label_of(text: str) -> Label:
    """Wrap a text into at most three lines; a longer one loses its middle."""
    lines = _wrapped(text)
    is_shortened = len(lines) > MOST_LINES
    if is_shortened:
        lines = [*lines[: MOST_LINES - 1], _last_of(text)]
    return Label(tuple(lines), max(map(text_width, lines)), len(lines) * LINE_HEIGHT, is_shortened)


def _wrapped(text: str) -> list[str]:
    lines = [""]
    for piece in _pieces(text):
        if lines[-1] and text_width((lines[-1] + piece).rstrip()) > MOST_WIDTH:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines]


def _pieces(text: str) -> list[str]:
    """Return the pieces between which a line may end, none of them too wide."""
    pieces: list[str] = []
    for part in _PLACE_OUTSIDE_PARENTHESES.split(text):
        fits = text_width(part.rstrip()) <= MOST_WIDTH
        for word in [part] if fits else _PLACE_TO_BREAK.split(part):
            pieces += _narrow(word)
    return pieces


def _narrow(word: str) -> list[str]:
    """Return a word in pieces that are not too wide."""
    pieces = [""]
    for letter in _letters(word):
        if pieces[-1] and text_width((pieces[-1] + letter).rstrip()) > MOST_WIDTH:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def _letters(word: str) -> list[str]:
    """Return the characters of a word, with the marks above and below each, as Thai has them."""
    letters: list[str] = []
    for character in word:
        if letters and unicodedata.category(character).startswith("M"):
            letters[-1] += character
        else:
            letters.append(character)
    return letters


def _last_of(text: str) -> str:
    """Return the end of a text behind an ellipsis, as far as it has place in a line."""
    end = ""
    for letter in reversed(_letters(text)):
        if text_width(f"…{letter}{end}") > MOST_WIDTH:
            break
        end = letter + end
    return f"…{end.lstrip()}"


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Return the width of a line in inches."""
    return sum(map(_ems, text)) * size / POINTS_PER_INCH


@cache
def _ems(character: str) -> float:
    """Return the width of a character in the height of the font."""
    for font in _fonts():
        if font.get_char_index(ord(character)):
            if unicodedata.combining(character):
                return 0.0
            glyph = font.load_char(ord(character))
            return float(glyph.linearHoriAdvance) / 65536 / _SIZE_OF_FONT
    return MISSING


_SIZE_OF_FONT = 100.0


@cache
def _fonts() -> tuple[Any, ...]:
    from matplotlib.font_manager import FontProperties, findfont
    from matplotlib.ft2font import FT2Font

    fonts = []
    for family in families():
        if family != "sans-serif":
            font = FT2Font(findfont(FontProperties(family=[family])))
            font.set_size(_SIZE_OF_FONT, POINTS_PER_INCH)
            fonts.append(font)
    return tuple(fonts)


@cache
def families() -> tuple[str, ...]:
    """Return the families of fonts for labels: those that are installed, and then any without serifs."""
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    return (*(family for family in _FAMILIES if family in installed), "sans-serif")


def font(size: float) -> FontProperties:
    """Return the font of labels in a size."""
    from matplotlib.font_manager import FontProperties

    return FontProperties(family=list(families()), size=size)
