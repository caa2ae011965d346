"""Merged levels of whole tables: which columns take part, and what does not matter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from climbfast.dataset.discretization import cutting, hartemink
from climbfast.dataset.discretization.cuts import NumericValues, even_cuts
from climbfast.errors import DataError
from tests.factories import quiet


def drawn(rows: int = 400, seed: int = 0) -> dict[str, Any]:
    """Numbers that lean on one hidden number, one of them beyond a kink, and a group."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=rows)
    return {
        "a": hidden + rng.normal(size=rows) / 3,
        "b": np.abs(hidden) + rng.normal(size=rows) / 3,
        "c": rng.normal(size=rows),
        "group": np.where(hidden > 1, "high", "low"),
    }


def even(cells: Any, levels: int) -> tuple[Any, ...]:
    values, counts = np.unique(cells, return_counts=True)
    return even_cuts(NumericValues("number", values), counts, levels)


def test_few_values_are_levels() -> None:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 600)
    frame = {
        "two": np.where(group, 0.5, 1.0),
        "three": rng.choice([0.5, 1, 1.5], 600),
        "zeros": np.where(rng.random(600) < 0.95, 0, rng.integers(1, 100, 600) + 0.5),
        "group": group,
    }
    for rule in ("auto", "hartemink:3"):
        levels = quiet(frame, numbers=rule).levels
        assert levels["two"] == ("(-inf, 0.75)", "[0.75, inf)")
        assert len(levels["three"]) == 3
        [cut] = quiet(frame, numbers=rule).cuts["zeros"]
        assert 0 < cut <= frame["zeros"][frame["zeros"] > 0].min()  # the zeros alone
        assert len(quiet({"three": frame["three"]}, numbers=rule).levels["three"]) == 3


def test_cuts_follow_dependence() -> None:
    frame = drawn(2000)
    cuts = quiet(frame, numbers="hartemink:2").cuts
    assert cuts["a"][0] == pytest.approx(1, abs=0.4)  # where the group changes, not the median
    assert {len(of_column) for of_column in cuts.values()} == {1}
    assert all(set(of_column) <= set(even(frame[name], 12)) for name, of_column in cuts.items())


def test_order_of_rows_and_columns_does_not_matter() -> None:
    frame = drawn()
    expected = quiet(frame, numbers="hartemink:3")
    order = np.random.default_rng(1).permutation(400)
    shuffled = {name: frame[name][order] for name in ("group", "c", "b", "a")}
    found = quiet(shuffled, numbers="hartemink:3")
    assert found.cuts == expected.cuts
    assert found.codes.tolist() == expected.codes[:, order].tolist()


def test_every_column_stops_at_its_own_number() -> None:
    numbers = {None: "hartemink:4", "a": "hartemink:2", "b": "quantile:5"}
    cuts = quiet(drawn(), numbers=numbers).cuts
    assert {name: len(of_column) + 1 for name, of_column in cuts.items()} == {"a": 2, "b": 5, "c": 4}
    assert cuts["b"] == quiet(drawn(), numbers="quantile:5").cuts["b"]


def test_ids_and_columns_of_many_levels_are_no_partners() -> None:
    frame = drawn()
    expected = quiet(frame, numbers="hartemink:3").cuts
    frame |= {"id": [f"n{i}" for i in range(400)], "place": [f"p{i % 65}" for i in range(400)]}
    assert quiet(frame, numbers="hartemink:3").cuts == expected
    assert quiet(frame | {"place": [f"p{i % 64}" for i in range(400)]}, numbers="hartemink:3").cuts != expected


def test_one_column_alone_has_even_levels() -> None:
    frame = {"a": drawn()["a"]}
    assert quiet(frame, numbers="hartemink:3").cuts == {"a": even(frame["a"], 3)}


def test_rows_that_are_missing_elsewhere_do_not_count() -> None:
    frame = drawn()
    frame["c"] = np.where(np.arange(400) < 100, np.nan, frame["c"])
    found = quiet(frame, numbers="hartemink:3", missing="level")
    assert found.levels["c"][-1] is None
    codes = [hartemink.Partner(np.array([0, 1, 2, 3, 4]), 4), hartemink.Partner(np.array([0, 0, 1, 1, 2]), 2)]
    assert hartemink.merge_levels(codes[:1], [2], codes[1:], None) == [[2]]


def test_a_table_that_is_too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = drawn()
    for limit in ("MOST_BYTES_OF_TABLES", "MOST_CELLS_COUNTED"):
        with monkeypatch.context() as patch:
            patch.setattr(cutting, limit, 1000)
            assert quiet(frame, numbers="auto").cuts == {name: even(frame[name], 3) for name in "abc"}
    monkeypatch.setattr(cutting, "MOST_BYTES_OF_TABLES", 1000)
    with pytest.raises(DataError, match=r"do not fit into 1 GB; cut them by numbers='quantile:3'"):
        quiet(frame, numbers="hartemink:3")
    some = quiet(frame, numbers={None: "auto", "c": "quantile:2"}).cuts
    assert some["a"] == even(frame["a"], 3)


def test_memory_of_the_tables() -> None:
    assert hartemink.bytes_of_tables([12, 12], [2]) == 8 * (12 * 12 + 2 * 12 * 2)
    assert hartemink.start_levels(3) == 12 and hartemink.start_levels(10) == 20
