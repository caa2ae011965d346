"""Graphs as files: CSV, JSON, GraphML and DOT.

CSV goes through the standard library and not through polars: it is read once, it is small, and its faults are to be
told by line. DOT is the part of Graphviz' language that graphs without clusters and records need, read and written
here: the packages for it call Graphviz or bring a parser generator.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from climbfast.errors import GraphError, UnknownColumnError
from climbfast.graphs.cpdag import Edge, Graph
from climbfast.writing import replacing

__all__ = ["json_text", "read_graph", "save_graph"]

_JSON_NAME = "json_name"
_FIGURES = {"strength": "strengths", "margin": "margins"}
_TYPES = ("directed", "undirected")


def read_graph(path: str | os.PathLike[str]) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    path : str or path-like
        ``.csv`` with the columns ``source,target,type``, where the type is directed, undirected or, for a node that
        is listed alone, node; or with the columns ``parent,child``, where the child of a node that is listed alone
        is empty. Other columns are skipped; the separator is ``,``, ``;`` or tab.
        ``.json`` as ``Graph.to_json`` writes it. ``.graphml``. ``.dot`` or ``.gv``.

    Returns
    -------
    Graph
        From CSV with the names sorted, from the others in the order of the file.

    Raises
    ------
    GraphError
        The file cannot be read as a graph; the message names the file, and the line or the edge.
    """
    file = Path(path)
    try:
        return _reader(file)(file.read_bytes())
    except (GraphError, UnknownColumnError) as error:
        raise GraphError(f"{file}: {error}") from None
    except RecursionError:
        raise GraphError(f"{file}: it is nested too deep") from None
    except OSError as error:
        raise GraphError(f"{file}: {error.strerror or error}") from None


