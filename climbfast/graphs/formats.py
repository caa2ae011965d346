"""Graphs as files: CSV, JSON, GraphML, DOT, and those of other programs, see ``climbfast.exchange``.

From a network its graph is read.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from climbfast.atomic_write import atomic_write
from climbfast.errors import (
    GraphError,
    Legal,
    MissingPackageError,
    NetworkError,
    Option,
    OptionError,
    UnknownColumnError,
)
from climbfast.graphs.csv_format import csv_text, from_csv
from climbfast.graphs.dot import dot_text, from_dot
from climbfast.graphs.edge_list import GraphBuilder, decoded, encoded
from climbfast.graphs.graph import Edge, Graph
from climbfast.graphs.graphml import from_graphml, graphml
from climbfast.graphs.marks import edge_type, marks_in
from climbfast.local.saving import PICTURES
from climbfast.names import name_text

__all__ = ["WRITTEN", "graph_content", "json_text", "read_graph", "save_graph"]

_PROVENANCE: dict[str, type | tuple[type, ...]] = {
    "method": str,
    "test_or_score": str,
    "options": dict,
    "figures": dict,
    "tests_by_size": list,
    "skipped": int,
    "rows": int,
    "fewest_rows": int,
    "columns": int,
    "seconds": (int, float),
    "version": str,
}


def read_graph(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002  # as `climbfast.read` has it
) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    path : str or path-like
        ``.csv`` with the columns ``source,target,type``, where the type is directed or undirected, or node for a line
        with a node alone; or with the columns ``parent,child``, where the child is empty for a node alone. A column
        ``names`` says how names are written: text, integer, json, or quoted. A column with marks, such as ``endpoints``
        with ``-->`` and ``---``, can stand for the type. Other columns are skipped; the separator is ``,``, ``;`` or
        tab.
        ``.json`` as ``Graph.to_json``, Cytoscape, NetworkX (node-link), Tetrad or andrey write it. ``.graphml``.
        ``.dot`` or ``.gv``, with at most 1,000,000 edges between groups such as ``{a b} -> {c d}``. ``.cyjs``, of
        Cytoscape. ``.dagitty`` and ``.lavaan``, models of these. ``.tetrad`` or ``.txt``, the text of Tetrad and
        causal-learn. ``.gml``. ``.bif`` or ``.bif.gz``, or another network that ``read_network`` reads, of which the
        DAG is read. ``.xml``, of Tetrad or a network. A pipe, such as ``/dev/stdin``, with its ``format``.
    format : {"csv", "json", "graphml", "dot", "gv", "cyjs", "dagitty", "lavaan", "tetrad", "txt", "xml", "gml", \
"bif", "bif.gz", "net", "dsl", "xdsl", "bifxml", "xmlbif", "uai"}, optional
        What the file is, whatever its suffix. Default: by its suffix.

    Returns
    -------
    Graph
        From CSV with the names sorted, from all others in the order of the file.

    Raises
    ------
    GraphError
        If the file cannot be read as a graph; the message names the file, and the line or the edge.

    Notes
    -----
    Edges of other programs are read by their marks: ``dir``, ``arrowhead`` and ``arrowtail`` of DOT, the arrows of yEd,
    and attributes such as ``type``, ``endpoints``, ``endpoint1`` or ``interaction``. An edge with a circle, with two
    arrows, or with marks that are not understood is an error, and so are GraphML with groups or entities. Where nodes
    are numbers and have names or labels, as those of igraph, yEd, causal-learn and pyAgrum, these are the names. The
    memory that is needed is proportional to the size of the file.

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
        return _reader(file, format)(file)
    except NetworkError as error:  # its message names the file
        raise GraphError(*error.parts) from None
    except (GraphError, UnknownColumnError) as error:
        raise GraphError(f"{name_text(file)}: ", *error.parts) from None
    except RecursionError:
        raise GraphError(f"{name_text(file)}: it is nested too deeply") from None
    except (OSError, ValueError) as error:  # a ValueError for a path with a null character
        raise GraphError(f"{name_text(file)}: {getattr(error, 'strerror', None) or error}") from None


def save_graph(
    graph: Graph,
    path: str | os.PathLike[str],
    *,
    columns: Hashable | Iterable[Hashable] | None = None,
    quote_formulas: bool = False,
) -> None:
    """Write a graph to a file, see ``Graph.save``."""
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix not in (*_WRITERS, *PICTURES):
        raise GraphError(f"{name_text(file)}: unknown suffix; known are {', '.join((*_WRITERS, *PICTURES))}")
    if columns is not None and suffix not in PICTURES:
        raise OptionError(
            Option("columns"), f" is for pictures; {name_text(file)} has the whole graph, as all {suffix} files"
        )
    try:
        content = _content(graph, suffix, columns, quote_formulas=quote_formulas)
        with atomic_write(file) as out:
            out.write(content)
    except GraphError as error:
        raise GraphError(f"{name_text(file)} cannot be written: {error}") from None
    except (OptionError, UnknownColumnError, MissingPackageError):  # which are a ValueError, too
        raise
    except (OSError, ValueError) as error:
        raise GraphError(f"{name_text(file)} cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _content(
    graph: Graph, suffix: str, columns: Hashable | Iterable[Hashable] | None, *, quote_formulas: bool
) -> bytes:
    if suffix in PICTURES:
        from climbfast import plots

        return plots.content(graph, suffix, columns)
    return graph_content(graph, suffix, quote_formulas=quote_formulas)


def graph_content(graph: Graph, suffix: str, *, quote_formulas: bool = False) -> bytes:
    """Return a graph as a file of this suffix has it.

    Raises
    ------
    GraphError
        For a name that cannot be written.
    """
    try:
        write = partial(csv_text, quote_formulas=quote_formulas) if suffix == ".csv" else _WRITERS[suffix]
        content = write(graph)
        return content if isinstance(content, bytes) else content.encode()
    except RecursionError:
        raise GraphError("a name is nested too deeply") from None
    except UnicodeEncodeError as error:
        raise GraphError(f"{error.object[error.start]!r} cannot be encoded in UTF-8") from None


def _reader(file: Path, form: str | None) -> Callable[[Path], Graph]:
    from climbfast.networks.files import SUFFIXES

    readers: dict[str, Callable[[Path], Graph]] = {
        ".csv": lambda file: from_csv(_text(file)),
        ".json": lambda file: _from_json(_text(file)),
        ".graphml": lambda file: from_graphml(file.read_bytes()),
        ".dot": lambda file: from_dot(_text(file)),
        ".gv": lambda file: from_dot(_text(file)),
        ".cyjs": lambda file: _from_json(_text(file)),
        ".dagitty": lambda file: Graph.from_dagitty(_text(file)),
        ".lavaan": lambda file: Graph.from_lavaan(_text(file)),
        ".tetrad": _from_tetrad_text,
        ".txt": _from_tetrad_text,
        ".gml": lambda file: _from_gml(_text(file)),
        **{suffix: partial(_from_network, suffix=suffix) for suffix in SUFFIXES},
        ".xml": _from_xml,
    }
    if form is not None and f".{form}" not in readers:
        raise GraphError(
            Option("format", form),
            " does not exist; use one of ",
            Legal(tuple(name[1:] for name in readers), quoted=True),
        )
    if not file.exists():
        raise GraphError("there is no such file")
    if file.is_dir():
        raise GraphError("it is a directory, not a file")
    if form is not None:
        return readers[f".{form}"]
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
    for against in plain["contradicted"]:
        against["names"] = encoded(against["names"])
    return json.dumps(plain, default=str)


def _from_json(text: str) -> Graph:
    try:
        plain = json.loads(text)
    except json.JSONDecodeError as error:
        raise GraphError(f"line {error.lineno}: {error.msg}") from None
    if (graph := _of_another_program(plain)) is not None:
        return graph
    if not isinstance(plain, dict) or "edges" not in plain:
        raise GraphError('a graph is a JSON object with "names" and "edges"')
    found = GraphBuilder()
    for name in _listed(plain, "names"):
        found.node(decoded(name))
    if len(found.names) < len(_listed(plain, "names")):
        raise GraphError("a name occurs twice in names")
    for number, edge in enumerate(_listed(plain, "edges"), start=1):
        _add_json_edge(found, edge, f"edge {number}", are_listed="names" in plain)
    sets, copies = _listed(plain, "separating_sets"), _listed(plain, "copies")
    by_name = {
        "separating_sets": dict(map(_separated, sets)),
        "copies": dict(map(_copied, copies)),
        "contradicted": dict(map(_contradicted, _listed(plain, "contradicted"))),
    }
    return found.graph(**by_name, **_provenance(plain))


def _of_another_program(plain: Any) -> Graph | None:
    """Return the graph if another program wrote the JSON."""
    from climbfast.exchange.andrey import from_andrey
    from climbfast.exchange.cytoscape import from_cytoscape, is_cytoscape
    from climbfast.exchange.tetrad import from_tetrad_json

    if plain and is_cytoscape(plain):
        return from_cytoscape(plain)
    if not isinstance(plain, dict):
        return None
    if "edgesSet" in plain:
        return from_tetrad_json(plain)
    if "structure_type" in plain:
        return from_andrey(plain)
    return _from_node_link(plain) if {"nodes", "directed", "multigraph"} <= plain.keys() else None


_IS_XMLBIF = re.compile(rb"<BIF[\s>]", re.IGNORECASE)
_OF_ITS_READERS = (LookupError, TypeError, AttributeError, ValueError)  # what NetworkX raises for other content


def _from_node_link(plain: dict[str, Any]) -> Graph:
    """Return the graph that NetworkX wrote as nodes and links."""
    import networkx as nx

    edges = "edges" if "edges" in plain else "links"
    try:
        graph = nx.node_link_graph(plain, edges=edges)
    except (nx.NetworkXException, *_OF_ITS_READERS) as error:
        raise GraphError(f"it is not a graph of NetworkX: {name_text(error)}") from None
    return Graph.from_networkx(graph)


def _listed(plain: dict[str, Any], key: str) -> list[Any]:
    value = plain.get(key, [])
    if not isinstance(value, list):
        raise GraphError(f'"{key}" is not a list')
    return value


def _add_json_edge(found: GraphBuilder, edge: Any, place: str, *, are_listed: bool) -> None:
    if not isinstance(edge, dict) or not {"source", "target"} <= edge.keys():
        raise GraphError(f"{place}: an edge has a source, a target, and the type directed or undirected")
    source, target = decoded(edge["source"]), decoded(edge["target"])
    if are_listed and not {source, target} <= found.names.keys():
        raise GraphError(f"{place}, from {source!r} to {target!r}: an end is not among names")
    marks = marks_in(edge, place)
    if marks is None:
        raise GraphError(f"{place}: an edge has a source, a target, and the type directed or undirected")
    found.edge(*edge_type(source, target, marks, place), place, edge)


def _separated(item: Any) -> tuple[Edge, tuple[Hashable, ...]]:
    if not isinstance(item, dict) or not {"x", "y", "given"} <= item.keys() or not isinstance(item["given"], list):
        raise GraphError("a separating set has x, y and given, which is a list")
    return (decoded(item["x"]), decoded(item["y"])), tuple(map(decoded, item["given"]))


def _copied(item: Any) -> tuple[Hashable, tuple[Hashable, ...]]:
    if not isinstance(item, dict) or not {"name", "copies"} <= item.keys() or not isinstance(item["copies"], list):
        raise GraphError("copies are objects with a name and copies, which is a list")
    return decoded(item["name"]), tuple(map(decoded, item["copies"]))


def _contradicted(item: Any) -> tuple[tuple[Hashable, ...], float]:
    if not isinstance(item, dict) or not isinstance(item.get("names"), list) or len(item["names"]) not in (2, 3):
        raise GraphError("what is contradicted has two or three names, and a strength")
    if not isinstance(item.get("strength"), int | float) or isinstance(item["strength"], bool):
        raise GraphError("the strength of what is contradicted is not a number")
    return tuple(map(decoded, item["names"])), float(item["strength"])


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


_WRITERS: dict[str, Callable[[Graph], str | bytes]] = {
    ".csv": partial(csv_text, quote_formulas=False),
    ".json": lambda graph: json_text(graph) + "\n",
    ".graphml": graphml,
    ".dot": dot_text,
    ".gv": dot_text,
    ".cyjs": lambda graph: _cytoscape_text(graph),
    ".dagitty": lambda graph: graph.to_dagitty(),
    ".lavaan": lambda graph: graph.to_lavaan(),
    ".tetrad": lambda graph: _tetrad_text(graph),
    ".txt": lambda graph: _tetrad_text(graph),
}
WRITTEN = tuple(_WRITERS)
"""The suffixes of files that ``Graph.save`` writes."""


# ---- Other programs, whose modules are imported when a file is theirs


def _cytoscape_text(graph: Graph) -> str:
    from climbfast.exchange.cytoscape import cytoscape_text

    return cytoscape_text(graph)


def _tetrad_text(graph: Graph) -> str:
    from climbfast.exchange.tetrad import tetrad_text

    return tetrad_text(graph)


def _from_tetrad_text(file: Path) -> Graph:
    from climbfast.exchange.tetrad import from_tetrad_text

    return from_tetrad_text(_text(file))


def _from_xml(file: Path) -> Graph:
    from climbfast.exchange.tetrad import from_tetrad_xml

    content = file.read_bytes()
    return _from_network(file, ".xml") if _IS_XMLBIF.search(content) else from_tetrad_xml(content)


def _from_gml(text: str) -> Graph:
    import networkx as nx

    try:
        graph = nx.parse_gml(text)
    except (nx.NetworkXException, *_OF_ITS_READERS) as error:
        raise GraphError(f"it is not GML that NetworkX reads: {name_text(error)}") from None
    return Graph.from_networkx(graph)


# ---- networks


def _from_network(file: Path, suffix: str) -> Graph:
    from climbfast.networks.bif import read_bif
    from climbfast.networks.files import FORMATS
    from climbfast.networks.foreign import read_foreign

    network = read_foreign(file, suffix) if suffix in FORMATS else read_bif(file)
    return Graph(network.nodes, network.arcs)
