"""What results say of the data among their options."""

from __future__ import annotations

import datetime as dt
import json

from climbfast.dataset.treatment import Treatment


def test_options_are_as_json_has_them() -> None:
    cuts = {"a": (1, 2.5), 3: (dt.date(2020, 1, 1),), "c": ()}
    assert Treatment(cuts=cuts).options(["a", 3, "b"]) == {"cuts": {"a": [1, 2.5], "3": ["2020-01-01"]}}
    assert Treatment(cuts=cuts).options(["c"]) == {"cuts": {"c": []}}
    assert Treatment(cuts=cuts).options(["b"]) == Treatment().options(["a"]) == {}
    every = Treatment(is_test_wise=True, cuts=cuts).options(["a"])
    assert every == {"missing": "test-wise", "cuts": {"a": [1, 2.5]}}
    assert json.loads(json.dumps(every)) == every
