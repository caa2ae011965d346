"""What is timed, on data whose rows and columns grow while everything else about them stays."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple

from bench.shared import factories
from bench.shared.calibrated_clock import single, window
from bench.shared.factories import load_bitmaps
from bench.shared.sparse_networks import sparse_network
from climbfast import ClimbfastWarning, Dataset, Network, Tester, markov_blanket, markov_blankets
from climbfast import neighbors as neighbors_of
from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.screen import ScreenResult, ScreenWorker, units_of_screen
from climbfast.local.compiled import getpcd_each
from climbfast.networks.sampling import draw

CORE = 50  # columns of the network that wider data have several independent copies of
ROWS = (1_000, 2_000, 4_000, 8_000, 16_000)
COLUMNS = (50, 100, 200, 400, 800)
MORE_ROWS = (*ROWS, 32_000, 64_000, 128_000)  # of what takes milliseconds
MORE_COLUMNS = (*COLUMNS, 1_600, 3_200, 6_400)
GIVEN = (2, 3, 4, 5)  # with fewer, the many false neighbors make the partition all there is to measure
CHILDREN = (20, 40, 80, 160, 300)
PARENTS = (1, 2, 3, 4, 5)
LARGE_ROWS, LARGE_COLUMNS = (1_000_000, 10_000_000), (25_000, 100_000)
LARGE_CHILDREN = (600, 1_000)
OF_ROWS, OF_COLUMNS = 100, 2_000  # columns while the rows grow, rows while the columns grow
OF_GIVEN = OF_PARENTS = (100, 8_000)
OF_CHILDREN = 2_000  # rows

Call = Callable[[], object]


@dataclass(frozen=True)
class Task:
    """What is timed, as a function of data and most given columns, and the sizes along each axis.

    The large sizes are measured if they are asked for, each in one call.
    """

    name: str
    prepare: Callable[[Dataset, int], Call]
    axes: Mapping[str, tuple[int, ...]]
    large: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


class Point(NamedTuple):
    """One measurement: multiples of the bare loop, and milliseconds."""

    task: str
    axis: str
    size: int
    times: float
    ms: float


@cache
def core(in_degree: int | tuple[int, int] = (1, 4)) -> Network:
    """A network whose columns have two to eleven neighbors, or one of another density."""
    return sparse_network(CORE, levels=3, in_degree=in_degree, concentration=0.5, seed=1)


@lru_cache(maxsize=4)
def copies(columns: int, rows: int, in_degree: int | tuple[int, int] = (1, 4)) -> Dataset:
    """Independent copies of the network side by side, so that a column's neighbors do not depend on how many."""
    codes = {}
    for copy in range(columns // CORE):
        for name, values in draw(core(in_degree), rows, seed=copy).items():
            codes[f"{copy:03}-{name}"] = values
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        return load_bitmaps(Dataset.from_frame(codes))


def typical() -> str:
    """Return the column of the first copy that has the median number of neighbors."""
    network = core()
    return f"000-{sorted(network.nodes, key=lambda x: (len(network.blanket(x).neighbors), x))[CORE // 2]}"


def screen(data: Dataset, _: int) -> Call:
    worker, units = ScreenWorker(Tester(data)), range(len(units_of_screen(data)))
    return lambda: [worker.unit(unit) for unit in units]


def neighbors(data: Dataset, most_given: int) -> Call:
    """Every column's search, after the screen."""
    tester, worker = Tester(data), ScreenWorker(Tester(data))
    found = ScreenResult.gather([worker.unit(unit) for unit in range(len(units_of_screen(data)))], data.columns)
    targets = range(data.columns)
    return lambda: getpcd_each(tester, targets, *found.of_each(targets), most_given, MAX_POOL)


def batch(data: Dataset, most_given: int) -> Call:
    return lambda: markov_blankets(data, max_given=most_given, n_jobs=1, progress=False)


def one_target(data: Dataset, most_given: int) -> Call:
    target = typical()
    return lambda: markov_blanket(data, target, max_given=most_given)


def sweep(data: Dataset, given: int) -> Call:
    """One test of a column with each of the others, all of them given the same ones."""
    tester, candidates = Tester(data), range(1 + given, data.columns)
    return lambda: tester.sweep(0, candidates, range(1, 1 + given))


def hub(data: Dataset, most_given: int) -> Call:
    """The neighbors of a column with many children."""
    return lambda: neighbors_of(data, "hub", max_given=most_given)


LARGE = {"rows": LARGE_ROWS, "columns": LARGE_COLUMNS}
TASKS = (
    Task("screen", screen, {"rows": MORE_ROWS, "columns": MORE_COLUMNS}, LARGE),
    Task("neighbors", neighbors, {"rows": ROWS, "columns": COLUMNS, "given": GIVEN, "parents": PARENTS}),
    Task("batch", batch, {"rows": ROWS, "columns": COLUMNS, "given": GIVEN, "parents": PARENTS}),
    Task("one target", one_target, {"rows": MORE_ROWS, "columns": MORE_COLUMNS, "given": GIVEN}, LARGE),
    Task("sweep", sweep, {"given": GIVEN}),
    Task("hub", hub, {"children": CHILDREN}, {"children": LARGE_CHILDREN}),
)


def sizes_of(task: Task, axis: str, *, least: int, up_to: int) -> tuple[int, ...]:
    """Return the sizes along an axis, ascending, from the least one, and of the large ones those up to one."""
    large = tuple(size for size in task.large.get(axis, ()) if size <= up_to)
    return tuple(size for size in task.axes[axis] + large if size >= least)


def points(chosen: Collection[tuple[str, str]], *, least: int = 0, up_to: int = 0) -> Iterator[Point]:
    """Measure some tasks along some axes, a few rounds each (see ``bench.shared.calibrated_clock``)."""
    for task in TASKS:
        for axis in task.axes:
            for size in sizes_of(task, axis, least=least, up_to=up_to) if (task.name, axis) in chosen else ():
                clock = window
                if size in task.large.get(axis, ()):
                    task.prepare(*_at(axis, task.axes[axis][0]))()  # which loads or compiles the kernels
                    clock = single
                measured = clock(task.prepare(*_at(axis, size)))
                yield Point(task.name, axis, size, measured.times("compute"), 1e3 * measured.seconds)


def _at(axis: str, size: int) -> tuple[Dataset, int]:
    """Return data and most given columns."""
    if axis == "children":
        return factories.hub(size, OF_CHILDREN), 3
    if axis == "parents":
        return copies(*OF_PARENTS, in_degree=size), 3
    if axis == "rows":
        return copies(OF_ROWS, size), 3
    if axis == "columns":
        return copies(size, OF_COLUMNS), 3
    return copies(*OF_GIVEN), size
