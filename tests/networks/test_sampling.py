"""Forward sampling: right frequencies, reproducible, nothing impossible."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from climbfast.errors import OptionError
from climbfast.networks.network import Network
from climbfast.networks.sampling import _thresholds, draw, frame

STATES = {"a": ("x", "y", "z"), "b": ("no", "yes"), "c": ("u", "v", "w", "never")}
PARENTS = {"a": (), "b": (), "c": ("a", "b")}
TABLES = {
    "a": [0.2, 0.5, 0.3],
    "b": [0.9, 0.1],
    "c": [
        [[0.1, 0.2, 0.7, 0.0], [1.0, 0.0, 0.0, 0.0]],
        [[0.0, 0.5, 0.5, 0.0], [0.0, 1.0, 0.0, 0.0]],
        [[0.3, 0.3, 0.4, 0.0], [0.0, 0.0, 1.0, 0.0]],
    ],
}
GOLDEN = {"a": "011111021111", "b": "001000000000", "c": "221112002221"}


@pytest.fixture
def network() -> Network:
    return Network("three", STATES, PARENTS, TABLES)


def test_frequencies_fit_every_row_of_every_table(network):
    rows = 40_000
    codes = draw(network, rows, seed=7)
    for node, parents in PARENTS.items():
        shape = network.tables[node].shape
        counts = np.zeros(shape)
        np.add.at(counts, tuple(codes[name] for name in (*parents, node)), 1)
        expected = network.tables[node] * counts.sum(axis=-1, keepdims=True)
        assert (counts[expected == 0] == 0).all()
        free = expected > 0
        statistic = ((counts - expected)[free] ** 2 / expected[free]).sum()
        degrees = int(free.sum() - np.prod(shape[:-1], dtype=int))
        assert stats.chi2.sf(statistic, degrees) > 0.001, node


def test_parents_are_independent_of_each_other(network):
    codes = draw(network, 40_000, seed=7)
    table = np.zeros((3, 2))
    np.add.at(table, (codes["a"], codes["b"]), 1)
    assert stats.chi2_contingency(table).pvalue > 0.001


def test_a_seed_gives_the_same_rows_and_another_seed_gives_others(network):
    first, again, other = draw(network, 500, seed=1), draw(network, 500, seed=1), draw(network, 500, seed=2)
    assert all(np.array_equal(first[node], again[node]) for node in STATES)
    assert not np.array_equal(first["a"], other["a"])


def test_golden_rows(network):
    # The promise "on every machine": these were drawn once and must not change.
    codes = draw(network, 12, seed=2024)
    assert {node: "".join(map(str, column)) for node, column in codes.items()} == GOLDEN


def test_a_longer_sample_begins_with_the_shorter_one(network):
    short, long = draw(network, 100, seed=3), draw(network, 70_000, seed=3)  # more than two blocks
    assert all(np.array_equal(short[node], long[node][:100]) for node in STATES)


def test_order_of_nodes_and_of_parents_changes_nothing(network):
    turned = Network(
        "turned",
        {node: STATES[node] for node in ("c", "b", "a")},
        {"c": ("b", "a")},
        {"a": TABLES["a"], "b": TABLES["b"], "c": np.swapaxes(TABLES["c"], 0, 1)},
    )
    codes, other = draw(network, 1_000, seed=4), draw(turned, 1_000, seed=4)
    assert list(other) == ["c", "b", "a"]
    assert all(np.array_equal(codes[node], other[node]) for node in STATES)


def test_deterministic_tables_are_functions():
    states = {"a": ("0", "1", "2"), "b": ("0", "1", "2")}
    network = Network("copy", states, {"b": ("a",)}, {"a": [0.3, 0.3, 0.4], "b": np.eye(3)})
    codes = draw(network, 5_000, seed=0)
    assert np.array_equal(codes["a"], codes["b"])


@pytest.mark.parametrize("row", [[0.0, 1.0, 0.0], [0.0, 0.3, 0.0, 0.7, 0.0, 0.0], [1.0], [1.0, 0.0], [0.1] * 10])
@pytest.mark.parametrize("short_by", [0.0, 1e-4])
def test_the_extreme_numbers_draw_no_impossible_state(row, short_by):
    """A running sum may end below 1; the last possible state takes the rest, not an impossible one."""
    rows = np.array([row])
    rows[rows > 0] -= short_by
    thresholds = _thresholds(rows)[:, 0]
    for uniform in (0.0, np.nextafter(1.0, 0.0)):
        assert rows[0, int((uniform >= thresholds).sum())] > 0


def test_more_than_256_states_and_one_state():
    many = tuple(map(str, range(300)))
    network = Network("n", {"many": many, "one": ("x",)}, {}, {"many": np.full(300, 1 / 300), "one": [1.0]})
    codes = draw(network, 20_000, seed=5)
    assert set(codes["many"].tolist()) == set(range(300))
    assert set(codes["one"].tolist()) == {0}
    assert (codes["many"].dtype, codes["one"].dtype) == (np.uint16, np.uint8)


@pytest.mark.parametrize(("rows", "seed", "word"), [(0, 1, "rows"), (-5, 1, "rows"), (5, -1, "seed")])
def test_illegal_options_are_refused(network, rows, seed, word):
    with pytest.raises(OptionError, match=word):
        draw(network, rows, seed)


def test_the_frame_spells_the_codes(network):
    codes, spelled = draw(network, 200, seed=6), frame(network, 200, seed=6)
    assert spelled.columns == list(STATES)
    for node, states in STATES.items():
        assert spelled[node].cast(pl.String).to_list() == [states[code] for code in codes[node]]


def test_the_dataset_has_only_the_states_that_occur_and_does_not_warn(network):
    constant = Network("constant", {**STATES, "d": ("x", "y")}, PARENTS, {**TABLES, "d": [1.0, 0.0]})
    data = constant.sample(1_000, seed=1)
    assert (data.rows, tuple(data.names)) == (1_000, ("a", "b", "c", "d"))
    assert dict(data.levels) == {"a": ("x", "y", "z"), "b": ("no", "yes"), "c": ("u", "v", "w"), "d": ("x",)}
    assert constant.sample(1_000, seed=1).fingerprint == data.fingerprint


def test_a_name_is_no_pattern() -> None:
    one = Network("one", {"^a.*$": ("x", "y")}, {"^a.*$": ()}, {"^a.*$": [0.5, 0.5]})
    assert {*frame(one, 100, 1)["^a.*$"].to_list()} == {"x", "y"}
