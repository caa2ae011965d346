"""Names in files: as they are where they can be, else as JSON."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import climbfast as cf
from climbfast.blankets.name_encoding import name_encoding_of
from tests.blankets.strategies import SUFFIXES


def test_names_stand_as_they_are_where_they_can():
    assert name_encoding_of(["a", "1", "two\nlines", '"']).kind == "text"
    assert name_encoding_of([1, -5, 2**63 - 1]).kind == "integer"
    for names in (["a", 1], [True], [1.5], [("a",)], [2**63], [-(2**63) - 1], ["cr\r"], ["\ud800"], [None]):
        assert name_encoding_of(names).kind == "json", names


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_names_from_numpy(folder, suffix):
    x, y = np.int64(7), (np.str_("a"), np.int64(2))
    cf.Blankets([cf.Blanket(x, parents=(y,), margins={y: np.float64(0.1)})]).save(folder / f"numpy{suffix}")
    (again,) = cf.read_blankets(folder / f"numpy{suffix}").found
    assert (again.target, again.parents, again.margins) == (7, (("a", 2),), {("a", 2): 0.1})


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_name_that_no_file_holds_is_refused(folder, suffix):
    day = pd.Timestamp("2020-01-01")
    with pytest.raises(cf.OptionError, match=r"Timestamp\('2020-01-01 00:00:00'\) is of type Timestamp; .*: rename it"):
        cf.Blankets([cf.Blanket("x", parents=(day,))]).save(folder / f"day{suffix}")
    assert not (folder / f"day{suffix}").exists()
