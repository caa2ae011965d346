"""GraphML of other programs: groups, marks, directions of single edges, entities."""

from __future__ import annotations

import networkx as nx
import pytest

import climbfast as cf
from climbfast.graphs.graphml import from_graphml

HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">'
KEY = '<key id="k" for="edge" attr.name="{}" attr.type="string"/>'
ABC = '<node id="a"/><node id="b"/><node id="c"/>'


def read(body: str, *, default: str = "directed", keys: str = "") -> cf.Graph:
    text = f'{HEAD}{keys}<graph edgedefault="{default}">{ABC}{body}</graph></graphml>'
    return from_graphml(text.encode())


def edge(marks: str = "", ends: str = 'source="a" target="b"', more: str = "") -> str:
    data = f'<data key="k">{marks}</data>' if marks else ""
    return f"<edge {ends} {more}>{data}</edge>"


def test_groups_are_refused_by_name():
    inner = '<node id="g"><graph edgedefault="directed"><node id="x"/><node id="y"/></graph></node>'
    with pytest.raises(cf.GraphError, match="the node 'g' holds a graph"):
        read(inner + edge())
    for other in ("<node id='g'><node id='x'/></node>", "<desc><edge source='a' target='b'/></desc>", "<hyperedge/>"):
        with pytest.raises(cf.GraphError, match="in a place where none is read"):
            read(other)


def test_single_edges_have_their_own_direction():
    graph = read(edge(more='directed="false"') + edge(ends='source="c" target="b"'))
    assert graph == cf.Graph("abc", [("c", "b")], [("a", "b")])
    assert read(edge(more='directed="true"'), default="undirected") == cf.Graph("abc", [("a", "b")])
    with pytest.raises(cf.GraphError, match="edge 1, from 'a' to 'b': directed is 'maybe'"):
        read(edge(more='directed="maybe"'))
    with pytest.raises(cf.GraphError, match="edgedefault is 'direct'; it is directed or undirected"):
        read(edge(), default="direct")


@pytest.mark.parametrize("name", ["endpoints", "type", "interaction"])
def test_marks_in_data(name):
    keys = KEY.format(name)
    assert read(edge("---"), keys=keys) == cf.Graph("abc", (), [("a", "b")])
    assert read(edge("&lt;--"), keys=keys) == cf.Graph("abc", [("b", "a")])
    assert read(edge("undirected") + edge("undirected", 'source="b" target="a"'), keys=keys) == cf.Graph(
        "abc", (), [("a", "b")]
    )
    with pytest.raises(cf.GraphError, match=r"edge 1, from 'a' to 'b': the edge .* has the marks 'circle' and 'arrow'"):
        read(edge("o-&gt;"), keys=keys)
    with pytest.raises(cf.GraphError, match="the edge from 'b' to 'a' occurs twice"):
        read(edge("directed") + edge("directed", 'source="b" target="a"'), keys=keys)


def test_the_default_of_a_key():
    keys = '<key id="k" for="edge" attr.name="endpoints" attr.type="string"><default>o-o</default></key>'
    assert read(edge("--&gt;"), keys=keys) == cf.Graph("abc", [("a", "b")])
    with pytest.raises(cf.GraphError, match="'circle' and 'circle'"):
        read(edge(), keys=keys)


def test_arrows_of_yed():
    def drawn(source: str, target: str) -> cf.Graph:
        arrows = f'<y:PolyLineEdge><y:Arrows source="{source}" target="{target}"/></y:PolyLineEdge>'
        return read(edge(arrows), keys='<key id="k" for="edge" yfiles.type="edgegraphics"/>')

    assert drawn("none", "standard") == cf.Graph("abc", [("a", "b")])
    assert drawn("delta", "none") == cf.Graph("abc", [("b", "a")])
    assert drawn("none", "none") == cf.Graph("abc", (), [("a", "b")])
    with pytest.raises(cf.GraphError, match="has the marks 'transparent_circle' and 'arrow'"):
        drawn("transparent_circle", "standard")


def test_entities_are_refused_before_they_are_expanded():
    laughs = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))
    for declared in (f'<!ENTITY e0 "ha">{laughs}', '<!ENTITY e11 SYSTEM "file:///etc/hostname">'):
        text = (
            f'<!DOCTYPE graphml [{declared}]>{HEAD}<graph edgedefault="directed"><node id="&e11;"/></graph></graphml>'
        )
        with pytest.raises(cf.GraphError, match=r"it declares the entity 'e(0|11)'"):
            from_graphml(text.encode())


def test_messages_escape_what_the_file_says():
    with pytest.raises(cf.GraphError) as refused:
        read(edge("\u202e\x85x"), keys=KEY.format("endpoints"))
    assert str(refused.value).isprintable()
    with pytest.raises(cf.GraphError) as refused:
        read("&\u2028;")
    assert str(refused.value).isprintable()


def test_data_without_its_key():
    with pytest.raises(cf.GraphError, match="data has the key 'k', which is not declared"):
        read(edge("x"))


def test_deep_files():
    deep = f"{HEAD}{'<a>' * 100_000}{'</a>' * 100_000}</graphml>"
    with pytest.raises(cf.GraphError, match="it has 0 graphs"):
        from_graphml(deep.encode())


def test_frequencies_are_numbers_for_networkx(tmp_path):
    graph = cf.Graph("ab", [("a", "b")], frequencies={("a", "b"): (0.75, 0.5)})
    graph.save(tmp_path / "graph.graphml")
    read = nx.read_graphml(tmp_path / "graph.graphml").edges["a", "b"]
    assert (read["frequency_edge"], read["frequency_direction"]) == (0.75, 0.5)
    assert cf.read_graph(tmp_path / "graph.graphml") == graph
