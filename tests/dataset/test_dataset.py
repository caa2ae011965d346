"""The frozen result: the same data whatever the order, told apart by every cell, and nearest names."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import climbfast as cf
from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import OptionError, UnknownColumnError
from tests.factories import quiet


def test_neither_row_nor_column_order_matters() -> None:
    table = pd.DataFrame(np.random.default_rng(2).choice(list("pqr"), (30, 4)), columns=list("dbca"))
    data = Dataset.from_frame(table)
    assert Dataset.from_frame(table[list("abcd")]).fingerprint == data.fingerprint
    turned = Dataset.from_frame(table[::-1])
    assert turned.levels == data.levels
    assert np.array_equal(turned.codes[:, ::-1], data.codes)


def test_fingerprints_tell_data_apart() -> None:
    table = np.random.default_rng(3).integers(0, 3, (1000, 20))
    base = pl.DataFrame(table, schema=[f"v{i}" for i in range(20)])
    table[500, 10] = (table[500, 10] + 1) % 3
    others = [
        pl.DataFrame(table, schema=base.columns),
        base.rename({"v3": "w3"}),
        base.with_columns(pl.col("v3") + 1),
        base.with_columns(pl.col("v3").cast(pl.String)),
        base.head(999),
    ]
    prints = {Dataset.from_frame(frame).fingerprint for frame in [base, *others]}
    assert len(prints) == 6
    assert Dataset.from_frame(base).fingerprint == Dataset.from_frame(base.clone()).fingerprint


def test_a_dataset_is_frozen_also_after_a_copy() -> None:
    data = Dataset.from_frame({"x": [0, 1], "y": ["a", "b"]})
    for same in (data, copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        assert same.fingerprint == data.fingerprint
        assert same.codes.flags.c_contiguous and not same.codes.flags.writeable
        assert not same.arity.flags.writeable and same.arity.dtype == np.int64
        with pytest.raises(TypeError):
            same.levels["x"] = ()  # type: ignore[index]
        with pytest.raises(AttributeError):
            same.names = ()  # type: ignore[misc]
    assert repr(data) == "<Dataset: 2 rows, 2 columns, up to 2 levels>"
    assert (data.rows, data.columns) == (2, 2)


def test_small_tables_are_data() -> None:
    for rows, columns in [(1, 1), (1, 5), (2, 1), (3, 40)]:
        table = np.arange(rows * columns).reshape(rows, columns)
        assert Dataset.from_frame(table).codes.shape == (columns, rows)


def test_an_unknown_name_gives_the_nearest() -> None:
    data = Dataset.from_frame({"smoking": [0, 1], "age": [1, 1]}, leave_out=["age"])
    with pytest.raises(UnknownColumnError, match="'smoking'"):
        data.index("smokng")
    with pytest.raises(UnknownColumnError):
        data.index(["smoking"])  # type: ignore[arg-type]


def test_the_import_brings_in_neither_polars_nor_narwhals() -> None:
    script = "import sys, climbfast.dataset; assert not {'polars', 'narwhals', 'pandas'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_options_of_reading_are_for_frames_and_spelled_right() -> None:
    data = Dataset.from_frame({"a": [0, 1, None]}, missing="level")
    assert as_dataset(data) is data
    assert as_dataset({"a": [0, 1, None]}, missing="level").fingerprint == data.fingerprint
    with pytest.raises(OptionError, match=r"^missing is an option for reading a frame; these data are already a Data"):
        as_dataset(data, missing="level")
    for table in (data, {"a": [0, 1]}):
        with pytest.raises(OptionError, match=r"^no option 'mising'; the nearest is 'missing'$"):
            as_dataset(table, mising="level")  # type: ignore[call-arg]


def test_missing_cells_and_weights_are_part_of_the_data() -> None:
    frame = {"x": [0, None, 1, 1], "y": ["a", "b", "b", "a"], "n": [1, 2, 3, 4]}
    data = quiet(frame, missing="test-wise", weights="n")
    for same in (data, copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        assert same.fingerprint == data.fingerprint
        assert (same.rows, same.missing, same.incomplete[same.index("x")]) == (10, {"x": 2}, True)
        assert not same.incomplete.flags.writeable
        assert same.weights is not None
        assert not same.weights.flags.writeable
    other = quiet({**frame, "x": [0, 1, None, 1]}, missing="test-wise", weights="n")
    assert other.fingerprint != data.fingerprint


def test_restricted_to_some_columns():
    data = cf.load_example().sample(300, seed=1)
    some = data.restricted_to([1, 4, 5])
    names = [data.canonical[i] for i in (1, 4, 5)]
    assert list(some.canonical) == names
    assert list(some.names) == [name for name in data.names if name in names]
    assert some.rows == data.rows
    for name in names:
        assert some.levels[name] == data.levels[name]
        assert (some.codes[some.index(name)] == data.codes[data.index(name)]).all()
        assert some.arity[some.index(name)] == data.arity[data.index(name)]
