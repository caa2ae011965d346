"""The knowledge files of Tetrad: sections with a line for each tier or edge.

::

    /knowledge
    addtemporal
    1* age sex
    2 smoking
    forbiddirect
    disease age
    requiredirect
    smoking disease
    forbiddengroup
    gene_1 gene_2
    smoking disease

A star behind the number of a tier forbids edges inside it. A group is two lines, the sources and the targets, and
stands for all edges from one to the other. Names with blanks are in double quotes; a line that begins with ``//`` or
``#`` is a comment. Tetrad reads names with blanks in its own way, so they are read here, and not written.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from itertools import pairwise
from typing import NamedTuple

from climbfast.errors import KnowledgeError
from climbfast.knowledge.knowledge import Knowledge
from climbfast.names import listing

__all__ = ["from_tetrad", "tetrad_text"]

_HEAD = "/knowledge"
_TIERS = "addtemporal"
_EDGES = {"forbiddirect": "forbidden", "requiredirect": "required"}
_GROUPS = {"forbiddengroup": "forbidden", "requiredgroup": "required"}
_SECTIONS = (_TIERS, *_EDGES, *_GROUPS)
_COMMENTS = ("//", "#")
_TIER = re.compile(r"([0-9]+)([*-]*)")
_WORD = re.compile(r'"([^"]*)"|(\S+)')


class _Line(NamedTuple):
    number: int
    text: str

    def wrong(self, why: str) -> KnowledgeError:
        return KnowledgeError(f"line {self.number}: {self.text!r} {why}")

    @property
    def words(self) -> list[str]:
        return [quoted or word for quoted, word in _WORD.findall(self.text)]


def from_tetrad(text: str) -> Knowledge:
    """Read knowledge from the text of a file.

    Raises
    ------
    KnowledgeError
        The message names the line.
    """
    tiers: dict[int, list[str]] = {}
    closed: set[int] = set()
    edges: dict[str, list[tuple[str, str]]] = {"forbidden": [], "required": []}
    for section, lines in _sections(text):
        if section == _TIERS:
            for line in lines:
                number, is_closed = _tier(line)
                tiers.setdefault(number, []).extend(line.words[1:])
                closed |= {number} if is_closed else set()
        elif section in _EDGES:
            edges[_EDGES[section]] += map(_edge, lines)
        else:
            edges[_GROUPS[section]] += _edges_of_groups(lines)
    filled = [number for number in sorted(tiers) if tiers[number]]  # Tetrad writes empty tiers too
    return Knowledge(
        tiers=[tiers[number] for number in filled],
        closed=[place for place, number in enumerate(filled) if number in closed],
        **edges,
    )


def _sections(text: str) -> Iterator[tuple[str, list[_Line]]]:
    """Yield the name of each section and its lines."""
    lines = [_Line(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [line for line in lines if line.text and not line.text.startswith(_COMMENTS)]
    if lines and lines[0].text.lower() == _HEAD:
        del lines[0]
    elif not lines or lines[0].text.lower() not in _SECTIONS:
        raise KnowledgeError(f"a knowledge file of Tetrad begins with {_HEAD}; others end in .toml or .json")
    starts = [place for place, line in enumerate(lines) if line.text.lower() in _SECTIONS]
    if lines and starts[:1] != [0]:
        raise lines[0].wrong(f"is not a section; the sections are {', '.join(_SECTIONS)}")
    for start, end in pairwise([*starts, len(lines)]):
        yield lines[start].text.lower(), lines[start + 1 : end]


def _tier(line: _Line) -> tuple[int, bool]:
    """Return the number of a tier, and whether it has no edges inside."""
    mark = _TIER.fullmatch(line.words[0])
    if mark is None:
        raise line.wrong(
            f"is neither a tier, which begins with its number, nor a section; the sections are {', '.join(_SECTIONS)}"
        )
    if "-" in mark[2]:
        raise line.wrong("is a tier that has edges to the next one alone, which is not supported; forbid the others")
    return int(mark[1]), "*" in mark[2]


def _edge(line: _Line) -> tuple[str, str]:
    if len(line.words) != 2:
        raise line.wrong("is not an edge, which has two names; names with blanks are in double quotes")
    return line.words[0], line.words[1]


def _edges_of_groups(lines: list[_Line]) -> Iterator[tuple[str, str]]:
    if len(lines) % 2:
        raise lines[-1].wrong("is a group without targets, which are on the line after it")
    for sources, targets in zip(lines[::2], lines[1::2], strict=True):
        yield from ((x, y) for x in sources.words for y in targets.words if x != y)


def tetrad_text(known: Knowledge) -> str:
    """Return the text of a file.

    Raises
    ------
    KnowledgeError
        For what the format cannot have: roots, leaves, and some names.
    """
    plain = known.to_dict()
    if both := [name for name in ("roots", "leaves") if name in plain]:
        raise KnowledgeError(f"the format of Tetrad has no {' and '.join(both)}; save it as .toml or .json")
    stars = ["*" if number in plain.get("closed", ()) else "" for number in range(len(known.tiers))]
    lines = [_HEAD, _TIERS]
    lines += [
        " ".join((f"{number}{star}", *map(_word, tier)))
        for number, (tier, star) in enumerate(zip(known.tiers, stars, strict=True), 1)
    ]
    for section, field in _EDGES.items():
        lines += ["", section, *(" ".join(map(_word, edge)) for edge in plain.get(field, ()))]
    return "\n".join(lines) + "\n"


def _word(name: Hashable) -> str:
    text = str(name)
    if text.split() != [text]:
        raise KnowledgeError(f"the name {text!r} has blanks, which the format of Tetrad cannot have; save it as .toml")
    if '"' in text or text.startswith(_COMMENTS):
        raise KnowledgeError(
            f"the name {text!r} has a double quote, or begins like a comment ({listing(_COMMENTS, each=str)}), which "
            "the format of Tetrad cannot have; save it as .toml"
        )
    return text
