"""Exponents and their report, from made-up times."""

from __future__ import annotations

import pytest

from bench.growth import report, tasks
from bench.growth.fit import fit
from bench.growth.tasks import CORE, TASKS, Point, Task, copies, core, typical
from bench.shared.marked_text import EVIDENCE


def line(task, axis, sizes, time):
    return [Point(task, axis, size, time(size), 2 * time(size)) for size in sizes]


def test_a_power_law_is_found_without_residual():
    (found,) = fit(line("screen", "columns", [50, 100, 400, 1_600], lambda m: 3 * m**1.7))
    assert (found.task, found.axis, found.sizes) == ("screen", "columns", (50, 100, 400, 1_600))
    assert (found.exponent, found.at_the_end) == (pytest.approx(1.7), pytest.approx(1.7))
    assert found.residual == pytest.approx(0, abs=1e-9)


def test_along_given_columns_the_factor_of_one_more_is_found():
    (found,) = fit(line("sweep", "given", range(5), lambda given: 7 * 3.0**given))
    assert (found.exponent, found.at_the_end) == (pytest.approx(3), pytest.approx(3))


def test_the_large_end_and_the_residual_tell_of_what_is_no_power_law():
    (found,) = fit(line("batch", "columns", [50, 100, 200, 400, 800, 1_600], lambda m: 100 * m + m**2))
    assert 1.2 < found.exponent < found.at_the_end < 2
    assert 0.05 < found.residual < 0.5


@pytest.fixture
def points():
    return [
        point
        for task in TASKS
        for axis in task.axes
        for point in line(task.name, axis, [1, 2, 3, 4], lambda size: 1.0 * size)
    ]


def test_points_come_back_from_their_file(points, tmp_path):
    report.write_points(points, tmp_path / "growth.csv")
    assert report.read_points(tmp_path / "growth.csv") == points


def test_every_exponent_has_a_sentence_on_what_it_should_be(points):
    growths = fit(points)
    page = report.results(growths)
    assert {(growth.task, growth.axis) for growth in growths} == {*report.EXPECTED}
    assert all(sentence in page for sentence in report.EXPECTED.values())
    assert {growth.task for growth in growths} == {*report.STYLE}


def test_what_is_measured_again_takes_the_place_of_what_was(points):
    new = line("hub", "children", [3, 5], lambda size: 9.0 * size)
    merged = report.merge(points, [*reversed(new), Point("gone", "rows", 1, 1.0, 1.0)])
    assert [point[:3] for point in merged if point.task != "hub"] == [p[:3] for p in points if p.task != "hub"]
    times = {point.size: point.times for point in merged if point.task == "hub"}
    assert times == {1: 1.0, 2: 2.0, 3: 27.0, 4: 4.0, 5: 45.0}
    assert report.merge(merged, []) == merged


def test_large_sizes_are_measured_once_and_only_if_asked_for(monkeypatch):
    calls = []
    hub = Task("hub", lambda data, _: lambda: calls.append(data.columns), {"children": (2,)}, {"children": (4,)})
    monkeypatch.setattr(tasks, "TASKS", (hub,))
    chosen = {("hub", "children")}
    assert [point.size for point in tasks.points(chosen, up_to=3)] == [2]
    assert len(calls) > 2
    calls.clear()
    assert [point.size for point in tasks.points(chosen, up_to=4)] == [2, 4]
    assert calls.count(1 + 4 + 100) == 1
    assert [point.size for point in tasks.points(chosen, least=3, up_to=4)] == [4]
    assert not [*tasks.points(set(), up_to=4)]


def test_the_table_has_a_row_a_task_and_a_column_an_axis(points):
    rows = report.table(fit(points)).splitlines()
    assert rows[2] == "| screen | 1.00 (1.00) | 1.00 (1.00) |  |  |  |"
    assert rows[-2:] == ["| sweep |  |  | × 1.58 (1.41) |  |  |", "| hub |  |  |  |  | 1.00 (1.00) |"]
    assert len(rows) == 2 + len(TASKS)


def test_the_report_in_use_is_that_of_the_kept_points():
    growths = fit(report.read_points(report.FOLDER / "growth.csv"))
    assert (report.FOLDER / "RESULTS.md").read_text(encoding="utf-8") == report.results(growths)
    assert report.table(growths) in (EVIDENCE / "growth.md").read_text(encoding="utf-8")


def test_wider_data_are_copies_of_one_network_sampled_one_by_one():
    data = copies(2 * CORE, 500)
    assert (data.columns, data.rows) == (2 * CORE, 500)
    first, second = (data.codes[data.index(f"{copy}-{core().nodes[3]}")] for copy in ("000", "001"))
    assert (first != second).any()
    assert typical() in data.names


def test_the_plot_is_drawn(points, tmp_path):
    pytest.importorskip("matplotlib", reason="of the extra bench")
    report.plot(points, fit(points), tmp_path / "growth.png")
    assert (tmp_path / "growth.png").read_bytes().startswith(b"\x89PNG")
