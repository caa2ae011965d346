"""The tables of frequencies, from invented cells."""

from __future__ import annotations

import pytest

from bench.reports import confidence_page as page

EMPTY = [[0, 0, 0] for _ in range(10)]


def cell(scheme="bootstrap", network="n", replicates=100, edges=EMPTY, single=(8, 10, 20), auto=(9, 10, 20)):
    both = {"skeleton": list(single), "directed": list(single)}, {"skeleton": list(auto), "directed": list(auto)}
    return {
        "network": network, "rows": 500, "seed": 1, "search": "pc", "scheme": scheme, "replicates": replicates,
        "edges": edges, "directions": EMPTY, "single": both[0], "auto": both[1], "threshold": 0.5,
        "strict": both[1],
    }  # fmt: skip


def of_tenth(place, number, true, count):
    return [[number, true, count] if row == place else [0, 0, 0] for row in range(10)]


def test_cells_of_other_numbers_of_replicates_count_alike():
    cells = [cell(edges=of_tenth(6, 2, 1, 130)), cell(edges=of_tenth(6, 2, 2, 65), replicates=50)]
    assert page.pooled(cells, "edges")[6] == [4, 3, 2600]


def test_the_error_is_the_mean_distance_above_a_tenth():
    tenths = [list(row) for row in EMPTY]
    tenths[0] = [1000, 0, 50_000]  # does not count
    tenths[5] = [10, 8, 5_500]  # .55 and .8
    tenths[9] = [30, 30, 30_000]  # right
    assert page.calibration_error(tenths) == pytest.approx(100 * 2.5 / 40)
    assert page.calibration_error(EMPTY) == 0


def test_shares_of_few_edges_are_not_shown():
    table = page.reliability_table(
        [cell(edges=of_tenth(9, 10, 9, 1000)), cell("half", edges=of_tenth(9, 9, 9, 900))], "edges"
    )
    assert table.splitlines()[2:] == [
        "| pc | 500 | bootstrap | – | – | – | – | – | – | – | – | – | 90 |",
        "| pc | 500 | half | – | – | – | – | – | – | – | – | – | – |",
    ]


def test_consensus_stands_beside_the_single_run():
    (line,) = page.consensus_table([cell(), cell(network="m", auto=(5, 10, 20))]).splitlines()[2:]
    assert line == (
        "| pc | 500 | bootstrap | 80.0 / 40.0 | 70.0 / 35.0 | 70.0 / 35.0 | 80.0 / 40.0 | 70.0 / 35.0 | 70.0 / 35.0 |"
    )
    first, second = page.network_table([cell(), cell(network="m", auto=(5, 10, 20))]).splitlines()[2:]
    assert first == "| n | 500 | 80.0 / 40.0 | 90.0 / 45.0 | – | – | – | – |"
    assert second == "| m | 500 | 80.0 / 40.0 | 50.0 / 25.0 | – | – | – | – |"


def test_samples_of_one_network_are_pooled():
    first, second = page.samples_table([cell(), cell(auto=(5, 10, 20)), cell(network="m")]).splitlines()[2:]
    assert first == "| pc | n | 2 | 80.0 / 40.0 | 70.0 / 35.0 |"
    assert second == "| pc | m | 1 | 80.0 / 40.0 | 90.0 / 45.0 |"


def test_the_schemes_are_compared_where_all_are_measured():
    some = [cell(scheme, edges=of_tenth(5, 10, 8, 550)) for scheme in page.SCHEMES]
    table = page.calibration_table([*some, {**cell(), "rows": 2000}])
    assert table.splitlines()[2] == "| pc | 500 | 25.0 | 25.0 | 25.0 | 0.0 | 0.0 | 0.0 |"
    assert len(table.splitlines()) == 4


def test_fills_all_parts_of_the_page_and_draws(tmp_path):
    parts = ("reliability of edges", "reliability of directions", "calibration", "consensus", "consensus by network")
    file = tmp_path / "page.md"
    file.write_text("".join(f"<!-- {part} -->\n<!-- /{part} -->\n" for part in parts))
    page.fill_page([cell(edges=of_tenth(9, 10, 9, 1000))], file)
    assert file.read_text().count("| search | rows |") == 4
    page.draw([cell(edges=of_tenth(9, 10, 9, 1000))], tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 1000
