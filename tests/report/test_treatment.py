import warnings

import numpy as np
import pytest

import climbfast as cf
from climbfast.report.labels import Labels
from climbfast.report.treatment import MOST_COLUMNS, treatment_facts
from tests.factories import quiet


@pytest.fixture(scope="module")
def data():
    rows = 60
    columns = {
        "age": [20.5 + i % 50 for i in range(rows)],
        "sex": [None if i % 12 == 0 else "fm"[i % 2] for i in range(rows)],
        "gender": [None if i % 12 == 0 else i % 2 for i in range(rows)],
        "country": ["CZ"] * rows,
        "id": [f"P{i}" for i in range(rows)],
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.ClimbfastWarning)
        return cf.Dataset.from_frame(columns, numbers={"age": [30, 40]}, missing="test-wise")


def test_what_was_done_is_said(data):
    facts = treatment_facts(data, ["age", "sex"], Labels(data.names))
    text = " ".join((*facts.sentences, *facts.warnings))
    assert "60 rows and 5 columns" in text
    assert "1 column of numbers was cut into intervals" in text
    assert "10 cells are missing in 2 columns" in text
    assert "can depend on it: country." in text
    assert "independent of all: id." in text
    assert "gender = sex. One of each group was searched." in text
    age, sex = facts.columns
    assert (age.levels, age.made, age.missing) == ("below 30, 30 to below 40, 40 or more", "numbers, cut at 30, 40", "")
    assert (sex.levels, sex.made, sex.missing) == ("f, m", "", "5 (8.3\u00a0%)")


def test_what_is_known_of_missing_cells_is_said():
    random = np.random.default_rng(3)
    kind, level = random.integers(0, 2, 600), random.integers(0, 2, 600)
    gone = (kind == 1) & (random.random(600) < 0.6)
    columns = {"kind": kind.tolist(), **{x: np.where(gone, None, level).tolist() for x in ("first", "x y")}}
    columns["x y"][0] = 1 - level[0]  # no copy of the first
    data = quiet(columns, missing="test-wise")
    text = " ".join(treatment_facts(data, [], Labels(data.names)).warnings)
    assert "Missing in the same rows more often than by chance: first and “x y”." in text
    assert "Whether first is missing depends on kind" in text


def test_a_clean_table_has_no_warnings():
    data = cf.load_example().sample(200, seed=1)
    facts = treatment_facts(data, ["ecg"], Labels(data.names))
    assert facts.warnings == ()
    assert facts.sentences[-1] == "No cell is missing in the table as it was searched."


def test_weights_and_missing_as_a_level_are_said():
    columns = {"x": ["a", "b", None], "y": ["u", "v", "u"], "n": [5, 7, 9]}
    data = cf.Dataset.from_frame(columns, weights="n", missing="level")
    text = " ".join(treatment_facts(data, ["x"], Labels(data.names)).sentences)
    assert "21 rows and 2 columns. It is a table of counts: 3 stored rows" in text
    assert "(missing)" in text


def test_of_very_many_columns_the_first_are_shown():
    data = cf.Dataset.from_frame({f"c{i}": [0, 1, i % 2, (i >> 1) % 2] for i in range(MOST_COLUMNS + 5)})
    facts = treatment_facts(data, data.sorted_names, Labels(data.names))
    assert (len(facts.columns), facts.more_columns) == (MOST_COLUMNS, 5)
