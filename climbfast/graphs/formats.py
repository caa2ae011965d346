"""Graphs as files: CSV, JSON, GraphML and DOT; and BIF, from which the graph of a network is read.

CSV is read by the standard library, not by polars: the files are small, and errors have to name the line.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Any

from climbfast.atomic_write import atomic_write
from climbfast.errors import GraphError, NetworkError, UnknownColumnError
from climbfast.graphs.dot import dot_text, from_dot
from climbfast.graphs.edge_list import JSON_NAME, TYPES, GraphBuilder, decoded, encoded, name_of, texts_of
from climbfast.graphs.graph import Edge, Graph

__all__ = ["json_text", "read_graph", "save_graph"]

_PROVENANCE: dict[str, type | tuple[type, ...]] = {
    "method": str,
    "test_or_score": str,
    "options": dict,
    "figures": dict,
    "tests_by_size": list,
    "skipped": int,
    "rows": int,
    "columns": int,
    "seconds": (int, float),
    "version": str,
}


def read_graph(path: str | os.PathLike[str]) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    path : str or path-like
        ``.csv`` with the columns ``source,target,type``, where the type is directed or undirected, or node for a line
        with a node alone; or with the columns ``parent,child``, where the child is empty for a node alone. Other
        columns are skipped; the separator is ``,``, ``;`` or tab.
        ``.json`` as ``Graph.to_json`` writes it. ``.graphml``. ``.dot`` or ``.gv``. ``.bif`` or ``.bif.gz``, a network,
        of which the DAG is read.

    Returns
    -------
    Graph
        From CSV with the names sorted, from all others in the order of the file.

    Raises
    ------
    GraphError
        If the file cannot be read as a graph; the message names the file, and the line or the edge.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import climbfast as cf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "graph.csv")
    ...     _ = file.write_text("source,target,type\\na,b,directed\\nb,c,undirected\\nd,,node\\n")
    ...     graph = cf.read_graph(file)
    >>> print(graph)
    4 nodes, 1 directed and 1 undirected edges, neither DAG nor CPDAG
    a -> b
    b -- c
    without edges: d
    """
    file = Path(path)
    try:
        return _reader(file)(file)
    except NetworkError as error:  # its message names the file
        raise GraphError(*error.parts) from None
    except (GraphError, UnknownColumnError) as error:
        raise GraphError(f"{file}: {error}") from None
    except RecursionError:
        raise GraphError(f"{file}: it is nested too deeply") from None
    except (OSError, ValueError) as error:  # a ValueError for a path with a null character
        raise GraphError(f"{file}: {getattr(error, 'strerror', None) or error}") from None