def save_graph(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write a graph to a file, see ``Graph.save``."""
    file = Path(path)
    formats: dict[str, Callable[[Graph], str | bytes]] = {
        ".csv": _csv_text,
        ".json": lambda graph: json_text(graph) + "\n",
        ".graphml": _graphml,
        ".dot": _dot_text,
        ".gv": _dot_text,
    }
    if file.suffix.lower() not in formats:
        raise GraphError(f"{file}: unknown suffix; known are {', '.join(formats)}")
    try:
        content = formats[file.suffix.lower()](graph)
        if isinstance(content, str):
            content = content.encode()
        if file.is_dir():
            raise IsADirectoryError(None, "it is a directory")
        with replacing(file) as part:
            part.write_bytes(content)
    except GraphError as error:
        raise GraphError(f"{file} cannot be written: {error}") from None
    except UnicodeEncodeError as error:
        raise GraphError(f"{file} cannot be written: {error.object!r:.80} has no spelling in UTF-8") from None
    except OSError as error:
        raise GraphError(f"{file} cannot be written: {error.strerror or error}") from None


def _reader(file: Path) -> Callable[[bytes], Graph]:
    readers: dict[str, Callable[[bytes], Graph]] = {
        ".csv": lambda content: _from_csv(_text(content)),
        ".json": lambda content: _from_json(_text(content)),
        ".graphml": _from_graphml,
        ".dot": lambda content: _Dot(_text(content)).graph(),
    }
    readers[".gv"] = readers[".dot"]
    if not file.exists():
        raise GraphError("there is no such file")
    if file.is_dir():
        raise GraphError("a directory, not a file")
    if file.suffix.lower() not in readers:
        raise GraphError(f"unknown suffix; known are {', '.join(readers)}, and .bif for a network")
    return readers[file.suffix.lower()]


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise GraphError(f"line {line}: byte 0x{content[error.start]:02x} is not UTF-8 text") from None


class _Collected:
    """Nodes and edges as a file lists them, each with the place where it stands."""

    def __init__(self) -> None:
        self.names: dict[Hashable, None] = {}
        self.edges: dict[str, list[Edge]] = {kind: [] for kind in _TYPES}
        self.figures: dict[str, dict[Edge, float]] = {figure: {} for figure in _FIGURES.values()}
        self._places: dict[frozenset[Hashable], str] = {}

    def node(self, name: Hashable) -> None:
        self.names.setdefault(name)

    def edge(self, source: Hashable, target: Hashable, kind: str, place: str, figures: Mapping[str, Any]) -> None:
        """Add an edge; refuse one of two nodes that are joined already, and one of a node with itself."""
        pair = frozenset((source, target))
        if source == target:
            raise GraphError(f"{place}: {source!r} is joined with itself")
        if pair in self._places:
            raise GraphError(f"{place}: {source!r} and {target!r} are joined already, by {self._places[pair]}")
        self._places[pair] = place
        self.node(source)
        self.node(target)
        self.edges[kind].append((source, target))
        for figure, mapping in _FIGURES.items():
            if (value := _number(figures.get(figure))) is not None:
                self.figures[mapping][source, target] = value

    def graph(self, **how: Any) -> Graph:
        directed, undirected = (tuple(self.edges[kind]) for kind in _TYPES)
        strengths, margins = (self.figures[figure] for figure in _FIGURES.values())
        return Graph(tuple(self.names), directed, undirected, strengths=strengths, margins=margins, **how)


def _number(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, (int, float, str)) else None
    except ValueError:
        return None


def _texts(graph: Graph) -> dict[Hashable, str]:
    """Return every name as text."""
    texts: dict[str, Hashable] = {}
    for name in graph.names:
        other = texts.setdefault(str(name), name)
        if other is not name:
            raise GraphError(f"the names {other!r} and {name!r} are the same text; JSON tells them apart")
    return {name: text for text, name in texts.items()}


# ---- CSV


def _csv_text(graph: Graph) -> str:
    texts = _texts(graph)
    if "" in texts.values():
        raise GraphError("an empty name has no spelling in CSV; take .json, .graphml or .dot")
    rows = [("source", "target", "type")]
    for kind, edges in zip(_TYPES, (graph.directed, graph.undirected), strict=True):
        rows += [(texts[x], texts[y], kind) for x, y in edges]
    joined = {name for edge in graph.skeleton for name in edge}
    rows += [(texts[name], "", "node") for name in graph.names if name not in joined]
    return "".join(",".join(map(_cell, row)) + "\n" for row in rows)


def _cell(text: str) -> str:
    # Not csv.writer: before Python 3.13 it leaves a carriage return without quotes, which its reader refuses.
    return (
        '"' + text.replace('"', '""') + '"' if text != text.strip() or re.search(r'[",;\t\r\n\ufeff]', text) else text
    )


def _from_csv(text: str) -> Graph:
    for separator in (",", ";", "\t"):
        records = _records(text, separator)
        _, header = next(records, (1, []))
        if columns := _columns(header):
            break
    else:
        raise GraphError("line 1: the columns of a graph are source,target,type or parent,child")
    found = _Collected()
    for line, record in records:
        if len(record) != len(header):
            raise GraphError(f"line {line} has {len(record)} cells where the first line has {len(header)}")
        source, target, *kind = (record[i] for i in columns)
        _add_row(found, source, target, kind[0] if kind else None, f"line {line}")
    found.names = dict.fromkeys(sorted(found.names, key=str))
    return found.graph()


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and cells; blank lines are skipped."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for record in reader:
            if record:
                yield line, record
            line = reader.line_num + 1
    except csv.Error as error:
        raise GraphError(f"line {line}: {error}") from None


def _columns(header: list[str]) -> list[int] | None:
    """Return where source, target and, unless it is a list of parents and children, the type stand."""
    names = [name.strip().lower() for name in header]
    for wanted in (("source", "target", "type"), ("parent", "child")):
        if all(names.count(name) == 1 for name in wanted):
            return [names.index(name) for name in wanted]
    return None


def _add_row(found: _Collected, source: str, target: str, kind: str | None, place: str) -> None:
    if kind is None:
        kind = "directed" if target else "node"
    kind = kind.strip().lower()
    if kind not in (*_TYPES, "node"):
        raise GraphError(f"{place}: the type {kind!r} is none of directed, undirected, node")
    if not source or (not target and kind != "node"):
        raise GraphError(f"{place}: the edge {source!r}, {target!r} lacks a name")
    if target and kind == "node":
        raise GraphError(f"{place}: a line of type node has one name, not {source!r} and {target!r}")
    if kind == "node":
        found.node(source)
    else:
        found.edge(source, target, kind, place, {})


# ---- JSON


def json_text(graph: Graph) -> str:
    """Return everything about a graph as JSON."""
    plain = graph.to_dict()
    plain["names"] = _encoded(plain["names"])
    for edge in plain["edges"]:
        edge |= {"source": _encoded(edge["source"]), "target": _encoded(edge["target"])}
    for separated in plain["separating_sets"]:
        separated |= {key: _encoded(separated[key]) for key in ("x", "y", "given")}
    return json.dumps(plain, default=str)


def _encoded(name: Any) -> Any:
    """Return a name as JSON has it: text, numbers and tuples of these come back as they were, others as text."""
    if isinstance(name, list):
        return [_encoded(part) for part in name]
    if isinstance(name, tuple):
        return {"tuple": [_encoded(part) for part in name]}
    return name if name is None or isinstance(name, (str, int, float)) else str(name)


def _decoded(value: Any) -> Hashable:
    if isinstance(value, dict) and isinstance(value.get("tuple"), list):
        return tuple(_decoded(part) for part in value["tuple"])
    if isinstance(value, (list, dict)):
        raise GraphError(f"{json.dumps(value)} is no name")
    name: Hashable = value
    return name


def _from_json(text: str) -> Graph:
    try:
        plain = json.loads(text)
    except json.JSONDecodeError as error:
        raise GraphError(f"line {error.lineno}: {error.msg}") from None
    if not isinstance(plain, dict) or "edges" not in plain:
        raise GraphError('a graph is a JSON object with "names" and "edges"')
    found = _Collected()
    for name in _listed(plain, "names"):
        found.node(_decoded(name))
    if len(found.names) < len(_listed(plain, "names")):
        raise GraphError("a name occurs twice in names")
    for number, edge in enumerate(_listed(plain, "edges"), start=1):
        _add_json_edge(found, edge, f"edge {number}")
    sets = _listed(plain, "separating_sets")
    return found.graph(separating_sets=dict(map(_separated, sets)), **_how(plain))


def _listed(plain: dict[str, Any], key: str) -> list[Any]:
    value = plain.get(key, [])
    if not isinstance(value, list):
        raise GraphError(f'"{key}" is no list')
    return value


def _add_json_edge(found: _Collected, edge: Any, place: str) -> None:
    if not isinstance(edge, dict) or not {"source", "target", "type"} <= edge.keys() or edge["type"] not in _TYPES:
        raise GraphError(f"{place}: an edge has a source, a target, and the type directed or undirected")
    found.edge(_decoded(edge["source"]), _decoded(edge["target"]), edge["type"], place, edge)


def _separated(item: Any) -> tuple[Edge, tuple[Hashable, ...]]:
    if not isinstance(item, dict) or not {"x", "y", "given"} <= item.keys() or not isinstance(item["given"], list):
        raise GraphError("a separating set has x, y and a list given")
    return (_decoded(item["x"]), _decoded(item["y"])), tuple(map(_decoded, item["given"]))


def _how(plain: dict[str, Any]) -> dict[str, Any]:
    """Return how it was found, as far as the file tells."""
    kept = {part.name for part in fields(Graph)} - {"names", "directed", "undirected", "separating_sets"}
    how = {name: plain[name] for name in sorted(kept - set(_FIGURES.values())) if name in plain}
    if "tests_by_size" in how:
        how["tests_by_size"] = tuple(how["tests_by_size"])
    return how


# ---- GraphML


def _graphml(graph: Graph) -> bytes:
    import networkx as nx

    texts = _texts(graph)
    for text in texts.values():
        if _NOT_IN_XML.search(text):
            raise GraphError(f"the name {text!r} has characters that XML forbids; take .json, .csv or .dot")
    written = nx.relabel_nodes(graph.to_networkx(), texts)
    for name, text in texts.items():
        if not isinstance(name, str):
            written.nodes[text][_JSON_NAME] = json.dumps(_encoded(name))
    out = io.BytesIO()
    nx.write_graphml_xml(written, out)
    return out.getvalue()


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _from_graphml(content: bytes) -> Graph:
    from xml.etree.ElementTree import ParseError

    import networkx as nx

    try:
        read = nx.read_graphml(io.BytesIO(content))
    except ParseError as error:
        raise GraphError(f"line {error.position[0]}: no XML ({error})") from None
    except (nx.NetworkXError, KeyError, ValueError, TypeError) as error:
        raise GraphError(f"no GraphML that NetworkX reads: {str(error) or type(error).__name__}") from None
    names = {text: _name_of(text, data.get(_JSON_NAME)) for text, data in read.nodes(data=True)}
    return Graph.from_networkx(nx.relabel_nodes(read, names))


def _name_of(text: str, spelling: object) -> Hashable:
    """Return the name that is spelled in JSON beside its text; the text itself if nothing is, or another name."""
    if not isinstance(spelling, str):
        return text
    try:
        name = _decoded(json.loads(spelling))
    except json.JSONDecodeError:
        return text
    return name if str(name) == text else text


# ---- DOT


def _dot_text(graph: Graph) -> str:
    texts = {name: _dot_quoted(text) for name, text in _texts(graph).items()}
    lines = ["digraph {"]
    for name, text in texts.items():
        spelling = "" if isinstance(name, str) else f" [{_JSON_NAME}={_dot_quoted(json.dumps(_encoded(name)))}]"
        lines.append(f"  {text}{spelling};")
    for edge in graph.to_dict()["edges"]:
        attributes = ["dir=none"] if edge["type"] == "undirected" else []
        attributes += [f'{figure}="{edge[figure]!r}"' for figure in _FIGURES if figure in edge]
        marked = f" [{', '.join(attributes)}]" if attributes else ""
        lines.append(f"  {texts[edge['source']]} -> {texts[edge['target']]}{marked};")
    return "\n".join([*lines, "}", ""])


def _dot_quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# Possessive quantifiers (++, *+) never give back what they matched: no input makes this pattern slow.
_DOT = re.compile(
    r"""
    (?P<skip>[ \t\r\n\f\v]++|//[^\n]*+|/\*(?s:.*?)\*/|^\#[^\n]*+)
    |"(?P<quoted>(?:[^"\\]|\\(?s:.))*+)"
    |(?P<markup><(?:[^<>]++|<[^<>]*+>)*+>)
    |(?P<mark>->|--|[{}\[\];,=:+])
    |(?P<word>[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*+|-?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?))
    """,
    re.VERBOSE | re.MULTILINE,
)


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


class _Dot:
    """A reader of Graphviz' language: directed and undirected edges, chains, groups, attributes of edges."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_dot_tokens(text))
        self._at = 0
        self._found = _Collected()
        self._spellings: dict[Hashable, str] = {}

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
        return self._renamed(graph) if self._spellings else graph

    def _renamed(self, graph: Graph) -> Graph:
        named = {text: _name_of(str(text), self._spellings.get(text)) for text in graph.names}
        found = _Collected()
        for name in named.values():
            found.node(name)
        for edge in graph.to_dict()["edges"]:
            found.edge(named[edge["source"]], named[edge["target"]], edge["type"], "", edge)
        return found.graph()

    # Tokens

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _fail(self, expected: str) -> None:
        raise GraphError(f"line {self._now.line}: found {self._now.text[:40]!r} where {expected} should be")

    def _take(self, mark: str) -> bool:
        return self._take_any(lambda token: token.kind == "mark" and token.text == mark)

    def _take_word(self, word: str) -> bool:
        return self._take_any(lambda token: token.kind == "word" and token.text.lower() == word)

    def _take_any(self, fits: Callable[[_Token], bool]) -> bool:
        if fits(self._now):
            self._at += 1
            return True
        return False

    def _need(self, mark: str) -> None:
        if not self._take(mark):
            self._fail(repr(mark))

    def _identifier(self) -> str:
        token = self._now
        if token.kind not in ("word", "quoted", "markup"):
            self._fail("a name")
        self._at += 1
        text = token.text
        while token.kind == "quoted" and self._take("+"):
            text += self._identifier()
        return text

    # Grammar

    def _statements(self, defaults: dict[str, str]) -> list[str]:
        """Read { ... }; return the nodes that it mentions."""
        self._need("{")
        nodes: list[str] = []
        edge = dict(defaults)
        while not self._take("}"):
            nodes += self._statement(edge)
            if not self._take(";"):
                self._take(",")
        return list(dict.fromkeys(nodes))

    def _statement(self, defaults: dict[str, str]) -> list[str]:
        following = self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        if following.kind == "mark" and following.text == "=" and self._now.kind != "mark":
            self._identifier()
            self._need("=")
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
        while self._now.kind == "mark" and self._now.text in ("->", "--"):
            operators.append(self._now.text)
            lines.append(self._now.line)
            self._at += 1
            groups.append(self._group(defaults))
        attributes = self._attributes()
        if not operators and len(groups[0]) == 1 and _JSON_NAME in attributes:
            self._spellings[groups[0][0]] = attributes[_JSON_NAME]
        for i, (operator, line) in enumerate(zip(operators, lines, strict=True)):
            for x in groups[i]:
                for y in groups[i + 1]:
                    self._edge(x, y, operator, defaults | attributes, line)
        return [node for group in groups for node in group]

    def _group(self, defaults: dict[str, str]) -> list[str]:
        """Read one node, or a group of nodes in braces."""
        if self._take_word("subgraph"):
            if self._now.kind != "mark":
                self._identifier()
            return self._statements(defaults)
        if self._now.kind == "mark" and self._now.text == "{":
            return self._statements(defaults)
        node = self._identifier()
        while self._take(":"):  # where at the node the edge ends
            self._identifier()
        self._found.node(node)
        return [node]

    def _attributes(self) -> dict[str, str]:
        found = {}
        while self._take("["):
            while not self._take("]"):
                key = self._identifier()
                self._need("=")
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
            raise GraphError(f"line {line}: found {text[position : position + 20]!r}, which is no DOT")
        kind = str(found.lastgroup)
        if kind != "skip":
            yield _Token(kind, _dot_unquoted(found[kind]) if kind == "quoted" else found[kind], line)
        line += text.count("\n", position, found.end())
        position = found.end()
    yield _Token("end", "end of file", line)


def _dot_unquoted(text: str) -> str:
    # A backslash before the end of a line continues the text on the next one; before other characters it is itself.
    return re.sub(r'\\(["\\]|\r?\n)', lambda found: found[1] if found[1] in '"\\' else "", text)
