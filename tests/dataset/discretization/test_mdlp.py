"""Cuts by a target: of which kind it is, and which rows count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from climbfast.errors import OptionError
from tests.factories import quiet
from tests.kernels.test_mdlp import naive_cuts


def drawn(rows: int = 300, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=rows), 2)
    y = np.where(rng.random(rows) < 0.9, (x > 0.4).astype(int) + (x > 1), rng.integers(0, 3, rows))
    return {"x": x, "y": y, "noise": rng.normal(size=rows)}


def naive(x: Any, y: Any) -> tuple[float, ...]:
    """The reference's cuts, in the middle between neighboring values."""
    values = np.unique(x)
    place = np.searchsorted(values, x)
    above = naive_cuts(place.tolist(), np.asarray(y).tolist())
    return tuple((values[high - 1] + values[high]) / 2 for high in above)


def test_cuts_are_those_of_the_reference() -> None:
    frame = drawn()
    cuts = quiet(frame, numbers="mdlp:y").cuts
    assert cuts["x"] == pytest.approx(naive(frame["x"], frame["y"]))
    assert len(cuts["x"]) == 2
    assert cuts["noise"] == ()
    assert quiet(frame, numbers="mdlp:y").levels["noise"] == ("(-inf, inf)",)


def test_order_of_rows_does_not_matter() -> None:
    frame = drawn()
    order = np.random.default_rng(1).permutation(300)
    shuffled = {name: frame[name][order] for name in ("y", "noise", "x")}
    assert quiet(shuffled, numbers="mdlp:y").cuts == quiet(frame, numbers="mdlp:y").cuts


def test_missing_cells_and_targets_are_left_out() -> None:
    frame = drawn()
    x, y = frame["x"].tolist(), frame["y"].tolist()
    x[:50] = [None] * 50
    y[50:90] = [None] * 40
    found = quiet({"x": x, "y": y}, numbers="mdlp:y", missing="level").cuts
    assert found["x"] == pytest.approx(naive(frame["x"][90:], frame["y"][90:]))


def test_a_numeric_target_needs_a_rule_of_its_own() -> None:
    frame = drawn()
    with pytest.raises(OptionError, match=r"'noise', the target of mdlp, has numbers of its own; give it a rule"):
        quiet(frame, numbers="mdlp:noise")
    with pytest.raises(OptionError, match="the target of mdlp"):
        quiet(frame, numbers={"x": "mdlp:noise", "noise": "mdlp:x"})
    frame["twin"] = frame["x"] * 2 + 1
    cuts = quiet(frame, numbers={"x": "quantile:3", "twin": "mdlp:x", "noise": "levels"}).cuts
    assert [2 * cut + 1 for cut in cuts["x"]] == pytest.approx(cuts["twin"], abs=0.05)


def test_midpoints_of_neighboring_floats() -> None:
    low = 1.0
    high = np.nextafter(low, 2)
    data = quiet({"x": [low, high] * 40, "y": ["a", "b"] * 40}, numbers={"x": "mdlp:y"})
    assert data.cuts["x"] == (high,)
    assert data.codes[data.index("x")].tolist() == [0, 1] * 40


def test_a_target_that_is_an_identifier_is_refused() -> None:
    frame = {"x": np.random.default_rng(0).normal(size=60), "id": [f"n{i}" for i in range(60)]}
    with pytest.raises(OptionError, match="column 'id', the target of mdlp, has about as many levels as rows"):
        quiet(frame, numbers="mdlp:id")
    with pytest.raises(OptionError, match="column 'id', the target of mdlp"):
        quiet(frame | {"id": range(60)}, numbers="mdlp:id")
    assert quiet(frame, numbers="mdlp:id", keep_ids=True).names == ("x", "id")