def save_graph(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write a graph to a file, see ``Graph.save``."""
    file = Path(path)
    formats: dict[str, Callable[[Graph], str | bytes]] = {
        ".csv": _csv_text,
        ".json": lambda graph: json_text(graph) + "\n",
        ".graphml": _graphml,
        ".dot": dot_text,
        ".gv": dot_text,
    }
    if file.suffix.lower() not in formats:
        raise GraphError(f"{file}: unknown suffix; known are {', '.join(formats)}")
    try:
        content = formats[file.suffix.lower()](graph)
        if isinstance(content, str):
            content = content.encode()
        with atomic_write(file) as out:
            out.write(content)
    except GraphError as error:
        raise GraphError(f"{file} cannot be written: {error}") from None
    except UnicodeEncodeError as error:
        raise GraphError(
            f"{file} cannot be written: {error.object[error.start]!r} cannot be encoded in UTF-8"
        ) from None
    except (OSError, ValueError) as error:
        raise GraphError(f"{file} cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _reader(file: Path) -> Callable[[Path], Graph]:
    readers: dict[str, Callable[[Path], Graph]] = {
        ".csv": lambda file: _from_csv(_text(file)),
        ".json": lambda file: _from_json(_text(file)),
        ".graphml": lambda file: _from_graphml(file.read_bytes()),
        ".dot": lambda file: from_dot(_text(file)),
        ".gv": lambda file: from_dot(_text(file)),
        ".bif": _from_bif,
        ".bif.gz": _from_bif,
    }
    if not file.exists():
        raise GraphError("there is no such file")
    if file.is_dir():
        raise GraphError("it is a directory, not a file")
    for suffix, reader in readers.items():
        if file.name.lower().endswith(suffix):
            return reader
    raise GraphError(f"unknown suffix; known are {', '.join(readers)}")


def _text(file: Path) -> str:
    content = file.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise GraphError(f"line {line}: byte 0x{content[error.start]:02x} is not UTF-8 text") from None


# ---- CSV


def _csv_text(graph: Graph) -> str:
    texts = texts_of(graph)
    if "" in texts.values():
        raise GraphError("an empty name cannot be written as CSV; take .json, .graphml or .dot")
    rows = [("source", "target", "type")]
    for kind, edges in zip(TYPES, (graph.directed, graph.undirected), strict=True):
        rows += [(texts[x], texts[y], kind) for x, y in edges]
    rows += [(texts[name], "", "node") for name in graph.isolated]
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
    found = GraphBuilder()
    for line, record in records:
        if len(record) != len(header):
            raise GraphError(f"line {line} has {len(record)} cells where the first line has {len(header)}")
        source, target, *kind = (record[i] for i in columns)
        _add_row(found, source, target, kind[0] if kind else None, f"line {line}")
    found.names = dict.fromkeys(sorted(found.names, key=str))
    return found.graph()


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line numbers and cells; blank lines are skipped."""
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
    """Return the positions of source, target and type, or of parent and child; None if the header has neither."""
    names = [name.strip().lower() for name in header]
    for wanted in (("source", "target", "type"), ("parent", "child")):
        if all(names.count(name) == 1 for name in wanted):
            return [names.index(name) for name in wanted]
    return None


def _add_row(found: GraphBuilder, source: str, target: str, kind: str | None, place: str) -> None:
    if kind is None:
        kind = "directed" if target else "node"
    kind = kind.strip().lower()
    if kind not in (*TYPES, "node"):
        raise GraphError(f"{place}: the type is {kind!r}; it has to be directed, undirected or node")
    if not source or (not target and kind != "node"):
        raise GraphError(f"{place}: the edge from {source!r} to {target!r} has an empty name")
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
    plain["names"] = encoded(plain["names"])
    spelled: dict[str, Hashable] = {}
    for name in graph.names:
        other = spelled.setdefault(json.dumps(encoded(name)), name)
        if other is not name:
            raise GraphError(f"the names {other!r} and {name!r} are the same in JSON")
    for edge in plain["edges"]:
        edge |= {"source": encoded(edge["source"]), "target": encoded(edge["target"])}
    for separated in plain["separating_sets"]:
        separated |= {key: encoded(separated[key]) for key in ("x", "y", "given")}
    for named in plain["copies"]:
        named |= {key: encoded(named[key]) for key in ("name", "copies")}
    return json.dumps(plain, default=str)


def _from_json(text: str) -> Graph:
    try:
        plain = json.loads(text)
    except json.JSONDecodeError as error:
        raise GraphError(f"line {error.lineno}: {error.msg}") from None
    if not isinstance(plain, dict) or "edges" not in plain:
        raise GraphError('a graph is a JSON object with "names" and "edges"')
    found = GraphBuilder()
    for name in _listed(plain, "names"):
        found.node(decoded(name))
    if len(found.names) < len(_listed(plain, "names")):
        raise GraphError("a name occurs twice in names")
    for number, edge in enumerate(_listed(plain, "edges"), start=1):
        _add_json_edge(found, edge, f"edge {number}")
    sets, copies = _listed(plain, "separating_sets"), _listed(plain, "copies")
    by_name = {"separating_sets": dict(map(_separated, sets)), "copies": dict(map(_copied, copies))}
    return found.graph(**by_name, **_provenance(plain))


def _listed(plain: dict[str, Any], key: str) -> list[Any]:
    value = plain.get(key, [])
    if not isinstance(value, list):
        raise GraphError(f'"{key}" is not a list')
    return value


def _add_json_edge(found: GraphBuilder, edge: Any, place: str) -> None:
    if not isinstance(edge, dict) or not {"source", "target", "type"} <= edge.keys() or edge["type"] not in TYPES:
        raise GraphError(f"{place}: an edge has a source, a target, and the type directed or undirected")
    found.edge(decoded(edge["source"]), decoded(edge["target"]), edge["type"], place, edge)


def _separated(item: Any) -> tuple[Edge, tuple[Hashable, ...]]:
    if not isinstance(item, dict) or not {"x", "y", "given"} <= item.keys() or not isinstance(item["given"], list):
        raise GraphError("a separating set has x, y and given, which is a list")
    return (decoded(item["x"]), decoded(item["y"])), tuple(map(decoded, item["given"]))


def _copied(item: Any) -> tuple[Hashable, tuple[Hashable, ...]]:
    if not isinstance(item, dict) or not {"name", "copies"} <= item.keys() or not isinstance(item["copies"], list):
        raise GraphError("copies are objects with a name and copies, which is a list")
    return decoded(item["name"]), tuple(map(decoded, item["copies"]))


def _provenance(plain: dict[str, Any]) -> dict[str, Any]:
    """Return how the graph was found, as far as the file has it."""
    found = {name: plain[name] for name in _PROVENANCE if name in plain}
    for name, value in found.items():
        if not isinstance(value, _PROVENANCE[name]):
            raise GraphError(f'"{name}" is {json.dumps(value):.80}, which is not a legal value')
    if "tests_by_size" in found:
        found["tests_by_size"] = tuple(found["tests_by_size"])
        if not all(isinstance(count, int) for count in found["tests_by_size"]):
            raise GraphError('"tests_by_size" has values that are not whole numbers')
    return found


# ---- GraphML


def _graphml(graph: Graph) -> bytes:
    import networkx as nx

    texts = texts_of(graph)
    for text in texts.values():
        if _NOT_IN_XML.search(text):
            raise GraphError(f"the name {text!r} has characters that XML forbids; take .json, .csv or .dot")
    written = nx.relabel_nodes(graph.to_networkx(), texts)
    for name, text in texts.items():
        if not isinstance(name, str):
            written.nodes[text][JSON_NAME] = json.dumps(encoded(name))
    out = io.BytesIO()
    nx.write_graphml_xml(written, out)
    return out.getvalue()


def _check_graphml(content: bytes) -> None:
    """Refuse what NetworkX would read as something else: a second graph, a node without a name, an edge given twice."""
    from xml.etree.ElementTree import fromstring

    root = fromstring(content)
    if (graphs := len(root.findall("{*}graph"))) > 1:
        raise GraphError(f"it has {graphs} graphs; a file may have one")
    names = [node.get("id") for node in root.iterfind(".//{*}node")]
    if None in names:
        raise GraphError("a node has no id")
    if len(set(names)) < len(names):
        raise GraphError(f"the node {max(names, key=names.count)!r} occurs twice")
    ends = [(edge.get("source"), edge.get("target")) for edge in root.iterfind(".//{*}edge")]
    if any(None in pair for pair in ends):
        raise GraphError("an edge has no source or no target")
    # In a directed graph edges both ways are an undirected edge.
    undirected = any(graph.get("edgedefault") == "undirected" for graph in root.iterfind("{*}graph"))
    seen: set[object] = set()
    for pair in ends:
        edge = frozenset(pair) if undirected else pair
        if edge in seen:
            raise GraphError(f"the edge from {pair[0]!r} to {pair[1]!r} occurs twice")
        seen.add(edge)


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _from_graphml(content: bytes) -> Graph:
    from xml.etree.ElementTree import ParseError

    import networkx as nx

    try:
        _check_graphml(content)
        read = nx.read_graphml(io.BytesIO(content))
    except ParseError as error:
        raise GraphError(f"line {error.position[0]}: not XML ({error})") from None
    except GraphError:
        raise
    except (nx.NetworkXError, LookupError, ValueError, TypeError) as error:
        raise GraphError(f"not GraphML that NetworkX can read: {str(error) or type(error).__name__}") from None
    names = {text: name_of(text, data.get(JSON_NAME)) for text, data in read.nodes(data=True)}
    return Graph.from_networkx(nx.relabel_nodes(read, names))


# ---- BIF


def _from_bif(file: Path) -> Graph:
    from climbfast.networks.bif import read_bif

    network = read_bif(file)
    return Graph(network.nodes, network.arcs)
