"""Cells in a file."""

from __future__ import annotations

from bench.accuracy.store import Store, key_of


def cell(method="best", **more):
    return {"method": method, "network": "alarm", "rows": 500, "seed": 1, "order": "random", "shd": 3} | more


def test_what_was_written_is_read_again(tmp_path):
    path = tmp_path / "new" / "cells.jsonl"
    store = Store(path)
    store.add(cell())
    store.add(cell(rows=2_000))
    again = Store(path)
    assert list(again) == [cell(), cell(rows=2_000)]
    assert key_of(cell()) in again
    assert key_of(cell("pc")) not in again


def test_a_line_that_a_stopped_run_left_unfinished_is_cut_off(tmp_path):
    path = tmp_path / "cells.jsonl"
    Store(path).add(cell())
    with path.open("a") as file:
        file.write('{"method": "be')
    store = Store(path)
    assert list(store) == [cell()]
    store.add(cell("pc"))
    assert list(Store(path)) == [cell(), cell("pc")]


def test_methods_are_forgotten(tmp_path):
    store = Store(tmp_path / "cells.jsonl")
    for method in ("best", "pc"):
        store.add(cell(method))
    store.forget({"best"})
    assert list(Store(store.path)) == list(store) == [cell("pc")]
