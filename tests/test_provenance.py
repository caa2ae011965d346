"""How a result was found: its tests, and what makes two results equal."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import pytest

import climbfast as cf
from climbfast.provenance import Provenance


def test_tests_are_those_of_all_sizes():
    found = Provenance(
        method="climb", tests_by_size=(10, 5, 1), skipped=2, rows=100, columns=7, fewest_rows=80, seconds=0.5
    )
    assert found.tests == 16
    assert json.loads(found.to_json()) == found.to_dict()
    assert found.to_dict() == {
        "method": "climb", "tests": 16, "tests_by_size": [10, 5, 1], "skipped": 2, "rows": 100, "columns": 7,
        "fewest_rows": 80, "seconds": 0.5, "version": cf.__version__,
    }  # fmt: skip


def test_results_that_differ_in_seconds_alone_are_equal():
    assert Provenance(seconds=1.0) == Provenance(seconds=2.0)
    assert Provenance(skipped=1) != Provenance(skipped=2)
    with pytest.raises(FrozenInstanceError):
        Provenance().rows = 1
