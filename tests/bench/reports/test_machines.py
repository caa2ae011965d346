"""The estimate for many machines, from invented rates and from a small run."""

from __future__ import annotations

from dataclasses import replace

import pytest

import climbfast as cf
from bench.reports.machines import (
    BITS_PER_SECOND,
    MEASURED_REPLICATES,
    THREADS,
    Pass,
    Record,
    Run,
    estimate,
    lines_of,
    page,
    repeated,
    sizes_of_calls,
    tasks_of,
    wider,
)
from tests.factories import draw_codes, quiet_codes

MEGABYTES = 1e6
RUN = Run("a run", (Pass(6_400, 3_200.0, 100 * MEGABYTES, 10 * MEGABYTES),), 2.0)


def test_every_task_is_in_one_call():
    for tasks, threads, seconds in ((1, 4, 1.0), (90, 2, 0.002), (5_000, 1_600, 0.5), (3, 1_600, 0.5)):
        sizes = sizes_of_calls(tasks, threads, seconds)
        assert sum(sizes) == tasks
        assert min(sizes) >= 1
    assert max(sizes_of_calls(90, 2, 0.002)) > 1


def test_work_is_divided_and_the_rest_is_not():
    one, many = (estimate(RUN, machines, 0.0) for machines in (1, 100))
    transfer = 100 * MEGABYTES * 8 / BITS_PER_SECOND
    assert one.seconds == pytest.approx(2 + 2 * transfer + 3_200 / THREADS)
    assert many.seconds == pytest.approx(2 + 9 * transfer + 3_200 / (100 * THREADS), rel=0.2)
    assert one.serial == many.serial == pytest.approx(2 + 2 * 10 * MEGABYTES * 8 / BITS_PER_SECOND)


def test_calls_cost_the_client():
    free, dear = (estimate(RUN, 100, seconds) for seconds in (0.0, 0.01))
    assert dear.serial == pytest.approx(free.serial + 0.01 * dear.calls)
    assert dear.seconds > free.seconds


def test_a_wider_table():
    run = Run("", (Pass(10, 4.0, 8.0, 8.0, is_quadratic=True), Pass(10, 4.0, 8.0, 8.0)), 1.0)
    twice = wider(run, 2 * 5_716, 100, 16)
    assert [each.work for each in twice.passes] == [16.0, 8.0]
    assert [each.sent for each in twice.passes] == [16.0, 16.0]
    assert twice.serial == 2.0
    assert twice.passes[1].tasks == tasks_of(2 * 5_716, 16)
    assert twice.passes[0].tasks > run.passes[0].tasks


def test_more_replicates():
    here = Pass(1, 10.0, 8.0, 8.0)  # of the first two, which the client searches
    few = Run("", (here, Pass(MEASURED_REPLICATES, 6.0 * MEASURED_REPLICATES, 8.0, 60.0)), 4.0)
    many = repeated(few, 100 * MEASURED_REPLICATES)
    assert many.passes[0] == replace(
        few.passes[1], tasks=100 * MEASURED_REPLICATES, work=600.0 * MEASURED_REPLICATES, returned=6_000.0
    )
    assert many.serial == pytest.approx(12 + 2 * 100)  # two replicates by the client, and counting


def test_a_run_that_is_recorded():
    data = quiet_codes(draw_codes([2, 3, 2, 4] * 4, 200, seed=2, lean=0.6))
    expected, record = dict(cf.markov_blankets(data, n_jobs=1, progress=False)), Record()
    with record.kept():
        assert dict(cf.markov_blankets(data, n_jobs=1, progress=False)) == expected
        assert len(record.passes) == 3
        cf.bootstrap(data, "blankets", replicates=3, n_jobs=1, progress=False)
    assert record.passes[-1].tasks == 1  # the third replicate; what it calls itself is in its work
    first, second = record.passes[:2]
    assert first.is_quadratic and not second.is_quadratic
    assert first.sent > data.codes.nbytes
    assert 0 < second.sent < data.codes.nbytes  # the pairs of the screen alone
    assert all(each.work > 0 and each.returned > 0 for each in record.passes)


def test_the_page():
    text = page(lines_of([lambda threads: RUN], 0.005))
    assert text.count("| a run |") == 3
    assert "5.0 ms" in text
