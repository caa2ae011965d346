"""Cuts that are kept, and applied to new rows."""

from __future__ import annotations

import datetime as dt
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import climbfast as cf
from climbfast.dataset import Discretizer
from climbfast.dataset.discretization.rules import Auto
from climbfast.errors import DataError, OptionError, UnknownColumnError
from tests.dataset.tables import cells, quiet_read
from tests.factories import quiet

RNG = np.random.default_rng(0)
FRAME = {
    "age": RNG.integers(18, 90, 100),
    "height": RNG.normal(170, 10, 100),
    "sex": RNG.choice(["f", "m"], 100),
    "day": [dt.date(2020, 1, 1) + dt.timedelta(days=int(d)) for d in RNG.integers(0, 900, 100)],
}


@pytest.mark.parametrize("numbers", ["auto", "mdlp:sex", {"age": [18, 35.5], "day": ["2020-12-31"], None: "width:3"}])
def test_it_has_the_cuts_of_the_data(numbers: Any) -> None:
    fitted = Discretizer(numbers).fit(FRAME)
    data = quiet(FRAME, numbers=numbers)
    assert fitted == data.discretizer
    assert fitted.cuts == data.cuts
    again = Discretizer.from_dict(json.loads(json.dumps(fitted.to_dict())))
    assert again == fitted and again.cuts == fitted.cuts
    assert pickle.loads(pickle.dumps(fitted)) == fitted
    assert pickle.loads(pickle.dumps(data)).cuts == data.cuts
    assert fitted.fit(FRAME) == fitted


def test_it_is_frozen_and_short() -> None:
    unfitted = Discretizer({"age": "quantile:2", None: "auto"})
    assert unfitted.numbers.default == Auto()
    assert unfitted.cuts is None
    assert repr(unfitted) == "<Discretizer: auto, 1 columns by name, not fitted>"
    fitted = unfitted.fit(FRAME)
    assert repr(fitted) == "<Discretizer: 3 columns cut, up to 3 levels>"
    assert unfitted.cuts is None
    assert fitted.levels("age") == quiet(FRAME, numbers=unfitted.numbers).levels["age"]
    with pytest.raises(AttributeError):
        fitted.cuts = {}  # type: ignore[misc]
    with pytest.raises(TypeError):
        fitted.cuts["age"] = ()  # type: ignore[index]


def test_a_dataset_without_cuts() -> None:
    data = quiet({"a": [0, 1, 1]})
    assert data.cuts == {}
    assert data.discretizer.transform({"a": [0, 7]}) == {"a": [0, 7]}
    assert cf.Discretizer.from_dict(data.discretizer.to_dict()) == data.discretizer


def test_copies_are_left_out_with_their_cuts() -> None:
    data = quiet({"a": FRAME["height"], "b": FRAME["height"], "c": FRAME["sex"]}, numbers="quantile:2")
    assert set(data.cuts) == {"a", "b"}
    assert set(data.without_copies.cuts) == {"a"}


def test_names_that_are_no_texts() -> None:
    array = RNG.normal(size=(50, 2))
    data = quiet(array, numbers={1: "quantile:2", 0: "mdlp:1"})
    assert Discretizer.from_dict(json.loads(json.dumps(data.discretizer.to_dict()))) == data.discretizer
    tuples = quiet({("a", 1): array[:, 0], ("a", 2): array[:, 1]}, numbers="quantile:2")
    assert Discretizer.from_dict(json.loads(json.dumps(tuples.discretizer.to_dict()))) == tuples.discretizer


def test_equal_ones_have_equal_hashes() -> None:
    rules = {"age": "quantile:2", "height": [160, 180]}
    fitted = Discretizer(rules).fit(FRAME)
    backwards = Discretizer(dict(reversed(rules.items()))).fit(FRAME)
    again = Discretizer.from_dict(fitted.to_dict())
    assert fitted == backwards == again
    assert {fitted, backwards, again} == {fitted}
    assert len({fitted, Discretizer(rules), Discretizer("auto")}) == 3


@pytest.mark.parametrize(("kind", "cuts"), [("number", ["2020-01-01"]), ("date", [1.5]), ("time", ["2020-01-01"])])
def test_cuts_of_another_kind_are_refused(kind, cuts) -> None:
    values = Discretizer("quantile:2").fit(FRAME).to_dict()
    values["cuts"] = [{"name": "age", "kind": kind, "cuts": cuts, "missing": []}]
    with pytest.raises(DataError, match=r"not the values of a Discretizer: column 'age' has .*, and its cuts are not"):
        Discretizer.from_dict(values)


