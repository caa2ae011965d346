"""Errors that say what, where, and what would be right, also from another process."""

from __future__ import annotations

import pickle

from climbfast.errors import UnknownColumnError


def test_an_unknown_column_survives_the_way_from_another_process():
    error = UnknownColumnError("smokin", ["smoking", "age"], kind="target")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.name, type(copy)) == (str(error), "smokin", UnknownColumnError)
