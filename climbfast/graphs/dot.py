"""Graphs in the DOT language of Graphviz, without records and layout.

It has its own parser, because the packages that read DOT need Graphviz or bring a parser as a dependency.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import NamedTuple

from climbfast.errors import GraphError
from climbfast.graphs.edge_list import FIGURES, JSON_NAME, GraphBuilder, encoded, name_of, texts_of
from climbfast.graphs.graph import REASONS, Graph
from climbfast.graphs.marks import DRAWN, Marks, drawn_marks, edge_type, marks_in

__all__ = ["MOST_EDGES", "dot_text", "from_dot"]

MOST_EDGES = 1_000_000  # between groups, such as {a b} -> {c d}: they can be many more than the file has characters
_MARK_LETTERS = ("o", "x")  # of ancestral graphs: a o-> b


def from_dot(text: str) -> Graph:
    """Read a graph, whose edges have one arrowhead or none.

    If the nodes are written as whole numbers, and all have labels, which all differ, then the labels are the names:
    causal-learn writes so, and pyAgrum, with the numbers in front: ``(0) name``.

    Raises
    ------
    GraphError
        For another text, other marks than arrows and tails, and more than ``MOST_EDGES`` edges between groups.
    """
    return _Parser(text).graph()


def dot_text(graph: Graph) -> str:
    """Return a graph as text: nodes in their order, then edges.

    Undirected edges have ``dir=none``; the line is dashed where a direction was chosen by a score, and dotted where it
    is arbitrary.
    """
    texts = {name: _dot_quoted(text) for name, text in texts_of(graph).items()}
    lines = ["digraph {"]
    drawn = [f"{style}: {REASONS[reason]}" for reason, style in _STYLES.items() if reason in graph.reasons.values()]
    if drawn:
        lines.append(f"  label={_dot_quoted('; '.join(drawn))};")
    for name, text in texts.items():
        json_name = "" if isinstance(name, str) else f" [{JSON_NAME}={_dot_quoted(json.dumps(encoded(name)))}]"
        lines.append(f"  {text}{json_name};")
    for edge in graph.to_dict()["edges"]:
        attributes = ["dir=none"] if edge["type"] == "undirected" else []
        attributes += [f"style={_STYLES[edge['reason']]}"] if edge.get("reason") in _STYLES else []
        attributes += [f'{figure}="{edge[figure]}"' for figure in FIGURES if figure in edge]
        suffix = f" [{', '.join(attributes)}]" if attributes else ""
        lines.append(f"  {texts[edge['source']]} -> {texts[edge['target']]}{suffix};")
    return "\n".join([*lines, "}", ""])


_STYLES = {"chosen": "dashed", "arbitrary": "dotted"}


def _dot_quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# Atomic groups, (?>...), and possessive quantifiers (++, *+) never give back what they matched: no input makes this
# pattern slow. Python before 3.11.5 misreads a possessive quantifier of a group: there must be none.
_DOT = re.compile(
    r"""
    (?P<skip>[ \t\r\n\f\v]++|//[^\n]*+|/\*(?s:.*?)\*/|^\#[^\n]*+)
    |"(?P<quoted>(?>(?:[^"\\]++|\\(?s:.))*))"
    |(?P<markup><(?>(?:[^<>]++|<[^<>]*+>)*)>)
    |(?P<symbol>->|--|[{}\[\];,=:+])
    |(?P<word>(?:[A-Za-z_]|[^\x00-\x9f\s])(?>(?:[A-Za-z0-9_]++|[^\x00-\x9f\s])*)|-?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?))
    """,
    re.VERBOSE | re.MULTILINE,
)


_OPERATORS = ("->", "--")


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    is_glued: bool  # to the token before it


class _Parser:
    """A recursive descent parser: directed and undirected edges, chains, groups, attributes of edges."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_dot_tokens(text))
        self._at = 0
        self._found = GraphBuilder()
        self._json_names: dict[Hashable, str] = {}
        self._labels: dict[Hashable, str] = {}
        self._edges_of_groups = 0

    def graph(self) -> Graph:
        self._take_word("strict")
        if not (self._take_word("digraph") or self._take_word("graph")):
            self._fail("digraph or graph")
        if self._now.kind != "symbol":
            self._identifier()
        self._statements({})
        if self._now.kind != "end":
            self._fail("the end of the file")
        graph = self._found.graph()
        if self._json_names:
            return _renamed(graph, {text: name_of(str(text), self._json_names.get(text)) for text in graph.names})
        if not self._labels_are_names():
            return graph
        return _renamed(graph, _without_numbers(self._labels))

    def _labels_are_names(self) -> bool:
        labels = [self._labels.get(name) for name in self._found.names]
        return (
            all(str(name).isdecimal() for name in self._found.names)
            and None not in labels
            and len(set(labels)) == len(labels)
        )

    # ---- tokens

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _fail(self, expected: str) -> None:
        raise GraphError(f"line {self._now.line}: found {self._now.text[:40]!r} where {expected} should be")

    def _refuse_mark(self) -> None:
        """Refuse the letter of a mark, as in ``a o-> b`` and ``a --o b``, which DOT reads as a node o."""
        before, now, after = (
            self._tokens[min(max(at, 0), len(self._tokens) - 1)] for at in range(self._at - 1, self._at + 2)
        )
        if now.kind != "word" or now.text not in _MARK_LETTERS:
            return
        starts = before.kind != "symbol" and after.text in _OPERATORS and after.is_glued
        ends = before.text in _OPERATORS and now.is_glued and after.kind not in ("symbol", "end")
        if starts or ends:
            raise GraphError(f"line {now.line}: {now.text!r} is a mark of an ancestral graph; an edge is -> or --")

    def _take(self, symbol: str) -> bool:
        return self._take_if(lambda token: token.kind == "symbol" and token.text == symbol)

    def _take_word(self, word: str) -> bool:
        return self._take_if(lambda token: token.kind == "word" and token.text.lower() == word)

    def _take_if(self, condition: Callable[[_Token], bool]) -> bool:
        if condition(self._now):
            self._at += 1
            return True
        return False

    def _expect(self, symbol: str) -> None:
        if not self._take(symbol):
            self._fail(repr(symbol))

    def _identifier(self, *, may_be_markup: bool = False) -> str:
        token = self._now
        # As a name <...> is more often a mark, as in a <-> b.
        if token.kind not in ("word", "quoted") and not (may_be_markup and token.kind == "markup"):
            self._fail("a name")
        self._at += 1
        text = token.text
        while token.kind == "quoted" and self._take("+"):
            text += self._identifier()
        return text

    # ---- grammar

    def _statements(self, defaults: dict[str, str]) -> list[str]:
        """Read { ... }; return the nodes in it."""
        self._expect("{")
        nodes: list[str] = []
        edge = dict(defaults)
        while not self._take("}"):
            nodes += self._statement(edge)
            if not self._take(";"):
                self._take(",")
        return list(dict.fromkeys(nodes))

    def _statement(self, defaults: dict[str, str]) -> list[str]:
        following = self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        if following.kind == "symbol" and following.text == "=" and self._now.kind != "symbol":
            self._identifier()
            self._expect("=")
            self._identifier(may_be_markup=True)
            return []
        if following.text == "[" and self._now.kind == "word" and self._now.text.lower() in ("graph", "node", "edge"):
            about_edges = self._now.text.lower() == "edge"
            self._at += 1
            attributes = self._attributes()
            defaults.update(attributes if about_edges else {})
            return []
        return self._nodes_or_edges(defaults)

    def _nodes_or_edges(self, defaults: dict[str, str]) -> list[str]:
        groups, operators, lines = [self._group(defaults)], list[str](), list[int]()
        while self._now.kind == "symbol" and self._now.text in _OPERATORS:
            operators.append(self._now.text)
            lines.append(self._now.line)
            self._at += 1
            groups.append(self._group(defaults))
        attributes = self._attributes()
        if not operators and len(groups[0]) == 1:
            for key, texts in ((JSON_NAME, self._json_names), ("label", self._labels)):
                if key in attributes:
                    texts[groups[0][0]] = attributes[key]
        for i, (operator, line) in enumerate(zip(operators, lines, strict=True)):
            self._count_edges(len(groups[i]) * len(groups[i + 1]), line)
            self._edges(groups[i], groups[i + 1], operator, defaults | attributes, line)
        return [node for group in groups for node in group]

    def _group(self, defaults: dict[str, str]) -> list[str]:
        """Read one node, or a group of nodes in braces."""
        if self._take_word("subgraph"):
            if self._now.kind != "symbol":
                self._identifier()
            return self._statements(defaults)
        if self._now.kind == "symbol" and self._now.text == "{":
            return self._statements(defaults)
        self._refuse_mark()
        node = self._identifier()
        while self._take(":"):  # the port of the node
            self._identifier()
        self._found.node(node)
        return [node]

    def _attributes(self) -> dict[str, str]:
        found = {}
        while self._take("["):
            while not self._take("]"):
                key = self._identifier()
                self._expect("=")
                found[key] = self._identifier(may_be_markup=True)
                if not self._take(","):
                    self._take(";")
        return found

    def _count_edges(self, count: int, line: int) -> None:
        self._edges_of_groups += count if count > 1 else 0
        if self._edges_of_groups > MOST_EDGES:
            raise GraphError(f"line {line}: more than {MOST_EDGES:,} edges between groups")

    def _edges(
        self, sources: list[str], targets: list[str], operator: str, attributes: dict[str, str], line: int
    ) -> None:
        place = f"line {line}"
        marks = _marks(attributes, "forward" if operator == "->" else "none", place)
        for x in sources:
            for y in targets:
                self._found.edge(*edge_type(x, y, marks, place), place, attributes)


