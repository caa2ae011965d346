"""How often each code occurs, by numpy and by a kernel."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast.dataset import cell_counts
from climbfast.dataset.cell_counts import count_cells, count_few


@pytest.mark.parametrize("many_rows", [1, 1 << 18])
@pytest.mark.parametrize(("cells", "size"), [([2, 0, 2, 255], 256), ([1, 3, 1], 2), ([1, 3, 1], 6), ([1, 3, 1], 300)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_counts(cells, size, dtype, many_rows, monkeypatch):
    monkeypatch.setattr(cell_counts, "MANY_ROWS", many_rows)
    array = np.array(cells, dtype)
    assert count_cells(array, size).tolist() == [cells.count(code) for code in range(max(size, max(cells) + 1))]
    assert count_cells(np.repeat(array, 2)[::2], size).tolist() == count_cells(array, size).tolist()
    assert array.flags.writeable


@pytest.mark.parametrize("many_rows", [1, 1 << 18])
@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_counts_of_few(size, dtype, many_rows, monkeypatch):
    monkeypatch.setattr(cell_counts, "MANY_ROWS", many_rows)
    cells = [*range(size), 0, size - 1, 0]
    for given in (np.array(cells, dtype), np.repeat(np.array(cells, dtype), 2)[::2]):
        expected = [cells.count(code) for code in range(size)]
        assert count_few(given, size, is_complete=True).tolist() == expected
        assert count_few(given, size - 1, is_complete=False).tolist() == expected[:-1]
