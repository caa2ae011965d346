"""Work in threads has the results and errors of work in turn."""

from __future__ import annotations

import threading

import pytest

from climbfast.dataset import threads
from climbfast.dataset.threads import CELLS_FOR_THREADS, in_shares, in_threads

CELLS = pytest.mark.parametrize("cells", [0, CELLS_FOR_THREADS])


@CELLS
def test_results_are_in_the_order_of_the_elements(cells):
    assert in_threads(lambda a, b: a - b, range(50), range(50, 0, -1), cells=cells) == list(range(-50, 50, 2))


@CELLS
def test_the_first_error_is_raised(cells):
    with pytest.raises(ValueError, match="'b'"):
        in_threads(int, ["1", "b", "c"], cells=cells)


@CELLS
@pytest.mark.parametrize("size", [0, 1, 3, 1_000])
def test_shares_are_all_numbers_once(cells, size):
    found = in_shares(lambda begin, end: list(range(begin, end)), size, cells=cells)
    assert [number for share in found for number in share] == list(range(size))


def test_few_cells_are_done_in_this_thread(monkeypatch):
    monkeypatch.setattr(threads, "threads", lambda: 2)
    here = threading.current_thread()
    assert in_threads(lambda _: threading.current_thread(), range(3), cells=CELLS_FOR_THREADS - 1) == [here] * 3
    assert here not in in_threads(lambda _: threading.current_thread(), range(3), cells=CELLS_FOR_THREADS)
    many = range(1 + CELLS_FOR_THREADS // threads.CELLS_OF_A_TASK)  # of few cells each
    assert {*in_threads(lambda _: threading.current_thread(), many, cells=CELLS_FOR_THREADS)} == {here}
    assert len(in_shares(lambda *_: 0, 9, cells=CELLS_FOR_THREADS - 1)) == 1
    assert len(in_shares(lambda *_: 0, 9, cells=CELLS_FOR_THREADS)) == 2
