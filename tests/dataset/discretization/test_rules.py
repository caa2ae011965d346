"""Rules as people write them."""

from __future__ import annotations

import datetime as dt
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

from climbfast.dataset.discretization.rules import (
    Auto,
    Cuts,
    Hartemink,
    Levels,
    Mdlp,
    Quantile,
    Refuse,
    Rules,
    Width,
    parse_rule,
    parse_rules,
)
from climbfast.errors import OptionError, UnknownColumnError
from tests.factories import quiet


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("refuse", Refuse()),
        ("levels", Levels()),
        ("auto", Auto()),
        ("quantile:4", Quantile(4)),
        ("width:5", Width(5)),
        ("hartemink:3", Hartemink(3)),
        ("mdlp:y", Mdlp("y")),
        ("mdlp:a:b", Mdlp("a:b")),
    ],
)
def test_a_rule_is_read_as_it_is_written(text: str, rule: Any) -> None:
    assert parse_rule(text) == rule
    assert str(rule) == text
    assert parse_rules(text) == Rules(rule)


def test_a_mapping_names_columns_and_all_others() -> None:
    rules = parse_rules({"age": [18, 35.5], "income": "quantile:4", None: "auto", ("a", 1): "levels"})
    assert rules.default == Auto()
    assert rules.rule_for("age") == Cuts((18, 35.5))
    assert rules.rule_for("height") == Auto()
    assert rules.forces("income") and not rules.forces("height") and not rules.forces(("a", 1))
    assert rules.cuts("height") and not rules.cuts(("a", 1))
    assert parse_rules({}).default == Refuse()
    assert parse_rules(rules) is rules
    assert pickle.loads(pickle.dumps(rules)) == rules


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ("quantile", "numbers is 'quantile'; the rules are refuse, levels, auto, quantile:4, width:5"),
        ("kmeans:3", "the rules are"),
        ("mdlp:", "the rules are"),
        ("quantile:1", "numbers is 'quantile:1'; a column is cut into 2 levels or more"),
        ("width:0", "2 levels or more"),
        ("width:1001", "1,000 levels at most"),
        ("quantile:²", "behind the colon stands a whole number of levels, as in quantile:4"),
        ("quantile:4.5", "behind the colon stands a whole number"),
        ("quantile:-4", "behind the colon stands a whole number"),
        (4, "numbers is 4; it is a rule"),
        (None, "numbers is None; it is a rule"),
        ({"age": 4}, "numbers for column 'age' is 4; it is a rule"),
        ({"age": "auto:3"}, "numbers for column 'age' is 'auto:3'; the rules are"),
        ({"age": []}, "the cuts of column 'age' are an empty list"),
        ({"age": [35, 18]}, "the cuts of column 'age' do not ascend: 35 stands before 18"),
        ({"age": [18, 18.0]}, "do not ascend"),
        ({"age": [18, "old"]}, "the cuts of column 'age' have 'old', which is not a number"),
        ({"age": [18, True]}, "have True, which is not a number"),
        ({"age": [18, None]}, "have None"),
        ({"age": [18, float("nan")]}, "have nan"),
        ({"age": [-np.inf, 18]}, "have -inf"),
        ({"age": [18, dt.date(2020, 1, 1)]}, "of several kinds"),
        ({None: [18, 35]}, "cuts are for one column by its name"),
    ],
)
def test_bad_rules_are_one_clear_sentence(numbers: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message) as error:
        parse_rules(numbers)
    assert "\n" not in str(error.value)


def test_cuts_are_plain_values() -> None:
    day, moment = dt.date(2020, 1, 31), dt.datetime(2020, 1, 31, 12)
    for given, cuts in [
        (np.array([1, 2]), (1, 2)),
        ([np.float32(0.5), 1], (0.5, 1)),
        (["2020-01-31"], (day,)),
        ([day, moment], (dt.datetime(2020, 1, 31), moment)),
        ([pd.Timestamp(moment), "2020-02-01"], (moment, dt.datetime(2020, 2, 1))),
        ([np.datetime64("2020-01-31T12:00")], (moment,)),
        (["08:30", dt.time(12)], (dt.time(8, 30), dt.time(12))),
    ]:
        found = parse_rules({"x": given}).rule_for("x")
        assert found == Cuts(cuts)
        assert [type(cut) for cut in found.cuts] == [type(cut) for cut in cuts]


def test_unknown_columns_are_refused_with_the_nearest_names() -> None:
    frame = {"age": [1.5, 2.5, 3.5], "sex": ["f", "m", "f"]}
    with pytest.raises(UnknownColumnError, match="no column named 'agee'; the nearest are 'age'"):
        quiet(frame, numbers={"agee": "auto"})
    with pytest.raises(UnknownColumnError, match="no column named 'sexx'; the nearest are 'sex'"):
        quiet(frame, numbers="mdlp:sexx")
    with pytest.raises(UnknownColumnError, match=r"no column named 'a\*'; the nearest are 'age'"):
        quiet(frame, numbers={"a*": "auto"})  # a name, and no pattern
    with pytest.raises(UnknownColumnError, match=r"no column named 'age\\x00'; the nearest are 'age'"):
        quiet(frame, numbers={"age\0": "auto"})


def test_the_text_of_a_number_names_a_target() -> None:
    array = np.array([[i, i >= 25] for i in range(50)])
    assert quiet(array, numbers={0: "mdlp:1"}).cuts == {0: (24.5,)}
