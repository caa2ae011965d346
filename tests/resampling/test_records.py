"""What replicates find as rows, and the counts: against counting one by one."""

from __future__ import annotations

import math
import warnings
from functools import cache

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import climbfast as cf
from climbfast.resampling.records import ROLES, Records, count_members, count_pairs, of_blankets, of_graph
from climbfast.resampling.searches import records_of, search_named
from tests.resampling.replicates import counts_of_graphs, counts_of_members, margins_of_graphs, mean_and_spread

NAMES = ("a", "b", "c", "d")
PLACE = {name: i for i, name in enumerate(NAMES)}
PAIRS = [(x, y) for i, x in enumerate(NAMES) for y in NAMES[i + 1 :]]


@st.composite
def graphs(draw):
    directed, undirected, margins = [], [], {}
    for x, y in PAIRS:
        kind = draw(st.sampled_from(["none", "->", "<-", "--"]))
        if kind == "--":
            undirected.append((x, y))
        elif kind != "none":
            arc = (x, y) if kind == "->" else (y, x)
            directed.append(arc)
            if draw(st.booleans()):
                margins[arc] = draw(st.floats(0, 100))
    strengths = {edge: draw(st.floats(0, 9)) for edge in (*directed, *undirected) if draw(st.booleans())}
    return cf.Graph(NAMES, tuple(directed), tuple(undirected), margins=margins, strengths=strengths)


@st.composite
def blankets(draw, targets=NAMES):
    found = {}
    for target in targets:
        fields = {role: [] for role in ("parents", "children", "undecided", "spouses", "none")}
        for member in NAMES:
            if member != target:
                fields[draw(st.sampled_from(list(fields)))].append(member)
        del fields["none"]
        found[target] = cf.Blanket(target=target, **{role: tuple(names) for role, names in fields.items()})
    return found


def by_name(counts):
    ends = zip(counts.x.tolist(), counts.y.tolist(), strict=True)
    return {(NAMES[x], NAMES[y]): tuple(row) for (x, y), row in zip(ends, counts.counts.tolist(), strict=True)}


@given(st.lists(graphs(), max_size=6))
def test_edges_and_directions(found):
    counts = count_pairs([of_graph(graph, PLACE) for graph in found], 4)
    assert by_name(counts) == counts_of_graphs(found)
    ends = list(zip(counts.x.tolist(), counts.y.tolist(), strict=True))
    assert ends == sorted(ends)


@given(st.lists(graphs(), min_size=1, max_size=6))
def test_margins_and_strengths(found):
    counts = count_pairs([of_graph(graph, PLACE) for graph in found], 4)
    expected = counts_of_graphs(found)
    margins = margins_of_graphs(found, expected)
    for i, ends in enumerate(by_name(counts)):
        strengths = [graph.strengths[e] for graph in found for e in (ends, ends[::-1]) if e in graph.strengths]
        figures = (counts.margin[i], counts.margin_spread[i], counts.strength[i], counts.strength_spread[i])
        for figure, value in zip(figures, (*mean_and_spread(margins[ends]), *mean_and_spread(strengths)), strict=True):
            assert figure == pytest.approx(math.nan if value is None else value, nan_ok=True, abs=1e-6)


@given(st.lists(blankets(), min_size=1, max_size=5))
def test_members_by_role(found):
    counts = count_members([of_blankets(each.values(), PLACE) for each in found], 4)
    expected = {ends: tuple(roles.values()) for ends, roles in counts_of_members(found).items()}
    assert by_name(counts) == expected
    assert len(ROLES) == counts.counts.shape[1]


@given(st.lists(blankets(), min_size=1, max_size=5))
def test_pairs_of_blankets_are_those_that_both_ends_have(found):
    counts = count_pairs([of_blankets(each.values(), PLACE) for each in found], 4)
    merged = [cf.Blankets(each.values()).merge("and", "agreement", directions="all") for each in found]
    assert by_name(counts) == counts_of_graphs(merged)


@given(st.lists(blankets(("b",)), min_size=1, max_size=5))
def test_a_single_target_decides_alone(found):
    counts = count_pairs([of_blankets(each.values(), PLACE) for each in found], 4)
    merged = [cf.Blankets(each.values()).merge("or", "margin", directions="all") for each in found]
    assert by_name(counts) == counts_of_graphs(merged)


