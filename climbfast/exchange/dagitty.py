"""Models of DAGitty as text: ``dag { a -> b }``.

The language is that of DAGitty's own grammar (``GraphDotParser.pegjs``). It looks like DOT, but has other edges
(``<-``, ``<->``, ``@->``), attributes without a value, and no comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from climbfast.errors import GraphError
from climbfast.graphs.dot import MOST_EDGES
from climbfast.graphs.edge_list import GraphBuilder, texts_of
from climbfast.graphs.graph import Graph
from climbfast.graphs.marks import Marks, edge_type

__all__ = ["dagitty_text", "from_dagitty"]

_BARE = re.compile(r"[A-Za-z_][0-9A-Za-z_]*")
_NOT_WRITTEN = re.compile(
    r"[\x00-\x1f\x7f]|\\\Z"
)  # no escape stands for these; the last backslash would hide the quote
_RESERVED = ("graph", "node")
_OF_JAVASCRIPT = re.compile(  # DAGitty looks names up where every object of JavaScript has these
    "constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|to(Locale)?String|valueOf|__proto__"
    "|__(define|lookup)[GS]etter__"
)
_KINDS = ("dag", "pdag", "mag", "pag", "graph", "digraph")
_SIGNS = {"<": "arrow", ">": "arrow", "@": "circle"}
_HEADER = re.compile(rf"\s*(?:{'|'.join(_KINDS)})\b[^{{]*\{{", re.IGNORECASE)
_ANY_EDGE = re.compile("->|<-|--")
_EDGE = re.compile(r"([<@]?)--?([>@]?)")


def dagitty_text(graph: Graph) -> str:
    """Return a graph as a model of DAGitty: all nodes in their order, then the edges.

    Raises
    ------
    GraphError
        For a name that DAGitty cannot have.
    """
    texts = {name: _quoted(text) for name, text in texts_of(graph).items()}
    kind = "pdag" if graph.undirected else "dag" if graph.is_acyclic else "digraph"
    lines = [f"  {texts[name]}" for name in graph.names]
    lines += [f"  {texts[x]} -> {texts[y]}" for x, y in graph.directed]
    lines += [f"  {texts[x]} -- {texts[y]}" for x, y in graph.undirected]
    return "\n".join([f"{kind} {{", *lines, "}", ""])


def _quoted(text: str) -> str:
    if text in _RESERVED or _OF_JAVASCRIPT.fullmatch(text):
        raise GraphError(f"DAGitty has no node with the name {text!r}, which is a word of its own; rename it")
    if not text or _NOT_WRITTEN.search(text):
        raise GraphError(
            f"DAGitty cannot have the name {text!r}: it may not be empty, hold control characters, or end with a "
            "backslash"
        )
    is_bare = _BARE.fullmatch(text) and text.lower() not in _KINDS
    return text if is_bare else '"' + text.replace('"', '\\"') + '"'


def from_dagitty(text: str) -> Graph:
    """Read a model of DAGitty, see ``Graph.from_dagitty``."""
    if not _HEADER.match(text):
        if not _ANY_EDGE.search(text):
            raise GraphError("it is not a model of DAGitty, such as dag { a -> b }")
        text = f"dag {{ {text} }}"  # as DAGitty itself does
    return _Parser(text).graph()


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    is_glued: bool  # to the token before it


_TOKEN = re.compile(
    r"""
    (?P<skip>[\s;]++)
    |"(?P<double>(?>(?:[^"\\]++|\\"|\\(?!"))*))"  # a backslash is itself, but before a quote
    |'(?P<single>[^']*+)'
    |(?P<edge><->|<-@|@->|@--|--@|@-@|->|<-|--)
    |(?P<symbol>[{}\[\]=,+])
    |(?P<word>-?[0-9A-Za-z_.]++)
    """,
    re.VERBOSE,
)


def _tokens(text: str) -> Iterator[_Token]:
    position, line, is_glued = 0, 1, False
    while position < len(text):
        found = _TOKEN.match(text, position)
        # DAGitty reads a-b as two nodes, a and -b.
        if not found or (is_glued and found["word"] and found["word"].startswith("-")):
            raise GraphError(f"line {line}: found {text[position : position + 20]!r}, which is not DAGitty")
        kind = str(found.lastgroup)
        if kind != "skip":
            content = re.sub(r'\\("|[\r\n]+)', lambda part: part[1].strip(), found[kind])
            yield _Token("name" if kind in ("double", "single") else kind, content, line, is_glued)
        is_glued = kind != "skip"
        line += text.count("\n", position, found.end())
        position = found.end()
    yield _Token("end", "end of text", line, is_glued=False)


class _Parser:
    """A recursive descent parser: nodes, edges in chains, groups in braces, and attributes, which are skipped."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0
        self._found = GraphBuilder()
        self._edges_of_groups = 0

    def graph(self) -> Graph:
        if self._now.kind == "word" and self._now.text.lower() in _KINDS:
            self._at += 1
            if self._now.kind in ("word", "name"):
                self._at += 1
        self._statements()
        if self._now.kind != "end":
            self._fail("the end of the text")
        return self._found.graph()

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _fail(self, expected: str) -> None:
        raise GraphError(f"line {self._now.line}: found {self._now.text[:40]!r} where {expected} should be")

    def _take(self, symbol: str) -> bool:
        if self._now.kind == "symbol" and self._now.text == symbol:
            self._at += 1
            return True
        return False

    def _name(self) -> str:
        if self._now.kind not in ("word", "name"):
            self._fail("a name")
        self._at += 1
        text = self._tokens[self._at - 1].text
        while self._take("+"):
            text += self._name()
        return text

    def _statements(self) -> list[str]:
        """Read { ... }; return the nodes in it."""
        if not self._take("{"):
            self._fail("'{'")
        nodes: list[str] = []
        while not self._take("}"):
            nodes += self._statement()
        return list(dict.fromkeys(nodes))

    def _statement(self) -> list[str]:
        following = self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        if following.text == "=" and following.kind == "symbol":  # an option of the whole graph, such as bb="0,0,1,1"
            self._name()
            self._at += 1
            self._name()
            return []
        if self._now.text in _RESERVED and self._now.kind in ("word", "name"):  # about the whole graph, or all nodes
            self._name()
            self._skip_attributes()
            return []
        groups = [self._group()]
        while self._now.kind == "edge":
            sign, line = self._now.text, self._now.line
            self._at += 1
            groups.append(self._group())
            self._edges(groups[-2], groups[-1], sign, line)
        self._skip_attributes()
        return [node for group in groups for node in group]

    def _group(self) -> list[str]:
        """Read one node, or a group of nodes in braces."""
        if self._now.kind == "symbol" and self._now.text == "{":
            return self._statements()
        self._refuse_mark()
        if self._now.text in _RESERVED:
            self._fail("a name that is no word of the language")
        name = self._name()
        self._found.node(name)
        return [name]

    def _refuse_mark(self) -> None:
        """Refuse the o of a circle, as in ``a o-> b`` and ``a --o b``; DAGitty would take it for a node."""
        before, now, after = (self._tokens[min(max(self._at + step, 0), len(self._tokens) - 1)] for step in (-1, 0, 1))
        starts = before.kind in ("word", "name") and after.kind == "edge" and after.is_glued
        ends = before.kind == "edge" and now.is_glued and after.kind in ("word", "name")
        if now.kind == "word" and now.text == "o" and (starts or ends):
            raise GraphError(f"line {now.line}: 'o' is a mark of an ancestral graph; an edge is -> or --")

    def _skip_attributes(self) -> None:
        while self._take("["):
            while not self._take("]"):
                if self._now.kind == "end":
                    self._fail("']'")
                self._at += 1

    def _edges(self, sources: list[str], targets: list[str], sign: str, line: int) -> None:
        count = len(sources) * len(targets)
        self._edges_of_groups += count if count > 1 else 0
        if self._edges_of_groups > MOST_EDGES:
            raise GraphError(f"line {line}: more than {MOST_EDGES:,} edges between groups")
        place = f"line {line}"
        marks = _marks(sign)
        for x in sources:
            for y in targets:
                self._found.edge(*edge_type(x, y, marks, place), place, {})


def _marks(sign: str) -> Marks:
    first, last = _EDGE.fullmatch(sign).groups()  # type: ignore[union-attr]  # it matches every edge of a token
    return Marks(_SIGNS.get(first, "tail"), _SIGNS.get(last, "tail"))
