"""Why columns are not in a blanket: every column has one reason, and its figures are those of the tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import climbfast as cf
from climbfast.report import absent
from climbfast.report.absent import absent_columns
from climbfast.report.labels import Labels
from climbfast.report.strengths import bits_text


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(2000, seed=1)


def names_in(found):
    explained = [each.name for each in (*found.unexplained, *found.explained)]
    lists = (found.more_unexplained, found.more_explained, found.independent, found.alike, found.forbidden)
    return sorted([*explained, *(name for names in lists for name in names), *(name for name, _ in found.copies)])


def test_every_column_has_one_reason(data):
    for options in ({}, {"method": "iamb"}, {"method": "best"}, {"test": "g2"}, {"max_given": 1}):
        blanket = cf.markov_blanket(data, "heart_disease", **options)
        found = absent_columns(blanket, data, Labels(data.names))
        outside = sorted(set(data.names) - {blanket.target, *blanket.members})
        assert names_in(found) == outside
        assert found.total == len(outside)
        assert found.by_members == (len(blanket.separating_sets) == 0)


def test_figures_are_those_of_the_tests(data):
    blanket = cf.markov_blanket(data, "heart_disease")
    found = absent_columns(blanket, data, Labels(data.names))
    assert [each.name for each in found.explained] == ["smoking", "weight", "diet", "lung_disease", "age", "exercise"]
    for each in found.explained:
        given = blanket.separating_sets[each.name]
        alone = cf.test(data, "heart_disease", each.name)
        conditional = cf.test(data, "heart_disease", each.name, given)
        assert (each.alone, each.conditional) == (bits_text(alone.strength), bits_text(conditional.strength))
        assert given and conditional.independent
    age = next(each for each in found.explained if each.name == "age")
    assert [stratum.label for stratum in age.strata] == [f"chest_pain = {x}" for x in ("none", "mild", "strong")]
    assert "By itself age depends on heart_disease" in age.sentence
    assert "Once chest_pain is known, it says nothing more" in age.sentence


def test_columns_without_a_separating_set_are_independent_by_themselves():
    random = np.random.default_rng(2)
    x = random.integers(0, 2, 500)
    frame = {"x": x, "y": np.where(random.random(500) < 0.9, x, 1 - x), "noise": random.integers(0, 2, 500)}
    data = cf.Dataset.from_frame(frame)
    found = absent_columns(cf.markov_blanket(data, "x"), data, Labels(data.names))
    assert (found.independent, found.explained) == (["noise"], [])


def test_unexplained_columns_are_named_with_their_bits(data):
    blanket = cf.markov_blanket(data, "heart_disease", max_given=0)
    spoiled = cf.Blanket("heart_disease", unexplained={"ecg": 12.5}, separating_sets={"ecg": ("chest_pain",)})
    found = absent_columns(spoiled, data, Labels(data.names))
    (ecg,) = found.unexplained
    assert (ecg.name, ecg.conditional, ecg.given) == ("ecg", "12.5\u00a0bits", "chest_pain")
    assert blanket.members


def test_constants_identifiers_copies_and_forbidden_columns_have_their_reason():
    random = np.random.default_rng(3)
    x = random.integers(0, 2, 300)
    y = np.where(random.random(300) < 0.8, x, 1 - x)
    frame = {
        "x": x, "x2": 1 - x, "y": y, "y2": [f"level {k}" for k in y], "same": [0] * 300,
        "id": [f"p{i}" for i in range(300)], "z": random.integers(0, 2, 300),
    }  # fmt: skip
    with pytest.warns(cf.ClimbfastWarning):
        data = cf.Dataset.from_frame(frame)
    blanket = cf.markov_blanket(data, "x", knowledge=cf.Knowledge(forbidden=[("x", "z"), ("z", "x")]))
    found = absent_columns(blanket, data, Labels(data.names))
    assert (found.alike, found.forbidden, found.copies) == (["id", "same"], ["z"], [("x2", "x")])
    assert found.independent == []
    of_copy = absent_columns(cf.markov_blanket(data, "x2"), data, Labels(data.names))
    assert ("x", "x2") not in of_copy.copies
    assert "y2" not in names_in(found)


def test_of_many_dependent_columns_few_are_tested_again(monkeypatch):
    random = np.random.default_rng(4)
    x = random.integers(0, 2, 400)
    through = np.where(random.random(400) < 0.9, x, 1 - x)
    frame = {"x": x, "through": through}
    for i in range(30):
        frame[f"c{i:02}"] = np.where(random.random(400) < 0.85, through, 1 - through)
    data = cf.Dataset.from_frame(frame)
    monkeypatch.setattr(absent, "MOST_EXPLAINED", 10)
    monkeypatch.setattr(absent, "MOST_WITH_BARS", 3)
    sets = {f"c{i:02}": ("through",) for i in range(30)}
    blanket = cf.Blanket("x", undecided=("through",), separating_sets=sets, method="climb")
    found = absent_columns(blanket, data, Labels(data.names))
    assert (len(found.explained), len(found.more_explained)) == (10, 20)
    assert sum(bool(each.strata) for each in found.explained) == 3
    assert found.more_explained == sorted(found.more_explained)
    alone = [cf.test(data, "x", each.name).strength for each in found.explained]
    assert alone == sorted(alone, reverse=True)
    assert min(alone) >= max(cf.test(data, "x", name).strength for name in found.more_explained)


def test_figures_of_a_custom_test_are_by_sci(data):
    class Custom:
        def __init__(self, tester):
            self.sweep, self.weakest = tester.sweep, tester.weakest
            self.tests_by_size = tester.tests_by_size

    blanket = cf.markov_blanket(data, "sleep", "iamb", Custom(cf.Tester(data, "g2")))
    assert not absent_columns(blanket, data, Labels(data.names)).is_own_test


def test_frequencies_of_columns_outside_are_named(data):
    shares = {"found": 0.25, "parent": 0.25, "child": 0.0, "undecided": 0.0, "spouse": 0.0}
    blanket = replace(cf.markov_blanket(data, "heart_disease"), frequencies={"smoking": shares})
    often = {each.name: each.often for each in absent_columns(blanket, data, Labels(data.names)).explained}
    assert (often["smoking"], often["weight"]) == ("25\u00a0%", "0\u00a0%")


def test_the_order_of_columns_decides_nothing(data):
    frame = {name: [data.levels[name][code] for code in data.codes[data.index(name)]] for name in data.names}
    turned = cf.Dataset.from_frame(dict(reversed(frame.items())))
    plain = cf.Dataset.from_frame(frame)
    found = [
        absent_columns(cf.markov_blanket(each, "heart_disease"), each, Labels(each.names)) for each in (plain, turned)
    ]
    assert found[0] == found[1]
