"""Blankets and neighbors in a notebook."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import climbfast as cf
from tests.notebook.results import check_html


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(2000, seed=1)


def names(number: int) -> tuple[str, ...]:
    return tuple(f"c{i:03d}" for i in range(number))


class TestBlanket:
    def test_members_and_how_they_were_found(self, data):
        text = check_html(cf.markov_blanket(data, "heart_disease")._repr_html_()).text
        assert text.startswith("Markov blanket of heart_disease : 2 parents, 4 children, 2 spouses")
        assert "ecg child 166.9\u00a0bits weighed: 153.6\u00a0bits" in text
        assert "sleep spouse 34.6\u00a0bits by fatigue" in text
        assert "climb by sci; 2,000 rows, 15 columns; 348 tests" in text
        assert "replicates" not in text

    def test_frequencies(self, data):
        sure = cf.bootstrap(data, "blanket", target="fatigue", replicates=5, n_jobs=1, progress=False)
        text = check_html(sure.added_to(cf.markov_blanket(data, "fatigue"))._repr_html_()).text
        assert "replicates with it" in text
        assert "100\u00a0%" in text

    def test_what_is_open(self):
        found = cf.Blanket("t", undecided=("u",), unexplained={"x": 12.3}, copies={"u": ("v",)})
        text = check_html(found._repr_html_()).text
        assert text.startswith("Markov blanket of t : 1 undecided")
        assert "Incomplete: x (12.3 bits)" in text
        assert "Copies: u = v" in text

    def test_an_empty_one(self):
        elements = check_html(cf.Blanket("t")._repr_html_())
        assert elements.text == "Markov blanket of t : empty"
        assert not elements.of("img")

    @pytest.mark.parametrize("number", [59, 60])
    def test_no_picture_of_a_large_one(self, number):
        html = cf.Blanket("t", children=names(number))._repr_html_()
        assert len(check_html(html).of("img")) == (number < 60)
        assert f"and {number - 20} more" in check_html(html).text


def test_neighbors_by_strength(data):
    text = check_html(cf.neighbors(data, "heart_disease", test="g2")._repr_html_()).text
    assert text.startswith("Neighbors of heart_disease : 7 neighbors neighbor strength chest_pain p = ")
    assert "getpc by g2" in text
    assert "not all sets tried" not in text


@pytest.mark.parametrize("search", [cf.neighbors, cf.markov_blanket])
def test_what_was_left_out_around_a_hub(data, search):
    found = search(data, "heart_disease", max_pool=2)
    text = check_html(found._repr_html_()).text
    assert f"; not all sets tried (max_pool): {found.bounded} neighbors" in text
    assert check_html(cf.NeighborSet("t")._repr_html_()).text == "Neighbors of t : 0 neighbors"


class TestBlankets:
    def test_targets_and_roles(self, data):
        found = cf.markov_blankets(data, n_jobs=1, progress=False)
        text = check_html(found._repr_html_()).text
        assert text.startswith("Markov blankets : 15 targets target parents children undecided spouses")
        assert "fatigue heart_disease and sleep" in text
        assert f"{found.how['tests']:,} tests" in text

    def test_of_many_targets_only_the_first_are_made(self):
        rng = np.random.default_rng(0)
        table = {name: rng.integers(0, 2, 100) for name in names(300)}
        found = cf.markov_blankets(table, min_bits="auto", n_jobs=1, progress=False)
        html = found._repr_html_()
        assert len(found.by_target._unpacked) == 20
        assert not check_html(html).of("img")
        assert "and 280 more" in check_html(html).text
        assert "blankets.plot(name)" in check_html(html).text
        assert len(html) < 20_000

    def test_few_targets_with_many_neighbors_have_no_picture(self):
        found = cf.Blankets([cf.Blanket("t", children=names(60))])
        html = check_html(found._repr_html_())
        assert not html.of("img")
        assert "c000, c001, c002, c003, c004 and 55 more" in html.text

    def test_without_edges_or_targets(self):
        assert not check_html(cf.Blankets([cf.Blanket("t")])._repr_html_()).of("img")
        assert check_html(cf.Blankets([])._repr_html_()).text == "Markov blankets : 0 targets"

    def test_the_order_of_columns_does_not_matter(self, data):
        found = cf.markov_blankets(data, n_jobs=1, progress=False)
        blankets = [replace(blanket, data=None) for blanket in found.values()]
        assert cf.Blankets(blankets)._repr_html_() == cf.Blankets(blankets[::-1])._repr_html_()