def _marks(attributes: Mapping[str, str], direction: str, place: str) -> Marks:
    """Return the marks that are drawn, or those that other attributes state, such as ``endpoints``."""
    drawn = drawn_marks(attributes, direction, place)
    stated = marks_in({name: value for name, value in attributes.items() if name not in DRAWN}, place)
    if stated is None:
        return drawn
    if stated != drawn and any(name in attributes for name in DRAWN):
        raise GraphError(f"{place}: the edge is drawn with other marks than its other attributes state")
    return stated


def _without_numbers(labels: Mapping[Hashable, str]) -> Mapping[Hashable, str]:
    """Return the labels without the number of the node, if all have it and still differ: ``(0) name``."""
    plain = {number: label.removeprefix(f"({number}) ") for number, label in labels.items()}
    have_numbers = all(plain[number] != label for number, label in labels.items())
    return plain if have_numbers and len(set(plain.values())) == len(plain) else labels


def _renamed(graph: Graph, names: Mapping[Hashable, Hashable]) -> Graph:
    found = GraphBuilder()
    for name in graph.names:
        found.node(names[name])
    if len(found.names) < len(graph.names):
        raise GraphError(f"two nodes have the same {JSON_NAME}")
    for edge in graph.to_dict()["edges"]:
        found.edge(names[edge["source"]], names[edge["target"]], edge["type"], "", edge)
    return found.graph()


def _dot_tokens(text: str) -> Iterator[_Token]:
    position, line, is_glued = 0, 1, False
    while position < len(text):
        found = _DOT.match(text, position)
        if not found:
            raise GraphError(f"line {line}: found {text[position : position + 20]!r}, which is not DOT")
        kind = str(found.lastgroup)
        if kind != "skip":
            yield _Token(kind, _dot_unquoted(found[kind]) if kind == "quoted" else found[kind], line, is_glued)
        is_glued = kind != "skip"
        line += text.count("\n", position, found.end())
        position = found.end()
    yield _Token("end", "end of file", line, is_glued=False)


def _dot_unquoted(text: str) -> str:
    # A backslash before the end of a line continues the text on the next one; before other characters it is itself.
    return re.sub(r'\\(["\\]|\r?\n)', lambda found: found[1] if found[1] in '"\\' else "", text)
