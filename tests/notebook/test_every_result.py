"""Every result shows itself in a notebook: short, with escaped text, and in any case."""

from __future__ import annotations

import inspect
import sys

import pytest

import climbfast as cf
from tests.notebook.results import EVIL, EVIL_LEVEL, check_html, odd_data, results_of

# Classes of climbfast that no cell ends with: settings, what computes, and a part of a blanket.
NO_RESULTS = {
    cf.AIC, cf.BIC, cf.BDeu, cf.CMI, cf.FNML, cf.G2, cf.QNML, cf.SCI, cf.X2,
    cf.ColliderEvidence, cf.LocalScores, cf.Score, cf.Test, cf.Tester,
}  # fmt: skip
WITH_PICTURE = {cf.Blanket, cf.Blankets, cf.Graph, cf.Network}


def result_classes() -> set[type]:
    classes = {found for found in (getattr(cf, name) for name in cf.__all__) if inspect.isclass(found)}
    return {found for found in classes if not issubclass(found, (Exception, KeyboardInterrupt))} - NO_RESULTS


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    data = cf.load_example().sample(2000, seed=1)
    journal = tmp_path_factory.mktemp("journal") / "run.journal"
    cf.markov_blankets(data, n_jobs=1, progress=False, journal=journal)
    found = results_of(data, "heart_disease", "ecg", "cholesterol")
    return found | {cf.JournalStatus: cf.journal_status(journal)}


@pytest.fixture(scope="module")
def odd_results():
    return results_of(odd_data(), EVIL, "年齢", "a\nb")


def test_there_is_a_result_of_every_class(results):
    assert set(results) == result_classes()  # a new one needs an example here, and _repr_html_


@pytest.mark.parametrize("kind", sorted(result_classes(), key=lambda kind: kind.__name__))
def test_it_shows_itself(results, kind):
    elements = check_html(results[kind]._repr_html_())
    assert len(elements.of("img")) == (kind in WITH_PICTURE)
    assert elements.of("table")
    if kind in WITH_PICTURE:
        assert "heart_disease" in elements.text


@pytest.mark.parametrize("kind", sorted(result_classes() - {cf.JournalStatus}, key=lambda kind: kind.__name__))
def test_names_and_levels_are_text(odd_results, kind):
    elements = check_html(odd_results[kind]._repr_html_())
    assert EVIL in elements.text
    if kind in (cf.Dataset, cf.Network, cf.Inspection):
        assert EVIL_LEVEL in elements.text
    assert len(elements.of("img")) == (kind in WITH_PICTURE)


@pytest.mark.parametrize("kind", sorted(WITH_PICTURE, key=lambda kind: kind.__name__))
def test_without_matplotlib_there_is_no_picture(results, kind, monkeypatch, recwarn):
    with_picture = results[kind]._repr_html_()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    without = results[kind]._repr_html_()
    assert not check_html(without).of("img")
    assert check_html(without).text == check_html(with_picture).text
    assert not recwarn.list


def test_what_cannot_be_shown_is_left_to_the_text(results, monkeypatch):
    monkeypatch.setattr(cf.Dataset, "rows", property(lambda self: 1 / 0))
    assert results[cf.Dataset]._repr_html_() is None
