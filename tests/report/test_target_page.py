"""The page of one target: complete in itself, in plain text, the same for the same result."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

import climbfast as cf
from climbfast.report.target_page import target_page
from tests.factories import quiet
from tests.report.pages import EVIL, EVIL_LEVEL, ODD_NAMES, check_page, in_another_order, odd_columns


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(2000, seed=1)


@pytest.fixture(scope="module")
def blanket(data):
    return cf.markov_blanket(data, "heart_disease")


@pytest.fixture(scope="module")
def page(blanket):
    return target_page(blanket)


def test_it_has_all_parts(page, blanket, data):
    elements = check_page(page)
    assert len(elements.of("svg")) == 1
    headings = ("Picture", "The members of the blanket", "Why is a column not here?", "What was done to the data")
    for heading in (*headings, "Settings, and how to make this page again"):
        assert heading in elements.text
    for name in data.names:
        assert name in elements.text
    assert "2 parents (direct causes), 4 children (direct effects) and 2 spouses" in elements.text
    assert "cf.markov_blanket(data, 'heart_disease')" in elements.text
    assert len(elements.of("article")) == len(blanket.members)


def test_report_writes_it(tmp_path, blanket, page, data):
    blanket.report(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == page
    read = pickle.loads(pickle.dumps(blanket))
    with pytest.raises(cf.OptionError, match="has no data"):
        read.report(tmp_path / "b.html")
    read.report(tmp_path / "b.html", data)
    assert (tmp_path / "b.html").read_text(encoding="utf-8") == page
    with pytest.raises(cf.OptionError, match=r"has the suffix \.html or \.htm"):
        blanket.report(tmp_path / "c.txt")
    with pytest.raises(cf.OptionError, match="of 2,000 rows, and these data have 100"):
        blanket.report(tmp_path / "c.html", cf.load_example().sample(100, seed=1))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.html", "b.html"]


def test_the_page_is_the_same_for_any_order_of_rows_and_columns():
    columns = odd_columns()
    columns["Größe"][:40] = [None] * 40
    pages = []
    for frame in (columns, in_another_order(columns)):
        blanket = cf.markov_blanket(quiet(frame, missing="test-wise"), "x,y")
        pages.append(target_page(replace(blanket, seconds=0.0)))
    assert pages[0] == pages[1]


def test_report_has_a_title_which_the_page_names_again(tmp_path, blanket):
    blanket.report(tmp_path / "a.html", title="Who's <ill>")
    elements = check_page((tmp_path / "a.html").read_text(encoding="utf-8"))
    assert elements.text.count("Who's <ill>") == 3  # the title, the heading, and the line of Python
    assert """blanket.report("report.html", title="Who's <ill>")""" in elements.text


def test_title_and_command_are_shown(blanket):
    elements = check_page(target_page(blanket, title="<Heart>", command="climbfast report x.csv", source="x.csv"))
    assert "<Heart>" in elements.text
    assert "climbfast report x.csv" in elements.text
    assert "cf.read('x.csv')" in elements.text


def test_names_and_levels_are_text():
    data = cf.Dataset.from_frame(odd_columns())
    for target in ODD_NAMES:
        blanket = cf.markov_blanket(data, target)
        assert blanket.members
        page = target_page(blanket)
        elements = check_page(page)
        assert "<script" not in page
        assert EVIL_LEVEL in elements.text
        assert "{{ 7 * 7 }}" in elements.text
        if target == EVIL:
            assert EVIL in elements.text
            assert f"What acts on “{EVIL}”, and what it acts on" in elements.text


@pytest.mark.parametrize(
    "options", [{"test": "g2"}, {"test": "cmi"}, {"method": "best"}, {"method": "iamb"}, {"max_given": 0}], ids=str
)
def test_every_method_has_a_page(data, options):
    check_page(target_page(cf.markov_blanket(data, "heart_disease", **options)))


def test_an_empty_blanket_has_a_page():
    random = np.random.default_rng(1)
    data = cf.Dataset.from_frame({"a": random.integers(0, 2, 100), "b": random.integers(0, 2, 100)})
    elements = check_page(target_page(cf.markov_blanket(data, "a")))
    assert "none was found to be close to a" in elements.text
    assert "No other column was found to depend on a beyond chance." in elements.text
    assert not elements.of("svg")  # there is nothing to draw
    alone = cf.Dataset.from_frame({"a": [0, 1] * 50})
    assert "There is no other column." in check_page(target_page(cf.markov_blanket(alone, "a"))).text


def test_missing_cells_weights_and_numbers_are_on_the_page():
    random = np.random.default_rng(5)
    x = random.normal(size=400)
    y = [None if random.random() < 0.1 else "high" if value + random.normal() / 2 > 0 else "low" for value in x]
    with pytest.warns(cf.ClimbfastWarning, match="cells are missing"):
        data = cf.Dataset.from_frame({"x": x, "y": y}, numbers={"x": [-1, 0, 1]}, missing="test-wise")
    text = check_page(target_page(cf.markov_blanket(data, "y"))).text
    assert f"{data.missing['y']} rows are left out" in text
    assert "below -1" in text
    assert "numbers, cut at -1, 0, 1" in text
    table = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "n": [400, 20, 30, 450]}
    weighed = cf.Dataset.from_frame(table, weights="n")
    text = check_page(target_page(cf.markov_blanket(weighed, "a"))).text
    assert "900 rows" in text
    assert "430 rows" in text


def test_frequencies_are_on_the_page(data):
    often = cf.bootstrap(data, "blanket", target="fatigue", replicates=4, progress=False, n_jobs=1)
    text = check_page(target_page(often.added_to(cf.markov_blanket(data, "fatigue")))).text
    assert "Found again" in text
    assert "of the 4 resampled tables" in text


def test_wide_data_have_a_small_page():
    random = np.random.default_rng(6)
    base = cf.load_example().sample(300, seed=2)
    frame = {name: base.codes[base.index(name)] for name in base.names}
    frame |= {f"column {i:05}": random.integers(0, 2, 300) for i in range(3000)}
    data = cf.Dataset.from_frame(frame)
    page = target_page(cf.markov_blanket(data, "heart_disease", min_bits="auto"))
    elements = check_page(page)
    assert elements.text.count("column 0") + elements.text.count("column 02999") >= 3000
    assert len(page) < 400_000
