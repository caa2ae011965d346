"""The tables of neighbors count what is in the data."""

from collections import Counter

import numpy as np
import pytest

import climbfast as cf
from climbfast.report import pair_counts as module
from climbfast.report.pair_counts import pair_counts
from climbfast.report.run_data import shown_names
from tests.factories import quiet


def blankets_of(*edges):
    """Blankets in which the second of two names is a child of the first."""
    children = {x: tuple(sorted(y for z, y in edges if z == x)) for x, _ in edges}
    return cf.Blankets([cf.Blanket(x, children=those) for x, those in children.items()])


@pytest.mark.parametrize("kind", ["complete", "missing", "weights"])
def test_counts_are_those_of_a_naive_loop(kind):
    rng = np.random.default_rng(3)
    columns = {name: [f"{name}{x}" for x in rng.integers(0, 3, 80)] for name in "ab"}
    options = {}
    times = [1] * 80
    if kind == "missing":
        columns = {name: [None if rng.random() < 0.2 else x for x in cells] for name, cells in columns.items()}
        options = {"missing": "test-wise"}
    if kind == "weights":
        times = rng.integers(1, 5, 80).tolist()
        columns["times"] = times
        options = {"weights": "times"}
    data = quiet(columns, **options)
    blankets = blankets_of(("b", "a"))
    found = pair_counts(blankets, data, shown_names(blankets))
    counts: Counter = Counter()
    for x, y, n in zip(columns["a"], columns["b"], times, strict=True):
        counts[x, y] += n
    assert found["levels"] == {0: ["a0", "a1", "a2"], 1: ["b0", "b1", "b2"]}
    assert found["tables"] == [[0, 1, [counts[f"a{i}", f"b{j}"] for i in range(3) for j in range(3)]]]


def test_a_pair_is_counted_once_and_only_with_few_levels():
    cells = [f"{x % 9}" for x in range(90)]
    data = quiet({"a": ["x", "y"] * 45, "b": ["u", "v", "v"] * 30, "many": cells, "one": ["same"] * 90})
    blankets = cf.Blankets(
        [
            cf.Blanket("a", children=("b", "many", "one")),
            cf.Blanket("b", parents=("a",), spouses=("many",)),
            cf.Blanket("one"),
        ]
    )
    names = shown_names(blankets)
    found = pair_counts(blankets, data, names)
    assert [[list(names)[x] for x in pair[:2]] for pair in found["tables"]] == [["a", "b"]]
    assert sum(found["tables"][0][2]) == 90


def test_without_data_or_with_too_much_there_are_no_tables(monkeypatch):
    data = quiet({"a": [0, 1] * 20, "b": [0, 1, 1, 1] * 10})
    blankets = blankets_of(("a", "b"))
    names = shown_names(blankets)
    assert pair_counts(blankets, data, names)
    assert pair_counts(blankets, None, names) == {}
    with monkeypatch.context() as patched:
        patched.setattr(module, "MOST_COUNTS", 3)
        assert pair_counts(blankets, data, names) == {}
    monkeypatch.setattr(module, "MOST_CELLS_READ", 39)
    assert pair_counts(blankets, data, names) == {}


def test_levels_are_shown_as_text():
    data = quiet({"a": ["x" * 50, None] * 20, "b": ["1\n2", "3"] * 20}, missing="level")
    found = pair_counts(blankets := blankets_of(("a", "b")), data, shown_names(blankets))
    assert [len(text) for text in found["levels"][0]] == [40, len("(missing)")]
    assert found["levels"][1] == [r"'1\n2'", "3"]
