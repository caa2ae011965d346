from collections import Counter

import numpy as np
import pytest

import climbfast as cf
from climbfast.report.labels import Labels
from climbfast.report.shares import MOST_LEVELS, MOST_TARGET_LEVELS, shares, strata_of


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(500, seed=1)


def rows_of(data):
    return [
        {name: data.levels[name][data.codes[i, row]] for i, name in enumerate(data.canonical)}
        for row in range(data.codes.shape[1])
    ]


def test_bars_are_the_counts(data):
    found = shares(data, data.index("chest_pain"), data.index("heart_disease"))
    counts = Counter((row["chest_pain"], row["heart_disease"]) for row in rows_of(data))
    assert found.levels == ("no", "yes")
    assert [bar.label for bar in found.every_bar] == ["none", "mild", "strong", "all rows"]
    for bar in found.bars:
        assert [part.rows for part in bar.segments] == [counts[bar.label, level] for level in found.levels]
        assert sum(part.percent for part in bar.segments) == pytest.approx(100)
    assert (found.all_rows.rows, found.more_levels, found.missing) == (500, 0, 0)


def test_strata_split_the_rows(data):
    x, target, z = map(data.index, ("cholesterol", "heart_disease", "chest_pain"))
    strata = strata_of(data, x, target, [z], Labels(data.names))
    assert [stratum.label for stratum in strata] == ["chest_pain = none", "chest_pain = mild", "chest_pain = strong"]
    counts = Counter((row["chest_pain"], row["cholesterol"], row["heart_disease"]) for row in rows_of(data))
    for stratum, level in zip(strata, ("none", "mild", "strong"), strict=True):
        for bar in stratum.bars:
            assert [part.rows for part in bar.segments] == [counts[level, bar.label, value] for value in ("no", "yes")]
    assert sum(stratum.rows for stratum in strata) == 500
    others = [data.index(name) for name in ("age", "diet", "sleep")]
    assert strata_of(data, x, target, others, Labels(data.names)) == ()
    assert strata_of(data, x, target, [], Labels(data.names)) == ()


def test_weights_count_as_often_as_they_say(data):
    frame = {name: [row[name] for row in rows_of(data)] for name in ("chest_pain", "heart_disease", "fatigue")}
    counts = Counter(zip(*frame.values(), strict=True))
    weighed = {name: [row[i] for row in counts] for i, name in enumerate(frame)} | {"count": list(counts.values())}
    plain, table = cf.Dataset.from_frame(frame), cf.Dataset.from_frame(weighed, weights="count")
    assert table.codes.shape[1] < plain.codes.shape[1]
    of_both = [
        (
            shares(each, each.index("chest_pain"), each.index("heart_disease")),
            strata_of(
                each, *map(each.index, ("chest_pain", "heart_disease")), [each.index("fatigue")], Labels(each.names)
            ),
        )
        for each in (plain, table)
    ]
    assert of_both[0] == of_both[1]


def test_missing_cells_are_left_out_and_counted():
    x, y = ["a", "b", None, "a"] * 10, ["u", None, "v", "v"] * 10
    with pytest.warns(cf.ClimbfastWarning, match="cells are missing"):
        data = cf.Dataset.from_frame({"x": x, "y": y}, missing="test-wise")
    found = shares(data, data.index("x"), data.index("y"))
    assert [(bar.label, bar.rows) for bar in found.every_bar] == [("a", 20), ("b", 0), ("all rows", 20)]
    assert found.missing == 20
    assert found.bars[1].segments == ()


def test_many_levels_are_cut_down_to_the_most_frequent():
    random = np.random.default_rng(1)
    x = [f"x{k:02}" for k in range(40) for _ in range(k + 1)]
    y = [f"y{k:02}" for k in random.integers(0, 20, len(x))]
    data = cf.Dataset.from_frame({"x": x, "y": y})
    found = shares(data, data.index("x"), data.index("y"))
    assert [bar.label for bar in found.bars] == [f"x{k:02}" for k in range(40 - MOST_LEVELS, 40)]
    assert found.more_levels == 40 - MOST_LEVELS
    assert len(found.levels) == MOST_TARGET_LEVELS
    assert found.levels[-1] == "13 other levels"
    assert found.all_rows.rows == len(x)
    assert sum(part.rows for part in found.all_rows.segments) == len(x)


def test_numbers_are_intervals_in_words():
    data = cf.Dataset.from_frame({"x": [0.5, 1.5, 2.5, 3.5] * 5, "y": ["u", "v"] * 10}, numbers={"x": [1, 2]})
    found = shares(data, data.index("x"), data.index("y"))
    assert [bar.label for bar in found.bars] == ["below 1", "1 to below 2", "2 or more"]


def test_identifiers_have_one_bar():
    with pytest.warns(cf.ClimbfastWarning, match="id columns"):
        data = cf.Dataset.from_frame({"id": [f"p{i}" for i in range(50)], "y": ["u", "v"] * 25})
    assert [bar.rows for bar in shares(data, data.index("id"), data.index("y")).bars] == [50]
