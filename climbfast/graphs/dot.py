"""Graphs in the DOT language of Graphviz, without records and layout.

It has its own parser, because the packages that read DOT need Graphviz or bring a parser as a dependency.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

from climbfast.errors import GraphError
from climbfast.graphs.edge_list import FIGURES, JSON_NAME, GraphBuilder, encoded, name_of, texts_of
from climbfast.graphs.graph import Graph

__all__ = ["dot_text", "from_dot"]


def from_dot(text: str) -> Graph:
    """Read a graph, whose edges have one arrowhead or none."""
    return _Parser(text).graph()


def dot_text(graph: Graph) -> str:
    """Return a graph as text: nodes in their order, then edges; undirected ones have ``dir=none``."""
    texts = {name: _dot_quoted(text) for name, text in texts_of(graph).items()}
    lines = ["digraph {"]
    for name, text in texts.items():
        json_name = "" if isinstance(name, str) else f" [{JSON_NAME}={_dot_quoted(json.dumps(encoded(name)))}]"
        lines.append(f"  {text}{json_name};")
    for edge in graph.to_dict()["edges"]:
        attributes = ["dir=none"] if edge["type"] == "undirected" else []
        attributes += [f'{figure}="{edge[figure]!r}"' for figure in FIGURES if figure in edge]
        suffix = f" [{', '.join(attributes)}]" if attributes else ""
        lines.append(f"  {texts[edge['source']]} -> {texts[edge['target']]}{suffix};")
    return "\n".join([*lines, "}", ""])


def _dot_quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# Possessive quantifiers (++, *+) never give back what they matched: no input makes this pattern slow.
_DOT = re.compile(
    r"""
    (?P<skip>[ \t\r\n\f\v]++|//[^\n]*+|/\*(?s:.*?)\*/|^\#[^\n]*+)
    |"(?P<quoted>(?:[^"\\]|\\(?s:.))*+)"
    |(?P<markup><(?:[^<>]++|<[^<>]*+>)*+>)
    |(?P<symbol>->|--|[{}\[\];,=:+])
    |(?P<word>[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*+|-?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?))
    """,
    re.VERBOSE | re.MULTILINE,
)


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


class _Parser:
    """A recursive descent parser: directed and undirected edges, chains, groups, attributes of edges."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_dot_tokens(text))
        self._at = 0
        self._found = GraphBuilder()
        self._json_names: dict[Hashable, str] = {}

    def graph(self) -> Graph:
        self._take_word("strict")
        if not (self._take_word("digraph") or self._take_word("graph")):
            self._fail("digraph or graph")
        if self._now.kind in ("word", "quoted", "markup"):
            self._identifier()
        self._statements({})
        if self._now.kind != "end":
            self._fail("the end of the file")
        graph = self._found.graph()
        return self._renamed(graph) if self._json_names else graph

    def _renamed(self, graph: Graph) -> Graph:
        named = {text: name_of(str(text), self._json_names.get(text)) for text in graph.names}
        found = GraphBuilder()
        for name in named.values():
            found.node(name)
        for edge in graph.to_dict()["edges"]:
            found.edge(named[edge["source"]], named[edge["target"]], edge["type"], "", edge)
        return found.graph()

    # ---- tokens

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _fail(self, expected: str) -> None:
        raise GraphError(f"line {self._now.line}: found {self._now.text[:40]!r} where {expected} should be")

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

    def _identifier(self) -> str:
        token = self._now
        if token.kind not in ("word", "quoted", "markup"):
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
            self._identifier()
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
        while self._now.kind == "symbol" and self._now.text in ("->", "--"):
            operators.append(self._now.text)
            lines.append(self._now.line)
            self._at += 1
            groups.append(self._group(defaults))
        attributes = self._attributes()
        if not operators and len(groups[0]) == 1 and JSON_NAME in attributes:
            self._json_names[groups[0][0]] = attributes[JSON_NAME]
        for i, (operator, line) in enumerate(zip(operators, lines, strict=True)):
            for x in groups[i]:
                for y in groups[i + 1]:
                    self._edge(x, y, operator, defaults | attributes, line)
        return [node for group in groups for node in group]

    def _group(self, defaults: dict[str, str]) -> list[str]:
        """Read one node, or a group of nodes in braces."""
        if self._take_word("subgraph"):
            if self._now.kind != "symbol":
                self._identifier()
            return self._statements(defaults)
        if self._now.kind == "symbol" and self._now.text == "{":
            return self._statements(defaults)
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
                found[key] = self._identifier()
                if not self._take(","):
                    self._take(";")
        return found

    def _edge(self, x: str, y: str, operator: str, attributes: dict[str, str], line: int) -> None:
        ends = attributes.get("dir", "forward" if operator == "->" else "none")
        at_y = ends in ("forward", "both") and attributes.get("arrowhead") != "none"
        at_x = ends in ("back", "both") and attributes.get("arrowtail") != "none"
        if at_x and at_y:
            raise GraphError(f"line {line}: {x!r} <-> {y!r} has two arrowheads; an edge has one or none")
        source, target = (y, x) if at_x else (x, y)
        self._found.edge(source, target, "directed" if at_x or at_y else "undirected", f"line {line}", attributes)


def _dot_tokens(text: str) -> Iterator[_Token]:
    position, line = 0, 1
    while position < len(text):
        found = _DOT.match(text, position)
        if not found:
            raise GraphError(f"line {line}: found {text[position : position + 20]!r}, which is not DOT")
        kind = str(found.lastgroup)
        if kind != "skip":
            yield _Token(kind, _dot_unquoted(found[kind]) if kind == "quoted" else found[kind], line)
        line += text.count("\n", position, found.end())
        position = found.end()
    yield _Token("end", "end of file", line)


def _dot_unquoted(text: str) -> str:
    # A backslash before the end of a line continues the text on the next one; before other characters it is itself.
    return re.sub(r'\\(["\\]|\r?\n)', lambda found: found[1] if found[1] in '"\\' else "", text)
