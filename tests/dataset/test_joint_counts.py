"""Joint counts of levels, and agreements of rows, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast.dataset import joint_counts
from tests.factories import draw_codes


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("columns", "rows"), [(3, 1), (5, 64), (7, 200), (40, 30)])
def test_joint_counts(monkeypatch: pytest.MonkeyPatch, columns: int, rows: int, *, weighted: bool) -> None:
    monkeypatch.setattr(joint_counts, "_AT_ONCE", 7)
    monkeypatch.setattr(joint_counts, "_ROWS_AT_ONCE", 50)
    codes = draw_codes([2 + x % 3 for x in range(columns)], rows, columns)
    sizes = [int(column.max()) + 2 for column in codes]  # one code that does not occur
    weights = np.random.default_rng(0).integers(1, 9, rows) if weighted else None
    one_hot = np.concatenate([column == np.arange(size)[:, None] for column, size in zip(codes, sizes, strict=True)])
    expected = (one_hot * (1 if weights is None else weights)) @ one_hot.T.astype(np.int64)
    some = list(range(0, len(one_hot), 2))
    found = list(joint_counts.joint_counts(codes, sizes, some, weights))
    assert np.concatenate([levels for levels, _ in found]).tolist() == some
    assert np.array_equal(np.concatenate([counts for _, counts in found]), expected[some])


@pytest.mark.parametrize(("columns", "rows"), [(3, 1), (5, 64), (70, 20)])
def test_agreements_of_rows(monkeypatch: pytest.MonkeyPatch, columns: int, rows: int) -> None:
    monkeypatch.setattr(joint_counts, "_AT_ONCE", 7)
    codes = draw_codes([2 + x % 3 for x in range(columns)], rows, columns)
    expected = (codes[:, :, None] == codes[:, None, :]).sum(axis=0)
    found = list(joint_counts.agreements_of_rows(codes, [5] * columns))
    assert [at.start for at, _ in found] == list(range(0, rows, 7))
    assert np.array_equal(np.concatenate([counts for _, counts in found]), expected)