@given(st.one_of(graphs(), blankets(), blankets(()), blankets(("c",))))
def test_packed_and_unpacked(found):
    records = of_graph(found, PLACE) if isinstance(found, cf.Graph) else of_blankets(found.values(), PLACE)
    again = Records.unpack(*records.pack())
    assert again.ints.tolist() == records.ints.tolist()
    np.testing.assert_array_equal(again.floats, records.floats)
    assert (again.targets is None) == (records.targets is None)
    assert records.targets is None or again.targets.tolist() == records.targets.tolist()


@cache
def health(**gaps):
    """Two columns of the example twice, one of them with its levels renamed, and cells that are missing."""
    data = cf.load_example().sample(400, seed=3)
    columns = {name: data.codes[x].astype(int).tolist() for x, name in enumerate(data.canonical)}
    for name, share in gaps.items():
        columns[name] = [None if row % share == 0 else cell for row, cell in enumerate(columns[name])]
    columns["a copy"] = columns["sleep"]
    columns[7] = [f"level {9 - cell}" for cell in columns["smoking"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.ClimbfastWarning)
        return cf.Dataset.from_frame(columns, missing="test-wise" if gaps else "refuse")


@pytest.mark.parametrize("gaps", [{}, {"fatigue": 3, "ecg": 5}], ids=str)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"targets": ["a copy", "smoking", "cholesterol"]},
        {"orient": True, "min_margin": 3.0},
        {"symmetry": "and"},
        {"knowledge": {"required": [("diet", "ecg")], "forbidden": [("fatigue", "heart_disease")]}},
        {"test": "g2", "max_given": 1},
        {"method": "hiton-mb"},
        {"method": "pcmb"},
        {"method": "iamb"},
        {"method": "gs", "symmetry": "or"},
        {"method": "best"},
    ],
    ids=str,
)
def test_of_a_run_as_of_its_blankets(options, gaps):
    """The blankets are made to compare; with them the check is left out, which must change none of these figures."""
    data = health(**gaps)
    place = {name: i for i, name in enumerate(data.sorted_names)}
    run = cf.markov_blankets(data, n_jobs=1, progress=False, **_given(options))
    of_run = records_of(run, place)  # before its blankets are made
    expected = of_blankets(run.found, place)
    for found in (records_of(search_named("blankets")(data, _given(options)), place), of_run):
        assert len(found.ints) > 3
        assert found.ints.tolist() == expected.ints.tolist()
        np.testing.assert_array_equal(found.floats, expected.floats)
        assert found.targets.tolist() == expected.targets.tolist()


def _given(options):
    known = {name: cf.Knowledge(**lists) for name, lists in options.items() if name == "knowledge"}
    return {**options, **known}


class TestResults:
    def test_a_graph_of_networkx(self):
        records = records_of(nx.DiGraph([("b", "a"), ("c", "d"), ("d", "c")]), PLACE)
        assert records.ints.tolist() == [[1, 0, 0], [2, 3, 1]]

    def test_one_blanket(self):
        records = records_of(cf.Blanket(target="b", parents=("a",)), PLACE)
        assert (records.ints.tolist(), records.targets.tolist()) == ([[1, 0, 0]], [1])

    def test_a_run_with_a_target_that_is_no_column(self):
        data = cf.load_example().sample(100, seed=1)
        found = cf.markov_blankets(data, ["sleep"], n_jobs=1, progress=False)
        with pytest.raises(cf.GraphError, match="'sleep', which is no column"):
            records_of(found, PLACE)

    @pytest.mark.parametrize(
        "result", [cf.Graph(("a", "q"), (("a", "q"),)), cf.Graph(("q",)), cf.Blanket(target="a", spouses=("q",))]
    )
    def test_a_node_that_is_no_column(self, result):
        with pytest.raises(cf.GraphError, match="'q', which is no column"):
            records_of(result, PLACE)

    def test_something_else(self):
        with pytest.raises(cf.GraphError, match="int is not a graph"):
            records_of(3, PLACE)