def test_other_rows_are_read_at_its_cuts(tmp_path: Path) -> None:
    data = quiet(FRAME, numbers={None: "auto", "age": "quantile:4"}, missing_markers={"age": [99]}, missing="level")
    new = {"age": [99, 19, 200], "height": [169.5, None, 171.25], "sex": ["f", "m", "f"], "day": [FRAME["day"][0]] * 3}
    (tmp_path / "new.csv").write_text(pl.DataFrame(new).write_csv())
    for found in (
        quiet(new, numbers=data.discretizer, missing="level"),
        quiet_read(tmp_path / "new.csv", numbers=data.discretizer, missing="level"),
    ):
        assert found.cuts == data.cuts
        assert found.levels["age"] == (*data.discretizer.levels("age"), None)
        assert found.levels["day"] == data.levels["day"]
        assert cells(found, "age") == data.discretizer.transform(new)["age"]
        assert cells(found, "height") == data.discretizer.transform(new)["height"]
        again = quiet(new, numbers=found.discretizer, missing="level")
        assert again.fingerprint == found.fingerprint
        assert Discretizer.from_dict(found.discretizer.to_dict()) == found.discretizer


def test_other_rows_that_do_not_fit_its_cuts() -> None:
    data = quiet({"x": [0.5, 1.5, 2.5, 3.5], "c": [0.5] * 4, "y": [0, 1, 0, 1]}, numbers="quantile:2")
    for nothing in ([None, None], np.array([np.nan, np.nan]), pl.Series([None, None])):
        frame = {"x": nothing, "c": [0.5, 0.5], "y": [0, 1]}
        assert quiet(frame, numbers=data.discretizer, missing="level").levels["x"] == (*data.levels["x"], None)
        test_wise = quiet(frame, numbers=data.discretizer, missing="test-wise")
        assert test_wise.missing == {"x": 2} and test_wise.levels["x"] == data.levels["x"]
        with pytest.raises(DataError, match=r"missing values in 'x' \(2\)"):
            quiet(frame, numbers=data.discretizer)
    with pytest.raises(UnknownColumnError, match="no column named 'x'"):
        quiet({"c": [0.5, 0.5], "y": [0, 1]}, numbers=data.discretizer)
    with pytest.raises(DataError, match="column 'x' has text"):
        quiet({"x": ["a", "b"], "c": [0.5, 0.5], "y": [0, 1]}, numbers=data.discretizer)
    with pytest.raises(DataError, match="column 'z' has fractional numbers"):
        quiet({"x": [1, 2], "c": [0.5, 0.5], "z": [0.5, 1]}, numbers=data.discretizer)
    with pytest.raises(OptionError, match="numbers is a Discretizer without cuts"):
        quiet(FRAME, numbers=Discretizer("auto"))


def test_names_are_those_of_the_data() -> None:
    rng = np.random.default_rng(0)
    data = quiet({"x": rng.integers(1000, 90000, 500), "y": rng.integers(0, 2, 500)}, numbers="quantile:7")
    assert data.discretizer.levels("x") == data.levels["x"]
    again = Discretizer.from_dict(json.loads(json.dumps(data.discretizer.to_dict())))
    assert set(again.transform({"x": range(1000, 90000, 500)})["x"]) == set(data.levels["x"])
    exact = quiet({"x": [0.25, 0.5, 0.75], "y": [0, 1, 0]}, numbers={"x": [1 / 3]})
    assert exact.levels["x"][0] == f"(-inf, {1 / 3!r})"


def test_errors() -> None:
    with pytest.raises(OptionError, match=r"has no cuts yet; make one with fit\(\)"):
        Discretizer("auto").transform(FRAME)
    with pytest.raises(OptionError, match="the rules are"):
        Discretizer("kmeans")
    with pytest.raises(UnknownColumnError, match="no column named 'agee'; the nearest are 'age'"):
        Discretizer({"agee": "auto"}).fit(FRAME)
    with pytest.raises(UnknownColumnError, match="no column that is cut named 'sex'"):
        Discretizer("quantile:2").fit(FRAME).levels("sex")
    good = Discretizer("quantile:2").fit(FRAME).to_dict()
    short = good | {"cuts": [{**good["cuts"][0], "texts": []}]}
    for bad in ({}, short, good | {"numbers": "kmeans"}, good | {"cuts": [{"name": "a"}]}, good | {"columns": 3}):
        with pytest.raises(DataError, match="not the values of a Discretizer"):
            Discretizer.from_dict(bad)
    odd = {"name": "a", "kind": "color", "cuts": [1], "missing": []}
    with pytest.raises(DataError, match="a kind that is none of number, date"):
        Discretizer.from_dict(good | {"cuts": [odd]})
