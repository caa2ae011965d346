"""How often each code occurs, by numpy and by a kernel."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast.dataset import cell_counts
from climbfast.dataset.cell_counts import count_cells


@pytest.mark.parametrize("many_rows", [0, 1 << 18])
@pytest.mark.parametrize(("cells", "size"), [([2, 0, 2, 255], 256), ([1, 3, 1], 2), ([1, 3, 1], 6), ([1, 3, 1], 300)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_counts(cells, size, dtype, many_rows, monkeypatch):
    monkeypatch.setattr(cell_counts, "MANY_ROWS", many_rows)
    array = np.array(cells, dtype)
    assert count_cells(array, size).tolist() == [cells.count(code) for code in range(max(size, max(cells) + 1))]
    assert count_cells(np.repeat(array, 2)[::2], size).tolist() == count_cells(array, size).tolist()
    assert array.flags.writeable
