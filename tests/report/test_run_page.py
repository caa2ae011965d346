"""The page of a run: what stands in it without its script."""

import json
import re
import shlex
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest

import climbfast as cf
from climbfast.cli import main
from climbfast.networks.sampling import frame
from climbfast.report import run_page as module
from climbfast.report.run_page import run_page
from climbfast.report.settings import run_again
from tests.report.runs import ATTACK, NAMES, data_with_odd_names, run_with_odd_names, wide_run

# Of the example network: the best graph of all its columns takes much longer.
FEW = ("age", "smoking", "blood_pressure", "cholesterol", "heart_disease", "chest_pain", "fatigue", "ecg")


class Parsed(HTMLParser):
    """The tags of a page, and the text of each script."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.scripts, self.text = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        inside = self.tags[-1][0] if self.tags else ""
        (self.scripts if inside == "script" else self.text).append(data)


def test_names_are_text_and_nothing_is_loaded():
    page = run_page(run_with_odd_names())
    parsed = Parsed(page)
    assert ATTACK not in page
    assert [attributes.get("type") for tag, attributes in parsed.tags if tag == "script"] == ["application/json", None]
    assert not any("src" in attributes for _, attributes in parsed.tags)
    links = {attributes.get("href", "#")[:1] for tag, attributes in parsed.tags if tag in ("a", "link", "use")}
    assert links <= {"#"}
    assert not any(name.startswith("on") for _, attributes in parsed.tags for name in attributes)
    texts = json.loads(parsed.scripts[0])["names"]
    assert set(NAMES) - {"a\nb", "1"} < set(texts)
    assert {repr("a\nb"), "1", "'1'"} < set(texts)


def test_what_was_left_out_around_hubs_is_said():
    data = cf.load_example().sample(500, seed=1)
    found = cf.markov_blankets(data, max_pool=2, n_jobs=1, progress=False)
    hubs = sum(blanket.bounded > 0 for blanket in found.values())
    assert hubs > 1
    assert run_page(found).count(f"neighbors of {hubs} targets") == 1
    assert "not all sets tried for" not in run_page(cf.markov_blankets(data, n_jobs=1, progress=False))


def test_only_its_own_script_is_allowed():
    import base64
    import hashlib

    page = run_page(run_with_odd_names())
    [script] = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    [policy] = [each["content"] for tag, each in Parsed(page).tags if each.get("http-equiv")]
    assert f"script-src 'sha256-{digest}'" in unescape(policy)
    assert "default-src 'none'" in policy


def test_the_script_makes_no_markup_of_data():
    script = module.rendered.__globals__["_inlined"]("run.js")
    assert script.startswith('"use strict";')
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|setTimeout\(|new Function", script)


def test_the_page_says_how_large_the_run_was_and_what_is_open():
    blankets = run_with_odd_names()
    text = " ".join(" ".join(Parsed(run_page(blankets)).text).split())
    assert "Markov blankets of 15 columns" in text
    assert "a table of 1,500 rows" in text
    assert f"{blankets.how['tests']:,} tests" in text
    pairs = {frozenset((target, x)) for target, each in blankets.items() for x in each.neighbors}
    assert f"{len(pairs)} pairs of neighbors" in text
    open_ones = [each for each in blankets.values() if each.unexplained]
    assert open_ones
    for name, bits in list(open_ones[0].unexplained.items())[:5]:
        assert f"({bits:,.1f} bits)" in text, name


def test_it_says_of_how_many_targets_the_blanket_was_not_checked():
    """No column is left open where the check saw nothing; where it could not look, the page says so."""
    checked = cf.Blanket("a", parents=("b",), strengths={"b": 20.0}, test="sci", rows=100, columns=2)
    nothing = "Nothing that the checks can see"
    assert nothing in run_page(cf.Blankets([checked]))
    page = run_page(cf.Blankets([replace(checked, rows_per_stratum=2.0)]))
    assert "Of 1 target it was not checked whether further columns depend on it" in page
    assert nothing not in page
    assert "strength 20 bits" in page  # in the legend of the picture


def test_the_strongest_edges_are_those_of_the_merged_graph():
    blankets = wide_run(200)
    graph = module._merged(blankets)
    edges = module._by_strength(graph)
    assert [graph.strengths[edge] for edge in edges] == sorted(graph.strengths.values(), reverse=True)
    part = module._strongest_part(graph)
    assert len(part.names) <= module.MOST_NODES
    assert set(part.directed) < set(graph.directed)
    assert edges[0] in part.directed
    assert set(part.names) == {name for edge in part.directed for name in edge}


def test_the_picture_of_few_columns_has_all_edges():
    graph = module._merged(run_with_odd_names())
    assert module._strongest_part(graph).edges == graph.edges
    pairs = cf.Blankets(
        [
            cf.Blanket(f"{x}{y}", undecided=(f"{x}{1 - y}",), strengths={f"{x}{1 - y}": x})
            for x in range(20)
            for y in (0, 1)
        ]
    )
    assert len(module._strongest_part(module._merged(pairs)).edges) == 20


def test_a_dense_picture_has_the_strongest_edges_only():
    names = [f"{x:02}" for x in range(40)]
    blankets = cf.Blankets(
        [
            cf.Blanket(
                x,
                undecided=(others := tuple(y for y in names if y != x)),
                strengths={y: int(x) * int(y) for y in others},
            )
            for x in names
        ]
    )
    part = module._strongest_part(module._merged(blankets))
    assert len(part.edges) == module.MOST_DRAWN
    assert ("38", "39") in part.edges
    assert min(part.strengths.values()) >= 700


def test_edges_of_some_targets_need_only_one_end():
    blankets = cf.Blankets([cf.Blanket("a", children=("b",), strengths={"b": 2.0}), cf.Blanket("c")])
    assert module._merged(blankets).undirected == (("a", "b"),)
    page = run_page(blankets)
    assert '<span class="name">b</span>' in page  # it is no target, so that there is no part to go to
    assert 'href="#target=a"' in page


def test_the_page_is_the_same_for_any_order_of_rows_and_columns(tmp_path):
    data = data_with_odd_names()
    frame = {name: [data.levels[name][code] for code in data.codes[data.index(name)]] for name in data.names}
    order = np.random.default_rng(1).permutation(data.rows).tolist()
    other = cf.Dataset.from_frame({name: [frame[name][row] for row in order] for name in reversed(frame)})
    pages = []
    for each in (data, other):
        blankets = cf.markov_blankets(each, n_jobs=1, progress=False)
        pages.append(run_page(cf.Blankets(blankets.found, {"tests": blankets.how["tests"]}, each)))
    assert pages[0] == pages[1]


def test_a_method_without_directions_has_neighbors():
    data = cf.load_example().sample(500, seed=1)
    page = run_page(cf.markov_blankets(data, method="iamb", n_jobs=1, progress=False))
    assert "direct causes and effects (neighbors)" in page
    assert '"directed":false' in page
    assert ">Undecided<" not in page


@pytest.mark.parametrize("test", ["g2", "cmi"])
def test_strengths_of_other_tests(test):
    data = cf.load_example().sample(500, seed=1)
    blankets = cf.markov_blankets(data, ["smoking", "heart_disease"], test=test, n_jobs=1, progress=False)
    page = run_page(blankets)
    assert {"g2": "p = ", "cmi": " bits per row</td>"}[test] in page
    assert "2 targets among the 15 columns" in page


def test_blankets_from_a_file_have_their_page_with_and_without_the_data(tmp_path):
    data = cf.load_example().sample(500, seed=1)
    blankets = cf.markov_blankets(data, n_jobs=1, progress=False)
    blankets.save(tmp_path / "run.jsonl")
    again = cf.read_blankets(tmp_path / "run.jsonl")
    again.report(tmp_path / "without.html")
    assert '"tables":' not in (tmp_path / "without.html").read_text(encoding="utf-8")
    again.report(tmp_path / "with.html", data)
    assert '"tables":' in (tmp_path / "with.html").read_text(encoding="utf-8")
    blankets.report(tmp_path / "run.html")
    assert '"tables":' in (tmp_path / "run.html").read_text(encoding="utf-8")


def test_what_cannot_be_a_page_is_refused(tmp_path):
    with pytest.raises(cf.OptionError, match="there are no blankets to report"):
        cf.Blankets([]).report(tmp_path / "run.html")
    with pytest.raises(cf.OptionError, match=r"run\.txt: a page has the suffix"):
        run_with_odd_names().report(tmp_path / "run.txt")
    other = cf.load_example().sample(10, seed=1)
    with pytest.raises(cf.OptionError, match="other data"):
        run_with_odd_names().report(tmp_path / "run.html", other)


def test_a_table_of_thousands_of_targets_is_data_and_not_markup():
    small, large = (run_page(wide_run(columns)) for columns in (300, 1_200))
    assert len(Parsed(large).tags) == pytest.approx(len(Parsed(small).tags), abs=20)
    assert len(large) < len(small) + 400 * (1_200 - 300)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"targets": ["smoking", "heart_disease"], "test": cf.G2(alpha=0.05)},
        {"method": "hiton-mb", "symmetry": "or", "max_given": 1},
        {"method": "best", "directions": "all"},
    ],
    ids=str,
)
def test_the_lines_of_python_make_the_page_again(options, tmp_path, monkeypatch):
    table = frame(cf.load_example(), 400, 1)
    (table.select(FEW) if options.get("method") == "best" else table).write_csv(tmp_path / "health.csv")
    monkeypatch.chdir(tmp_path)
    data = cf.read("health.csv")
    blankets = cf.markov_blankets(data, progress=False, **options)
    often = cf.bootstrap(data, "blankets", replicates=2, seed=1, progress=False, **options)
    blankets = often.added_to(blankets)
    scope: dict[str, object] = {}
    exec(run_again(blankets, data, source="health.csv").python, scope)
    assert scope["blankets"] == blankets
    assert "data = cf.read('DATA.csv')" in run_again(blankets, None).python

    def data_in(page):
        return re.search(r"<script type=.application/json.*?</script>", page, re.DOTALL)[0]

    made = data_in(run_page(blankets))
    assert data_in((tmp_path / "run.html").read_text(encoding="utf-8")) == made
    (tmp_path / "run.html").unlink()
    assert main(shlex.split(run_again(blankets, data, source="health.csv").command)[1:]) == 0
    assert data_in((tmp_path / "run.html").read_text(encoding="utf-8")) == made


def test_many_targets_are_not_named_one_by_one():
    data = cf.load_example().sample(400, seed=1)
    blankets = cf.markov_blankets(data, data.names[:-1], n_jobs=1, progress=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("climbfast.report.settings.MOST_TARGETS", 3)
        again = run_again(blankets, data)
    assert "cf.markov_blankets(data, targets=targets)" in again.python
    assert "targets, and the file targets.txt, stand for the names of the 14 targets." in again.notes
    assert "--targets @targets.txt" in again.command
